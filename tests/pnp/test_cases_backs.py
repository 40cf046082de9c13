"""Users' cases about backs and duplex (P1 to P19), measured in the PDF that is printed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pdfplumber
import pikepdf
import pytest

from pnp.backends import pdf
from pnp.cli import run
from pnp.geometry import hexagon
from pnp.scene import Polygon, Scene, Style
from pnp.sheet.job import Job, Piece, Pieces, Shape, fixed
from tests.pnp.printed import MM, catalogue_of, laid, measure

NEAR = 0.01
"""A back lies within so many mm of its front's mirror (print.md, The sheet)."""


class Seen(NamedTuple):
    """Where a piece lies, and which way its head points: (0, -1) is up."""

    x: float
    y: float
    head: tuple[int, int]


class Sheet(NamedTuple):
    """A page in mm: the pieces on it by their number; the ends of dashed lines."""

    width: float
    height: float
    fronts: dict[int, Seen]
    backs: dict[int, Seen]
    folds: list[tuple[float, float, float, float]]


def job(count: int, outline: tuple[tuple[float, float], ...], shape: Shape = "box") -> Job:
    """Pieces that differ: a square in the middle whose colour is a number, a smaller one above."""

    def face(number: int, green: int) -> tuple[Polygon, ...]:
        colour = Style(fill=f"#{number:02x}{green:02x}00")
        big = ((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0))
        small = ((-1.0, -6.0), (1.0, -6.0), (1.0, -5.0), (-1.0, -5.0))
        return (Polygon(big, colour), Polygon(small, colour))

    pieces = tuple(Piece(f"k{n}", face(n, 0), face(n, 255)) for n in range(count))
    return Job("Cards", (Pieces("Cards", outline, pieces, "cards", shape=shape),))


CARD = ((-20.0, -13.0), (20.0, -13.0), (20.0, 13.0), (-20.0, 13.0))


def printed(path: Path, what: Job, **given: object) -> list[Sheet]:
    """Write a job and read back where its pieces lie."""
    pdf.write(laid(what, **given).document, path)
    return seen(path)


def seen(path: Path) -> list[Sheet]:
    """What lies where on each page. The faces of a piece are one path: the whole of it, 8 mm high,
    has its square at the foot.
    """
    sheets = []
    with pdfplumber.open(path) as document:
        for page in document.pages:
            sides: tuple[dict[int, Seen], dict[int, Seen]] = ({}, {})
            boxes: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}
            for item in (*page.rects, *page.curves):
                colour = item["non_stroking_color"]
                if item["fill"] and colour and len(colour) == 3 and colour[2] == 0:
                    key = (round(colour[0] * 255), round(colour[1]))
                    box = (item["x0"], item["top"], item["x1"], item["bottom"])
                    boxes.setdefault(key, []).append(tuple(v * MM for v in box))
            for (number, back), found in boxes.items():
                found.sort(key=lambda b: b[2] - b[0])
                (sx, sy), (bx, by) = (((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in found)
                head = (round((sx - bx) / 5.5), round((sy - by) / 5.5))
                sides[back][number] = Seen(bx, by, head)
            folds = [
                tuple(v * MM for v in (line["x0"], line["top"], line["x1"], line["bottom"]))
                for line in page.lines if line["dash"] and line["dash"][0]
            ]  # fmt: skip
            size = float(page.width) * MM, float(page.height) * MM
            sheets.append(Sheet(*size, *sides, folds))
    return sheets


def check_mirror(front: Sheet, back: Sheet, columns: bool) -> None:
    """Every back behind its own front, turned over about the paper's edge."""
    assert front.fronts.keys() == back.backs.keys()
    assert not front.backs
    assert not back.fronts
    for number, piece in front.fronts.items():
        behind = back.backs[number]
        x, y = (front.width - piece.x, piece.y) if columns else (piece.x, front.height - piece.y)
        assert (behind.x, behind.y) == pytest.approx((x, y), abs=NEAR)
        head = piece.head if not columns else (-piece.head[0], piece.head[1])
        assert behind.head == (head if columns else (head[0], -head[1]))


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short"])
def test_backs_lie_behind_their_own_fronts(backs: str, orientation: str, tmp_path: Path) -> None:
    """P1, P2, P3, P4: one call; front, back, front, back; flipped on either edge; 61 cards leave
    the last sheet half filled.
    """
    path = tmp_path / "x.pdf"
    pages = printed(path, job(61, CARD), backs=backs, orientation=orientation)
    assert len(pages) == 4
    assert len(pages[2].fronts) < len(pages[0].fronts)
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        check_mirror(front, back, (orientation == "portrait") == (backs == "duplex-long"))
    edge = "long" if backs == "duplex-long" else "short"
    about = catalogue_of(path)
    assert about["duplex"] == f"/DuplexFlip{edge.capitalize()}Edge"
    assert about["bookmarks"] == [
        "Cards 1/2", f"Cards 1/2 BACK, flip on the {edge} edge",
        "Cards 2/2", f"Cards 2/2 BACK, flip on the {edge} edge",
    ]  # fmt: skip
    for page, head in zip(measure(path), about["bookmarks"], strict=True):
        assert head in page.text.replace("\n", " ")  # the page says so itself


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_separate_sheets_to_glue(orientation: str, tmp_path: Path) -> None:
    """P14: for a printer that cannot be trusted all fronts come first, then all backs."""
    pages = printed(tmp_path / "x.pdf", job(61, CARD), backs="separate", orientation=orientation)
    half = len(pages) // 2
    for front, back in zip(pages[:half], pages[half:], strict=True):
        check_mirror(front, back, orientation == "portrait")
    assert catalogue_of(tmp_path / "x.pdf")["duplex"] == "/Simplex"


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_sheets_to_fold(orientation: str, tmp_path: Path) -> None:
    """P15: fronts and backs on one side of the paper, mirrored about a dashed line; across the page
    the backs stand upside down.
    """
    pages = printed(tmp_path / "x.pdf", job(40, CARD), backs="fold", orientation=orientation)
    assert len(pages) > 1
    for page in pages:
        assert page.fronts.keys() == page.backs.keys()
        ((x0, y0, x1, y1),) = page.folds
        across = abs(y1 - y0) < 1e-3
        for number, piece in page.fronts.items():
            behind = page.backs[number]
            mirror = (piece.x, 2 * y0 - piece.y) if across else (2 * x0 - piece.x, piece.y)
            assert (behind.x, behind.y) == pytest.approx(mirror, abs=NEAR)
            head = (piece.head[0], -piece.head[1]) if across else (-piece.head[0], piece.head[1])
            assert behind.head == head
    assert x1 >= x0


def test_the_four_ways_of_backs_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """P16: none, separate, fold, duplex are one choice."""
    assert run(["build", "lightning", "--help"]) == 0
    text = "".join(capsys.readouterr().out.split())
    assert "--backsnone|duplex-long|duplex-short|fold|separate" in text


@pytest.mark.parametrize("nest", ["knife", "straight", "boxes"])
def test_hexagons_are_put_back_to_back(nest: str, tmp_path: Path) -> None:
    """P19: indented rows, and a last sheet that is not full, still meet."""
    what = job(70, hexagon(25.0), "hexagon")
    pages = printed(tmp_path / "x.pdf", what, backs="duplex-long", nest=nest)
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        check_mirror(front, back, front.height > front.width)


def test_backs_are_moved_for_a_printer_that_is_off(tmp_path: Path) -> None:
    """P5, P7: right and up, backs only, for one job; P17: a back may be turned."""
    given = {"backs": "duplex-long", "orientation": "portrait"}
    front, plain = printed(tmp_path / "a.pdf", job(20, CARD), **given)
    same, moved = printed(tmp_path / "b.pdf", job(20, CARD), **given, back_offset="0.5,-1.25")
    assert same == front
    for number, piece in plain.backs.items():
        there = moved.backs[number]
        assert (there.x, there.y) == pytest.approx((piece.x + 0.5, piece.y + 1.25), abs=NEAR)
    _, turned = printed(tmp_path / "c.pdf", job(20, CARD), **given, back_rotate="180")
    for number, piece in plain.backs.items():
        there = turned.backs[number]
        assert (there.x, there.y) == pytest.approx((210 - piece.x, 297 - piece.y), abs=NEAR)
        assert there.head == (-piece.head[0], -piece.head[1])
    shifted, _ = printed(tmp_path / "d.pdf", job(20, CARD), **given, front_offset="-1,2")
    for number, piece in front.fronts.items():
        there = shifted.fronts[number]
        assert (there.x, there.y) == pytest.approx((piece.x - 1.0, piece.y - 2.0), abs=NEAR)


def test_a_single_sided_sheet_between_shifts_nothing(tmp_path: Path) -> None:
    """P11: its back is truly empty: no band, no mark, no operator; P62: nor has it crop marks."""
    mat = fixed("Mat", Scene(60.0, 60.0, (Polygon(CARD, Style(fill="#808080")),)))
    (cards,) = job(5, CARD).parts
    what = Job("Mixed", (mat, cards, mat))
    pages = printed(tmp_path / "x.pdf", what, backs="duplex-long")
    assert [(len(p.fronts), len(p.backs)) for p in pages] == [
        (0, 0), (0, 0), (5, 0), (0, 5), (0, 0), (0, 0),
    ]  # fmt: skip
    with pikepdf.open(tmp_path / "x.pdf") as document:
        for number in (1, 5):
            page = document.pages[number]
            assert page.Contents.read_bytes().strip() == b""
            assert "/XObject" not in page.Resources
            assert page.mediabox == document.pages[0].mediabox
    assert len(printed(tmp_path / "y.pdf", what, backs="none")) == 3


def test_marks_and_targets_stand_on_both_faces(tmp_path: Path) -> None:
    """P13: crop marks of the back are mirrored; P18: so are the registration targets, a ring and a
    cross beyond each corner, which stand on duplex sheets only; P45: all are 0.15 mm or more.
    """
    path = tmp_path / "x.pdf"
    pdf.write(laid(job(50, CARD), backs="duplex-long", orientation="portrait").document, path)
    with pdfplumber.open(path) as document:
        marks, rings = [], []
        for page in document.pages:
            lines = [(o["x0"], o["top"], o["x1"], o["bottom"]) for o in page.lines]
            marks.append(sorted(tuple(round(v * MM, 2) for v in line) for line in lines))
            rings.append(sorted(
                (round((c["x0"] + c["x1"]) / 2 * MM, 2), round((c["top"] + c["bottom"]) / 2 * MM, 2))
                for c in page.curves if not c["fill"]
            ))  # fmt: skip
            assert all(o["linewidth"] * MM >= 0.15 for o in (*page.lines, *page.curves)
                       if o["stroke"])  # fmt: skip
    mirrored = sorted((round(210 - c, 2), b, round(210 - a, 2), d) for a, b, c, d in marks[0])
    assert [v for line in marks[1] for v in line] == pytest.approx(
        [v for line in mirrored for v in line], abs=0.02
    )
    assert len(rings[0]) == len(rings[1]) == 4
    for (x, y), there in zip(sorted((210 - x, y) for x, y in rings[0]), rings[1], strict=True):
        assert there == pytest.approx((x, y), abs=0.02)
    for lone in ("none", "fold"):
        (page,) = laid(job(10, CARD), backs=lone).document.pages()
        assert not [i for i in page.scene.items if type(i).__name__ == "Circle"]
    pages = list(laid(job(10, CARD), backs="duplex-long", marks="none").document.pages())
    assert not [i for p in pages for i in p.scene.items if type(i).__name__ == "Circle"]


def test_pieces_of_one_size_whatever_their_sheet(tmp_path: Path) -> None:
    """P38: the margins first, then equal cells: no card is narrower at the edge."""
    front, _ = printed(tmp_path / "x.pdf", job(40, CARD), backs="duplex-long")
    xs = sorted({round(p.x, 2) for p in front.fronts.values()})
    ys = sorted({round(p.y, 2) for p in front.fronts.values()})
    steps = {round(b - a, 2) for line in (xs, ys) for a, b in pairwise(line)}
    assert steps == {40.0, 26.0}
    assert xs[0] - 10.0 == pytest.approx(front.width - 10.0 - xs[-1], abs=0.02)
