"""The Focus board as numbers: cells, piles, and all straight moves, worked out once.

A cell is an index in reading order as the board is seen (rows from the top, 0 to 51). A pile is one integer: a
leading 1, then a bit for each piece from the bottom to the top, 0 for white and 1 for black. So 1 is the empty
cell, the lowest bit is the owner, the height is the bit length less one, and 0b1011 is white, black, black on top.
A whole board of piles of five or fewer is 52 bytes.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from pnp.boards import focus

EMPTY: Final = 1
HIGHEST: Final = 5
"""No pile keeps more pieces than this (focus-capture)."""
COLOURS: Final = ("white", "black")
"""The first player's colour, the second's."""
LETTERS: Final = "wb"
PIECES: Final = 18
"""The pieces of each player."""

COORDS: Final = focus().coords
"""Each cell's column and row, from 0, the row counted from the bottom as seen."""
CELLS: Final = len(COORDS)
ROW_LENGTHS: Final = tuple(sum(1 for _, y in COORDS if y == row) for row in range(7, -1, -1))
"""The number of cells of each row, from the top as seen."""


def encode(pile: str) -> int:
    """Return the pile written from bottom to top in `w` and `b`; the empty string is the empty cell."""
    return int("1" + "".join("01"[LETTERS.index(piece)] for piece in pile), 2)


def decode(pile: int) -> str:
    """Return a pile's pieces from bottom to top in `w` and `b`, nothing for the empty cell."""
    return "".join(LETTERS[int(bit)] for bit in f"{pile:b}"[1:])


TEXTS: Final = ("", "-", *(decode(pile) for pile in range(2, 2 << HIGHEST)))
"""Each pile's text as in a position, by its number."""
HEIGHTS: Final = tuple(max(0, pile.bit_length() - 1) for pile in range(2 << HIGHEST))
"""Each pile's height, by its number."""


def standard() -> bytes:
    """Return the board of focus-setup: pairs that alternate on b2–g7, row 7 beginning with two white."""
    cells = bytearray([EMPTY] * CELLS)
    for cell, (x, y) in enumerate(COORDS):
        if 1 <= x <= 6 and 1 <= y <= 6:
            cells[cell] = encode(LETTERS[((x - 1) // 2 + (6 - y)) % 2])
    return bytes(cells)


class Rows(Enum):
    """Where row 1 is: it renames cells, nothing else."""

    BOTTOM = "bottom"
    TOP = "top"


class Shift(NamedTuple):
    """The top pieces of the pile on `origin` go to `target`.

    `distance` is the number of cells in a straight line, 0 where there is none or nothing moves; `pieces` is the
    number of them as written, the distance where none is written.
    """

    origin: int
    target: int
    distance: int
    pieces: int


class Drop(NamedTuple):
    """One piece from the reserve, or in the drop set-up one of the pieces not yet placed, goes to `cell`."""

    cell: int


class Claim(Enum):
    """The player to move claims a draw by repetition."""

    DRAW = "claim"


class OffBoard(NamedTuple):
    """A move in good form of which `cells` (as written) are one or two and not all on the board."""

    word: str
    cells: tuple[str, ...]


Move = Shift | Drop | Claim | OffBoard


def distance(origin: int, target: int) -> int:
    """Return the cells from one cell to another along a row or a column, 0 where they do not share one."""
    (x0, y0), (x1, y1) = COORDS[origin], COORDS[target]
    return abs(x1 - x0) + abs(y1 - y0) if x0 == x1 or y0 == y1 else 0


def _reach(origin: int) -> tuple[tuple[Shift, ...], ...]:
    straight = [
        Shift(origin, target, steps, steps)
        for target in range(CELLS)
        if 1 <= (steps := distance(origin, target)) <= HIGHEST
    ]
    straight.sort(key=lambda shift: shift.distance)
    return tuple(
        tuple(s for s in straight if s.distance <= height) for height in range(HIGHEST + 1)
    )


REACH: Final = tuple(_reach(origin) for origin in range(CELLS))
"""REACH[cell][height]: the moves that a pile of that height has from that cell, the short ones first.

Nothing on the way blocks, and no row or column of the board has a gap, so height and cell say all.
"""
DROPS: Final = tuple(Drop(cell) for cell in range(CELLS))


class Names:
    """The cells' labels under one way to number rows, and the words of all straight moves and drops."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        seen = focus().labels
        if rows is Rows.TOP:
            self.labels = tuple(f"{label[0]}{9 - int(label[1])}" for label in seen)
        else:
            self.labels = seen
        self.cells: dict[str, int] = {label: cell for cell, label in enumerate(self.labels)}
        self.moves: dict[str, Move] = {"claim": Claim.DRAW}
        for drop in DROPS:
            for sign in ("+", "r:", "*"):
                self.moves[sign + self.labels[drop.cell]] = drop
        for reach in REACH:
            for shift in reach[HIGHEST]:
                word = self.word(shift)
                for form in (word, f"{word}:{shift.pieces}", f"{shift.pieces}{word}"):
                    self.moves[form] = shift

    def word(self, move: Move) -> str:
        """Return a move's canonical token."""
        if isinstance(move, Shift):
            word = f"{self.labels[move.origin]}-{self.labels[move.target]}"
            return (
                word
                if move.pieces == move.distance or not move.distance
                else f"{word}:{move.pieces}"
            )
        if isinstance(move, Drop):
            return f"+{self.labels[move.cell]}"
        return move.word if isinstance(move, OffBoard) else "claim"

    def point(self, cell: str) -> tuple[int, int] | None:
        """Return the column and row (as COORDS) of anything in a cell's form near the board, else None."""
        if len(cell) > 3 or not cell[1:].isdigit():
            return None
        row = int(cell[1:])
        return (ord(cell[0]) - ord("a"), 8 - row if self.rows is Rows.TOP else row - 1)


@lru_cache(maxsize=2)
def names(rows: Rows) -> Names:
    """Return the names of the cells and moves for one way to number rows."""
    return Names(rows)
