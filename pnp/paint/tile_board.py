"""A board of plain hexagons for tiles: each edge once, labels in the cells. Pure, in mm."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from pnp.boards import Board
from pnp.geometry import Point
from pnp.scene import Item, Lines, Polygon, Scene, Style, Text
from pnp.themes import Theme


class PaintedTileBoard(NamedTuple):
    """A board as drawn: the picture, the middle of each cell in the board's order, a cell's width."""

    scene: Scene
    centres: tuple[Point, ...]
    cell: float


def tile_board_size(board: Board, cell: float) -> tuple[float, float]:
    """Return the width and height in mm of the picture that `paint_tile_board` makes."""
    left, top, right, bottom = board.box
    rim = _rim(cell)
    return ((right - left) * cell + rim, (bottom - top) * cell + rim)


def paint_tile_board(
    board: Board, cell: float, theme: Theme, *, labels: bool = True
) -> PaintedTileBoard:
    """Return a board of hexagons `cell` mm flat to flat, all cells alike."""
    width, height = tile_board_size(board, cell)
    left, top, _, _ = board.box
    half = _rim(cell) / 2.0

    def at(p: Point) -> Point:
        return ((p[0] - left) * cell + half, (p[1] - top) * cell + half)

    inner, rim = _edges(board)
    border = Style(stroke=theme.colour("border"), width=_rim(cell), join="round")
    grid = Style(stroke=theme.colour("grid"), width=_line(cell), cap="round")
    items: list[Item] = [
        Polygon(tuple(at(p) for p in rim), Style(fill=theme.area("cell").fill)),
        Lines(tuple((*at(a), *at(b)) for a, b in inner), grid),
        Polygon(tuple(at(p) for p in rim), border),
    ]
    centres = tuple(at(p) for p in board.centres)
    if labels:
        soft, size = theme.colour("soft"), min(cell * 0.14, 3.6)
        items += [
            Text(x, y, label, size, soft, "middle", "cap")
            for label, (x, y) in zip(board.labels, centres, strict=True)
        ]
    return PaintedTileBoard(
        Scene(width, height, tuple(items), title=board.name.capitalize()), centres, cell
    )


def tile_board_joints(board: Board, cell: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return x of the upright and y of the level straight lines that cross no label: halfway between
    the middles of neighbouring columns and rows.
    """
    left, top, _, _ = board.box
    half = _rim(cell) / 2.0
    xs = sorted({round(x - left, 6) for x, _ in board.centres})
    ys = sorted({round(y - top, 6) for _, y in board.centres})
    return (
        tuple((a + b) / 2.0 * cell + half for a, b in pairwise(xs)),
        tuple((a + b) / 2.0 * cell + half for a, b in pairwise(ys)),
    )


def _line(cell: float) -> float:
    return min(max(cell * 0.015, 0.15), 0.35)


def _rim(cell: float) -> float:
    return _line(cell) * 2.0


_Edge = tuple[Point, Point]


def _edges(board: Board) -> tuple[list[_Edge], list[Point]]:
    """Return the sides that two cells share, each once, and the outline of all cells, clockwise."""
    first: dict[frozenset[tuple[int, int]], _Edge] = {}
    inner: list[_Edge] = []
    for outline in board.outlines:
        for k, a in enumerate(outline):
            b = outline[(k + 1) % len(outline)]
            key = frozenset((_key(a), _key(b)))
            if key in first:
                inner.append(first.pop(key))
            else:
                first[key] = (a, b)
    onward = {_key(a): (a, b) for a, b in first.values()}
    start, after = next(iter(first.values()))
    rim = [start]
    while _key(after) != _key(start):
        rim.append(after)
        after = onward[_key(after)][1]
    return inner, rim


def _key(p: Point) -> tuple[int, int]:
    return (round(p[0] * 1e6), round(p[1] * 1e6))
