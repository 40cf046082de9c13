"""What all parts of a unit of work share: the connection, the moment, and the small notes of `meta`.

Statements on the way of every mail are built once, as constants with parameters: building costs more than running.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Protocol

from sqlalchemy import Connection, CursorResult, bindparam, delete, insert, select, update

from referee.store.schema import meta

_NOTE: Final = select(meta.c.value).where(meta.c.name == bindparam("name_"))
_NOTED: Final = update(meta).where(meta.c.name == bindparam("name_"))


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
        value: str | None = self._db.scalar(_NOTE, {"name_": name})
        return value

    def set_note(self, name: str, value: str | None) -> None:
        """Keep a note, or drop it (None)."""
        if value is None:
            self._db.execute(delete(meta).where(meta.c.name == name))
            return
        changed = self._db.execute(_NOTED, {"name_": name, "value": value})
        if not changed.rowcount:
            self._db.execute(insert(meta), {"name": name, "value": value})


def inserted(done: CursorResult[Any]) -> int:
    """Return the number of the row that an insert made."""
    key = done.inserted_primary_key
    assert key is not None
    number: int = key[0]
    return number
