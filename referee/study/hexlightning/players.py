"""Players of Hex-Lightning on one board. Way is counted in tiles: how many empty cells a connection still needs, if
every kind and turn were to be had.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from referee.study.hexlightning.board import bits, exits
from referee.study.hexlightning.game import Move, Player, Table

NONE: Final = 99
"""The distance where no connection is possible any more."""
FAR: Final = 20
"""No way is counted longer than this."""
WON: Final = 1000


def levels(table: Table, start: int, empty: int) -> list[int]:
    """Return for d = 0, 1, 2, … the points that d more tiles on `empty` cells can join to the set `start`."""
    touch, joined = table.board.touch, table.joined
    ways = exits(table.n, table.kinds)
    level = 0
    for point in bits(start):
        level |= joined[point]
    seen = level
    found = [level]
    while True:
        reached = 0
        for point in bits(level):
            for cell in bits(touch[point] & empty):
                reached |= ways[cell][point]
        reached &= ~seen
        if not reached:
            return found
        level = 0
        for point in bits(reached):
            if not level >> point & 1:
                level |= joined[point]
        level &= ~seen
        seen |= level
        found.append(level)


def distance(table: Table, goal: tuple[int, int], empty: int) -> int:
    """Return how many tiles join the goal's two sets at least, NONE where none do."""
    for number, level in enumerate(levels(table, goal[0], empty)):
        if level & goal[1]:
            return number
    return NONE


def _by_point(table: Table, start: int, empty: int) -> dict[int, int]:
    """Return how many tiles on `empty` cells join each point to a set at least; what cannot be joined is left out."""
    return {
        point: number
        for number, level in enumerate(levels(table, start, empty))
        for point in bits(level)
    }


def distances_after(table: Table, goal: tuple[int, int]) -> Callable[[Move], int]:
    """Return a function that tells the distance after a move without making it.

    A connection after the move either keeps clear of the move's cell or runs through its mark once. No shortest way
    of now that does not use the cell changes; and a way through the mark is looked at closely only where the ways of
    now, which may use the cell before it is filled, do not rule it out.
    """
    near, far = (_by_point(table, side, table.empty) for side in goal)
    now = min((near[point] for point in bits(goal[1]) if point in near), default=NONE)
    ways = exits(table.n, table.kinds)
    clear: dict[int, int] = {}
    exact: dict[int, tuple[dict[int, int], dict[int, int]]] = {}

    def used(cell: int) -> bool:
        return any(
            near.get(p, NONE) + 1 + far.get(q, NONE) <= now
            for p in table.board.cells[cell]
            for q in bits(ways[cell][p])
        )

    def clear_of(cell: int) -> int:
        if cell not in clear:
            empty = table.empty & ~(1 << cell)
            clear[cell] = distance(table, goal, empty) if used(cell) else now
        return clear[cell]

    def after(move: Move) -> int:
        beside = clear_of(move.cell)
        if _through(near, far, move) >= beside:
            return beside
        if move.cell not in exact:
            empty = table.empty & ~(1 << move.cell)
            exact[move.cell] = (
                _by_point(table, goal[0], empty),
                _by_point(table, goal[1], empty),
            )
        return min(beside, _through(*exact[move.cell], move))

    return after


def _through(near: dict[int, int], far: dict[int, int], move: Move) -> int:
    """Return the distance through a move's mark, in the better direction; NONE where there is none."""
    one = near.get(move.start, NONE) + far.get(move.end, NONE)
    other = near.get(move.end, NONE) + far.get(move.start, NONE)
    return min(one, other, NONE)


def _never(move: Move) -> int:
    """The distance of a player who does not win by joining."""
    return NONE


class Random:
    """Lays anywhere, each way as often as another."""

    def choose(self, table: Table, moves: list[Move], player: int, chance: random.Random) -> Move:
        return chance.choice(moves)


class Runner:
    """Takes what leaves the least way to his own connection."""

    def value(self, own: int, other: int) -> int:
        """Return the worth of two distances."""
        return -min(own, FAR)

    def choose(self, table: Table, moves: list[Move], player: int, chance: random.Random) -> Move:
        goals = table.board.goals
        own, other = (
            distances_after(table, goals[side]) if table.joins(side) else _never
            for side in (player, 1 - player)
        )
        best, found, ties = -2 * WON, moves[0], 0
        for move in moves:
            way = own(move)
            value = WON if way == 0 else self.value(way, other(move))
            if value > best:
                best, found, ties = value, move, 1
            elif value == best:
                ties += 1
                if chance.random() * ties < 1.0:
                    found = move
        return found


class Fighter(Runner):
    """Weighs his own way against the other's, and so blocks as well as he runs."""

    def value(self, own: int, other: int) -> int:
        return min(other, FAR) - min(own, FAR)


PLAYERS: Final[dict[str, Player]] = {
    "random": Random(),
    "runner": Runner(),
    "fighter": Fighter(),
}
"""The players by name, weakest first."""
