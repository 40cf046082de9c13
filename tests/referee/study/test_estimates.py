"""Estimates and their intervals, against what can be worked out otherwise."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from referee.study.estimates import Estimate, mean, share, slope


def test_wilsons_interval_holds_the_shares_that_would_not_surprise() -> None:
    # Its ends are the p at which the observed share is exactly 1.96 standard deviations away.
    for hits, of in ((1, 7), (34, 100), (500, 1000), (999, 1000)):
        found = share(hits, of)
        assert found.value == hits / of
        for end in (found.low, found.high):
            deviation = math.sqrt(end * (1 - end) / of)
            assert abs(hits / of - end) / deviation == pytest.approx(1.959964, abs=1e-5)
        assert found.low < found.value < found.high


def test_a_share_of_none_or_all_stays_within_bounds() -> None:
    assert share(0, 20)[:2] == (0.0, 0.0)
    assert share(20, 20).high == 1.0
    assert 0.1 < share(0, 20).high < 0.2


@pytest.mark.parametrize(("of", "p"), [(60, 0.5), (60, 0.1), (400, 0.34)])
def test_wilsons_interval_holds_the_truth_in_about_95_of_100(of: int, p: float) -> None:
    held = math.fsum(
        math.comb(of, hits) * p**hits * (1 - p) ** (of - hits)
        for hits in range(of + 1)
        if share(hits, of).low <= p <= share(hits, of).high
    )
    assert 0.93 < held < 0.97


def test_four_times_the_games_halve_the_interval() -> None:
    assert share(1600, 4800).half == pytest.approx(share(400, 1200).half / 2, rel=0.01)


def test_the_mean_and_its_interval() -> None:
    found = mean([(1.0, 2), (4.0, 2)])
    spread = 4 * 1.5**2 / 3
    assert found.value == 2.5
    assert found.half == pytest.approx(1.959964 * math.sqrt(spread / 4))
    assert mean([(7.0, 1)]) == Estimate(7.0, -math.inf, math.inf)


def test_a_mean_does_not_depend_on_the_order() -> None:
    values = [(0.1 * k, 1 + k % 3) for k in range(200)]
    shuffled = list(values)
    random.Random(3).shuffle(shuffled)
    assert mean(values) == mean(shuffled)


def test_the_slope_is_the_least_squares_one() -> None:
    points = [(0, 1, 1), (1, 2, 2), (3, 2, 1), (4, 5, 1)]
    flat = [(x, y) for x, y, times in points for _ in range(times)]
    n = len(flat)
    mx, my = (Fraction(sum(p[k] for p in flat), n) for k in (0, 1))
    exact = sum((x - mx) * (y - my) for x, y in flat) / sum((x - mx) ** 2 for x, _ in flat)
    found = slope([(float(x), float(y), times) for x, y, times in points])
    assert found.value == pytest.approx(float(exact))
    assert found.low < found.value < found.high


def test_without_any_difference_a_slope_says_nothing() -> None:
    assert slope([(1.0, 0.0, 5), (1.0, 1.0, 5)]).half == math.inf


def test_the_slopes_interval_shrinks_onto_the_truth() -> None:
    rng = random.Random(5)
    points = []
    for _ in range(4000):
        x = rng.randrange(-3, 4)
        points.append((float(x), float(rng.random() < 0.5 + 0.05 * x), 1))
    found = slope(points)
    assert found.low < 0.05 < found.high
    assert found.half < 0.01


def test_how_estimates_read() -> None:
    assert Estimate(0.342, 0.331, 0.353).percent() == "34.2 % (33.1 to 35.3)"
    assert Estimate(47.31, 46.8, 47.8).plain() == "47.3 (46.8 to 47.8)"


def test_what_is_not_known_is_not_told_as_a_number() -> None:
    assert mean([(5.0, 1)]).plain() == "5.0 (no interval)"
    assert slope([(0.0, 1.0, 2), (1.0, 1.0, 1)]).plain() == "0.0 (no interval)"
    assert Estimate(-0.0004, -0.041, 0.04).percent() == "0.0 % (−4.1 to 4.0)"
