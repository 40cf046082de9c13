"""Once and only so often: handled mails, codes, budgets of answers (mail.md, Mail in, Who may move, Answers)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import bindparam, delete, func, insert, select, update

from referee.store.parts.base import Part
from referee.store.rows import Code
from referee.store.schema import budgets, codes, games, handled

CODE_LIFE: Final = timedelta(hours=24)
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
KEYS_LIFE: Final = timedelta(days=365)
"""Keys of handled mails are kept while their game is on and for so long after."""


_HANDLED: Final = select(handled.c.text_hash).where(
    handled.c.key == bindparam("key_"), handled.c.recipient == bindparam("recipient_")
)
_MINE: Final = (
    budgets.c.kind == bindparam("kind_"),
    budgets.c.subject == bindparam("subject_"),
)
_USED: Final = select(func.count()).select_from(budgets).where(*_MINE)
_RUN_OUT: Final = delete(budgets).where(*_MINE, budgets.c.at <= bindparam("before"))


class LimitsPart(Part):
    """Keys, codes and budgets."""

    # -- handled once --------------------------------------------------------------------------------------------

    def handled(self, key: str, recipient: str) -> frozenset[str]:
        """Return the hashes of new text that were handled under a mail's key: empty for a new mail.

        The same hash is a true duplicate and changes nothing; another is no duplicate, but worth a flag.
        """
        mine = {"key_": _cut(key), "recipient_": _cut(recipient)}
        return frozenset(self._db.scalars(_HANDLED, mine))

    def mark_handled(self, key: str, recipient: str, text_hash: str, game: str | None) -> None:
        """Note an authenticated mail as handled, in the transaction of what it did."""
        self._db.execute(
            insert(handled),
            {
                "key": _cut(key),
                "recipient": _cut(recipient),
                "text_hash": text_hash,
                "at": self.now,
                "game_id": game,
            },
        )

    # -- codes ---------------------------------------------------------------------------------------------------

    def code_add(
        self,
        digest: str,
        address: str,
        commands_hash: str,
        purpose: str,
        data: Mapping[str, Any],
        player_id: int | None = None,
        a_day: int = 3,
    ) -> bool:
        """Keep a code that is about to be sent to an address; false where it had enough of them today.

        Only the digest is kept. `data` is what is to be done when the code comes back.
        """
        self._alone(f"codes {address}")
        given = (
            select(func.count())
            .select_from(codes)
            .where(codes.c.address == address, codes.c.created > self.now - DAY)
        )
        if (self._db.scalar(given) or 0) >= a_day:
            return False
        self._db.execute(
            insert(codes).values(
                digest=digest,
                address=address,
                player_id=player_id,
                purpose=purpose,
                commands_hash=commands_hash,
                data=dict(data),
                created=self.now,
            )
        )
        return True

    def code_use(self, digest: str, address: str, commands_hash: str | None = None) -> Code | None:
        """Use a code up and return what it was for; None where it is unknown, used, old, or another address'.

        With `commands_hash` None too where it was given for other commands; it stays good for its own then.
        """
        row = self._db.execute(select(codes).where(codes.c.digest == digest)).first()
        if (
            row is None
            or row.used is not None
            or row.created <= self.now - CODE_LIFE
            or row.address != address
            or commands_hash not in (None, row.commands_hash)
        ):
            return None
        unused = update(codes).where(codes.c.digest == digest, codes.c.used.is_(None))
        if not self._db.execute(unused.values(used=self.now)).rowcount:
            return None
        return Code(
            row.address, row.player_id, row.purpose, row.commands_hash, row.data, row.created
        )

    def code_find(self, digest: str) -> Code | None:
        """Return a code that was given out, used up or not, old or not; None for one that was not."""
        row = self._db.execute(select(codes).where(codes.c.digest == digest)).first()
        if row is None:
            return None
        return Code(
            row.address, row.player_id, row.purpose, row.commands_hash, row.data, row.created
        )

    # -- budgets -------------------------------------------------------------------------------------------------

    def budget(self, kind: str, subject: str, limit: int, window: timedelta) -> bool:
        """Take one from a budget: at most `limit` within any `window`. False where nothing is left.

        `kind` names the budget (`address`, `game`, `unknown`, …), `subject` whose it is.
        """
        subject = _cut(subject)
        mine = {"kind_": kind, "subject_": subject}
        self._alone(f"budget {kind} {subject}")
        self._db.execute(_RUN_OUT, {**mine, "before": self.now - window})
        if (self._db.scalar(_USED, mine) or 0) >= limit:
            return False
        self._db.execute(insert(budgets), {"kind": kind, "subject": subject, "at": self.now})
        return True

    # -- what may go ---------------------------------------------------------------------------------------------

    def purge_limits(self, limit: int = 500) -> int:
        """Drop what is too old to matter, at most `limit` of each; return how many rows went."""
        year_ago = self.now - KEYS_LIFE
        keys = (
            select(handled.c.key, handled.c.recipient, handled.c.text_hash)
            .outerjoin(games, games.c.id == handled.c.game_id)
            .where(
                handled.c.at < year_ago,
                (games.c.id.is_(None)) | (games.c.ended < year_ago),
            )
            .limit(limit)
        )
        gone = 0
        for key, recipient, text_hash in self._db.execute(keys).all():
            gone += self._db.execute(
                delete(handled).where(
                    handled.c.key == key,
                    handled.c.recipient == recipient,
                    handled.c.text_hash == text_hash,
                )
            ).rowcount
        old = select(budgets.c.id).where(budgets.c.at < self.now - 2 * DAY).limit(limit)
        spent = list(self._db.scalars(self._backend.queued(old)))
        if spent:
            gone += self._db.execute(delete(budgets).where(budgets.c.id.in_(spent))).rowcount
        gone += self._db.execute(delete(codes).where(codes.c.created < self.now - 7 * DAY)).rowcount
        return gone


def _cut(text: str) -> str:
    """Return a key of bounded length; a longer one keeps its beginning and its digest."""
    if len(text) <= 256:
        return text
    import hashlib

    return text[:190] + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
