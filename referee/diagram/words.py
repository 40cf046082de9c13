"""What stands beside a picture in words: the game, the players, the last ply, who is to move."""

from __future__ import annotations

from collections.abc import Callable

from referee import report
from referee.core.picture import Frame, Picture

Naming = Callable[[str], str]
"""How a name is shown: as it is, or not at all where it cannot be drawn."""


def title(frame: Frame, look: Picture, naming: Naming = report.plain) -> str:
    """Return "Hex, Ann – Bob"; the game alone where no player has a name."""
    sides = players(frame, look, naming)
    named = [naming(name) for name in (frame.first, frame.second) if name]
    return f"{frame.game.name}, {' – '.join(sides)}" if any(named) else frame.game.name


def players(frame: Frame, look: Picture, naming: Naming = report.plain) -> tuple[str, str]:
    """Return each player with what he plays: "Ann (Red)", or "Red" where the name is not known."""
    seats = look.seats(frame)
    names = (frame.first, frame.second)
    shown = [
        f"{naming(name)} ({seat.side})" if name and naming(name) else seat.side
        for name, seat in zip(names, seats, strict=True)
    ]
    return shown[0], shown[1]


def last(frame: Frame, look: Picture) -> str:
    """Return "Ply 12: f6", or that nothing has been played."""
    if not frame.moves:
        return "Before the first ply" if frame.recorded else ""
    what = "Turn" if frame.game.plies_per_number == 1 else "Ply"
    return f"{what} {len(frame.moves)}: {look.ply(frame)}"


def standing(frame: Frame, look: Picture, naming: Naming = report.plain) -> str:
    """Return who is to move, or how the game ended."""
    if frame.cancelled:
        return "Cancelled; nobody is to move"
    sides = players(frame, look, naming)
    verdict = frame.verdict
    result, reason = frame.position.result, frame.position.reason
    if verdict is not None and verdict.error is None:
        result, reason = verdict.result, verdict.reason
    if result == "*":
        mover = frame.position.to_move
        if mover is None:
            return "Undecided"
        waits = f"; {report.NEEDS[frame.position.needs]}" if frame.position.needs else ""
        return f"{_capital(sides[mover])} is to move{waits}"
    return _capital(report.ended(frame.game.name, result, reason, sides))


def fault(frame: Frame) -> str:
    """Return the fault that follows this position, or nothing."""
    verdict = frame.verdict
    if verdict is None or verdict.error is None:
        return ""
    return f"Then refused: {report.plain(verdict.error.message)} [{verdict.error.code}]"


def heading(frame: Frame, look: Picture) -> list[str]:
    """Return the lines above a picture in text."""
    state = "; ".join(part for part in (last(frame, look), standing(frame, look)) if part)
    return [line for line in (title(frame, look), state, fault(frame)) if line]


def description(frame: Frame, look: Picture) -> str:
    """Return the whole picture in words, for those who cannot see it."""
    seats = look.seats(frame)
    does = "; ".join(f"{seat.side} {seat.does}" for seat in seats if seat.does)
    lines = [*heading(frame, look)[1:], does, look.listing(frame).rstrip("\n")]
    return "\n".join(line for line in lines if line)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
