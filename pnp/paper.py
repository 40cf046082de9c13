"""Papers in exact mm (P29: never rounded inches) and the two ways a sheet can lie."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from pnp.errors import PnpError
from pnp.units import MM_PER_INCH, format_mm, parse_length

Orientation = Literal["auto", "portrait", "landscape"]

SMALLEST_SIDE = 40.0
LARGEST_SIDE = 5000.0


class Paper(NamedTuple):
    """A sheet of `width` × `height` mm as it is named; `turned()` is the same sheet lying the other
    way.
    """

    name: str
    width: float
    height: float

    def turned(self) -> Paper:
        """Return the paper with its sides exchanged."""
        return Paper(self.name, self.height, self.width)

    def lying(self, orientation: Orientation) -> tuple[Paper, ...]:
        """Return the ways this sheet may lie, the preferred one first: two for "auto", else one."""
        tall = self if self.height >= self.width else self.turned()
        if orientation == "portrait":
            return (tall,)
        if orientation == "landscape":
            return (tall.turned(),)
        return (self,) if self.width == self.height else (self, self.turned())


PAPERS = {
    "a4": Paper("a4", 210.0, 297.0),
    "letter": Paper("letter", 8.5 * MM_PER_INCH, 11.0 * MM_PER_INCH),
    "a3": Paper("a3", 297.0, 420.0),
    "tabloid": Paper("tabloid", 11.0 * MM_PER_INCH, 17.0 * MM_PER_INCH),
    "legal": Paper("legal", 8.5 * MM_PER_INCH, 14.0 * MM_PER_INCH),
}

_FREE = r"\s*([0-9.]+)\s*(mm|cm|in|pt)?\s*[x×]\s*([0-9.]+)\s*(mm|cm|in|pt)?\s*"
"""Compiled where it is needed, which is seldom."""


def parse_paper(text: str) -> Paper:
    """Return the paper named `text`: one of PAPERS, or free as "100x150mm" (mm, cm, in or pt).

    Raises PnpError for another name and for sides outside 40 mm to 5 m.
    """
    known = PAPERS.get(text.strip().lower())
    if known is not None:
        return known
    match = re.fullmatch(_FREE, text, re.IGNORECASE)
    if match is None:
        raise PnpError(
            f"{text!r} is not a paper; choose {', '.join(PAPERS)} or a size such as 100x150mm"
        )
    unit = match[4] or match[2] or "mm"
    width = parse_length(match[1] + (match[2] or unit), positive=True)
    height = parse_length(match[3] + unit, positive=True)
    for side in (width, height):
        if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
            raise PnpError(
                f"a paper side of {format_mm(side)} is outside"
                f" {format_mm(SMALLEST_SIDE)} to {format_mm(LARGEST_SIDE)}"
            )
    return Paper(f"{width:g}x{height:g}mm", width, height)
