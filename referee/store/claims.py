"""What a process holds at PostgreSQL beyond its transactions: advisory locks of one session kept for them.

A lock falls with its session, and that with the process, however it ends: no lease runs out, no clock is asked. Where
the session breaks the locks are gone and another process may do the same work once more; what was done is told by the
rows, so it is done once all the same.
"""

from __future__ import annotations

import contextlib
from typing import Final

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

_TRY: Final = text("SELECT pg_try_advisory_lock(:key)")
_UNLOCK: Final = text("SELECT pg_advisory_unlock(:key)")
_MAILS: Final = 0x6D61696C << 32
"""Where the locks of mails begin (`mail` in ASCII); a mail's is so much above."""


class Claims:
    """The locks of this process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._session: Connection | None = None
        self._mails: set[int] = set()

    def take(self, number: int) -> bool:
        """Claim a mail of the spool; false where another process, or this one, has it."""
        if number in self._mails or not self.try_lock(_MAILS + number):
            return False
        self._mails.add(number)
        return True

    def give_back(self) -> None:
        """Let go of every mail that is claimed."""
        mails, self._mails = self._mails, set()
        for number in mails:
            self.unlock(_MAILS + number)

    def try_lock(self, key: int) -> bool:
        """Take a lock if it is free; it is kept until it is given back or the process ends."""
        for again in (True, False):
            try:
                if self._session is None:
                    self._session = self._engine.connect()
                return bool(self._session.execute(_TRY, {"key": key}).scalar())
            except DBAPIError:
                self._broken()
                if not again:
                    raise
        raise AssertionError  # the loop returns or raises

    def unlock(self, key: int) -> None:
        """Give a lock back. One whose session broke is gone already."""
        if self._session is None:
            return
        try:
            self._session.execute(_UNLOCK, {"key": key})
        except DBAPIError:
            self._broken()

    def close(self) -> None:
        """Give everything back."""
        self._broken()

    def _broken(self) -> None:
        session, self._session = self._session, None
        self._mails.clear()
        if session is not None:
            with contextlib.suppress(DBAPIError):
                session.invalidate()  # the server ends the session, and with it all locks
                session.close()
