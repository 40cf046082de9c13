"""What of a mail's body is new: structure first, then our own marker line, then words of many languages (M18 to M29).

Nothing here knows commands. What a table does not know stays new text; a paragraph without a command is ignored later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.mail.languages import (
    BEGIN_FORWARD,
    FORWARD_WORDS,
    FROM_LABELS,
    HEADER_LABELS,
    MOBILE_SIGNATURES,
    WROTE,
)
from referee.mail.rows import Row, plain
from referee.mail.submission import MARKER, Ignored, Line

FORWARDED: Final = "forwarded text is not carried out"
BELOW_QUOTE: Final = "it stands directly below a quote; leave a blank line between them"

_SIGNATURE: Final = re.compile(r"[*_]?\s*--?\s*[*_]?")
_MARKER: Final = re.compile(rf"[\W_]*{re.escape(MARKER)}[\W_]*", re.IGNORECASE)
_DIVIDER: Final = re.compile(r"[*_]?-{3,}\s*([^\W\d_].{2,200}?)\s*-{3,}.*")
_UNDERSCORES: Final = re.compile(r"_{8,}")
_LABEL: Final = re.compile(r"[*_>\s]*([^\W\d_][\w' ()./-]{0,24}?)\s*[*_]*\s?:[*_]*(\s+|$)?(.*)")
_DATE: Final = re.compile(
    r"\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}(?:\b|년|年)|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d년|\d月"
)
_ADDRESS: Final = re.compile(r"[^\s<>@]@[^\s<>@]")
_WROTE_INLINE: Final = re.compile(rf"(?:{WROTE.pattern})[^:]{{0,5}}:(?=\s)", re.IGNORECASE)
"""As Yahoo's telephones write it, the quote behind it in the same line."""

_PGP: Final = re.compile(
    r"-----(BEGIN PGP SIGNED MESSAGE|BEGIN PGP SIGNATURE|BEGIN PGP MESSAGE)-----"
)
_HASH: Final = re.compile(r"(?:Hash|Charset|Version|Comment):.*", re.IGNORECASE)

_ATTRIBUTION_ROWS: Final = 4
_HEADER_ROWS: Final = 12


@dataclass(slots=True)
class Sifted:
    """New text, what was left out of it and should be told, and notes for the answer.

    `ended` is true where a quote or a forwarded mail was found to begin.
    """

    lines: list[Line] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ended: bool = False


def sift(rows: Sequence[Row]) -> Sifted:
    """Return what is new in a body. Blank lines part its paragraphs; a block taken out leaves one in its place."""
    return _Sieve(rows).run()


class _Texts:
    """The rows' texts in ASCII, "" for quoted ones; each made when it is first looked at."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.known: dict[int, str] = {}

    def __getitem__(self, at: int) -> str:
        text = self.known.get(at)
        if text is None:
            row = self.rows[at]
            text = self.known[at] = "" if row.depth else plain(row.text)
        return text


class _Sieve:
    """One body's way from rows to new text."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.texts = _Texts(rows)
        self.found = Sifted()
        self.below_quote = False

    def run(self) -> Sifted:
        at = 0
        while at < len(self.rows):
            row, text = self.rows[at], self.texts[at]
            if row.depth:
                self.found.ended = True
                if (
                    not self.below_quote
                    and self._drop_attribution(plain(row.text))
                    and not self._quote_follows(at + 1)
                ):
                    break
                self.below_quote = True
                self._blank(row)
                at += 1
                continue
            if not text:
                self.below_quote = False
                self._blank(row)
                at += 1
                continue
            after = self._passed_over(at, text)
            if after is None:
                self.found.ended = True
                break
            if after > at:
                self._blank(row)
                at = after
                continue
            if self.below_quote:
                self.found.ignored.append(Ignored(row.number, text[:200], BELOW_QUOTE))
            else:
                self.found.lines.append(Line(row.number, row.text.strip()))
            at += 1
        while self.found.lines and not self.found.lines[-1].text:
            self.found.lines.pop()
        return self.found

    def _blank(self, row: Row) -> None:
        lines = self.found.lines
        if lines and lines[-1].text:
            lines.append(Line(row.number, ""))

    def _passed_over(self, at: int, text: str) -> int | None:
        """Return the first row that may be new again: `at` itself, a later one, or None where nothing new follows."""
        if self.rows[at].signed or (len(text) <= 120 and MOBILE_SIGNATURES.match(text)):
            return at + 1
        if _SIGNATURE.fullmatch(text) or _UNDERSCORES.match(text) or _MARKER.fullmatch(text):
            return None
        first = text[0]
        if first in "-*_":
            armour = _PGP.match(text)
            if armour:
                return self._below_armour(at) if "SIGNED" in armour[1] else None
            divider = _DIVIDER.fullmatch(text)
            if divider:
                if FORWARD_WORDS.search(divider[1]):
                    self._forwarded(at)
                return None
        if BEGIN_FORWARD.match(text):
            self._forwarded(at)
            return None
        if ":" in text and self._is_header(at):
            return None
        return self._below_attribution(at)

    def _forwarded(self, at: int) -> None:
        self.found.notes.append(FORWARDED)
        self.found.ignored.append(Ignored(self.rows[at].number, self.texts[at][:200], FORWARDED))

    def _below_armour(self, at: int) -> int:
        """Return the row below the headers of a PGP-signed text."""
        at += 1
        while at < len(self.rows) and _HASH.fullmatch(self.texts[at]):
            at += 1
        return at

    def _is_header(self, at: int) -> bool:
        """Whether the header of an answered or forwarded mail begins here: three labels or more, in any language.

        Labels that the table does not know count where an address and a date stand beside them.
        """
        first = _LABEL.match(self.texts[at])
        if first is None or not (
            first[1].lower() in HEADER_LABELS
            or any("@" in self.texts[i] for i in range(at, min(at + 6, len(self.rows))))
        ):
            return False
        labels = known = 0
        address = date = False
        begins = False
        for index in range(at, min(at + _HEADER_ROWS, len(self.rows))):
            text = self.texts[index]
            if self.rows[index].depth:
                break
            if not text:
                continue
            match = _LABEL.match(text)
            if match is None or (match[2] is None and match[1].lower() not in HEADER_LABELS):
                if labels >= 3 or index > at + 3 * labels:
                    break
                continue
            label, value = match[1].lower(), match[3]
            labels += 1
            known += label in HEADER_LABELS
            begins |= label in FROM_LABELS
            address |= "@" in value
            date |= _DATE.search(value) is not None
        if known >= 3 and begins:
            return True
        return labels >= 3 and (known >= 2 or (address and date)) and (address or date)

    def _below_attribution(self, at: int) -> int | None:
        """Return the row below an attribution that begins here (`On … wrote:`, wrapped or not; M18).

        None where no marked quote follows it: then all below it is the quote.
        """
        for end in range(at, min(at + _ATTRIBUTION_ROWS, len(self.rows))):
            text = self.texts[end]
            if not text or self.rows[end].depth:
                return at
            if not text.endswith(":"):
                inline = _WROTE_INLINE.search(text[:500]) if end == at else None
                if inline and _attributes(text[: inline.end()].strip()):
                    return None
                continue
            start = end
            while start > at and not _attributes(self._joined(start, end)):
                start -= 1
            while start > at and self._dates(start - 1, end):
                start -= 1
            if start > at or not _attributes(self._joined(start, end)):
                return at
            return end + 1 if self._quote_follows(end + 1) else None
        return at

    def _quote_follows(self, at: int) -> bool:
        """Whether the first row from `at` on that is not blank is a marked quote."""
        while at < len(self.rows) and not self.texts[at] and not self.rows[at].depth:
            at += 1
        return at < len(self.rows) and self.rows[at].depth > 0

    def _dates(self, at: int, end: int) -> bool:
        """Whether a row gives the date of the attribution that begins below it and goes on to `end`."""
        text = self.texts[at]
        return _DATE.search(text) is not None and (
            text.endswith(",") or _DATE.search(self._joined(at + 1, end)) is None
        )

    def _joined(self, start: int, end: int) -> str:
        return " ".join(self.texts[index] for index in range(start, end + 1))

    def _drop_attribution(self, quoted: str) -> bool:
        """Take out the lines above a marked quote that only say whose it is, as far as the tables know them.

        `quoted` is the quote's first line: mailers break `Ann <ann@example.org` before its `> wrote:`. True if it was
        no quote but such a rest of the attribution.
        """
        lines = self.found.lines
        at = len(lines)
        while at and not lines[at - 1].text:
            at -= 1
        broken = quoted.endswith(":") and at == len(lines)
        joined = f">{quoted}" if broken else ""
        for start in range(at - 1, max(at - 1 - _ATTRIBUTION_ROWS, -1), -1):
            if not lines[start].text:
                break
            joined = f"{plain(lines[start].text)} {joined}".strip()
            if joined.count("<") != joined.count(">"):
                continue
            date, address = _DATE.search(joined), _ADDRESS.search(joined)
            said = WROTE.search(joined) or FORWARD_WORDS.search(joined)
            alone = start == at - 1
            if (alone and date and address) or (
                joined.endswith(":") and (date or (not broken and (address or said)))
            ):
                del lines[start:]
                return broken
        if not broken and at and lines[at - 1].text.rstrip().endswith((":", "：")):
            del lines[at - 1 :]  # no command ends so
        return False


def _attributes(text: str) -> bool:
    """Whether a text says who wrote something when: two of a date, an address and the verb, up to a colon."""
    if len(text) >= 400 or text.count("<") != text.count(">"):
        return False
    date, address, verb = _DATE.search(text), _ADDRESS.search(text), WROTE.search(text)
    return (date is not None) + (address is not None) + (verb is not None) >= 2
