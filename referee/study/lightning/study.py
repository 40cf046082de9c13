"""The study of Lightning: players against each other, and sets of tiles against each other."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Final

from referee.errors import RefereeError
from referee.games.lightning.tiles import KINDS
from referee.study.core import Cell, Counts, Given, Report, Result, Row, Setting, Value
from referee.study.estimates import Estimate, mean, share, slope
from referee.study.lightning.game import play_game
from referee.study.lightning.players import PLAYERS
from referee.study.lightning.sets import SETS, STANDARD, YOURS, counted, read, written

REASONS: Final = ("complete", "both-dead", "exhausted")
POINTS: Final = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
"""Half points of the first player."""

PAIRS, SLOW, EQUALS, SKILL = 200, 110, 150, 60
"""Games of a pair of players; of the two strongest, who take long; of two equal ones on a set of tiles; of unequal
ones.
"""
CLOSELY: Final = {STANDARD: 1500, "double-power": 600, "inverse": 600}
"""Games of two equal players on the sets that are looked at closely: the source's, and the two that were drawn least
often in fewer games.
"""
_SLOW_PAIRS: Final = {("fighter", "planner"), ("planner", "fighter"), ("planner", "planner")}
EQUAL: Final = "fighter"
"""Who plays both sides where sets of tiles are compared."""
WEAKER: Final = "runner"


class LightningStudy:
    """Plays whole games by the rules of referee.games.lightning."""

    name = "lightning"
    help = (
        "How Lightning goes between players of several strengths: how long, how often drawn, blocked, led astray, won"
        " by the first player; what a tile more of each kind is worth; and how all that changes with the numbers of"
        " each kind."
    )
    settings = (
        Setting(
            "count",
            "KIND=N",
            "Play a set of your own beside the standard one: as many of one kind, as pnp build lightning takes it.",
            many=True,
        ),
        Setting(
            "player", "NAME", f"Who plays, every pair of them: {', '.join(PLAYERS)}.", many=True
        ),
    )
    columns = ("first", "second", "set", "tiles")
    measures = (
        *("first player", "drawn", "both dead", "exhausted", "plies", "blocked", "diverted"),
        *(f"worth {kind}" for kind in KINDS),
    )

    def cells(self, given: Given) -> tuple[Cell, ...]:
        """Return what is played; with options, every pair of the named players on the standard set and one's own."""
        players = given.get("player", ())
        for name in players:
            if name not in PLAYERS:
                raise RefereeError(f"--player {name} is nobody; write one of {', '.join(PLAYERS)}")
        if given:
            sets = {STANDARD: SETS[STANDARD][0]}
            if "count" in given:
                sets[YOURS] = counted(given["count"])
            names = tuple(dict.fromkeys(players)) or (WEAKER, EQUAL)
            return tuple(
                Cell((first, second, name, written(tiles)), EQUALS)
                for name, tiles in sets.items()
                for first, second in product(names, repeat=2)
            )
        found = {
            (*pair, STANDARD): SLOW if pair in _SLOW_PAIRS else PAIRS
            for pair in product(PLAYERS, repeat=2)
        }
        for name in SETS:
            found[(EQUAL, EQUAL, name)] = CLOSELY.get(name, EQUALS)
            found.setdefault((EQUAL, WEAKER, name), SKILL)
        return tuple(
            Cell((*who, name, written(SETS[name][0])), games)
            for (*who, name), games in found.items()
        )

    def play(self, cell: Cell, seed: int, index: int) -> Result:
        """Return a game's half points of the first player, how it ended (as in REASONS), its length, tiles that
        blocked a line, tiles on the other's line, and the first player's first draws of each kind less the second's.
        """
        first, second, _, tiles = cell.settings
        game = play_game((PLAYERS[first], PLAYERS[second]), read(tiles), random.Random(seed))
        more = tuple(a - b for a, b in zip(*game.opening, strict=True))
        ended = REASONS.index(game.reason)
        return (POINTS[game.result], ended, game.plies, game.blocked, game.diverted, *more)

    def summary(self, cell: Cell, counts: Counts) -> tuple[Value, ...]:
        """Return the shares of games that the first player won (a draw is a half), that were drawn and how; means of
        length, blocks and tiles on the other's line; and by how much the first player's share grows with one tile
        more of a kind among his first draws.
        """
        games = sum(counts.values())

        def count(of: Callable[[Result], bool]) -> Estimate:
            return share(sum(times for result, times in counts.items() if of(result)), games)

        def average(part: int) -> Estimate:
            return mean([(result[part], times) for result, times in counts.items()])

        worth = [
            slope([(result[5 + kind], result[0] / 2.0, times) for result, times in counts.items()])
            for kind in range(len(KINDS))
        ]
        return (
            share(sum(result[0] * times for result, times in counts.items()) / 2.0, games),
            count(lambda result: result[0] == 1),
            count(lambda result: result[1] == 1),
            count(lambda result: result[1] == 2),
            average(2),
            average(3),
            average(4),
            *worth,
        )

    def report(self, rows: Sequence[Row]) -> Report:
        """Return the page."""
        from referee.study.lightning.report import report

        return report(rows)


STUDY = LightningStudy()
