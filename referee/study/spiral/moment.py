"""The moment of a record that a hint is asked for; kind words where there is nothing to choose."""

from __future__ import annotations

from itertools import islice

from referee.core.picture import Frame
from referee.core.record import GameRecord
from referee.diagram.frames import moment, play_through
from referee.errors import RefereeError
from referee.games.spiral import GAME
from referee.notation.inputs import open_records
from referee.report import plain


def moment_of(path: str, number: int, ply: int | None) -> Frame:
    """Return record `number` of a file after `ply` turns, or where it stands.

    Raises RefereeError where the player has no cards to choose: another game, a fault before that turn, a game that
    is over, a deal that is missing.
    """
    seen = 0
    for record in islice(open_records(path), number):
        seen += 1
        if seen == number:
            return _moment(record, ply)
    raise RefereeError(
        f"{path} has {seen} {'record' if seen == 1 else 'records'}; there is no record {number}"
    )


def _moment(record: GameRecord, ply: int | None) -> Frame:
    name = record.source.name
    game = record.value("Game")
    if game != GAME.name:
        what = (
            f"this record is of {plain(game, 40)}" if game else "this record does not say its game"
        )
        raise RefereeError(f"{name}: hints are for Spiral; {what}")
    played = play_through(record, ply)
    verdict = played.verdict
    fault = verdict.error
    if fault is not None:
        advice = f"; mend it, or ask for a turn before it: --ply 0 to {verdict.plies}"
        where = f"{name}:{fault.line}:{fault.column}"
        raise RefereeError(f"{where}: {plain(fault.message, 200)} [{fault.code}]{advice}")
    if ply is not None and verdict.plies < ply:
        raise RefereeError(
            f"{name}: the record has {verdict.plies} turns, not {ply}; leave --ply out for the last position"
        )
    if verdict.to_move is None:
        last = f", 0 to {verdict.plies - 1}" if verdict.plies else ""
        raise RefereeError(
            f"{name}: the game is over ({verdict.result}, {verdict.reason}); "
            f"--ply N asks for a turn before its end{last}"
        )
    if verdict.needs is not None:
        raise RefereeError(
            f"{name}: no cards lie on the table; add the tag Deal{verdict.state.deals + 1}, or a Seed, to the record"
        )
    return moment(played, len(played.plies))
