"""All that is SQLite's own: how it is opened, how it begins, fails, is backed up, and how processes take turns."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects.sqlite import insert
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

    concurrent = False
    claims: None = None

    def __init__(self, url: str, patience: float) -> None:
        self.path = Path(make_url(url).database or "")
        self.name = str(self.path)
        self.patience = patience
        self._work: int | None = None
        self.engine: Engine = create_engine(
            url, connect_args={"timeout": patience}, json_serializer=as_json, pool_size=2
        )
        event.listen(self.engine, "connect", self._connected)

    def _connected(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # we begin ourselves; pysqlite would begin too late
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @contextlib.contextmanager
    def transaction(self, *, read_only: bool) -> Iterator[Connection]:
        """Give a transaction's connection; it begins with the whole file held, or only looks."""
        with self.engine.connect() as connection:
            connection.begin()
            if connection.info.get(READ_ONLY, False) != read_only:
                connection.exec_driver_sql(f"PRAGMA query_only = {'ON' if read_only else 'OFF'}")
                connection.info[READ_ONLY] = read_only
            # not a listener of the library's: with one, each statement asks for more of them
            connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")
            yield connection

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

    def held(self, statement: Any) -> Any:
        """Return the select as it is: the transaction holds the whole database already."""
        return statement

    queued = held

    def unless_there(self, table: Table) -> Any:
        """Return an insert that does nothing where the row is there already."""
        return insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)

    def alone(self, connection: Connection, what: str) -> None:
        """Nothing is to be done: nobody else writes."""

    def bytewise(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """Return the column as it is: SQLite compares bytes."""
        return column

    def moment(self, local: datetime) -> datetime:
        """Return the moment as it is: the database lies on this machine."""
        return local

    def count_on(self, connection: Connection, tables: Sequence[Table]) -> None:
        """Nothing is to be done: SQLite numbers rows by the highest number that is there."""

    def hazards(self) -> list[str]:
        """Nothing is set but by us."""
        return []

    def fold(self) -> None:
        """Put the write-ahead log into the file and do without it, so that the file alone is the database."""
        self.engine.dispose()
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")

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
            synced(part)
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

        descriptor, path = self._lock_file(what)
        try:
            _wait(
                lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB), self.patience, path
            )
            yield
        finally:
            os.close(descriptor)

    @contextlib.contextmanager
    def if_free(self, what: str) -> Iterator[bool]:
        """Let any process do it: each takes the whole database for each thing it does."""
        yield True

    def _lock_file(self, what: str) -> tuple[int, Path]:
        path = self.path.with_name(f"{self.path.name}-{what}.lock")
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600), path
        except OSError as error:
            raise DiskError(f"{path} cannot be opened: {error.strerror}") from error

    def at_work(self) -> None:
        """Note that this process works with the club; the system lets go of it with the process."""
        try:
            import fcntl
        except ImportError:  # a system without such locks can look at a club, and serves none
            return
        if self._work is not None:
            return
        descriptor, path = self._lock_file("work")
        try:
            _wait(
                lambda: fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB), self.patience, path
            )
        except LockedError:
            os.close(descriptor)
            raise LockedError(f"{self.name} is being moved; try again later") from None
        self._work = descriptor

    @contextlib.contextmanager
    def for_itself(self) -> Iterator[None]:
        """Have the club for oneself: no other process is at work, and none begins."""
        import fcntl

        descriptor, _ = self._lock_file("work")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise LockedError(
                f"{self.name}: a process of the club is at work; stop `referee serve` first"
            ) from None
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()
        if self._work is not None:
            os.close(self._work)
            self._work = None


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


def synced(path: Path) -> None:
    """Have a file, and that it is there, on the disk for good."""
    for name, flags in ((path, os.O_RDWR), (path.parent, os.O_RDONLY)):
        descriptor = os.open(name, flags)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
