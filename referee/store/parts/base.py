"""What all parts of a unit of work share: the connection, the moment, and the small notes of `meta`.

Statements on the way of every mail are built once, as constants with parameters: building costs more than running.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, cast

from sqlalchemy import Connection, CursorResult, bindparam, delete, select, update

from referee.store.backend import Backend
from referee.store.parts.memory import Rows
from referee.store.schema import meta

_NOTE: Final = select(meta.c.value).where(meta.c.name == bindparam("name_"))
_NOTED: Final = update(meta).where(meta.c.name == bindparam("name_"))


class Part:
    """A part of a unit of work. `now` (UTC) is the moment of everything done in it."""

    def __init__(
        self, connection: Connection, now: datetime, backend: Backend, *, writing: bool = True
    ) -> None:
        self._rows = Rows(connection)
        self._db = cast("Connection", self._rows)  # all that the parts use of one
        self._backend = backend
        self._writing = writing
        self.now = now

    def _held(self, statement: Any) -> Any:
        """Return a select whose rows nobody else changes until the unit ends; one that only looks holds nothing."""
        return self._backend.held(statement) if self._writing else statement

    def _alone(self, what: str) -> None:
        """Let no other unit be at the same thing until this one ends: what is counted or looked for stays so."""
        if self._writing:
            self._backend.alone(self._rows.connection, what)

    def note(self, name: str) -> str | None:
        """Return a note, None where there is none."""
        value: str | None = self._db.scalar(_NOTE, {"name_": name})
        return value

    def set_note(self, name: str, value: str | None) -> None:
        """Keep a note, or drop it (None)."""
        if value is None:
            self._db.execute(delete(meta).where(meta.c.name == name))
            return
        noted = {"name_": name, "value": value}
        if self._db.execute(_NOTED, noted).rowcount:
            return
        made = self._db.execute(self._backend.unless_there(meta), {"name": name, "value": value})
        if not made.rowcount:
            self._db.execute(_NOTED, noted)


def inserted(done: CursorResult[Any]) -> int:
    """Return the number of the row that an insert made."""
    key = done.inserted_primary_key
    assert key is not None
    number: int = key[0]
    return number
