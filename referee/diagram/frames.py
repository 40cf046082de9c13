"""Records as moments to draw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from referee.core.game import Game
from referee.core.picture import Frame
from referee.core.record import GameRecord
from referee.core.verdict import Rejected, Verdict
from referee.errors import RefereeError
from referee.games import load
from referee.judge import judge
from referee.turns import State


class Ply(NamedTuple):
    """A ply of a record: its canonical token, the word's index in the record, the position after it."""

    token: str
    word: int
    position: Any


class Played(NamedTuple):
    """A record played through: its game, the position before ply 1, its plies, what the judge says.

    `end` is the last position, which may show more than the last ply's (a drawn tile, cards that
    were turned up). `cancelled` is what the tag `Termination` says of a game that does not count.
    """

    game: Game[Any, Any, Any]
    start: Any
    plies: list[Ply]
    end: Any
    verdict: Verdict
    cancelled: bool = False


def play_through(record: GameRecord, stop_at: int | None = None) -> Played:
    """Play a record as far as it is legal. Raises RefereeError where its tags leave nothing to draw."""
    plies: list[Ply] = []

    def watch(index: int, state: State) -> None:
        position = state.position
        if position.plies > len(plies):
            plies.append(Ply(record.words[index], index, position))
        elif plies:
            plies[-1] = plies[-1]._replace(position=position)

    verdict = judge(record, stop_at, watch)
    if verdict.state is None or verdict.game is None:
        raise RefereeError(_nothing(record, verdict))
    game = load(verdict.game)
    assert game is not None
    start = judge(record, 0).state
    plies = [ply._replace(token=_canonical(game, ply)) for ply in plies]
    unfinished = stop_at is None and verdict.error is None and verdict.result == "*"
    cancelled = unfinished and record.value("Termination") == "cancelled"
    return Played(game, start, plies, verdict.state, verdict, cancelled)


def _nothing(record: GameRecord, verdict: Verdict) -> str:
    fault = verdict.error
    where = f"{record.source.name}:{fault.line}:{fault.column}: " if fault else ""
    why = fault.message if fault else "no game"
    return f"{where}{why}; a record needs right tags to be drawn"


def _canonical(game: Game[Any, Any, Any], ply: Ply) -> str:
    """Return a ply's token in its canonical form (`resign` and `draw!` are words of all games)."""
    move = game.parse(ply.token, ply.position.setup)
    return (
        ply.token.lower() if isinstance(move, Rejected) else game.format(move, ply.position.setup)
    )


def frame_of(record: GameRecord, ply: int | None = None) -> Frame:
    """Return a record's last position, or the one after `ply` plies.

    Raises RefereeError for a ply that the record does not reach, or tags that leave nothing to draw.
    """
    played = play_through(record, ply)
    if ply is not None and played.verdict.plies < ply:
        fault = played.verdict.error
        why = f"; then {fault.message} [{fault.code}]" if fault else ""
        raise RefereeError(
            f"{record.source.name}: the record has {played.verdict.plies} legal plies, not {ply}{why}"
        )
    return moment(played, len(played.plies))


def moment(played: Played, ply: int) -> Frame:
    """Return the frame after `ply` plies of a record that was played through."""
    positions = [p.position for p in played.plies]
    last = ply == len(played.plies)
    frame = Frame(
        game=played.game,
        position=played.end if last else positions[ply - 1] if ply else played.start,
        before=None if not ply else positions[ply - 2] if ply > 1 else played.start,
        moves=tuple(p.token for p in played.plies[:ply]),
        positions=positions,
        first=played.verdict.first,
        second=played.verdict.second,
    )
    return replace(frame, verdict=played.verdict, cancelled=played.cancelled) if last else frame


def frame_of_position(game: Game[Any, Any, Any], text: str) -> Frame:
    """Return the frame of a position as text. Raises RefereeError that says what is wrong with it."""
    position = game.parse_position(text)
    if isinstance(position, Rejected):
        raise RefereeError(f"--position: {position.message}")
    return Frame(game, position, recorded=False)
