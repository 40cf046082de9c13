"""Cells of one colour without a seam.

Two polygons that share an edge, filled one after the other, show a hairline of the ground between them wherever
the edge crosses a pixel: each covers its part of the pixel, and the two parts do not add up. Filled as one path they do.
So runs of neighbours in the list that have one fill and no stroke are handed to the backends as one tuple.
A painter that wants no seams fills its cells as Polygons, sorted by colour, and strokes the edges afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pnp.geometry import Point, area
from pnp.scene import Item, Polygon


def merged(items: Iterable[Item]) -> Iterator[Item | tuple[Polygon, ...]]:
    """Yield the items in order, runs of like convex polygons as tuples, all turning the same way."""
    run: list[Polygon] = []
    for item in items:
        joins = isinstance(item, Polygon) and item.style.stroke is None and _convex(item.points)
        if run and not (joins and isinstance(item, Polygon) and item.style == run[0].style):
            yield run[0] if len(run) == 1 else tuple(run)
            run = []
        if joins and isinstance(item, Polygon):
            run.append(item if area(item.points) >= 0 else Polygon(item.points[::-1], item.style))
        else:
            yield item
    if run:
        yield run[0] if len(run) == 1 else tuple(run)


def _convex(points: tuple[Point, ...]) -> bool:
    """Whether all corners turn one way and once round; other shapes might cancel each other out in one path."""
    turns = 0
    n = len(points)
    sign = 0.0
    flips = 0
    for k in range(n):
        (ax, ay), (bx, by), (cx, cy) = points[k - 2], points[k - 1], points[k]
        cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        if cross:
            if sign * cross < 0:
                return False
            sign = cross
            turns += 1
        if (bx - ax > 0) != (cx - bx > 0):
            flips += 1
    return turns > 2 and flips <= 2
