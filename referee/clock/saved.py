"""Clocks and settings as plain data (for JSON), and back. Spans in seconds, moments as ISO texts in UTC."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.clock.running import Clock
from referee.clock.settings import Settings


def settings_saved(settings: Settings) -> dict[str, Any]:
    """Return the settings as plain data."""
    per_move = settings.per_move
    return {
        "bank": settings.bank.total_seconds(),
        "increment": settings.increment.total_seconds(),
        "cap": settings.cap.total_seconds(),
        "per_move": None if per_move is None else per_move.total_seconds(),
        "timeout": settings.timeout,
        "zone": settings.zone,
        "reminders": [span.total_seconds() for span in settings.reminders],
    }


def settings_of(data: Mapping[str, Any]) -> Settings:
    """Return the settings of plain data."""
    per_move = data["per_move"]
    return Settings(
        timedelta(seconds=data["bank"]),
        timedelta(seconds=data["increment"]),
        timedelta(seconds=data["cap"]),
        None if per_move is None else timedelta(seconds=per_move),
        data["timeout"],
        data["zone"],
        tuple(timedelta(seconds=span) for span in data["reminders"]),
    )


def saved(clock: Clock) -> dict[str, Any]:
    """Return the clocks as plain data."""
    return {
        "settings": settings_saved(clock.settings),
        "banks": [bank.total_seconds() for bank in clock.banks],
        "seat": clock.seat,
        "since": None if clock.since is None else clock.since.astimezone(UTC).isoformat(),
        "reminded": clock.reminded,
        "told": clock.told,
    }


def clock_of(data: Mapping[str, Any]) -> Clock:
    """Return the clocks of plain data."""
    first, second = data["banks"]
    since = data["since"]
    return Clock(
        settings_of(data["settings"]),
        (timedelta(seconds=first), timedelta(seconds=second)),
        data["seat"],
        None if since is None else datetime.fromisoformat(since),
        data["reminded"],
        data["told"],
    )
