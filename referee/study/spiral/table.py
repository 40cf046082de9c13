"""The Spiral board for quick play on any layout: cells as bits along the spiral, bit 0 the outer end 77.

The same rules as referee.games.spiral.board, which has the standard layout only; the tests hold one against the
other. Sets of cells are ints of 37 bits; a set grows by all its neighbours with three look-ups.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pnp.boards import hexhex
from pnp.spiral_layout import RANKS, SIDE, WAY, SpiralLayout

CELLS: Final = len(WAY)
FULL: Final = (1 << CELLS) - 1
SIDES: Final = 6
OWN_MOST: Final = 13
"""The player's pieces on a full board: he places the first of every three, and the last."""
LEAST: Final = 10
"""The fewest pieces of a fork, and LINE those of a bridge (both by search in the tests)."""
LINE: Final = 7
ORIENTATIONS: Final = ((0, 2, 4), (1, 3, 5))
OPPOSITE: Final = ((0, 3), (1, 4), (2, 5))

_LOW, _MIDDLE = 13, 12
_LOW_BITS: Final = (1 << _LOW) - 1
_MIDDLE_BITS: Final = (1 << _MIDDLE) - 1


class Table:
    """What is the same in all positions on one layout.

    near    for each cell the set of its neighbours
    sides   the set of cells of each side of the board, clockwise from the top
    named   the cell that two ranks 0 … 7 name, at [a · 8 + b]
    """

    def __init__(self, layout: SpiralLayout) -> None:
        board, way = hexhex(SIDE), layout.way
        at = {index: cell for cell, index in enumerate(way)}
        self.layout = layout
        self.near = [sum(1 << at[n] for n in board.neighbours[index]) for index in way]
        self.sides = [sum(1 << at[i] for i in board.edges[f"side{n}"]) for n in range(SIDES)]
        cells = {label: cell for cell, label in enumerate(WAY)}
        ranks = range(len(RANKS))
        self.named = [cells[RANKS[min(a, b)] + RANKS[max(a, b)]] for a in ranks for b in ranks]
        self._low = self._grown(0, _LOW)
        self._middle = self._grown(_LOW, _MIDDLE)
        self._high = self._grown(_LOW + _MIDDLE, CELLS - _LOW - _MIDDLE)

    def _grown(self, first: int, bits: int) -> list[int]:
        """Return for each set of `bits` cells from `first` the set with its neighbours."""
        grown = [0]
        for bit in range(bits):
            more = self.near[first + bit] | 1 << first + bit
            grown += [cells | more for cells in grown]
        return grown

    def grow(self, cells: int) -> int:
        """Return a set of cells with all its neighbours."""
        return (
            self._low[cells & _LOW_BITS]
            | self._middle[cells >> _LOW & _MIDDLE_BITS]
            | self._high[cells >> _LOW + _MIDDLE]
        )

    def group(self, cells: int, start: int) -> int:
        """Return what of `cells` hangs together with the cells `start`."""
        low, middle, high = self._low, self._middle, self._high
        found, before = start & cells, 0
        while found != before:
            before = found
            found = cells & (
                low[found & _LOW_BITS]
                | middle[found >> _LOW & _MIDDLE_BITS]
                | high[found >> _LOW + _MIDDLE]
            )
        return found

    def made(self, cells: int, start: int) -> int:
        """Return what the group of `cells` round `start` is: 2 a fork, 1 a bridge, 0 neither (spiral-win)."""
        if cells.bit_count() < LINE:
            return 0
        group = self.group(cells, start)
        if group.bit_count() < LINE:
            return 0
        s0, s1, s2, s3, s4, s5 = (group & side for side in self.sides)
        if (s0 and s2 and s4) or (s1 and s3 and s5):
            return 2
        return 1 if (s0 and s3) or (s1 and s4) or (s2 and s5) else 0


@lru_cache(maxsize=16)
def table(layout: SpiralLayout) -> Table:
    """Return the table of a layout, made once."""
    return Table(layout)


def landing(filled: int, named: int) -> int:
    """Return the cell that a piece goes to (spiral-occupied): the named one, else the next empty one outwards, else
    the next one inwards. A full board is over.
    """
    empty = FULL & ~filled
    outwards = empty & (2 << named) - 1
    if outwards:
        return outwards.bit_length() - 1
    return (empty & -empty).bit_length() - 1
