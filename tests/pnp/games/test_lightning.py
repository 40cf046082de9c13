"""lightning: board, tiles, mat and cards, measured as drawn."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pdfplumber
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import fonts, themes
from pnp.document import Page
from pnp.errors import FitError, PnpError
from pnp.games import component
from pnp.paint import lightning, lightning_mats, tiles
from pnp.scene import Circle, Curve, Group, Item, Line, Lines, Polygon, Scene, Text, Use
from pnp.sheet.job import Drawing, Job, Pieces
from pnp.sheet.layout import lay_out
from tests.pnp.games.tile_pictures import SCALE, patch, pieces_of_ink, run
from tests.pnp.printed import MM, built, extent, ink_box, measure, options

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
KINDS = ("I", "II", "III", "IV", "V")
TILES = {"board": False, "mats": False, "card": False}


def job(**given: object) -> Job:
    chosen = options("lightning", **given)
    return component("lightning").build(chosen, themes.load(chosen.common.theme), fonts.load())


def pages(**given: object) -> list[Page]:
    chosen = options("lightning", **given)
    theme = themes.load(chosen.common.theme)
    return list(lay_out(job(**given), chosen.common, theme, fonts.load()).document.pages())


def part(title: str, **given: object) -> Pieces:
    (found,) = (p for p in job(**given).parts if p.title == title)
    assert isinstance(found, Pieces)
    return found


def flat(items: tuple[Item, ...], symbols: dict[str, tuple[Item, ...]]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group):
            yield from flat(item.items, symbols)
        elif isinstance(item, Use):
            yield from flat(symbols[item.name], symbols)
        else:
            yield item


# The board


@pytest.mark.parametrize("section", [0, 1])
def test_a_section_is_8_by_17_cells_of_23_4_mm_with_its_labels(section: int) -> None:
    board = lightning.paint_lightning_section(section, 23.4, themes.load("colour"))
    (grid,) = (i for i in board.scene.items if isinstance(i, Lines) and len(i.segments) == 16 + 7)
    across = sorted({s[0] for s in grid.segments if s[0] == s[2]})
    down = sorted({s[1] for s in grid.segments if s[1] == s[3]})
    assert all(b - a == pytest.approx(23.4) for a, b in pairwise(across))
    assert all(b - a == pytest.approx(23.4) for a, b in pairwise(down))
    texts = {i.text: i for i in board.scene.items if isinstance(i, Text)}
    letters = "ijklmnop" if section else "abcdefgh"
    assert set(texts) == {f"{letter}{row}" for letter in letters for row in range(1, 18)}
    near = texts[f"{letters[0]}1"]
    far = texts[f"{letters[7]}17"]
    assert near.x < far.x
    assert near.y > far.y
    for column, letter in enumerate(letters):
        for row in range(17):
            x, y = board.centres[column, row]
            left, top, right, bottom = fonts.load().text_box(texts[f"{letter}{row + 1}"])
            assert abs((left + right) / 2 - x) < 0.02 * 23.4
            assert abs((top + bottom) / 2 - y) < 0.02 * 23.4


def test_points_of_the_board_are_where_cells_say() -> None:
    board = lightning.paint_lightning_section(0, 10.0, themes.load("colour"))
    for (column, row), (x, y) in board.centres.items():
        for number, (dx, dy) in enumerate(lightning.POINTS):
            at = board.point(2 * column + 1 + 2 * dx, 2 * row + 1 - 2 * dy)
            assert at == pytest.approx((x + 10 * dx, y + 10 * dy)), number


def test_on_a3_each_section_is_one_page(tmp_path: Path) -> None:
    path = built("lightning", tmp_path / "x.pdf", "--paper", "a3", "--no-tiles", "--no-mats",
                 "--no-card")  # fmt: skip
    first, second = measure(path)
    for page, letters, owner in ((first, "a–h", "first"), (second, "i–p", "second")):
        assert sorted((page.width, page.height)) == pytest.approx([297.0, 420.0], abs=1e-3)
        assert letters in page.text
        assert f"{owner} player" in page.text
        assert "cells 23.4 mm" in page.text
    for page in (0, 1):
        left, top, right, bottom = ink_box(path, page)
        assert left >= 10.0 - 0.2
        assert top >= 10.0 - 0.2
        assert right <= 287.0 + 0.2
        assert bottom <= 410.0 + 0.2


def ends(section: int, theme: themes.Theme) -> tuple[Item, ...]:
    """What is drawn between the ground of a section and its grid: the strips at both ends."""
    items = lightning.paint_lightning_section(section, 23.4, theme).scene.items
    grid = next(k for k, i in enumerate(items) if isinstance(i, Lines) and len(i.segments) == 23)
    return items[1:grid]


def test_both_ends_of_a_section_carry_their_owners_pattern() -> None:
    for name in themes.NAMES:
        theme = themes.load(name)
        solid, hatched = (ends(k, theme) for k in (0, 1))
        assert len([i for i in solid if isinstance(i, Polygon) and i.style.fill]) == 2
        assert len([i for i in hatched if isinstance(i, Lines)]) == 2  # hatched without colour too
        assert not [i for i in solid if isinstance(i, Lines)]
        assert extent(solid, {}) == pytest.approx(extent(hatched, {}))


def test_the_joints_of_a_section_fall_on_cell_edges() -> None:
    (board, _) = (p for p in job(tiles=False, mats=False, card=False).parts)
    assert isinstance(board, Drawing)
    assert board.always_split
    assert board.joints is not None
    joints = board.joints(23.0)
    (grid,) = (
        i for i in board.paint(23.0).items if isinstance(i, Lines) and len(i.segments) == 16 + 7
    )
    assert sorted(joints.columns) == pytest.approx(
        sorted(s[0] for s in grid.segments if s[0] == s[2])
    )
    assert sorted(joints.rows) == pytest.approx(sorted(s[1] for s in grid.segments if s[1] == s[3]))


# The tiles


def test_150_tiles_are_88_and_62_on_two_sheets_of_a4(tmp_path: Path) -> None:
    path = built("lightning", tmp_path / "x.pdf", "--no-board", "--no-mats", "--no-card")
    first, second = measure(path)
    assert "Lightning tiles 1/2" in first.text
    assert "88 tiles" in first.text
    assert "62 tiles" in second.text
    assert "30 of each" in first.text


def laid(sheets: list[Page]) -> Counter[str]:
    found: Counter[str] = Counter()
    for page in sheets:
        found.update(i.name.partition("-")[2] for i in page.scene.items if isinstance(i, Use))
    return found


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
    (ink,) = pieces_of_ink(picture)
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


# Sizes


def sizes(**given: object) -> tuple[float, float]:
    """The cell as it is drawn, and the tile."""
    found = job(**given).parts[0]
    assert isinstance(found, Drawing)
    (grid,) = (
        i
        for i in found.paint(found.size or 0.0).items
        if isinstance(i, Lines) and len(i.segments) == 16 + 7
    )
    xs = sorted(s[0] for s in grid.segments if s[0] == s[2])
    return round(xs[1] - xs[0], 6), part("Lightning tiles", **given).size or 0.0


def test_cells_follow_tiles_and_tiles_cells() -> None:
    assert sizes() == (23.4, 23.0)
    assert sizes(tile_size=20) == pytest.approx((20.4, 20.0))
    assert sizes(cell_size=20) == pytest.approx((20.0, 19.6))
    assert sizes(cell_size=30) == (30.0, 23.0)
    with pytest.raises(PnpError, match="tiles of 25 mm do not lie on cells of 24 mm"):
        job(tile_size=25, cell_size=24)
    assert job(tile_size=25, cell_size=24, board=False).parts
    with pytest.raises(PnpError, match="--line-width 9 mm is too wide for tiles of 23 mm"):
        job(line_width=9)


# Mat and cards


def test_the_mat_has_a_place_for_each_kind_and_for_the_stock() -> None:
    mat = lightning_mats.paint_mat(23.0, 150, themes.load("colour"))
    slots = [
        i for i in mat.items
        if isinstance(i, Polygon) and i.points[1][0] - i.points[0][0] == pytest.approx(26.0)
    ]  # fmt: skip
    assert len(slots) == 5 + 15
    texts = [i.text for i in mat.items if isinstance(i, Text)]
    assert set(KINDS) <= set(texts)
    assert "face down, 10 to a pile" in texts
    left, top, right, bottom = extent(mat.items, {})
    assert 0 <= left < right <= mat.width
    assert 0 <= top < bottom <= mat.height
    assert (mat.width, mat.height) == lightning_mats.mat_size(23.0)


@pytest.mark.parametrize("theme", themes.NAMES)
def test_the_reference_card_is_filled_and_nothing_hangs_over(theme: str) -> None:
    card = lightning_mats.reference_card(themes.load(theme), fonts.load())
    width, height = lightning_mats.CARD
    left, top, right, bottom = extent(card, {})
    assert -width / 2 + 4 < left < -width / 2 + 7
    assert width / 2 - 8 < right < width / 2 - 3
    assert -height / 2 + 4 < top
    assert height / 2 - 16 < bottom < height / 2 - 4
    texts = [i for i in flat(card, {}) if isinstance(i, Text)]
    boxes = [fonts.load().text_box(t) for t in texts]
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 0.1 or b[3] <= a[1] + 0.1
    said = " ".join(t.text for t in texts)
    for word in (*KINDS, "Pool".lower(), "pile", "row 1", "III@d1:s-ne", "pass"):
        assert word in said


def test_two_cards_on_a_sheet() -> None:
    (page,) = pages(board=False, tiles=False, mats=False)
    assert len([i for i in page.scene.items if isinstance(i, Use)]) == 2


# All of it


@given(
    tile=st.floats(8.0, 60.0), each=st.integers(0, 40), paper=st.sampled_from(["a4", "letter", "90x120mm"]),
    theme=st.sampled_from(themes.NAMES), coloured=st.booleans(), nodes=st.booleans(),
    backs=st.sampled_from(["none", "duplex-long", "duplex-short", "fold", "separate"]),
    bleed=st.sampled_from([0.0, 1.5]), marks=st.sampled_from(["none", "edge", "cross", "full"]),
    labels=st.booleans(),
)  # fmt: skip
@settings(max_examples=15)
def test_any_options_give_correct_tiles_or_an_error_whose_size_builds(
    tile: float, each: int, paper: str, bleed: float, **more: object
) -> None:
    given_ = {**TILES, "each": each, "paper": paper, "bleed": bleed, "gutter": 2 * bleed, **more}
    try:
        sheets = pages(tile_size=tile, **given_)
    except FitError as error:
        largest = error.largest or 0.0
        sheets = pages(tile_size=largest, **given_)
        with pytest.raises(FitError):
            pages(tile_size=round(largest + 0.1, 1), **given_)
    except PnpError:
        assert each == 0
        return
    found = laid(sheets)
    assert {kind: found[kind] for kind in KINDS} == dict.fromkeys(KINDS, each)
    for page in sheets:
        outline = lightning.square(1.0)
        for use in (i for i in page.scene.items if isinstance(i, Use)):
            (clip,) = (i for i in page.scene.symbols[use.name] if isinstance(i, Group))
            reach = max(abs(v) for p in clip.clip or outline for v in p)
            assert use.x - reach >= 10.0 - 1e-6
            assert use.x + reach <= page.scene.width - 10.0 + 1e-6
            assert use.y - reach >= 10.0 - 1e-6
            assert use.y + reach <= page.scene.height - 10.0 + 1e-6


def test_golden_scenes() -> None:
    """The whole pictures as data; PNP_UPDATE_GOLDEN=1 writes them anew, and the difference is to be
    read.
    """
    theme = themes.load("colour")
    faces = tuple(
        Group(piece.front, dx=25.0 * k, title=piece.name)
        for k, piece in enumerate(part("Lightning tiles", nodes=True, coloured=True).pieces)
    )
    scenes = {
        "lightning-section": lightning.paint_lightning_section(1, 23.4, theme).scene,
        "lightning-mat": lightning_mats.paint_mat(23.0, 150, theme),
        "lightning-tiles": Scene(125.0, 23.0, faces),
    }
    for name, scene in scenes.items():
        text, path = scene.dump(), GOLDEN / f"{name}.txt"
        if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")


def test_the_tiles_of_diagrams_are_the_printed_ones_with_an_outline() -> None:
    theme = themes.load("colour")
    for kind, ends in lightning.SAMPLES.items():
        group, border = lightning.tile(*ends, 23.0, theme)
        assert isinstance(group, Group)
        assert isinstance(border, Polygon)
        printed = part("Lightning tiles", labels=False).pieces[KINDS.index(kind)].front
        assert group.items == printed
        assert not any(isinstance(i, Curve) for i in printed)
