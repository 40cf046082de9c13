"""A mail of ours as a value, and its bytes: one shape for all, built by the standard library only (M82 to M84).

A letter in the outbox never changes, so that a second sending is recognisable as the same; its picture is drawn when
it is sent, for a drawing costs more than all else that an answer takes, and follows from the letter alone.
"""

from __future__ import annotations

import json
import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.policy import EmailPolicy
from email.utils import format_datetime
from functools import lru_cache
from typing import Final, Literal

from referee.mail.identity import redacted
from referee.mail.submission import LOOP_HEADER

Automatic = Literal["auto-replied", "auto-generated"]


_POLICY: Final = EmailPolicy(linesep="\r\n", cte_type="7bit", max_line_length=76)


@lru_cache(maxsize=512)
def _folded(name: str, value: str) -> str:
    """Return the value of a field that may hold any characters, encoded and folded by the standard library."""
    field = str(_POLICY.fold(name, _POLICY.header_factory(name, value)))
    return field[len(name) + 2 :].rstrip("\r\n")


@lru_cache(maxsize=512)
def _mailbox(field: str, name: str, address: str) -> str:
    """Return the value of From or To."""
    return _folded(field, str(Address(one_line(name, 100), addr_spec=address)))


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
        data = {name: getattr(self, name) for name in self.__slots__}
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
    the same letter has the same bytes. The parts are put together here, for their fields are known; the standard
    library's message, which parses each field and writes each line by itself, took ten times as long (decision 6).
    """
    word = re.sub(r"[^a-z0-9]", "", letter.message_id.partition("@")[0].lower())[-24:]
    html = letter.html if png is not None else without_picture(letter.html)
    whole = _text("html", html)
    if png is not None:
        name = f"{letter.game or 'board'}.png"
        whole = _multipart("related", f"=_3_{word}", whole, _picture(png, name))
    plain = _text("plain", letter.plain, fixed=True)
    whole = _multipart("alternative", f"=_1_{word}", plain, whole)
    if letter.record:
        name = f"{letter.game or 'record'}.moves"
        whole = _multipart("mixed", f"=_0_{word}", whole, _record(letter.record, name))
    fields = (*_headers(letter, club_name, club_address), ("MIME-Version", "1.0"))
    return _fields(fields) + whole


def _fields(fields: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{name}: {value}\r\n" for name, value in fields).encode("ascii")


def _part(content_type: str, body: bytes, *fields: tuple[str, str]) -> bytes:
    """Return a part: its fields, an empty line, its body with CRLF line ends."""
    head = _fields((("Content-Type", content_type), *fields))
    return head + b"\r\n" + body.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _multipart(kind: str, boundary: str, *parts: bytes) -> bytes:
    """Return parts as one (RFC 2046, 5.1): the line end before a delimiter belongs to the delimiter."""
    line = boundary.encode("ascii")
    body = b"".join(b"--%b\r\n%b\r\n" % (line, part) for part in parts) + b"--%b--\r\n" % line
    return _fields([("Content-Type", f'multipart/{kind}; boundary="{boundary}"')]) + b"\r\n" + body


def _text(kind: str, text: str, *, fixed: bool = False) -> bytes:
    """Return a text as it is where it can travel so, for anybody to read anywhere; else quoted-printable."""
    shape = '; format="fixed"' if fixed else ""
    content_type = f'text/{kind}; charset="utf-8"{shape}'
    if fixed and text.isascii() and all(len(line) <= 900 for line in text.split("\n")):
        return _part(content_type, text.encode("ascii"), ("Content-Transfer-Encoding", "7bit"))
    encoded = b2a_qp(text.encode("utf-8", "replace"))
    return _part(content_type, encoded, ("Content-Transfer-Encoding", "quoted-printable"))


def _picture(png: bytes, name: str) -> bytes:
    place = ("Content-Disposition", f'inline; filename="{name}"')
    return _part("image/png", encodebytes(png), _BASE64, place, ("Content-ID", "<board>"))


def _record(record: str, name: str) -> bytes:
    place = ("Content-Disposition", f'attachment; filename="{name}"')
    return _part('text/plain; charset="utf-8"', encodebytes(record.encode()), _BASE64, place)


_BASE64: Final = ("Content-Transfer-Encoding", "base64")


def _headers(letter: Letter, club_name: str, club_address: str) -> Iterator[tuple[str, str]]:
    yield "From", _mailbox("From", club_name, club_address)
    yield "To", _mailbox("To", letter.to_name, letter.to)
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
