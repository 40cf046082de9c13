"""Points, regular polygons and hexagon coordinates. Pure, in mm, y pointing down as on a page.

A hexagon's size is flat to flat (the distance of two opposite sides) everywhere in this project.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""left, top, right, bottom"""

SQRT3 = math.sqrt(3.0)


def regular_polygon(
    sides: int, inradius: float, centre: Point = (0.0, 0.0), turn: float = 0.0
) -> tuple[Point, ...]:
    """Return the corners of a regular polygon, clockwise on the page.

    `inradius` is the distance from the centre to a side (half of flat to flat where `sides` is even).
    With `turn` 0 the first corner stands straight above the centre; `turn` is in degrees clockwise.
    """
    circumradius = inradius / math.cos(math.pi / sides)
    start = math.radians(turn - 90.0)
    step = 2.0 * math.pi / sides
    return tuple(
        (
            centre[0] + circumradius * math.cos(start + k * step),
            centre[1] + circumradius * math.sin(start + k * step),
        )
        for k in range(sides)
    )


def hexagon(width: float, centre: Point = (0.0, 0.0), *, pointy: bool = True) -> tuple[Point, ...]:
    """Return the six corners of a hexagon `width` mm flat to flat; pointy-top or flat-top."""
    return regular_polygon(6, width / 2.0, centre, 0.0 if pointy else 30.0)


def axial(q: float, r: float, width: float, *, pointy: bool = True) -> Point:
    """Return the centre in mm of the hexagon at axial (q, r), hexagons `width` mm flat to flat.

    Pointy-top: q runs to the right, r down and half a cell to the right.
    Flat-top: the same picture turned clockwise by 30 degrees about the origin: q runs right and down, r down.
    """
    if pointy:
        return (width * (q + r / 2.0), width * SQRT3 / 2.0 * r)
    return (width * SQRT3 / 2.0 * q, width * (r + q / 2.0))


def bounds(points: Iterable[Point]) -> Box:
    """Return the smallest box that holds all points. Raises ValueError for none."""
    pts = list(points)
    xs = [p[0] for p in pts]
    ys = [p[1] for p in pts]
    return (min(xs), min(ys), max(xs), max(ys))


def shift(points: Iterable[Point], dx: float, dy: float) -> tuple[Point, ...]:
    """Return the points moved by (dx, dy)."""
    return tuple((x + dx, y + dy) for x, y in points)


def rotate(
    points: Iterable[Point], degrees: float, centre: Point = (0.0, 0.0)
) -> tuple[Point, ...]:
    """Return the points turned clockwise on the page about `centre`."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    cx, cy = centre
    return tuple(
        (cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos)
        for x, y in points
    )


def midpoint(a: Point, b: Point) -> Point:
    """Return the point halfway between two points."""
    return ((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0)


def distance(a: Point, b: Point) -> float:
    """Return the distance of two points."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def area(polygon: Sequence[Point]) -> float:
    """Return the signed area of a polygon; positive where it runs clockwise on the page."""
    total = 0.0
    for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        total += x0 * y1 - x1 * y0
    return total / 2.0
