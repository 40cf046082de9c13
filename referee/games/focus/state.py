"""A position of Focus: what it holds, where it begins, and which moves it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.core.verdict import FIRST, SECOND
from referee.games.focus.board import (
    CELLS,
    DROPS,
    EMPTY,
    HEIGHTS,
    HIGHEST,
    PIECES,
    REACH,
    TEXTS,
    Move,
    Rows,
    standard,
)

Past = tuple[bytes, tuple[int, int], int, "Past | None"]
"""A position that stood before (cells, reserve, to_move), and the one before that."""


class Setup(NamedTuple):
    """A Focus game's options: the drop set-up, drops on own piles only, draws that the first wins, row 1's place."""

    drop: bool = False
    own_drops: bool = False
    first_wins_draws: bool = False
    rows: Rows = Rows.BOTTOM


class Position:
    """A Focus position; immutable by custom.

    cells     the pile on each cell, as board.py numbers cells and piles
    reserve   the pieces in reserve of the first player (White) and of the second (Black)
    piles     the number of piles that each of them owns
    to_place  the pieces still to be placed in the drop set-up, 0 in play
    last      the last ply, None at the start and after a ply that is no move
    trimmed   the pieces that the last ply took from the bottom of its target, as a pile, EMPTY where none
    past      the positions that could stand again, the latest first
    """

    __slots__ = (
        "cells",
        "last",
        "past",
        "piles",
        "plies",
        "reason",
        "reserve",
        "result",
        "setup",
        "to_move",
        "to_place",
        "trimmed",
    )
    setup: Setup
    cells: bytes
    reserve: tuple[int, int]
    piles: tuple[int, int]
    plies: int
    to_place: int
    to_move: int | None
    result: str
    reason: str | None
    last: Move | None
    trimmed: int
    past: Past | None

    @property
    def needs(self) -> str | None:
        """Focus never waits for anything but a move."""
        return None

    def pile(self, cell: int) -> str:
        """Return the pieces on a cell from bottom to top in `w` and `b`, nothing where it is empty."""
        pile = self.cells[cell]
        return "" if pile == EMPTY else TEXTS[pile]

    def copy(self) -> Position:
        """Return a new position with the same contents."""
        new = Position.__new__(Position)
        for name in Position.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    def _shown(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in Position.__slots__ if name != "past")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._shown() == other._shown()

    def __hash__(self) -> int:
        return hash((self.cells, self.reserve, self.to_move, self.plies))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the past as a flat list: a chain of any length would nest too deep."""
        stood = []
        at = self.past
        while at is not None:
            stood.append(at[:3])
            at = at[3]
        return (_restored, (self._shown(), stood))


def _restored(
    shown: tuple[object, ...], stood: list[tuple[bytes, tuple[int, int], int]]
) -> Position:
    new = Position.__new__(Position)
    for name, value in zip((n for n in Position.__slots__ if n != "past"), shown, strict=True):
        setattr(new, name, value)
    new.past = None
    for cells, reserve, mover in reversed(stood):
        new.past = (cells, reserve, mover, new.past)
    return new


def start(setup: Setup) -> Position:
    """Return the position before ply 1 (focus-setup, focus-setup-drop), White to move."""
    if setup.drop:
        return arranged(setup, bytes([EMPTY] * CELLS), (0, 0), FIRST, 2 * PIECES)
    return arranged(setup, standard(), (0, 0), FIRST)


def arranged(
    setup: Setup, cells: bytes, reserve: tuple[int, int], to_move: int | None, to_place: int = 0
) -> Position:
    """Return a position with these piles and reserves.

    It is over where the player to move has lost (focus-win), and where nobody is to move.
    """
    new = Position.__new__(Position)
    new.setup, new.cells, new.reserve = setup, cells, reserve
    black = sum(1 for pile in cells if pile != EMPTY and pile & 1)
    new.piles = (sum(1 for pile in cells if pile != EMPTY) - black, black)
    new.plies = 2 * PIECES - to_place if to_place else 0
    new.to_place = to_place
    new.to_move, new.result, new.reason = to_move, "*", None
    new.last, new.trimmed, new.past = None, EMPTY, None
    for player in (FIRST, SECOND):
        helpless = not new.piles[player] and not reserve[player]
        if helpless and to_move in (None, player) and not to_place and any(new.piles):
            lose(new, player)
    return new


def lose(new: Position, player: int) -> None:
    """End a position that is being made: `player` cannot move (focus-win)."""
    new.to_move, new.reason = None, "no-move"
    new.result = "0-1" if player == FIRST else "1-0"


def times(position: Position) -> int:
    """Return how often the position has stood, this time included (piles, reserves, player to move)."""
    cells, reserve, mover = position.cells, position.reserve, position.to_move
    count, at = 1, position.past
    while at is not None:
        if at[0] == cells and at[1] == reserve and at[2] == mover:
            count += 1
        at = at[3]
    return count


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield each legal move once: pile moves by cell in reading order, the short ones first, then drops."""
    mover = position.to_move
    if mover is None:
        return
    cells = position.cells
    if not position.to_place:
        for cell, pile in enumerate(cells):
            if pile & 1 == mover and pile != EMPTY:
                yield from REACH[cell][HEIGHTS[pile]]
        if not position.reserve[mover]:
            return
    on_enemy = not position.to_place and not position.setup.own_drops
    highest = HIGHEST - 1 if position.to_place else HIGHEST
    for drop in DROPS:
        pile = cells[drop.cell]
        if pile == EMPTY or (HEIGHTS[pile] <= highest if pile & 1 == mover else on_enemy):
            yield drop
