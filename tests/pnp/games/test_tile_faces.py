"""Faces of tiles as drawn: centre lines, arcs, codes, nodes; tiles beside one another."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest

from pnp import fonts, themes
from pnp.backends import svg
from pnp.games.hex_lightning.sets import SHAPES, outline
from pnp.geometry import Point, distance
from pnp.paint import tiles
from pnp.scene import Circle, Curve, Group, Item, Line, Polygon, Scene, Text
from pnp.tiles import Mark, kinds, points, track, turned
from tests.pnp.games.tile_pictures import SCALE, Picture, patch, pieces_of_ink, run
from tests.tools.outlines import path_points

ALL = [(shape, kind) for shape, n in SHAPES.items() for kind in kinds(n)]


def drawn(shape: str, kind: str, **look: object) -> tuple[Item, ...]:
    corners = outline(shape, 25.0)  # type: ignore[arg-type]
    return tiles.face(
        kinds(SHAPES[shape])[kind],  # type: ignore[index]
        corners, tiles.Look(**look), themes.load("colour"), kind=kind, fonts=fonts.load(),  # type: ignore[arg-type]
    )  # fmt: skip


def centre_line(face: tuple[Item, ...]) -> list[Point]:
    """Points of the mark as the SVG draws it, in mm about the middle of the tile."""
    (mark,) = (i for i in face if isinstance(i, Line | Curve))
    text = svg.render(Scene(60.0, 60.0, (Group((mark,), dx=30.0, dy=30.0),)), fonts=fonts.load())
    moved = re.search(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", text)
    dx, dy = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
    drawn_path = re.search(r'<path[^>]* d="([^"]+)"', text)
    if drawn_path is not None:
        found = path_points(drawn_path[1])
    else:
        pairs = re.search(r'points="([^"]+)"', text)
        if pairs is None:
            ends = re.search(r'x1="([-\d.]+)" x2="([-\d.]+)" y1="([-\d.]+)" y2="([-\d.]+)"', text)
            assert ends is not None
            x1, x2, y1, y2 = (float(v) for v in ends.groups())
            found = [(x1, y1), (x2, y2)]
        else:
            numbers = [float(v) for v in re.split(r"[ ,]+", pairs[1].strip())]
            found = list(zip(numbers[::2], numbers[1::2], strict=True))
    return [(x + dx - 30.0, y + dy - 30.0) for x, y in found]


def to_line(p: Point, way: list[Point]) -> float:
    """How far a point lies from a line through points."""
    return min(
        math.hypot(p[0] - a[0] - t * (b[0] - a[0]), p[1] - a[1] - t * (b[1] - a[1]))
        for a, b in pairwise(way)
        for t in [
            max(0.0, min(1.0, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1]))
            / max((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2, 1e-12)))
        ]
    )  # fmt: skip


@pytest.mark.parametrize(("shape", "kind"), ALL)
@pytest.mark.parametrize("style", ["straight", "arc"])
def test_drawn_centre_lines_pass_both_points_to_a_hundredth_and_run_past_the_trim(
    shape: str, kind: str, style: str
) -> None:
    n = SHAPES[shape]  # type: ignore[index]
    corners = outline(shape, 25.0)  # type: ignore[arg-type]
    mark = kinds(n)[kind]
    way = centre_line(drawn(shape, kind, style=style))
    at = points(corners)
    for p in (mark.start, mark.end):
        assert to_line(at[p], way) < 0.01
    reach = [distance((0.0, 0.0), at[mark.start]), distance((0.0, 0.0), at[mark.end])]
    assert distance((0.0, 0.0), way[0]) > reach[0] + 0.5
    assert distance((0.0, 0.0), way[-1]) > reach[1] + 0.5
    for p in track(mark, corners, style).along(50):  # type: ignore[arg-type]
        assert to_line(p, way) < 0.02
    if mark.bent:
        assert to_line((0.0, 0.0), way) < 0.01


@pytest.mark.parametrize(("shape", "kind"), ALL)
def test_drawn_arcs_are_round_to_a_hundredth_and_square_to_sides(shape: str, kind: str) -> None:
    n = SHAPES[shape]  # type: ignore[index]
    corners = outline(shape, 25.0)  # type: ignore[arg-type]
    mark = kinds(n)[kind]
    line = track(mark, corners, "arc")
    way = centre_line(drawn(shape, kind, style="arc"))
    at = points(corners)
    if line.centre is None:
        assert len(way) == (3 if mark.bent else 2)
        return
    assert len(way) > 20
    for p in way[1:-1]:
        assert distance(p, line.centre) == pytest.approx(line.radius, abs=0.01)
    for number, first, second in ((mark.start, way[0], way[1]), (mark.end, way[-1], way[-2])):
        if number % 2:
            a, b = at[number - 1], at[(number + 1) % (2 * n)]
            along = (first[0] - second[0]) * (b[0] - a[0]) + (first[1] - second[1]) * (b[1] - a[1])
            cosine = along / distance(first, second) / distance(a, b)
            assert abs(90.0 - math.degrees(math.acos(cosine))) < 0.1


@pytest.mark.parametrize(("shape", "kind"), ALL)
@pytest.mark.parametrize("nodes", [False, True])
def test_codes_stand_clear_inside_the_tile(shape: str, kind: str, nodes: bool) -> None:
    corners = outline(shape, 40.0 if shape == "triangle" else 25.0)  # type: ignore[arg-type]
    mark = kinds(SHAPES[shape])[kind]  # type: ignore[index]
    for style in ("straight", "arc"):
        look = tiles.Look(style=style, nodes=nodes)  # type: ignore[arg-type]
        face = tiles.face(mark, corners, look, themes.load("colour"), kind=kind, fonts=fonts.load())
        (code,) = (i for i in face if isinstance(i, Text))
        left, top, right, bottom = fonts.load().text_box(code)
        for k, (x0, y0) in enumerate(corners):
            x1, y1 = corners[(k + 1) % len(corners)]
            side = distance((x0, y0), (x1, y1))
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
                assert ((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / side < -0.99
        for x, y in track(mark, corners, style).along(60):  # type: ignore[arg-type]
            away = math.hypot(max(left - x, x - right, 0.0), max(top - y, y - bottom, 0.0))
            assert away > 1.0 + 0.4


@pytest.mark.parametrize(("shape", "kind"), ALL)
def test_nodes_are_1_6_lines_wide_and_no_tile_has_a_frame(shape: str, kind: str) -> None:
    face = drawn(shape, kind, nodes=True, width=1.5)
    dots = [i for i in face if isinstance(i, Circle)]
    assert [dot.r for dot in dots] == pytest.approx([1.2, 1.2])
    mark = kinds(SHAPES[shape])[kind]  # type: ignore[index]
    at = points(outline(shape, 25.0))  # type: ignore[arg-type]
    for dot, p in zip(dots, (mark.start, mark.end), strict=True):
        assert (dot.x, dot.y) == pytest.approx(at[p])
    assert not [i for i in face if isinstance(i, Polygon) and i.style.stroke]


# Tiles beside one another


def neighbours(first: Mark, second: Mark, look: tiles.Look) -> tuple[Picture, float]:
    """Two hexagons, one above the other, side to side; ink, and the height of the joint in mm."""
    size = 25.0
    corners = tuple((-y, x) for x, y in outline("hexagon", size))  # a side above and a side below
    theme = themes.load("colour")
    middle = size / math.sqrt(3.0)
    laid_ = [
        (tiles.face(mark, corners, look, theme, kind="VV2"), corners, (middle, size / 2 + size * k))
        for k, mark in enumerate((first, second))
    ]
    return patch(laid_, 2 * middle, 2 * size), size


def ending(kind: str, point: int) -> Mark:
    """A turn of a kind that ends on a point of a hexagon."""
    mark = kinds(6)[kind]
    return next(t for k in range(6) if point in ((t := turned(mark, k)).start, t.end))


TOP, BOTTOM = 9, 3
"""Midpoints of a hexagon turned on its side, as numbered from its first corner."""


@pytest.mark.parametrize("style", ["straight", "arc"])
@pytest.mark.parametrize("above", ["MM1", "MM2", "MM3", "VM2L", "VM2R", "VM3L", "VM3R"])
@pytest.mark.parametrize("below", ["MM3", "MM1", "VM2R"])
def test_lines_of_neighbouring_hexagons_meet(style: str, above: str, below: str) -> None:
    look = tiles.Look(style=style, codes=False)  # type: ignore[arg-type]
    picture, _ = neighbours(ending(above, BOTTOM), ending(below, TOP), look)
    assert len(pieces_of_ink(picture)) == 1


def spans(above: str, below: str, look: tiles.Look) -> tuple[float, float]:
    """How wide the ink is just above and just below the joint, in mm."""
    picture, joint = neighbours(ending(above, BOTTOM), ending(below, TOP), look)
    row = round(joint * SCALE)
    return run(picture[row - 2]), run(picture[row + 2])


def test_arcs_meet_at_one_width_and_nodes_hide_the_widths_of_straight_marks() -> None:
    straight = spans("VM2R", "MM3", tiles.Look(codes=False))
    assert straight[0] - straight[1] > 0.6
    arcs = spans("VM2R", "MM3", tiles.Look(codes=False, style="arc"))
    assert abs(arcs[0] - arcs[1]) < 0.11
    nodes = spans("VM2R", "MM3", tiles.Look(codes=False, nodes=True))
    assert abs(nodes[0] - nodes[1]) < 0.16
    assert nodes[0] == pytest.approx(3.2, abs=0.15)
