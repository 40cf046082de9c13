"""The eight spirals: ring by ring inwards with one direction of turning (ruling spiral-layout).

Rotations and reflections of a layout play alike, so one of each kind is enough. Number 1 is the standard layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pnp.boards import hexhex
from pnp.spiral_layout import SIDE, WAY, SpiralLayout, standard

Cell = tuple[int, int]
"""Axial coordinates (q, r), the centre at (0, 0)."""


@lru_cache(maxsize=1)
def layouts() -> tuple[SpiralLayout, ...]:
    """Return the layouts that differ by more than rotation and reflection: the standard one, then the others."""
    coords = hexhex(SIDE).coords
    index = {cell: at for at, cell in enumerate(coords)}
    usual = standard()
    ways = {_canonical(tuple(coords[at] for at in usual.way)): usual.way}
    for way in _spirals():
        ways.setdefault(_canonical(way), tuple(index[cell] for cell in way))
    return tuple(
        usual if number == 1 else _layout(number, ways[key])
        for number, key in enumerate(ways, start=1)
    )


def _layout(number: int, way: tuple[int, ...]) -> SpiralLayout:
    names = dict(zip(way, WAY, strict=True))
    labels = tuple(names[index] for index in range(len(way)))
    return SpiralLayout(f"spiral-{number}", f"Spiral {number}", labels, way)


def _spirals() -> Iterator[tuple[Cell, ...]]:
    """Yield all spirals that turn clockwise; the others are their reflections."""
    for start in _ring(SIDE - 1):
        yield from _inwards((), start, SIDE - 1)


def _inwards(before: tuple[Cell, ...], start: Cell, radius: int) -> Iterator[tuple[Cell, ...]]:
    if not radius:
        yield (*before, start)
        return
    ring = _ring(radius)
    at = ring.index(start)
    way = before + ring[at:] + ring[:at]
    inner = _ring(radius - 1)
    for cell in inner:
        if _touch(cell, way[-1]):
            yield from _inwards(way, cell, radius - 1)


def _ring(radius: int) -> tuple[Cell, ...]:
    """Return the cells at a distance from the centre, clockwise from the upper left corner."""
    if not radius:
        return ((0, 0),)
    q, r = 0, -radius
    cells = []
    for dq, dr in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        for _ in range(radius):
            cells.append((q, r))
            q, r = q + dq, r + dr
    return tuple(cells)


def _touch(one: Cell, other: Cell) -> bool:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r)) == 1


def _canonical(way: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the smallest of a spiral's twelve images under rotation and reflection."""
    images = []
    for cells in (way, tuple((r, q) for q, r in way)):
        for _ in range(6):
            cells = tuple((-r, q + r) for q, r in cells)
            images.append(cells)
    return min(images)
