"""Polygons and hexagon coordinates: sizes are flat to flat (P59)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.geometry import (
    area,
    axial,
    bounds,
    distance,
    hexagon,
    midpoint,
    regular_polygon,
    rotate,
    shift,
)  # fmt: skip


@given(st.integers(3, 12), st.floats(0.1, 100.0), st.floats(0.0, 360.0))
def test_every_side_lies_at_the_inradius_and_runs_clockwise(
    sides: int, inradius: float, turn: float
) -> None:
    corners = regular_polygon(sides, inradius, (3.0, -2.0), turn)
    assert area(corners) == pytest.approx(sides * inradius**2 * math.tan(math.pi / sides))
    for k, corner in enumerate(corners):
        middle = midpoint(corner, corners[(k + 1) % sides])
        assert distance(middle, (3.0, -2.0)) == pytest.approx(inradius)


def test_hexagons_measure_flat_to_flat() -> None:
    left, top, right, bottom = bounds(hexagon(26.9875))
    assert right - left == pytest.approx(26.9875)
    assert bottom - top == pytest.approx(26.9875 * 2.0 / math.sqrt(3.0))
    left, top, right, bottom = bounds(hexagon(26.9875, pointy=False))
    assert bottom - top == pytest.approx(26.9875)


@pytest.mark.parametrize("pointy", [True, False])
def test_the_six_neighbours_lie_one_width_away(pointy: bool) -> None:
    for q, r in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
        assert distance(axial(q, r, 7.0, pointy=pointy), (0.0, 0.0)) == pytest.approx(7.0)


@given(st.floats(-360.0, 360.0))
def test_flat_top_is_pointy_top_turned(turn: float) -> None:
    point = (3.0, 4.0)
    assert distance(rotate([point], turn)[0], (0.0, 0.0)) == pytest.approx(5.0)
    (x, y) = rotate([axial(2, 1, 5.0)], 30.0)[0]
    assert (x, y) == pytest.approx(axial(2, 1, 5.0, pointy=False))


def test_shift_and_bounds() -> None:
    assert shift([(1.0, 2.0)], 3.0, -1.0) == ((4.0, 1.0),)
    with pytest.raises(ValueError, match="empty"):
        bounds([])
