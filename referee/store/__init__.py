"""A club's store: SQLAlchemy and Alembic are imported here and nowhere else (mail.md; decisions/0004-store.md)."""

from __future__ import annotations

from referee.store.errors import (
    AwayError,
    ClashError,
    ContendedError,
    DamagedError,
    DiskError,
    FullError,
    KeyMismatchError,
    LockedError,
    StaleError,
    StoreError,
    VersionError,
)
from referee.store.parts.outbox import LEASE
from referee.store.rows import (
    Challenge,
    Code,
    Entry,
    Freeze,
    Kept,
    Letter,
    Mail,
    Player,
    Standing,
    Summary,
)
from referee.store.store import SCHEMA, Store
from referee.store.unit import Unit

__all__ = [
    "LEASE",
    "SCHEMA",
    "AwayError",
    "Challenge",
    "ClashError",
    "Code",
    "ContendedError",
    "DamagedError",
    "DiskError",
    "Entry",
    "Freeze",
    "FullError",
    "Kept",
    "KeyMismatchError",
    "Letter",
    "LockedError",
    "Mail",
    "Player",
    "StaleError",
    "Standing",
    "Store",
    "StoreError",
    "Summary",
    "Unit",
    "VersionError",
]
