"""Players of Lightning, from none to some skill. Each decides twice: pile or pool before the draw, then the place.

A player is a pure function of the position and a source of chance; ties are broken by lot. Distances are those of
ways.py: how many tiles a line still needs at least.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from referee.games.lightning.lines import Line, placements
from referee.games.lightning.position import Place, Position, ToPool, unpack
from referee.study.lightning.ways import Reach, distance, options, reach

WON: Final = 1000
"""The worth of a won game, in tiles."""
DEAD_END: Final = 25
"""No way is counted longer than this: a line that is lost costs no more."""
DANGER, HOPE = 4.0, 2.0
"""What a sure win of the other at his next turn, or an own one after it, weighs for a planner, in tiles; found by
playing."""


class Player(Protocol):
    """Who plays. The position is one with a player to move and nothing drawn yet."""

    def source(self, position: Position, chance: random.Random) -> Place | None:
        """Return the pool tile to take and its place; None to draw."""

    def place(self, position: Position, kind: int, chance: random.Random) -> Place | ToPool:
        """Return what to do with a tile that was drawn."""


class Option(NamedTuple):
    """A placement on a section's line, and that line after it."""

    place: Place
    section: int
    line: Line


def drawn(position: Position, kind: int) -> Iterator[Option]:
    """Yield every placement of a drawn tile, on both lines."""
    for section, line in enumerate(position.lines):
        for tile, after in options(line, section, kind):
            yield Option(Place(kind, tile, False), section, after)


def pooled(position: Position) -> Iterator[Option]:
    """Yield every placement of every kind in the pool, on both lines."""
    for kind, count in enumerate(unpack(position.pool)):
        if count:
            for option in drawn(position, kind):
                yield option._replace(place=option.place._replace(from_pool=True))


def chances(position: Position) -> list[float]:
    """Return how likely the next draw is each kind; nothing but noughts with an empty pile."""
    counts = unpack(position.pile)
    total = sum(counts)
    return [count / total if total else 0.0 for count in counts]


def me(position: Position) -> int:
    """Return the section of the player to move."""
    assert position.to_move is not None
    return position.to_move


class Chooser:
    """The best of what it is offered, ties by lot."""

    __slots__ = ("best", "chance", "found", "ties")

    def __init__(self, least: float, chance: random.Random) -> None:
        self.best, self.chance = least, chance
        self.found: Place | None = None
        self.ties = 1

    def offer(self, value: float, place: Place) -> None:
        """Take the placement if it is better, and by lot if it is as good; what is not better than `least` never."""
        if value > self.best:
            self.best, self.found, self.ties = value, place, 1
        elif value == self.best and self.found is not None:
            self.ties += 1
            if self.chance.random() * self.ties < 1.0:
                self.found = place


class Random:
    """Plays anywhere: a pool tile as often as a drawn one while there is a pool, and each place as often as another."""

    def source(self, position: Position, chance: random.Random) -> Place | None:
        if position.pool and (not position.pile or chance.random() < 0.5):
            places = list(pooled(position))
            return chance.choice(places).place if places else None
        return None

    def place(self, position: Position, kind: int, chance: random.Random) -> Place | ToPool:
        moves: list[Place | ToPool] = [ToPool(kind)]
        for section, line in enumerate(position.lines):
            moves += [Place(kind, tile, False) for tile in placements(line, section, kind)]
        return chance.choice(moves)


class Runner:
    """Runs with his own line and never looks at the other's: the place that leaves the least way, else to the pool.

    A pool tile that brings the line forward is taken, for a drawn one may not.
    """

    def source(self, position: Position, chance: random.Random) -> Place | None:
        mine = me(position)
        chooser = Chooser(-distance(position.lines[mine]), chance)
        for option in pooled(position):
            if option.section == mine:
                chooser.offer(-distance(option.line), option.place)
        return chooser.found

    def place(self, position: Position, kind: int, chance: random.Random) -> Place | ToPool:
        mine = me(position)
        chooser = Chooser(-distance(position.lines[mine]), chance)
        for option in drawn(position, kind):
            if option.section == mine:
                chooser.offer(-distance(option.line), option.place)
        return chooser.found or ToPool(kind)


class Fighter:
    """Looks one ply ahead at both lines: gains way on the other by going on or by leading him astray."""

    def value(self, position: Position, mine: int, section: int, line: Line) -> float:
        """Return how far the player is ahead, in tiles, after a line was changed."""
        ahead = distance(line) if section != mine else -distance(line)
        other = position.lines[1 - section]
        return ahead + (distance(other) if section == mine else -distance(other))

    def idle(self, position: Position, mine: int) -> float:
        """Return how far the player is ahead as it stands."""
        return float(distance(position.lines[1 - mine]) - distance(position.lines[mine]))

    def source(self, position: Position, chance: random.Random) -> Place | None:
        mine = me(position)
        chooser = Chooser(self.expected(position, mine, chance), chance)
        for option in pooled(position):
            chooser.offer(self.value(position, mine, option.section, option.line), option.place)
        return chooser.found

    def expected(self, position: Position, mine: int, chance: random.Random) -> float:
        """Return what is expected of drawing: the best place of each kind, or the pool."""
        if not position.pile:
            return -float(WON)
        own, other = (reach(position.lines[s], s) for s in (mine, 1 - mine))
        gain = sum(
            p * max(own.now - own.nearest[k], other.farthest[k] - other.now, 0)
            for k, p in enumerate(chances(position))
        )
        return other.now - own.now + gain

    def place(self, position: Position, kind: int, chance: random.Random) -> Place | ToPool:
        mine = me(position)
        chooser = Chooser(self.idle(position, mine), chance)
        for option in drawn(position, kind):
            chooser.offer(self.value(position, mine, option.section, option.line), option.place)
        return chooser.found or ToPool(kind)


class Planner(Fighter):
    """Weighs what the next tile can bring: a win of the other at his next turn, by the pile or by an open pool.

    Before the draw he works out what each kind would be worth at its best place, the pool's danger with it.
    """

    def _value(self, position: Position, mine: int, lines: list[Line], left: int | None) -> float:
        """Return how far the player is ahead, in tiles, with dangers and hopes; `left` is a kind put into the pool."""
        own, other = reach(lines[mine], mine), reach(lines[1 - mine], 1 - mine)
        if own.now == 0:
            return float(WON)
        danger, hope = (_next_wins(position, r, left) for r in (other, own))
        ahead = min(other.now, DEAD_END) - min(own.now, DEAD_END)
        return ahead - DANGER * danger + HOPE * hope * (1.0 - danger)

    def value(self, position: Position, mine: int, section: int, line: Line) -> float:
        lines = list(position.lines)
        lines[section] = line
        return self._value(position, mine, lines, None)

    def _best(self, position: Position, mine: int, kind: int, chance: random.Random) -> Chooser:
        """Return the best that can be done with a drawn tile; nothing found where that is the pool."""
        chooser = Chooser(self._value(position, mine, list(position.lines), kind), chance)
        for option in drawn(position, kind):
            chooser.offer(self.value(position, mine, option.section, option.line), option.place)
        return chooser

    def expected(self, position: Position, mine: int, chance: random.Random) -> float:
        likely = [(kind, p) for kind, p in enumerate(chances(position)) if p]
        if not likely:
            return -float(WON)
        return sum(p * self._best(position, mine, kind, chance).best for kind, p in likely)

    def place(self, position: Position, kind: int, chance: random.Random) -> Place | ToPool:
        return self._best(position, me(position), kind, chance).found or ToPool(kind)


def _next_wins(position: Position, line: Reach, left: int | None) -> float:
    """Return how likely the next tile completes a line, if it may come from the pool as well."""
    pool = unpack(position.pool)
    wins = [kind for kind, near in enumerate(line.nearest) if near == 0]
    if any(pool[kind] or kind == left for kind in wins):
        return 1.0
    return sum(chances(position)[kind] for kind in wins)


PLAYERS: Final[dict[str, Player]] = {
    "random": Random(),
    "runner": Runner(),
    "fighter": Fighter(),
    "planner": Planner(),
}
"""The players by name, weakest first."""
