"""Lightning's tiles: the eight points of a square, and which two of them each kind's mark joins (lightning-tiles).

Points are numbered clockwise from n; n is the far end and e the higher letter. Kinds are numbered 0 to 4 for I to V.
"""

from __future__ import annotations

from typing import Final

POINTS: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""The points of a square, clockwise: even numbers are midpoints of sides, odd ones corners."""

OFFSETS: Final = ((1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2))
"""Where each point lies, in half cells east and far from the square's sw corner."""

KINDS: Final = ("I", "II", "III", "IV", "V")
EACH: Final = 30
"""Tiles of one kind."""
TOTAL: Final = EACH * len(KINDS)

MARKS: Final = (
    "midpoint to opposite midpoint (s-n, w-e)",
    "corner to opposite corner (sw-ne, se-nw)",
    "corner to the midpoint three points further clockwise (sw-n, nw-e, ne-s, se-w)",
    "corner to the midpoint three points further anticlockwise (sw-e, se-n, ne-w, nw-s)",
    "corner to adjacent corner (sw-se, se-ne, ne-nw, nw-sw)",
)
"""Each kind's mark in words, with its four turns (two of them for I and II); a mark may be entered at either end."""


def _kind(entry: int, leaving: int) -> int | None:
    """Return the kind whose mark joins two points, None where no tile does."""
    steps = (leaving - entry) % 8
    if entry % 2 == leaving % 2:
        if steps == 4:
            return entry % 2
        return 4 if entry % 2 and steps in (2, 6) else None
    if entry % 2 == 0:  # entered at the midpoint: look at the mark from its corner
        steps = -steps % 8
    return {3: 2, 5: 3}.get(steps)


KIND_OF: Final = tuple(tuple(_kind(entry, leaving) for leaving in range(8)) for entry in range(8))
"""KIND_OF[entry][exit]: the kind whose mark joins the two points, None where no tile does."""

EXITS: Final = tuple(
    tuple(
        tuple(leaving for leaving in range(8) if KIND_OF[entry][leaving] == kind)
        for entry in range(8)
    )
    for kind in range(len(KINDS))
)
"""EXITS[kind][entry]: where a tile of a kind can lead from an entry point, by its turns."""
