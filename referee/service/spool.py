"""Mail comes in: stored first, then handled; attempts, quarantine (mail.md, Mail in; M68 to M70)."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import datetime

from referee.clock import written
from referee.mail.identity import check_token, plus_part
from referee.mail.inbound import read
from referee.mail.maildir import Found, limited
from referee.mail.reply import harmless, note
from referee.service.desk import Desk
from referee.service.pipeline import LATER, Outcome, handle
from referee.service.post import Post
from referee.service.who import identify
from referee.store import LockedError, Mail, StoreError

Now = Callable[[], datetime]


def receive(
    desk: Desk,
    raw: bytes,
    recipient: str | None,
    now: datetime,
    *,
    received: datetime | None = None,
    source: str = "",
) -> int:
    """Store a mail for good and return its number in the spool; its sender's side may forget it then.

    Raises StoreError where it cannot be stored; then it is not ours.
    """
    covers = check_token(desk.key, plus_part(recipient)) if recipient else None
    when = min(received, now) if received is not None else now
    with desk.store.begin(now) as unit:
        game = covers.game if covers is not None else None
        return unit.spool_add(limited(raw), when, recipient, source, game)


def take_in(
    desk: Desk, found: Found, now: datetime, source: str, recipient: str | None = None
) -> int:
    """Store a mail that lies somewhere, and only then say so where it lies."""
    number = receive(desk, found.raw, recipient, now, received=found.received, source=source)
    found.keep()
    return number


def work(desk: Desk, now: Now, stop: Callable[[], bool] = lambda: False) -> list[Outcome]:
    """Handle all mail that waits, one after the other in the order of receipt; return what became of each.

    Another process at the same work does ours too, or shares it, each game's mails in order. Raises StoreError where
    the database fails: nothing is lost, and the mail at hand is not blamed.
    """
    outcomes: list[Outcome] = []
    try:
        with desk.store.reading():
            while not stop():
                mail = desk.store.take_mail(now(), desk.club.policy.attempts)
                if mail is None:
                    break
                outcome = _one(desk, mail, now())
                if outcome.kind != LATER:
                    outcomes.append(outcome)
    except LockedError:
        if outcomes:
            raise
    finally:
        desk.store.let_go()
    return outcomes


def _one(desk: Desk, mail: Mail, now: datetime) -> Outcome:
    """Handle a mail. What is wrong with it costs it an attempt, never the process its life."""
    try:
        if mail.quarantined:
            return _tell(desk, mail, now)
        return handle(desk, mail, now)
    except StoreError as error:
        if error.retryable:
            desk.store.excuse(mail, now)
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error} ({place.name}, line {place.lineno})"
        desk.complain(f"mail {mail.id} could not be handled, attempt {mail.attempts}: {why}")
        with desk.store.begin(now) as unit:
            unit.spool_mark(mail.id, why=harmless(why)[:500])
        return Outcome("failed")


def _tell(desk: Desk, mail: Mail, now: datetime) -> Outcome:
    """Tell of a mail in quarantine: its sender if it is known who he is, and the operator."""
    club = desk.club
    received = written(mail.received, club.zone)
    with desk.store.begin(now) as unit:
        post = Post(desk, unit, now)
        if mail.attempts <= club.policy.attempts + 1:
            submission = read(
                mail.raw, recipient=mail.recipient, received=mail.received, trust=desk.trust
            )
            who = identify(desk, unit, submission)
            if submission.kind in ("human", "unreadable") and who.authentic and who.player:
                unit.spool_mark(mail.id, who.token_game or None, who.player.id)
                says = note(
                    "quarantined",
                    subject=submission.subject,
                    received=received,
                    attempts=club.policy.attempts,
                )
                post.to_player(
                    who.player, f"{club.name}: your mail", [says], kind="answer", answer=True
                )
        text = desk.writer.text(
            note(
                "quarantined-operator",
                number=mail.id,
                received=received,
                attempts=club.policy.attempts,
                why=mail.why or "the process ended while it was read",
            )
        )
        post.operator(text, f"{club.name}: mail {mail.id} was put aside")
        desk.complain(f"mail {mail.id} is in quarantine; `referee release {mail.id}` tries again")
        unit.spool_told(mail.id)
    return Outcome("quarantined")
