"""hex: the drawn board measured, stones, notes, and the golden scene."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from pnp import colour, fonts, themes
from pnp.boards import rhombus
from pnp.errors import FitError
from pnp.games import component
from pnp.geometry import distance
from pnp.paint.boards import counter_size, hex_board_size, paint_hex_board
from pnp.paint.stones import with_stones
from pnp.scene import Circle, Line, Lines, Polygon, Scene, Text, Use
from pnp.sheet.layout import lay_out
from tests.pnp.printed import built, extent, ink_box, measure, options

STYLES = ["hexagons", "circles", "points"]
GOLDEN = Path(__file__).parents[2] / "data" / "golden"


def painted(n: int = 5, cell: float = 12.0, **more: object) -> Scene:
    return paint_hex_board(n, cell, themes.load("colour"), **more).scene  # type: ignore[arg-type]


def edges(scene: Scene) -> list[tuple[tuple[float, float], ...]]:
    """Every stroked segment, ends in order, to a thousandth."""
    found = []
    for item in scene.items:
        if isinstance(item, Lines):
            found += [((a, b), (c, d)) for a, b, c, d in item.segments]
        elif isinstance(item, Polygon) and item.style.stroke:
            found += zip(item.points, [*item.points[1:], item.points[0]], strict=True)
    return [tuple(sorted((round(x, 3), round(y, 3)) for x, y in pair)) for pair in found]


@pytest.mark.parametrize("pointy", [True, False])
@pytest.mark.parametrize("n", [2, 5, 11])
def test_every_side_of_every_cell_is_stroked_once(n: int, pointy: bool) -> None:
    board = paint_hex_board(n, 12.0, themes.load("colour"), pointy=pointy)
    counts = Counter(edges(board.scene))
    plain = rhombus(n, pointy=pointy)
    dx, dy = (b - 12.0 * a for a, b in zip(plain.centres[0], board.centres[0], strict=True))
    sides = {
        tuple(sorted((round(x * 12.0 + dx, 3), round(y * 12.0 + dy, 3)) for x, y in pair))
        for outline in plain.outlines
        for pair in zip(outline, [*outline[1:], outline[0]], strict=True)
    }
    found = Counter(
        sum(counts[near] for near in counts if max(map(distance, near, side)) < 0.005)
        for side in sides
    )
    # two sides, at the obtuse corners, are drawn as two halves, for one is Red's and one Blue's
    assert found == {1: len(sides) - 2, 0: 2}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pointy", [True, False])
@pytest.mark.parametrize("labels", ["none", "two", "four"])
@pytest.mark.parametrize("n", [2, 9, 10, 13, 23, 30])
def test_the_picture_is_exactly_as_large_as_it_says(
    style: str, pointy: bool, labels: str, n: int
) -> None:
    width, height = hex_board_size(n, 8.0, labels=labels, pointy=pointy)  # type: ignore[arg-type]
    scene = painted(n, 8.0, labels=labels, style=style, pointy=pointy)
    assert (scene.width, scene.height) == pytest.approx((width, height))
    left, top, right, bottom = extent(scene.items, scene.symbols)
    assert left >= -0.01
    assert top >= -0.01
    assert right <= width + 0.01
    assert bottom <= height + 0.01
    if labels == "none":
        assert (left, top, right, bottom) == pytest.approx((0, 0, width, height), abs=0.3)


@pytest.mark.parametrize("pointy", [True, False])
def test_coordinates_stand_in_the_line_of_their_row_or_column_on_all_sides(pointy: bool) -> None:
    """hex-board: columns letters from the left, rows numbers from the top, a1 acute."""
    n = 11
    board = paint_hex_board(n, 12.0, themes.load("colour"), labels="four", pointy=pointy)
    texts = [item for item in board.scene.items if isinstance(item, Text)]
    assert Counter(t.text for t in texts) == Counter([*"abcdefghijk", *map(str, range(1, 12))] * 2)
    for text in texts:
        number = text.text.isdigit()
        k = int(text.text) - 1 if number else ord(text.text) - 97
        cells = [k * n + i if number else i * n + k for i in range(n)]
        first, last = board.centres[cells[0]], board.centres[cells[-1]]
        middle = (text.x, text.y - (0.365 if number else 0.265) * text.size)
        cross = (last[0] - first[0]) * (middle[1] - first[1]) - (last[1] - first[1]) * (
            middle[0] - first[0]
        )
        assert abs(cross) / distance(first, last) < 1e-6
        beyond = min(distance(middle, first), distance(middle, last))
        assert 12.0 * 0.8 < beyond < 12.0 * 1.6
    two = paint_hex_board(n, 12.0, themes.load("colour"), labels="two", pointy=pointy)
    assert sum(isinstance(item, Text) for item in two.scene.items) == 2 * n


@pytest.mark.parametrize("n", [2, 11, 26, 30])
@pytest.mark.parametrize("pointy", [True, False])
def test_coordinates_touch_neither_each_other_nor_the_board(n: int, pointy: bool) -> None:
    scene = painted(n, 6.0, labels="four", pointy=pointy)
    boxes = [fonts.load().text_box(i) for i in scene.items if isinstance(i, Text)]
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    outline = next(
        i for i in reversed(scene.items) if isinstance(i, Polygon) and i.style.stroke
    ).points
    for box in boxes:
        for x in (box[0], box[2]):
            for y in (box[1], box[3]):
                far = max(
                    ((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / distance((x0, y0), (x1, y1))
                    for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True)
                )
                assert far > 0.1


def test_cells_too_small_for_coordinates_have_none_and_the_sheet_says_so(tmp_path: Path) -> None:
    path = built("hex", tmp_path / "x.pdf", "--size", "30", "--cell-size", "2.4")
    (page,) = measure(path)
    assert "cells too small for coordinates" in page.text
    assert "ad" not in page.text
    assert not paint_hex_board(30, 2.4, themes.load("colour")).labelled


@pytest.mark.parametrize("name", themes.NAMES)
def test_the_edges_differ_by_pattern(name: str) -> None:
    theme = themes.load(name)
    red, blue = theme.area("red-edge"), theme.area("blue-edge")
    assert red.pattern != blue.pattern
    assert theme.area("red").pattern != theme.area("blue").pattern
    soft = colour.contrast(theme.colour("soft"), theme.colour("paper"))
    assert soft >= 4.5


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("paper", "orientation"), [("a4", "portrait"), ("letter", "landscape")])
def test_the_board_stands_in_the_middle_of_the_free_area(
    style: str, paper: str, orientation: str, tmp_path: Path
) -> None:
    words = ["--style", style, "--paper", paper, "--orientation", orientation, "--size", "6"]
    path = built("hex", tmp_path / "x.pdf", *words, "--no-labels", "--cell-size", "15")
    (page,) = measure(path)
    big = [b for b in page.boxes if b[2] - b[0] > 60 and b[3] - b[1] > 40]
    left, right = min(b[0] for b in big), max(b[2] for b in big)
    top, bottom = min(b[1] for b in big), max(b[3] for b in big)
    (bar,) = page.bars(50.0)
    at_foot = bar[2] - bar[0] > 1.0
    assert (left + right) / 2 == pytest.approx((page.width + (0 if at_foot else 8)) / 2, abs=0.02)
    assert (top + bottom) / 2 == pytest.approx((page.height - (8 if at_foot else 0)) / 2, abs=0.02)


def test_cells_have_exactly_the_size_asked_for(tmp_path: Path) -> None:
    """P58, P59: flat to flat, in the PDF, in inches as well."""
    for words, size in ((["--cell-size", "14.3"], 14.3), (["--cell-size", "0.5in"], 12.7)):
        path = built("hex", tmp_path / "x.pdf", "--size", "4", "--style", "circles", *words)
        (page,) = measure(path)
        holes = [b for b in page.boxes if abs((b[2] - b[0]) / (0.9 * size) - 1) < 1e-3]
        assert len(holes) == 16
        lefts = sorted({round(b[0], 2) for b in holes if b[1] < holes[0][1] + 0.1})
        assert lefts[1] - lefts[0] == pytest.approx(size, abs=0.02)


def test_the_largest_cell_is_taken_and_a_tenth_more_does_not_fit(tmp_path: Path) -> None:
    chosen = options("hex", size=11)
    job = component("hex").build(chosen, themes.load("colour"), fonts.load())
    page = next(
        iter(lay_out(job, chosen.common, themes.load("colour"), fonts.load()).document.pages())
    )
    note = next(
        t.text for g in page.scene.items if hasattr(g, "items") for t in g.items
        if isinstance(t, Text) and "cells" in t.text
    )  # fmt: skip
    size = float(note.split("cells ")[1].split(" mm")[0])
    assert hex_board_size(11, size, labels="four")[0] <= 277.0
    assert hex_board_size(11, size + 0.1, labels="four")[0] > 277.0


@pytest.mark.parametrize(("n", "each"), [(2, 2), (5, 13), (11, 61)])
def test_stones_are_half_the_cells_rounded_up_for_each_colour(
    n: int, each: int, tmp_path: Path
) -> None:
    chosen = options("hex", size=n, stones=True, cell_size=15)
    job = component("hex").build(chosen, themes.load("colour"), fonts.load())
    _, stones = list(
        lay_out(job, chosen.common, themes.load("colour"), fonts.load()).document.pages()
    )
    names = Counter(i.name.split("-")[-1] for i in stones.scene.items if isinstance(i, Use))
    assert names == {"red": each, "blue": each}
    path = built("hex", tmp_path / "x.pdf", "--size", str(n), "--stones", "--cell-size", "15")
    left, top, right, bottom = ink_box(path, 1)
    assert min(left, top) >= 9.8
    assert right <= 210.2
    assert bottom <= 297.0 - 9.8


@pytest.mark.parametrize("style", STYLES)
def test_counters_fit_their_cells(style: str) -> None:
    size = counter_size(15.3, style)  # type: ignore[arg-type]
    assert size == {"circles": 13.7}.get(style, 14.8)
    assert size < 15.3


def test_named_sizes() -> None:
    """print.md: 11, 13, 14, 15, 17 and 19 have names."""
    (size,) = [o for o in component("hex").options if o.name == "size"]
    assert {number for _, number in size.names} >= {11, 13, 14, 15, 17, 19}
    assert size.parse("nash") == 14
    assert size.default == 11


def test_a_board_to_split_has_its_stones_too(tmp_path: Path) -> None:
    words = ["--size", "5", "--cell-size", "40"]
    split = built("hex", tmp_path / "x.pdf", *words, "--split")
    both = built("hex", tmp_path / "y.pdf", *words, "--split", "--stones")
    assert len(measure(both)) > len(measure(split)) > 1
    chosen = options("hex", size=5, cell_size=40, stones=True)
    theme, font = themes.load("colour"), fonts.load()
    with pytest.raises(FitError, match="largest --cell-size"):
        lay_out(component("hex").build(chosen, theme, font), chosen.common, theme, font)


def test_stones_marks_and_chain_lie_on_their_cells() -> None:
    theme = themes.load("colour")
    board = paint_hex_board(5, 12.0, theme)
    stones = {0: "red", 6: "blue", 12: "red"}
    scene = with_stones(
        board, theme, stones, numbers={6: "17"}, last=12, chain=[0, 6, 12]  # type: ignore[arg-type]
    )  # fmt: skip
    placed = [i for i in scene.items if isinstance(i, Use)]
    assert [(i.name, (i.x, i.y)) for i in placed] == [
        (f"hex-{c}", board.centres[k]) for k, c in stones.items()
    ]
    assert any(isinstance(i, Circle) and (i.x, i.y) == board.centres[12] for i in scene.items)
    (number,) = [i for i in scene.items if isinstance(i, Text) and i.text == "17"]
    left, top, right, bottom = fonts.load().text_box(number)
    x, y = board.centres[6]
    assert (left + right) / 2 == pytest.approx(x, abs=0.02 * 12)
    assert (top + bottom) / 2 == pytest.approx(y, abs=0.02 * 12)
    (chain, _) = [i for i in scene.items if isinstance(i, Line)]
    assert chain.points == tuple(board.centres[k] for k in (0, 6, 12))
    assert with_stones(board, theme, {}) == board.scene


@pytest.mark.parametrize("style", STYLES)
def test_golden_scene(style: str) -> None:
    """The whole picture as data; PNP_UPDATE_GOLDEN=1 writes it anew, and the difference is to be
    read.
    """
    text = painted(3, 12.0, labels="four", style=style, pointy=style != "points").dump()
    path = GOLDEN / f"hex-{style}.txt"
    if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
