"""Lengths as people write them, turned into mm; the only place where units are converted.

1 in = 25.4 mm exactly, 1 pt = 1/72 in. All other modules think in mm.
"""

from __future__ import annotations

import re

from pnp.errors import PnpError

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72.0

_UNITS = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, '"': MM_PER_INCH, "pt": MM_PER_POINT}
_LENGTH = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([A-Za-z\"]*)\s*", re.ASCII)


def parse_length(text: str, *, positive: bool = False) -> float:
    """Return `text` ("8mm", "0.5 in", "12pt", a bare number is mm) in mm.

    With `positive`, zero and less are refused. Raises PnpError for anything else.
    """
    match = _LENGTH.fullmatch(text)
    factor = _UNITS.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise PnpError(f"{text!r} is not a length; write it as 8mm, 0.5in or 12pt")
    value = float(match[1]) * factor
    if positive and value <= 0:
        raise PnpError(f"{text!r} is not more than zero; write a length as 8mm, 0.5in or 12pt")
    if abs(value) > 1e5:
        raise PnpError(f"{text!r} is longer than 100 metres; write a length as 8mm, 0.5in or 12pt")
    return value


def format_mm(value: float) -> str:
    """Return a length for people: `8 mm`, `25.4 mm`, at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") + " mm"


def to_points(mm: float) -> float:
    """Return mm as PDF points."""
    return mm / MM_PER_POINT


def to_pixels(mm: float, dpi: float) -> int:
    """Return the whole number of pixels that print.md gives for a length at a resolution."""
    return round(mm / MM_PER_INCH * dpi)
