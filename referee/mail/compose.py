"""A mail of ours as a value, and its bytes: one shape for all, built by the standard library only (M82 to M84).

A letter in the outbox never changes, so that a second sending is recognisable as the same; its picture is drawn when
it is sent, for a drawing costs more than all else that an answer takes, and follows from the letter alone.
"""

from __future__ import annotations

import json
import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import Message
from email.policy import Compat32, EmailPolicy
from email.utils import format_datetime
from functools import lru_cache
from typing import Final, Literal

from referee.mail.identity import redacted
from referee.mail.submission import LOOP_HEADER

Automatic = Literal["auto-replied", "auto-generated"]


class _Ready(Compat32):
    """Header fields that are written as they will be sent; nothing is parsed or folded a second time.

    The standard library's own policy parses every field that is set, those of the parts too, which costs more than
    all else that a letter takes.
    """

    def header_store_parse(self, name: str, value: str) -> tuple[str, str]:
        """Return a field as it is given."""
        return name, value

    def header_fetch_parse(self, name: str, value: str) -> str:
        """Return a field as it is kept."""
        return value

    def fold(self, name: str, value: str) -> str:
        """Return a field, whose value has its folds already."""
        return f"{name}: {value}\r\n"

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return a field as bytes."""
        return self.fold(name, value).encode("ascii")


_READY: Final = _Ready(linesep="\r\n", max_line_length=None)
_POLICY: Final = EmailPolicy(linesep="\r\n", cte_type="7bit", max_line_length=76)


@lru_cache(maxsize=512)
def _folded(name: str, value: str) -> str:
    """Return the value of a field that may hold any characters, encoded and folded by the standard library."""
    field = str(_POLICY.fold(name, _POLICY.header_factory(name, value)))
    return field[len(name) + 2 :].rstrip("\r\n")


def _apart(value: str) -> str:
    """Return Message-IDs or addresses a line each: they are never broken, nor encoded."""
    return "\r\n ".join(value.encode("ascii", "replace").decode().split())


MAX_REFERENCES: Final = 12
"""Message-IDs in References: the thread's first and its last ones (RFC 5322, 3.6.4)."""

_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,250}>")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

SUBJECT_LENGTH: Final = 180


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that the club writes.

    to, to_name    whom it goes to
    subject        one line
    plain, html    the two texts; the HTML shows the picture as `cid:board`
    message_id, date   made once, with the letter
    reply_to       where an answer goes, with the token in its + part; "" for the club's own address
    automatic      whether it answers a mail or comes by itself
    notice         a notice that its reader can end: it gets List-Id and List-Unsubscribe
    picture        the record whose position is drawn, as `.moves` text; "" for no picture
    ply            the ply that is drawn, None for the record's end
    alt            the picture in words, for those who do not see it
    record         the record that is attached, "" for none; its file is `<game>.moves`
    game           the game's id, "" outside games
    in_reply_to, references   Message-IDs with their angle brackets
    covers         of a digest: the games whose turns it tells, with their event counters
    """

    to: str
    to_name: str
    subject: str
    plain: str
    html: str
    message_id: str
    date: datetime
    reply_to: str = ""
    automatic: Automatic = "auto-generated"
    notice: bool = False
    picture: str = ""
    ply: int | None = None
    alt: str = ""
    record: str = ""
    game: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    covers: tuple[tuple[str, int], ...] = ()

    def saved(self) -> bytes:
        """Return the letter as bytes for the outbox."""
        data = asdict(replace(self, date=self.date.astimezone(UTC)))
        data["date"] = self.date.astimezone(UTC).isoformat()
        return json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")


def loaded(data: bytes) -> Letter:
    """Return the letter that `Letter.saved` wrote."""
    fields = json.loads(data.decode("utf-8", "surrogatepass"))
    fields["date"] = datetime.fromisoformat(fields["date"])
    fields["references"] = tuple(fields["references"])
    fields["covers"] = tuple((game, event) for game, event in fields["covers"])
    return Letter(**fields)


def one_line(text: str, most: int = 998) -> str:
    """Return a text fit for a header: control characters and runs of blanks are one blank (M62)."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    line = line.encode("utf-8", "replace").decode()
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def thread(message_id: str, references: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return In-Reply-To and References of an answer to a mail.

    What is no Message-ID is left out, and what holds a token: a thread travels with forwards and answers.
    """
    parents = tuple(text for text in references if _threads(text))
    parent = message_id if _threads(message_id) else ""
    chain = tuple(dict.fromkeys((*parents, parent) if parent else parents))
    if len(chain) > MAX_REFERENCES:
        chain = (chain[0], *chain[1 - MAX_REFERENCES :])
    return parent, chain


def _threads(text: str) -> bool:
    return _MESSAGE_ID.fullmatch(text) is not None and redacted(text) == text


def compose(letter: Letter, club_name: str, club_address: str, png: bytes | None = None) -> bytes:
    """Return the letter's bytes with CRLF line ends: mixed(alternative(plain, related(html, png)), record).

    Without a picture or a record the parts round them are left out. The boundaries follow from the letter, so that
    the same letter has the same bytes.
    """
    word = re.sub(r"[^a-z0-9]", "", letter.message_id.partition("@")[0].lower())[-24:]
    html = letter.html if png is not None else without_picture(letter.html)
    page = _text("html", html)
    if png is not None:
        name = f"{letter.game or 'board'}.png"
        page = _multipart("related", f"=_3_{word}", page, _picture(png, name))
    mail = _multipart("alternative", f"=_1_{word}", _text("plain", letter.plain, fixed=True), page)
    if letter.record:
        name = f"{letter.game or 'record'}.moves"
        mail = _multipart("mixed", f"=_0_{word}", mail, _record(letter.record, name))
    for field, value in _headers(letter, club_name, club_address):
        mail[field] = value
    mail["MIME-Version"] = "1.0"
    kind = mail["Content-Type"]
    del mail["Content-Type"]  # people look at the head of a mail: whom it is from stands first
    mail["Content-Type"] = kind
    return mail.as_bytes()


def _multipart(kind: str, boundary: str, *parts: Message) -> Message:
    whole = _part(f'multipart/{kind}; boundary="{boundary}"')
    whole.set_payload(list(parts))
    return whole


def _text(kind: str, text: str, *, fixed: bool = False) -> Message:
    """Return a text as it is where it can travel so, for anybody to read anywhere; else quoted-printable."""
    shape = '; format="fixed"' if fixed else ""
    part = _part(f'text/{kind}; charset="utf-8"{shape}')
    plain = text.isascii() and all(len(line) <= 900 for line in text.split("\n"))
    if fixed and plain:
        part["Content-Transfer-Encoding"] = "7bit"
        part.set_payload(text)
    else:
        part["Content-Transfer-Encoding"] = "quoted-printable"
        part.set_payload(b2a_qp(text.encode("utf-8", "replace")).decode("ascii"))
    return part


def _picture(png: bytes, name: str) -> Message:
    part = _part("image/png")
    part["Content-Disposition"] = f'inline; filename="{name}"'
    part["Content-ID"] = "<board>"
    return _in_base64(part, png)


def _record(record: str, name: str) -> Message:
    part = _part('text/plain; charset="utf-8"')
    part["Content-Disposition"] = f'attachment; filename="{name}"'
    return _in_base64(part, record.encode())


def _in_base64(part: Message, data: bytes) -> Message:
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(encodebytes(data).decode("ascii"))
    return part


def _part(content_type: str) -> Message:
    part = Message(_READY)
    part["Content-Type"] = content_type
    return part


def _headers(letter: Letter, club_name: str, club_address: str) -> Iterator[tuple[str, str]]:
    yield "From", _folded("From", str(Address(one_line(club_name, 100), addr_spec=club_address)))
    name = one_line(letter.to_name, 100)
    yield "To", _folded("To", str(Address(name, addr_spec=letter.to)))
    yield "Subject", _folded("Subject", one_line(letter.subject, SUBJECT_LENGTH))
    yield "Date", format_datetime(letter.date.astimezone(UTC))
    yield "Message-ID", _apart(letter.message_id)
    if letter.reply_to:
        yield "Reply-To", _apart(letter.reply_to)
    if letter.in_reply_to:
        yield "In-Reply-To", _apart(letter.in_reply_to)
    if letter.references:
        yield "References", _apart(" ".join(letter.references))
    yield "Auto-Submitted", letter.automatic
    yield "X-Auto-Response-Suppress", "All"
    yield LOOP_HEADER, _apart(club_address)
    if letter.notice:
        local, _, host = club_address.rpartition("@")
        yield "List-Id", _folded("List-Id", f"<{local}.{host}>")
        yield (
            "List-Unsubscribe",
            _folded("List-Unsubscribe", f"<mailto:{club_address}?subject=stop>"),
        )


_PICTURE: Final = re.compile(r"<!--picture-->.*?<!--/picture-->", re.DOTALL)


def without_picture(html: str) -> str:
    """Return a page without the place of its picture."""
    return _PICTURE.sub("", html)
