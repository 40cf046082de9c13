"""Queued answers (mail.md, Commands: `queue`): pairs of the other's ply and mine, in Hex and Focus.

A line is bound to ply numbers, so that a stale answer never fires a turn later. Nobody but its owner sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.core.verdict import Rejected
from referee.match.events import Line, Played, QueueCleared, Queued, QueueDropped
from referee.match.model import Done, Match, not_on
from referee.match.steps import apply, canonical
from referee.turns import step

GAMES: Final = ("Hex", "Focus")
MOST: Final = 100
"""Pairs that a player may have queued in a game."""


def queue(
    match: Match, seat: int, pairs: Sequence[tuple[str, str]], ply: int | None = None
) -> Done | Rejected:
    """Queue one line: `pairs` of the other's ply and the answer, the next pair for the ply after that.

    The first pair answers the other's next ply, or ply number `ply`. Where `ply` is the one that the other has just
    played, the answer is played now if the ply is the one named. Several lines are alternatives; of two that answer
    the same plies otherwise the later holds. A line whose plies are known to be illegal now is refused.
    """
    refused = not_on(match) or _no_queue(match, pairs)
    if refused is not None:
        return refused
    line: list[tuple[str, str]] = []
    for pair in pairs:
        words = tuple(_token(match, word) for word in pair)
        for word in words:
            if isinstance(word, Rejected):
                return word
        line.append((str(words[0]), str(words[1])))
    due = match.plies + (2 if match.to_move == seat else 1)
    if ply is not None and ply == match.plies and match.to_move == seat:
        return _late(match, seat, line, ply)
    if ply is not None and (ply < due or (ply - due) % 2):
        return Rejected(
            "ply", None, f"the other's next ply is number {due}, not {ply}; nothing was queued"
        )
    wanted = Line(ply or due, tuple(line))
    if match.to_move != seat and wanted.ply == due:
        refused = _tried(match, wanted)
        if refused is not None:
            return refused
    return _kept(match, seat, wanted)


def _no_queue(match: Match, pairs: Sequence[tuple[str, str]]) -> Rejected | None:
    if match.game not in GAMES:
        return Rejected(
            "queue", None, f"{match.game} has no queue; answers can be queued in Hex and Focus"
        )
    if not pairs:
        return Rejected(
            "queue", None, "queue the other's ply and your answer to it: queue d4: e5, f6: g7"
        )
    return None


def _token(match: Match, word: str) -> str | Rejected:
    """Return the canonical token of a move; resigning and draws are nobody's to foresee."""
    token = canonical(match, word)
    if token in ("resign", "draw!"):
        return Rejected("queue", None, f"{word} cannot be queued; only moves can")
    return token


def _late(match: Match, seat: int, line: list[tuple[str, str]], ply: int) -> Done | Rejected:
    """The other has just played the ply that the first pair answers: play the answer now, queue the rest."""
    played = next(word for word in reversed(match.words) if word != "draw?")
    (theirs, mine), rest = line[0], tuple(line[1:])
    if theirs != played:
        return Rejected("ply", None, f"ply {ply} was {played}, not {theirs}; nothing was played")
    done = apply(match, seat, mine)
    if isinstance(done, Rejected):
        return done
    if rest and done.match.status == "on":
        kept = _kept(done.match, seat, Line(ply + 2, rest))
        if isinstance(kept, Rejected):
            return kept
        done = Done(kept.match, (*done.events, *kept.events))
    return fire(done)


def _tried(match: Match, line: Line) -> Rejected | None:
    """Play a line of which every ply is known; return the first that is illegal."""
    state = match.state
    for word in (word for pair in line.pairs for word in pair):
        after = step(match.rules, state, word)
        if isinstance(after, Rejected):
            where = f"queued ply {state.position.plies + 1}, {word}"
            return Rejected(after.code, after.rule, f"{where}: {after.message}", after.would)
        state = after
    return None


def _kept(match: Match, seat: int, line: Line) -> Done | Rejected:
    lines = (*(old for old in match.queues[seat] if not _clash(old, line)), line)
    if sum(len(old.pairs) for old in lines) > MOST:
        return Rejected("queue", None, f"{MOST} queued answers are the most; clear the queue first")
    return Done(_with(match, seat, lines), (Queued(seat, line),))


def _clash(old: Line, new: Line) -> bool:
    """Whether two lines answer the same plies of the other in different ways, or one is the other's beginning."""
    if old.ply != new.ply:
        return False
    for (theirs, mine), (theirs_now, mine_now) in zip(old.pairs, new.pairs, strict=False):
        if theirs != theirs_now:
            return False
        if mine != mine_now:
            return True
    return len(old.pairs) <= len(new.pairs)


def _with(match: Match, seat: int, lines: tuple[Line, ...]) -> Match:
    first, second = match.queues
    return match.changed(queues=(lines, second) if seat == 0 else (first, lines))


def clear_queue(match: Match, seat: int) -> Done:
    """Take a player's queued lines away because he asks."""
    lines = match.queues[seat]
    events = (QueueCleared(seat, len(lines), "asked"),) if lines else ()
    return Done(_with(match, seat, ()), events)


def fire(done: Done) -> Done:
    """Play what is queued for the ply just played, and so on until nothing fits.

    An answer that is illegal is dropped and its owner told; so is one where a draw was offered with the ply, for
    playing on would decline it.
    """
    match, events = done.match, list(done.events)
    while match.to_move is not None and match.queues[match.to_move]:
        seat, plies = match.to_move, match.plies
        word = next(e.word for e in reversed(events) if isinstance(e, Played))
        fitting = [
            line for line in match.queues[seat] if line.ply == plies and line.pairs[0][0] == word
        ]
        later = tuple(line for line in match.queues[seat] if line.ply > plies)
        match = _with(match, seat, later)
        if not fitting:
            break
        answer = fitting[-1].pairs[0][1]
        played = _answered(match, seat, answer)
        if isinstance(played, QueueDropped):
            events.append(played)
            break
        rest = tuple(Line(plies + 2, line.pairs[1:]) for line in fitting if len(line.pairs) > 1)
        match = played.match
        if match.status == "on":
            match = _with(match, seat, (*later, *rest))
        events += played.events
    return Done(match, tuple(events))


def _answered(match: Match, seat: int, answer: str) -> Done | QueueDropped:
    ply = match.plies + 1
    if match.offer is not None:
        message = "a draw is offered with that ply; answer it yourself, by draw! or a move"
        return QueueDropped(seat, ply, answer, "draw", message)
    played = apply(match, seat, answer, queued=True)
    if isinstance(played, Rejected):
        return QueueDropped(seat, ply, answer, played.code, played.message)
    return played
