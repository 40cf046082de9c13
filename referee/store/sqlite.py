"""All that is SQLite's own: how it is opened, how it begins, fails, is backed up, and how processes take turns.

Nothing else in the store knows which database it runs on. A second database is a second module with these names.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from referee.store.errors import (
    DamagedError,
    DiskError,
    FullError,
    LockedError,
    StoreError,
)
from referee.store.text import as_json

PREFIX: Final = "sqlite:///"
READ_ONLY: Final = "referee_read_only"
_PAGES: Final = 256
"""Pages that a backup copies between two looks at who else wants the database."""


class Sqlite:
    """One SQLite file: WAL, synchronous FULL, BEGIN IMMEDIATE, on a local disk."""

    def __init__(self, url: str, patience: float) -> None:
        self.path = Path(make_url(url).database or "")
        self.patience = patience
        self.engine: Engine = create_engine(
            url, connect_args={"timeout": patience}, json_serializer=as_json, pool_size=2
        )
        event.listen(self.engine, "connect", self._connected)
        event.listen(self.engine, "begin", self._begun)

    def _connected(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # we begin ourselves; pysqlite would begin too late
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    def _begun(self, connection: Connection) -> None:
        read_only = bool(connection.get_execution_options().get(READ_ONLY))
        if connection.info.get(READ_ONLY, False) != read_only:
            connection.exec_driver_sql(f"PRAGMA query_only = {'ON' if read_only else 'OFF'}")
            connection.info[READ_ONLY] = read_only
        connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")

    def exists(self) -> bool:
        """Whether there is a database to open."""
        return self.path.is_file() and self.path.stat().st_size > 0

    def make(self) -> None:
        """Make the empty file, for its owner alone: it will hold addresses and seeds."""
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise DiskError(f"{self.path} cannot be made: {error.strerror}") from None

    def translated(self, error: DBAPIError) -> StoreError | None:
        """Return what a driver's error means for the service, None for an error that is a bug of ours."""
        cause = error.orig
        if not isinstance(cause, sqlite3.Error):
            return None
        name = getattr(cause, "sqlite_errorname", "") or ""
        for start, make, message in _MEANINGS:
            if name.startswith(start):
                return make(f"{self.path}: {message} ({cause})")
        if "malformed" in str(cause) or "not a database" in str(cause):
            return DamagedError(f"{self.path}: the file is damaged or no database ({cause})")
        return None

    def locked_row(self, statement: Any) -> Any:
        """Return a select that holds its rows; here the whole database is held by the transaction already."""
        return statement

    def backup(self, target: Path, progress: Callable[[int, int], None] | None) -> None:
        """Copy the whole database while others work on (SQLite's backup call), whole or not at all.

        `progress` hears how many pages are left and how many there are. Raises DiskError.
        """
        part = target.with_name(target.name + ".part")
        try:
            os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
            with (
                contextlib.closing(sqlite3.connect(self.path)) as source,
                contextlib.closing(sqlite3.connect(part)) as copy,
            ):
                source.backup(
                    copy,
                    pages=_PAGES if progress else -1,
                    progress=(lambda _status, left, total: progress(left, total))
                    if progress
                    else None,
                )
                copy.execute("PRAGMA journal_mode = DELETE")
            _synced(part)
            os.replace(part, target)
        except sqlite3.Error as error:
            raise DiskError(f"{target} could not be written: {error}") from error
        except OSError as error:
            raise DiskError(f"{target} could not be written: {error.strerror}") from error
        finally:
            with contextlib.suppress(OSError):
                os.unlink(part)

    @contextlib.contextmanager
    def one_at_a_time(self, what: str) -> Iterator[None]:
        """Hold a lock that the system lets go when the process ends, however it ends. Raises LockedError."""
        import fcntl

        path = self.path.with_name(f"{self.path.name}-{what}.lock")
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DiskError(f"{path} cannot be opened: {error.strerror}") from error
        try:
            _wait(
                lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB), self.patience, path
            )
            yield
        finally:
            os.close(descriptor)


_MEANINGS: Final[tuple[tuple[str, type[StoreError], str], ...]] = (
    ("SQLITE_BUSY", LockedError, "another process holds the database; it will be tried again"),
    ("SQLITE_LOCKED", LockedError, "another process holds the database; it will be tried again"),
    ("SQLITE_FULL", FullError, "no space is left; make some, nothing was lost"),
    ("SQLITE_IOERR", DiskError, "reading or writing failed; look at the disk"),
    (
        "SQLITE_CANTOPEN",
        DiskError,
        "the database cannot be opened; look at the folder and its rights",
    ),
    ("SQLITE_READONLY", DiskError, "the database may not be written; look at its rights"),
    ("SQLITE_CORRUPT", DamagedError, "the database is damaged; put a backup in its place"),
    ("SQLITE_NOTADB", DamagedError, "the file is no database; put a backup in its place"),
)


def _wait(take: Callable[[], None], patience: float, path: Path) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            take()
        except BlockingIOError:
            if time.monotonic() > end:
                raise LockedError(
                    f"{path}: another process is at work; it will be tried again"
                ) from None
            time.sleep(0.02)
        else:
            return


def _synced(path: Path) -> None:
    for name, flags in ((path, os.O_RDWR), (path.parent, os.O_RDONLY)):
        descriptor = os.open(name, flags)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
