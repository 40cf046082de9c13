"""What the store asks of a database: all that two databases do differently, by what it is for.

`sqlite.py` and `postgres.py` are the two answers; nothing else in the store knows which one it runs on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Engine, Table
from sqlalchemy.exc import DBAPIError

from referee.store.errors import StoreError


class Claims(Protocol):
    """What a process holds beyond its transactions; all of it falls with the process, however it ends."""

    def take(self, number: int) -> bool:
        """Claim a mail of the spool; false where another process has it."""
        ...

    def give_back(self) -> None:
        """Let go of every mail that is claimed."""
        ...


class Backend(Protocol):
    """A database.

    engine      for tests and tools; work goes through `transaction`
    name        how messages call it, without any password
    concurrent  several processes may write, and handle mail, at the same time
    claims      what this process holds, None where one process at a time handles mail
    """

    engine: Engine
    name: str
    concurrent: bool

    @property
    def claims(self) -> Claims | None:
        """Return what this process holds."""
        ...

    def exists(self) -> bool:
        """Whether there is a database to open."""
        ...

    def make(self) -> None:
        """Make room for a new club; raises StoreError."""
        ...

    def transaction(self, *, read_only: bool) -> AbstractContextManager[Connection]:
        """Give a transaction's connection; one that only reads sees one state and cannot write.

        What is not committed at its end is rolled back.
        """
        ...

    def translated(self, error: DBAPIError) -> StoreError | None:
        """Return what a driver's error means for the service, None for an error that is a bug of ours."""
        ...

    def held(self, statement: Any) -> Any:
        """Return a select whose rows nobody else changes until the transaction ends; it waits for them."""
        ...

    def queued(self, statement: Any) -> Any:
        """Return the like for rows of a queue: those that somebody else holds are passed over."""
        ...

    def unless_there(self, table: Table) -> Any:
        """Return an insert that does nothing where the row is there already."""
        ...

    def alone(self, connection: Connection, what: str) -> None:
        """Let no other transaction be at the same thing until this one ends; waits for the one that is."""
        ...

    def bytewise(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """Return a column to order by, by its characters' numbers and no language's rules."""
        ...

    def moment(self, local: datetime) -> datetime:
        """Return the club's time at a moment of this machine's clock."""
        ...

    def one_at_a_time(self, what: str) -> AbstractContextManager[None]:
        """Hold a lock that falls with the process. Raises LockedError after our patience."""
        ...

    def if_free(self, what: str) -> AbstractContextManager[bool]:
        """Do something that one process does at a time; gives false where another one is at it."""
        ...

    def at_work(self) -> None:
        """Note that this process works with the club, until it ends. Raises LockedError while one has it for itself."""
        ...

    def for_itself(self) -> AbstractContextManager[None]:
        """Have the club for oneself. Raises LockedError where a process works with it."""
        ...

    def count_on(self, connection: Connection, tables: Sequence[Table]) -> None:
        """Let rows that come be numbered above those that were copied."""
        ...

    def hazards(self) -> list[str]:
        """Return what about the database's own settings may cost the club what it has acknowledged."""
        ...

    def backup(self, target: Path, progress: Callable[[int, int], None] | None) -> None:
        """Copy the whole database to a file; `progress` hears how much is left and how much there is."""
        ...

    def close(self) -> None:
        """Let go of all that is held."""
        ...
