"""The Hex board: the one drawing for prints and for the referee's diagrams. Pure, in mm.

Everything is worked out with the middle of a1 at (0, 0), then moved to the picture's top left
corner.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from pnp.boards import column_letters, rhombus
from pnp.geometry import SQRT3, Box, Point, axial, bounds
from pnp.paint import patterns
from pnp.paint.hex_frame import (
    Segment,
    edge_width,
    half_turn,
    hex_frame,
    mirror,
    outer_edge,
    spun,
)
from pnp.scene import Circle, Item, Lines, Polygon, Scene, Style, Text, Use
from pnp.themes import Theme

CellStyle = Literal["hexagons", "circles", "points"]
Coordinates = Literal["none", "two", "four"]

SMALLEST_LABEL = 1.8
"""The smallest font size in mm of a coordinate; a cell that cannot hold it gets none."""

_HOLE = 0.9
"""Diameter of a cell drawn as a circle, in cells."""


class PaintedBoard(NamedTuple):
    """A board as drawn: the picture, and where its cells are, so that stones can be put on.

    centres   the middle of each cell in mm, in the order of pnp.boards.rhombus(n)
    cell      the width of a cell in mm, flat to flat
    labelled  False where coordinates were asked for and the cells are too small for them
    """

    scene: Scene
    centres: tuple[Point, ...]
    cell: float
    labelled: bool


class _Label(NamedTuple):
    """A coordinate: the middle of its box, half the box's width, and its baseline, in mm."""

    text: str
    x: float
    y: float
    half: float
    baseline: float


def hex_board_size(
    n: int,
    cell: float,
    *,
    labels: Coordinates = "two",
    pointy: bool = True,
) -> tuple[float, float]:
    """Return the width and height in mm of the picture that `paint_hex_board` makes."""
    left, top, right, bottom = _extent(n, cell, labels, pointy)
    return right - left, bottom - top


@lru_cache(maxsize=32)
def paint_hex_board(
    n: int,
    cell: float,
    theme: Theme,
    *,
    labels: Coordinates = "two",
    style: CellStyle = "hexagons",
    pointy: bool = True,
) -> PaintedBoard:
    """Return the empty board of n × n cells, each `cell` mm flat to flat (ruling hex-board).

    Red's edges are the top and the bottom, Blue's the left and the right; the theme tells them
    apart by pattern as well. Letters stand in the line of their column, numbers in the line of
    their row, on the top and the left or on all sides. Raises ValueError for n outside 1 to 30.
    """
    left, top, right, bottom = _extent(n, cell, labels, pointy)
    frame = hex_frame(n, cell, style != "hexagons", pointy).moved(-left, -top)
    centres = tuple((x - left, y - top) for x, y in _centres(n, cell, pointy))
    items: list[Item] = []
    line = _line_width(cell)
    pitch = min(max(cell * 0.16, 0.7), 2.0)
    corner = (centres[0][0] + centres[-1][0], centres[0][1] + centres[-1][1])
    for side, role in (("top", "red"), ("left", "blue")):
        strip = patterns.polygon(
            frame.strips[side],
            theme.area(f"{role}-edge"),
            width=0.0,
            pitch=pitch,
            mark=pitch * 0.3,
            origin=centres[0],
        )
        items += [*strip, *_upside_down(strip, corner)]
    items.append(Polygon(frame.inner, Style(fill=theme.area("cell").fill)))
    symbols: dict[str, tuple[Item, ...]] = {}
    items += _cells(n, cell, theme, style, pointy, centres, symbols)
    rim = Style(stroke=theme.colour("border"), width=line * 1.6, join="round")
    items.append(Polygon(frame.inner, rim))
    items.append(Lines(frame.joints, rim))
    items.append(Polygon(frame.outer, rim))
    size = label_size(n, cell)
    labelled = labels == "none" or size is not None
    if size is not None:
        soft = theme.colour("soft")
        for label in _labels(n, cell, labels, pointy, size):
            at = (label.x - left, label.baseline - top)
            items.append(Text(*at, label.text, size, soft, "middle"))
    scene = Scene(right - left, bottom - top, tuple(items), symbols, f"Hex board {n} × {n}")
    return PaintedBoard(scene, centres, cell, labelled)


def _upside_down(items: Iterable[Item], corner: Point) -> Iterable[Item]:
    """Yield the items of the opposite edge: the board looks the same upside down."""
    x, y = corner
    for item in items:
        if isinstance(item, Polygon):
            yield Polygon(tuple(half_turn(p, corner) for p in item.points), item.style)
        elif isinstance(item, Lines):
            turned = tuple((x - a, y - b, x - c, y - d) for a, b, c, d in item.segments)
            yield Lines(turned, item.style)
        elif isinstance(item, Circle):
            yield Circle(x - item.x, y - item.y, item.r, item.style)


def label_size(n: int, cell: float) -> float | None:
    """Return the font size in mm of the coordinates, None where the cells are too small for any."""
    widest = 0.72 if n < 10 else 1.36  # "m" or a digit, or two digits, in ems of DejaVu Sans
    size = min(max(cell * 0.36, 2.2), 5.5, (cell * 0.95) / widest)
    return size if size >= SMALLEST_LABEL else None


def counter_size(cell: float, style: CellStyle) -> float:
    """Return the largest round counter in mm for a board, rounded down to 0.1 mm: inside its
    circle, or half a millimetre clear of its neighbours."""
    room = cell * _HOLE if style == "circles" else cell - 0.5
    return max(math.floor(room * 10.0 + 1e-6) / 10.0, 0.0)


def clear_lines(board: PaintedBoard) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return where a straight line crosses the picture and no coordinate: x of the upright ones, y
    of the level ones, in mm, ascending, one in the middle of each gap and about a cell apart
    elsewhere.
    """
    texts = [item for item in board.scene.items if isinstance(item, Text)]
    boxes = []
    for text in texts:
        half = max(0.34 * len(text.text), 0.5) * text.size
        boxes.append(
            (text.x - half, text.y - 0.8 * text.size, text.x + half, text.y + 0.3 * text.size)
        )
    step = board.cell / 2.0
    return (
        tuple(_clear([(b[0], b[2]) for b in boxes], board.scene.width, step)),
        tuple(_clear([(b[1], b[3]) for b in boxes], board.scene.height, step)),
    )


def _clear(taken: list[tuple[float, float]], whole: float, step: float) -> Iterable[float]:
    """Yield positions in the gaps between intervals."""
    low = 0.0
    for start, end in [*sorted(taken), (whole, whole)]:
        if start - low > 1.0:
            count = max(1, int((start - low) / step))
            yield from (low + (start - low) * (k + 0.5) / count for k in range(count))
        low = max(low, end)


def _line_width(cell: float) -> float:
    return min(max(cell * 0.02, 0.15), 0.35)


def _centres(n: int, cell: float, pointy: bool) -> tuple[Point, ...]:
    return tuple((x * cell, y * cell) for x, y in rhombus(n, pointy=pointy).centres)


def _cells(
    n: int,
    cell: float,
    theme: Theme,
    style: CellStyle,
    pointy: bool,
    centres: tuple[Point, ...],
    symbols: dict[str, tuple[Item, ...]],
) -> list[Item]:
    """Return what tells the cells apart inside the rim; symbols that it uses are added."""
    pen = Style(stroke=theme.colour("grid"), width=_line_width(cell), cap="round")
    if style == "hexagons":
        return [Lines(tuple(_inner_edges(n, cell, pointy, centres)), pen)] if n > 1 else []
    if style == "points":
        dot = Circle(0.0, 0.0, max(cell * 0.07, 0.4), Style(fill=theme.colour("grid")))
        symbols["hex-point"] = (dot,)
        lines: list[Item] = [Lines(tuple(_lattice(n, centres)), pen)] if n > 1 else []
        return [*lines, *(Use("hex-point", x, y) for x, y in centres)]
    hole = Style(fill=theme.colour("paper"), stroke=theme.colour("border"), width=pen.width)
    symbols["hex-hole"] = (Circle(0.0, 0.0, cell * _HOLE / 2.0, hole),)
    return [Use("hex-hole", x, y) for x, y in centres]


def _inner_edges(
    n: int, cell: float, pointy: bool, centres: tuple[Point, ...]
) -> Iterable[Segment]:
    """Yield each side that two cells share, once: from the cell that comes first."""
    board = rhombus(n, pointy=pointy)
    (cx, cy), outline = board.centres[0], board.outlines[0]
    corners = [((x - cx) * cell, (y - cy) * cell) for x, y in outline]
    right, lower_right, lower_left = corners[1:3], corners[2:4], corners[3:5]
    for y in range(n):
        for x in range(n):
            mx, my = centres[y * n + x]
            for (a, b), shared in (
                (right, x + 1 < n),
                (lower_right, y + 1 < n),
                (lower_left, y + 1 < n and x > 0),
            ):
                if shared:
                    yield (mx + a[0], my + a[1], mx + b[0], my + b[1])


def _lattice(n: int, centres: tuple[Point, ...]) -> Iterable[Segment]:
    """Yield the lines of the triangular grid through the middles of the cells, each once."""
    for k in range(n):
        yield (*centres[k * n], *centres[k * n + n - 1])
        yield (*centres[k], *centres[(n - 1) * n + k])
    for d in range(1, 2 * n - 2):
        first = min(d, n - 1)
        last = d - first
        yield (*centres[last * n + first], *centres[first * n + last])


def _labels(
    n: int, cell: float, labels: Coordinates, pointy: bool, size: float, *, ends: bool = False
) -> Iterable[_Label]:
    """Yield the coordinates where they stand: clear of the edge, in the line of row or column.

    With `ends` only the first and the last of each side, which reach furthest out.
    """
    sides = {"none": (), "two": (0, 1), "four": (0, 1, 2, 3)}[labels]
    letters = [column_letters(x) for x in range(n)]
    numbers = [str(y + 1) for y in range(n)]
    clear = cell / SQRT3 + edge_width(cell) + size * 0.25
    for k in sides:
        along_top = k % 2 == 0
        texts = letters if along_top else numbers
        half = size * max(0.34 * len(texts[-1]), 0.49 if along_top and n > 12 else 0.0)
        # one baseline for all: centred by their ink, b and g would dance
        sink = size * (0.265 if along_top else 0.365)
        # outward normal of the edge, and the way out along column or row, pointy-top
        normal: Point = (0.0, -1.0) if along_top else (-SQRT3 / 2.0, 0.5)
        way: Point = (-0.5, -SQRT3 / 2.0) if along_top else (-1.0, 0.0)
        (nx, ny), (wx, wy) = spun((normal, way), pointy)
        distance = (clear + abs(nx) * half + abs(ny) * size * 0.5) / (nx * wx + ny * wy)
        sign = 1.0 if k < 2 else -1.0
        for i in (0, n - 1) if ends else range(n):
            text = texts[i]
            first, last = ((i, 0), (i, n - 1)) if along_top else ((0, i), (n - 1, i))
            x, y = axial(*(first if k < 2 else last), cell, pointy=pointy)
            x, y = x + sign * wx * distance, y + sign * wy * distance
            yield _Label(text, x, y, half, y + sink)


@lru_cache(maxsize=256)
def _extent(n: int, cell: float, labels: Coordinates, pointy: bool) -> Box:
    """Return the box of outline and coordinates about a1's middle; quick, for it is asked while a
    size is sought.
    """
    edge = outer_edge(n, cell)[1:]
    corner = axial(n - 1, n - 1, cell)
    half_round = [*edge, *(mirror(p) for p in edge)]
    outline = [*half_round, *(half_turn(p, corner) for p in half_round)]
    left, top, right, bottom = bounds(spun(outline, pointy))
    line = _line_width(cell) * 0.8
    box = [(left - line, top - line), (right + line, bottom + line)]
    size = label_size(n, cell)
    if size is not None:
        for label in _labels(n, cell, labels, pointy, size, ends=True):
            box += [(label.x - label.half, label.y - size / 2)]
            box += [(label.x + label.half, label.y + size / 2)]
    return bounds(box)
