"""One ply of a match, and what the club writes with it: a waiting draw offer, Dr. Brooks' cards, deals, the end."""

from __future__ import annotations

from referee.core.verdict import Rejected
from referee.games.spiral import brooks_tokens, deal_tag
from referee.match.events import Dealt, Ended, Event, Offered, Played, QueueCleared, Shown
from referee.match.model import Done, Match
from referee.turns import State, step

UNPLACED = "@?"
"""How the word of a tile drawn and not yet placed ends."""

COMMON = ("resign", "draw!")
"""Plies that all games share; no game parses them."""


def canonical(match: Match, word: str) -> str | Rejected:
    """Return a ply's canonical token, or why the word is none."""
    low = word.lower()
    if low in COMMON:
        return low
    move = match.rules.parse(word, match.setup)
    return move if isinstance(move, Rejected) else match.rules.format(move, match.setup)


def apply(match: Match, seat: int, word: str, *, queued: bool = False) -> Done | Rejected:
    """Return the match after one ply of the player to move, queues not yet looked at, or why it is illegal.

    `word` is a canonical token. An undo that was asked for is void with the ply.
    """
    after = step(match.rules, match.state, word)
    if isinstance(after, Rejected):
        return after
    words = match.words
    if words and words[-1].endswith(UNPLACED) and word != "resign":
        words = words[:-1]  # the placement is written in its stead
    events: list[Event] = [Played(seat, after.position.plies, word, queued)]
    words = (*words, word)
    if match.offering == seat:
        offered = step(match.rules, after, "draw?")
        if isinstance(offered, State):
            after, words = offered, (*words, "draw?")
            events.append(Offered(seat))
    if match.solo:
        after, words = _brooks(match, after, words, events)
    new = match.with_state(after, words=words, event=match.event + 1, offering=None, undo=None)
    return closed(new, events)


def _brooks(
    match: Match, after: State, words: tuple[str, ...], events: list[Event]
) -> tuple[State, tuple[str, ...]]:
    """Write Dr. Brooks' cards after the player's, and tell of a new deal."""
    tokens = brooks_tokens(after.position)
    for token in tokens:
        shown = step(match.rules, after, token)
        assert isinstance(shown, State), token
        after = shown
    if tokens:
        events.append(Shown(after.position.plies, tokens))
    if after.position.deals > match.position.deals:
        events.append(dealt(after.position.deals, after))
    return after, (*words, *tokens)


def dealt(number: int, state: State) -> Dealt:
    """Return the event of deal `number`, whose columns have just come on the table of a seeded game."""
    columns = state.position.setup.deal(number)
    return Dealt(number, deal_tag(number, columns)[1])


def closed(match: Match, events: list[Event]) -> Done:
    """Return what was done; a game that its last ply ended is over, and its queues are gone."""
    position = match.position
    if position.to_move is not None:
        return Done(match, tuple(events))
    return over(match, events, position.result, position.reason)


def over(match: Match, events: list[Event], result: str, reason: str, why: str = "") -> Done:
    """Return the match ended with a result and a reason of notation.md."""
    cleared = cleared_queues(match, "end")
    new = match.changed(
        status="over", result=result, reason=reason, offering=None, undo=None, queues=((), ())
    )
    return Done(new, (*events, *cleared, Ended(result, reason, why, match.seed)))


def cleared_queues(match: Match, why: str) -> tuple[QueueCleared, ...]:
    """Return the events of both players' queues being cleared."""
    return tuple(
        QueueCleared(seat, len(lines), why) for seat, lines in enumerate(match.queues) if lines
    )
