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
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from pnp.geometry import Box, Point, bounds, shift
from pnp.options import Marks
from pnp.scene import Circle, Item, Lines, Style
from pnp.sheet.space import STRIP

WIDTH = 0.2
START = 0.5
"""How far from trim and bleed a mark begins, in mm: a cut that is a little off shows no ink."""

STYLE = Style(stroke="#000000", width=WIDTH)

_Interval = tuple[float, float]
_Segment = tuple[float, float, float, float]
_Way = tuple[int, int]
"""A direction, rounded."""


class Placed(NamedTuple):
    """A convex outline (clockwise, mm) and where its origin lies on the page. Most pieces of a sheet
    have one outline, and what follows from it alone is found out once.
    """

    outline: tuple[Point, ...]
    x: float = 0.0
    y: float = 0.0

    def corners(self) -> tuple[Point, ...]:
        """Return the outline as it lies on the page."""
        return shift(self.outline, self.x, self.y)


class _Side(NamedTuple):
    """A side on its line: the line's direction (to the right, or downwards) and distance from the
    origin, and where the side begins and ends on it. The outline lies on one `hand` of the line: at
    smaller distances (1) or at larger ones (-1).
    """

    cos: float
    sin: float
    offset: float
    ends: _Interval
    hand: float
    way: _Way


class _Cut(NamedTuple):
    """A line on which sides lie, and where they begin and end on it."""

    cos: float
    sin: float
    offset: float
    ends: list[float]
    way: _Way


def crop_marks(pieces: Sequence[Placed], kind: Marks, bleed: float = 0.0) -> tuple[Lines, ...]:
    """Return the marks for pieces as they lie on the page; () for none.

    A mark reaches at most 3 mm beyond the bleed, so the strip beside the pieces holds it.
    """
    if kind == "none" or not pieces:
        return ()
    bodies = {outline: _Body(outline, bleed) for outline in {piece.outline for piece in pieces}}
    placed = [(bodies[outline], x, y) for outline, x, y in pieces]
    segments: list[_Segment] = []
    for cos, sin, offset, ends, way in _cuts(placed):
        blocked = _merge(
            (chord[0] + x * cos + y * sin, chord[1] + x * cos + y * sin)
            for body, x, y in placed
            if -body.reach <= (off := offset - y * cos + x * sin) <= body.reach
            and (chord := body.chord(cos, sin, off, way)) is not None
        )
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


def cut_lines(outlines: Iterable[tuple[Point, ...]], width: float = WIDTH) -> tuple[Lines, ...]:
    """Return the outlines as lines for the cut layer, an edge that two pieces share only once."""
    segments: dict[tuple[tuple[int, int], ...], _Segment] = {}
    for outline in outlines:
        for k, (x0, y0) in enumerate(outline):
            x1, y1 = outline[(k + 1) % len(outline)]
            ends = sorted(((round(x0 * 1e3), round(y0 * 1e3)), (round(x1 * 1e3), round(y1 * 1e3))))
            segments.setdefault(tuple(ends), (x0, y0, x1, y1))
    style = Style(stroke="#000000", width=width)
    return (Lines(tuple(segments.values()), style),) if segments else ()


class _Body:
    """A convex outline by its sides, grown by the bleed. No corner is sharper than 30 degrees."""

    def __init__(self, outline: tuple[Point, ...], bleed: float) -> None:
        """Lines that are farther from the origin than `reach` miss the body."""
        self.sides = _sides(outline)
        self.reach = max(math.hypot(x, y) for x, y in outline) + 4.0 * bleed + 1e-2
        self._grow = bleed + 1e-4  # and by a hair, so that a line along an edge counts
        self._chords: dict[tuple[_Way, int], _Interval | None] = {}

    def chord(self, cos: float, sin: float, offset: float, way: _Way) -> _Interval | None:
        """Return the part of a line inside, None where it misses; `way` is its rounded direction."""
        key = (way, round(offset * 1e6))
        if key not in self._chords:
            self._chords[key] = self._chord(cos, sin, offset)
        return self._chords[key]

    def _chord(self, cos: float, sin: float, offset: float) -> _Interval | None:
        low, high = -math.inf, math.inf
        for side in self.sides:
            # how far outside of this side the line goes, and by how much more each mm along it
            nx, ny = -side.sin * side.hand, side.cos * side.hand
            room = self._grow + side.offset * side.hand - offset * (ny * cos - nx * sin)
            slope = nx * cos + ny * sin
            if slope > 1e-9:
                high = min(high, room / slope)
            elif slope < -1e-9:
                low = max(low, room / slope)
            elif room < 0.0:
                return None
        return (low, high) if low < high else None


def _sides(outline: tuple[Point, ...]) -> list[_Side]:
    sides = []
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        length = math.hypot(x1 - x0, y1 - y0)
        cos, sin, hand = (x1 - x0) / length, (y1 - y0) / length, -1.0
        if sin < -1e-7 or (sin < 1e-7 and cos < 0.0):
            cos, sin, hand = -cos, -sin, 1.0
        ends = (x0 * cos + y0 * sin, x1 * cos + y1 * sin)
        way = (round(cos * 1e4), round(sin * 1e4))
        sides.append(_Side(cos, sin, y0 * cos - x0 * sin, ends, hand, way))
    return sides


def _cuts(placed: Iterable[tuple[_Body, float, float]]) -> Iterable[_Cut]:
    """Return the lines on which sides lie, those a hair apart as one."""
    found: dict[tuple[_Way, int], _Cut] = {}
    for body, x, y in placed:
        for cos, sin, offset, (start, stop), _, way in body.sides:
            off, along = offset + y * cos - x * sin, x * cos + y * sin
            key = (way, round(off * 1e3))
            cut = found.get(key)
            if cut is None:
                cut = found[key] = _Cut(cos, sin, off, [], way)
            cut.ends.append(start + along)
            cut.ends.append(stop + along)
    return found.values()


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
