"""Ends that no move makes, and changes of who plays."""

from __future__ import annotations

from typing import Final, Literal

from referee.core.verdict import FIRST, Rejected
from referee.match.events import Cancelled, Substituted
from referee.match.model import Done, Match, not_on
from referee.match.steps import apply, cleared_queues, over
from referee.turns import RESULT_OF_LOSS

RESULTS: Final = ("1-0", "0-1", "1/2-1/2")

Declared = Literal["time", "adjudication", "resign"]


def resign(match: Match, seat: int) -> Done | Rejected:
    """Resign: in turn the ply `resign`; out of turn the record gets the result and `Termination "resignation"`."""
    refused = not_on(match)
    if refused is not None:
        return refused
    if match.to_move == seat:
        return apply(match, seat, "resign")
    return end(match, RESULT_OF_LOSS[seat], "resign")


def end(match: Match, result: str, reason: Declared, why: str = "") -> Done | Rejected:
    """End a game by a declared result: on time, by the operator's ruling (`why` says it), by resignation."""
    refused = not_on(match)
    if refused is not None:
        return refused
    if result not in RESULTS:
        return Rejected(
            "result", None, f"{result!r} is no result; write one of {', '.join(RESULTS)}"
        )
    if match.solo and result == "1/2-1/2":
        return Rejected("result", "all-draw", "Spiral has no draws; write 1-0 or 0-1")
    if match.game == "Hex" and result == "1/2-1/2":
        return Rejected("result", "hex-win", "Hex has no draws; write 1-0 or 0-1")
    return over(match, [], result, reason, why)


def cancel(match: Match, why: str) -> Done | Rejected:
    """Cancel a game without a result; its seed becomes known."""
    refused = not_on(match)
    if refused is not None:
        return refused
    cleared = cleared_queues(match, "end")
    new = match.changed(status="cancelled", offering=None, undo=None, queues=((), ()))
    return Done(new, (*cleared, Cancelled(why, match.seed)))


def substitute(match: Match, seat: int, name: str) -> Done | Rejected:
    """Put another player in a seat; what the old one had queued, offered or asked for is gone, and all queues."""
    refused = not_on(match)
    if refused is not None:
        return refused
    if match.solo and seat != FIRST:
        return Rejected("turn", None, "Dr. Brooks keeps her seat; Spiral has one player")
    cleared = cleared_queues(match, "substitution")
    new = rename(match, seat, name).changed(
        event=match.event + 1, offering=None, undo=None, queues=((), ())
    )
    return Done(new, (Substituted(seat, match.player(seat), name), *cleared))


def rename(match: Match, seat: int, name: str) -> Match:
    """Give a seat's player another name in the record (`forget me`); nothing else changes."""
    tag = "First" if seat == FIRST else "Second"
    return match.changed(tags={**match.tags, tag: name})
