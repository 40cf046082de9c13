"""The rules of Hex (rules.md: hex-board, hex-colours, hex-place, hex-swap, hex-win), as pure functions.

A position is a handful of integers. Cells are bits of one integer, row by row, each row one bit longer than the
board is wide, so that a shift never wraps into the next row: cell (x, y) is bit y · (n + 1) + x. For each colour the
position keeps the stones and those of them joined to the near edge; a colour has won when these reach the far edge.
A stone is added to a joined set once, so judging a whole game costs a few integer operations a ply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, StrEnum
from functools import lru_cache
from typing import NamedTuple, cast

from referee.core.verdict import FIRST, SECOND, Rejected
from referee.games.hex.look import nearest_empty
from referee.games.hex.plan import BLUE, RED, plan

MIN_SIZE, MAX_SIZE = 2, 30


class Swap(StrEnum):
    """The forms of the pie rule, and what a record's `Swap` tag may say."""

    NONE = "none"
    SIDES = "sides"
    PIECES = "pieces"


class Setup(NamedTuple):
    """A Hex game's options."""

    size: int = 11
    swap: Swap = Swap.SIDES


class Special(Enum):
    """Moves that are not a stone on the board."""

    SWAP = "swap"
    SWAP_SIDES = "swap-sides"
    SWAP_PIECES = "swap-pieces"


class OffBoard(NamedTuple):
    """A cell's form that names no cell of the board."""

    word: str


Move = int | Special | OffBoard
"""A stone's cell, as the index of its bit; or a special move."""


class Position:
    """A Hex position; immutable by custom. `red_top`: the red stones joined to the top edge; `blue_left` likewise.

    `first_is_red` turns false with swap-sides. `last` is the cell of the last stone, None after a swap of sides.
    """

    __slots__ = (
        "blue",
        "blue_left",
        "first_is_red",
        "last",
        "plies",
        "reason",
        "red",
        "red_top",
        "result",
        "setup",
        "to_move",
    )
    setup: Setup
    plies: int
    to_move: int | None
    result: str
    reason: str | None
    first_is_red: bool
    last: int | None
    red: int
    red_top: int
    blue: int
    blue_left: int

    @property
    def needs(self) -> str | None:
        """Hex never waits for anything but a move."""
        return None

    @property
    def colour(self) -> str | None:
        """The colour to move, None after the end."""
        if self.to_move is None:
            return None
        return RED if (self.to_move == FIRST) == self.first_is_red else BLUE

    def copy(self) -> Position:
        """Return a new position with the same contents."""
        new = Position.__new__(Position)
        for name in Position.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and all(
            getattr(self, n) == getattr(other, n) for n in Position.__slots__
        )

    def __hash__(self) -> int:
        return hash((self.setup, self.plies, self.red, self.blue, self.first_is_red, self.reason))


@lru_cache(maxsize=64)
def start(setup: Setup) -> Position:
    """Return the empty board."""
    return arranged(setup, 0, 0, RED)


def arranged(setup: Setup, red: int, blue: int, colour: str) -> Position:
    """Return a position with these stones (bit sets) and this colour to move; over if a colour has joined its edges."""
    new = Position.__new__(Position)
    new.setup = setup
    new.plies = 0
    new.first_is_red = True
    new.to_move = FIRST if colour == RED else SECOND
    new.result, new.reason = "*", None
    new.last = None
    _set_stones(new, red, blue)
    board = plan(setup.size)
    if new.red_top & board.red_bottom:
        _won(new, RED)
    elif new.blue_left & board.blue_right:
        _won(new, BLUE)
    return new


def _set_stones(new: Position, red: int, blue: int) -> None:
    board = plan(new.setup.size)
    new.red, new.blue = red, blue
    new.red_top = board.grow(0, red & board.red_top, red)
    new.blue_left = board.grow(0, blue & board.blue_left, blue)


def _won(new: Position, colour: str) -> None:
    new.to_move = None
    new.result = "1-0" if (colour == RED) == new.first_is_red else "0-1"
    new.reason = "connection"


def play(position: Position, move: Move) -> Position | Rejected:
    """Return the position after `move`, or why it is illegal (hex-place, hex-swap, hex-win, all-over)."""
    mover = position.to_move
    if mover is None:
        return Rejected("game-over", "all-over", "the game is over; nothing is legal after its end")
    if not isinstance(move, int):
        return _play_special(position, move)
    board = plan(position.setup.size)
    bit = board.bits[move]
    red, blue = position.red, position.blue
    if (red | blue) & bit:
        return _occupied(position, move)
    new = Position.__new__(Position)
    new.setup = position.setup
    new.plies = position.plies + 1
    new.first_is_red = first_is_red = position.first_is_red
    new.last = move
    new.result = "*"
    new.reason = None
    new.to_move = 1 - mover
    if (mover == FIRST) is first_is_red:
        new.red = red = red | bit
        new.red_top = top = position.red_top
        new.blue, new.blue_left = blue, position.blue_left
        if board.near[move] & top or bit & board.red_top:
            new.red_top = top = board.grow(top, bit, red)
            if top & board.red_bottom:
                _won(new, RED)
    else:
        new.blue = blue = blue | bit
        new.blue_left = left = position.blue_left
        new.red, new.red_top = red, position.red_top
        if board.near[move] & left or bit & board.blue_left:
            new.blue_left = left = board.grow(left, bit, blue)
            if left & board.blue_right:
                _won(new, BLUE)
    return new


def play_all(position: Position, moves: Sequence[Move | None]) -> Position | None:
    """Return the position after many moves at one go, what `play` would make of each in turn.

    None where something calls for a closer look, such as a move that is not known (None).
    """
    if moves[1:2] == [Special.SWAP] and isinstance(moves[0], int):
        stone = play(position, moves[0])
        swapped = stone if isinstance(stone, Rejected) else play(stone, Special.SWAP)
        return None if isinstance(swapped, Rejected) else _stones(swapped, moves[2:])
    return _stones(position, moves)


def _stones(position: Position, moves: Sequence[Move | None]) -> Position | None:
    """Return the position after many stones, None where a move is no stone on an empty cell or comes after the end.

    Stones are only ever added, so a game that is not over at the end never was, and one that is over ended with the
    last stone if its colour is not joined without it. What is left is to see that each stone found its cell empty.
    """
    mover = position.to_move
    if mover is None or not moves:
        return None
    board = plan(position.setup.size)
    try:  # what is no cell is no index either
        red, blue = sum(map(board.bit_of, moves[::2])), sum(map(board.bit_of, moves[1::2]))  # type: ignore[arg-type]
    except TypeError:
        return None
    first_is_red = position.first_is_red
    if (mover == FIRST) is not first_is_red:
        red, blue = blue, red
    before = position.red | position.blue
    red, blue = red + position.red, blue + position.blue
    # where a cell is taken twice, the sum carries
    if (red + blue).bit_count() < before.bit_count() + len(moves):
        return None
    new = Position.__new__(Position)
    new.setup = position.setup
    new.plies = position.plies + len(moves)
    new.first_is_red = first_is_red
    new.last = last = cast(int, moves[-1])
    new.result, new.reason = "*", None
    new.to_move = mover ^ len(moves) & 1
    _set_stones(new, red, blue)
    if new.red_top & board.red_bottom:
        red &= ~board.bits[last]
        if board.grow(0, red & board.red_top, red) & board.red_bottom:
            return None
        _won(new, RED)
    elif new.blue_left & board.blue_right:
        blue &= ~board.bits[last]
        if board.grow(0, blue & board.blue_left, blue) & board.blue_right:
            return None
        _won(new, BLUE)
    return new


def _play_special(position: Position, move: Special | OffBoard) -> Position | Rejected:
    size = position.setup.size
    if isinstance(move, OffBoard):
        return Rejected(
            "off-board",
            "hex-board",
            f"{move.word} is no cell of this board; cells run from a1 to {_last_label(size)}",
        )
    own = position.setup.swap
    if own is Swap.NONE:
        return Rejected("swap", "hex-swap", "this game is played without a swap; play a stone")
    if position.plies != 1:
        when = (
            "only the second ply of the game"
            if position.plies
            else "the first ply is a stone; the second"
        )
        return Rejected("swap", "hex-swap", f"{when} may be a swap; play a stone")
    if move is not Special.SWAP and move.value != f"swap-{own.value}":
        return Rejected(
            "swap",
            "hex-swap",
            f"this game swaps {own.value}; write swap or swap-{own.value}",
            ("swap",),
        )
    new = position.copy()
    new.plies = 2
    new.to_move = FIRST if position.to_move == SECOND else SECOND
    if own is Swap.SIDES:
        new.first_is_red = not position.first_is_red
        return new
    return _swap_pieces(position, new)


def _swap_pieces(position: Position, new: Position) -> Position | Rejected:
    """The stone of ply 1 takes the other colour and goes to its mirror cell (hex-swap).

    Only a set-up stone can stand there already, and only with set-up stones can it join the edges.
    """
    board = plan(position.setup.size)
    cell = position.last
    assert cell is not None  # ply 1 was a stone
    red, blue = position.red, position.blue
    there = board.bits[board.mirror(cell)]
    if (red | blue) & there & ~board.bits[cell]:
        held, label = board.labels[board.mirror(cell)], board.labels[cell]
        return Rejected(
            "occupied",
            "hex-swap",
            f"the stone on {label} cannot go to its mirror cell {held}, where a set-up stone stands; play a stone",
        )
    if red & board.bits[cell]:
        red, blue = red & ~board.bits[cell], blue | there
    else:
        red, blue = red | there, blue & ~board.bits[cell]
    new.last = board.mirror(cell)
    _set_stones(new, red, blue)
    if new.red_top & board.red_bottom:
        _won(new, RED)
    elif new.blue_left & board.blue_right:
        _won(new, BLUE)
    return new


def _last_label(size: int) -> str:
    board = plan(size)
    return board.labels[board.order[-1]]


def _occupied(position: Position, move: int) -> Rejected:
    board = plan(position.setup.size)
    colour = RED if position.red & board.bits[move] else BLUE
    near = nearest_empty(board, position, move)
    label = board.labels[move]
    return Rejected(
        "occupied",
        "hex-place",
        f"{label} already holds a {colour} stone; play on an empty cell",
        near,
    )


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield each legal move once: the empty cells in reading order, then `swap` where it is legal."""
    if position.to_move is None:
        return
    board = plan(position.setup.size)
    taken = position.red | position.blue
    for cell in board.order:
        if not taken & board.bits[cell]:
            yield cell
    if position.plies == 1 and not isinstance(play(position, Special.SWAP), Rejected):
        yield Special.SWAP
