"""What the study of Hex-Lightning found, as a page in plain words; every sentence is made from the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.study.core import Bar, Block, Chart, Heading, Listing, Report, Row
from referee.study.estimates import Estimate
from referee.study.hexlightning.players import PLAYERS
from referee.study.hexlightning.study import EQUAL, SETS, HexLightningStudy

_AT: Final = {name: place for place, name in enumerate(HexLightningStudy.measures)}
_RULES: Final = {
    "sides": "the whole rules, where first alone joins and second wins a full board,",
    "ends": "the rules without hex-lightning-sides",
    "free": "the rules without hex-lightning-sides and hex-lightning-end",
}
"""The rules in words."""
SELDOM: Final = 0.10
"""A setting works if, at the upper end of the interval, no more games than this are drawn, …"""
FAIR: Final = (0.35, 0.65)
"""… and the first player's share, interval and all, lies between these."""


def figure(row: Row, measure: str) -> Estimate:
    """Return a measure of a row."""
    value = row.values[_AT[measure]]
    assert isinstance(value, Estimate)
    return value


def works(row: Row) -> bool:
    """Whether a setting is a game: seldom drawn, and fair."""
    first = figure(row, "first player")
    return figure(row, "drawn").high <= SELDOM and FAIR[0] <= first.low and first.high <= FAIR[1]


def ruled_out(row: Row) -> bool:
    """Whether a setting is surely no game; one that neither works nor is ruled out wants more games."""
    first = figure(row, "first player")
    return figure(row, "drawn").low > SELDOM or first.high < FAIR[0] or first.low > FAIR[1]


def report(rows: Sequence[Row]) -> Report:
    """Return the page."""
    equal = [row for row in rows if row.settings[3:] == (EQUAL, EQUAL)]
    return Report(
        "Hex-Lightning on one shared board: is it a game?",
        _answer(equal),
        tuple(_blocks(rows, equal)),
    )


def _place(row: Row) -> tuple[int, int]:
    """Return where a setting stands in a chart: by tiles, then by size."""
    return (list(SETS).index(row.settings[1]), int(row.settings[2]))


def _named(row: Row) -> str:
    """Return a setting's tiles and board in words."""
    _, name, size, *_ = row.settings
    return f"the set {name} on {size} × {size}"


def _answer(equal: Sequence[Row]) -> str:
    if not equal:
        return f"Nothing was played by two {EQUAL}s; see the table."
    told = []
    for rules, words in (
        ("free", "With tiles placed anywhere and no more"),
        ("ends", "Where a tile must take up a loose end that its cell touches"),
    ):
        found = [row for row in equal if row.settings[0] == rules]
        if found:
            drawn = sorted(found, key=lambda row: figure(row, "drawn").value)
            told.append(
                f"{words}, between two equal players {figure(drawn[0], 'drawn').percent()} of the games are"
                f" drawn with {_named(drawn[0])} and {figure(drawn[-1], 'drawn').percent()} with {_named(drawn[-1])}:"
                f" {_judged(found)}."
            )
    if told:
        told.append(
            "A tile closes its cell whatever its mark is, and goes on with a line only if it fits."
        )
    good = sorted((row for row in equal if works(row)), key=_evenness)
    if good:
        row = good[0]
        told.append(
            f"By {_RULES[row.settings[0]]} it works best with {_named(row)} ({SETS[row.settings[1]][1]}):"
            f" {figure(row, 'plies').plain()} plies, {figure(row, 'drawn').percent()} drawn,"
            f" {figure(row, 'first player').percent()} of the points for the first player,"
            f" {figure(row, 'choices').plain(0)} choices a ply."
        )
    elif all(map(ruled_out, equal)):
        told.append("No setting that was played is both seldom drawn and fair.")
    else:
        told.append(
            "No setting is shown to be both seldom drawn and fair; more games might show one."
        )
    return " ".join(told)


def _judged(found: Sequence[Row]) -> str:
    """Say whether any setting of some rules is a game."""
    good = [_named(row) for row in found if works(row)]
    if good:
        return f"a game with {'; '.join(good)}"
    return "no game" if all(map(ruled_out, found)) else "no game that so few games can show"


def _evenness(row: Row) -> float:
    """Return how far a setting surely is from even, so that one that was looked at closely goes before others."""
    first = figure(row, "first player")
    return max(0.5 - first.low, first.high - 0.5)


def _blocks(rows: Sequence[Row], equal: Sequence[Row]) -> Iterator[Block]:
    yield Heading("The rules that were played")
    yield (
        "Two players, a rhombus of hexagons as in Hex. A ply draws a tile and lays it on any empty cell, turned as one"
        " likes; a tile on a cell that loose ends touch takes up one of them (hex-lightning-end). All marks are"
        " everybody's. First wins when top and bottom are joined, second when the board is full without"
        " (hex-lightning-sides). The page is templates/rules/hex-lightning.md; what it has beyond the two remarks of"
        " the article, that the board is shared and tiles are placed anywhere, is also left out here, to show what for:"
        " without hex-lightning-sides second joins left and right and a full board is drawn."
    )
    yield (
        f"A setting is called a game if between two equal players who run and block (the {EQUAL}) at most"
        f" {100 * SELDOM:.0f} % are drawn and the first player makes {100 * FAIR[0]:.0f} to {100 * FAIR[1]:.0f} % of"
        " the points, intervals and all."
    )
    for rules in _RULES:
        found = sorted((row for row in equal if row.settings[0] == rules), key=_place)
        if found:
            yield from _charts(rules, found)
    yield from _pairs(rows)
    yield Heading("All figures")
    yield _all(rows)


def _charts(rules: str, found: Sequence[Row]) -> Iterator[Block]:
    words = _RULES[rules].strip(",")
    yield Heading(f"By {words}")
    if rules == "sides":
        yield _chart(
            found, "first player", "first", "What first makes", "share of the points", mark=0.5
        )
        yield _chart(found, "plies", "length", "How long a game lasts", "plies", percent=False)
        yield _chart(
            found,
            "choices",
            "choices",
            "How many ways a drawn tile can be laid",
            "ways",
            percent=False,
        )
    else:
        yield _chart(found, "drawn", f"{rules}-drawn", "How often nobody wins", "games drawn")
    good = [_named(row) for row in found if works(row)]
    yield f"A game: {'; '.join(good)}." if good else "None of these settings is a game."


def _chart(
    found: Sequence[Row],
    measure: str,
    name: str,
    title: str,
    axis: str,
    *,
    percent: bool = True,
    mark: float | None = None,
) -> Chart:
    bars = tuple(
        Bar(
            f"{row.settings[2]} × {row.settings[2]}",
            figure(row, measure),
            f"{row.settings[1]}: {SETS[row.settings[1]][1]}",
        )
        for row in found
    )
    ordered = sorted(found, key=lambda row: figure(row, measure).value)
    least, most = (
        f"{figure(row, measure).percent() if percent else figure(row, measure).plain()} with {_named(row)}"
        for row in (ordered[0], ordered[-1])
    )
    text = f"{title}, by tiles and board: from {least} to {most}."
    return Chart(name, title, text, axis, bars, percent=percent, mark=mark)


def _pairs(rows: Sequence[Row]) -> list[Block]:
    """Return the players against each other, where one setting was played by several."""
    settings = {row.settings[:3] for row in rows if row.settings[3] != row.settings[4]}
    if not settings:
        return []
    chosen = max(settings)  # "sides" where it was played
    found = {
        row.settings[3:]: figure(row, "first player") for row in rows if row.settings[:3] == chosen
    }
    names = [name for name in PLAYERS if any(name in pair for pair in found)]
    cells = tuple(
        (a, *(found[a, b].percent(0) if (a, b) in found else "" for b in names)) for a in names
    )
    _, name, size = chosen
    return [
        Heading("The players"),
        "The random player lays anywhere; the runner takes the shortest way to his own connection, and where he has"
        " none to make, lays anywhere; the fighter weighs it against the other's, and so blocks as well.",
        f"What the first player (left) makes of the points against the second (above) with the set {name} on"
        f" {size} × {size}; a draw is half a point.",
        Listing(("first \\ second", *names), cells),
    ]


def _all(rows: Sequence[Row]) -> Listing:
    told = (
        (
            *row.settings,
            str(row.games),
            figure(row, "first player").percent(),
            figure(row, "drawn").percent(),
            figure(row, "plies").plain(),
            figure(row, "choices").plain(0),
            figure(row, "own hand").percent(0),
        )
        for row in rows
    )
    return Listing((*HexLightningStudy.columns, "games", *HexLightningStudy.measures), tuple(told))
