"""Pieces of Focus to cut out: faces of octagons, strips for their rims. Pure, in mm.

Black is dark and has a ring, White is light with a thin line near its rim; where the theme saves
ink Black is hatched. From the side one player's strips are solid and the other's hatched.
"""

from __future__ import annotations

import math

from pnp.geometry import Point
from pnp.paint import patterns
from pnp.paint.focus import octagon
from pnp.scene import Item, Line, Lines, Polygon, Style, Text
from pnp.themes import Area, Theme

FLAP = 6.0
"""The part of a strip that is glued under its beginning, in mm (print.md)."""

_INSET = 0.5
"""The white line round a dark face, and the gap between a cut and its mark, in mm: a cut that is a
little off shows neither ink of a neighbour nor a mark."""
_RIM_LINE = 1.4
"""How far inside the cut White's line runs: so far that a cut a little off does not show."""
_MARK = 0.2


def piece_face(
    role: str, across: float, theme: Theme, bleed: float = 0.0, *, marks: bool = True
) -> tuple[Item, ...]:
    """Return the face of a piece to cut about (0, 0): role "white" or "black", `across` mm across
    flats.

    `bleed` makes its colour run past the cut. `marks` adds a short line outside each corner that
    is snipped off after the straight cuts.
    """
    area = theme.area(role)
    inset = min(_INSET, across * 0.03)
    ground = octagon(across + 2.0 * bleed if bleed else across - 2.0 * inset)
    face: tuple[Item, ...] = ()
    if area.fill not in (None, theme.colour("paper")):
        # the ring keeps its place whatever the colour does at the edge
        face = patterns.polygon(
            ground, _flat(area), width=0.0, pitch=across * 0.11, mark=across * 0.035
        )
    if area.pattern == "ring":
        ring = Style(stroke=area.mark, width=across * 0.045)
        face += (Polygon(octagon(across * 0.64), ring),)
    elif area.line:
        rim = octagon(across - 2.0 * min(_RIM_LINE, across * 0.08))
        face += (Polygon(rim, Style(stroke=area.line, width=across * 0.028)),)
    return (*face, *_snips(across)) if marks else face


def _flat(area: Area) -> Area:
    return area._replace(line=None, pattern="solid" if area.pattern == "ring" else area.pattern)


def _snips(across: float) -> tuple[Item, ...]:
    """Lines beside the four slanted sides, outside of the piece, in what falls away."""
    side = across * (math.sqrt(2.0) - 1.0)
    out = across / 2.0 + _INSET
    half = side / 2.0 - 1.0
    if half < 0.5:
        return ()
    cos = math.sqrt(0.5)
    segments = []
    for sx, sy in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        x, y = out * cos * sx, out * cos * sy
        segments.append(
            (x - half * cos * sy, y + half * cos * sx, x + half * cos * sy, y - half * cos * sx)
        )
    return (Lines(tuple(segments), Style(stroke="#000000", width=_MARK)),)


def strip_size(diameter: float, height: float) -> tuple[float, float]:
    """Return length and height of a strip that is glued round a disc: π·d and the flap."""
    return math.pi * diameter + FLAP, height


def strip_outline(diameter: float, height: float) -> tuple[Point, ...]:
    """Return the outline of a strip about (0, 0), clockwise."""
    x, y = (length / 2.0 for length in strip_size(diameter, height))
    return ((-x, -y), (x, -y), (x, y), (-x, y))


def strip_face(
    role: str, diameter: float, height: float, theme: Theme, bleed: float = 0.0
) -> tuple[Item, ...]:
    """Return a strip about (0, 0): its inked part from the left edge on, the flap at the right.

    The player whose pieces are hatched from above has hatched strips, else White has. A white line
    above and below keeps the pieces of a pile apart to the eye.
    """
    length, _ = strip_size(diameter, height)
    left, flap, right = -length / 2.0, length / 2.0 - FLAP, length / 2.0
    y = height / 2.0 - min(0.4, height * 0.1)
    start = left - bleed
    body: tuple[Point, ...] = ((start, -y), (flap, -y), (flap, y), (start, y))
    area = _side(role, theme)
    items: list[Item] = [
        *patterns.polygon(body, area._replace(line=None), width=0.0, pitch=2.4, mark=0.9)
    ]
    if area.line:
        rails = tuple((start, v, flap, v) for v in (-y, y))
        items.append(Lines(rails, Style(stroke=area.line, width=0.25)))
    soft = theme.colour("soft")
    fold = ((flap, -height / 2.0), (flap, height / 2.0))
    items.append(Line(fold, Style(stroke=soft, width=_MARK, dash=(0.8, 0.6))))
    size = min(2.2, height * 0.6)
    items.append(Text((flap + right) / 2.0, 0.0, "glue", size, soft, "middle", "cap"))
    return tuple(items)


def _side(role: str, theme: Theme) -> Area:
    """Return how a player's pieces look from the side."""
    area = theme.area(role)
    black = theme.area("black")
    hatched = "white" if black.pattern in ("solid", "ring") else "black"
    if role != hatched:
        return area._replace(pattern="solid")
    mark = area.mark if area.pattern == "hatch" else area.line or area.mark
    return area._replace(pattern="hatch", mark=mark)
