"""Tiles and deals for records without a club: the next one, and all of them computed again (mail.md, Chance)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from referee.core.chance import Chance, commitment, parse_seed
from referee.core.record import GameRecord
from referee.errors import RefereeError
from referee.files import disk, edit
from referee.files.playing import Opened, Played, RefusedError, open_record, rewrite, write
from referee.games.lightning import next_tile
from referee.games.lightning.position import unpack
from referee.games.lightning.tiles import EACH, KINDS, TOTAL
from referee.games.spiral import deal_tag, next_deal
from referee.games.spiral.cards import CARDS, COLUMNS, HEIGHT, Columns, deal_text
from referee.judge import judge

Pick = Callable[[int], int]
"""Chance for records without a seed: an index below the number given."""


def draw(path: Path, pick: Pick, number: int | None = None) -> tuple[str, Played | None]:
    """Draw the next tile or deal of a record; return what to say, and the record if it was changed.

    Lightning: the tile is written as `III@?`, and a second call gives the same. Spiral: with a seed
    the deals are told; without one a deal that is missing is drawn by `pick` and written as its tag.
    Raises RefereeError for a game without chance, a finished one, one whose seed a club keeps.
    """
    with disk.opened(path) as data:
        opened = open_record(data, path, number)
        if opened.game.name not in ("Lightning", "Spiral"):
            raise RefereeError(
                f"nothing is drawn in {opened.game.name}; `referee play` makes a move"
            )
        if opened.verdict.to_move is None:
            raise RefusedError("the game is over; nothing is drawn any more")
        tags = opened.record.tags
        if "Commit" in tags and "Seed" not in tags:
            raise RefusedError("a club keeps this game's seed; the draw comes by mail")
        if opened.game.name == "Lightning":
            return _tile(path, opened, pick)
        return _deal(path, opened, pick)


def _tile(path: Path, opened: Opened, pick: Pick) -> tuple[str, Played | None]:
    position = opened.state.position
    kind = next_tile(position)
    if position.pending is not None:
        return f"{kind} is drawn and waits for its place", None
    if kind is None:
        stock = [
            k for k, count in zip(KINDS, unpack(position.pile), strict=True) for _ in range(count)
        ]
        if not stock:
            raise RefusedError("the pile is empty; take a tile from the pool, or pass")
        kind = stock[pick(len(stock))]
    return f"{kind} is drawn", write(path, opened, [f"{kind}@?"])


def _deal(path: Path, opened: Opened, pick: Pick) -> tuple[str, Played | None]:
    position = opened.state.position
    table = f"on the table, deal {position.deals}: {deal_text(position.columns)}"
    if position.needs != "deal":
        coming = next_deal(position)
        if coming is None:
            return table, None
        return f"{table}\nnext, deal {coming[0]}: {deal_text(coming[1])}", None
    left = list(range(len(CARDS)))
    cards = [left.pop(pick(len(left))) for _ in range(len(CARDS))]
    columns: Any = tuple(
        tuple(cards[at : at + HEIGHT]) for at in range(0, COLUMNS * HEIGHT, HEIGHT)
    )
    name, value = deal_tag(position.deals + 1, columns)
    played = rewrite(path, opened, edit.with_tag(opened.record, name, value))
    return f"deal {position.deals + 1}: {value}", played


def verify(record: GameRecord) -> tuple[bool, list[str]]:
    """Compute every draw of a record again; return whether all agree, and lines on what was found."""
    verdict = judge(record)
    if verdict.state is None:
        raise RefereeError(
            f"{record.source.name}: the tags are at fault; `referee adjudicate` tells where"
        )
    if verdict.game not in ("Lightning", "Spiral"):
        return True, [f"{verdict.game}: nothing is drawn by chance"]
    seed = parse_seed(record.value("Seed") or "")
    if seed is None:
        raise RefereeError(
            f"{record.source.name}: the record has no Seed; while a game is on its club keeps it, "
            "and afterwards the record gets it"
        )
    words = (record.value(name) or "" for name in ("GameId", "Word1", "Word2"))
    chance = Chance(seed, *words)
    told = _commitment(record, seed)
    agrees = told is None or told.endswith("agrees")
    lines = (
        [told] if told else ["there is no Commit tag; the seed itself cannot be held to anything"]
    )
    if verdict.game == "Lightning":
        lines += list(_tiles(chance, TOTAL - sum(unpack(verdict.state.pile))))
    else:
        lines += [
            f"deal {n}: {deal_text(_columns(chance, n))}" for n in range(1, verdict.state.deals + 1)
        ]
    if verdict.error is not None:
        fault = verdict.error
        lines.append(f"{fault.line}:{fault.column}: {fault.message} [{fault.code}]")
    return agrees and verdict.error is None, lines


def _commitment(record: GameRecord, seed: bytes) -> str | None:
    commit = record.value("Commit")
    if commit is None:
        return None
    right = commitment(record.value("GameId") or "", seed)
    if right == commit.lower():
        return "the seed and the commitment: agrees"
    return f"the seed does not belong to the commitment, which would be {right}"


def _tiles(chance: Chance, number: int) -> Iterator[str]:
    """Yield the first draws of a seed, ten a line, worked out from the seed alone."""
    left = [kind for kind in KINDS for _ in range(EACH)]
    drawn = [left.pop(chance.draw(n, len(left))) for n in range(1, number + 1)]
    for at in range(0, number, 10):
        yield f"draws {at + 1} to {min(at + 10, number)}: {' '.join(drawn[at : at + 10])}"


def _columns(chance: Chance, number: int) -> Columns:
    """Return a deal worked out from the seed alone: 32 draws, column 1 first, top card first."""
    left = list(range(len(CARDS)))
    first = (number - 1) * len(CARDS) + 1
    cards = [left.pop(chance.draw(first + n, len(left))) for n in range(len(CARDS))]
    one, two, three, four = (tuple(cards[at : at + HEIGHT]) for at in range(0, len(CARDS), HEIGHT))
    return (one, two, three, four)
