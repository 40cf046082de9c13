"""Many boards looked at together: each has a lane of 64 bits in one long int.

A cell stands at 8 · (r + 3) + q + 3 with axial (q, r). A set grows by its neighbours in all lanes at once with four
shifts; what runs over the rim of the hexagon falls on bits that are no cells.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pnp.boards import hexhex
from pnp.spiral_layout import SIDE
from referee.study.spiral.table import LINE, OPPOSITE, ORIENTATIONS, Table

LANE: Final = 64
BLOCK: Final = 256
"""So many boards are looked at together."""
_BITS: Final = 10


class Lanes:
    """A number of boards side by side.

    cells   all cells of all boards
    edges   for each side of the hexagon its cells in all boards
    top     the highest bit of each lane, which is no cell; `below` all bits under it
    """

    def __init__(self, table: Table, number: int) -> None:
        places = _places(table)
        every = int.from_bytes((1).to_bytes(LANE // 8, "little") * number, "little")
        self.number = number
        self.top = every << LANE - 1
        self.below = self.top - every
        self.cells = every * sum(1 << place for place in places)
        self.edges = [
            every * sum(1 << place for cell, place in enumerate(places) if side >> cell & 1)
            for side in table.sides
        ]
        self._spread = _spread(table)

    def pack(self, boards: Sequence[int]) -> int:
        """Return sets of cells, bits along the spiral, one in each lane."""
        a, b, c, d = self._spread
        lanes = array(
            "Q", [a[s & 1023] | b[s >> 10 & 1023] | c[s >> 20 & 1023] | d[s >> 30] for s in boards]
        )
        return int.from_bytes(lanes.tobytes(), sys.byteorder)

    def unpack(self, sets: int) -> array[int]:
        """Return each lane's bits."""
        lanes = array("Q")
        lanes.frombytes(sets.to_bytes(LANE // 8 * self.number, sys.byteorder))
        return lanes

    def some(self, sets: int) -> int:
        """Return 1 in each lane that has a cell: a cell carries into the lane's highest bit."""
        return ((sets + self.below) & self.top) >> LANE - 1


def _places(table: Table) -> list[int]:
    """Return the bit of each cell in a lane."""
    coords = hexhex(SIDE).coords
    return [8 * (coords[i][1] + SIDE - 1) + coords[i][0] + SIDE - 1 for i in table.layout.way]


@lru_cache(maxsize=16)
def _spread(table: Table) -> list[list[int]]:
    """Return for each ten cells, and each set of them, where they stand in a lane."""
    places = _places(table)
    spread = []
    for first in range(0, len(places), _BITS):
        sets = [0]
        for place in places[first : first + _BITS]:
            sets += [cells | 1 << place for cells in sets]
        spread.append(sets)
    return spread


@lru_cache(maxsize=1024)
def lanes(table: Table, number: int) -> Lanes:
    """Return lanes for so many boards, made once."""
    return Lanes(table, number)


def grow(sets: int) -> int:
    """Return all sets with their neighbours, and bits that are no cells."""
    right = sets | sets << 1
    left = sets | sets >> 1
    return right | left | right << 7 | left >> 7


def flood(start: int, pieces: int) -> int:
    """Return what of `pieces` hangs together with `start`, which is part of them, in every lane."""
    found, fresh = 0, start
    while fresh:
        found |= fresh
        fresh = grow(fresh) & pieces & ~found
    return found


def levels(own: int, empty: int, edge: int, most: int) -> list[int]:
    """Return for k = 0 … `most` the cells from which k pieces more join an edge, themselves included."""
    reached = flood(edge & own, own)
    found = [reached]
    for _ in range(most):
        fresh = (grow(reached) | edge) & empty & ~reached
        reached |= flood(fresh, own) if fresh else 0
        found.append(reached)
    return found


def shapes(table: Table, boards: Sequence[int]) -> list[int]:
    """Return for each set of pieces, all of one size, what they make: 2 a fork, 1 a bridge, 0 neither (spiral-win)."""
    if not boards or boards[0].bit_count() < LINE:
        return [0] * len(boards)
    found: list[int] = []
    for at in range(0, len(boards), BLOCK):
        found += _shapes(table, boards[at : at + BLOCK])
    return found


def _shapes(table: Table, boards: Sequence[int]) -> list[int]:
    lane = lanes(table, len(boards))
    pieces = lane.pack(boards)
    joined = [flood(pieces & edge, pieces) for edge in lane.edges]
    forks = bridges = 0
    for a, b, c in ORIENTATIONS:
        forks |= joined[a] & joined[b] & joined[c]
    for a, b in OPPOSITE:
        bridges |= joined[a] & joined[b]
    fork = lane.some(forks)
    return list(lane.unpack(fork << 1 | lane.some(bridges) & ~fork))
