"""The line that shows the spiral's way. Pure, in mm."""

from __future__ import annotations

import math
from itertools import pairwise

from pnp.geometry import Box, Point, midpoint
from pnp.paint.spiral_cells import outside
from pnp.scene import Circle, Item, Line, Polygon, Style
from pnp.themes import Theme


def paint_way(stations: list[Point], cell: float, theme: Theme, boxes: list[Box]) -> list[Item]:
    """Return a line through all stations with a point between any two, on a pale ground that shows
    it on dark cells too; open where it would cross one of `boxes`, the labels'."""
    colour, paper = theme.colour("way"), theme.colour("paper")
    width = cell * 0.026
    pen = Style(stroke=colour, width=width, cap="round", join="round")
    ground = pen._replace(stroke=paper, width=width * 2.2)
    near = width * 1.2
    kept = [(x0 - near, y0 - near, x1 + near, y1 + near) for x0, y0, x1, y1 in boxes]
    lines: list[list[Point]] = []
    points: list[tuple[Point, ...]] = []
    for a, b in pairwise(stations):
        pieces = outside(a, b, kept)
        for start, end in pieces:
            if lines and start == lines[-1][-1]:
                lines[-1].append(end)
            else:
                lines.append([start, end])
        if pieces:
            points.append(_point(*max(pieces, key=lambda piece: math.dist(*piece)), cell))
    items: list[Item] = [Line(tuple(line), ground) for line in lines]
    items += [Polygon(p, Style(stroke=paper, width=width, join="round")) for p in points]
    items += [Line(tuple(line), pen) for line in lines]
    items += [Polygon(p, Style(fill=colour)) for p in points]
    for at, style in ((stations[0], Style(fill=colour)), (stations[-1], pen._replace(fill=paper))):
        if not any(x0 < at[0] < x1 and y0 < at[1] < y1 for x0, y0, x1, y1 in kept):
            items.append(Circle(*at, cell * 0.055, style))
    return items


def _point(a: Point, b: Point, cell: float) -> tuple[Point, ...]:
    """An arrow's point on the way from a to b, in its middle, between the counters."""
    length = math.dist(a, b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    x, y = midpoint(a, b)
    long, wide = 0.06 * cell, 0.055 * cell
    back = (x - ux * long, y - uy * long)
    return (
        (x + ux * long, y + uy * long),
        (back[0] - uy * wide, back[1] + ux * wide),
        (back[0] + uy * wide, back[1] - ux * wide),
    )
