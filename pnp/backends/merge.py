"""Cells of one colour without a seam.

Two polygons that share an edge, filled one after the other, show a hairline of the ground between
them wherever the edge crosses a pixel: each covers its part of the pixel, and the two parts do not
add up to a whole. Filled as one path they do. So neighbours in the list that have one fill and no
stroke are handed to the backends as one Run. A painter that wants no seams fills its cells as
Polygons, those of one colour one after the other, and strokes the edges afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pnp.geometry import Point
from pnp.scene import Item, Polygon, Style


class Run(NamedTuple):
    """Polygons of one fill, all turning the same way."""

    polygons: tuple[Polygon, ...]
    style: Style


def merged(items: Iterable[Item]) -> Iterator[Item | Run]:
    """Yield the items in order, runs of like polygons as one.

    Only polygons whose corners all turn one way are joined: no part of one can then cancel a part
    of another under the non-zero rule of filling.
    """
    run: list[Polygon] = []
    for item in items:
        turn = _turn(item.points) if isinstance(item, Polygon) and item.style.stroke is None else 0
        if not turn or not isinstance(item, Polygon):
            yield from _ended(run)
            yield item
            continue
        if run and item.style != run[0].style:
            yield from _ended(run)
        run.append(item if turn > 0 else Polygon(item.points[::-1], item.style))
    yield from _ended(run)


def _ended(run: list[Polygon]) -> Iterator[Polygon | Run]:
    """Yield what the run amounts to, and empty it."""
    if run:
        yield run[0] if len(run) == 1 else Run(tuple(run), run[0].style)
        run.clear()


def _turn(points: tuple[Point, ...]) -> int:
    """Return 1 where all corners turn clockwise on the page, -1 where all turn back, else 0."""
    if len(points) < 3:
        return 0
    (ax, ay), (bx, by) = points[-2:]
    ux, uy = bx - ax, by - ay
    left = right = False
    for x, y in points:
        vx, vy = x - bx, y - by
        cross = ux * vy - uy * vx
        if cross > 0:
            right = True
        elif cross < 0:
            left = True
        bx, by, ux, uy = x, y, vx, vy
    return 0 if left == right else 1 if right else -1
