"""Areas drawn: a polygon or a circle filled with its colour and its pattern. Pure, in mm.

Patterns are computed lines and dots, never a clip: few bytes, the same in every backend, and
nothing sticks out of the outline. Draw an area that returns again and again once, as a symbol.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pnp.geometry import Point, bounds, regular_polygon
from pnp.scene import Circle, Item, Lines, Polygon, Style
from pnp.themes import Area, Pattern

Segment = tuple[float, float, float, float]

_DIRECTIONS: dict[Pattern, tuple[float, ...]] = {
    "hatch": (-45.0,),
    "back-hatch": (45.0,),
    "cross": (-45.0, 45.0),
    "bars": (0.0,),
    "columns": (90.0,),
}
_RING = 0.72
_DOT = 0.2
_CIRCLE_SIDES = 64


def polygon(
    outline: Sequence[Point],
    area: Area,
    *,
    width: float = 0.2,
    pitch: float = 1.6,
    mark: float = 0.3,
    origin: Point | None = None,
) -> tuple[Item, ...]:
    """Return a polygon as `area` says: its fill, its pattern, and over both its outline.

    `width` is the outline's (0 for none), `mark` the width of the pattern's lines, `pitch` their
    distance. The pattern lies about `origin`, by default the middle of the polygon's box; polygons
    that must look like one surface share an origin.
    """
    points = tuple(outline)
    if area.pattern == "solid":
        return (Polygon(points, area.style(width)),)
    middle = _middle(points)
    inside: tuple[Item, ...]
    if area.pattern == "ring":
        inside = (Polygon(_shrunk(points, middle), Style(stroke=area.mark, width=mark)),)
    else:
        inside = _inside(points, area, pitch, mark, origin or middle)
    return _layers(Polygon(points, area.style()), inside, points, area, width)


def circle(
    x: float,
    y: float,
    r: float,
    area: Area,
    *,
    width: float = 0.2,
    pitch: float = 1.6,
    mark: float = 0.3,
) -> tuple[Item, ...]:
    """Return a circle of radius `r` as `area` says; widths and pitch as in `polygon`."""
    if area.pattern == "solid":
        return (Circle(x, y, r, area.style(width)),)
    inside: tuple[Item, ...]
    if area.pattern == "ring":
        inside = (Circle(x, y, r * _RING, Style(stroke=area.mark, width=mark)),)
    else:
        rim = regular_polygon(_CIRCLE_SIDES, r * math.cos(math.pi / _CIRCLE_SIDES), (x, y))
        inside = _inside(rim, area, pitch, mark, (x, y))
    top = (Circle(x, y, r, Style(stroke=area.line, width=width)),) if area.line and width else ()
    bottom = (Circle(x, y, r, area.style()),) if area.fill else ()
    return (*bottom, *inside, *top)


def hatching(
    outline: Sequence[Point], degrees: float, pitch: float, origin: Point, width: float = 0.0
) -> list[Segment]:
    """Return parallel lines inside a simple polygon: through `origin`, `pitch` mm apart.

    `degrees` is their direction, clockwise on the page from pointing right. Lines `width` mm wide
    with blunt ends stay inside with all of their width.
    """
    dx, dy = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    # Turned so that every line has one v and runs from one u to another.
    flat = [
        ((x - origin[0]) * dx + (y - origin[1]) * dy, (y - origin[1]) * dx - (x - origin[0]) * dy)
        for x, y in outline
    ]
    _, low, _, high = bounds(flat)
    half = width / 2.0
    segments: list[Segment] = []
    for k in range(math.ceil(low / pitch), math.floor(high / pitch) + 1):
        v = k * pitch
        spans = _spans(flat, v)
        if half:
            spans = _common(_common(spans, _spans(flat, v - half)), _spans(flat, v + half))
        segments += [
            (
                origin[0] + a * dx - v * dy,
                origin[1] + a * dy + v * dx,
                origin[0] + b * dx - v * dy,
                origin[1] + b * dy + v * dx,
            )
            for a, b in spans
            if b - a > width
        ]
    return segments


def _spans(outline: Sequence[Point], v: float) -> list[tuple[float, float]]:
    """Return where the line y = v runs inside a polygon, from left to right."""
    # Half-open sides, so that a corner on the line counts once.
    cuts = sorted(
        x0 + (v - y0) * (x1 - x0) / (y1 - y0)
        for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True)
        if (y0 <= v) != (y1 <= v)
    )
    return list(zip(cuts[::2], cuts[1::2], strict=True))


def _common(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    both = ((max(a, c), min(b, d)) for a, b in first for c, d in second)
    return [(a, b) for a, b in both if a < b]


def dotting(outline: Sequence[Point], pitch: float, r: float, origin: Point) -> list[Point]:
    """Return the points of a triangular lattice about `origin`, `r` or more inside the outline."""
    row = pitch * math.sqrt(3.0) / 2.0
    _, top, _, bottom = bounds(outline)
    points: list[Point] = []
    for k in range(math.ceil((top - origin[1]) / row), math.floor((bottom - origin[1]) / row) + 1):
        y = origin[1] + k * row
        for x0, x1 in _spans(outline, y):
            first = origin[0] + (k % 2) * pitch / 2.0
            steps = range(math.ceil((x0 - first) / pitch), math.floor((x1 - first) / pitch) + 1)
            points += [(first + i * pitch, y) for i in steps]
    return [p for p in points if _clearance(p, outline) >= r]


def _inside(
    outline: Sequence[Point], area: Area, pitch: float, mark: float, origin: Point
) -> tuple[Item, ...]:
    if area.pattern == "dots":
        r = pitch * _DOT
        return tuple(
            Circle(x, y, r, Style(fill=area.mark))
            for x, y in dotting(outline, pitch, r + mark / 2.0, origin)
        )
    segments = tuple(
        segment
        for degrees in _DIRECTIONS[area.pattern]
        for segment in hatching(outline, degrees, pitch, origin, mark)
    )
    return (Lines(segments, Style(stroke=area.mark, width=mark)),) if segments else ()


def _layers(
    ground: Polygon, inside: tuple[Item, ...], points: tuple[Point, ...], area: Area, width: float
) -> tuple[Item, ...]:
    bottom = (ground,) if area.fill else ()
    top = (Polygon(points, Style(stroke=area.line, width=width)),) if area.line and width else ()
    return (*bottom, *inside, *top)


def _middle(points: Sequence[Point]) -> Point:
    left, top, right, bottom = bounds(points)
    return ((left + right) / 2.0, (top + bottom) / 2.0)


def _shrunk(points: Sequence[Point], middle: Point) -> tuple[Point, ...]:
    x0, y0 = middle
    return tuple((x0 + (x - x0) * _RING, y0 + (y - y0) * _RING) for x, y in points)


def _clearance(point: Point, outline: Sequence[Point]) -> float:
    """Return the distance from a point to the nearest side."""
    nearest = math.inf
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        dx, dy = bx - ax, by - ay
        along = ((point[0] - ax) * dx + (point[1] - ay) * dy) / (dx * dx + dy * dy)
        along = min(1.0, max(0.0, along))
        nearest = min(nearest, math.hypot(point[0] - ax - along * dx, point[1] - ay - along * dy))
    return nearest
