"""Backs: every back behind its own front, on all four ways, on half-filled pages and odd margins
too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.backends import pdf
from pnp.document import Page
from pnp.scene import Lines, Polygon, Scene, Style, Use
from pnp.sheet.job import Job, Piece, Pieces, fixed
from tests.pnp.printed import catalogue_of, laid, measure, tiles

RED = Style(fill="#ff0000")
FLAG = (Polygon(((-9.0, -9.0), (9.0, -9.0), (-9.0, 9.0)), RED),)


def sheets(backs: str, count: int, **more: object) -> list[Page]:
    job = tiles(30.0, 20.0, count, front=FLAG, back=FLAG)
    return list(laid(job, backs=backs, **more).document.pages())


def segments(page: Page) -> list[tuple[float, float, float, float]]:
    """The crop marks and the crosses of the registration targets."""
    return [s for item in page.scene.items if isinstance(item, Lines) for s in item.segments]


def uses(page: Page) -> list[Use]:
    return [item for item in page.scene.items if isinstance(item, Use)]


@given(
    st.sampled_from(["duplex-long", "duplex-short"]),
    st.sampled_from(["portrait", "landscape"]),
    st.integers(1, 60),
    st.sampled_from(["10", "5,8,13,20"]),
    st.sampled_from(["a4", "letter"]),
)
def test_each_back_is_its_fronts_mirror(
    backs: str, orientation: str, count: int, margin: str, paper: str
) -> None:
    """P1, P3, P4: front, back, front, back; mirrored about the axis that the paper turns on."""
    pages = sheets(backs, count, orientation=orientation, margin=margin, paper=paper)
    assert len(pages) % 2 == 0
    columns = (orientation == "portrait") == (backs == "duplex-long")
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        width, height = front.scene.width, front.scene.height
        assert len(uses(front)) == len(uses(back))
        for f, b in zip(uses(front), uses(back), strict=True):
            if columns:
                assert (b.x, b.y) == pytest.approx((width - f.x, f.y), abs=1e-9)
                assert b.turn == pytest.approx(-f.turn % 360.0)
            else:
                assert (b.x, b.y) == pytest.approx((f.x, height - f.y), abs=1e-9)
                assert b.turn == pytest.approx((180.0 - f.turn) % 360.0)
        assert back.label.endswith(
            f"BACK, flip on the {'long' if backs == 'duplex-long' else 'short'} edge"
        )
        axis = 0 if columns else 1
        size = (width, height)[axis]
        mirrored = sorted(
            sorted(round((size - p if k % 2 == axis else p), 3) for k, p in enumerate(s))
            for s in segments(front)
        )
        assert mirrored == sorted(
            sorted(round(p, 3) for p in s) for s in segments(back)
        )  # P13: the marks are mirrored as well, and the targets (P18)


def test_backs_in_the_pdf_lie_within_a_hundredth(tmp_path: Path) -> None:
    job = tiles(23.0, 23.0, 60, front=FLAG, back=FLAG)
    path = tmp_path / "x.pdf"
    pdf.write(laid(job, backs="duplex-long").document, path)
    assert catalogue_of(path)["duplex"] == "/DuplexFlipLongEdge"
    places = []
    with pikepdf.open(path) as document:
        for page in document.pages:
            found = []
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) == "cm":
                    matrix = [float(v) for v in operands]
                if str(operator) == "Do":
                    found.append((matrix[4], matrix[5]))
            places.append(found)
    width = 210.0 / 25.4 * 72.0
    assert len(places[0]) == len(places[1]) == 60
    for (fx, fy), (bx, by) in zip(*places, strict=True):
        assert bx == pytest.approx(width - fx, abs=0.01 / 25.4 * 72.0)
        assert by == pytest.approx(fy, abs=0.01 / 25.4 * 72.0)


def test_offset_and_rotation_act_on_backs_only(tmp_path: Path) -> None:
    """P5, P7, P17: right and up as one looks at the back, whichever way the printer turns it."""
    plain = sheets("duplex-long", 4)
    moved = sheets("duplex-long", 4, back_offset="0.5,-1.25", back_rotate="180")
    assert [p.offset for p in moved] == [(0.0, 0.0), (-0.5, 1.25)]
    assert [p.turned for p in moved] == [False, True]
    assert [p.scene for p in moved] == [p.scene for p in plain]
    for name, pages in (("a", plain), ("b", sheets("duplex-long", 4, back_offset="0.5,-1.25"))):
        job = laid(tiles(30.0, 20.0)).document
        pdf.write(type(job)(job.title, lambda pages=pages: pages), tmp_path / f"{name}.pdf")
    before, after = measure(tmp_path / "a.pdf"), measure(tmp_path / "b.pdf")
    assert before[0].boxes == after[0].boxes
    (old,), (new,) = before[1].bars(50.0), after[1].bars(50.0)
    assert new[0] - old[0] == pytest.approx(0.5, abs=1e-3)
    assert new[1] - old[1] == pytest.approx(1.25, abs=1e-3)


def test_check_bars_stand_on_backs_too(tmp_path: Path) -> None:
    """P21."""
    job = tiles(23.0, 23.0, 88, front=FLAG, back=FLAG)
    pdf.write(laid(job, backs="duplex-short").document, tmp_path / "x.pdf")
    for page in measure(tmp_path / "x.pdf"):
        assert len(page.bars(50.0)) == 1
        assert "print at 100 %" in page.text


def test_a_single_sided_part_between_gets_an_empty_back() -> None:
    """P11: the filler is truly empty, and only there in duplex mode."""
    (tile,) = tiles(30.0, 20.0, 3, front=FLAG, back=FLAG).parts
    mat = fixed("Mat", Scene(50.0, 50.0, FLAG))
    job = Job("Mixed", (mat, tile, mat))
    pages = list(laid(job, backs="duplex-long").document.pages())
    assert [bool(p.scene.items) for p in pages] == [True, False, True, True, True, False]
    assert pages[1].label == ""
    assert len(laid(job).names) == 3
    assert len(laid(job, backs="separate").names) == 4
    only_boards = Job("Mats", (mat, mat))
    assert len(laid(only_boards, backs="duplex-long").names) == 2


def test_separate_sheets_come_after_all_fronts() -> None:
    """P14: to be glued back to back."""
    pages = sheets("separate", 130, orientation="portrait")
    half = len(pages) // 2
    assert [("BACK" in p.label) for p in pages] == [False] * half + [True] * half
    for front, back in zip(pages[:half], pages[half:], strict=True):
        for f, b in zip(uses(front), uses(back), strict=True):
            assert (b.x, b.y) == pytest.approx((front.scene.width - f.x, f.y))


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_fold_has_fronts_and_backs_on_one_page(orientation: str) -> None:
    """P15: backs mirrored about the fold, upside down where it lies across."""
    pages = sheets("fold", 9, orientation=orientation)
    for page in pages:
        found = uses(page)
        fronts, backs = found[: len(found) // 2], found[len(found) // 2 :]
        (fold,) = [i for i in page.scene.items if type(i).__name__ == "Line"]
        (x0, y0), (_, y1) = fold.points
        for f, b in zip(fronts, backs, strict=True):
            assert b.name == f"{f.name}-back"
            if y0 == y1:
                assert (b.x, b.y) == pytest.approx((f.x, 2 * y0 - f.y))
                assert b.turn == pytest.approx((180.0 - f.turn) % 360.0)
            else:
                assert (b.x, b.y) == pytest.approx((2 * x0 - f.x, f.y))
        assert "fold" in " ".join(
            t.text for g in page.scene.items if hasattr(g, "items") for t in g.items
            if hasattr(t, "text")
        )  # fmt: skip
    assert sum(len(uses(p)) for p in pages) == 18


def test_pieces_without_a_back_leave_their_place_empty() -> None:
    x, y = 15.0, 10.0
    outline = ((-x, -y), (x, -y), (x, y), (-x, y))
    kinds = (Piece("a", FLAG, FLAG, 2), Piece("b", FLAG, None, 2))
    pages = list(
        laid(Job("T", (Pieces("T", outline, kinds),)), backs="duplex-long").document.pages()
    )
    assert [len(uses(p)) for p in pages] == [4, 2]


def test_bleed_is_clipped_to_the_gutter() -> None:
    """P50: faces run past the trim by the bleed, no further."""
    (page,) = laid(tiles(30.0, 20.0, 2, front=FLAG), bleed="2mm", gutter="4mm").document.pages()
    (group,) = page.scene.symbols[uses(page)[0].name]
    assert sorted({round(abs(v), 6) for p in group.clip for v in p}) == [12.0, 17.0]  # type: ignore[union-attr]
    first, second = uses(page)
    assert max(abs(first.x - second.x), abs(first.y - second.y)) in (
        pytest.approx(34.0), pytest.approx(24.0),
    )  # fmt: skip


def test_the_page_says_the_sheet_number() -> None:
    labels = [p.label for p in sheets("duplex-long", 130)]
    assert all(re.fullmatch(r"Tiles \d/\d( BACK, flip on the long edge)?", s) for s in labels)
