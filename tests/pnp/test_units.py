"""Lengths as people write them (P30: one unit conversion, tested)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.errors import PnpError
from pnp.units import format_mm, parse_length, to_pixels, to_points


@pytest.mark.parametrize(
    ("text", "mm"),
    [("8mm", 8.0), ("8", 8.0), (" .5 in ", 12.7), ('1"', 25.4), ("72pt", 25.4), ("1cm", 10.0),
     ("-2mm", -2.0), ("8.MM", 8.0)],
)  # fmt: skip
def test_lengths(text: str, mm: float) -> None:
    assert parse_length(text) == pytest.approx(mm, abs=1e-12)


@pytest.mark.parametrize(
    "text", ["", "mm", "8 px", "1e3", "nan", "inf", "8mm 2", "८mm", "1,5", "1e9mm"]
)
def test_what_is_no_length_is_refused_by_name(text: str) -> None:
    with pytest.raises(PnpError, match="8mm"):
        parse_length(text)


@pytest.mark.parametrize("text", ["0", "-1mm", "0.0in"])
def test_positive_refuses_zero_and_less(text: str) -> None:
    with pytest.raises(PnpError, match="more than zero"):
        parse_length(text, positive=True)


def test_far_too_long_is_refused() -> None:
    with pytest.raises(PnpError, match="100 metres"):
        parse_length("200000mm")


@given(st.floats(0.01, 9999.0))
def test_what_is_shown_reads_back(mm: float) -> None:
    assert parse_length(format_mm(mm)) == pytest.approx(mm, abs=0.005001)


def test_points_and_pixels() -> None:
    assert to_points(25.4) == pytest.approx(72.0, abs=1e-12)
    assert to_pixels(210.0, 300.0) == 2480
    assert to_pixels(297.0, 300.0) == round(297.0 / 25.4 * 300.0) == 3508
    assert math.isclose(to_points(210.0), 595.2755905511812)
