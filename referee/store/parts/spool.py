"""Mail that came in and is not yet handled (mail.md, Mail in; M68 to M70)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    tuple_,
    type_coerce,
    update,
)

from referee.store.backend import Claims
from referee.store.parts.base import Part, inserted
from referee.store.rows import Mail
from referee.store.schema import Moment, spool

WAITING: Final = "waiting"
QUARANTINED: Final = "quarantined"

TELLINGS: Final = 3
"""How often it is tried to tell of a mail in quarantine."""


_OLDEST: Final = select(spool).order_by(spool.c.received, spool.c.id).limit(1)
_DUE: Final = and_(
    spool.c.state == WAITING,
    or_(spool.c.next_at.is_(None), spool.c.next_at <= bindparam("now", type_=Moment)),
)
_READY: Final = _OLDEST.where(_DUE)
_UNTOLD: Final = _OLDEST.where(spool.c.state == QUARANTINED, spool.c.told.is_(False))
_BY_ID: Final = select(spool).where(spool.c.id == bindparam("id_"))
_BEFORE: Final = select(spool.c.lanes).where(
    _DUE,
    tuple_(spool.c.received, spool.c.id)
    < tuple_(bindparam("received_", type_=Moment), bindparam("id_")),
)
_PAGE: Final = 100
_PAGES: Final = 20
_WAITING: Final = (
    select(spool.c.id, type_coerce(spool.c.received, BigInteger).label("at"), spool.c.lanes)
    .where(
        _DUE,
        tuple_(type_coerce(spool.c.received, BigInteger), spool.c.id)
        > tuple_(bindparam("at", type_=BigInteger), bindparam("id_", type_=BigInteger)),
    )
    .order_by(spool.c.received, spool.c.id)
    .limit(_PAGE)
)
_UNTOLD_IDS: Final = (
    select(spool.c.id)
    .where(spool.c.state == QUARANTINED, spool.c.told.is_(False))
    .order_by(spool.c.received, spool.c.id)
    .limit(_PAGE)
)
_CHANGED: Final = update(spool).where(spool.c.id == bindparam("id_"))
_DROPPED: Final = delete(spool).where(spool.c.id == bindparam("id_"))


class SpoolPart(Part):
    """Storing mail, counting attempts, quarantine, release."""

    def spool_add(
        self,
        raw: bytes,
        received: datetime,
        recipient: str | None,
        source: str = "",
        game: str | None = None,
    ) -> int:
        """Store a mail as it came and return its number. `game` is what a right token in the recipient says.

        Such a mail is about that game alone, so it is known at once what it must not overtake.
        """
        done = self._db.execute(
            insert(spool),
            {
                "raw": raw,
                "received": received,
                "recipient": recipient,
                "source": source,
                "state": WAITING,
                "attempts": 0,
                "told": False,
                "game_id": game,
                "lanes": game,
            },
        )
        return inserted(done)

    def spool_take(self, limit: int = 3) -> Mail | None:
        """Return the mail that came first, its attempt counted; None where none waits.

        Commit before reading it, so that a crash counts. A mail with `limit` attempts behind it comes once more as
        `quarantined`, so that sender and operator are told: `attempts` is then `limit` + 1, and more where telling
        failed too (then better without reading it). `spool_told` ends that; after three times it ends by itself.
        """
        claims = self._backend.claims
        row = self._first(_READY) if claims is None else self._claimed(claims)
        if row is None:
            return None
        attempts = row.attempts + 1
        quarantined = row.state == QUARANTINED or attempts > limit
        changes = {
            "attempts": attempts,
            "state": QUARANTINED if quarantined else WAITING,
            "told": attempts >= limit + TELLINGS,
        }
        self._db.execute(_CHANGED, {"id_": row.id, **changes})
        return replace(_mail(row), attempts=attempts, quarantined=quarantined)

    def _first(self, statement: Any) -> Any:
        row = self._db.execute(statement, {"now": self.now}).first()
        return self._db.execute(_UNTOLD).first() if row is None else row

    def _claimed(self, claims: Claims) -> Any:
        """Return the first mail that no other process has and that must wait for none before it; claim it."""
        busy: set[str] = set()
        after = (0, 0)
        for _ in range(_PAGES):
            page = self._db.execute(_WAITING, {"now": self.now, "at": after[0], "id_": after[1]})
            rows = page.all()
            for row in rows:
                if may_go(row.lanes, busy) and claims.take(row.id):
                    found = self._take_one(row.id)
                    if found is not None and may_go(found.lanes, busy):
                        return found
                    claims.give_back()  # since we looked it was handled, or looked into: it must wait
                busy |= {EVERYTHING} if row.lanes is None else set(row.lanes.split())
            if len(rows) < _PAGE:
                break
            after = (rows[-1].at, rows[-1].id)
        for number in self._db.scalars(_UNTOLD_IDS).all():
            if claims.take(number):
                return self._take_one(number)
        return None

    def _take_one(self, number: int) -> Any:
        return self._db.execute(self._backend.queued(_BY_ID), {"id_": number}).first()

    def spool_sort(self, number: int, lanes: Collection[str]) -> bool:
        """Note what a mail must not overtake; false where something of that came before it and is not yet done."""
        self._db.execute(_CHANGED, {"id_": number, "lanes": " ".join(sorted(lanes))})
        mine = self._db.execute(_BY_ID, {"id_": number}).first()
        if mine is None:
            return True
        known = {"now": self.now, "id_": number, "received_": mine.received}
        before = self._db.scalars(_BEFORE, known).all()
        return all(other is not None and not set(other.split()) & set(lanes) for other in before)

    def spool_done(self, number: int) -> bool:
        """Drop a mail: it is handled, in this transaction. False where another process was first; then roll back."""
        return self._db.execute(_DROPPED, {"id_": number}).rowcount == 1

    def spool_mark(
        self,
        number: int,
        game: str | None = None,
        player_id: int | None = None,
        why: str | None = None,
    ) -> None:
        """Note what is known of a mail: its game or its (authenticated) player, whose deadlines wait for it."""
        known = {"game_id": game, "player_id": player_id, "why": why}
        values = {name: value for name, value in known.items() if value is not None}
        if values:
            self._db.execute(_CHANGED, {"id_": number, **values})

    def spool_defer(self, number: int, until: datetime, why: str) -> None:
        """Put a mail off whose sender cannot be checked now (M53); the attempt does not count."""
        self._db.execute(
            update(spool)
            .where(spool.c.id == number, spool.c.state == WAITING)
            .values(next_at=until, why=why, attempts=_less(1))
        )

    def spool_excuse(self, number: int, times: int = 1) -> None:
        """Take attempts back that failed for no fault of the mail: the disk was full, the database locked."""
        self._db.execute(update(spool).where(spool.c.id == number).values(attempts=_less(times)))

    def spool_told(self, number: int) -> None:
        """Note that sender and operator know of a mail in quarantine."""
        self._db.execute(update(spool).where(spool.c.id == number).values(told=True))

    def spool_release(self, number: int) -> bool:
        """Let a mail in quarantine be read again, with its first receipt time; false where there is none."""
        done = self._db.execute(
            update(spool)
            .where(spool.c.id == number, spool.c.state == QUARANTINED)
            .values(state=WAITING, attempts=0, told=False, next_at=None)
        )
        return done.rowcount == 1

    def spool_get(self, number: int) -> Mail | None:
        """Return a mail of the spool or of the quarantine."""
        row = self._db.execute(select(spool).where(spool.c.id == number)).first()
        return None if row is None else _mail(row)

    def quarantine(self, limit: int = 100) -> list[Mail]:
        """Return the mails in quarantine, the oldest first."""
        statement = (
            select(spool)
            .where(spool.c.state == QUARANTINED)
            .order_by(spool.c.received)
            .limit(limit)
        )
        return [_mail(row) for row in self._db.execute(statement)]

    def spool_counts(self) -> dict[str, int]:
        """Return how many mails wait and how many are in quarantine."""
        counts = dict.fromkeys((WAITING, QUARANTINED), 0)
        statement = select(spool.c.state, func.count()).group_by(spool.c.state)
        return counts | {row.state: row[1] for row in self._db.execute(statement)}


EVERYTHING: Final = "*"
"""What a mail that nobody has looked into yet may be about."""


def may_go(lanes: str | None, busy: Collection[str]) -> bool:
    """Whether a mail may be taken while those before it are busy with these; one not looked into may be looked into."""
    return lanes is None or (EVERYTHING not in busy and not set(lanes.split()) & set(busy))


def _less(times: int) -> Any:
    """Return the SQL for so many attempts fewer, never below none."""
    return case((spool.c.attempts > times, spool.c.attempts - times), else_=0)


def _mail(row: Any) -> Mail:
    return Mail(
        row.id,
        row.raw,
        row.recipient,
        row.received,
        row.source,
        row.attempts,
        row.state == QUARANTINED,
        row.told,
        row.why,
        row.game_id,
        row.player_id,
        None if row.lanes is None else tuple(row.lanes.split()),
    )
