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


def distances_after(table: Table, goal: tuple[int, int]) -> Callable[[Move], int]:
    """Return a function that tells the distance after a move without making it.

    A connection after the move either runs through its mark, or keeps clear of its cell; where no shortest way of
    now uses the cell, the latter costs what it costs now.
    """
    near, far = (
        {
            point: d
            for d, level in enumerate(levels(table, side, table.empty))
            for point in bits(level)
        }
        for side in goal
    )
    now = min((near[point] for point in bits(goal[1]) if point in near), default=NONE)
    ways = exits(table.n, table.kinds)
    without: dict[int, int] = {}

    def used(cell: int) -> bool:
        return any(
            near.get(p, NONE) + 1 + far.get(q, NONE) <= now
            for p in table.board.cells[cell]
            for q in bits(ways[cell][p])
        )

    def clear_of(cell: int) -> int:
        if cell not in without:
            empty = table.empty & ~(1 << cell)
            without[cell] = distance(table, goal, empty) if used(cell) else now
        return without[cell]

    def after(move: Move) -> int:
        start, end = move.start, move.end
        through = min(
            near.get(start, NONE) + far.get(end, NONE), near.get(end, NONE) + far.get(start, NONE)
        )
        return min(through, clear_of(move.cell))

    return after


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
        own, other = (distances_after(table, goals[side]) for side in (player, 1 - player))
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
