"""Mail that goes out: written in the transaction of the move, sent when it may be (mail.md, Mail out; M79, M80)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, or_, select, update

from referee.store.parts.base import Part, inserted
from referee.store.rows import Letter
from referee.store.schema import Moment, outbox, players

DUE: Final = "due"
SENT: Final = "sent"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"

LEASE: Final = timedelta(minutes=10)
"""For so long a taken mail is one process' to send; after a crash another sends it again."""


_DUE: Final = (
    select(outbox)
    .where(outbox.c.state == DUE, outbox.c.next_at <= bindparam("now", type_=Moment))
    .order_by(outbox.c.next_at, outbox.c.id)
    .limit(bindparam("most"))
)
_TAKEN: Final = (
    update(outbox)
    .where(outbox.c.id == bindparam("id_"))
    .values(next_at=bindparam("until", type_=Moment), attempts=outbox.c.attempts + 1)
)
_SENT: Final = (
    update(outbox)
    .where(outbox.c.id == bindparam("id_"), outbox.c.sent.is_(None))
    .values(state=SENT, sent=bindparam("sent", type_=Moment), error=None)
)
_STALE: Final = (
    update(outbox)
    .where(
        outbox.c.game_id == bindparam("game"),
        outbox.c.state == DUE,
        outbox.c.sent.is_(None),
        outbox.c.kind.in_(bindparam("kinds", expanding=True)),
        outbox.c.event < bindparam("before"),
    )
    .values(state=CANCELLED)
)
_LETTER: Final = select(outbox).where(outbox.c.id == bindparam("id_"))


class OutboxPart(Part):
    """Writing, taking, settling letters."""

    def outbox_add(
        self,
        kind: str,
        recipient: str,
        message_id: str,
        raw: bytes,
        *,
        player_id: int | None = None,
        game: str | None = None,
        event: int | None = None,
        not_before: datetime | None = None,
    ) -> int:
        """Write a letter and return its row's number, from which the envelope sender is made.

        `kind` is `turn` (its first 250 starts a clock), `notice`, `reminder`, `result`, `code`, `answer`, `digest` or
        `operator`; `message_id` and the bytes never change again.
        """
        done = self._db.execute(
            insert(outbox),
            {
                "kind": kind,
                "recipient": recipient,
                "message_id": message_id,
                "raw": raw,
                "player_id": player_id,
                "game_id": game,
                "event": event,
                "state": DUE,
                "attempts": 0,
                "next_at": not_before or self.now,
                "created": self.now,
            },
        )
        return inserted(done)

    def outbox_take(self, limit: int = 20, lease: timedelta = LEASE) -> list[Letter]:
        """Return letters that are due, the longest waiting first, for this process to send.

        Commit before sending. Each is out of others' hands for `lease`: a crash lets it be sent once more after that.
        """
        due = self._backend.queued(_DUE)
        rows = self._db.execute(due, {"now": self.now, "most": limit}).all()
        if rows:
            until = self.now + lease
            self._db.execute(_TAKEN, [{"id_": row.id, "until": until} for row in rows])
        return [replace(_letter(row), attempts=row.attempts + 1) for row in rows]

    def outbox_sent(self, number: int, at: datetime | None = None) -> bool:
        """Note a 250 that came at a moment (default: now); true for the letter's first, so that a clock may start."""
        if self._db.execute(_SENT, {"id_": number, "sent": at or self.now}).rowcount:
            return True
        self._db.execute(update(outbox).where(outbox.c.id == number).values(state=SENT, error=None))
        return False

    def outbox_retry(self, number: int, at: datetime, error: str) -> None:
        """Try a letter again at a moment: the failure was temporary, or one of configuration."""
        self._settle(number, state=DUE, next_at=at, error=error)

    def outbox_failed(self, number: int, error: str) -> None:
        """Give a letter up: the failure is permanent."""
        self._settle(number, state=FAILED, error=error)

    def _settle(self, number: int, **values: Any) -> None:
        self._db.execute(
            update(outbox).where(outbox.c.id == number, outbox.c.state == DUE).values(**values)
        )

    def outbox_cancel(self, game: str, kinds: Collection[str], before_event: int) -> int:
        """Cancel letters of a game that are not yet sent and say what is no longer so (M77); return how many.

        Those of the kinds given, written when the event counter stood below `before_event`.
        """
        done = self._db.execute(
            _STALE, {"game": game, "kinds": tuple(kinds), "before": before_event}
        )
        return done.rowcount

    def outbox_get(self, number: int) -> Letter | None:
        """Return a letter by its row."""
        row = self._db.execute(_LETTER, {"id_": number}).first()
        return None if row is None else _letter(row)

    def outbox_last(self, game: str, player_id: int, kinds: Collection[str]) -> Letter | None:
        """Return the last letter of these kinds to a player in a game, for sending it again."""
        statement = (
            select(outbox)
            .where(
                outbox.c.game_id == game,
                outbox.c.player_id == player_id,
                outbox.c.kind.in_(tuple(kinds)),
                outbox.c.state != CANCELLED,
            )
            .order_by(outbox.c.id.desc())
            .limit(1)
        )
        row = self._db.execute(statement).first()
        return None if row is None else _letter(row)

    def outbox_resend(self, number: int) -> bool:
        """Send a letter again, the same bytes with the same Message-ID; false where there is none."""
        done = self._db.execute(
            update(outbox)
            .where(outbox.c.id == number)
            .values(state=DUE, next_at=self.now, attempts=0, error=None)
        )
        return done.rowcount == 1

    def outbox_next(self) -> datetime | None:
        """Return when the next letter is due, None where none waits."""
        statement = select(func.min(outbox.c.next_at)).where(outbox.c.state == DUE)
        when: datetime | None = self._db.scalar(statement)
        return when

    def outbox_counts(self) -> dict[str, int]:
        """Return how many letters there are in each state."""
        counts = dict.fromkeys((DUE, SENT, FAILED, CANCELLED), 0)
        statement = select(outbox.c.state, func.count()).group_by(outbox.c.state)
        return counts | {row.state: row[1] for row in self._db.execute(statement)}

    def outbox_purge(self, before: datetime, limit: int = 500) -> int:
        """Drop letters settled before a moment, and all settled ones to players who are gone; return how many."""
        settled = outbox.c.state.in_((SENT, FAILED, CANCELLED))
        gone = select(players.c.id).where(players.c.gone.is_(True))
        old = (
            select(outbox.c.id)
            .where(settled, or_(outbox.c.next_at < before, outbox.c.player_id.in_(gone)))
            .limit(limit)
        )
        settled_ones = list(self._db.scalars(self._backend.queued(old)))
        if not settled_ones:
            return 0
        return self._db.execute(delete(outbox).where(outbox.c.id.in_(settled_ones))).rowcount


def _letter(row: Any) -> Letter:
    return Letter(
        row.id,
        row.kind,
        row.recipient,
        row.player_id,
        row.game_id,
        row.event,
        row.message_id,
        row.raw,
        row.state,
        row.attempts,
        row.created,
        row.sent,
        row.error,
    )
