"""Figures from samples, each with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

Z = 1.959963984540054
"""The normal distribution holds 95 % within so many standard deviations."""


class Estimate(NamedTuple):
    """A value and the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2.0

    def percent(self, digits: int = 1) -> str:
        """Return `34.2 % (33.1 to 35.3)`."""
        return f"{_told(100.0 * self.value, digits)} % {self.within(digits, 100.0)}"

    def plain(self, digits: int = 1) -> str:
        """Return `47.3 (46.8 to 47.8)`."""
        return f"{_told(self.value, digits)} {self.within(digits)}"

    def within(self, digits: int = 1, scale: float = 1.0, sign: str = "-") -> str:
        """Return the interval, `(46.8 to 47.8)`; "(no interval)" where too little was played for one."""
        if not math.isfinite(self.low + self.high):
            return "(no interval)"
        low, high = (_told(scale * end, digits, sign) for end in self[1:])
        return f"({low} to {high})"


def _told(value: float, digits: int, sign: str = "-") -> str:
    """Return a number with a true minus, and none before a nought; `sign` "+" shows a plus too."""
    return f"{value:{sign}z.{digits}f}".replace("-", "−")


def share(hits: float, of: int) -> Estimate:
    """Return how large a part of `of` trials, at least one, were hits, with Wilson's interval.

    A draw may count as half a hit; the interval is then a little wider than need be.
    """
    p = hits / of
    weight = 1.0 + Z * Z / of
    middle = (p + Z * Z / (2.0 * of)) / weight
    half = Z / weight * math.sqrt(p * (1.0 - p) / of + Z * Z / (4.0 * of * of))
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == of else min(1.0, middle + half)
    return Estimate(p, low, high)


def mean(weighted: Iterable[tuple[float, int]]) -> Estimate:
    """Return the mean of values, each given with how often it came (at least one in all), with its normal interval."""
    pairs = sorted(weighted)  # in one order, so that the last digit does not depend on it
    number = sum(times for _, times in pairs)
    middle = math.fsum(value * times for value, times in pairs) / number
    if number < 2:
        return Estimate(middle, -math.inf, math.inf)
    spread = math.fsum(times * (value - middle) ** 2 for value, times in pairs) / (number - 1)
    half = Z * math.sqrt(spread / number)
    return Estimate(middle, middle - half, middle + half)


def slope(weighted: Iterable[tuple[float, float, int]]) -> Estimate:
    """Return by how much y grows where x is one more: least squares over (x, y, times), with its normal interval.

    Where all x are the same nothing can be said: 0 with an endless interval; nor is the interval known where no y lies
    beside the line, as in few games that all end alike.
    """
    triples = sorted(weighted)
    number = sum(times for _, _, times in triples)
    mean_x = math.fsum(x * times for x, _, times in triples) / number
    mean_y = math.fsum(y * times for _, y, times in triples) / number
    spread = math.fsum(times * (x - mean_x) ** 2 for x, _, times in triples)
    if number < 3 or spread == 0.0:
        return Estimate(0.0, -math.inf, math.inf)
    value = math.fsum(times * (x - mean_x) * (y - mean_y) for x, y, times in triples) / spread
    left = math.fsum(times * (y - mean_y - value * (x - mean_x)) ** 2 for x, y, times in triples)
    half = Z * math.sqrt(left / (number - 2) / spread) if left > 0.0 else math.inf
    return Estimate(value, value - half, value + half)
