"""Move mails of eleven mail programs in six languages, with what their writers meant: more than a thousand.

`mails()` yields them. Each quotes a notice of ours that is as dangerous as can be: a chat that is an order, an example
of a move, lists of cells, each in a line of its own.
"""

from __future__ import annotations

import base64
import binascii
import html
from collections.abc import Iterator
from dataclasses import dataclass
from email.header import Header
from email.message import Message
from email.mime.multipart import MIMEMultipart
from typing import Final

from referee.mail.submission import MARKER, TOKEN_WORD
from tests.referee.mail import corpus_words as words
from tests.referee.mail.corpus_clients import (
    CLIENTS,
    CLUB,
    UNMARKED,
    Draft,
    Notice,
    Texts,
    forwarded,
)

Meant = tuple[tuple[str, tuple[str, ...]], ...]

TOKEN: Final = "hex-42.1.17.abcdefghijklmnopqrstuvwxyz"

BOARD: Final = [
    "  a  b  c  d  e",
    "   . . R . .  1",
    "    . B R . .  2",
    "     . . . R .  3",
]
LINES: Final = [
    f"=== {MARKER} ===",
    "",
    "Ann, it is your move in hex-42, ply 13.",
    "",
    *BOARD,
    "",
    "Red: a1 b3 c2",
    "Blue: d4",
    "",
    "Bob says:",
    "resign",
    "",
    "To move, write a line such as",
    "",
    "e5",
    "",
    "To give up:",
    "",
    "resign",
    "",
    "Your time ends on Tuesday, 14 January 2025, 10:00 (CET, UTC+1).",
    "",
    f"{TOKEN_WORD} {TOKEN}",
]


def _page(lines: list[str]) -> str:
    pre = "<pre>" + html.escape("\n".join(BOARD)) + "</pre>"
    rest = "".join(f"<p>{html.escape(line)}</p>" for line in lines if line and line not in BOARD)
    return f"<html><body><table><tr><td>{rest}{pre}</td></tr></table></body></html>"


NOTICE: Final = Notice("[hex-42] Ann – Bob", LINES, _page(LINES))


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of the corpus: its name, its bytes, its game, and what its writer meant."""

    name: str
    way: str
    raw: bytes
    meant: Meant
    game: str = "Hex"
    kind: str = "human"


def _text(text: str, subtype: str, charset: str, flowed: bool, encoding: str) -> Message:
    """Return a part as bytes would carry it; what its charset does not have becomes `&#…;` or `?`."""
    part = Message()
    flow = "; format=flowed" if flowed else ""
    part["Content-Type"] = f'text/{subtype}; charset="{charset}"{flow}'
    part["Content-Transfer-Encoding"] = {"qp": "quoted-printable"}.get(encoding, encoding)
    data = text.encode(charset, "xmlcharrefreplace" if subtype == "html" else "replace")
    if encoding == "qp":
        data = binascii.b2a_qp(data, istext=True)
    elif encoding == "base64":
        data = base64.encodebytes(data)
    part.set_payload(data.decode("ascii", "surrogateescape"))
    return part


def _flow(text: str) -> str:
    """Return a plain text stuffed for format=flowed; its lines are short and none goes on."""
    out = []
    for line in text.split("\n"):
        line = line if line == "-- " else line.rstrip(" ")
        out.append(f" {line}" if line.startswith((" ", "From ")) else line)
    return "\n".join(out)


def build(
    texts: Texts,
    subject: str,
    *,
    charset: str = "utf-8",
    encoding: str = "qp",
    rich_only: bool = False,
    headers: tuple[tuple[str, str], ...] = (),
) -> bytes:
    """Return the bytes of a mail from its two texts; one without HTML is plain text alone."""
    plain = _flow(texts.plain) if texts.flowed else texts.plain
    rich = _text(texts.html, "html", charset, False, encoding)
    mail: Message
    if rich_only:
        mail = rich
    elif texts.html:
        mail = MIMEMultipart("alternative")
        mail.attach(_text(plain, "plain", charset, texts.flowed, encoding))
        mail.attach(rich)
    else:
        mail = _text(plain, "plain", charset, texts.flowed, encoding)
    mail["From"] = "Ann <ann@mail.example>"
    mail["To"] = CLUB
    mail["Subject"] = Header(subject, "utf-8").encode()
    mail["Message-ID"] = "<answer@mail.example>"
    mail["In-Reply-To"] = "<notice@club.example>"
    for name, value in headers:
        mail[name] = value
    return mail.as_bytes().replace(b"\n", b"\r\n")


def mails() -> Iterator[Mail]:
    """Yield the whole corpus."""
    for client in CLIENTS:
        for number, language in enumerate(words.LANGUAGES):
            yield from _answers(client, language, number)
            yield from _no_answers(client, language)


def _answers(client: str, language: str, number: int) -> Iterator[Mail]:
    """Yield the mails of one program and language that a person wrote to us, each with both texts and as HTML only."""
    charset = words.CHARSETS[language] if number % 2 else "utf-8"
    encoding = ("qp", "base64", "8bit")[number % 3]
    subject = words.REPLY[language] + NOTICE.subject
    for way, draft, meant in _drafts(client, language):
        texts = CLIENTS[client](draft)
        game = "Focus" if way == "smart punctuation" else "Hex"
        for rich in (False, True) if texts.html else (False,):
            raw = build(
                texts,
                subject,
                charset="utf-8" if game == "Focus" else charset,
                encoding=encoding,
                rich_only=rich,
            )
            name = f"{client}, {language}, {way}{', HTML only' if rich else ''}"
            yield Mail(name, f"{way}, HTML only" if rich else way, raw, meant, game)


def _drafts(client: str, language: str) -> Iterator[tuple[str, Draft, Meant]]:
    """Yield what people write, and what they mean by it."""
    hello, bye = words.GREETING[language], words.FAREWELL[language]
    f6: Meant = (("move", ("f6",)),)

    def draft(*paragraphs: str, place: str = "top", signature: str = "") -> Draft:
        return Draft(paragraphs, NOTICE, language, place, signature)

    yield "top-posted", draft(hello, "f6", bye), f6
    yield "with a remark", draft("move 13 F6.", words.REMARK[language], bye), f6
    yield "disclaimer", draft("f6", signature=words.DISCLAIMER[language]), f6
    yield "telephone", draft(f"f6\n{words.PHONE[language]}"), f6
    smart: Meant = (("move", ("c1-c3",)), ("draw?", ()))
    yield "smart punctuation", draft(hello, "c1–c3:2\n\u00a0draw\u202f?", bye), smart
    said: Meant = (("chat", ()), ("move", ("f6",)))
    yield "chat", draft(hello, "chat\nresign\nc3\nend\nf6"), said
    if client != "outlook-desktop":  # there every line is a paragraph
        yield "mixed", draft(f"{hello}\nf6"), ()
    if client not in UNMARKED:
        yield "bottom-posted", draft(hello, "f6", bye, place="bottom"), f6
        yield "inline", draft("f6", place="inline"), f6


def _no_answers(client: str, language: str) -> Iterator[Mail]:
    """Yield the mails of one program and language that mean nothing to us."""
    theirs = ["Ann,", "", "f6", "", "resign", "", "Bob"]
    top = Draft((words.REMARK[language],), NOTICE, language)
    raw = build(forwarded(client, top, theirs), words.FORWARD[language] + "Hex", charset="utf-8")
    yield Mail(f"{client}, {language}, forwarded", "forwarded", raw, ())
    away = CLIENTS[client](Draft((words.AWAY[language],), NOTICE, language))
    marks = ((), (("Auto-Submitted", "auto-replied"),), (("Precedence", "auto_reply"),))
    number = words.LANGUAGES.index(language) % 3
    subject = (words.AWAY_SUBJECT[language] if number == 0 else "Re: ") + NOTICE.subject
    raw = build(away, subject, headers=marks[number])
    yield Mail(
        f"{client}, {language}, automatic answer", "automatic answer", raw, (), kind="automatic"
    )
