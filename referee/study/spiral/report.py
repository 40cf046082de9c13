"""The study's page in plain words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pnp.spiral_layout import ROWS
from referee.study.core import Bar, Block, Chart, Heading, Listing, Report, Row
from referee.study.estimates import Estimate
from referee.study.spiral.layouts import layouts

ROUGH = 0.1
"""An interval that reaches farther tells no share."""
WHO = {
    "random": "takes any two free cards",
    "greedy": "looks one turn ahead: his own piece and the two of Dr. Brooks",
    "deal": "searches each deal to its end, and rates the boards there by rule of thumb",
    "quick": "as ahead, but follows the 20 best boards of each turn only",
    "ahead": "searches each deal to its end, and rates the boards there by a chance learnt from games",
    "trial": "follows the 60 best boards of each turn, and late tries the ten best out in twenty deals to come",
}
RULES = {
    "plain": "plain rules",
    "same-column": "two cards of one column too",
    "cycle": "used cards go to the top",
    "both": "both variants",
}


def difference(one: Estimate, other: Estimate) -> Estimate:
    """Return by how much one share is larger, with Newcombe's interval from the two Wilson intervals."""
    value = one.value - other.value
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    high = value + math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, low, high)


def report(rows: Sequence[Row]) -> Report:
    """Return the page for whatever was played."""
    blocks: list[Block] = []
    plain = [row for row in rows if row.settings[1:] == ("plain", "1")]
    if plain:
        blocks += _players(plain)
    variants = [row for row in rows if row.settings[2] == "1"]
    if any(row.settings[1] != "plain" for row in variants):
        blocks += _variants(variants)
    spirals = [row for row in rows if row.settings[1] == "plain"]
    if any(row.settings[2] != "1" for row in spirals):
        blocks += _spirals(spirals)
    blocks += _centre(rows)
    return Report("How often does Spiral's player beat Dr. Brooks?", _answer(rows), tuple(blocks))


def _wins(row: Row) -> Estimate:
    return _estimate(row, 0)


def _estimate(row: Row, at: int) -> Estimate:
    value = row.values[at]
    assert isinstance(value, Estimate)
    return value


def _answer(rows: Sequence[Row]) -> str:
    best = max(rows, key=lambda row: (row.settings[1:] == ("plain", "1"), _wins(row).value))
    player, variant, layout = best.settings
    where = "" if (variant, layout) == ("plain", "1") else f" ({RULES[variant]}, spiral {layout})"
    wins = _wins(best)
    games = "1 game" if best.games == 1 else f"{best.games} games"
    said = (
        "more often than not"
        if wins.low > 0.5
        else "less often than not"
        if wins.high < 0.5
        else "about every other game"
        if wins.half < ROUGH
        else "in a share of games that these do not tell"
    )
    return (
        f"The best of these players beats Dr. Brooks {said}{where}: {player} ({WHO[player]}) wins {wins.percent()} of "
        f"{games}. In brackets stands the 95 % interval. The author of the article wins about one in three, "
        "and suspects that more than a half can be won."
    )


def _ranges(rows: Sequence[Row]) -> str:
    """Return for each player between which shares his bars lie."""
    said = []
    for player in dict.fromkeys(row.settings[0] for row in rows):
        shares = [_wins(row).value for row in rows if row.settings[0] == player]
        said.append(f"{player} {100.0 * min(shares):.1f} % to {100.0 * max(shares):.1f} %")
    return "; ".join(said)


def _players(rows: Sequence[Row]) -> list[Block]:
    chance = next((_wins(row) for row in rows if row.settings[0] == "random"), None)
    columns = ("player", "games", "wins", "points over random", "turns")
    listing = tuple(
        (
            f"{row.settings[0]}: {WHO[row.settings[0]]}",
            str(row.games),
            _wins(row).percent(),
            "-"
            if chance is None or row.settings[0] == "random"
            else difference(_wins(row), chance).percent(),
            _estimate(row, 3).plain(),
        )
        for row in rows
    )
    chart = Chart(
        "players",
        "Games that the player wins, by his way of play",
        "One bar for each player, weaker ones first: "
        + "; ".join(f"{row.settings[0]} {_wins(row).percent()}" for row in rows)
        + ".",
        "games won",
        tuple(Bar(row.settings[0], _wins(row)) for row in rows),
        mark=0.5,
    )
    return [Heading("Ways of play"), chart, Listing(columns, listing)]


def _variants(rows: Sequence[Row]) -> list[Block]:
    players = [row.settings[0] for row in rows if row.settings[1] != "plain"]
    shown = [row for row in rows if row.settings[0] in players]
    chart = Chart(
        "variants",
        "Games that the player wins, by variant",
        f"The same players with each variant; over all of them {_ranges(shown)}.",
        "games won",
        tuple(
            Bar(row.settings[0], _wins(row), RULES[row.settings[1]]) for row in _grouped(shown, 1)
        ),
        mark=0.5,
    )
    words = (
        "With used cards on top of their columns there is never another deal: all cards of the game are known from "
        "the start, and what the searchers win is won by force."
    )
    return [Heading("Variants"), chart, words]


def _spirals(rows: Sequence[Row]) -> list[Block]:
    players = [row.settings[0] for row in rows if row.settings[2] != "1"]
    shown = _grouped([row for row in rows if row.settings[0] in players], 2)
    chart = Chart(
        "spirals",
        "Games that the player wins, by spiral",
        f"Spiral 1 is the standard one. Over all of them {_ranges(shown)}.",
        "games won",
        tuple(Bar(row.settings[0], _wins(row), f"spiral {row.settings[2]}") for row in shown),
        mark=0.5,
    )
    columns = ("spiral", "rows from the top")
    named = [int(number) for number in dict.fromkeys(row.settings[2] for row in shown)]
    listing = tuple((str(number), _rows(number)) for number in named)
    words = (
        "Ring by ring inwards with one direction of turning there are eight spirals that differ by more than rotation "
        "and reflection. What the players know of the chances was learnt on spiral 1."
    )
    return [Heading("The eight spirals"), chart, words, Listing(columns, listing)]


def _grouped(rows: Sequence[Row], at: int) -> list[Row]:
    order = {
        word: number for number, word in enumerate(dict.fromkeys(r.settings[at] for r in rows))
    }
    return sorted(rows, key=lambda row: order[row.settings[at]])


def _rows(number: int) -> str:
    labels = layouts()[number - 1].labels
    rows, at = [], 0
    for length in ROWS:
        rows.append(" ".join(labels[at : at + length]))
        at += length
    return " / ".join(rows)


def _centre(rows: Sequence[Row]) -> list[Block]:
    words = (
        "The centre is always filled last: no two cards name it, and a piece goes there only from a filled cell with "
        "all cells outwards of it and all inwards of it up to the centre filled. So it takes the player's thirteenth "
        "piece, whatever cards he picks. How many games come down to it, and how many he wins there:"
    )
    columns = ("player", "rules", "spiral", "come to the centre", "won there, of all games")
    listing = tuple(
        (
            row.settings[0],
            RULES[row.settings[1]],
            row.settings[2],
            _estimate(row, 1).percent(),
            _estimate(row, 2).percent(),
        )
        for row in rows
    )
    return [Heading("The centre"), words, Listing(columns, listing)]
