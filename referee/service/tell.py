"""Events as things to say, from each player's side; and who hears of what (M85)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee import report
from referee.clock import Clock
from referee.core.verdict import Rejected
from referee.mail.reply import Note, harmless, note
from referee.match import (
    Cancelled,
    Dealt,
    Drew,
    Ended,
    Event,
    Line,
    Match,
    Offered,
    Played,
    QueueCleared,
    Queued,
    QueueDropped,
    Shown,
    Started,
    Substituted,
    UndoAsked,
    Undone,
)

TELLING = (
    *(Started, Played, Undone, Ended, Cancelled, Substituted, UndoAsked),
    Offered,
)
"""Events of which the other player is told by a mail. A drawn tile is told with its placing."""


def listeners(match: Match, events: Sequence[Event], actor: int | None) -> tuple[int, ...]:
    """Return the seats that get a mail for these events, the actor's apart: he has his answer.

    One function for all (M85): a private event is told to its owner alone, a waiting offer to nobody yet.
    """
    seats = []
    for seat in (0,) if match.solo else (0, 1):
        if seat == actor:
            continue
        if any(_concerns(event, seat) for event in events):
            seats.append(seat)
    return tuple(seats)


def _concerns(event: Event, seat: int) -> bool:
    if event.private is not None:
        return event.private == seat and isinstance(event, QueueDropped | QueueCleared)
    if isinstance(event, Offered) and event.waits:
        return False
    return isinstance(event, TELLING)


def notes(
    match: Match, events: Iterable[Event], reader: int | None, clock: Clock | None = None
) -> list[Note]:
    """Return what a reader (his seat, None for the operator) is told of events, in order."""
    said = []
    for event in events:
        if event.private is not None and event.private != reader:
            continue
        told = _note(match, event, reader, clock)
        if told is not None:
            said.append(told)
    return said


def who(match: Match, seat: int, reader: int | None) -> str:
    """Return "You" or a player's name."""
    return "You" if seat == reader else match.player(seat)


def _note(match: Match, event: Event, reader: int | None, clock: Clock | None) -> Note | None:
    if isinstance(event, Started):
        return started(match, clock)
    if isinstance(event, Played):
        return note(
            "played",
            word=event.word,
            ply=event.ply,
            queued=event.queued,
            solo=match.solo,
            **_person(match, event.seat, reader),
        )
    if isinstance(event, Shown):
        return note("shown", ply=event.ply, words=" ".join(w.lstrip("~") for w in event.words))
    if isinstance(event, Drew):
        return note(
            "drew", tile=event.tile, again=event.again, **_person(match, event.seat, reader)
        )
    if isinstance(event, Dealt):
        return note("dealt", number=event.number, deal=event.deal)
    if isinstance(event, Offered):
        if event.waits and event.seat != reader:
            return None  # it is made with the move
        return note("offered", waits=event.waits, **_person(match, event.seat, reader))
    if isinstance(event, UndoAsked):
        return note("undo-asked", plies=event.plies, **_person(match, event.seat, reader))
    if isinstance(event, Undone):
        return _undone(match, event, reader)
    return _queue_note(event) or _end_note(match, event)


def _person(match: Match, seat: int, reader: int | None) -> dict[str, Any]:
    return {
        "who": who(match, seat, reader),
        "yours": seat == reader,
        "other": match.player(1 - seat),
    }


def _undone(match: Match, event: Undone, reader: int | None) -> Note:
    return note(
        "undone",
        operator=event.seat is None,
        who="" if event.seat is None else who(match, event.seat, reader),
        words=" ".join(event.words) or "the result",
        plies=event.plies,
        why=harmless(event.why),
    )


def _queue_note(event: Event) -> Note | None:
    if isinstance(event, Queued):
        return note("queued", ply=event.line.ply, pairs=pairs(event.line))
    if isinstance(event, QueueCleared):
        return note("queue-cleared", lines=event.lines, why=event.why)
    if isinstance(event, QueueDropped):
        return note("queue-dropped", word=event.word, ply=event.ply, message=event.message)
    return None


def pairs(line: Line) -> str:
    """Return a queued line's pairs as `d4 → e5, f6 → g7`."""
    return ", ".join(f"{theirs} → {mine}" for theirs, mine in line.pairs)


def _end_note(match: Match, event: Event) -> Note | None:
    if isinstance(event, Ended):
        return note(
            "ended",
            outcome=outcome(match, event.result, event.reason),
            result=event.result,
            reason=event.reason,
            why=harmless(event.why),
            seed=event.seed,
            solo=match.solo,
            id=match.id,
        )
    if isinstance(event, Cancelled):
        return note("cancelled", id=match.id, why=harmless(event.why), seed=event.seed)
    if isinstance(event, Substituted):
        return note("substituted", old=event.old, new=event.new)
    return None


def outcome(match: Match, result: str, reason: str | None) -> str:
    """Return who won and how, in one sentence without its full stop."""
    sides = (match.player(0) or "the player", match.player(1) or "second")
    return report.ended(match.game, result, reason, sides)


def options(chosen: dict[str, str]) -> str:
    """Return a game's options as `Size=7, Swap=sides`."""
    return ", ".join(f"{name}={value}" for name, value in chosen.items())


def started(match: Match, clock: Clock | None) -> Note:
    """Return how a game begins: who plays first, options, time, commitment and words."""
    chosen = {name: match.tags[name] for name in match.rules.options if name in match.tags}
    return note(
        "started",
        game=match.game,
        id=match.id,
        solo=match.solo,
        first=match.player(0),
        second=match.player(1),
        options=options(chosen),
        clock=clock.settings.describe() if clock is not None else "",
        commit=match.tags.get("Commit", ""),
        word1=harmless(match.tags.get("Word1", "")),
        word2=harmless(match.tags.get("Word2", "")),
    )


def refusal(refused: Rejected, text: str = "", line: int | None = None) -> Note:
    """Return why something was not carried out: message, rule in plain words, what would be legal (M105)."""
    from referee.match.model import CODES

    return note(
        "refused",
        text=harmless(text),
        line=line,
        message=harmless(refused.message).rstrip("."),
        code="" if refused.code in CODES else refused.code,
        rule=refused.rule or "",
        ruling=report.ruling(refused.rule) if refused.rule else "",
        would=" ".join(refused.would),
    )
