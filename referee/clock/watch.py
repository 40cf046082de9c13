"""The club's own clock: whether the server was down, or its clock jumped (mail.md, Clocks; M89, M90)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

DOWN: Final = timedelta(minutes=5)
"""Without a heartbeat for longer than this, while no process ran, the club was down."""

JUMP: Final = timedelta(seconds=60)
"""Wall clock and monotonic clock of a running process may part by this much."""

SKEW: Final = timedelta(milliseconds=500)
"""Two machines that keep one club agree on the time no better than this; one that lies further back has jumped."""


@dataclass(frozen=True, slots=True)
class Beat:
    """A heartbeat of this process: wall clock (UTC) and monotonic clock (seconds) read together."""

    at: datetime
    monotonic: float


@dataclass(frozen=True, slots=True)
class Pulse:
    """What a heartbeat found.

    ok    nothing
    down  nobody ran from `begin` to `end`: that span is credited to everybody
    jump  the clock jumped: clock actions freeze from `begin` on until the operator says `resume`
    """

    kind: Literal["ok", "down", "jump"]
    begin: datetime
    end: datetime


def pulse(stored: datetime | None, mine: Beat | None, now: Beat) -> Pulse:
    """Return what the moment is, seen from the last heartbeat in the database and this process' own last one.

    `stored` is None in a new club, `mine` at this process' first heartbeat.
    """
    if stored is not None and now.at < stored - SKEW:
        return Pulse("jump", now.at, now.at)
    if mine is not None:
        wall = now.at - mine.at
        ran = timedelta(seconds=now.monotonic - mine.monotonic)
        if abs(wall - ran) > JUMP:
            return Pulse("jump", min(mine.at, now.at), now.at)
    elif stored is not None and now.at - stored > DOWN:
        return Pulse("down", stored, now.at)
    return Pulse("ok", now.at, now.at)
