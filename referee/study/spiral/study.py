"""The study of Spiral: how often the player wins, by which play, with which variant and on which spiral."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from referee.errors import RefereeError
from referee.study.core import Cell, Counts, Given, Report, Result, Row, Setting, Value
from referee.study.estimates import mean, share
from referee.study.spiral.deal import Rules
from referee.study.spiral.layouts import layouts
from referee.study.spiral.players import PLAYERS, play_game
from referee.study.spiral.table import OWN_MOST, table

PLAIN: Final = "plain"
VARIANTS: Final = {
    PLAIN: (False, False),
    "same-column": (True, False),
    "cycle": (False, True),
    "both": (True, True),
}
"""Each variant with whether it is spiral-same-column and spiral-cycle."""
GAMES: Final = {
    "random": 4000,
    "greedy": 1500,
    "deal": 200,
    "ahead": 150,
    "quick": 2000,
    "trial": 400,
}
"""Games of each player on the standard board."""
FEWER: Final = 500
"""Games at most with a variant or on another spiral."""
COMPARED: Final = ("greedy", "quick")
"""Players who play the variants and the other spirals."""


class SpiralStudy:
    """Plays whole games; see players.py for who plays."""

    name = "spiral"
    help = (
        "How often Spiral's player beats Dr. Brooks: players from one who takes any cards to one who tries out the "
        "deals to come; the variants; the eight spirals that differ by more than rotation and reflection. With any of "
        "the options below, just what they name is played, each player with each variant on each spiral."
    )
    settings = (
        Setting("player", "NAME", f"Who plays: {', '.join(PLAYERS)}.", many=True),
        Setting("variant", "NAME", f"Which rules: {', '.join(VARIANTS)}.", many=True),
        Setting("layout", "N", "Which spiral: 1, the standard one, to 8.", many=True),
    )
    columns = ("player", "variant", "layout")
    measures = ("wins", "to_the_centre", "won_there", "turns", "deals")

    def cells(self, given: Given) -> tuple[Cell, ...]:
        """Return the settings asked for, or the study's own."""
        names = [str(number) for number in range(1, len(layouts()) + 1)]
        for option, known in (("player", PLAYERS), ("variant", VARIANTS), ("layout", names)):
            for word in given.get(option, ()):
                if word not in known:
                    raise RefereeError(
                        f"--{option} {word} is not known; write one of {', '.join(known)}"
                    )
        if given:
            return tuple(
                _cell(player, variant, layout)
                for variant in dict.fromkeys(given.get("variant", (PLAIN,)))
                for layout in dict.fromkeys(given.get("layout", ("1",)))
                for player in dict.fromkeys(given.get("player", tuple(PLAYERS)))
            )
        return (
            *(_cell(player, PLAIN, "1") for player in PLAYERS),
            *(
                _cell(player, variant, "1")
                for variant in VARIANTS
                if variant != PLAIN
                for player in COMPARED
            ),
            *(_cell(player, PLAIN, layout) for layout in names[1:] for player in COMPARED),
        )

    def play(self, cell: Cell, seed: int, index: int) -> Result:
        """Return whether a game was won, the player's turns, and how many deals it took."""
        player, variant, layout = cell.settings
        rules = _rules(variant, int(layout))
        game = play_game(rules, PLAYERS[player], Random(f"{seed} deals"), Random(f"{seed} play"))
        return (int(game.won), game.turns, game.deals)

    def summary(self, cell: Cell, counts: Counts) -> tuple[Value, ...]:
        """Return the shares of games that were won, that came down to the centre, and that were won there."""
        games = sum(counts.values())
        last = [(won, times) for (won, turns, _), times in counts.items() if turns == OWN_MOST]
        return (
            share(sum(times for (won, _, _), times in counts.items() if won), games),
            share(sum(times for _, times in last), games),
            share(sum(times for won, times in last if won), games),
            mean([(turns, times) for (_, turns, _), times in counts.items()]),
            mean([(deals, times) for (_, _, deals), times in counts.items()]),
        )

    def report(self, rows: Sequence[Row]) -> Report:
        """Return the page."""
        from referee.study.spiral.report import report

        return report(rows)


def _cell(player: str, variant: str, layout: str) -> Cell:
    games = GAMES[player]
    if variant != PLAIN or layout != "1":
        games = min(games, FEWER)
    return Cell((player, variant, layout), games, "deals")


@lru_cache(maxsize=32)
def _rules(variant: str, layout: int) -> Rules:
    same_column, cycle = VARIANTS[variant]
    return Rules(table(layouts()[layout - 1]), same_column, cycle)


STUDY = SpiralStudy()
