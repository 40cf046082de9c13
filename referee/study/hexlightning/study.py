"""The study of Hex-Lightning: tile sets and boards against each other, with and without hex-lightning-end."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from pnp import tiles
from referee.errors import RefereeError
from referee.study.core import Cell, Counts, Given, Report, Result, Row, Setting, Value
from referee.study.estimates import mean, share
from referee.study.hexlightning.board import SIDES
from referee.study.hexlightning.game import RULES, Table, play_game
from referee.study.hexlightning.players import PLAYERS

ALL: Final = tuple(tiles.kinds(SIDES))
SETS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "all": (ALL, "all eleven kinds"),
    "straight": (tuple(k for k in ALL if tiles.family(k) != "P"), "the nine without power tiles"),
    "midpoints": (tuple(k for k in ALL if tiles.family(k) == "MM"), "midpoint to midpoint only"),
    "power": (tuple(k for k in ALL if tiles.family(k) == "P"), "power tiles only"),
    "diagonals": (tuple(k for k in ALL if tiles.family(k) == "VV"), "corner to corner only"),
    "corners": (
        tuple(k for k in ALL if tiles.family(k) in ("VV", "P")),
        "corner to corner, straight or bent: no midpoints",
    ),
}
"""The sets that are compared, as many of each kind, and what they are."""
SIZES: Final = (3, 4, 5)
LEAST, LARGEST = 3, 14
"""On 2 × 2 a point of the left rim belongs to the top edge and to the bottom one, and is joined with itself."""

BEST, BEST_SIZE, BEST_RULES = "diagonals", 5, "sides"
"""The set, the board and the rules that are looked at closely."""
MORE: Final = (
    *product((BEST_RULES,), ("corners", BEST), (6,)),
    *product(("ends",), ("all", "corners", BEST), (4, 5)),
    *product(("free",), ("all", "corners"), (4, 5)),
)
"""What is played besides all sets on boards of SIZES: a larger board, and the rules that the better are compared with.
"""
GAMES, MANY = 40, 600
EQUAL: Final = "fighter"
"""Who plays both sides where rules, tiles and boards are compared."""


class HexLightningStudy:
    """Plays whole games of templates/rules/hex-lightning.md."""

    name = "hex-lightning"
    help = (
        "Whether Hex-Lightning is a game on one shared board, tiles placed anywhere: how long it takes, how often it is"
        " drawn, what the first player has of being first, how many choices a tile leaves; with several sets of tiles"
        " and boards, with and without the rule that a loose end is taken up."
    )
    settings = (
        Setting("set", "NAME", f"Which tiles: {', '.join(SETS)}.", many=True),
        Setting("size", "N", f"Cells a side of the rhombus, {LEAST} to {LARGEST}.", many=True),
        Setting("rules", "NAME", f"Which rules: {', '.join(RULES)}.", many=True),
        Setting(
            "player", "NAME", f"Who plays, every pair of them: {', '.join(PLAYERS)}.", many=True
        ),
    )
    columns = ("rules", "set", "size", "first", "second")
    measures = ("first player", "drawn", "plies", "choices", "own hand")

    def cells(self, given: Given) -> tuple[Cell, ...]:
        """Return what is played; with options, every combination of what they name."""
        _check(given)
        if given:
            players = dict.fromkeys(given.get("player", (EQUAL,)))
            return tuple(
                Cell((rules, name, str(int(size)), *pair), GAMES)
                for rules in dict.fromkeys(given.get("rules", (BEST_RULES,)))
                for name in dict.fromkeys(given.get("set", (BEST,)))
                for size in dict.fromkeys(given.get("size", (str(BEST_SIZE),)))
                for pair in product(players, repeat=2)
            )
        return tuple(_standard())

    def play(self, cell: Cell, seed: int, index: int) -> Result:
        """Return a game's half points of the first player, plies, choices summed over them, and whether the winner
        laid the last tile himself.
        """
        rules, name, size, first, second = cell.settings
        chance = random.Random(seed)
        n, kinds = int(size), SETS[name][0]
        pile = [kind for kind in kinds for _ in range(each(n, kinds))]
        chance.shuffle(pile)
        table = Table(n, kinds, RULES[rules])
        game = play_game((PLAYERS[first], PLAYERS[second]), table, pile, chance)
        points = 1 if game.winner is None else 2 * (1 - game.winner)
        return (points, game.plies, game.choices, int(game.own))

    def summary(self, cell: Cell, counts: Counts) -> tuple[Value, ...]:
        """Return the first player's share (a draw is a half), the share of draws, the mean length, the mean choices of
        a ply, and the share of games that the winner's own tile ended.
        """
        games = sum(counts.values())
        drawn = sum(times for (points, *_), times in counts.items() if points == 1)
        own = sum(times for (*_, own), times in counts.items() if own)
        return (
            share(sum(points * times for (points, *_), times in counts.items()) / 2.0, games),
            share(drawn, games),
            mean([(plies, times) for (_, plies, _, _), times in counts.items()]),
            mean([(choices / plies, times) for (_, plies, choices, _), times in counts.items()]),
            share(own, games),
        )

    def report(self, rows: Sequence[Row]) -> Report:
        """Return the page."""
        from referee.study.hexlightning.report import report

        return report(rows)


def each(n: int, kinds: Sequence[str]) -> int:
    """Return how many tiles of each kind there are: at least as many tiles as cells (hex-lightning-tiles)."""
    return -(-n * n // len(kinds))


def _check(given: Given) -> None:
    """Raise RefereeError for a value that is not known."""
    for option, known in (("set", SETS), ("rules", RULES), ("player", PLAYERS)):
        for word in given.get(option, ()):
            if word not in known:
                raise RefereeError(
                    f"--{option} {word} is not known; write one of {', '.join(known)}"
                )
    for size in given.get("size", ()):
        if not (size.isascii() and size.isdigit() and LEAST <= int(size) <= LARGEST):
            raise RefereeError(f"--size {size}: write a number from {LEAST} to {LARGEST}")


def _standard() -> Iterator[Cell]:
    """Yield the cells of the whole study."""
    found: dict[tuple[str, ...], int] = {}
    for name, size in product(SETS, SIZES):
        found[BEST_RULES, name, str(size), EQUAL, EQUAL] = GAMES
    for rules, name, size in MORE:
        found[rules, name, str(size), EQUAL, EQUAL] = GAMES
    for pair in product(PLAYERS, repeat=2):
        found[BEST_RULES, BEST, str(BEST_SIZE), *pair] = GAMES
    found[BEST_RULES, BEST, str(BEST_SIZE), EQUAL, EQUAL] = MANY
    return (Cell(settings, games) for settings, games in found.items())


STUDY = HexLightningStudy()
