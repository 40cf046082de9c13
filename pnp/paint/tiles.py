"""Faces and backs of tiles on any regular polygon: the one drawing for prints and diagrams. Pure, in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pnp.errors import PnpError
from pnp.fonts import FontSet
from pnp.geometry import Point
from pnp.paint import patterns
from pnp.scene import Circle, Curve, Group, Item, Line, Style, Text
from pnp.themes import Area, Theme, family_role
from pnp.tiles import Mark, Track, TrackStyle, overrun, points, track
from pnp.units import format_mm

NODE = 1.6
"""The diameter of the dot at each end of a mark, in widths of its line (print.md)."""

_SURPLUS = 1.0
"""How far beyond what is needed a mark runs out, in mm: long enough to have a direction still when
a file rounds its figures.
"""
_ARC_STEP = 30.0
"""The most that one cubic spans, in degrees: an arc of 100 mm is then true to 0.0002 mm."""
_CODE_SIZES = (2.4, 2.2, 2.0, 1.8, 1.6)
_CODE_EDGE = 1.0
"""How far a code stays from the outline, in mm."""
_CODE_MARK = 0.5
"""How far a code stays from the mark, in mm."""


class Look(NamedTuple):
    """How the tiles of a set are drawn.

    width    of the marks, in mm
    style    straight marks or arcs
    nodes    a dot at each end of a mark
    colours  each kind in the colours of its family, else black on white
    codes    each kind's name small on its tile
    bleed    how far ground and marks run past the trim, in mm
    """

    width: float = 2.0
    style: TrackStyle = "straight"
    nodes: bool = False
    colours: bool = False
    codes: bool = True
    bleed: float = 0.0


def line_width(asked: float, given: bool, tile: float) -> float:
    """Return the width of marks for tiles of `tile` mm: as given, else thinner on very small tiles.

    Raises PnpError where the width that was given is more than a third of the tile.
    """
    if not given:
        return min(asked, tile / 6.0)
    if asked > tile / 3.0 + 1e-9:
        raise PnpError(
            f"--line-width {format_mm(asked)} is too wide for tiles of {format_mm(tile)};"
            f" take {math.floor(tile / 0.03) / 100.0:g} mm or less"
        )
    return asked


def face(
    mark: Mark,
    corners: Sequence[Point],
    look: Look,
    theme: Theme,
    *,
    kind: str,
    fonts: FontSet | None = None,
) -> tuple[Item, ...]:
    """Return a tile's face about (0, 0): ground, mark, nodes, and with `fonts` its code.

    Marks and nodes run past the trim and are to be clipped to it (or to it grown by the bleed).
    """
    area, ink = inks(kind, look, theme)
    line = track(mark, corners, look.style)
    items: list[Item] = [*ground(area, corners, look.bleed), stroke(line, corners, look, ink)]
    if look.nodes:
        dot = Style(fill=ink)
        items += [Circle(*end, NODE / 2.0 * look.width, dot) for end in (line.start, line.end)]
    if look.codes and fonts is not None:
        code = code_text(kind, line, corners, look, fonts)
        if code is not None:
            colour = area.text if look.colours else theme.colour("soft")
            items.append(code._replace(colour=colour))
    return tuple(items)


def inks(kind: str, look: Look, theme: Theme) -> tuple[Area, str]:
    """Return a kind's ground and the ink of its mark."""
    if not look.colours:
        return theme.area("tile"), theme.colour("tile-mark")
    area = theme.area(family_role(kind))
    return area, area.line or theme.colour("tile-mark")


def ground(area: Area, corners: Sequence[Point], bleed: float = 0.0) -> tuple[Item, ...]:
    """Return the ground of a face or a back, as far as the bleed; without an outline."""
    if area.fill is None and area.pattern == "solid":
        return ()
    outline = _grown(corners, bleed)
    size = 2.0 * _inradius(corners)
    bare = Area(area.fill, None, area.text, area.pattern, area.mark)
    pitch = max(size * 0.1, 1.4)
    return patterns.polygon(
        outline, bare, width=0.0, pitch=pitch, mark=max(pitch * 0.11, 0.15), origin=(0.0, 0.0)
    )


def back(
    corners: Sequence[Point], theme: Theme, *, patterned: bool, bleed: float = 0.0
) -> tuple[Item, ...]:
    """Return a tile's back about (0, 0): the theme's, with its pattern or plain."""
    area = theme.area("tile-back")
    if not patterned:
        area = area._replace(pattern="solid")
    return ground(area, corners, bleed)


def stroke(line: Track, corners: Sequence[Point], look: Look, ink: str) -> Item:
    """Return a mark's line, run out beyond both ends until nothing of it can be missed."""
    ways = line.ways_out()
    first, last = (
        _moved(at, way, overrun(at, way, corners, look.width, look.bleed) + _SURPLUS)
        for at, way in zip((line.start, line.end), ways, strict=True)
    )
    style = Style(stroke=ink, width=look.width)
    if line.centre is None:
        path = (first, last) if line.bend is None else (first, line.bend, last)
        return Line(path, style)
    steps: list[tuple[str | float, ...]] = [("M", *first), ("L", *line.start)]
    return Curve((*steps, *_cubics(line), ("L", *last)), style)


def _cubics(line: Track) -> list[tuple[str | float, ...]]:
    """Return an arc as cubic pieces."""
    start, sweep = line.angles
    count = max(1, math.ceil(abs(sweep) / _ARC_STEP - 1e-9))
    step = math.radians(sweep / count)
    pull = 4.0 / 3.0 * math.tan(step / 4.0) * line.radius
    steps: list[tuple[str | float, ...]] = []
    for k in range(count):
        a, b = math.radians(start) + k * step, math.radians(start) + (k + 1) * step
        end = _on(line, b) if k + 1 < count else line.end
        x0, y0 = _on(line, a) if k else line.start
        steps.append(
            (
                "C",
                *(x0 - pull * math.sin(a), y0 + pull * math.cos(a)),
                *(end[0] + pull * math.sin(b), end[1] - pull * math.cos(b)),
                *end,
            )
        )
    return steps


def _on(line: Track, angle: float) -> Point:
    assert line.centre is not None
    return (
        line.centre[0] + line.radius * math.cos(angle),
        line.centre[1] + line.radius * math.sin(angle),
    )


def code_text(
    kind: str, line: Track, corners: Sequence[Point], look: Look, fonts: FontSet
) -> Text | None:
    """Return a kind's code where it is clear of the mark, at a corner or a side; None where the tile
    is too small for it.
    """
    way = line.along(24)
    for size in _CODE_SIZES:
        left, top, right, bottom = fonts.ink(kind, size)
        half = ((right - left) / 2.0, (bottom - top) / 2.0)
        best: tuple[float, float, Point] | None = None
        for number, point in enumerate(points(corners)):
            at = _tucked(point, half, corners)
            room = _box_distance(way, at, half) - look.width / 2.0
            ends = _box_distance((line.start, line.end), at, half)
            if room < _CODE_MARK or (look.nodes and ends < look.width * NODE / 2.0 + _CODE_MARK):
                continue
            # Corners hold a code best, the lower ones first; beyond 2 mm more room is no gain.
            rank = (round(min(room, 2.0), 3), (number % 2 == 0) + at[1] * 1e-3)
            if best is None or rank > best[:2]:
                best = (*rank, at)
        if best is not None:
            return Text(*best[2], kind, size, anchor="middle", valign="ink")
    return None


def _tucked(point: Point, half: Point, corners: Sequence[Point]) -> Point:
    """Return the middle of a box of this half size pushed from the middle of the tile towards a
    point until it is as near the outline as it may come.
    """
    reach = 1.0
    for k, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(k + 1) % len(corners)]
        length = math.hypot(x1 - x0, y1 - y0)
        nx, ny = (y1 - y0) / length, (x0 - x1) / length
        room = x0 * nx + y0 * ny - _CODE_EDGE - abs(nx) * half[0] - abs(ny) * half[1]
        out = point[0] * nx + point[1] * ny
        if out > 1e-9:
            reach = min(reach, room / out)
    return (point[0] * max(reach, 0.0), point[1] * max(reach, 0.0))


def _box_distance(points: Iterable[Point], middle: Point, half: Point) -> float:
    """Return how far the nearest of the points is from a box, 0 inside."""
    mx, my = middle
    wide, high = half
    least = math.inf
    for x, y in points:
        dx, dy = abs(x - mx) - wide, abs(y - my) - high
        away = (dx * dx if dx > 0.0 else 0.0) + (dy * dy if dy > 0.0 else 0.0)
        if away < least:
            least = away
    return math.sqrt(least)


def _moved(at: Point, way: Point, by: float) -> Point:
    return (at[0] + way[0] * by, at[1] + way[1] * by)


def _inradius(corners: Sequence[Point]) -> float:
    (x0, y0), (x1, y1) = corners[0], corners[1]
    return math.hypot((x0 + x1) / 2.0, (y0 + y1) / 2.0)


def _grown(corners: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Return a regular polygon about (0, 0) with its sides moved outwards."""
    if not by:
        return tuple(corners)
    scale = 1.0 + by / _inradius(corners)
    return tuple((x * scale, y * scale) for x, y in corners)


def clipped(items: tuple[Item, ...], corners: Sequence[Point]) -> Group:
    """Return a face cut by its outline, for pictures that no sheet clips."""
    return Group(items, clip=tuple(corners))
