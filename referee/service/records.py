"""Records out of a club and into it (mail.md, The operator: `export`, `import`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Protocol

from pnp.themes import Theme
from referee import clock as clocks
from referee.core.record import GameRecord
from referee.core.source import Source
from referee.core.verdict import Verdict
from referee.diagram import site as pages
from referee.diagram.site import File, Listed, Score, Shown
from referee.errors import RefereeError
from referee.games import load, names
from referee.judge import judge
from referee.mail.identity import name_key
from referee.match import CHANCE, Match, record_text
from referee.notation import lexer, moves
from referee.notation.writer import format_record
from referee.service.desk import Desk
from referee.service.operator import RefusedError, game_of
from referee.service.post import Post
from referee.store import Unit

_OURS = frozenset({"Game", "GameId", "Result", "Termination", "Seed"})
"""Tags that a match says by itself."""


def export(desk: Desk, now: datetime, game_ids: Iterable[str] = ()) -> Iterator[str]:
    """Yield the records of games, of all without ids, as `.moves`; none has its seed while it is on."""
    with desk.store.read(now) as unit:
        for game_id in _ids(unit, list(game_ids)):
            yield record_text(game_of(unit, game_id).match)


def _ids(unit: Unit, wanted: list[str]) -> Iterator[str]:
    """Yield the ids that are wanted, without any those of all games in their order."""
    yield from wanted
    after = 0
    while not wanted and (page := unit.games_list(after=after)):
        yield from (summary.id for summary in page)
        after = int(page[-1].id.rpartition("-")[2])


class Folder(Protocol):
    """Where a folder of pages is written."""

    def have(self, path: str) -> str | None:
        """Return the text of a file that is there, None where there is none, or no text."""
        ...

    def write(self, file: File) -> None:
        """Write a file whole or not at all. Raises PnpError."""
        ...

    def trouble(self, text: str) -> None:
        """Hear of a game that is left out."""
        ...

    def shown(self) -> None:
        """Hear that a game is there."""
        ...


def site(
    desk: Desk,
    now: datetime,
    game_ids: Iterable[str],
    theme: Theme,
    folder: Folder,
) -> int:
    """Write games, all without ids, as a folder of pages; return how many could be shown.

    What the folder has already is not drawn again.
    Only what anybody may know is in it: public records and standings, no address, no talk. A game
    that cannot be read or drawn is told as trouble and left out.
    """
    listed: list[Listed] = []
    with desk.store.read(now) as unit:
        for game_id in _ids(unit, list(game_ids)):
            try:
                match = game_of(unit, game_id).match
                text = record_text(match)
                record = moves.read(Source(match.id, text))
                shown = Shown(match.id, match.status, record, text)
                entry, files = pages.game(shown, theme, folder.have)
                for file in files:
                    folder.write(file)
            except RefereeError as error:
                folder.trouble(str(error))
                continue
            listed.append(entry)
            folder.shown()
        tables = [
            (game, [Score(r.name, r.played, r.won, r.drawn, r.lost) for r in unit.standings(game)])
            for game in names()
        ]
    for file in pages.index(desk.club.name, listed, tables):
        folder.write(file)
    return len(listed)


def import_record(desk: Desk, now: datetime, record: GameRecord) -> str:
    """Take a record in as a game of the club and return its id.

    Its players must be players here, by their names in the record. Raises RefusedError for a record with a fault, an
    id that is taken, an open game with chance (its seed is elsewhere).
    """
    verdict = judge(record)
    place = record.source.name
    if verdict.error is not None:
        fault = verdict.error
        raise RefusedError(f"{place}:{fault.line}:{fault.column}: {fault.message} [{fault.code}]")
    if record.start is not None or verdict.game is None:
        raise RefusedError(f"{place}: a game that starts from a set-up position cannot be imported")
    over = verdict.result != "*"
    if verdict.game in CHANCE and not (over and record.value("Seed")):
        raise RefusedError(
            f"{place}: an open {verdict.game} game has its seed elsewhere; let it end there"
        )
    with desk.store.begin(now) as unit:
        game_id = _id_for(unit, record, verdict.game)
        seats = [_player_id(unit, record, tag) for tag in _seats(verdict.game)]
        match = _match(record, verdict, game_id)
        clock = None
        if not over:
            clock = clocks.turn(clocks.new_clock(desk.club.clock), match.to_move)
        kept = unit.add_game(match, seats[0], seats[1] if len(seats) > 1 else None, clock)
        unit.log_add(game_id, match.event, "imported", {})
        if not over:
            for seat in (0, 1):
                Post(desk, unit, now).game(kept, seat, [])
    return game_id


def _seats(game: str) -> tuple[str, ...]:
    return ("First",) if game == "Spiral" else ("First", "Second")


def _id_for(unit: Unit, record: GameRecord, game: str) -> str:
    """Return the record's own id where it is free, for its draws depend on it; else a new one."""
    slug = game.lower()
    own = record.value("GameId") or ""
    known, _, number = own.rpartition("-")
    ours = known == slug and number.isdecimal() and own == f"{slug}-{int(number)}"
    if ours and 0 < int(number) < 10**9:
        if unit.game(own) is None and unit.challenge(own) is None:
            unit.number_taken(int(number))
            return own
        if game in CHANCE:
            raise RefusedError(f"{record.source.name}: there is a game {own} here already")
    elif game in CHANCE:
        raise RefusedError(
            f"{record.source.name}: its draws depend on its GameId {own!r}, which is none of a club's"
        )
    return f"{slug}-{unit.next_number()}"


def _player_id(unit: Unit, record: GameRecord, tag: str) -> int:
    name = record.value(tag) or ""
    player = unit.player_named(name_key(name)) if name else None
    if player is None:
        raise RefusedError(f"{record.source.name}: {tag} {name!r} is no player here; invite him")
    return player.id


def _match(record: GameRecord, verdict: Verdict, game_id: str) -> Match:
    """Return a legal record as a game of ours, its words in canonical form."""
    assert verdict.game is not None
    again = moves.read(Source(record.source.name, format_record(record, load(verdict.game))))
    words = tuple(
        word
        for word in again.words
        if not (lexer.is_comment(word) or lexer.is_number(word) or word in lexer.RESULTS)
    )
    over = verdict.result != "*"
    return Match(
        verdict.game,
        game_id,
        {
            name: value
            for name, value in again.values().items()
            if name not in _OURS and not name.startswith("Deal")
        },
        words,
        event=len(words),
        status="over" if over else "on",
        result=verdict.result,
        reason=verdict.reason if over else None,
        seed=record.value("Seed"),
    )
