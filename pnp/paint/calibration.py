"""What the printer test shows: bars to measure, crosses on the front, scales on the back."""

from __future__ import annotations

import math

from pnp.scene import Circle, Item, Lines, Polygon, Style, Text
from pnp.themes import Theme

BAR = 8.0
"""What a bar takes across, with its words, in mm."""


def bar_length(room: float) -> float:
    """Return the longest bar of whole centimetres, 20 mm or more, for `room` mm; 0 for none."""
    length = math.floor(room / 10.0 + 1e-6) * 10.0
    return length if length >= 20.0 else 0.0


def bar(length: float, theme: Theme) -> tuple[Item, ...]:
    """Return a bar of exactly `length` mm from (0, 0) to the right, ticks up, its name below."""
    ink = theme.colour("ink")
    count = round(length / 10.0)
    items: list[Item] = [_box(0.0, -0.3, length, 0.0, theme)]
    for k in range(count + 1):
        tall = 4.0 if k in (0, count) else 2.4 if k % 5 == 0 else 1.4
        x = min(max(k * 10.0 - 0.1, 0.0), length - 0.2)
        items.append(_box(x, -tall, x + 0.2, 0.0, theme))
    items.append(Text(length / 2.0, 3.2, f"{length:g} mm", 3.0, ink, "middle", weight="bold"))
    return tuple(items)


def cross(letter: str, room: float, theme: Theme) -> tuple[Item, ...]:
    """Return the front's cross about (0, 0) in a cell of `room` mm, with a ring and a letter."""
    arm = room * 0.4
    pen = theme.line("ink", 0.2)
    lines = ((-arm, 0.0, arm, 0.0), (0.0, -arm, 0.0, arm))
    return (Lines(lines, pen), Circle(0.0, 0.0, 1.0, pen), _letter(letter, room, theme))


def scale(letter: str, room: float, theme: Theme) -> tuple[Item, ...]:
    """Return the back's scales about (0, 0): ticks each half millimetre, numbers right and up."""
    reach = math.floor(room * 0.4)
    lines: list[tuple[float, float, float, float]] = [
        (-reach, 0.0, reach, 0.0),
        (0.0, -reach, 0.0, reach),
    ]
    for k in range(-2 * reach, 2 * reach + 1):
        at, tall = k / 2.0, 1.2 if k % 10 == 0 else 0.8 if k % 2 == 0 else 0.45
        lines += [(at, -tall, at, tall), (-tall, at, tall, at)]
    items: list[Item] = [Lines(tuple(lines), theme.line("ink", 0.16))]
    colour = theme.colour("soft")
    for k in (5, -5) if reach >= 5 else (reach, -reach):
        name = f"{k:+d}".replace("-", "−")
        items.append(Text(float(k), 3.2, name, 1.7, colour, "middle"))
        items.append(Text(1.7, float(-k), name, 1.7, colour, valign="cap"))
    return (*items, _letter(letter, room, theme))


def _letter(letter: str, room: float, theme: Theme) -> Text:
    at = room * 0.3
    return Text(at, -at, letter, room * 0.2, theme.colour("ink"), "middle", "ink", "bold")


def _box(left: float, top: float, right: float, bottom: float, theme: Theme) -> Polygon:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Polygon(corners, Style(fill=theme.colour("ink")))
