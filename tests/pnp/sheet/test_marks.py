"""Crop marks stand outside every trim and every bleed, on the lines of the cuts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.geometry import Point, distance, hexagon, shift
from pnp.sheet.marks import WIDTH, Placed, crop_marks, cut_lines

SQUARE = ((0.0, 0.0), (23.0, 0.0), (23.0, 23.0), (0.0, 23.0))


def grid(columns: int, rows: int, gap: float, short: int = 0) -> list[tuple[Point, ...]]:
    spots = [(i * (23.0 + gap), k * (23.0 + gap)) for k in range(rows) for i in range(columns)]
    return [shift(SQUARE, *spot) for spot in spots[: len(spots) - short]]


def marks(
    outlines: list[tuple[Point, ...]], kind: str, bleed: float = 0.0
) -> list[tuple[Point, Point]]:
    return [
        ((a, b), (c, d))
        for lines in crop_marks([Placed(o) for o in outlines], kind, bleed)  # type: ignore[arg-type]
        for a, b, c, d in lines.segments
    ]


def away(point: Point, outline: tuple[Point, ...]) -> float:
    """How far a point lies outside a convex clockwise outline, negative inside."""
    far = -math.inf
    for k, (x0, y0) in enumerate(outline):
        x1, y1 = outline[(k + 1) % len(outline)]
        n = math.hypot(x1 - x0, y1 - y0)
        far = max(far, ((point[0] - x0) * (y1 - y0) - (point[1] - y0) * (x1 - x0)) / n)
    return far


@pytest.mark.parametrize("kind", ["edge", "cross", "full"])
@given(st.integers(1, 5), st.integers(1, 4), st.sampled_from([0.0, 1.5, 4.0, 9.0]),
       st.integers(0, 3), st.sampled_from([0.0, 0.7]))  # fmt: skip
def test_marks_lie_on_no_piece_and_within_3_mm(
    kind: str, columns: int, rows: int, gap: float, short: int, bleed: float
) -> None:
    """P24, P47, P48, P49: no mark on a piece or a bleed, none beyond the strip."""
    outlines = grid(columns, rows, gap, min(short, columns - 1))
    found = marks(outlines, kind, bleed)
    assert len(found) >= 4 * (2 if kind != "none" else 1)
    edge = max(p[0] for o in outlines for p in o), max(p[1] for o in outlines for p in o)
    for a, b in found:
        for t in (0.0, 0.25, 0.5, 0.75, 1.0):
            p = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
            assert min(away(p, o) for o in outlines) >= bleed + 0.5 - 1e-3
            assert -3.0 - bleed - 1e-3 <= p[0] <= edge[0] + 3.0 + bleed + 1e-3
            assert -3.0 - bleed - 1e-3 <= p[1] <= edge[1] + 3.0 + bleed + 1e-3


def test_every_cut_of_a_full_sheet_has_a_mark_at_both_ends() -> None:
    """P43, P53: 4 columns and 3 rows have 5 + 4 cuts."""
    found = marks(grid(4, 3, 0.0), "edge")
    assert len(found) == 2 * (5 + 4)
    upright = sorted(round(a[0], 6) for a, b in found if abs(a[0] - b[0]) < 1e-9)
    assert upright == sorted([0.0, 23.0, 46.0, 69.0, 92.0] * 2)


def test_gutters_have_marks_with_cross_and_full_only() -> None:
    assert len(marks(grid(2, 2, 4.0), "edge")) == 2 * (4 + 4)
    assert len(marks(grid(2, 2, 4.0), "cross")) > len(marks(grid(2, 2, 4.0), "edge"))
    lengths = [distance(a, b) for a, b in marks(grid(2, 2, 9.0), "full")]
    assert max(lengths) == pytest.approx(8.0, abs=1e-3)
    assert max(distance(a, b) for a, b in marks(grid(2, 2, 9.0), "cross")) < 2.6


def test_none_means_none() -> None:
    """P44, P62."""
    assert crop_marks(grid(2, 2, 0.0), "none") == ()
    assert crop_marks([], "edge") == ()


def test_marks_are_broad_enough() -> None:
    """P45."""
    assert WIDTH >= 0.15


def test_honeycomb_marks_lie_on_no_hexagon() -> None:
    outlines = [
        shift(hexagon(20.0), 20.0 * i + 10.0 * (k % 2), k * 10.0 * math.sqrt(3.0))
        for k in range(4) for i in range(4)
    ]  # fmt: skip
    found = marks(outlines, "edge")
    assert found
    for a, b in found:
        assert min(away(a, o) for o in outlines) > 0.3
        assert min(away(b, o) for o in outlines) > 0.3


def test_a_shared_edge_is_cut_once() -> None:
    (lines,) = cut_lines(grid(8, 11, 0.0))
    assert len(lines.segments) == 8 * 12 + 11 * 9
    (apart,) = cut_lines(grid(8, 11, 1.0))
    assert len(apart.segments) == 4 * 88
