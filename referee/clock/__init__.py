"""Clocks of correspondence games, as pure functions (mail.md, Clocks). UTC inside, a game's zone outside."""

from __future__ import annotations

from referee.clock.running import (
    Calendar,
    Clock,
    Due,
    Stop,
    deadline,
    expired,
    halted,
    healed,
    left,
    new_clock,
    next_due,
    noticed,
    played,
    reminded,
    turn,
)
from referee.clock.saved import clock_of, saved, settings_of, settings_saved
from referee.clock.settings import Settings, chosen, duration, parse_duration
from referee.clock.vacations import YEARLY, Vacation, days_left, refusal, windows
from referee.clock.watch import Beat, Pulse, pulse
from referee.clock.zones import parse_zone, written

__all__ = [
    "YEARLY",
    "Beat",
    "Calendar",
    "Clock",
    "Due",
    "Pulse",
    "Settings",
    "Stop",
    "Vacation",
    "chosen",
    "clock_of",
    "days_left",
    "deadline",
    "duration",
    "expired",
    "halted",
    "healed",
    "left",
    "new_clock",
    "next_due",
    "noticed",
    "parse_duration",
    "parse_zone",
    "played",
    "pulse",
    "refusal",
    "reminded",
    "saved",
    "settings_of",
    "settings_saved",
    "turn",
    "windows",
    "written",
]
