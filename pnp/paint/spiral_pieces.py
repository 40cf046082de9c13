"""What belongs to Spiral besides the board: counters to cut, the mat for the columns of cards. Pure, in mm."""

from __future__ import annotations

from collections.abc import Sequence

from pnp.geometry import Point, regular_polygon
from pnp.paint import patterns
from pnp.scene import Arc, Item, Line, Lines, Polygon, Scene, Style, Text
from pnp.themes import Theme

COLUMN = 8
"""Cards in a column (spiral-deal)."""
PITCH = 12.0
"""How far down a column each card lies below the one before, in mm (print.md)."""

_INSET = 0.5
_SIDES = 72
_HEAD = 8.0
"""Height of the line above the columns that says which are whose."""


def counter_outline(diameter: float) -> tuple[Point, ...]:
    """Return the outline of a counter about (0, 0): a polygon of so many sides that it is round."""
    return regular_polygon(_SIDES, diameter / 2.0, turn=180.0 / _SIDES)


def counter_face(
    role: str, diameter: float, theme: Theme, bleed: float = 0.0, *, marks: bool = True
) -> tuple[Item, ...]:
    """Return the face of a counter to cut about (0, 0): role "player" or "brooks".

    The ground ends a little inside the cut, or runs past it by `bleed`. `marks` adds four short
    arcs outside the cut, where the corners of its square fall away.
    """
    area = theme.area(role)
    r = diameter / 2.0
    inset = min(_INSET, diameter * 0.03)
    ground = r + bleed if bleed else r - inset
    plain = area._replace(line=None)
    face: tuple[Item, ...] = ()
    if area.pattern == "ring":
        if area.fill != theme.colour("paper"):
            face = patterns.circle(0.0, 0.0, ground, plain._replace(pattern="solid"), width=0.0)
        face += tuple(
            Arc(0.0, 0.0, r * part, 0.0, 360.0, Style(stroke=area.mark, width=diameter * width))
            for part, width in ((0.72, 0.05), (0.4, 0.025))
        )
    else:
        pitch, mark = diameter * 0.16, diameter * 0.04
        face = patterns.circle(0.0, 0.0, ground, plain, width=0.0, pitch=pitch, mark=mark)
    return (*face, *_arcs(r)) if marks else face


def _arcs(r: float) -> tuple[Item, ...]:
    pen = Style(stroke="#000000", width=0.2)
    return tuple(Arc(0.0, 0.0, r + _INSET, 33.0 + 90.0 * k, 24.0, pen) for k in range(4))


def mat_size(card: tuple[float, float], columns: int, gap: float) -> tuple[float, float]:
    """Return width and height in mm of a mat for `columns` columns of cards (width, height)."""
    width, height = card
    return (
        columns * width + (columns - 1) * gap,
        _HEAD + (COLUMN - 1) * PITCH + height,
    )


def mat_joints() -> tuple[float, ...]:
    """Return where a mat may be cut across (y in mm): between the cards of its columns."""
    return tuple(_HEAD + k * PITCH for k in range(1, COLUMN))


def paint_mat(card: tuple[float, float], columns: Sequence[int], gap: float, theme: Theme) -> Scene:
    """Return a mat for these columns (of 1 to 4): in each a place for every card, 12 mm apart, and
    the bottom card's whole. A bracket joins the two columns of each of Dr. Brooks' pairs.
    """
    width, height = card
    area = theme.area("mat")
    items: list[Item] = []
    for at, number in enumerate(columns):
        left = at * (width + gap)
        items += _column(left, width, height, theme)
        middle = left + width / 2.0
        items.append(Text(middle, 5.0, str(number), 5.0, area.text, "middle", weight="bold"))
        if number % 2 and number + 1 in columns:
            items += _bracket(left, 2.0 * width + gap, "first" if number == 1 else "second", theme)
    return Scene(*mat_size(card, len(columns), gap), tuple(items), title="Spiral mat")


def _column(left: float, width: float, height: float, theme: Theme) -> tuple[Item, ...]:
    area = theme.area("mat")
    line = Style(stroke=area.line or theme.colour("pale"), width=0.25)
    half = 0.125
    right, top = left + width - half, _HEAD + half
    left += half
    bottom = _HEAD + (COLUMN - 1) * PITCH + height - half
    box = ((left, top), (right, top), (right, bottom), (left, bottom))
    steps = tuple((left, _HEAD + PITCH * k, right, _HEAD + PITCH * k) for k in range(1, COLUMN))
    return (
        Polygon(box, Style(fill=area.fill, stroke=line.stroke, width=line.width)),
        Lines(steps, line),
    )


def _bracket(left: float, width: float, which: str, theme: Theme) -> tuple[Item, ...]:
    ink = theme.area("mat").text
    a, b = left + width * 0.03, left + width * 0.97
    line = ((a, 7.4), (a, 6.4), (b, 6.4), (b, 7.4))
    words = f"Dr. Brooks, {which}"
    return (
        Line(line, Style(stroke=ink, width=0.3)),
        Text(left + width / 2.0, 4.8, words, 2.8, ink, "middle"),
    )
