"""A mail of ours as a value, and its bytes: one shape for all, built by the standard library only (M82 to M84).

A letter in the outbox never changes, so that a second sending is recognisable as the same; its picture is drawn when
it is sent, for a drawing costs more than all else that an answer takes, and follows from the letter alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from typing import Final, Literal

from referee.mail.identity import redacted
from referee.mail.submission import LOOP_HEADER

Automatic = Literal["auto-replied", "auto-generated"]


class _Policy(EmailPolicy):
    """The standard library's, but Message-IDs and the address with the token are never broken."""

    def fold(self, name: str, value: str) -> str:
        """Return a header field in its lines."""
        if name.lower() in ("message-id", "in-reply-to", "references", "reply-to"):
            return f"{name}: " + "\r\n ".join(str(value).split()) + "\r\n"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: str) -> bytes:
        """Return a header field in its lines, as bytes."""
        return self.fold(name, value).encode("ascii", "replace")


POLICY: Final = _Policy(linesep="\r\n", cte_type="7bit", max_line_length=76)

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

    Without a picture or a record the parts round them are left out.
    """
    mail = EmailMessage(POLICY)
    _headers(mail, letter, club_name, club_address)
    mail.set_content(letter.plain, cte=_encoding(letter.plain), params={"format": "fixed"})
    html = letter.html if png is not None else without_picture(letter.html)
    mail.add_alternative(html, subtype="html", cte="quoted-printable")
    if png is not None:
        page = mail.get_payload(1)
        assert isinstance(page, EmailMessage)
        page.add_related(
            png,
            maintype="image",
            subtype="png",
            cid="<board>",
            filename=f"{letter.game or 'board'}.png",
            disposition="inline",
        )
    if letter.record:
        mail.add_attachment(
            letter.record.encode(),
            maintype="text",
            subtype="plain",
            params={"charset": "utf-8"},
            filename=f"{letter.game or 'record'}.moves",
        )
    _boundaries(mail, letter.message_id)
    return mail.as_bytes()


def _headers(mail: EmailMessage, letter: Letter, club_name: str, club_address: str) -> None:
    name = one_line(club_name, 100)
    mail["From"] = Address(name, addr_spec=club_address)
    mail["To"] = Address(one_line(letter.to_name, 100), addr_spec=letter.to)
    mail["Subject"] = one_line(letter.subject, SUBJECT_LENGTH)
    mail["Date"] = format_datetime(letter.date.astimezone(UTC))
    mail["Message-ID"] = letter.message_id
    if letter.reply_to:
        mail["Reply-To"] = letter.reply_to
    if letter.in_reply_to:
        mail["In-Reply-To"] = letter.in_reply_to
    if letter.references:
        mail["References"] = " ".join(letter.references)
    mail["Auto-Submitted"] = letter.automatic
    mail["X-Auto-Response-Suppress"] = "All"
    mail[LOOP_HEADER] = club_address
    if letter.notice:
        local, _, host = club_address.rpartition("@")
        mail["List-Id"] = f"<{local}.{host}>"
        mail["List-Unsubscribe"] = f"<mailto:{club_address}?subject=stop>"


def _encoding(text: str) -> str:
    """Return how a plain text travels: as it is where it can, so that anybody can read it anywhere."""
    plain = text.isascii() and all(len(line) <= 900 for line in text.split("\n"))
    return "7bit" if plain else "quoted-printable"


_PICTURE: Final = re.compile(r"<!--picture-->.*?<!--/picture-->", re.DOTALL)


def without_picture(html: str) -> str:
    """Return a page without the place of its picture."""
    return _PICTURE.sub("", html)


def _boundaries(mail: EmailMessage, message_id: str) -> None:
    """Give every multipart a boundary that follows from the letter, so that the same letter has the same bytes."""
    word = re.sub(r"[^a-z0-9]", "", message_id.partition("@")[0].lower())[-24:]
    for number, part in enumerate(mail.walk()):
        if number:
            del part["MIME-Version"]
        if part.is_multipart():
            part.set_boundary(f"=_{number}_{word}")
