"""What the study of Lightning found, as a page in plain words; every sentence is made from the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from pnp import resources
from referee.games.lightning.tiles import KINDS
from referee.study.core import Bar, Block, Chart, Heading, Listing, Report, Row
from referee.study.estimates import Estimate
from referee.study.lightning.players import PLAYERS
from referee.study.lightning.sets import SETS, STANDARD
from referee.study.lightning.study import EQUAL, WEAKER, LightningStudy

_AT: Final = {name: place for place, name in enumerate(LightningStudy.measures)}


def figure(row: Row, measure: str) -> Estimate:
    """Return a measure of a row."""
    value = row.values[_AT[measure]]
    assert isinstance(value, Estimate)
    return value


def recommended(rows: Sequence[Row]) -> str | None:
    """Return the set to play with instead of the standard one, None where none is better.

    Of the sets that are surely drawn less often between equals (their intervals lie apart) the one where the stronger
    player beats the weaker most often: a set should come to an end, and reward play, not luck.
    """
    equal, skilled = _by_set(rows, EQUAL), _by_set(rows, WEAKER)
    if STANDARD not in equal:
        return None
    limit = figure(equal[STANDARD], "drawn").low
    good = [name for name in equal if name in skilled and figure(equal[name], "drawn").high < limit]
    return max(good, key=lambda name: figure(skilled[name], "first player").value, default=None)


def _by_set(rows: Sequence[Row], second: str) -> dict[str, Row]:
    """Return the rows of EQUAL against another player by their sets."""
    return {row.settings[2]: row for row in rows if row.settings[:2] == (EQUAL, second)}


def report(rows: Sequence[Row]) -> Report:
    """Return the page."""
    return Report(
        "Lightning: how it goes, and what its tiles are worth",
        _answer(rows),
        tuple(_blocks(rows)),
    )


def _answer(rows: Sequence[Row]) -> str:
    equal = _by_set(rows, EQUAL)
    told = []
    plain = equal.get(STANDARD)
    if plain is not None:
        told.append(
            f"Between two equal players (the {EQUAL}) with thirty of each kind a game takes"
            f" {figure(plain, 'plies').plain()} plies; {figure(plain, 'drawn').percent()} are drawn, and the first"
            f" player makes {figure(plain, 'first player').percent()} of the points."
        )
        worth = max(KINDS, key=lambda kind: figure(plain, f"worth {kind}").value)
        told.append(
            f"One more tile of kind {worth} among the first twelve draws, instead of any other, is worth"
            f" {_points(figure(plain, f'worth {worth}'))} of winning chance, the most of all kinds; a power tile (V)"
            f" is worth {_points(figure(plain, 'worth V'))}."
        )
    name = recommended(rows)
    if name is not None:
        told.append(
            f"Of the sets that were compared, {name} ({SETS[name][1]}: {_counts(name)}) is recommended:"
            f" {figure(equal[name], 'drawn').percent()} of its games are drawn, and the first player makes"
            f" {figure(equal[name], 'first player').percent()} of the points."
        )
    elif len(equal) > 1:
        told.append("No set that was compared is surely drawn less often.")
    return " ".join(told) or "Nothing was played that can be compared; see the table."


def _points(value: Estimate) -> str:
    middle = f"{100.0 * value.value:+z.1f}".replace("-", "−")
    return f"{middle} points {value.within(1, 100.0, '+')}"


def _counts(name: str) -> str:
    return ", ".join(f"{kind} {n}" for kind, n in zip(KINDS, SETS[name][0], strict=True))


def _blocks(rows: Sequence[Row]) -> Iterator[Block]:
    plain = [row for row in rows if row.settings[2] == STANDARD]
    if len({row.settings[:2] for row in plain}) > 1:
        yield from _strength(plain)
    sets = _by_set(rows, EQUAL)
    if sets:
        yield from _games(sets)
        yield from _worth(sets)
    skilled = _by_set(rows, WEAKER)
    if len(sets) > 1:
        yield from _recommendation(rows, sets, skilled)
    yield Heading("All figures")
    yield _all(rows)


def _strength(plain: Sequence[Row]) -> Iterator[Block]:
    yield Heading("The players")
    yield (
        "The random player plays anywhere. The runner sees only the line that is his and takes the shortest way. The"
        " fighter looks at both lines and gains on the other player by running or by leading him astray, whichever"
        " brings more. The planner also weighs what the next draw and the open pool can bring. Way is counted in"
        " tiles: how many a line needs at least, if every kind were to be had."
    )
    names = [name for name in PLAYERS if any(name in row.settings[:2] for row in plain)]
    found = {row.settings[:2]: figure(row, "first player") for row in plain}
    cells = [
        (a, *(found[a, b].percent(0) if (a, b) in found else "" for b in names)) for a in names
    ]
    yield "What the first player (left) makes of the points against the second (above); a draw is half a point."
    yield Listing(("first \\ second", *names), tuple(cells))


def _games(sets: dict[str, Row]) -> Iterator[Block]:
    yield Heading("How a game goes")
    yield from (
        _chart(sets, "plies", "length", f"How long a game of two {EQUAL}s lasts", "plies", percent=False),
        _chart(sets, "drawn", "drawn", f"How often nobody wins between two {EQUAL}s", "games drawn"),
        _chart(sets, "first player", "first", f"What the first of two {EQUAL}s makes", "share of the points", mark=0.5),
    )  # fmt: skip
    row = sets.get(STANDARD) or next(iter(sets.values()))
    yield (
        f"With the {row.settings[2]} set both lines are dead at the end of {figure(row, 'both dead').percent()} of the"
        f" games, and {figure(row, 'exhausted').percent()} end with an empty pile. A line is blocked"
        f" {figure(row, 'blocked').plain()} times a game, and {figure(row, 'diverted').plain()} tiles a game are put"
        " on the other player's line."
    )


def _chart(
    sets: dict[str, Row],
    measure: str,
    name: str,
    title: str,
    axis: str,
    *,
    percent: bool = True,
    mark: float | None = None,
) -> Chart:
    bars = tuple(Bar(_label(found), figure(row, measure)) for found, row in sets.items())
    least, most = (
        pick(sets, key=lambda found: figure(sets[found], measure).value) for pick in (min, max)
    )
    tell: Callable[[Estimate], str] = Estimate.percent if percent else Estimate.plain
    text = f"{title}, by set of tiles: "
    if least == most:
        text += f"{tell(figure(sets[least], measure))} with the {least} set."
    else:
        text += (
            f"least with the {least} set, {tell(figure(sets[least], measure))}, most with the {most} set,"
            f" {tell(figure(sets[most], measure))}."
        )
    return Chart(name, title, text, axis, bars, percent=percent, mark=mark)


def _label(name: str) -> str:
    return f"{name}: {'-'.join(map(str, SETS[name][0]))}" if name in SETS else name


def _worth(sets: dict[str, Row]) -> Iterator[Block]:
    yield Heading("What a tile is worth")
    row = sets.get(STANDARD) or next(iter(sets.values()))
    kinds = sorted(KINDS, key=lambda kind: -figure(row, f"worth {kind}").value)
    yield Chart(
        "worth",
        "What one tile more of a kind is worth",
        f"With the {row.settings[2]} set, from the best kind to the worst: "
        + "; ".join(f"{kind} {_points(figure(row, f'worth {kind}'))}" for kind in kinds)
        + ".",
        "points of winning chance for one more among the first twelve draws",
        tuple(
            Bar(kind, Estimate(*(100.0 * part for part in figure(row, f"worth {kind}"))))
            for kind in KINDS
        ),
        percent=False,
        mark=0.0,
    )
    yield (
        "Which tiles a player draws first is chance alone, so the games are an experiment by themselves: the points"
        " of the first player are set against how many more of a kind he drew among his first twelve than the other"
        " did among his."
    )
    if len(sets) > 1:
        yield Chart(
            "power",
            "What one power tile more is worth, by set",
            "The worth of a power tile (V) among the first twelve draws where the numbers of each kind are others.",
            "points of winning chance for one more V",
            tuple(
                Bar(_label(name), Estimate(*(100.0 * part for part in figure(found, "worth V"))))
                for name, found in sets.items()
                if name not in SETS or SETS[name][0][4]
            ),
            percent=False,
            mark=0.0,
        )


def _recommendation(
    rows: Sequence[Row], sets: dict[str, Row], skilled: dict[str, Row]
) -> Iterator[Block]:
    yield Heading("Which tiles to play with")
    yield (
        "A set is better than thirty of each kind if games between equals are surely drawn less often, so that the"
        " intervals lie apart. Of such sets the one is recommended with which the"
        f" {EQUAL} beats the {WEAKER} most often, for there play counts most."
    )
    if skilled:
        title = f"What the {EQUAL} makes against the {WEAKER}"
        yield _chart(skilled, "first player", "skill", title, "share of the points")
    name = recommended(rows)
    if name is None:
        yield "None of the sets is."
        return
    yield f"That is {name}: {_counts(name)}. Print it by: pnp build lightning {_printed(name)}"


def _printed(name: str) -> str:
    """Return the options that print a set: the house's preset where there is one."""
    if (resources.templates() / "presets" / f"lightning-{name}.toml").is_file():
        return f"--preset lightning-{name}"
    return " ".join(f"--count {kind}={n}" for kind, n in zip(KINDS, SETS[name][0], strict=True))


def _all(rows: Sequence[Row]) -> Listing:
    names = ("first player", "drawn", "plies", "blocked", "diverted")
    told = (
        (
            *row.settings[:3],
            str(row.games),
            *(figure(row, name).percent() for name in names[:2]),
            *(figure(row, name).plain() for name in names[2:]),
        )
        for row in rows
    )
    return Listing(("first", "second", "set", "games", *names), tuple(told))
