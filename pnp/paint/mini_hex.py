"""Small Hex boards to colour in, each below a line for two names. Pure, in mm.

A picture is `NAME_LINE` mm of writing line and the board below it; its origin is the top left corner
of the box round both. Everything lies inside that box, edges and strokes too, so that pictures may
stand as close as their outlines do. The writing line is as long as the board's top row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from pnp.boards import rhombus
from pnp.fonts import FontSet
from pnp.geometry import Box, Point, midpoint, regular_polygon
from pnp.paint import patterns
from pnp.scene import Curve, Item, Line, Lines, Polygon, Style, Text
from pnp.themes import Theme

NAME_LINE = 8.0
"""Height of the line for names above each board (print.md, mini-hex)."""

SWAP, WINNER = "swap", "winner"
SHORT_LINE = 28.0
"""A shorter line has S and W for the words beside its boxes."""

_LONG_LINE = 70.0
_PALE = 0.3
_LINE = 0.16
_FRAME = 0.55
_NOTCH = 0.17
_STONE = 0.39


def picture_size(n: int, cell: float) -> tuple[float, float]:
    """Return width and height of a picture, board n × n, cells `cell` mm flat to flat."""
    left, top, right, bottom = _unit_box(n)
    return (cell * (right - left), NAME_LINE + cell * (bottom - top))


def centre(n: int, cell: float, index: int) -> Point:
    """Return the middle of a cell of the picture."""
    return _placed(n, cell, rhombus(n).centres[index])


@lru_cache(maxsize=32)
def board(n: int, cell: float, theme: Theme) -> tuple[Item, ...]:
    """Return the board of a picture: pale cells and the two players' edges.

    The first player's edges (top and bottom) and the second's are told apart by their pattern.
    """
    pale = Lines(_inner_edges(n, cell), Style(stroke=theme.colour("pale"), width=_PALE))
    return (pale, *_edges(n, cell, theme))


def cell_names(n: int, cell: float, indices: Iterable[int], theme: Theme) -> tuple[Item, ...]:
    """Return the names of some cells, small in their middles."""
    size, soft = cell * 0.27, theme.colour("soft")
    return tuple(
        Text(*centre(n, cell, i), rhombus(n).labels[i], size, soft, "middle", "ink")
        for i in indices
    )


def name_line(length: float, theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    """Return the line for two names, each after its box to fill, with a swap and a winner box.

    Long lines stand in one row, shorter ones in two; the boxes to fill look like the players' edges.
    """
    if length >= _LONG_LINE:
        return _one_row(length, theme, fonts)
    return _two_rows(length, theme, fonts)


def caption(
    number: int, words: str, length: float, theme: Theme, fonts: FontSet
) -> tuple[Item, ...] | None:
    """Return a puzzle's number and words in the line above it, None where they do not fit."""
    head = f"{number}."
    size = 2.9
    while size >= 1.9:
        indent = fonts.width(head, size, "bold") + 0.3 * size
        lines = _wrapped(words, length - indent, size, fonts)
        if lines is not None and len(lines) * size * 1.2 <= NAME_LINE - 1.2:
            base = NAME_LINE - 1.2 - (len(lines) - 1) * size * 1.2
            items: list[Item] = [Text(0.0, base, head, size, theme.colour("ink"), weight="bold")]
            items += [
                Text(indent, base + k * size * 1.2, line, size, theme.colour("ink"))
                for k, line in enumerate(lines)
            ]
            return tuple(items)
        size -= 0.1
    return None


def stone(cell: float, role: str, theme: Theme) -> tuple[Item, ...]:
    """Return a stone about (0, 0); role is "red" or "blue". It leaves the edges' bands free."""
    width = 0.03 * cell
    area = theme.area(role)
    radius = min(_STONE * cell, cell / 2.0 - _depth(cell) - 0.1) - width / 2.0
    return patterns.circle(0.0, 0.0, radius, area, width=width, mark=0.05 * cell, pitch=0.2 * cell)


def move(cell: float, number: int, role: str, theme: Theme) -> tuple[Item, ...]:
    """Return a numbered stone of an answer about (0, 0)."""
    size = cell * (0.4 if number < 10 else 0.32)
    number_on = Text(
        0.0, 0.0, str(number), size, theme.area(role).text, "middle", "ink", weight="bold"
    )
    return (*stone(cell, role, theme), number_on)


@lru_cache(maxsize=32)
def _unit_box(n: int) -> Box:
    return rhombus(n).box


def _placed(n: int, cell: float, point: Point) -> Point:
    left, top, _, _ = _unit_box(n)
    return ((point[0] - left) * cell, NAME_LINE + (point[1] - top) * cell)


def _inner_edges(n: int, cell: float) -> tuple[tuple[float, float, float, float], ...]:
    """Return each side that two cells share, once."""
    shape, edges = rhombus(n), []
    for i, near in enumerate(shape.neighbours):
        corners = {(round(x, 6), round(y, 6)): (x, y) for x, y in shape.outlines[i]}
        for j in near:
            if j < i:
                continue
            shared = {(round(x, 6), round(y, 6)) for x, y in shape.outlines[j]}
            a, b = (_placed(n, cell, corners[key]) for key in corners if key in shared)
            edges.append((*a, *b))
    return tuple(edges)


def _depth(cell: float) -> float:
    """How far the edges' bands reach into their cells, in mm."""
    return min(1.2, max(0.75, 0.13 * cell))


def _edges(n: int, cell: float, theme: Theme) -> tuple[Item, ...]:
    """Return the four edges as bands along the inside of the board's outline."""
    thick = _depth(cell)
    first, second, third, fourth = _chains(n, cell)
    outline = [p for chain in (first, second, third, fourth) for p in chain[:-1]]
    outer, inner = _inset(outline, _LINE / 2.0), _inset(outline, thick)
    items: list[Item] = []
    start = 0
    for chain, whole in ((first, True), (second, False), (third, True), (fourth, False)):
        span = [(start + k) % len(outline) for k in range(len(chain))]
        items += _band([outer[k] for k in span], [inner[k] for k in span], theme, whole=whole)
        start += len(chain) - 1
    return tuple(items)


def _band(
    outer: Sequence[Point], inner: Sequence[Point], theme: Theme, *, whole: bool
) -> tuple[Item, ...]:
    """Return a band between two lines: the first player's whole, the second's a bar on each side."""
    if whole:
        style = theme.area("red-edge").style(_LINE)
        return (Polygon((*outer, *reversed(inner)), style),)
    style = theme.area("blue-edge").style(_LINE)
    return tuple(
        Polygon((_on(a, b, _NOTCH), _on(b, a, _NOTCH), _on(d, c, _NOTCH), _on(c, d, _NOTCH)), style)
        for a, b, c, d in zip(outer, outer[1:], inner, inner[1:], strict=False)
    )


def _on(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _chains(n: int, cell: float) -> tuple[tuple[Point, ...], ...]:
    """Return the outline clockwise as top, right, bottom, left; each begins where the last ends.

    A corner cell belongs to both its edges (hex-colours): its outer sides are shared out evenly.
    """
    grid = [
        tuple(_placed(n, cell, p) for p in outline) for outline in rhombus(n).outlines
    ]  # corners clockwise from the top one
    top = [grid[0][5]]
    for x in range(n):
        top += [grid[x][0], grid[x][1]]
    right = []
    for y in range(n):
        right += [grid[y * n + n - 1][1], grid[y * n + n - 1][2]]
    bottom = [grid[n * n - 1][2]]
    for x in reversed(range(n)):
        bottom += [grid[n * n - n + x][3], grid[n * n - n + x][4]]
    left = []
    for y in reversed(range(n)):
        left += [grid[y * n][4], grid[y * n][5]]
    upper, lower = midpoint(*grid[n - 1][0:2]), midpoint(*grid[n * n - n][3:5])
    top[-1], bottom[-1] = upper, lower
    return (tuple(top), (upper, *right), tuple(bottom), (lower, *left))


def _inset(outline: list[Point], by: float) -> list[Point]:
    """Return a clockwise outline with every side moved inwards."""
    moved = []
    for i, (x, y) in enumerate(outline):
        (ax, ay), (bx, by_) = outline[i - 1], outline[(i + 1) % len(outline)]
        first, second = math.hypot(x - ax, y - ay), math.hypot(bx - x, by_ - y)
        ux, uy = (ay - y) / first, (x - ax) / first
        vx, vy = (y - by_) / second, (bx - x) / second
        share = by / (1.0 + ux * vx + uy * vy)
        moved.append((x + (ux + vx) * share, y + (uy + vy) * share))
    return moved


def _two_rows(length: float, theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    box, size = 3.4, 2.0
    words = (SWAP, WINNER) if length >= SHORT_LINE else ("S", "W")
    wide = max(fonts.width(word, size) for word in words)
    items: list[Item] = []
    rows = ((0.1, True, words[0]), (3.9, False, words[1]))
    for top, whole, word in rows:
        foot = top + box
        right = length - box
        items += _legend(0.0, top, box, theme, whole=whole)
        items.append(_write(box + 1.0, right - 0.8 - wide - 1.4, foot, theme))
        items.append(Text(right - 0.8, foot - 0.9, word, size, theme.colour("soft"), "end"))
        items += _box(right, top, box, theme)
    return (*items, _star(length - box / 2.0, 3.9 + box / 2.0, box, theme))


def _one_row(length: float, theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    size, box, small, foot = 2.0, 5.4, 4.6, NAME_LINE - 0.8
    swap, winner = (max(small, fonts.width(word, size)) for word in (SWAP, WINNER))
    each = (length - swap - winner - 1.6 - 2 * 2.0) / 2.0
    items: list[Item] = []
    for left, whole in ((0.0, True), (each + 2.0, False)):
        items += _legend(left, foot - box, box, theme, whole=whole)
        items.append(_write(left + box + 1.0, left + each, foot, theme))
    for word, middle in ((SWAP, length - winner - 1.6 - swap / 2.0), (WINNER, length - winner / 2)):
        items += _box(middle - small / 2.0, foot - small, small, theme)
        items.append(
            Text(middle, foot - small - 0.6, word, size, theme.colour("soft"), anchor="middle")
        )
    return (*items, _star(length - winner / 2.0, foot - small / 2.0, small, theme))


def _legend(left: float, top: float, side: float, theme: Theme, *, whole: bool) -> tuple[Item, ...]:
    """A box to fill with one's pen; its frame looks like the edges of that player."""
    outer, inner = _square(left, top, side, _LINE / 2.0), _square(left, top, side, _FRAME)
    if whole:
        # The inner ring runs the other way round, so that it is a hole.
        steps = (*_ring(outer), *_ring((inner[0], *reversed(inner[1:]))))
        return (Curve(steps, theme.area("red-edge").style(_LINE)),)
    return _band((*outer, outer[0]), (*inner, inner[0]), theme, whole=False)


def _ring(points: tuple[Point, ...]) -> tuple[tuple[str | float, ...], ...]:
    return (("M", *points[0]), *(("L", *point) for point in points[1:]), ("Z",))


def _square(left: float, top: float, side: float, inset: float) -> tuple[Point, ...]:
    low, high = inset, side - inset
    return tuple(
        (left + x, top + y) for x, y in ((low, low), (high, low), (high, high), (low, high))
    )


def _box(left: float, top: float, side: float, theme: Theme) -> tuple[Item, ...]:
    return (Polygon(_square(left, top, side, 0.125), theme.line("grid", 0.25)),)


def _write(left: float, right: float, foot: float, theme: Theme) -> Item:
    return Line(((left, foot - 0.125), (right, foot - 0.125)), theme.line("grid", 0.25))


def _star(x: float, y: float, box: float, theme: Theme) -> Item:
    """A pale star in the winner's box."""
    tips = regular_polygon(5, box * 0.34 * math.cos(math.pi / 5), (x, y))
    dents = regular_polygon(5, box * 0.15 * math.cos(math.pi / 5), (x, y), 36.0)
    points = tuple(p for pair in zip(tips, dents, strict=True) for p in pair)
    return Polygon(points, theme.line("pale", 0.2))


def _wrapped(words: str, width: float, size: float, fonts: FontSet) -> list[str] | None:
    """Return `words` as one or two lines no wider than `width`, None for more."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if fonts.width(longer, size) <= width:
            lines[-1] = longer
        elif fonts.width(word, size) > width or len(lines) == 2:
            return None
        else:
            lines.append(word)
    return lines
