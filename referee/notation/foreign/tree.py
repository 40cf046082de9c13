"""SGF as text: the games of a collection, and of each its main line as nodes with places.

Broken text never raises: the main line ends where it breaks, with the reason, and the next game is still read.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

from referee.core.source import Source, Span

_START = re.compile(r"\(\s*;")
_ROOT = re.compile(r"\(\s*;\s*(?:GM|FF|AP|CA|SZ)\s*\[")
"""How a game begins where a broken one before it has not ended: these stand in roots only."""
_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
_FREE_VALUE = re.compile(r"\[((?:\\.|[^\\])*?)\](?=\s*(?:[A-Z]+\s*\[|[;()]|$))", re.DOTALL)
_FREE = ("PB", "PW")
"""Little Golem writes names with `]` as they are; in these the end is the one that something sensible follows."""
_SOFT_BREAK = re.compile(r"\\(?:\r\n|\n\r|\n|\r)")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_.:-]+)\s*\]")
_TEXT_CODEC = re.compile(r"utf-8|ascii|iso8859|cp\d|koi8|shift_jis|euc_|gb|big5|johab|mac")


class Value(NamedTuple):
    """A property's value: what stands between the brackets, as written, and its place."""

    raw: str
    span: Span

    @property
    def text(self) -> str:
        """The value with its escapes resolved."""
        return _ESCAPED.sub(r"\1", _SOFT_BREAK.sub("", self.raw)) if "\\" in self.raw else self.raw


class Property(NamedTuple):
    """A property of a node: its name in capitals, its values, and the place of the whole."""

    name: str
    values: list[Value]
    span: Span


class Tree(NamedTuple):
    """A game: its text, the nodes of its main line, the fault at which reading stopped, and variations passed over."""

    source: Source
    nodes: list[list[Property]]
    fault: tuple[str, Span] | None
    variations: int


def decode(data: bytes) -> str:
    """Return the text: by `CA` where it names a character set, else UTF-8, else Latin-1."""
    data = data.removeprefix(codecs.BOM_UTF8)
    match = _CHARSET.search(data)
    if match is not None:
        try:
            codec = codecs.lookup(match[1].decode("ascii"))
            if _TEXT_CODEC.match(codec.name):
                return data.decode(codec.name)
        except (LookupError, UnicodeDecodeError):
            pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def games(text: str, name: str) -> Iterator[Tree]:
    """Yield the games of a collection; what stands between them is passed over."""
    line, counted = 1, 0
    match = _START.search(text)
    while match is not None:
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        reader = _Reader(text, start)
        reader.read()
        column = start - text.rfind("\n", 0, start)
        fault = None
        if reader.fault is not None:
            message, span = reader.fault
            fault = (message, Span(span.start - start, span.end - start))
        yield Tree(
            Source(name, text[start : reader.at], line, column),
            reader.nodes,
            fault,
            reader.variations,
        )
        match = _START.search(text, reader.at)


class _Reader:
    """Reads one game. Places in `nodes` count from the game's start, `fault` and `at` from that of the text."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.at = start
        self.nodes: list[list[Property]] = []
        self.fault: tuple[str, Span] | None = None
        self.variations = 0

    def read(self) -> None:
        """Read the main line, which ends at the first `)`, and go on to the end of the game."""
        depth = 0
        while True:
            self.at = self._skip_space(self.at)
            char = self.text[self.at : self.at + 1]
            if char == "(":
                if depth and _ROOT.match(self.text, self.at):
                    self._never_closed()
                    return
                depth += 1
                self.at += 1
            elif char == ")":
                self.at += 1
                self._pass_over(depth - 1)
                return
            elif char == ";":
                self.nodes.append([])
                self.at += 1
            elif not char:
                self._never_closed()
                return
            elif not self._property():
                self._pass_over(depth)
                return

    def _skip_space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def _never_closed(self) -> None:
        last = self.start + len(self.text[self.start : self.at].rstrip()) - 1
        self._stop("this game has no closing )", last, last + 1)

    def _stop(self, message: str, start: int, end: int) -> None:
        self.fault = (message, Span(start, end))

    def _property(self) -> bool:
        """Read a property with its values into the last node; at a break set the fault and return False."""
        text, begin = self.text, self.at
        match = _NAME.match(text, begin)
        if match is None or not self.nodes:
            self._stop("a property such as B[f6] is due here", begin, begin + 1)
            self.at = begin + 1
            return False
        name = "".join(c for c in match[0] if c.isupper()) or match[0].upper()
        self.at = self._skip_space(match.end())
        values: list[Value] = []
        while text.startswith("[", self.at):
            value = (_FREE_VALUE if name in _FREE else _VALUE).match(text, self.at)
            inner = _ROOT.search(value[1]) if value is not None else None
            if value is None or inner is not None:
                self._stop("this value has no closing ]", self.at, self.at + 1)
                following = _ROOT.search(text, self.at)
                self.at = following.start() if following is not None else len(text)
                return False
            values.append(
                Value(value[1], Span(value.start(1) - self.start, value.end(1) - self.start))
            )
            self.at = value.end()
            end = self.at
            self.at = self._skip_space(self.at)
        if not values:
            self._stop(f"{match[0]} is no property; write it as in B[f6]", begin, match.end())
            self.at = match.end()
            return False
        self.nodes[-1].append(Property(name, values, Span(begin - self.start, end - self.start)))
        return True

    def _pass_over(self, depth: int) -> None:
        """Go on to the end of the game, `depth` brackets away, or to the start of the next."""
        text = self.text
        while depth > 0 and self.at < len(text):
            char = text[self.at]
            if char == "[":
                value = _VALUE.match(text, self.at)
                if value is not None and not _ROOT.search(value[1]):
                    self.at = value.end()
                    continue
            elif char == "(":
                if _ROOT.match(text, self.at):
                    return
                depth += 1
                self.variations += 1
            elif char == ")":
                depth -= 1
            self.at += 1
