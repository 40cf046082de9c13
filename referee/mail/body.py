"""The text of a mail: which of its parts is read, and its lines with their places (M1 to M4, M8, M15)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from referee.mail import html
from referee.mail.mime import Part
from referee.mail.rows import Row
from referee.mail.submission import MAX_BYTES

WINMAIL: Final = (
    "your mail program sent its text as winmail.dat, which only Outlook reads; "
    "please send plain text or HTML"
)
ENCRYPTED: Final = (
    "this mail is encrypted, and the referee has no key for it; please send it unencrypted"
)
CUT_OFF: Final = (
    "this mail is cut off before its end, so nothing in it is carried out; please send it again"
)
TOO_LARGE: Final = "the text of this mail is larger than 1 MiB; please send a short one"
FORWARDED_MAIL: Final = "a forwarded mail is attached; forwarded text is not carried out"

_META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
TOO_LONG: Final = "only the first 10,000 lines of this mail are read"
MAX_ROWS: Final = 10_000
_SHORT: Final = 10_000
_QUOTE_MARKS: Final = re.compile(r" {0,2}((?:>[ \t]?)+)")


@dataclass(slots=True)
class Body:
    """What a mail says.

    rows         its lines, quoted ones marked
    html_left    the HTML that says the same and is not read, but may hold the token line
    notes        what its sender should know
    attachments  the names of all that is not read
    readable     false where it cannot be read for sure; nothing may be played then
    """

    rows: list[Row] = field(default_factory=list)
    html_left: list[Part] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    readable: bool = True


def read_body(mail: Part) -> Body:
    """Return the body of a mail: its plain text where there is any, else its HTML. Attachments are only named."""
    body = Body()
    texts: list[Part] = []
    _choose(mail, body, texts, whole=True)
    texts = _one_form(texts, body)
    size = 0
    for part in texts:
        size += len(part.body) if len(part.body) > 3 * MAX_BYTES else len(part.content())
        if size > MAX_BYTES:
            body.notes.append(TOO_LARGE)
            break
        above = body.rows[-1].number if body.rows else 0
        if above:
            above += 1
            body.rows.append(Row(above, ""))
        rows = _rows(part, above, html.MAX_TOKENS // len(texts))
        body.rows += islice(rows, MAX_ROWS + 1 - len(body.rows))
        if len(body.rows) > MAX_ROWS:
            body.notes.append(TOO_LONG)
            break
    if not texts and "winmail.dat" in body.attachments:
        body.notes.append(WINMAIL)
    body.readable = not {CUT_OFF, TOO_LARGE}.intersection(body.notes)
    return body


def _one_form(texts: list[Part], body: Body) -> list[Part]:
    """Return the plain texts where one of them is not blank, else the HTML: some mailers send both as one mail."""
    plain = [part for part in texts if part.kind == "text/plain" and not _is_blank(part)]
    rich = [part for part in texts if part.kind == "text/html"]
    body.html_left += rich if plain else []
    return plain or rich


def _is_blank(part: Part) -> bool:
    return len(part.body) < _SHORT and not part.text().strip("\n \t\u00a0\u200b\ufeff")


def html_rows(part: Part, most: int = html.MAX_TOKENS) -> list[Row]:
    """Return the rows of an HTML part, in the charset that it names itself where its header names none."""
    if not part.charset:
        match = _META_CHARSET.search(part.body[:2048])
        if match:
            part.params["charset"] = match[1].decode("ascii", "replace")
    return html.rows(part.text(), most)


def _attached(part: Part) -> bool:
    """Whether a part is an attachment: it says so, or it has a file's name (M15)."""
    return part.disposition == "attachment" or part.filename != ""


def _choose(part: Part, body: Body, texts: list[Part], whole: bool = False) -> None:
    """Collect the parts to read, in order, and name the others; `whole` is a mail that is one part."""
    kind = part.kind
    if kind == "multipart/alternative":
        _choose_alternative(part, body, texts)
    elif kind in ("multipart/related", "multipart/signed") and part.parts:
        _choose(part.parts[0], body, texts)
        for other in part.parts[1:]:
            _name(other, body)
    elif kind == "multipart/encrypted":
        body.notes.append(ENCRYPTED)
    elif kind.startswith("multipart/"):
        for inner in part.parts:
            _choose(inner, body, texts)
    elif kind in ("text/plain", "text/html") and (whole or not _attached(part)):
        texts.append(part)
    else:
        _name(part, body)
    if (not part.closed and part.parts and _cut_short(part.parts[-1])) or (
        part in texts and not part.complete
    ):
        body.notes.append(CUT_OFF)


def _cut_short(last: Part) -> bool:
    """Whether a multipart without its last boundary ends within a line of text."""
    return last.kind.startswith("text/") and not last.body.endswith(b"\n")


def _choose_alternative(part: Part, body: Body, texts: list[Part]) -> None:
    """Read one of the alternatives: the first plain text that is not blank, else the first HTML (M1, M2)."""
    rich: Part | None = None
    for inner in part.parts:
        if inner.kind == "text/plain" and not _attached(inner):
            if not _is_blank(inner):
                _choose(inner, body, texts)
                body.html_left += [p for p in part.walk() if p.kind == "text/html"]
                _name_rest(part, body)
                return
        elif rich is None and any(p.kind in ("text/html", "text/plain") for p in inner.walk()):
            rich = inner
    if rich is not None:
        _choose(rich, body, texts)
    for inner in part.parts:
        if inner is not rich and inner.kind not in ("text/plain", "text/html"):
            _name(inner, body)


def _name_rest(part: Part, body: Body) -> None:
    for inner in part.parts:
        if inner.kind not in ("text/plain", "text/html"):
            _name(inner, body)


def _name(part: Part, body: Body) -> None:
    """Note a part that is not read by its name."""
    if part.kind.startswith("multipart/"):
        for inner in part.parts:
            _name(inner, body)
        return
    if part.kind == "message/rfc822" and FORWARDED_MAIL not in body.notes:
        body.notes.append(FORWARDED_MAIL)
    name = part.filename or part.kind
    if (
        part.kind in ("application/ms-tnef", "application/vnd.ms-tnef")
        or name.lower() == "winmail.dat"
    ):
        name = "winmail.dat"
    if part.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        body.notes.append(ENCRYPTED)
    if part.kind != "text/html" or part.filename:
        body.attachments.append(name)


def _rows(part: Part, above: int, most: int = html.MAX_TOKENS) -> Iterator[Row]:
    """Yield a part's rows, numbered from `above` + 1; of HTML at most `most` tags and texts are read."""
    if part.kind == "text/html":
        for row in html_rows(part, most):
            yield row._replace(number=row.number + above)
        return
    lines = part.text().split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if part.params.get("format", "").lower() == "flowed":
        delsp = part.params.get("delsp", "").lower() == "yes"
        yield from flowed(lines, delsp, above)
        return
    for number, line in enumerate(lines, above + 1):
        match = _QUOTE_MARKS.match(line) if ">" in line[:3] else None
        if match:
            yield Row(number, line[match.end() :], match[1].count(">"))
        else:
            yield Row(number, line)


def flowed(lines: list[str], delsp: bool, above: int = 0) -> Iterator[Row]:
    """Yield the paragraphs of format=flowed lines as rows (RFC 3676, M8), each with the number of its first line.

    A line goes on only after a trailing blank and only in its own quote depth; one leading blank is stuffing; the
    signature's `-- ` never goes on. Nor does a line above an empty one, whose blank the writer left there by mistake
    (a telephone puts one behind each word): two paragraphs stay two.
    """
    held: list[str] = []
    start, depth = above + 1, 0
    for number, line in enumerate(lines, above + 1):
        text = line.lstrip(">")
        marks = len(line) - len(text)
        text = text.removeprefix(" ")
        signature = text in ("-- ", "--")
        if held and (marks != depth or signature or not text):
            yield Row(start, "".join(held), depth)
            held = []
        if not held:
            start, depth = number, marks
        soft = text.endswith(" ") and not signature
        held.append(text[:-1] if soft and delsp else text)
        if not soft:
            yield Row(start, "".join(held), depth)
            held = []
    if held:
        yield Row(start, "".join(held), depth)
