"""Vacations: whole days of a player, counted in each game's zone (mail.md, Clocks)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from referee.clock.zones import midnight

YEARLY: Final = 30
"""Days of vacation that a player has in each calendar year."""

_DAY: Final = timedelta(days=1)
_AHEAD: Final = 2 * 366


@dataclass(frozen=True, slots=True)
class Vacation:
    """A player's vacation, both days with it. It never touches a turn that began before it was `declared` (UTC)."""

    first: date
    last: date
    declared: datetime


def windows(
    vacations: Iterable[Vacation], zone: str, since: datetime
) -> list[tuple[datetime, datetime]]:
    """Return the spans (UTC) in which vacations stop a turn that began at `since`."""
    return [
        (midnight(v.first, zone), midnight(v.last + _DAY, zone))
        for v in vacations
        if v.declared <= since
    ]


def _days(first: date, last: date) -> set[date]:
    return {first + n * _DAY for n in range((last - first).days + 1)}


def days_left(vacations: Iterable[Vacation], year: int) -> int:
    """Return how many days of a year's vacation are left; days declared twice count once."""
    taken: set[date] = set()
    for vacation in vacations:
        taken |= _days(vacation.first, vacation.last)
    return YEARLY - sum(1 for day in taken if day.year == year)


def refusal(vacations: Sequence[Vacation], first: date, last: date, today: date) -> str | None:
    """Return why a vacation cannot be taken, None where it can. `today` is that of the player's zone."""
    if last < first:
        return f"the vacation ends before it begins; write vacation {last} {first}"
    if first < today:
        return f"{first} has passed; a vacation begins today, {today}, at the earliest"
    if (last - today).days > _AHEAD:
        return f"{last} is more than two years away"
    for year in range(first.year, last.year + 1):
        new = Vacation(first, last, datetime.min.replace(tzinfo=UTC))
        over = -days_left([*vacations, new], year)
        if over > 0:
            before = days_left(vacations, year)
            return (
                f"that is {over} days too many: of {YEARLY} days in {year} there are {before} left"
            )
    return None
