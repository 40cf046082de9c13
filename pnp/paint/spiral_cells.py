"""Where label and counter stand in a cell of the Spiral board. Pure, in mm.

Cells stand pointy-top. A label beside the counter's place stands in the cell's upper corner, so low
that the widest label keeps clear of the sides; the counter lies below it, so that the label is seen
with the counter in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pnp.geometry import SQRT3, Box, Point

Labels = Literal["none", "middle", "beside"]

COUNTER = 19.0 / 27.0
"""A counter's diameter, in cells (print.md)."""
LEAST_LABEL = 3.5
"""The least height in mm of a printed label's capitals (print.md)."""

CAP_OF_SIZE = 0.729
"""The height of capitals of DejaVu Sans, as a part of the font's size."""
WIDEST = 2.34
"""The width of QQ in bold, in heights of its capitals."""

TAIL = 0.28
"""How far J and Q reach below the line, in heights of capitals."""

_BESIDE, _MIDDLE = 0.145, 0.2
"""The height of a label's capitals, in cells."""


@dataclass(frozen=True, slots=True)
class Place:
    """What stands where in a cell, from its middle, y downwards.

    cap      height of the label's capitals, 0 for no label
    label    y of the middle of its capitals
    down     y of the middle of the counter
    counter  the diameter that the counter has
    largest  the largest diameter that leaves the label free and stays inside the cell
    """

    cap: float
    label: float
    down: float
    counter: float
    largest: float


def place(cell: float, labels: Labels, counter: float | None = None, least: float = 0.0) -> Place:
    """Return where label and counter stand in a cell `cell` mm flat to flat.

    `counter` is the diameter wanted, None for 19 mm in cells of 27 mm, less where the label needs
    the room. `least` is the least height of the label's capitals. A counter larger than `largest`
    has no good place.
    """
    clear = cell * 0.035
    inside = cell / 2.0 - clear
    if labels != "beside":
        cap = max(least, cell * _MIDDLE) if labels == "middle" else 0.0
        return Place(cap, 0.0, 0.0, counter or cell * COUNTER, 2.0 * inside)
    cap = max(least, cell * _BESIDE)
    half = cap * WIDEST / 2.0 + cell * 0.03 + 0.2
    top = cell / SQRT3 - half / SQRT3
    low = top - cap * (1.0 + TAIL) - cell * 0.012
    # the circle that touches the line below the tails and both lower sides
    slant = SQRT3 / 2.0
    down = (inside - low) / (1.0 + slant)
    largest = 2.0 * (down + low)
    wanted = min(cell * COUNTER, largest) if counter is None else counter
    r = wanted / 2.0
    return Place(cap, cap / 2.0 - top, ((r - low) + (inside - r) / slant) / 2.0, wanted, largest)


def label_box(centre: Point, where: Place) -> Box:
    """Return the box that the widest label fills in the cell about `centre`, with the tails."""
    x, y = centre[0], centre[1] + where.label
    across, up = where.cap * WIDEST / 2.0, where.cap * 0.52
    return (x - across, y - up, x + across, y + up + where.cap * TAIL)


def outside(a: Point, b: Point, boxes: Sequence[Box]) -> list[tuple[Point, Point]]:
    """Return the parts of the line from a to b that lie in none of the boxes, in their order."""
    spans = [(0.0, 1.0)]
    for box in boxes:
        cut = _inside(a, b, box)
        if cut is not None:
            spans = [
                part
                for low, high in spans
                for part in ((low, min(high, cut[0])), (max(low, cut[1]), high))
                if part[1] - part[0] > 1e-9
            ]
    (ax, ay), (bx, by) = a, b

    def at(t: float) -> Point:
        # the ends themselves, exactly, so that whole lines can be joined
        return a if t <= 0.0 else b if t >= 1.0 else (ax + (bx - ax) * t, ay + (by - ay) * t)

    return [(at(low), at(high)) for low, high in spans]


def _inside(a: Point, b: Point, box: Box) -> tuple[float, float] | None:
    """Return which part (from 0 to 1) of the line from a to b lies in a box, None for no part."""
    low, high = 0.0, 1.0
    for start, end, least, most in ((a[0], b[0], box[0], box[2]), (a[1], b[1], box[1], box[3])):
        step = end - start
        if abs(step) < 1e-12:
            if not least < start < most:
                return None
            continue
        first, last = sorted(((least - start) / step, (most - start) / step))
        low, high = max(low, first), min(high, last)
    return (low, high) if low < high else None
