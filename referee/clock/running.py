"""Time left, deadlines and turns of one game.

One function, `left`, says how much time a player has; what is shown and what is enforced both come from it, and
`deadline` is the moment at which it is nothing (M97).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from referee.clock.settings import Settings
from referee.clock.vacations import Vacation, windows

_NOTHING: Final = timedelta()


@dataclass(frozen=True, slots=True)
class Stop:
    """A span in which the clocks of a game stand, whoever is to move: downtime, a freeze, a pause.

    Open while `end` is None.
    """

    begin: datetime
    end: datetime | None
    kind: Literal["down", "frozen", "paused"] = "down"


@dataclass(frozen=True, slots=True)
class Calendar:
    """All that can stop the clocks of a game: `stops`, and the vacations of the first and the second player."""

    stops: tuple[Stop, ...] = ()
    vacations: tuple[tuple[Vacation, ...], tuple[Vacation, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class Clock:
    """Both clocks of a game.

    banks     what each player had left when the turn's clock began to run
    seat      whose turn it is, None before the game and after it
    since     when the notice of the turn was first accepted (its 250), None while the clock waits for that
    reminded  how many reminders of this turn are out
    told      timeout `claim`: whether the opponent has been told that he may claim
    """

    settings: Settings
    banks: tuple[timedelta, timedelta]
    seat: int | None = None
    since: datetime | None = None
    reminded: int = 0
    told: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """What is due next in a game, and when."""

    kind: Literal["reminder", "deadline"]
    at: datetime


def new_clock(settings: Settings) -> Clock:
    """Return the clocks of a game before its first turn; the first move has the full time (M92)."""
    start = settings.per_move or settings.bank
    return Clock(settings, (start, start))


def turn(clock: Clock, seat: int | None) -> Clock:
    """Return the clocks with a player's turn begun; his clock waits for its notice. None: the game is over."""
    banks = clock.banks
    if seat is not None and clock.settings.per_move is not None:
        banks = _with(banks, seat, clock.settings.per_move)
    return replace(clock, banks=banks, seat=seat, since=None, reminded=0, told=False)


def noticed(clock: Clock, at: datetime) -> Clock:
    """Start the clock of the player to move: his notice was accepted. Only the first time counts."""
    if clock.seat is None or clock.since is not None:
        return clock
    return replace(clock, since=at.astimezone(UTC))


def halted(clock: Clock, calendar: Calendar, at: datetime) -> Clock:
    """Stop the clock, what is left kept: the notice of the turn came back. It runs on with the next notice."""
    if clock.seat is None or clock.since is None:
        return clock
    rest = left(clock, calendar, clock.seat, at)
    return replace(clock, banks=_with(clock.banks, clock.seat, rest), since=None)


def played(clock: Clock, calendar: Calendar, at: datetime) -> Clock:
    """Charge the player to move for his turn, answered at `at`, and add the increment; nobody's turn then.

    A queued answer counts as a turn of no time (M103). A player who was late in a game of claims goes on with what
    the increment gives him.
    """
    seat = clock.seat
    if seat is None:
        return clock
    rest = max(_NOTHING, left(clock, calendar, seat, at))
    settings = clock.settings
    if settings.per_move is None:
        rest = min(max(settings.cap, rest), rest + settings.increment)
    else:
        rest = settings.per_move
    return turn(replace(clock, banks=_with(clock.banks, seat, rest)), None)


def reminded(clock: Clock) -> Clock:
    """Count a reminder as sent."""
    return replace(clock, reminded=clock.reminded + 1)


def healed(clock: Clock, now: datetime) -> Clock:
    """Return the clock as it can be at `now`: a turn that began in the future (a clock had jumped) begins now."""
    if clock.since is not None and clock.since > now:
        return replace(clock, since=now.astimezone(UTC))
    return clock


# -- time ----------------------------------------------------------------------------------------------------------


def left(clock: Clock, calendar: Calendar, seat: int, at: datetime) -> timedelta:
    """Return what a player has left at a moment; below zero after his deadline."""
    bank = clock.banks[seat]
    if seat != clock.seat or clock.since is None:
        return bank
    return bank - _ran(clock, calendar, at)


def _ran(clock: Clock, calendar: Calendar, at: datetime) -> timedelta:
    """Return how long the running clock ran up to a moment."""
    since = clock.since
    if since is None or at <= since:
        return _NOTHING
    ran = at - since
    for begin, end in _standing(clock, calendar):
        until = at if end is None else min(end, at)
        if until > begin:
            ran -= until - begin
    return ran


def deadline(clock: Clock, calendar: Calendar) -> datetime | None:
    """Return when the player to move has nothing left; None while his clock does not run, or stands without an end."""
    if clock.seat is None or clock.since is None:
        return None
    moment = clock.since + max(_NOTHING, clock.banks[clock.seat])
    for begin, end in _standing(clock, calendar):
        if begin >= moment:
            break
        if end is None:
            return None
        moment += end - begin
    return moment


def expired(clock: Clock, calendar: Calendar, at: datetime) -> bool:
    """Whether the player to move has no time left at a moment; an answer received at it or later is late."""
    moment = deadline(clock, calendar)
    return moment is not None and at >= moment


def next_due(clock: Clock, calendar: Calendar) -> Due | None:
    """Return what is due next: a reminder not yet sent, or the deadline. None while the clock does not run.

    In a game of claims there is nothing more to do once the opponent was told. A reminder whose moment lay before
    the turn began is left out.
    """
    end = deadline(clock, calendar)
    if end is None or clock.since is None or clock.told:
        return None
    reminders = clock.settings.reminders
    for before in reminders[clock.reminded :]:
        at = _moment_left(clock, calendar, before)
        if at is not None and at > clock.since:
            return Due("reminder", at)
    return Due("deadline", end)


def _moment_left(clock: Clock, calendar: Calendar, rest: timedelta) -> datetime | None:
    """Return the moment at which the player to move has `rest` left: the deadline of a bank smaller by it."""
    assert clock.seat is not None
    bank = clock.banks[clock.seat] - rest
    if bank <= _NOTHING:
        return clock.since
    return deadline(replace(clock, banks=_with(clock.banks, clock.seat, bank)), calendar)


def _standing(clock: Clock, calendar: Calendar) -> list[tuple[datetime, datetime | None]]:
    """Return the spans after the turn's beginning in which the running clock stands: in order, none overlapping."""
    since, seat = clock.since, clock.seat
    assert since is not None
    assert seat is not None
    spans: list[tuple[datetime, datetime | None]] = [
        (s.begin.astimezone(UTC), None if s.end is None else s.end.astimezone(UTC))
        for s in calendar.stops
    ]
    spans += windows(calendar.vacations[seat], clock.settings.zone, since)
    return _merged(((max(begin, since), end) for begin, end in spans if end is None or end > since))


def _merged(
    spans: Iterable[tuple[datetime, datetime | None]],
) -> list[tuple[datetime, datetime | None]]:
    merged: list[tuple[datetime, datetime | None]] = []
    for begin, end in sorted(spans, key=lambda span: span[0]):
        if end is not None and end <= begin:
            continue
        if merged:
            before, until = merged[-1]
            if until is None:
                break
            if begin <= until:
                merged[-1] = (before, None if end is None else max(until, end))
                continue
        merged.append((begin, end))
    return merged


def _with(
    banks: tuple[timedelta, timedelta], seat: int, bank: timedelta
) -> tuple[timedelta, timedelta]:
    return (bank, banks[1]) if seat == 0 else (banks[0], bank)
