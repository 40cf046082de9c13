"""The store: opened by its URL, worked with in units, backed up, upgraded."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from referee import faults
from referee.match import RULES_VERSION, ReplayError
from referee.store.backend import Backend
from referee.store.errors import (
    AwayError,
    DamagedError,
    KeyMismatchError,
    StoreError,
    VersionError,
)
from referee.store.rows import Mail
from referee.store.unit import Unit

SCHEMA: Final = "0002"
"""The newest migration; a store at another one is not opened."""

KEY: Final = "key fingerprint"
RULES: Final = "rules"

Progress = Callable[[int, int], None]
"""Hears how much is done and how much there is."""


MOVED: Final = "moved to"
MOVING: Final = "being moved"


def backend(url: str, patience: float) -> Backend:
    """Return the database at a URL, nothing of it opened. Raises StoreError for a kind that is not known."""
    if url.startswith("sqlite:///"):
        from referee.store.sqlite import Sqlite

        return Sqlite(url, patience)
    if url.startswith("postgresql+psycopg://"):
        from referee.store.postgres import Postgres

        return Postgres(url, patience)
    raise StoreError(
        f"{url.partition(':')[0]} is no database of this version; write sqlite:///club.db or postgresql+psycopg://…"
    )


class Store:
    """A club's database. Safe for several processes at once; each keeps its own Store."""

    def __init__(self, url: str, patience: float = 10.0) -> None:
        """Prepare the database at a URL; nothing is opened yet. `patience`: seconds to wait for others."""
        self._backend = backend(url, patience)
        self._engine = self._backend.engine
        self._excused: dict[int, int] = {}

    @property
    def backend(self) -> Backend:
        """Return the database itself, for moving it."""
        return self._backend

    # -- making and opening --------------------------------------------------------------------------------------

    @classmethod
    def create(cls, url: str, fingerprint: str, now: datetime) -> Store:
        """Make the database of a new club. Raises StoreError where there is one already."""
        from referee.store import migrations

        store = cls(url)
        try:
            if store._backend.exists():
                raise StoreError(f"{store._backend.name} is there already; it is not made anew")
            store._backend.make()
            with store.connected() as connection:
                migrations.upgrade(connection)
            with store.begin(now) as unit:
                unit.set_note(KEY, fingerprint)
                unit.set_note(RULES, rules_noted())
                unit.beat()
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, url: str, fingerprint: str, now: datetime, patience: float = 10.0) -> Store:
        """Open a club's database with the club's key.

        Raises StoreError where there is none, KeyMismatchError for another key, VersionError where schema or rules are
        not this program's, and its like for a damaged file.
        """
        store = cls(url, patience)
        try:
            store._check(fingerprint, now)
        except BaseException:
            store.close()
            raise
        return store

    def _check(self, fingerprint: str, now: datetime) -> None:
        """Raise what keeps this process from working with the database; else note that it does."""
        name = self._backend.name
        if self._backend.concurrent:
            self._backend.at_work()  # from here on nobody moves it or upgrades it
        if not self._backend.exists():
            if self._backend.concurrent:
                raise StoreError(f"{name} is empty; `referee move-store` brings a club there")
            raise StoreError(f"{name} is not there; `referee init` makes it")
        self._backend.at_work()
        self.check_schema()
        with self.read(now) as unit:
            known, rules = unit.note(KEY), unit.note(RULES)
            moved, moving = unit.note(MOVED), unit.note(MOVING)
        if moved is not None:
            raise StoreError(f"{name}: the club has moved to {moved}; club.toml must say so")
        if moving is not None:
            raise StoreError(f"{name} is only half filled; run `referee move-store` again")
        if known != fingerprint:
            raise KeyMismatchError(
                f"{name} belongs to another key: put the right referee.key back; "
                "`referee rotate-key` makes a new one on purpose"
            )
        if rules != rules_noted():
            raise VersionError(
                f"{name} was played under other rules than this program's; run `referee upgrade`"
            )

    def schema(self) -> str | None:
        """Return the migration that the database stands at, None for one that is no club's."""
        from referee.store import migrations

        with self.connected(read_only=True) as connection:
            if not inspect(connection).has_table(migrations.VERSION_TABLE):
                return None
            return migrations.current(connection)

    def check_schema(self) -> None:
        """Raise VersionError, or DamagedError, where the database has not this program's tables."""
        found = self.schema()
        if found == SCHEMA:
            return
        path = self._backend.name
        if found is None:
            raise DamagedError(f"{path} is no club's database")
        if found > SCHEMA:
            raise VersionError(f"{path} was made by a newer version of this program; install that")
        raise VersionError(f"{path} was made by an older version; run `referee upgrade`")

    def close(self) -> None:
        """Let go of all connections."""
        self._backend.close()

    # -- units of work -------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def begin(self, now: datetime) -> Iterator[Unit]:
        """Begin a unit that writes; it is committed at the end, durably, and rolled back by any exception.

        Raises a StoreError, with `retryable`, where the database fails; nothing of the unit is kept then.
        """
        with self.connected() as connection:
            unit = Unit(connection, now, self._backend)
            yield unit
            unit.finish()

    @contextlib.contextmanager
    def read(self, now: datetime) -> Iterator[Unit]:
        """Begin a unit that only looks; it sees one state of the database and holds nobody up."""
        with self.connected(read_only=True) as connection:
            yield Unit(connection, now, self._backend, writing=False)

    @contextlib.contextmanager
    def connected(self, *, read_only: bool = False) -> Iterator[Connection]:
        """Give a transaction's connection; it ends as `begin` and `read` say."""
        try:
            with self._backend.transaction(read_only=read_only) as connection:
                yield connection
                if read_only:
                    return
                faults.point("commit:before")
                connection.commit()
            faults.point("commit:after")
        except DBAPIError as error:
            meaning = self._backend.translated(error)
            if meaning is None:
                raise
            raise meaning from error

    # -- the spool, one reader at a time -------------------------------------------------------------------------

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Be the one process that handles mail, so that a game's mails are handled in order of receipt.

        The lock ends with the process, whatever ends it. Raises LockedError after our patience.
        """
        with self._backend.one_at_a_time("reading"):
            yield

    def take_mail(self, now: datetime, limit: int = 3) -> Mail | None:
        """Return the next mail of the spool with its attempt counted and committed; see `Unit.spool_take`.

        It is this process' until the next one is taken, or `let_go`.
        """
        mail = None
        self.let_go()
        try:
            with self.begin(now) as unit:
                for number, times in self._excused.items():
                    unit.spool_excuse(number, times)
                mail = unit.spool_take(limit)
        except AwayError:
            if mail is not None:  # it may have been counted or not, and was not read
                self._excused[mail.id] = self._excused.get(mail.id, 0) + 1
            self.let_go()
            raise
        self._excused.clear()
        return mail

    @property
    def concurrent(self) -> bool:
        """Whether several processes handle mail at once, so that each mail is to be sorted (`Unit.spool_sort`)."""
        return self._backend.concurrent

    def let_go(self) -> None:
        """Let other processes take the mail that this one has: it is done, or failed, or must wait."""
        if self._backend.claims is not None:
            self._backend.claims.give_back()

    def moment(self, local: datetime) -> datetime:
        """Return the club's time at a moment of this machine's clock; the same but where many machines keep a club."""
        return self._backend.moment(local)

    def if_free(self, what: str) -> contextlib.AbstractContextManager[bool]:
        """Do what one process of a club does at a time; gives false where another one is at it."""
        return self._backend.if_free(what)

    def excuse(self, mail: Mail, now: datetime) -> None:
        """Take a mail's attempt back: database or disk failed, the mail is not at fault.

        Where that cannot be written either it is remembered, and written with the next attempt.
        """
        self._excused[mail.id] = self._excused.get(mail.id, 0) + 1
        with contextlib.suppress(StoreError):
            with self.begin(now) as unit:
                for number, times in self._excused.items():
                    unit.spool_excuse(number, times)
            self._excused.clear()

    # -- care ----------------------------------------------------------------------------------------------------

    def backup(self, target: Path, progress: Progress | None = None) -> None:
        """Copy the whole database to a file while others work on; the key is not in it. Raises StoreError.

        `progress` hears how many pages are copied, and how many there are.
        """
        told = None if progress is None else lambda left, total: progress(total - left, total)
        self._backend.backup(target, told)

    def rekey(self, fingerprint: str, now: datetime) -> None:
        """Note another key; all codes and tokens given out under the old one are void with it."""
        with self.begin(now) as unit:
            unit.set_note(KEY, fingerprint)

    def replay_all(self, now: datetime, progress: Progress | None = None) -> list[str]:
        """Replay every game that is on; return a line for each that is not what was stored, none where all is well."""
        with self.read(now) as unit:
            return list(_differences(unit, progress))

    def behind(self, now: datetime) -> bool:
        """Whether there is something to upgrade. Raises StoreError for what is no club's, or a newer program's."""
        found = self.schema()
        if found is None or found > SCHEMA:
            self.check_schema()
        if found != SCHEMA:
            return True
        with self.read(now) as unit:
            return unit.note(RULES) != rules_noted()

    def upgrade(self, now: datetime, progress: Progress | None = None) -> bool:
        """Bring schema and rules versions to this program's; false where nothing was to do.

        All open games are replayed first under this program's rules. Raises VersionError, and changes nothing, where
        one of them would stand otherwise. Back up before.
        """
        from referee.store import migrations

        found = self.schema()
        if found is not None and found > SCHEMA:
            self.check_schema()
        if found is None:
            raise DamagedError(f"{self._backend.name} is no club's database")
        with self.connected() as connection:
            migrations.upgrade(connection)
            unit = Unit(connection, now, self._backend)
            if found == SCHEMA and unit.note(RULES) == rules_noted():
                return False
            wrong = list(_differences(unit, progress))
            if wrong:
                raise VersionError(
                    "nothing was upgraded; games would stand otherwise:\n" + "\n".join(wrong)
                )
            unit.set_rules()
            unit.set_note(RULES, rules_noted())
        return True


def rules_noted() -> str:
    """Return the versions of this program's rules as a store notes them."""
    return json.dumps(dict(sorted(RULES_VERSION.items())))


def _differences(unit: Unit, progress: Progress | None) -> Iterator[str]:
    """Yield a line for every open game whose replay is not what was stored, or fails."""
    total = unit.open_count()
    for done, (game_id, match, fingerprint) in enumerate(unit.open_matches(), 1):
        try:
            if match.fingerprint != fingerprint:
                yield f"{game_id}: the replay ends in another position than the one stored"
        except ReplayError as error:
            yield str(error)
        if progress is not None:
            progress(done, total)
