"""What the study of Hex-Lightning found, as a page in plain words; every sentence is made from the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from referee.study.core import Bar, Block, Chart, Heading, Listing, Report, Row
from referee.study.estimates import Estimate
from referee.study.hexlightning.players import PLAYERS
from referee.study.hexlightning.study import EQUAL, RULES, SETS, HexLightningStudy

_AT: Final = {name: place for place, name in enumerate(HexLightningStudy.measures)}
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


def report(rows: Sequence[Row]) -> Report:
    """Return the page."""
    equal = [row for row in rows if row.settings[3:] == (EQUAL, EQUAL)]
    return Report(
        "Hex-Lightning on one shared board: is it a game?",
        _answer(equal),
        tuple(_blocks(rows, equal)),
    )


def _bare(row: Row) -> str:
    """Return a setting's tiles and board in words."""
    _, name, size, *_ = row.settings
    return f"the set {name} on {size} × {size}"


def _named(row: Row) -> str:
    """Return a setting in words."""
    return _bare(row) + ("" if row.settings[0] == "ends" else ", without hex-lightning-end")


def _answer(equal: Sequence[Row]) -> str:
    if not equal:
        return f"Nothing was played by two {EQUAL}s; see the table."
    told = []
    free = [row for row in equal if row.settings[0] == "free"]
    if free:
        drawn = sorted(free, key=lambda row: figure(row, "drawn").value)
        told.append(
            "With tiles placed anywhere and no more, between players who run and block,"
            f" {figure(drawn[0], 'drawn').percent()} are drawn with {_bare(drawn[0])}, and"
            f" {figure(drawn[-1], 'drawn').percent()} with {_bare(drawn[-1])}."
        )
        if not any(works(row) for row in free):
            told.append(
                "That is no game: a tile closes its cell whatever its mark is, but goes on with a line only if it fits."
            )
    good = sorted(
        (row for row in equal if works(row)),
        key=lambda row: (-int(row.settings[2]), figure(row, "drawn").value),
    )
    if good:
        row = good[0]
        told.append(
            f"Where a tile must take up a loose end that its cell touches, it works with {_named(row)}"
            f" ({SETS[row.settings[1]][1]}): {figure(row, 'plies').plain()} plies,"
            f" {figure(row, 'drawn').percent()} drawn, {figure(row, 'first player').percent()} of the points for the"
            f" first player, {figure(row, 'choices').plain(0)} choices a ply."
        )
    else:
        told.append("No setting that was played is both seldom drawn and fair.")
    return " ".join(told)


def _blocks(rows: Sequence[Row], equal: Sequence[Row]) -> Iterator[Block]:
    yield Heading("The rules that were played")
    yield (
        "Two players, a rhombus of hexagons as in Hex. First owns top and bottom, second left and right. A ply draws a"
        " tile and lays it on any empty cell, turned as one likes; a tile on a cell that loose ends touch takes up one"
        " of them. All marks are everybody's: whoever's two edges are joined wins. The page is"
        " templates/rules/hex-lightning.md."
    )
    yield (
        f"A setting is called a game if between two equal players who run and block (the {EQUAL}) at most"
        f" {100 * SELDOM:.0f} % are drawn and the first player makes {100 * FAIR[0]:.0f} to {100 * FAIR[1]:.0f} % of"
        " the points, intervals and all."
    )
    for rules in RULES:
        found = [row for row in equal if row.settings[0] == rules]
        if found:
            yield from _charts(rules, found)
    pairs = _pairs(rows)
    if pairs:
        yield from pairs
    yield Heading("All figures")
    yield _all(rows)


def _charts(rules: str, found: Sequence[Row]) -> Iterator[Block]:
    with_ends = rules == "ends"
    yield Heading("Loose ends are taken up" if with_ends else "Without hex-lightning-end")
    yield _chart(found, "drawn", f"{rules}-drawn", "How often nobody wins", "games drawn")
    if not with_ends:
        return
    yield _chart(
        found,
        "first player",
        f"{rules}-first",
        "What the first player makes",
        "share of the points",
        mark=0.5,
    )
    yield _chart(found, "plies", f"{rules}-length", "How long a game lasts", "plies", percent=False)
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
    chosen = min(settings)
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
        "The random player lays anywhere; the runner takes the shortest way to his own connection; the fighter weighs"
        " it against the other's.",
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
