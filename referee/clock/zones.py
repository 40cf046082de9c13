"""IANA zones, and moments as people read them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z][A-Za-z0-9_+-]*)*")
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@lru_cache(maxsize=512)
def parse_zone(name: str) -> ZoneInfo | None:
    """Return the IANA zone of that name, None for no zone. Nothing but a zone's file is ever opened."""
    if not _NAME.fullmatch(name) or len(name) > 64:
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return None


def zone_of(name: str) -> tzinfo:
    """Return the zone of a name that was checked when it came in; UTC should the zone have left the data since."""
    return parse_zone(name) or UTC


def offset(moment: datetime) -> str:
    """Return a local moment's offset as `UTC+02:00`; `UTC` alone for none."""
    away = moment.utcoffset() or timedelta()
    if not away:
        return "UTC"
    minutes = abs(int(away.total_seconds())) // 60
    sign = "+" if away > timedelta() else "−"
    return f"UTC{sign}{minutes // 60:02}:{minutes % 60:02}"


def written(moment: datetime, zone: str) -> str:
    """Return a moment for a person: `Sunday 30 March 2025, 04:00 Europe/Berlin (UTC+02:00)`.

    Seconds are cut, so a deadline is never shown later than it is.
    """
    local = moment.astimezone(zone_of(zone))
    day = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]} {local.year}"
    away = offset(local)
    shown = away if zone == "UTC" else f"{zone} ({away})"
    return f"{day}, {local:%H:%M} {shown}"


def midnight(day: date, zone: str) -> datetime:
    """Return the moment, in UTC, at which a day begins in a zone.

    Where a change of the clocks leaves out midnight it is the change itself, where midnight comes twice the first.
    """
    return datetime.combine(day, time(), zone_of(zone)).astimezone(UTC)
