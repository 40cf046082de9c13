"""Hex-Lightning on one board: the rules of templates/rules/hex-lightning.md, with and without hex-lightning-end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from referee.study.hexlightning.board import Board, bits, rhombus, turns


class Move(NamedTuple):
    """A tile laid on a cell so that its mark joins two points of the board."""

    cell: int
    start: int
    end: int


class Rules(NamedTuple):
    """ends: hex-lightning-end holds, loose ends must be taken up; sides: hex-lightning-sides holds, first alone joins
    and second wins where he does not, so that no game is drawn.
    """

    ends: bool
    sides: bool


RULES: Final = {
    "free": Rules(ends=False, sides=False),
    "ends": Rules(ends=True, sides=False),
    "sides": Rules(ends=True, sides=True),
}
"""The rules that are compared: the article's two remarks alone; with loose ends; with loose ends and sides."""


class Table:
    """The board as it stands; `lay` changes it.

    n       cells a side
    kinds   the kinds of tiles that are played with
    rules   which rules of RULES hold
    empty   the cells without a tile
    joined  for each point the points that it is joined with, itself among them
    loose   the points where one mark ends and no other
    """

    __slots__ = ("board", "empty", "joined", "kinds", "loose", "met", "n", "rules")

    def __init__(self, n: int, kinds: tuple[str, ...], rules: Rules) -> None:
        self.n, self.kinds, self.rules = n, kinds, rules
        self.board: Board = rhombus(n)
        self.empty = (1 << len(self.board.cells)) - 1
        self.joined = [1 << point for point in range(len(self.board.touch))]
        self.loose = self.met = 0

    def moves(self, kind: str) -> Iterator[Move]:
        """Yield every way to lay a tile of a kind (hex-lightning-ply, hex-lightning-end)."""
        marks = turns(kind)
        for cell in bits(self.empty):
            points = self.board.cells[cell]
            wanted = self.loose & self.board.masks[cell] if self.rules.ends else 0
            for p, q in marks:
                start, end = points[p], points[q]
                if not wanted or (wanted >> start | wanted >> end) & 1:
                    yield Move(cell, start, end)

    def lay(self, move: Move) -> None:
        """Lay a tile; marks that meet at a point are joined (hex-lightning-line)."""
        self.empty &= ~(1 << move.cell)
        whole = self.joined[move.start] | self.joined[move.end]
        for point in bits(whole):
            self.joined[point] = whole
        for point in (1 << move.start, 1 << move.end):
            self.loose = self.loose & ~point if self.met & point else self.loose | point
            self.met |= point

    def joins(self, player: int) -> bool:
        """Whether a player wins by joining: both do, but where hex-lightning-sides holds only the first."""
        return player == 0 or not self.rules.sides

    def connected(self, player: int) -> bool:
        """Whether a player's two edges are joined (hex-lightning-win)."""
        one, other = self.board.goals[player]
        return any(self.joined[point] & other for point in bits(one & self.met))


class Player(Protocol):
    """Who plays: a choice among the moves of a drawn tile, at least one."""

    def choose(self, table: Table, moves: list[Move], player: int, chance: random.Random) -> Move:
        """Return the move of `player`, 0 for the first and 1 for the second."""


class Played(NamedTuple):
    """What came of a game: who won (0, 1, None for a draw), plies, and the choices that a drawn tile left, summed over
    the plies. `own`: whether the winner laid the last tile himself.
    """

    winner: int | None
    plies: int
    choices: int
    own: bool


def play_game(
    players: tuple[Player, Player], table: Table, pile: list[str], chance: random.Random
) -> Played:
    """Play on an empty table until a player wins or nothing is left to lay; the pile's order is the order of draws."""
    mover = plies = choices = 0
    for kind in pile:
        if not table.empty:
            break
        moves = list(table.moves(kind))
        plies += 1
        choices += len(moves)
        if moves:  # else the tile is out of the game
            table.lay(players[mover].choose(table, moves, mover, chance))
            for winner in (mover, 1 - mover):
                if table.joins(winner) and table.connected(winner):
                    return Played(winner, plies, choices, winner == mover)
        mover = 1 - mover
    return Played(1 if table.rules.sides else None, plies, choices, False)
