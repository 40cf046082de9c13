"""Colour sums against published figures: CIEDE2000's test pairs, sRGB, Machado's matrices, WCAG."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp import colour
from pnp.errors import PnpError

# L1 a1 b1, L2 a2 b2, ΔE00: the test data of Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference
# Formula" (2005), table 1.
PAIRS = """
50.0000 2.6772 -79.7751 50.0000 0.0000 -82.7485 2.0425
50.0000 3.1571 -77.2803 50.0000 0.0000 -82.7485 2.8615
50.0000 2.8361 -74.0200 50.0000 0.0000 -82.7485 3.4412
50.0000 -1.3802 -84.2814 50.0000 0.0000 -82.7485 1.0000
50.0000 -1.1848 -84.8006 50.0000 0.0000 -82.7485 1.0000
50.0000 -0.9009 -85.5211 50.0000 0.0000 -82.7485 1.0000
50.0000 0.0000 0.0000 50.0000 -1.0000 2.0000 2.3669
50.0000 -1.0000 2.0000 50.0000 0.0000 0.0000 2.3669
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0009 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0010 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0011 7.2195
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0012 7.2195
50.0000 -0.0010 2.4900 50.0000 0.0009 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0010 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0011 -2.4900 4.7461
50.0000 2.5000 0.0000 50.0000 0.0000 -2.5000 4.3065
50.0000 2.5000 0.0000 73.0000 25.0000 -18.0000 27.1492
50.0000 2.5000 0.0000 61.0000 -5.0000 29.0000 22.8977
50.0000 2.5000 0.0000 56.0000 -27.0000 -3.0000 31.9030
50.0000 2.5000 0.0000 58.0000 24.0000 15.0000 19.4535
50.0000 2.5000 0.0000 50.0000 3.1736 0.5854 1.0000
50.0000 2.5000 0.0000 50.0000 3.2972 0.0000 1.0000
50.0000 2.5000 0.0000 50.0000 1.8634 0.5757 1.0000
50.0000 2.5000 0.0000 50.0000 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""

colours = st.tuples(*[st.integers(0, 255)] * 3).map(lambda rgb: "#" + bytes(rgb).hex())


@pytest.mark.parametrize("line", PAIRS.strip().splitlines())
def test_ciede2000_gives_the_published_figures(line: str) -> None:
    l1, a1, b1, l2, a2, b2, wanted = map(float, line.split())
    assert colour.ciede2000((l1, a1, b1), (l2, a2, b2)) == pytest.approx(wanted, abs=5e-5)
    assert colour.ciede2000((l2, a2, b2), (l1, a1, b1)) == pytest.approx(wanted, abs=5e-5)


@pytest.mark.parametrize(
    ("text", "lab"),
    [
        ("#ffffff", (100.0, 0.0, 0.0)),
        ("#000000", (0.0, 0.0, 0.0)),
        ("#ff0000", (53.24, 80.09, 67.20)),
        ("#00ff00", (87.74, -86.18, 83.18)),
        ("#0000ff", (32.30, 79.19, -107.86)),
        ("#777777", (50.03, 0.0, 0.0)),
    ],
)
def test_lab_of_known_colours(text: str, lab: tuple[float, float, float]) -> None:
    assert colour.lab(text) == pytest.approx(lab, abs=0.02)


@given(colours)
def test_linear_light_goes_back_to_the_same_colour(text: str) -> None:
    assert colour.from_linear(colour.linear(text)) == text


@given(st.integers(0, 255), st.sampled_from(list(colour.DEFICIENCIES)))
def test_greys_stay_grey_for_every_eye(level: int, deficiency: colour.Deficiency) -> None:
    grey = f"#{level:02x}{level:02x}{level:02x}"
    assert colour.from_linear(colour.simulate(grey, deficiency)) == grey


def test_red_and_green_meet_for_the_red_green_blind_only() -> None:
    red, green = "#c46a3c", "#8c8c2e"
    assert colour.difference(red, green) > 25
    assert colour.difference(red, green, "deuteranopia") < 12
    assert colour.difference(red, green, "tritanopia") > 20


def test_blue_and_green_meet_for_the_blue_blind_only() -> None:
    blue, green = "#2f8fd0", "#2f9f8f"
    assert colour.difference(blue, green, "tritanopia") < 10
    assert colour.difference(blue, green, "protanopia") > 20


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [("#ffffff", "#000000", 21.0), ("#777777", "#ffffff", 4.478), ("#0000ff", "#ffffff", 8.592)],
)
def test_contrast_of_wcag(first: str, second: str, wanted: float) -> None:
    assert colour.contrast(first, second) == pytest.approx(wanted, abs=0.001)
    assert colour.contrast(second, first) == colour.contrast(first, second)


def test_a_mix_is_of_light() -> None:
    assert colour.mix("#000000", "#ffffff", 0.5) == "#bcbcbc"
    assert colour.mix("#123456", "#abcdef", 0.0) == "#123456"


def test_colours_are_read_in_either_case_and_others_refused() -> None:
    assert colour.parse_colour("#C8321E") == "#c8321e"
    for wrong in ("#12", "red", "c8321e", "#12345g", "#1234567", " #123456", "#123456\n", ""):
        with pytest.raises(PnpError, match="is not a colour; write # and six digits"):
            colour.parse_colour(wrong)
