"""Going back: undo by consent, takeback by the operator. No way back goes over a drawn tile or a deal (mail.md)."""

from __future__ import annotations

from referee.core.verdict import Rejected
from referee.match.events import UndoAsked, Undone
from referee.match.model import CHANCE, Done, Match, UndoAsk, not_on
from referee.match.steps import UNPLACED, cleared_queues


def ask_undo(match: Match, seat: int) -> Done | Rejected:
    """Ask for the position before the asker's last ply; the other's later ply goes with it."""
    refused = not_on(match)
    if refused is not None:
        return refused
    if match.solo:
        return Rejected("undo", None, "Spiral by mail has no undo")
    if match.undo is not None and match.undo.seat != seat:
        return Rejected(
            "undo",
            None,
            f"{match.player(1 - seat)} asks for an undo already; undo! grants it",
            ("undo!",),
        )
    plies = match.plies - (1 if match.to_move != seat else 2)
    if plies < 0:
        return Rejected("undo", None, "you have not played a ply that could be undone")
    refused = _over_chance(match, plies)
    if refused is not None:
        return refused
    if match.undo == UndoAsk(seat, plies):
        return Rejected(
            "undo", None, f"you have asked already; {match.player(1 - seat)} may grant it"
        )
    return Done(match.changed(undo=UndoAsk(seat, plies)), (UndoAsked(seat, plies),))


def grant_undo(match: Match, seat: int) -> Done | Rejected:
    """Grant what the other asks for; legal until the next ply. Both queues go with it."""
    refused = not_on(match)
    if refused is not None:
        return refused
    asked = match.undo
    if asked is None:
        return Rejected("undo", None, "no undo is asked for now; a ply since then has settled it")
    if asked.seat == seat:
        return Rejected("undo", None, f"your own undo waits for {match.player(1 - seat)}")
    return _over_chance(match, asked.plies) or _back(match, asked.plies, seat, "")


def takeback(match: Match, plies: int, why: str) -> Done | Rejected:
    """Go back to the position after `plies` plies, as the operator decides.

    A game that is over goes on, if it has no chance: elsewhere its seed is known to the players now. A declared
    result alone is taken back by `plies` equal to the plies played.
    """
    if match.status == "cancelled":
        return not_on(match) or Rejected("over", None, f"{match.id} is not on")
    if match.status == "over" and match.game in CHANCE:
        return Rejected("undo", None, f"{match.id} is over and its seed is known; it cannot go on")
    declared = match.status == "over" and match.position.to_move is not None
    if plies < 0 or plies > match.plies or (plies == match.plies and not declared):
        return Rejected(
            "ply", None, f"{match.id} has {match.plies} plies; say how many of them shall stand"
        )
    return _over_chance(match, plies) or _back(match, plies, None, why)


def _over_chance(match: Match, plies: int) -> Rejected | None:
    """Return why the way back to `plies` plies is barred by a draw or a deal."""
    cut = match.words[_length(match.words, plies) :]
    if match.game == "Lightning" and any(_was_drawn(word) for word in cut):
        return Rejected("undo", None, "a tile was drawn since then; no undo goes back over a draw")
    if match.solo and _cut(match, plies).position.deals != match.position.deals:
        return Rejected("undo", None, "cards were dealt since then; nothing goes back over a deal")
    return None


def _was_drawn(word: str) -> bool:
    return word.endswith(UNPLACED) or ("@" in word and not word.startswith("pool:"))


def _is_ply(word: str) -> bool:
    return word != "draw?" and not word.endswith(UNPLACED) and not word.startswith("~")


def _length(words: tuple[str, ...], plies: int) -> int:
    """Return how many words stand up to ply `plies`, Dr. Brooks' cards with it; a draw offer after it is void."""
    count = 0
    for index, word in enumerate(words):
        if _is_ply(word):
            if count == plies:
                return index
            count += 1
        elif count == plies and not word.startswith("~"):
            return index
    return len(words)


def _cut(match: Match, plies: int) -> Match:
    """Return the match with its record cut after `plies` plies; its state is a fresh replay."""
    return Match(
        match.game,
        match.id,
        match.tags,
        words=match.words[: _length(match.words, plies)],
        event=match.event + 1,
        seed=match.seed,
    )


def _back(match: Match, plies: int, seat: int | None, why: str) -> Done:
    new = _cut(match, plies)
    event = Undone(seat, new.plies, match.words[len(new.words) :], why)
    return Done(new, (event, *cleared_queues(match, "takeback" if seat is None else "undo")))
