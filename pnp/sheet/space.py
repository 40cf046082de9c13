"""Where a sheet may be printed on: margins, the band, the strip for marks (print.md, The sheet).

All boxes are (left, top, right, bottom) in mm on the paper as it lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

from pnp.errors import FitError
from pnp.geometry import Box
from pnp.options import Common
from pnp.paper import Paper
from pnp.units import format_mm

BAND = 8.0
"""Height of the band with title, check bars and notes."""

STRIP = 3.0
"""What is kept free beside pieces that are cut out, for the marks."""

TOLERANCE = 1e-6
"""Exact fits fit: sums may differ from what is there by this much."""

Side = Literal["bottom", "left", "top", "right"]
Axis = Literal["none", "columns", "rows"]
"""What a duplex back mirrors on this page: nothing, the columns (x) or the rows (y)."""


class Space(NamedTuple):
    """One way to use a sheet.

    paper  as it lies
    side   where the band stands, None for no band
    inner  inside the margins
    free   where the picture or the pieces may lie: inner less the band and the strip for marks
    """

    paper: Paper
    side: Side | None
    inner: Box
    free: Box

    @property
    def width(self) -> float:
        """The width of the free area in mm."""
        return self.free[2] - self.free[0]

    @property
    def height(self) -> float:
        """The height of the free area in mm."""
        return self.free[3] - self.free[1]

    @property
    def band_length(self) -> float:
        """How long the band is in mm."""
        left, top, right, bottom = self.inner
        return right - left if self.side in ("bottom", "top") else bottom - top

    def holds(self, width: float, height: float) -> bool:
        """Return whether a picture of this size fits."""
        return width <= self.width + TOLERANCE and height <= self.height + TOLERANCE


def spaces(
    common: Common, *, strip: float = 0.0, band: bool = True, duplex: bool = False
) -> tuple[Space, ...]:
    """Return the ways to use the paper, the preferred first: each orientation, the band at the foot
    or at the left (top and right would cost the same).

    `strip` is kept free around the free area. With `duplex` the margins are made equal across the
    flip axis, so that a back's mirror image lies inside the margins too (P7). Raises FitError where
    margins, band and strip leave nothing.
    """
    found: list[Space] = []
    for paper in common.paper.lying(common.orientation):
        top, right, bottom, left = common.margin
        axis = flip_axis(common.backs, paper) if duplex else "none"
        if axis == "columns":
            left = right = max(left, right)
        elif axis == "rows":
            top = bottom = max(top, bottom)
        inner = (left, top, paper.width - right, paper.height - bottom)
        sides: tuple[Side | None, ...] = ("bottom", "left") if band else (None,)
        for side in sides:
            free = (
                inner[0] + strip + (BAND if side == "left" else 0.0),
                inner[1] + strip,
                inner[2] - strip,
                inner[3] - strip - (BAND if side == "bottom" else 0.0),
            )
            if free[2] - free[0] > TOLERANCE and free[3] - free[1] > TOLERANCE:
                found.append(Space(paper, side, inner, free))
    if not found:
        raise FitError(
            f"nothing is left of the paper {common.paper.name} inside its margins;"
            " take a larger --paper or a smaller --margin"
        )
    return tuple(found)


def marks_strip(common: Common) -> float:
    """Return what is kept free beside a drawing or a filling: room for marks only where they are
    asked for.
    """
    return STRIP if common.marks not in (None, "none") and not common.single else 0.0


def flip_axis(backs: str, paper: Paper) -> Axis:
    """Return what a duplex back mirrors: `duplex-long` the columns on a portrait page and the rows
    on a landscape one, `duplex-short` the other way round. Separate sheets are glued like a page
    turned on its long edge.
    """
    if backs in ("none", "fold"):
        return "none"
    tall = paper.height >= paper.width
    return "columns" if tall == (backs != "duplex-short") else "rows"


def largest_tenth(fits: Callable[[float], bool], upper: float) -> float:
    """Return the largest tenth of a mm up to `upper` that fits, while the next tenth does not: the
    size that is taken and that an error may name. 0 where none fits.

    `fits` must hold for all sizes below one for which it holds.
    """
    low, high = 0, math.floor(upper * 10.0 + TOLERANCE) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle / 10.0):
            low = middle
        else:
            high = middle
    return low / 10.0


def too_large(what: str, option: str, largest: float, help_: str) -> FitError:
    """Return the error for something that does not fit, naming the largest size that does."""
    if option and largest > 0:
        text = f"the largest --{option} that fits is {largest:.1f} mm"
        return FitError(f"{what} does not fit on the paper: {text}; {help_}", largest)
    return FitError(f"{what} does not fit on the paper; {help_}")


def describe(width: float, height: float) -> str:
    """Return a size for people: `184 mm × 253 mm`."""
    return f"{format_mm(width)} × {format_mm(height)}"
