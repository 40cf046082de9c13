"""The tables of a club's store. One schema for every database; moments are whole microseconds since 1970 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. Takes aware datetimes only, so that no local time slips in."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Return microseconds since 1970."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        return (value.astimezone(UTC) - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC."""
        return None if value is None else _EPOCH + int(value) * _MICROSECOND


class Plain(TypeDecorator[str]):
    """Text from outside: what no database takes (lone surrogates, NUL) becomes U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return text that every database takes."""
        if value is None:
            return None
        clean = value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        return clean.replace("\0", "\N{REPLACEMENT CHARACTER}")


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)

Number: Final = BigInteger().with_variant(Integer, "sqlite")
"""A row's number; SQLite counts rows by itself only in an INTEGER."""


def _id() -> Column[int]:
    return Column("id", Number, primary_key=True)


meta = Table(
    "meta",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Key fingerprint, rules versions, the next game's number, the last heartbeat, a freeze."""

players = Table(
    "players",
    metadata,
    _id(),
    Column("name", Plain, nullable=False),
    Column("name_key", Plain, nullable=False),
    Column("joined", Moment),
    Column("gone", Boolean, nullable=False, default=False),
    Column("notices", Boolean, nullable=False, default=True),
    Column("digest", Boolean, nullable=False, default=False),
    Column("digest_at", Moment),
    UniqueConstraint("name_key"),
)

addresses = Table(
    "addresses",
    metadata,
    _id(),
    Column("player_id", Number, ForeignKey("players.id"), nullable=False),
    Column("address", Plain, nullable=False),
    Column("confirmed", Moment),
    Column("added", Moment, nullable=False),
    Column("bounces", Integer, nullable=False, default=0),
    UniqueConstraint("address"),
    Index(None, "player_id"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("address", Plain, primary_key=True),
    Column("player_id", Number, ForeignKey("players.id")),
    Column("at", Moment, nullable=False),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("status", String(12), nullable=False),
    Column("challenger_id", Number, ForeignKey("players.id"), nullable=False),
    Column("opponent_id", Number, ForeignKey("players.id")),
    Column("opponent_address", Plain),
    Column("options", JSON, nullable=False),
    Column("clock", JSON),
    Column("word", Plain, nullable=False),
    Column("seed", String(64)),
    Column("commitment", String(64)),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("closed", Moment),
    Index(None, "status", "challenger_id"),
    Index(None, "status", "opponent_id"),
    Index(None, "status", "opponent_address"),
    Index(None, "status", "expires"),
)

games = Table(
    "games",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("number", Number, nullable=False),
    Column("game", String(20), nullable=False),
    Column("status", String(10), nullable=False),
    Column("event", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("first_id", Number, ForeignKey("players.id"), nullable=False),
    Column("second_id", Number, ForeignKey("players.id")),
    Column("tags", JSON, nullable=False),
    Column("words", Text, nullable=False),
    Column("result", String(8), nullable=False),
    Column("reason", String(20)),
    Column("seed", String(64)),
    Column("beside", JSON, nullable=False),
    Column("clock", JSON),
    Column("mover_id", Number, ForeignKey("players.id")),
    Column("due_at", Moment),
    Column("muted", Integer, nullable=False, default=0),
    Column("rules_version", Integer, nullable=False),
    Column("fingerprint", String(32), nullable=False),
    Column("plies", Integer, nullable=False),
    Column("created", Moment, nullable=False),
    Column("updated", Moment, nullable=False),
    Column("ended", Moment),
    UniqueConstraint("number"),
    Index(None, "mover_id"),
    Index(None, "due_at"),
    Index(None, "first_id", "status"),
    Index(None, "second_id", "status"),
    Index(None, "status", "number"),
)
"""`words`: the movetext, blanks between. `beside`: offer, undo and queues. `due_at`: no later than what is due next.

`muted`: bits of the seats that hear no chat. `fingerprint`: of the position, for the replay before an upgrade.
"""

log = Table(
    "log",
    metadata,
    _id(),
    Column("game_id", String(40), ForeignKey("games.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("event", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("private", Integer),
    Column("data", JSON, nullable=False),
    Index(None, "game_id", "id"),
)

stops = Table(
    "stops",
    metadata,
    _id(),
    Column("game_id", String(40), ForeignKey("games.id")),
    Column("kind", String(8), nullable=False),
    Column("begins", Moment, nullable=False),
    Column("ends", Moment),
    Index(None, "game_id", "ends"),
)
"""Spans in which clocks stand: of one game, or of all where `game_id` is null."""

vacations = Table(
    "vacations",
    metadata,
    _id(),
    Column("player_id", Number, ForeignKey("players.id"), nullable=False),
    Column("first", Date, nullable=False),
    Column("last", Date, nullable=False),
    Column("declared", Moment, nullable=False),
    Index(None, "player_id", "last"),
)

spool = Table(
    "spool",
    metadata,
    _id(),
    Column("raw", LargeBinary, nullable=False),
    Column("recipient", Plain),
    Column("received", Moment, nullable=False),
    Column("source", String(40), nullable=False),
    Column("state", String(12), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("next_at", Moment),
    Column("game_id", String(40)),
    Column("player_id", Number),
    Column("why", Plain),
    Column("told", Boolean, nullable=False, default=False),
    Column("lanes", Text),
    Index(None, "state", "received", "id"),
)
"""`lanes`: what must be handled in order of receipt, blanks between: games, and who writes; null before it is known."""

handled = Table(
    "handled",
    metadata,
    Column("key", Plain, primary_key=True),
    Column("recipient", Plain, primary_key=True),
    Column("text_hash", String(64), primary_key=True),
    Column("at", Moment, nullable=False),
    Column("game_id", String(40)),
    Index(None, "at"),
)

outbox = Table(
    "outbox",
    metadata,
    _id(),
    Column("kind", String(12), nullable=False),
    Column("recipient", Plain, nullable=False),
    Column("player_id", Number, ForeignKey("players.id")),
    Column("game_id", String(40)),
    Column("event", Integer),
    Column("message_id", Plain, nullable=False),
    Column("raw", LargeBinary, nullable=False),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("next_at", Moment, nullable=False),
    Column("created", Moment, nullable=False),
    Column("sent", Moment),
    Column("error", Plain),
    UniqueConstraint("message_id"),
    Index(None, "state", "next_at"),
    Index(None, "game_id", "id"),
)

codes = Table(
    "codes",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("address", Plain, nullable=False),
    Column("player_id", Number, ForeignKey("players.id")),
    Column("purpose", String(12), nullable=False),
    Column("commands_hash", String(64), nullable=False),
    Column("data", JSON, nullable=False),
    Column("created", Moment, nullable=False),
    Column("used", Moment),
    Index(None, "address", "created"),
)

budgets = Table(
    "budgets",
    metadata,
    _id(),
    Column("kind", String(20), nullable=False),
    Column("subject", Plain, nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "kind", "subject", "at"),
    Index(None, "at"),
)

digests = Table(
    "digests",
    metadata,
    Column("player_id", Number, ForeignKey("players.id"), primary_key=True),
    Column("game_id", String(40), ForeignKey("games.id"), primary_key=True),
    Column("added", Moment, nullable=False),
)

standings = Table(
    "standings",
    metadata,
    Column("player_id", Number, ForeignKey("players.id"), primary_key=True),
    Column("game", String(20), primary_key=True),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
)
