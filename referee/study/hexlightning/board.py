"""A rhombus of hexagons as points that marks join, in bits (hex-lightning-board, hex-lightning-tiles).

A cell has twelve points, six corners and six midpoints of sides, numbered clockwise from its first corner as in
pnp.tiles; cells that touch share them. Sets of points and sets of cells are integers, a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pnp import boards, tiles

SIDES = 6


class Board(NamedTuple):
    """The board of n × n cells.

    cells   for each cell its twelve points
    masks   the same as sets of points
    touch   for each point the set of cells that it touches
    goals   for the first and the second player the points of his two edges
    """

    cells: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]
    touch: tuple[int, ...]
    goals: tuple[tuple[int, int], tuple[int, int]]


def bits(number: int) -> Iterator[int]:
    """Yield the members of a set, ascending."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


@lru_cache(maxsize=32)
def rhombus(n: int) -> Board:
    """Return the board. A line reaches an edge at any point of the rim of a cell of that edge."""
    board = boards.rhombus(n)
    ids: dict[tuple[float, float], int] = {}
    cells = tuple(
        tuple(
            ids.setdefault((round(x, 3) + 0.0, round(y, 3) + 0.0), len(ids))
            for x, y in tiles.points(outline)
        )
        for outline in board.outlines
    )
    touch = [0] * len(ids)
    for cell, points in enumerate(cells):
        for point in points:
            touch[point] |= 1 << cell
    rim = 0
    for points in cells:
        for middle in range(1, 2 * SIDES, 2):
            if touch[points[middle]].bit_count() == 1:  # a side with nothing beyond it
                for k in (middle - 1, middle, (middle + 1) % (2 * SIDES)):
                    rim |= 1 << points[k]
    masks = tuple(sum(1 << point for point in points) for points in cells)

    def edge(name: str) -> int:
        found = 0
        for cell in board.edges[name]:
            found |= masks[cell] & rim
        return found

    goals = ((edge("top"), edge("bottom")), (edge("left"), edge("right")))
    return Board(cells, masks, tuple(touch), goals)


@lru_cache(maxsize=32)
def turns(kind: str) -> tuple[tuple[int, int], ...]:
    """Return the pairs of points, 0 to 11, that a kind's mark joins in its different turns."""
    mark = tiles.kinds(SIDES)[kind]
    turned = (tiles.turned(mark, steps) for steps in range(SIDES))
    return tuple(sorted({(min(m.start, m.end), max(m.start, m.end)) for m in turned}))


@lru_cache(maxsize=32)
def ways_on(kinds: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Return for each point of a cell the points that a tile of one of the kinds joins it to."""
    pairs = {pair for kind in kinds for pair in turns(kind)}
    return tuple(
        tuple(q for q in range(2 * SIDES) if (min(p, q), max(p, q)) in pairs)
        for p in range(2 * SIDES)
    )


@lru_cache(maxsize=64)
def exits(n: int, kinds: tuple[str, ...]) -> tuple[dict[int, int], ...]:
    """Return for each cell of the rhombus, and each of its points, the set of points that a tile joins it to."""
    ways = ways_on(kinds)
    return tuple(
        {point: sum(1 << points[q] for q in ways[local]) for local, point in enumerate(points)}
        for points in rhombus(n).cells
    )
