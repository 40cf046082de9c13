"""What a game's clocks are set to: bank, increment and cap, or days for each move; what happens at the deadline."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal

from referee.clock.zones import parse_zone

Timeout = Literal["auto", "claim"]

LONGEST: Final = timedelta(days=366)
SHORTEST: Final = timedelta(minutes=1)

_PART: Final = re.compile(r"([0-9]{1,6})\s*(days?|d|hours?|h|minutes?|min|m)", re.IGNORECASE)
_UNITS: Final = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}


@dataclass(frozen=True, slots=True)
class Settings:
    """The clocks of one game.

    bank, increment, cap  what a player has at the start, gets with each ply, and may have at most
    per_move              the time for each ply instead; days are of 24 hours
    timeout               `auto`: lost at the deadline; `claim`: the opponent may claim it
    zone                  the IANA zone in which the game's times are shown and its vacations counted
    reminders             how long before the deadline the player is reminded, longest first
    """

    bank: timedelta = timedelta(hours=240)
    increment: timedelta = timedelta(hours=36)
    cap: timedelta = timedelta(hours=240)
    per_move: timedelta | None = None
    timeout: Timeout = "auto"
    zone: str = "UTC"
    reminders: tuple[timedelta, ...] = (timedelta(hours=72), timedelta(hours=24))

    def describe(self) -> str:
        """Return the settings in words."""
        end = "lost at the deadline" if self.timeout == "auto" else "the opponent may claim"
        if self.per_move is not None:
            return f"{duration(self.per_move)} for each move; {end}"
        return (
            f"{duration(self.bank)}, {duration(self.increment)} more with each move, "
            f"at most {duration(self.cap)}; {end}"
        )


def parse_duration(text: str) -> timedelta | None:
    """Return a span written as `240h`, `10d`, `90 min` or `1d 12h`, None for another form."""
    at, total = 0, timedelta()
    stripped = text.strip()
    while at < len(stripped):
        match = _PART.match(stripped, at)
        if match is None:
            return None
        total += int(match[1]) * _UNITS[match[2][0].lower()]
        at = match.end()
        while at < len(stripped) and stripped[at].isspace():
            at += 1
    return total if stripped else None


def duration(span: timedelta) -> str:
    """Return a span in words, in its two largest units: `3 days 4 hours`. Never longer than it is."""
    minutes = max(0, int(span.total_seconds())) // 60
    parts = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    words = [f"{count} {unit}{'s' if count > 1 else ''}" for count, unit in parts if count]
    return " ".join(words[:2]) or "less than a minute"


def chosen(
    defaults: Settings, pairs: Iterable[tuple[str, str]]
) -> tuple[Settings, list[tuple[str, str]]] | str:
    """Return settings with a challenge's clock options, and the options that are not of the clock.

    Options: `days`, `bank`, `increment`, `cap`, `timeout`, `zone`, in any case. A text says what is wrong.
    """
    settings, rest = defaults, []
    for key, value in pairs:
        name = key.strip().lstrip("-").lower()
        if name not in ("days", "bank", "increment", "cap", "timeout", "zone"):
            rest.append((key, value))
            continue
        changed = _with(settings, name, value.strip())
        if isinstance(changed, str):
            return changed
        settings = changed
    wrong = fault(settings)
    return wrong if wrong is not None else (settings, rest)


def _with(settings: Settings, name: str, value: str) -> Settings | str:
    if name == "timeout":
        low = value.lower()
        if low == "auto":
            return replace(settings, timeout="auto")
        if low == "claim":
            return replace(settings, timeout="claim")
        return f"timeout={value} is not known; write auto or claim"
    if name == "zone":
        if parse_zone(value) is None:
            return f"zone={value} is no time zone; write one such as Europe/Berlin"
        return replace(settings, zone=value)
    if name == "days":
        if not re.fullmatch(r"[0-9]{1,3}", value):
            return f"days={value} is no number of days; write days=5"
        return replace(settings, per_move=timedelta(days=int(value)))
    span = parse_duration(value)
    if span is None:
        return f"{name}={value} is no span of time; write it as 240h or 10d"
    if name == "bank":
        return replace(settings, bank=span, cap=max(span, settings.cap), per_move=None)
    if name == "increment":
        return replace(settings, increment=span, per_move=None)
    return replace(settings, cap=span, per_move=None)


def fault(settings: Settings) -> str | None:
    """Return what is wrong with the settings together, None where they can stand."""
    if settings.per_move is not None:
        if not SHORTEST <= settings.per_move <= LONGEST:
            return f"the time for each move is from a minute to {LONGEST.days} days"
        return None
    if settings.increment < timedelta():
        return "the increment cannot be less than nothing"
    if not SHORTEST <= settings.bank <= LONGEST or settings.cap > LONGEST:
        return f"bank and cap are from a minute to {LONGEST.days} days"
    if settings.cap < settings.bank:
        return f"the cap ({duration(settings.cap)}) lies below the bank ({duration(settings.bank)})"
    return None
