"""What all parts of a unit of work share: the connection, the moment, and the small notes of `meta`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import Connection, CursorResult, delete, insert, select, update

from referee.store.schema import meta


class Backend(Protocol):
    """What the parts need to know of the database at hand."""

    def locked_row(self, statement: Any) -> Any:
        """Return a select that holds the rows it finds until the end of the transaction, passing over held ones."""
        ...


class Part:
    """A part of a unit of work. `now` (UTC) is the moment of everything done in it."""

    def __init__(self, connection: Connection, now: datetime, backend: Backend) -> None:
        self._db = connection
        self._backend = backend
        self.now = now

    def note(self, name: str) -> str | None:
        """Return a note, None where there is none."""
        value: str | None = self._db.scalar(select(meta.c.value).where(meta.c.name == name))
        return value

    def set_note(self, name: str, value: str | None) -> None:
        """Keep a note, or drop it (None)."""
        if value is None:
            self._db.execute(delete(meta).where(meta.c.name == name))
            return
        changed = self._db.execute(update(meta).where(meta.c.name == name).values(value=value))
        if not changed.rowcount:
            self._db.execute(insert(meta).values(name=name, value=value))


def inserted(done: CursorResult[Any]) -> int:
    """Return the number of the row that an insert made."""
    key = done.inserted_primary_key
    assert key is not None
    number: int = key[0]
    return number
