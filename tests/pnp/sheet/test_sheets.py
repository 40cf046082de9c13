"""Whole sheets, measured in the PDF: papers, band and bars, marks, nothing outside the margins."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.backends import pdf
from pnp.errors import FitError
from pnp.fonts import load
from pnp.games import component
from pnp.scene import Polygon, Scene, Style
from pnp.sheet.band import Words, paint_band
from pnp.sheet.job import Job, fixed
from pnp.sheet.layout import Laid, lay_out
from pnp.sheet.space import spaces
from pnp.themes import load as theme
from tests.pnp.printed import built, catalogue_of, extent, ink_box, laid, measure, options, tiles

SIZES = {
    "a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0),
    "tabloid": (279.4, 431.8), "legal": (215.9, 355.6), "123.4x156.7mm": (123.4, 156.7),
}  # fmt: skip
BLACK = Style(fill="#000000")


def written(sheet: Laid, path: Path) -> Path:
    pdf.write(sheet.document, path)
    return path


def dark(width: float, height: float) -> tuple[Polygon, ...]:
    x, y = width / 2, height / 2
    return (Polygon(((-x, -y), (x, -y), (x, y), (-x, y)), BLACK),)


@pytest.mark.parametrize("paper", SIZES)
def test_every_page_is_exactly_the_paper(paper: str, tmp_path: Path) -> None:
    """P25, P26, P29, P31, P35, P36: the chosen paper on every page, in exact mm."""
    path = built("hex", tmp_path / "x.pdf", "--paper", paper, "--stones", "--size", "4")
    about = catalogue_of(path)
    assert len(about["media"]) == 2
    for media, trim in zip(about["media"], about["trim"], strict=True):
        assert media[:2] == [0.0, 0.0]
        assert sorted(media[2:]) == pytest.approx(sorted(SIZES[paper]), abs=5e-4)
        assert trim == media


@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
def test_band_bars_and_ink(paper: str, orientation: str, tmp_path: Path) -> None:
    """P21, P23, P40, P64: exact bars, words, and no ink in the margin or on the band."""
    words = ["--paper", paper, "--orientation", orientation, "--size", "5"]
    path = built("hex", tmp_path / "x.pdf", *words)
    (page,) = measure(path)
    assert (page.width > page.height) == (orientation == "landscape")
    (fifty,), (two_inches,) = page.bars(50.0), page.bars(50.8)
    if fifty[2] - fifty[0] > 1:  # the band lies at the foot: 50 mm above 2 in
        assert fifty[1] < two_inches[1]
        assert fifty[1] > page.height - 18.0 - 1e-6
    else:
        assert fifty[0] < two_inches[0] < 18.0
    assert "print at 100 %" in page.text
    assert "page 1 of 1" in page.text
    assert "Hex 5 × 5" in page.text
    assert "for counters up to" in page.text
    left, top, right, bottom = ink_box(path)
    assert left >= 10.0 - 0.3
    assert top >= 10.0 - 0.3
    assert right <= page.width - 10.0 + 0.3
    assert bottom <= page.height - 10.0 + 0.3


def test_viewers_are_told_not_to_scale_and_fonts_are_embedded(tmp_path: Path) -> None:
    """P22, P85, P27."""
    about = catalogue_of(built("hex", tmp_path / "x.pdf", "--title", "Ångström ♠"))
    assert about["scaling"] == "/None"
    assert about["fonts"] == about["embedded"] > 0
    assert about["title"] == "Ångström ♠"
    assert about["bookmarks"] == ["Ångström ♠"]


@given(st.floats(20.0, 400.0), st.integers(0, 3), st.booleans())
def test_a_band_of_any_length_holds_what_it_must(length: float, notes: int, field: bool) -> None:
    space = spaces(options(paper=f"{length + 20:.3f}x100mm", orientation="auto").common)
    for way in space:
        words = Words(
            "Lightning tiles 2/4 BACK, flip on the long edge",
            ("page 3 of 8", "print at 100 %", "88 tiles", "fold, glue, cut")[: notes + 1],
            ("Date",) if field else (),
        )
        if way.band_length < 40.0:
            continue  # so short that an error is an answer too
        band = paint_band(way, words, theme("colour"), load())
        bars = sorted(
            w for item in band.items
            if isinstance(item, Polygon)
            and (w := item.points[1][0] - item.points[0][0]) > 10.0
        )  # fmt: skip
        assert bars == pytest.approx([50.0, 50.8] if way.band_length >= 51.0 else [20.0])
        for item in band.items:
            if hasattr(item, "text"):
                left, top, right, bottom = load().text_box(item)
                assert left >= -0.3
                assert right <= way.band_length + 1e-6
                assert top >= -0.01
                assert bottom <= 8.01


def test_150_tiles_make_two_sheets(tmp_path: Path) -> None:
    sheet = laid(tiles(23.0, 23.0, 150, front=dark(20.0, 20.0)))
    path = written(sheet, tmp_path / "x.pdf")
    first, second = measure(path)
    assert (first.width, first.height) == pytest.approx((210.0, 297.0), abs=1e-3)
    for page, count in ((first, 88), (second, 62)):
        faces = [b for b in page.boxes if abs(b[2] - b[0] - 20.0) < 1e-3]
        assert len(faces) == count
        assert f"{count} tiles" in page.text
    assert "Tiles 1/2" in first.text
    assert "page 2 of 2" in second.text
    assert "88 fill a sheet, 150 in all" in second.text


@pytest.mark.parametrize("marks", ["none", "edge", "cross", "full"])
def test_marks_are_what_was_asked(marks: str, tmp_path: Path) -> None:
    """P43, P44, P62."""
    sheet = laid(tiles(40.0, 40.0, 12, front=dark(40.0, 40.0)), marks=marks, gutter="4mm")
    page = next(iter(sheet.document.pages()))
    lines = [item for item in page.scene.items if type(item).__name__ == "Lines"]
    assert bool(lines) == (marks != "none")
    board = next(iter(laid(Job("B", (fixed("B", Scene(50, 50, ())),))).document.pages()))
    assert [i for i in board.scene.items if type(i).__name__ == "Lines"] == []


def test_a_board_has_marks_only_where_they_are_asked_for() -> None:
    whole = Job("Mat", (fixed("Mat", Scene(190.0, 269.0, dark(1.0, 1.0))),))
    (page,) = laid(whole).document.pages()
    assert len(page.scene.items) == 2
    with pytest.raises(FitError, match="184 mm × 263 mm"):
        laid(whole, marks="edge")
    smaller = Job("Mat", (fixed("Mat", Scene(184.0, 263.0, ())),))
    (page,) = laid(smaller, marks="edge").document.pages()
    assert len(page.scene.items) == 3


def test_copies() -> None:
    assert len(laid(tiles(23.0, 23.0, 30), copies=3).names) == 2
    board = Job("Mat", (fixed("Mat", Scene(50.0, 50.0, ())),))
    assert len(laid(board, copies=3).names) == 3


def test_scales_act_on_everything_about_the_centre(tmp_path: Path) -> None:
    """P32, P33: the check bars show the compensation."""
    words = ["--scale-x", "1.01", "--scale-y", "0.99", "--size", "5"]
    (page,) = measure(built("hex", tmp_path / "x.pdf", *words))
    (plain,) = measure(built("hex", tmp_path / "y.pdf", "--size", "5"))
    (before,) = plain.bars(50.0)
    across = before[2] - before[0] > 1.0
    (after,) = page.bars(50.0 * (1.01 if across else 0.99))
    middle = (plain.width / 2, plain.height / 2)
    for k, scale in ((0, 1.01), (1, 0.99)):
        assert after[k] - middle[k] == pytest.approx((before[k] - middle[k]) * scale, abs=2e-3)


@given(
    n=st.integers(2, 30), cell=st.one_of(st.none(), st.floats(3.0, 60.0)),
    paper=st.sampled_from(["a4", "letter", "a3", "100x148mm", "80x70mm"]),
    margin=st.sampled_from(["10", "5,8,12,20", "2"]),
    style=st.sampled_from(["hexagons", "circles", "points"]),
    turn=st.sampled_from(["pointy", "flat"]), stones=st.booleans(),
    marks=st.sampled_from(["none", "full"]),
)  # fmt: skip
@settings(max_examples=20)
def test_any_options_give_a_correct_sheet_or_an_error_whose_size_builds(
    n: int, cell: float | None, paper: str, margin: str, style: str, turn: str, stones: bool,
    marks: str,
) -> None:  # fmt: skip
    given_ = {"size": n, "paper": paper, "margin": margin, "style": style, "turn": turn,
              "stones": stones, "marks": marks}  # fmt: skip

    def sheets(size: float | None) -> Laid:
        chosen = options("hex", **given_, **({} if size is None else {"cell_size": size}))
        job = component("hex").build(chosen, theme("colour"), load())
        return lay_out(job, chosen.common, theme("colour"), load())

    try:
        found = sheets(cell)
    except FitError as error:
        if error.largest is None:  # the stones have no size that could be named for the board
            return
        found = sheets(error.largest)
        with pytest.raises(FitError):
            sheets(round(error.largest + 0.1, 1))
    top, right, bottom, left = options(margin=margin).common.margin
    for page in found.document.pages():
        box = extent(page.scene.items, page.scene.symbols)
        assert box[0] >= left - 0.02
        assert box[1] >= top - 0.02
        assert box[2] <= page.scene.width - right + 0.02
        assert box[3] <= page.scene.height - bottom + 0.02
