"""What the store gives out: rows as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from referee.clock import Calendar, Clock, Settings
from referee.match import Match, Proposal


@dataclass(frozen=True, slots=True)
class Player:
    """A player.

    addresses  the confirmed ones, the first of them is where mail goes; empty for one who is gone
    joined     when his first address was confirmed, None before that
    gone       he asked to be forgotten
    notices    whether he wants notices (`stop` ends them)
    digest     whether notices are gathered into one mail a day
    """

    id: int
    name: str
    addresses: tuple[str, ...]
    joined: datetime | None
    gone: bool
    notices: bool
    digest: bool

    @property
    def address(self) -> str | None:
        """Where mail to him goes, None for nobody."""
        return self.addresses[0] if self.addresses else None


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as the store has it.

    version   grows with every save; a save of an older one is refused (StaleError)
    calendar  what stops its clocks
    muted     whether the first, the second player hears no chat
    paused    whether the operator has paused its clocks
    """

    match: Match
    clock: Clock | None
    calendar: Calendar
    first_id: int
    second_id: int | None
    version: int
    rules_version: int
    muted: tuple[bool, bool]
    created: datetime
    updated: datetime
    ended: datetime | None

    @property
    def id(self) -> str:
        """The game's id."""
        return self.match.id

    @property
    def paused(self) -> bool:
        """Whether a pause of this game is open."""
        return any(stop.kind == "paused" and stop.end is None for stop in self.calendar.stops)

    def player_id(self, seat: int) -> int | None:
        """Return the player in a seat (0 or 1), None for Dr. Brooks."""
        return self.second_id if seat else self.first_id

    def seat_of(self, player_id: int) -> int | None:
        """Return a player's seat, None for one who does not play here."""
        if player_id == self.first_id:
            return 0
        return 1 if player_id == self.second_id else None


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in a list: nothing of it is replayed."""

    id: str
    game: str
    status: str
    result: str
    plies: int
    first_id: int
    second_id: int | None
    mover_id: int | None
    due_at: datetime | None
    updated: datetime


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge, or a Spiral game that waits for `start` (no opponent).

    status  `open`, `accepted`, `declined`, `withdrawn`, `expired`
    """

    proposal: Proposal
    clock: Settings | None
    status: str
    challenger_id: int
    opponent_id: int | None
    opponent_address: str | None
    created: datetime
    expires: datetime

    @property
    def id(self) -> str:
        """The id of the game that it will be."""
        return self.proposal.id


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail in the spool.

    attempts     how often it was begun to be read, this time included
    quarantined  it could not be read in time; `told` whether sender and operator know
    lanes        what must be handled in order of receipt, None before it is known (one process at a time needs none)
    """

    id: int
    raw: bytes = field(repr=False)
    recipient: str | None
    received: datetime
    source: str
    attempts: int
    quarantined: bool = False
    told: bool = False
    why: str | None = None
    game: str | None = None
    player_id: int | None = None
    lanes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in the outbox. `raw` never changes, so a second sending is recognisably the same mail."""

    id: int
    kind: str
    recipient: str
    player_id: int | None
    game: str | None
    event: int | None
    message_id: str
    raw: bytes = field(repr=False)
    state: str
    attempts: int
    created: datetime
    sent: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a game's log: `kind` and `data` are those of an event, or of what the operator did."""

    at: datetime
    event: int
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Code:
    """A confirmation code that was given out."""

    address: str
    player_id: int | None
    purpose: str
    commands_hash: str
    data: Mapping[str, Any]
    created: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's score in one game."""

    player_id: int
    name: str
    game: str
    played: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Freeze:
    """Clock actions are frozen since a moment, and why."""

    since: datetime
    why: str
