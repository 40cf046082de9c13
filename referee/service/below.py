"""What stands below a game's board in a letter: the time of the player to move, and what may be answered."""

from __future__ import annotations

from datetime import datetime

from referee.mail.reply import Note, note
from referee.mail.view import Time, time_left
from referee.match import Done, Match, ask_undo, may_claim_draw, public_position
from referee.store import Kept


def after_notes(
    kept: Kept, seat: int, now: datetime, club_address: str, stands: str = ""
) -> list[Note]:
    """Return what stands below a game's board: the time of the player to move, and what may be answered.

    `stands` is why the clock stands, "" where it runs.
    """
    notes = []
    match, clock = kept.match, kept.clock
    mover = match.to_move
    if clock is not None and mover is not None and clock.seat == mover:
        time: Time = time_left(clock, kept.calendar, mover, now)
        notes.append(
            note(
                "time",
                time=time,
                yours=mover == seat,
                whose="Your" if mover == seat else f"{match.player(mover)}'s",
                paused=stands,
            )
        )
    notes.append(answer_note(match, seat, club_address))
    return notes


def standing(kept: Kept) -> str:
    """Return why a game's clocks stand without an end, "" where they do not."""
    kinds = {stop.kind for stop in kept.calendar.stops if stop.end is None}
    if "paused" in kinds:
        return "the operator has paused the game"
    return "the club's own clock is being looked at" if "frozen" in kinds else ""


def answer_note(match: Match, seat: int, club_address: str) -> Note:
    """Return what a player may answer now."""
    values = {
        "on": match.status == "on",
        "yours": match.to_move == seat,
        "game": match.game,
        "id": match.id,
        "other": match.player(1 - seat),
        "club": club_address,
        "ply": 0,
        "example": "",
        "swap": False,
        "drops": False,
        "claim": False,
        "tile": "",
        "pass": False,
        "pool": "",
        "queue": {"Hex": "d4: e5", "Focus": "c3-c5: e4-e6"}.get(match.game, ""),
        "offer": match.offer is not None and match.offer != seat,
        "undo": match.undo is not None and match.undo.seat != seat,
        "may_undo": match.status == "on" and isinstance(ask_undo(match, seat), Done),
    }
    if match.to_move == seat:
        values |= {"ply": match.plies + 1, **_examples(match, seat)}
    return note("answer", **values)


def _examples(match: Match, seat: int) -> dict[str, object]:
    """Return legal moves to show how moves are written."""
    position = public_position(match)
    found: dict[str, object] = {}
    if match.game == "Lightning" and position.pending is not None:
        from referee.games.lightning.tiles import KINDS

        found["tile"] = KINDS[position.pending]
    elif match.game == "Lightning":
        pool = _pool_move(match, position)
        return {"pool": pool, "example": pool or "pass", "pass": not position.pile}
    tokens = [match.rules.format(move, match.setup) for move in match.rules.legal_moves(position)]
    plain = [token for token in tokens if not token.startswith("swap")] or tokens
    found["example"] = plain[0 if found else len(plain) // 2] if plain else ""
    found["swap"] = len(plain) < len(tokens)
    found["drops"] = match.game == "Focus" and any(token.startswith("+") for token in tokens)
    found["claim"] = may_claim_draw(match, seat)
    return found


def _pool_move(match: Match, position: object) -> str:
    """Return how a tile of the pool may be placed, "" where none can."""
    for move in match.rules.legal_moves(position):
        token = match.rules.format(move, match.setup)
        if token.startswith("pool:"):
            return token
    return ""
