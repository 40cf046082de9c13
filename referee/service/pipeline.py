"""The one pipeline: size, own loop, machines and bounces, who it is, what it asks, what it does, what is answered.

A mail is handled in one transaction with its key, its budget and its letters (mail.md, Mail in; M47).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee.games import names
from referee.mail.inbound import read
from referee.mail.maildir import FILE_MOST, OVERSIZE_HEADER
from referee.mail.reply import note
from referee.mail.submission import Submission
from referee.service import answers, bounces
from referee.service.carry import carried_out
from referee.service.confirm import confirmed
from referee.service.desk import Desk
from referee.service.joining import invite
from referee.service.lanes import games_of, sorted_in
from referee.service.post import Post
from referee.service.unproved import unproved
from referee.service.who import Who, identify
from referee.store import ClashError, Mail, StaleError, Unit

DAY: Final = timedelta(days=1)
AGAIN: Final = 3
"""How often a mail is begun anew because a game changed under it."""
LATER: Final = "later"
"""What became of a mail that must wait for an older one, which another process has at hand."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mail: a word for it, its game and player where they are known, the letters written."""

    kind: str
    game: str = ""
    player_id: int | None = None
    letters: int = 0


class TakenError(Exception):
    """Another process has handled this mail meanwhile; nothing is kept of ours."""


def handle(desk: Desk, mail: Mail, now: datetime) -> Outcome:
    """Handle a mail of the spool and drop it there, all in one transaction."""
    submission = read(mail.raw, recipient=mail.recipient, received=mail.received, trust=desk.trust)
    lanes = mail.lanes
    if desk.store.concurrent and lanes is None:
        with desk.store.begin(now) as unit:
            lanes = sorted_in(desk, mail, submission, unit)
        if lanes is None:
            return Outcome(LATER)
    for attempt in range(AGAIN):
        try:
            with desk.store.begin(now) as unit:
                unit.hold_games(games_of(lanes or ()))
                outcome = judge(desk, unit, submission, now, too_large=is_oversize(mail.raw))
                if not unit.spool_done(mail.id):
                    raise TakenError
            return outcome
        except TakenError:
            return Outcome("taken")
        except (StaleError, ClashError):
            if attempt == AGAIN - 1:
                raise
    raise AssertionError  # the loop returns or raises


def is_oversize(raw: bytes) -> bool:
    """Whether only the head of a mail was kept, or it is larger than what is ever kept."""
    return raw.startswith(OVERSIZE_HEADER) or len(raw) > FILE_MOST


def judge(
    desk: Desk, unit: Unit, mail: Submission, now: datetime, *, too_large: bool = False
) -> Outcome:
    """Do with a mail whatever is to be done."""
    post = Post(desk, unit, now, mail)
    if mail.kind == "own":
        return Outcome("own")
    if mail.kind == "bounce":
        return Outcome(f"bounce: {bounces.handle(post, mail)}", letters=post.written)
    if mail.kind == "automatic":
        return Outcome("automatic")
    who = identify(desk, unit, mail)
    kind = _person(post, mail, who, too_large=too_large)
    player_id = who.player.id if who.player is not None else None
    return Outcome(kind, who.token_game or mail.game_hint, player_id, post.written)


def _person(post: Post, mail: Submission, who: Who, *, too_large: bool) -> str:
    """Do with a person's mail what is to be done; return a word for it."""
    unit = post.unit
    if who.code:
        return confirmed(post, mail, who)
    if who.player is None:
        return _stranger(post, mail)
    if not who.authentic:
        if mail.kind != "human" or too_large:
            return "silence"
        return unproved(post, mail, who)
    known = unit.handled(mail.key, mail.recipient)
    if mail.text_hash in known:
        return "duplicate"
    unit.mark_handled(mail.key, mail.recipient, mail.text_hash, who.token_game or None)
    unit.wrote(who.player.id)
    flags = [note("same-key")] if known else []
    if mail.kind != "human" or too_large:
        says = [note("too-large", most=FILE_MOST >> 20)] if too_large else []
        says += [note("note", text=text.rstrip(".")) for text in mail.notes]
        answers.plain(post, mail, who, [*flags, *says])
        return "too large" if too_large else "unreadable"
    if who.standing == "old" and not who.proved:
        return answers.stale(post, mail, who)
    return carried_out(post, mail, who, flags)


def _stranger(post: Post, mail: Submission) -> str:
    """Answer an unknown sender once a day after a DMARC pass, with a short text; else say nothing."""
    unit, policy, club = post.unit, post.desk.club.policy, post.desk.club
    if mail.dmarc != "pass" or mail.kind not in ("human", "unreadable"):
        return "silence"
    if not unit.budget("unknown", mail.sender, 1, DAY):
        return "silence"
    if not unit.budget("unknown", "", policy.unknown_day, DAY):
        return "silence"
    if unit.invited(mail.sender) and invite(post, mail.sender, inviter=None):
        return "invited again"
    says = [note("unknown", club=club.name, games=", ".join(names()))]
    post.to_address(mail.sender, mail.sender_name, "", says, kind="answer", answer=True)
    return "unknown"
