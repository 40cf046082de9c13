"""Margins, the band, the strip for marks; sizes that fit exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.errors import FitError
from pnp.sheet.space import largest_tenth, spaces
from tests.pnp.printed import options


def test_the_band_costs_8_mm_on_either_side() -> None:
    found = {(s.paper.width, s.side): s.free for s in spaces(options().common)}
    assert found == {
        (210.0, "bottom"): (10.0, 10.0, 200.0, 279.0),
        (210.0, "left"): (18.0, 10.0, 200.0, 287.0),
        (297.0, "bottom"): (10.0, 10.0, 287.0, 192.0),
        (297.0, "left"): (18.0, 10.0, 287.0, 200.0),
    }


def test_four_margins_are_top_right_bottom_left_as_one_looks_at_the_sheet() -> None:
    """P42: a margin for each side."""
    common = options(margin="1,2,3,4").common
    assert {s.inner for s in spaces(common)} == {(4.0, 1.0, 208.0, 294.0), (4.0, 1.0, 295.0, 207.0)}


def test_duplex_margins_are_equal_across_the_flip_axis() -> None:
    """P7: margins act on both sides."""
    common = options(margin="1,2,3,4", backs="duplex-long").common
    inner = {s.paper.width: s.inner for s in spaces(common, duplex=True)}
    assert inner == {210.0: (4.0, 1.0, 206.0, 294.0), 297.0: (4.0, 3.0, 295.0, 207.0)}


@pytest.mark.parametrize(("orientation", "width"), [("portrait", 210.0), ("landscape", 297.0)])
def test_an_orientation_that_is_said_holds(orientation: str, width: float) -> None:
    assert {s.paper.width for s in spaces(options(orientation=orientation).common)} == {width}


def test_nothing_left_is_said() -> None:
    with pytest.raises(FitError, match="margin"):
        spaces(options(paper="60x60mm", margin="30").common)


@given(st.floats(0.05, 500.0), st.floats(0.1, 400.0))
def test_the_named_size_fits_and_the_next_tenth_does_not(limit: float, upper: float) -> None:
    found = largest_tenth(lambda size: size <= limit, upper)
    assert found <= limit
    assert found <= upper + 1e-6
    assert found + 0.1 > min(limit, upper) - 1e-9
