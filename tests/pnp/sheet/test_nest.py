"""Nesting: yields against lattices counted in the plane, nothing overlaps, cuts are straight."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.geometry import Point, bounds, hexagon, regular_polygon, rotate, shift
from pnp.options import Nest
from pnp.sheet.block import Block
from pnp.sheet.job import Piece, Pieces
from pnp.sheet.marks import Placed, crop_marks, cut_lines
from pnp.sheet.nup import best_block
from pnp.sheet.pieces import lay_pieces
from tests.pnp.printed import options

ROOT3 = math.sqrt(3.0)
NESTS: tuple[Nest, ...] = ("knife", "straight", "boxes")


def hexagons(size: float) -> Pieces:
    return Pieces("Hexagons", hexagon(size), (Piece("h", ()),), size=size, shape="hexagon")


def triangles(side: float) -> Pieces:
    outline = regular_polygon(3, side / (2.0 * ROOT3))
    return Pieces("Triangles", outline, (Piece("t", ()),), size=side, shape="triangle")


def outlines(pieces: Pieces, block: Block) -> list[tuple[Point, ...]]:
    return [shift(rotate(pieces.outline, s.turn), s.x, s.y) for s in block.spots]


def lattice(nest: str, size: float, gap: float) -> tuple[Point, Point, Point]:
    """Two steps of a lattice of hexagons whose first has its middle at (0, 0), and half a box."""
    pitch, tall = size + gap, 2.0 * size / ROOT3
    if nest == "knife":  # on a corner
        return (pitch, 0.0), (pitch / 2, pitch * ROOT3 / 2), (size / 2, tall / 2)
    if nest == "straight":  # on a side; the row touches corner to corner
        across = 2.0 * pitch / ROOT3
        return (across, 0.0), (across / 2, pitch), (tall / 2, size / 2)
    return (size + gap, 0.0), (0.0, tall + gap), (size / 2, tall / 2)


def in_the_plane(nest: str, size: float, gap: float, width: float, height: float) -> int:
    """The most lattice points whose boxes lie in the area, over where the lattice may begin."""
    (ax, ay), (bx, by), half = lattice(nest, size, gap)
    best = 0
    for w, h in ((width, height), (height, width)):
        starts = [half, (half[0] - bx, half[1]), (half[0] + bx - ax, half[1])]
        for x0, y0 in starts:
            count, row = 0, 0
            while y0 + row * by + half[1] <= h + 1e-6:
                x = x0 + row * bx
                x -= math.floor((x - half[0] + 1e-6) / ax) * ax
                while x + half[0] <= w + 1e-6:
                    count, x = count + 1, x + ax
                row += 1
            assert ay == 0.0
            best = max(best, count)
    return best


@given(
    st.sampled_from(NESTS), st.integers(80, 900), st.integers(0, 40), st.integers(300, 4200),
    st.integers(300, 4200),
)  # fmt: skip
def test_hexagons_reach_the_best_lattice_of_their_nesting(
    nest: Nest, size: int, gap: int, width: int, height: int
) -> None:
    block = best_block(hexagons(size / 10), nest, gap / 10, width / 10, height / 10)
    assert len(block.spots) == in_the_plane(nest, size / 10, gap / 10, width / 10, height / 10)


@pytest.mark.parametrize("nest", NESTS)
@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "150x200mm"])
@pytest.mark.parametrize("size", [20.0, 25.0, 38.1])
def test_a_sheet_of_hexagons_holds_as_many_as_any_way_to_use_the_paper(
    nest: Nest, paper: str, size: float
) -> None:
    common = options(paper=paper, nest=nest).common
    best = max(
        in_the_plane(nest, size, 0.0, p.width - 26 - left, p.height - 26 - foot)
        for p in (common.paper, common.paper.turned())
        for left, foot in ((8, 0), (0, 8))
    )
    assert len(lay_pieces(hexagons(size), common).block.spots) == best


def triangle_rows(side: float, width: float, height: float) -> int:
    """Triangles one at a time, each half a side further; rows one at a time."""
    across = 0
    while side * (across + 2) / 2 <= width + 1e-6:
        across += 1
    down = 0
    while side * ROOT3 / 2 * (down + 1) <= height + 1e-6:
        down += 1
    return across * down


@given(st.sampled_from(["knife", "straight"]), st.integers(80, 900), st.integers(100, 4200),
       st.integers(100, 4200))  # fmt: skip
def test_triangles_reach_the_best_of_both_lattices(
    nest: Nest, side: int, width: int, height: int
) -> None:
    s, w, h = side / 10, width / 10, height / 10
    block = best_block(triangles(s), nest, 0.0, w, h)
    assert len(block.spots) == max(triangle_rows(s, w, h), triangle_rows(s, h, w))


@given(st.integers(80, 900), st.integers(0, 60), st.integers(100, 4200), st.integers(100, 4200))
def test_triangles_in_boxes(side: int, gap: int, width: int, height: int) -> None:
    s, g = side / 10, gap / 10
    block = best_block(triangles(s), "boxes", g, width / 10, height / 10)
    best = 0
    for w, h in ((width / 10, height / 10), (height / 10, width / 10)):
        across = math.floor((w + g) / (s + g) + 1e-7)
        down = math.floor((h + g) / (s * ROOT3 / 2 + g) + 1e-7)
        best = max(best, across * down)
    assert len(block.spots) == best


def between(a: tuple[Point, ...], b: tuple[Point, ...]) -> float:
    """The widest strip that parts two convex polygons, negative where they overlap."""
    far = -math.inf
    for polygon, other in ((a, b), (b, a)):
        for k, (x0, y0) in enumerate(polygon):
            x1, y1 = polygon[(k + 1) % len(polygon)]
            n = math.hypot(x1 - x0, y1 - y0)
            far = max(far, min(((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / n for x, y in other))
    return far


def apart(a: tuple[Point, ...], b: tuple[Point, ...]) -> float:
    """The distance of two convex polygons; negative where they overlap."""
    if between(a, b) < -1e-9:
        return between(a, b)
    return min(
        to_segment(p, side)
        for polygon, other in ((a, b), (b, a))
        for side in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
        for p in other
    )


def to_segment(p: Point, side: tuple[Point, Point]) -> float:
    (ax, ay), (bx, by) = side
    along = ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    along = max(0.0, min(1.0, along))
    return math.hypot(p[0] - ax - along * (bx - ax), p[1] - ay - along * (by - ay))


@pytest.mark.parametrize("nest", NESTS)
@pytest.mark.parametrize("gap", [0.0, 3.0])
@pytest.mark.parametrize("area", [(120.0, 90.0), (90.0, 120.0), (63.0, 300.0)])
@pytest.mark.parametrize("make", [triangles, hexagons])
def test_pieces_keep_the_gutter_and_stay_in_their_block(
    nest: Nest, gap: float, area: tuple[float, float], make: type[Pieces]
) -> None:
    pieces = make(21.0)  # type: ignore[call-arg, arg-type]
    block = best_block(pieces, nest, gap, *area)
    laid = outlines(pieces, block)
    assert len(laid) > 8
    for i, a in enumerate(laid):
        for b in laid[:i]:
            assert apart(a, b) >= gap - 1e-6
    left, top, right, bottom = bounds(p for outline in laid for p in outline)
    assert (left, top) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert (right, bottom) == pytest.approx((block.width, block.height), abs=1e-6)
    assert block.width <= area[0] + 1e-6
    assert block.height <= area[1] + 1e-6


def crossed(laid: list[tuple[Point, ...]]) -> Iterator[tuple[Point, Point]]:
    """Edges whose line runs through the inside of a piece."""
    for outline in laid:
        for k, (x0, y0) in enumerate(outline):
            x1, y1 = outline[(k + 1) % len(outline)]
            for other in laid:
                sides = [(x - x0) * (y1 - y0) - (y - y0) * (x1 - x0) for x, y in other]
                if min(sides) < -1e-6 and max(sides) > 1e-6:
                    yield (x0, y0), (x1, y1)


@pytest.mark.parametrize("gap", [0.0, 2.0])
@pytest.mark.parametrize("make", [triangles, hexagons])
def test_with_straight_every_cut_runs_across_the_sheet(gap: float, make: type[Pieces]) -> None:
    """P55, print.md: every cut is one straight line across the sheet."""
    pieces = make(25.0)  # type: ignore[call-arg, arg-type]
    for area in ((184.0, 120.0), (120.0, 184.0)):
        laid = outlines(pieces, best_block(pieces, "straight", gap, *area))
        assert len(laid) > 10
        assert not list(crossed(laid))


def test_a_straight_cut_through_a_honeycomb_would_cross_tiles() -> None:
    pieces = hexagons(25.0)
    assert list(crossed(outlines(pieces, best_block(pieces, "knife", 0.0, 184.0, 120.0))))


@pytest.mark.parametrize(("make", "shared"), [(hexagons, 6), (triangles, 3)])
def test_knife_cuts_each_shared_edge_once(make: type[Pieces], shared: int) -> None:
    pieces = make(25.0)  # type: ignore[call-arg, arg-type]
    laid = outlines(pieces, best_block(pieces, "knife", 0.0, 184.0, 263.0))
    touching = sum(
        abs(between(a, b)) < 1e-6 and sum(math.dist(p, q) < 1e-6 for p in a for q in b) == 2
        for i, a in enumerate(laid)
        for b in laid[:i]
    )
    (lines,) = cut_lines(laid)
    assert len(lines.segments) == shared * len(laid) - touching
    assert touching > len(laid)


@pytest.mark.parametrize("nest", NESTS)
def test_marks_of_triangles_lie_on_no_triangle(nest: Nest) -> None:
    pieces = triangles(30.0)
    laid = outlines(pieces, best_block(pieces, nest, 0.0, 184.0, 120.0))
    (lines,) = crop_marks([Placed(o) for o in laid], "edge")
    for x0, y0, x1, y1 in lines.segments:
        for outline in laid:
            away = between(((x0, y0), (x1, y1), (x0, y0 + 1e-9)), outline)
            assert away > 0.3
