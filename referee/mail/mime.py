"""The parts of a mail: a MIME reader that is linear in the mail's size, bounded in depth and count, and never raises.

Only what is asked for is decoded; attachments never are.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from referee.mail.charsets import decode_text, decode_words

MAX_DEPTH: Final = 12
MAX_PARTS: Final = 200
MAX_HEADERS: Final = 1000
MAX_HEADER_BYTES: Final = 1 << 18
MAX_FIELD: Final = 1 << 16

_FIELD: Final = re.compile(rb"([!-9;-~]+)[ \t]*:(.*(?:\n[ \t]+\S.*)*)(?:\n|\Z)")
_TYPE: Final = re.compile(r"\s*([A-Za-z0-9!#$&^_.+-]+)/([A-Za-z0-9!#$&^_.+-]+)")
_PARAMETER: Final = re.compile(
    r""";\s*([A-Za-z0-9!#$&^_.%'-]+)(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))""", re.DOTALL
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_BLANKS: Final = re.compile(r"\s+")
_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]+")
_DIRECTION: Final = re.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """Return a header's text in one line: control characters and runs of blanks become one blank (M62)."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", _CONTROL.sub(" ", _DIRECTION.sub("", text))).strip()


@dataclass(slots=True)
class Headers:
    """The header fields of a part in order: names in lower case, values unfolded and as sent (not decoded)."""

    fields: list[tuple[str, str]]
    _first: dict[str, str] = field(init=False, repr=False)
    _texts: dict[str, str] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._first = dict(reversed(self.fields))

    def raw(self, name: str) -> str:
        """Return the first field of a name, "" where there is none."""
        return self._first.get(name, "")

    def text(self, name: str) -> str:
        """Return the first field of a name with its encoded words decoded, in one clean line."""
        text = self._texts.get(name)
        if text is None:
            value = self.raw(name)
            text = clean(decode_words(value) if "=?" in value else value)
            self._texts[name] = text
        return text

    def all(self, name: str) -> list[str]:
        """Return all fields of a name, from the top."""
        return [value for key, value in self.fields if key == name]

    def __contains__(self, name: str) -> bool:
        return name in self._first


@dataclass(slots=True)
class Part:
    """A part of a mail, or the mail.

    kind, params  the content type (`text/plain` where it says nothing readable) and its parameters
    body          the bytes as sent, LF line ends; of a multipart everything between its headers and its end
    parts         of a multipart its parts, of message/rfc822 the one message
    closed        false where a multipart's last boundary is missing
    """

    headers: Headers
    kind: str
    params: dict[str, str]
    body: bytes
    parts: list[Part] = field(default_factory=list)
    closed: bool = True

    @property
    def charset(self) -> str:
        """The charset that the part names, or ""."""
        return self.params.get("charset", "")

    @property
    def disposition(self) -> str:
        """`inline`, `attachment` or ""."""
        return self.headers.raw("content-disposition").split(";")[0].strip().lower()

    @property
    def filename(self) -> str:
        """The name the sender gave the part, decoded, without path; "" without one."""
        name = parameters(self.headers.raw("content-disposition")).get("filename", "")
        name = name or self.params.get("name", "")
        name = clean(decode_words(name)) if "=?" in name else clean(name)
        return re.split(r"[/\\]", name)[-1][:200]

    def content(self) -> bytes:
        """Return the body with its transfer encoding undone; what cannot be undone stays as sent."""
        encoding = self.headers.raw("content-transfer-encoding").strip(" ;\t").lower()
        if encoding == "base64":
            letters = _NOT_BASE64.sub(b"", self.body)
            letters = letters[: len(letters) - (len(letters) % 4 == 1)]
            return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
        if encoding == "quoted-printable":
            return binascii.a2b_qp(self.body)
        if encoding in ("x-uuencode", "uuencode", "x-uue"):
            return _uudecode(self.body)
        return self.body

    @property
    def complete(self) -> bool:
        """False where the body's end is missing: base64 that stops between two bytes."""
        encoding = self.headers.raw("content-transfer-encoding").strip(" ;\t").lower()
        return encoding != "base64" or len(self.body.strip().translate(None, b"\n \t")) % 4 == 0

    def text(self) -> str:
        """Return the content as text with LF line ends."""
        text = decode_text(self.content(), self.charset)
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def walk(self) -> Iterator[Part]:
        """Yield this part and all below it, in order; messages within are not entered."""
        yield self
        if self.kind.startswith("multipart/"):
            for part in self.parts:
                yield from part.walk()


def parse(raw: bytes) -> Part:
    """Return the mail that the bytes hold. Any bytes are a mail; too deep or too many parts are left unparted."""
    data = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")
    if data.startswith((b"From ", b">From ")):
        data = data.partition(b"\n")[2]
    return _part(data, 0, [MAX_PARTS], "text/plain")


def parameters(value: str) -> dict[str, str]:
    """Return the parameters of a structured field, names in lower case, RFC 2231 pieces put together.

    A name without a value (`name*`) is passed over: that alone once stopped whole mail systems (M7).
    """
    found: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, str]]] = {}
    for match in _PARAMETER.finditer(value):
        name, star, quoted, bare = match.groups()
        text = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare
        base, _, number = name.lower().rstrip("*").partition("*")
        if star or name.endswith("*") or "*" in name:
            pieces.setdefault(base, []).append((int(number) if number.isdecimal() else 0, text))
        else:
            found.setdefault(base, text)
    for base, parts in pieces.items():
        joined = "".join(text for _, text in sorted(parts)[:100])
        charset, mark, rest = joined.partition("'")
        _, second, encoded = rest.partition("'")
        found[base] = _percent(encoded, charset) if mark and second else joined
    return found


def _percent(text: str, charset: str) -> str:
    data = re.sub(
        rb"%([0-9A-Fa-f]{2})",
        lambda match: bytes([int(match[1], 16)]),
        text.encode("utf-8", "replace"),
    )
    return decode_text(data, charset)


def _part(data: bytes, depth: int, left: list[int], default: str) -> Part:
    """Read one part; `left` counts down the parts that the whole mail may still have."""
    headers, body = _headers(data)
    value = headers.raw("content-type")
    match = _TYPE.match(value)
    kind = f"{match[1]}/{match[2]}".lower() if match else default
    part = Part(headers, kind, parameters(value) if ";" in value else {}, body)
    if kind.startswith("multipart/"):
        _split(part, depth, left)
    elif kind in ("message/rfc822", "message/global") and depth < MAX_DEPTH and left[0] > 0:
        left[0] -= 1
        part.parts = [_part(body.lstrip(b"\n"), depth + 1, left, "text/plain")]
    return part


def _split(part: Part, depth: int, left: list[int]) -> None:
    """Part a multipart by its boundary; one without a usable boundary is read as plain text."""
    boundary = part.params.get("boundary", "").rstrip()
    mark = b"--" + boundary.encode("utf-8", "replace")
    starts = []
    closed = False
    body = part.body
    at = 0 if body.startswith(mark) else body.find(b"\n" + mark) + 1
    while boundary and (at > 0 or body.startswith(mark)) and depth < MAX_DEPTH and left[0] > 0:
        end = body.find(b"\n", at)
        end = len(body) if end < 0 else end
        rest = body[at + len(mark) : end].rstrip(b" \t")
        if rest in (b"", b"--"):
            starts.append((at, end + 1))
            if rest:
                closed = True
                break
            left[0] -= 1
        found = body.find(b"\n" + mark, end)
        if found < 0:
            break
        at = found + 1
    if not starts:
        part.kind = "text/plain" if not boundary else "application/octet-stream"
        return
    part.closed = closed
    default = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
    for index, (_, begin) in enumerate(starts):
        if index + 1 < len(starts):
            part.parts.append(
                _part(body[begin : starts[index + 1][0] - 1], depth + 1, left, default)
            )
        elif not closed:
            part.parts.append(_part(body[begin:], depth + 1, left, default))


def _headers(data: bytes) -> tuple[Headers, bytes]:
    """Return the header fields and the body. A line that is no field ends the headers, as mailers do it."""
    fields: list[tuple[str, str]] = []
    at = 0
    limit = min(len(data), MAX_HEADER_BYTES)
    while at < limit and len(fields) < MAX_HEADERS:
        match = _FIELD.match(data, at)
        if match is not None:
            fields.append((match[1].decode("ascii").lower(), _unfolded(match[2])))
            at = match.end()
            continue
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end].strip()
        if not line:
            at = end + 1
            break
        if not (fields and fields[-1][1].endswith(";") and b"=" in line):
            break
        # a parameter whose line lost its leading blank
        name, value = fields.pop()
        fields.append((name, f"{value} {_unfolded(line)}"))
        at = end + 1
    return Headers(fields), data[at:]


def _unfolded(value: bytes) -> str:
    joined = value[:MAX_FIELD].replace(b"\n", b"").strip()
    return joined.decode("ascii") if joined.isascii() else decode_text(joined, "")


def _uudecode(body: bytes) -> bytes:
    out = []
    for line in body.split(b"\n"):
        if line.startswith(b"begin ") or line in (b"end", b""):
            continue
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            return body
    return b"".join(out)
