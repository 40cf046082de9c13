"""Crop marks: where cuts begin and end, drawn beside the pieces and never on one (print.md, The
sheet).

A cut is a straight line on which edges of pieces lie. Marks stand on that line, outside of all
pieces with their bleed:

    edge    beyond the first and the last piece of the line
    cross   also in the gaps between pieces, at most as long as outside
    full    all along the line, through the gaps
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pnp.geometry import Box, Point, bounds
from pnp.options import Marks
from pnp.scene import Circle, Item, Lines, Style
from pnp.sheet.space import STRIP

WIDTH = 0.2
START = 0.5
"""How far from trim and bleed a mark begins, in mm: a cut that is a little off shows no ink."""

STYLE = Style(stroke="#000000", width=WIDTH)

_Interval = tuple[float, float]
_Segment = tuple[float, float, float, float]
_Side = tuple[float, float, float, float]
"""A point of a side, and the side's outward normal."""


def crop_marks(
    outlines: Sequence[tuple[Point, ...]], kind: Marks, bleed: float = 0.0
) -> tuple[Lines, ...]:
    """Return the marks for convex outlines (clockwise, mm) as they lie on the page; () for none.

    A mark reaches at most 3 mm beyond the bleed, so the strip beside the pieces holds it.
    """
    if kind == "none" or not outlines:
        return ()
    segments: list[_Segment] = []
    rounds = [(_sides(outline), *_round(outline, bleed)) for outline in outlines]
    for (angle, offset), edges in _cuts(outlines).items():
        cos, sin = math.cos(angle), math.sin(angle)
        blocked = _merge(
            chord
            for sides, x, y, reach in rounds
            if abs(y * cos - x * sin - offset) <= reach
            and (chord := _chord(sides, cos, sin, offset, bleed)) is not None
        )
        ends = [end for edge in edges for end in edge]
        for start, stop in _marked(blocked, ends, kind, bleed):
            segments.append(
                (
                    start * cos - offset * sin,
                    start * sin + offset * cos,
                    stop * cos - offset * sin,
                    stop * sin + offset * cos,
                )
            )
    return (Lines(tuple(segments), STYLE),) if segments else ()


def _round(outline: tuple[Point, ...], bleed: float) -> tuple[float, float, float]:
    """Return middle and radius of a circle that holds a convex outline grown by the bleed, so that
    most lines that miss it are told at once. No corner is sharper than 30 degrees.
    """
    x = sum(p[0] for p in outline) / len(outline)
    y = sum(p[1] for p in outline) / len(outline)
    return x, y, max(math.dist((x, y), p) for p in outline) + 4.0 * bleed + 1e-2


def box_outline(outline: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the box round an outline: what is cut first where the outline has many corners."""
    left, top, right, bottom = bounds(outline)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def targets(box: Box, bleed: float = 0.0) -> tuple[Item, ...]:
    """Return the registration targets of a sheet that is printed on both sides: a ring and a cross
    beyond each corner of the box round all pieces, between the crop marks there (P18).
    """
    away = bleed + (START + STRIP) / 2.0
    spots = [(x, y) for x in (box[0] - away, box[2] + away) for y in (box[1] - away, box[3] + away)]
    arm = (STRIP - START) / 2.0
    lines = [
        segment
        for x, y in spots
        for segment in ((x - arm, y, x + arm, y), (x, y - arm, x, y + arm))
    ]
    return (Lines(tuple(lines), STYLE), *(Circle(x, y, 0.75, STYLE) for x, y in spots))


def cut_lines(outlines: Sequence[tuple[Point, ...]], width: float = WIDTH) -> tuple[Lines, ...]:
    """Return the outlines as lines for the cut layer, an edge that two pieces share only once."""
    segments: dict[tuple[tuple[int, int], ...], _Segment] = {}
    for outline in outlines:
        for k, (x0, y0) in enumerate(outline):
            x1, y1 = outline[(k + 1) % len(outline)]
            ends = sorted(((round(x0 * 1e3), round(y0 * 1e3)), (round(x1 * 1e3), round(y1 * 1e3))))
            segments.setdefault(tuple(ends), (x0, y0, x1, y1))
    style = Style(stroke="#000000", width=width)
    return (Lines(tuple(segments.values()), style),) if segments else ()


def _cuts(outlines: Sequence[tuple[Point, ...]]) -> dict[tuple[float, float], list[_Interval]]:
    """Return the lines on which edges lie, as (angle in [0, π), offset), each with its edges."""
    found: dict[tuple[float, float], list[_Interval]] = defaultdict(list)
    keys: dict[tuple[int, int], tuple[float, float]] = {}
    for outline in outlines:
        for k, (x0, y0) in enumerate(outline):
            x1, y1 = outline[(k + 1) % len(outline)]
            angle = math.atan2(y1 - y0, x1 - x0) % math.pi
            if math.pi - angle < 1e-7:
                angle = 0.0
            cos, sin = math.cos(angle), math.sin(angle)
            offset = y0 * cos - x0 * sin
            near = (round(angle * 1e4), round(offset * 1e3))
            key = keys.setdefault(near, (angle, offset))
            a, b = x0 * cos + y0 * sin, x1 * cos + y1 * sin
            found[key].append((min(a, b), max(a, b)))
    return found


def _sides(outline: tuple[Point, ...]) -> list[_Side]:
    """Return a point of each side of a convex outline (clockwise) and the side's outward normal."""
    sides: list[_Side] = []
    for k, (x0, y0) in enumerate(outline):
        x1, y1 = outline[(k + 1) % len(outline)]
        length = math.hypot(x1 - x0, y1 - y0)
        sides.append((x0, y0, (y1 - y0) / length, (x0 - x1) / length))
    return sides


def _chord(
    sides: list[_Side], cos: float, sin: float, offset: float, bleed: float
) -> _Interval | None:
    """Return the part of a line inside a convex outline grown by the bleed (and by a hair, so that
    a line along an edge counts), None where it misses."""
    low, high = -math.inf, math.inf
    grow = bleed + 1e-4
    x, y = -offset * sin, offset * cos
    for x0, y0, nx, ny in sides:
        room = grow - nx * (x - x0) - ny * (y - y0)
        slope = nx * cos + ny * sin
        if slope > 1e-9:
            reach = room / slope
            if reach < high:
                high = reach
        elif slope < -1e-9:
            reach = room / slope
            if reach > low:
                low = reach
        elif room < 0.0:
            return None
    return (low, high) if low < high else None


def _merge(intervals: Iterable[_Interval]) -> list[_Interval]:
    """Return intervals as a union, ascending; those a hair apart are one."""
    merged: list[_Interval] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1] + 1e-3:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _marked(
    blocked: list[_Interval], ends: list[float], kind: Marks, bleed: float
) -> list[_Interval]:
    """Return the marks on one line: in its free parts, from the end of an edge outwards."""
    near = 2.5 * bleed + 1e-2
    length = STRIP - START
    found: list[_Interval] = []

    def is_end(t: float) -> bool:
        return any(abs(t - end) <= near for end in ends)

    if is_end(blocked[0][0]):
        found.append((blocked[0][0] - STRIP, blocked[0][0] - START))
    for (_, low), (high, _) in pairwise(blocked):
        room = high - low - 2.0 * START
        if kind == "edge" or room < WIDTH:
            continue
        if kind == "full" or room <= 2.0 * length:
            if is_end(low) or is_end(high):
                found.append((low + START, high - START))
            continue
        if is_end(low):
            found.append((low + START, low + STRIP))
        if is_end(high):
            found.append((high - STRIP, high - START))
    if is_end(blocked[-1][1]):
        found.append((blocked[-1][1] + START, blocked[-1][1] + STRIP))
    return found
