"""lightning: the tiles as drawn and as laid on sheets."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pdfplumber
import pytest

from pnp import fonts, themes
from pnp.errors import PnpError
from pnp.paint import lightning, tiles
from pnp.scene import Circle, Line, Lines, Polygon, Text
from tests.pnp.games.lightning_jobs import KINDS, TILES, job, laid, pages, part
from tests.pnp.games.tile_pictures import SCALE, patch, pieces_of_ink, run
from tests.pnp.printed import MM, built, extent, measure


def test_150_tiles_are_88_and_62_on_two_sheets_of_a4(tmp_path: Path) -> None:
    path = built("lightning", tmp_path / "x.pdf", "--no-board", "--no-mats", "--no-card")
    first, second = measure(path)
    assert "Lightning tiles 1/2" in first.text
    assert "88 tiles" in first.text
    assert "62 tiles" in second.text
    assert "30 of each" in first.text


def test_thirty_of_each_kind_or_any_numbers() -> None:
    assert laid(pages(**TILES)) == dict.fromkeys(KINDS, 30)
    assert laid(pages(**TILES, count="III=20,V=0")) == {"I": 30, "II": 30, "III": 20, "IV": 30}
    assert laid(pages(**TILES, each=0, count="iii=3")) == {"III": 3}
    with pytest.raises(PnpError, match="nothing is left to print"):
        job(**TILES, each=0)
    with pytest.raises(PnpError, match="'VI' is none of I, II, III, IV, V"):
        job(count="VI=3")


@pytest.mark.parametrize("kind", KINDS)
def test_a_tile_is_a_black_mark_2_mm_wide_on_white_without_a_frame(kind: str) -> None:
    face = part("Lightning tiles").pieces[KINDS.index(kind)].front
    (line,) = (i for i in face if isinstance(i, Line))
    assert line.style.width == 2.0
    assert line.style.stroke == "#111418"
    assert len(line.points) == (3 if kind == "V" else 2)
    (ground,) = (i for i in face if isinstance(i, Polygon))
    assert ground.style.fill == "#ffffff"
    assert ground.style.stroke is None
    (code,) = (i for i in face if isinstance(i, Text))
    assert code.text == kind


def drawn_lines(path: Path, page: int) -> list[tuple[tuple[float, float], ...]]:
    """The strokes 2 mm wide on a page, their points in mm."""
    with pdfplumber.open(path) as document:
        sheet = document.pages[page]
        return [
            tuple((x * MM, y * MM) for x, y in item["pts"])
            for item in (*sheet.lines, *sheet.curves)
            if item["stroke"] and abs(item["linewidth"] * MM - 2.0) < 1e-3
        ]


def test_centre_lines_in_the_pdf_pass_their_points_to_a_hundredth(tmp_path: Path) -> None:
    path = built("lightning", tmp_path / "x.pdf", "--no-board", "--no-mats", "--no-card",
                 "--each", "1", "--no-labels")  # fmt: skip
    lines = drawn_lines(path, 0)
    assert len(lines) == 5
    # five tiles in a row, centred on the sheet
    found = set()
    for line in lines:
        for at, end in ((line[0], line[1]), (line[-1], line[-2])):
            touched = [
                (number, point)
                for number in range(5)
                for point, (dx, dy) in enumerate(lightning.POINTS)
                if off_line(spot(number, dx, dy), at, end) < 0.01
            ]
            found |= {pair for pair in touched if beyond(spot(*placed(pair)), at, end)}
    wanted = {(number, p) for number, kind in enumerate(KINDS) for p in lightning.SAMPLES[kind]}
    assert wanted <= found


def placed(pair: tuple[int, int]) -> tuple[int, float, float]:
    return (pair[0], *lightning.POINTS[pair[1]])


def spot(number: int, dx: float, dy: float) -> tuple[float, float]:
    """A point of the n-th of five tiles, where the sheet centres a row of eight."""
    return (105.0 + (number - 3.5 + dx) * 23.0, (10.0 + 3.0 + 276.0) / 2.0 + (dy - 5.0) * 23.0)


def off_line(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    return abs((p[0] - a[0]) * (b[1] - a[1]) - (p[1] - a[1]) * (b[0] - a[0])) / length


def beyond(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether the end `a` lies a little beyond the point `p` on the way out from `b`."""
    past = ((a[0] - p[0]) ** 2 + (a[1] - p[1]) ** 2) ** 0.5
    towards = (p[0] - b[0]) * (a[0] - p[0]) + (p[1] - b[1]) * (a[1] - p[1])
    return 0.0 < past < 3.0 and towards > 0


CHAIN = [((0, 0), (5, 1)), ((1, 1), (5, 0)), ((1, 2), (4, 1)), ((2, 3), (5, 3)), ((3, 2), (7, 2))]
"""Cells (column, row from the near end) with entry and exit: twice on across a corner."""


def test_lines_of_neighbouring_tiles_meet_also_diagonally_pixel_by_pixel() -> None:
    size = 23.0
    look = tiles.Look(codes=False)
    outline = lightning.square(size)
    theme = themes.load("colour")
    laid_ = [
        (
            tiles.face(lightning.mark(*ends), outline, look, theme, kind="I"),
            outline,
            ((column + 0.5) * size, (3.5 - row) * size),
        )
        for (column, row), ends in CHAIN
    ]
    picture = patch(laid_, 4 * size, 4 * size)
    (strokes,) = pieces_of_ink(picture)
    ink = [(px, stroke.y) for stroke in strokes for px in range(stroke.first, stroke.end)]
    for x, y in ((0.0, 4 * size), (4 * size, 1.5 * size)):  # where the line begins and ends
        assert min((px / SCALE - x) ** 2 + (py / SCALE - y) ** 2 for px, py in ink) < 0.5**2


def test_where_two_straight_marks_meet_head_on_the_line_is_2_mm_wide() -> None:
    outline = lightning.square(23.0)
    face = tiles.face(lightning.kind_mark("I"), outline, tiles.Look(codes=False),
                      themes.load("colour"), kind="I")  # fmt: skip
    picture = patch([(face, outline, (11.5, 11.5)), (face, outline, (11.5, 34.5))], 23.0, 46.0)
    for y in (100, int(23 * SCALE) - 2, int(23 * SCALE) + 2):
        assert run(picture[y]) == pytest.approx(2.0, abs=1.5 / SCALE)


@pytest.mark.parametrize("theme", themes.NAMES)
def test_coloured_tiles_differ_by_more_than_colour(theme: str) -> None:
    pieces = part("Lightning tiles", coloured=True, theme=theme).pieces
    shapes = set()
    for piece in pieces:
        (line,) = (i for i in piece.front if isinstance(i, Line))
        (code,) = (i for i in piece.front if isinstance(i, Text))
        shapes.add((line.points, code.text))
    assert len(shapes) == 5


@pytest.mark.parametrize("size", ["12mm", "23mm", "40mm"])
@pytest.mark.parametrize("nodes", [False, True])
def test_codes_are_clear_of_the_mark_and_inside_the_tile(size: str, nodes: bool) -> None:
    width = "1mm" if size == "12mm" else "2mm"
    tile = part("Lightning tiles", tile_size=size, nodes=nodes, line_width=width)
    half = (tile.size or 0.0) / 2.0
    for piece in tile.pieces:
        (code,) = (i for i in piece.front if isinstance(i, Text))
        left, top, right, bottom = fonts.load().text_box(code)
        assert -half + 0.99 <= left < right <= half - 0.99
        assert -half + 0.99 <= top < bottom <= half - 0.99
        (line,) = (i for i in piece.front if isinstance(i, Line))
        for a, b in pairwise(line.points):
            for k in range(101):
                x, y = (a[0] + (b[0] - a[0]) * k / 100, a[1] + (b[1] - a[1]) * k / 100)
                away = max(left - x, x - right, top - y, y - bottom)
                assert away > line.style.width / 2.0 * 0.7


def test_labels_off_leaves_codes_out() -> None:
    for piece in part("Lightning tiles", labels=False).pieces:
        assert not [i for i in piece.front if isinstance(i, Text)]


def test_nodes_are_1_6_times_the_line_at_both_ends() -> None:
    for piece in part("Lightning tiles", nodes=True, line_width="3mm").pieces:
        dots = [i for i in piece.front if isinstance(i, Circle)]
        assert [dot.r * 2 for dot in dots] == pytest.approx([4.8, 4.8])
        ends = {(round(dx * 23, 6), round(dy * 23, 6)) for dx, dy in (
            lightning.POINTS[p] for p in lightning.SAMPLES[piece.name])}  # fmt: skip
        assert {(round(d.x, 6), round(d.y, 6)) for d in dots} == ends


def test_backs_are_patterned_or_plain_and_the_same_behind_every_tile() -> None:
    patterned = part("Lightning tiles").pieces
    plain = part("Lightning tiles", back_style="plain").pieces
    assert len({piece.back for piece in patterned}) == len({piece.back for piece in plain}) == 1
    assert any(isinstance(i, Lines) for i in patterned[0].back or ())
    assert [type(i) for i in plain[0].back or ()] == [Polygon]


def test_a_patterned_back_looks_the_same_however_the_tile_is_turned() -> None:
    back = part("Lightning tiles").pieces[0].back or ()
    (lines,) = (i for i in back if isinstance(i, Lines))

    def ends(turn: bool) -> set[tuple[tuple[float, float], ...]]:
        return {
            tuple(sorted(
                (round(-y, 4) + 0.0, round(x, 4) + 0.0) if turn else
                (round(x, 4) + 0.0, round(y, 4) + 0.0)
                for x, y in ((a, b), (c, d))
            ))
            for a, b, c, d in lines.segments
        }  # fmt: skip

    assert ends(turn=False) == ends(turn=True)


def test_bleed_reaches_marks_and_grounds() -> None:
    tile = part("Lightning tiles", bleed=2, gutter=4, coloured=True)
    for piece in tile.pieces:
        left, top, right, bottom = extent(
            tuple(i for i in piece.front if isinstance(i, Polygon)), {}
        )
        assert (left, top, right, bottom) == pytest.approx((-13.5, -13.5, 13.5, 13.5))
        (line,) = (i for i in piece.front if isinstance(i, Line))
        for x, y in (line.points[0], line.points[-1]):
            assert max(abs(x), abs(y)) > 13.5
