"""Bytes to a Submission: the one door by which mail comes in. Never raises, and reads only what it needs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from referee.mail import auth, automatic, bounce, mime
from referee.mail.body import Body, html_rows, read_body
from referee.mail.quotes import FORWARDED, Sifted, sift
from referee.mail.rows import Row, plain
from referee.mail.subjects import Subject, read_subject
from referee.mail.submission import TOKEN_WORD, Ignored, Kind, Submission, Trust

UNREADABLE: Final = "this mail could not be read; please send its text again as plain text"
SEVERAL_TOKENS: Final = (
    "this mail quotes the tokens of several games, so it does not say which one is meant; "
    "please answer the mail of one game"
)

_MESSAGE_ID: Final = re.compile(r"<[^<>\s]{1,900}>")
_FORM: Final = (
    r"(?:[a-z][a-z0-9-]{0,39}\.[a-z0-9]{1,10}\.[0-9]{1,16}\.[a-z2-7]{26}|c\.[a-z2-7]{16})"
)
"""A token of a game, or a confirmation code, as identity.py writes them."""

_TAG: Final = re.compile(_FORM)
_TOKEN: Final = re.compile(rf"(?:^|[\s:+<(]){TOKEN_WORD}\s*({_FORM})(?![a-z0-9.])", re.IGNORECASE)
_HINT: Final = re.compile(r"\[([a-z][a-z0-9]*-[0-9]{1,9})\]", re.IGNORECASE)


def read(raw: bytes, *, recipient: str | None, received: datetime, trust: Trust) -> Submission:
    """Return the mail that the bytes hold.

    `recipient` is the envelope's address where the caller knows it. Whatever the bytes are, a Submission comes back;
    one that cannot be read at all has the kind "unreadable".
    """
    try:
        return _Mail(raw, recipient, received, trust).submission()
    except Exception:
        # A fault of ours must cost one mail its reading, never the queue its life; the raw mail is in the spool.
        digest = hashlib.sha256(raw).hexdigest()
        return Submission(
            message_id="",
            key=f"sha256:{digest}",
            text_hash=digest,
            recipient=(recipient or "").lower(),
            sender="",
            sender_name="",
            subject="",
            in_reply_to="",
            references=(),
            dmarc="none",
            kind="unreadable",
            bounce=None,
            token="",
            game_hint="",
            game_hints=(),
            lines=(),
            ignored=(),
            notes=(UNREADABLE,),
            attachments=(),
            received=received,
        )


class _Mail:
    """One mail's way to its submission."""

    def __init__(self, raw: bytes, recipient: str | None, received: datetime, trust: Trust) -> None:
        self.mail = mime.parse(raw)
        self.headers = self.mail.headers
        self.received = received
        self.trust = trust
        self.club = trust.club_address.lower()
        senders = [a for value in self.headers.all("from")[:3] for a in auth.addresses(value)]
        self.sender, self.sender_name = senders[0] if len(senders) == 1 else auth.Address("")
        self.to_club = bounce.club_addresses(self.mail, self.club)
        self.recipient = self._recipient(recipient)

    def submission(self) -> Submission:
        found = bounce.find(self.mail, self.recipient, self.trust)
        kind = self._kind(found is not None)
        subject = read_subject(self.headers.text("subject"))
        body, sifted, token = Body(), Sifted(), ""
        if kind == "human":
            body = read_body(self.mail)
            sifted = self._sifted(body, subject)
            token = self._token(body, sifted)
            if not body.readable:
                kind = "unreadable"
                sifted.lines = []
        hints = _hints([subject.text, *(line.text for line in sifted.lines)])
        text = "\n".join(line.text for line in sifted.lines)
        return Submission(
            message_id=self._message_id(),
            key=self._key(),
            text_hash=_digest([subject.text, text if kind == "human" else self._raw_body()]),
            recipient=self.recipient,
            sender=self.sender,
            sender_name=self.sender_name,
            subject=subject.text,
            in_reply_to=next(iter(self._ids("in-reply-to")), ""),
            references=tuple(self._ids("references")),
            dmarc=auth.dmarc(self.headers, self.trust, self.sender),
            kind=kind,
            bounce=found if kind == "bounce" else None,
            token=token,
            game_hint=hints[0] if hints else "",
            game_hints=hints,
            lines=tuple(sifted.lines),
            ignored=tuple(sifted.ignored),
            notes=tuple(dict.fromkeys([*body.notes, *sifted.notes])),
            attachments=tuple(body.attachments),
            received=self.received,
        )

    def _recipient(self, told: str | None) -> str:
        """Return the envelope's recipient: as told, else the topmost Delivered-To or X-Original-To, else To."""
        if told:
            return told.strip().strip("<>").lower()
        for name, value in self.headers.fields:
            if name in ("delivered-to", "x-original-to"):
                found = auth.addresses(value)
                if found:
                    return found[0].address
        return self.to_club[0] if self.to_club else ""

    def _kind(self, bounced: bool) -> Kind:
        """Say who speaks, in the order own loop, delivery report, machine (M47)."""
        if automatic.is_own(self.mail, self.sender, self.trust):
            return "own"
        if bounced:
            return "bounce"
        return "automatic" if automatic.is_automatic(self.mail, self.sender) else "human"

    def _sifted(self, body: Body, subject: Subject) -> Sifted:
        """Return the new text. Of a forwarded mail without a mark where it begins nothing is sure to be new (M29)."""
        sifted = sift(body.rows)
        if subject.forwarded and FORWARDED not in sifted.notes:
            if sifted.lines and not sifted.ended:
                first = sifted.lines[0]
                sifted.ignored.append(Ignored(first.number, first.text[:200], FORWARDED))
                sifted.lines = []
            sifted.notes.append(FORWARDED)
        return sifted

    def _token(self, body: Body, sifted: Sifted) -> str:
        """Return the + part of the address, else the token line of the body (M55)."""
        own = auth.split_plus(self.recipient)[1]
        tags = [own, *(auth.split_plus(address)[1] for address in self.to_club)]
        found = list(filter(_TAG.fullmatch, tags))
        if not _TAG.fullmatch(own) and _games(found) > 1:
            sifted.notes.append(SEVERAL_TOKENS)
            return ""
        tag = next(iter(found), "") or next(filter(None, tags), "")
        if tag:
            return tag
        rows: Sequence[Row] = body.rows
        found = _tokens(rows)
        if not found and body.html_left:
            found = _tokens(html_rows(body.html_left[0]))
        if _games(found) > 1:
            sifted.notes.append(SEVERAL_TOKENS)
            return ""
        return found[0] if found else ""

    def _message_id(self) -> str:
        value = self.headers.raw("message-id").strip()
        match = _MESSAGE_ID.search(value)
        return match[0] if match else mime.clean(value)[:900]

    def _ids(self, name: str) -> list[str]:
        return _MESSAGE_ID.findall(self.headers.raw(name)[:20_000])[:100]

    def _key(self) -> str:
        """Return the Message-ID, else the SHA-256 of From, Date, Subject and body, blanks at line ends apart (M64)."""
        known = self._message_id()
        if known:
            return known
        fields = [mime.clean(self.headers.raw(name)) for name in ("from", "date", "subject")]
        return f"sha256:{_digest([*fields, self._raw_body()])}"

    def _raw_body(self) -> bytes:
        return b"\n".join(map(bytes.rstrip, self.mail.body.rstrip().split(b"\n")))


def _games(tokens: Iterable[str]) -> int:
    """Return how many seats of games tokens name."""
    return len({token.rsplit(".", 2)[0] for token in tokens})


def _tokens(rows: Iterable[Row]) -> list[str]:
    """Return the tokens of the least deeply quoted token lines, from the top, lower case."""
    best: list[str] = []
    level = -1
    for row in rows:
        if TOKEN_WORD[:-1].lower() not in row.text.lower():
            continue
        match = _TOKEN.search(plain(row.text))
        if match and (level < 0 or row.depth <= level):
            if row.depth < level:
                best = []
            level = row.depth
            best.append(match[1].lower())
    return best


def _hints(texts: Iterable[str]) -> tuple[str, ...]:
    found = [match.lower() for text in texts if "[" in text for match in _HINT.findall(plain(text))]
    return tuple(dict.fromkeys(found))


def _digest(pieces: Sequence[str | bytes]) -> str:
    whole = hashlib.sha256()
    for piece in pieces:
        data = piece if isinstance(piece, bytes) else piece.encode("utf-8", "replace")
        whole.update(b"%d:" % len(data))
        whole.update(data)
    return whole.hexdigest()
