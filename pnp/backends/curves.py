"""Circles and arcs as cubic curves, and the boxes of scene items, for all backends. Pure, in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from pnp.fonts import FontSet, direction
from pnp.geometry import Box, Point
from pnp.scene import Arc, Circle, Curve, Group, Item, Line, Lines, Polygon, Style, Text, Use

_FINE_RADIUS = 15.0
"""Beyond it a curve spans 45 degrees, not 90, so that none leaves its circle by 0.005 mm."""

Cubic = tuple[float, float, float, float, float, float]


def arc_cubics(
    x: float, y: float, r: float, start: float, sweep: float
) -> tuple[Point, list[Cubic]]:
    """Return the first point and the cubic pieces (x1, y1, x2, y2, x, y) of an arc.

    Degrees run clockwise on the page. A sweep beyond a full turn is drawn as a full turn.
    """
    sweep = max(-360.0, min(360.0, sweep))
    span = 90.0 if r <= _FINE_RADIUS else 45.0
    count = max(1, math.ceil(abs(sweep) / span - 1e-9))
    step = sweep / count
    pull = 4.0 / 3.0 * math.tan(math.radians(step) / 4.0) * r
    ends = [direction(start + k * step) for k in range(count + 1)]
    out: list[Cubic] = []
    for (c0, s0), (c1, s1) in pairwise(ends):
        out.append(
            (
                x + r * c0 - pull * s0,
                y + r * s0 + pull * c0,
                x + r * c1 + pull * s1,
                y + r * s1 - pull * c1,
                x + r * c1,
                y + r * s1,
            )
        )
    return (x + r * ends[0][0], y + r * ends[0][1]), out


def items_box(
    items: Iterable[Item], symbols: Mapping[str, tuple[Item, ...]], fonts: FontSet
) -> Box | None:
    """Return a box in mm that holds all that the items ink, strokes, mitres and text included.

    It may be larger than the ink. None for nothing.
    """
    boxes = list(_boxes(items, symbols, fonts))
    if not boxes:
        return None
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom))


def _boxes(
    items: Iterable[Item], symbols: Mapping[str, tuple[Item, ...]], fonts: FontSet
) -> Iterator[Box]:
    for item in items:
        match item:
            case Polygon() | Line():
                yield _grown(item.points, _reach(item.style))
            case Lines():
                for x0, y0, x1, y1 in item.segments:
                    yield _grown(((x0, y0), (x1, y1)), _reach(item.style))
            case Circle() | Arc():
                reach = item.r + _reach(item.style)
                yield (item.x - reach, item.y - reach, item.x + reach, item.y + reach)
            case Curve():
                numbers = [float(v) for step in item.steps for v in step[1:]]
                yield _grown(
                    list(zip(numbers[::2], numbers[1::2], strict=True)), _reach(item.style)
                )
            case Text():
                yield fonts.text_box(item)
            case Use():
                box = items_box(symbols[item.name], symbols, fonts)
                if box:
                    yield _moved(box, item.x, item.y, item.turn, 1.0)
            case Group():
                box = items_box(item.items, symbols, fonts)
                if box and item.clip:
                    box = _common(box, _grown(item.clip, 0.0))
                if box:
                    yield _moved(box, item.dx, item.dy, item.turn, item.scale)


def _reach(style: Style) -> float:
    """Return how far ink may lie from the points of a shape; mitres reach ten half widths."""
    if style.stroke is None:
        return 0.0
    return style.width / 2.0 * (10.0 if style.join == "miter" else 1.5)


def _grown(points: Sequence[Point], by: float) -> Box:
    xs, ys = zip(*points, strict=True)
    return (min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by)


def _common(a: Box, b: Box) -> Box | None:
    left, top, right, bottom = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def _moved(box: Box, dx: float, dy: float, turn: float, scale: float) -> Box:
    cos, sin = direction(turn)
    corners = [(x * scale, y * scale) for x in (box[0], box[2]) for y in (box[1], box[3])]
    return _grown([(dx + x * cos - y * sin, dy + x * sin + y * cos) for x, y in corners], 0.0)
