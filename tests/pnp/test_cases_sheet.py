"""Users' cases about scale, paper, marks and large boards (P21 to P64, P76 to P80), measured in the
PDF that is printed. Cases that a test beside its subject names are not repeated here.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pdfplumber
import pikepdf
import pypdfium2
import pytest

from pnp.cli import run
from pnp.geometry import Box, Point
from tests.pnp.printed import MM, built, catalogue_of, ink_box, measure

TILES = ("--no-board", "--no-mats", "--no-card")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("backs", ["duplex-long", "duplex-short", "fold"])
def test_nothing_is_drawn_where_a_printer_cannot(paper: str, backs: str, tmp_path: Path) -> None:
    """P24, P34: marks, targets and band too stay 10 mm inside the paper, which is more than the 5 mm
    of a printer and the 1.5 mm of its feed; on backs as well.
    """
    words = [*TILES, "--paper", paper, "--backs", backs, "--each", "6", "--coloured"]
    path = built("lightning", tmp_path / "x.pdf", *words)
    for number, page in enumerate(measure(path)):
        left, top, right, bottom = ink_box(path, number)
        assert min(left, top) >= 10.0 - 0.2
        assert right <= page.width - 10.0 + 0.2
        assert bottom <= page.height - 10.0 + 0.2


def test_a_photo_lab_enlarges_and_trims(tmp_path: Path) -> None:
    """P39: with 6 mm of buffer all is there after 4 % more and a trim; a scale undoes the 4 %."""
    words = [*TILES, "--each", "2", "--paper", "102x152mm", "--margin", "6mm"]
    path = built("lightning", tmp_path / "x.pdf", *words)
    for number, page in enumerate(measure(path)):
        left, top, right, bottom = ink_box(path, number)
        for low, high, side in ((left, right, page.width), (top, bottom, page.height)):
            middle = side / 2.0
            assert middle - (middle - low) * 1.04 >= 3.0
            assert middle + (high - middle) * 1.04 <= side - 3.0
    undone = built("lightning", tmp_path / "y.pdf", *words, "--scale-x", "0.96154",
                   "--scale-y", "0.96154")  # fmt: skip
    plain, scaled = measure(path)[0], measure(undone)[0]
    (bar,), (less,) = plain.bars(50.0), scaled.bars(50.0 * 0.96154)
    lengths = [max(b[2] - b[0], b[3] - b[1]) for b in (bar, less)]
    assert lengths[1] * 1.04 == pytest.approx(lengths[0], abs=0.01)


def test_bleed_of_its_own_and_shared_cuts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """P50, P51: without a gutter neighbours share a cut; bleed needs a gutter, and every trim its
    own marks; P56: the gutter keeps a neighbour's colour off. P64, P109: the band says the bleed.
    """
    base = [*TILES, "--coloured", "--each", "2"]
    refused = ["build", "lightning", *base, "--bleed", "2", "--output", str(tmp_path / "n.pdf")]
    assert run(refused) == 2
    assert "--gutter 4 mm" in capsys.readouterr().err
    shared = built("lightning", tmp_path / "a.pdf", *base)
    apart = built("lightning", tmp_path / "b.pdf", *base, "--bleed", "2", "--gutter", "4")
    assert "bleed 2 mm" in measure(apart)[0].text
    assert "bleed" not in measure(shared)[0].text

    def steps(path: Path) -> set[float]:
        at = sorted({round(b[0], 2) for b in crop_marks(path) if abs(b[0] - b[2]) < 1e-3})
        return {round(b - a, 2) for a, b in pairwise(at)}

    assert steps(shared) == {23.0}
    assert steps(apart) == {23.0, 4.0}


def test_marks_on_what_is_not_cut_out_only_when_they_are_asked_for(tmp_path: Path) -> None:
    """P44, P62: a board, a colouring sheet and a split board have crop marks, outside of all that is
    drawn and within 3 mm of it, with `--marks` and only then.
    """
    for name, words in (
        ("hex", ["--cell-size", "12"]),
        ("mini-hex", ["--size", "5"]),
        ("lightning", ["--no-tiles", "--no-mats", "--no-card"]),
    ):
        plain = built(name, tmp_path / f"{name}-a.pdf", *words)
        marked = built(name, tmp_path / f"{name}-b.pdf", *words, "--marks", "edge")
        none = built(name, tmp_path / f"{name}-c.pdf", *words, "--marks", "none")
        assert none.read_bytes() == plain.read_bytes()
        assert crop_marks(plain) == []
        found = crop_marks(marked)
        assert len(found) == (16 if name == "lightning" else 8)  # it has two sections
        for x0, y0, x1, y1 in found:
            assert max(abs(x1 - x0), abs(y1 - y0)) == pytest.approx(2.5, abs=0.01)


def crop_marks(path: Path) -> list[Box]:
    """The strokes of 0.2 mm and 2.5 mm long, over all pages: what crop marks look like."""
    found: list[Box] = []
    with pdfplumber.open(path) as document:
        for page in document.pages:
            found += [
                (o["x0"] * MM, o["top"] * MM, o["x1"] * MM, o["bottom"] * MM)
                for o in page.lines
                if abs(max(o["width"], o["height"]) * MM - 2.5) < 0.01
                and abs(o["linewidth"] * MM - 0.2) < 0.002
                and min(o["width"], o["height"]) < 1e-3
            ]
    return found


def test_a_thin_line_on_each_edge_of_hexagons_if_wanted(tmp_path: Path) -> None:
    """P54: to cut them by hand; P52: none unless asked for."""
    words = ["--board", "none", "--each", "3"]
    for extra, drawn in (([], False), (["--edges"], True)):
        path = built("hex-lightning", tmp_path / f"{drawn}.pdf", *words, *extra)
        with pdfplumber.open(path) as document:
            side = 25.0 / 3.0**0.5
            edges = [
                o for o in document.pages[0].lines
                if abs(np.hypot(o["width"], o["height"]) * MM - side) < 0.01
            ]  # fmt: skip
        assert bool(edges) == drawn
        ends = {tuple(sorted((round(x, 1), round(y, 1)) for x, y in o["pts"])) for o in edges}
        assert len(ends) == len(edges)  # each once


SPLIT = ("--size", "10", "--cell-size", "30", "--split")


def sheets(path: Path) -> dict[str, tuple[list[Point], list[Point]]]:
    """Each sheet of a split board by its name: where its rings stand, and all corners of what is
    drawn there of the board, whether it shows or not.
    """
    found = {}
    names = [str(title).split()[-1] for title in catalogue_of(path)["bookmarks"]]
    with pdfplumber.open(path) as document:
        for name, page in zip(names, document.pages, strict=True):
            rings = [
                ((c["x0"] + c["x1"]) / 2 * MM, (c["top"] + c["bottom"]) / 2 * MM)
                for c in page.curves if not c["fill"] and abs(c["width"] * MM - 2.4) < 0.01
            ]  # fmt: skip
            corners = [
                (x * MM, y * MM)
                for o in page.lines
                if abs(np.hypot(o["width"], o["height"]) * MM - 30.0 / 3.0**0.5) < 0.01
                for x, y in o["pts"]
            ]
            found[name] = (rings, corners)
    return found


def displacements(found: dict[str, tuple[list[Point], list[Point]]]) -> dict[str, Point]:
    """How far each sheet is moved when it is laid by its marks, mark on mark, from A1 on."""
    at = {"A1": (0.0, 0.0)}
    for name, (rings, _) in found.items():
        if name == "A1":
            continue
        row, column = name[0], int(name[1:])
        before, axis = (f"{row}{column - 1}", 0) if column > 1 else (f"{chr(ord(row) - 1)}1", 1)
        theirs = found[before][0]
        last, first = max(r[axis] for r in theirs), min(r[axis] for r in rings)
        a = sorted(r for r in theirs if abs(r[axis] - last) < 0.1)
        b = sorted(r for r in rings if abs(r[axis] - first) < 0.1)
        assert len(a) == len(b) >= 2
        dx = sum(p[0] - q[0] for p, q in zip(a, b, strict=True)) / len(a)
        dy = sum(p[1] - q[1] for p, q in zip(a, b, strict=True)) / len(a)
        at[name] = (at[before][0] + dx, at[before][1] + dy)
    return at


def test_sheets_laid_by_their_marks_are_the_whole_board(tmp_path: Path) -> None:
    """P76, P77, P79: an overlap of 10 mm to glue, register marks on each part, the scale exact: all
    corners of all cells lie within 0.05 mm of those of the board in one piece.
    """
    parts = sheets(built("hex", tmp_path / "s.pdf", *SPLIT))
    assert len(parts) > 3
    at = displacements(parts)
    whole = sheets(built("hex", tmp_path / "w.pdf", *SPLIT, "--paper", "900x700mm"))
    ((_, corners),) = whole.values()
    board = np.array(sorted(set(corners)))
    origin = board.min(axis=0)
    assert len(board) > 100
    base = np.array(parts["A1"][1]).min(axis=0)
    for name, (_, found) in parts.items():
        laid = np.array(sorted(set(found))) + at[name] - base + origin
        far = np.abs(laid[:, None, :] - board[None, :, :]).max(axis=2).min(axis=1)
        assert far.max() <= 0.05


def test_the_joined_picture_is_the_unsplit_one_pixel_by_pixel(tmp_path: Path) -> None:
    """P76: what is seen of each sheet, cut at the joints and laid by the marks, is the board."""
    scale = 3.0
    path = built("hex", tmp_path / "s.pdf", *SPLIT)
    whole = built("hex", tmp_path / "w.pdf", *SPLIT, "--paper", "900x700mm")
    parts = sheets(path)
    at = displacements(parts)
    with pypdfium2.PdfDocument(whole) as document:
        target = document[0].render(scale=scale * MM).to_numpy().astype(int)
    ((_, corners),) = sheets(whole).values()
    shift = np.array(corners).min(axis=0) - np.array(parts["A1"][1]).min(axis=0)
    missed = compared = 0
    with pypdfium2.PdfDocument(path) as document:
        for number, (name, (rings, _)) in enumerate(parts.items()):
            picture = document[number].render(scale=scale * MM).to_numpy().astype(int)
            dx, dy = (at[name] + shift) * scale
            xs, ys = [r[0] for r in rings], [r[1] for r in rings]
            # inside the joints, clear of the crosses on them and of the seam of half a pixel
            box = [min(xs) + 3, min(ys) + 3, max(xs) - 3, max(ys) - 3]
            left, top, right, bottom = (round(v * scale) for v in box)
            part = picture[top:bottom, left:right]
            y, x = top + round(dy), left + round(dx)
            there = target[y : y + part.shape[0], x : x + part.shape[1]]
            off = np.minimum.reduce([
                np.abs(part - np.roll(there, (k, m), (0, 1))).max(axis=2)
                for k in (-1, 0, 1) for m in (-1, 0, 1)
            ])  # fmt: skip
            missed += int((off > 64).sum())
            compared += part.shape[0] * part.shape[1]
    assert compared > 5e5
    assert missed <= compared * 0.002


def test_overlap_and_margins_are_the_users(tmp_path: Path) -> None:
    """P78, P80: less overlap and smaller margins take fewer sheets; the count is shown."""
    counts = {}
    for overlap, margin in (("40", "25"), ("4", "5")):
        words = [*SPLIT, "--overlap", overlap, "--margin", margin]
        path = built("hex", tmp_path / "x.pdf", *words)
        pages = measure(path)
        counts[overlap] = len(pages)
        assert f"split over {len(pages)} sheets" in " ".join(pages[0].text.split())
        for number, page in enumerate(pages):
            left, top, right, bottom = ink_box(path, number)
            assert min(left, top) >= float(margin) - 0.2
            assert right <= page.width - float(margin) + 0.2
            assert bottom <= page.height - float(margin) + 0.2
    assert counts["4"] < counts["40"]


def test_the_trim_box_is_the_piece_with_its_bleed_around(tmp_path: Path) -> None:
    """P44: TrimBox; P107: one page a piece."""
    words = [*TILES, "--single", "--bleed", "2", "--gutter", "4", "--tile-size", "30"]
    path = built("lightning", tmp_path / "x.pdf", *words)
    with pikepdf.open(path) as document:
        assert len(document.pages) == 5
        for page in document.pages:
            media, trim = ([float(v) * MM for v in box] for box in (page.mediabox, page.trimbox))
            assert media == pytest.approx([0, 0, 34, 34], abs=1e-3)
            assert trim == pytest.approx([2, 2, 32, 32], abs=1e-3)
