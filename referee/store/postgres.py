"""All that is PostgreSQL's own: how it is reached, how rows are held, what its errors mean, whose time counts.

Writing units run READ COMMITTED and hold the rows they are about (`FOR UPDATE`, for queues `SKIP LOCKED`); reading
ones are REPEATABLE READ, READ ONLY. decisions/0008-postgresql.md says why that is enough.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Table,
    collate,
    create_engine,
    event,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import ArgumentError, DBAPIError

from referee.store.address import UNREADABLE, arguments, name_of, parsed, unreached
from referee.store.claims import Claims
from referee.store.errors import (
    AwayError,
    ClashError,
    ContendedError,
    DamagedError,
    DiskError,
    FullError,
    LockedError,
    StoreError,
)
from referee.store.text import as_json

MEASURED_FOR: Final = 30.0
"""Seconds for which a comparison of our clock with the database's is good."""
PARTED: Final = 0.2
"""Seconds by which wall and monotonic clock may part before the comparison is made anew."""


class Postgres:
    """A PostgreSQL database, for any number of processes on any number of machines."""

    concurrent = True

    def __init__(self, url: str, patience: float) -> None:
        at = parsed(url)
        self.name = name_of(at)
        self.patience = patience
        try:
            self.engine: Engine = create_engine(
                at,
                connect_args=arguments(at, patience),
                json_serializer=as_json,
                pool_size=3,
                pool_pre_ping=True,
                use_native_hstore=False,  # it would be looked for at each start
            )
            self.engine.dialect.create_connect_args(self.engine.url)
        except ImportError as error:
            raise StoreError(
                f"PostgreSQL needs a driver ({error}): pip install 'pnp-referee[postgres]'"
            ) from None
        except ArgumentError:
            raise StoreError(UNREADABLE) from None
        event.listen(self.engine, "connect", self._connected)
        self._working = False
        self._reading = self.engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self.claims: Claims = Claims(self.engine)
        self._closed = False
        self._apart = timedelta()
        self._wall, self._monotonic = 0.0, float("-inf")

    def _connected(self, connection: Any, _record: object) -> None:
        """Let each connection of a process at work say so: one that could write could not be overlooked."""
        if not self._working:
            return
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_try_advisory_lock_shared({lock_number(_WORK)})")
            (free,) = cursor.fetchone()
        connection.commit()
        if not free:
            connection.close()
            raise LockedError(f"{self.name} is being moved or upgraded; try again later")

    # -- opening -------------------------------------------------------------------------------------------------

    def exists(self) -> bool:
        """Whether a club is there: its database has a migration's mark."""
        with self._told(), self.transaction(read_only=True) as connection:
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
            if encoding != "UTF8":
                raise StoreError(f"{self.name} is kept in {encoding}; make it with ENCODING 'UTF8'")
            found = connection.scalar(text("SELECT to_regclass('alembic_version')"))
        return found is not None

    def make(self) -> None:
        """Nothing is made: the database is there. Raises StoreError where it is not empty, or not for us to fill."""
        with self._told(), self.transaction(read_only=True) as connection:
            may, tables = connection.execute(_ROOM).one()
        if not may:
            raise StoreError(
                f"{self.name}: the user may not make tables there; let him own the database"
            )
        if tables:
            raise StoreError(f"{self.name} is not empty; name a database without tables")

    @contextlib.contextmanager
    def transaction(self, *, read_only: bool) -> Iterator[Connection]:
        """Give a connection whose transaction is READ COMMITTED, or sees one state and cannot write."""
        with (self._reading if read_only else self.engine).connect() as connection:
            connection.begin()  # here and now, so that no migration thinks it is to begin and commit
            yield connection

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            meaning = self.translated(error)
            if meaning is None:
                raise
            raise meaning from error

    def translated(self, error: DBAPIError) -> StoreError | None:
        """Return what a driver's error means for the service, None for an error that is a bug of ours."""
        cause = error.orig
        state = getattr(cause, "sqlstate", None)
        said = " ".join(str(cause).split())
        if state is None:
            kind = type(cause).__name__
            if error.connection_invalidated or kind in _LOST:
                return AwayError(f"{self.name}: {unreached(said)} ({said})")
            if error.statement is None and kind == "ProgrammingError":  # nothing was asked yet
                return StoreError(f"{self.name}: its URL cannot be used ({said})")
            return None
        for start, make, message in _MEANINGS:
            if state.startswith(start):
                return make(f"{self.name}: {message} ({said})")
        return None

    # -- rows ----------------------------------------------------------------------------------------------------

    def held(self, statement: Any) -> Any:
        """Return a select that holds its rows until the transaction ends."""
        return statement.with_for_update()

    def queued(self, statement: Any) -> Any:
        """Return a select that holds its rows and passes over those that others hold."""
        return statement.with_for_update(skip_locked=True)

    def unless_there(self, table: Table) -> Any:
        """Return an insert that does nothing where the row is there already."""
        return insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)

    def alone(self, connection: Connection, what: str) -> None:
        """Wait until no other transaction is at the same thing, and keep it until this one ends."""
        connection.execute(_ALONE, {"key": lock_number(what)})

    def bytewise(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """Return a column in the order of its bytes, whatever language the database was made for."""
        return collate(column, "C")

    # -- time ----------------------------------------------------------------------------------------------------

    def moment(self, local: datetime) -> datetime:
        """Return the database's time at a moment of our clock: machines may differ by minutes, the club has one time.

        The two clocks are compared now and then, and at once where ours was set. Where the database is away the last
        comparison stands.
        """
        wall, monotonic = _wall(), time.monotonic()
        ran = monotonic - self._monotonic
        if self._closed:
            return local + self._apart
        if ran > MEASURED_FOR or abs(wall - self._wall - ran) > PARTED:
            with contextlib.suppress(DBAPIError):
                self._compare()
        return local + self._apart

    def _compare(self) -> None:
        with self._reading.connect() as connection:
            connection.execute(_NOW)  # the first one may wait for a connection
            before = _wall()
            there = connection.execute(_NOW).scalar_one()
            after, self._monotonic = _wall(), time.monotonic()
        self._wall = after
        self._apart = there - datetime.fromtimestamp((before + after) / 2, UTC)

    # -- processes -----------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def one_at_a_time(self, what: str) -> Iterator[None]:
        """Nothing is held: any number of processes handle mail, each mail claimed by one (`claims`)."""
        yield

    @contextlib.contextmanager
    def if_free(self, what: str) -> Iterator[bool]:
        """Do something that one process at a time does, on whatever machine."""
        with self._told():
            mine = self.claims.try_lock(lock_number(what))
        try:
            yield mine
        finally:
            if mine:
                self.claims.unlock(lock_number(what))

    def at_work(self) -> None:
        """Note that this process works with the club: with every connection, as long as that lives."""
        self._working = True
        with self._told():
            self._reading.connect().close()

    @contextlib.contextmanager
    def for_itself(self) -> Iterator[None]:
        """Have the club for oneself: no other process is at work, and none begins."""
        with self._told():
            mine = self.claims.try_lock(lock_number(_WORK))
        if not mine:
            raise LockedError(
                f"{self.name}: a process of the club is at work; stop every `referee serve` first"
            )
        try:
            yield
        finally:
            self.claims.unlock(lock_number(_WORK))

    def count_on(self, connection: Connection, tables: Sequence[Table]) -> None:
        """Let each table's numbers go on above the highest that is there."""
        for table in tables:
            column = table.autoincrement_column
            if column is not None:
                highest = connection.scalar(select(func.max(column)))
                sequence = f"{table.name}_{column.name}_seq"
                connection.execute(
                    _COUNT_ON, {"name": sequence, "to": highest or 1, "used": highest is not None}
                )

    def hazards(self) -> list[str]:
        """Return what about the server's settings may cost the club what it has acknowledged."""
        with self._told(), self.transaction(read_only=True) as connection:
            found = connection.execute(_SETTINGS, {"names": list(HAZARDS)}).all()
        return hazards_of({row.name: row.setting for row in found})

    def backup(self, target: Path, progress: Callable[[int, int], None] | None) -> None:
        """Copy the club as it stands into an SQLite file, which is a whole store, while others work on."""
        from referee.store.moving import to_file

        with self._told():
            to_file(self, target, progress)

    def close(self) -> None:
        """Let go of claims and connections."""
        self._closed = True
        self.claims.close()
        self.engine.dispose()


HAZARDS: Final = {
    "fsync": (
        "on",
        "fsync is off, so a power cut may lose mail that was acknowledged, or everything",
    ),
    "full_page_writes": ("on", "full_page_writes is off, so a power cut may damage the database"),
    "in_hot_standby": ("off", "this server is a standby and cannot be written; name the first one"),
    "zero_damaged_pages": ("off", "zero_damaged_pages is on, so damage is wiped instead of told"),
}
"""Settings of the server: as they should be, and what it means where they are not."""


def hazards_of(settings: Mapping[str, str]) -> list[str]:
    """Return what is wrong with a server's settings, by their names."""
    return [told for name, (right, told) in HAZARDS.items() if settings.get(name, right) != right]


_SETTINGS: Final = text("SELECT name, setting FROM pg_settings WHERE name = ANY(:names)")
_WORK: Final = "at work"
_ROOM: Final = text(
    "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false), "
    "(SELECT count(*) FROM pg_tables WHERE schemaname = current_schema())"
)
_NOW: Final = text("SELECT clock_timestamp()")
_ALONE: Final = text("SELECT pg_advisory_xact_lock(:key)")
_COUNT_ON: Final = text("SELECT setval(CAST(:name AS regclass), :to, :used)")
_LOST: Final = ("OperationalError", "InterfaceError", "ConnectionTimeout")

_MEANINGS: Final[tuple[tuple[str, type[StoreError], str], ...]] = (
    ("40", ContendedError, "two processes wanted the same at once; it is tried again"),
    ("23505", ClashError, "another process wrote the same meanwhile"),
    ("55P03", LockedError, "another process holds what is needed; it will be tried again"),
    ("57014", LockedError, "the statement took too long; it will be tried again"),
    ("57P", AwayError, "the database is going down or coming up; it will be tried again"),
    ("25P03", AwayError, "this process stood still for too long; it will be tried again"),
    ("08", AwayError, "the connection broke; it will be tried again"),
    ("53100", FullError, "no space is left; make some, nothing was lost"),
    ("53", AwayError, "the server has no room for more; it will be tried again"),
    ("25006", DiskError, "this server may not be written, it is a standby or set so"),
    ("3F", DiskError, "the user has no schema there; look at its grants"),
    ("42501", DiskError, "the user lacks rights; look at its grants"),
    ("58", DiskError, "reading or writing failed; look at the server's disk"),
    ("XX001", DamagedError, "the database is damaged; put a backup in its place"),
    ("XX002", DamagedError, "an index is damaged; REINDEX, or put a backup in its place"),
)


def lock_number(what: str) -> int:
    """Return the number of an advisory lock by its meaning: 64 bits, so that no two are the same in practice."""
    return int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], "big", signed=True)


def _wall() -> float:
    return time.time()
