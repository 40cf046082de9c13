"""Records of one line each: `B[f4] W[f5] …`, and plain cells `h11 e8 d1 …`; the board's size is told apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from referee.core.record import GameRecord, Tag, Tags
from referee.core.source import Block, Source, Span
from referee.notation.foreign.draft import BLUE, NOWHERE, RED, SWAPS, Draft

_TOKEN = re.compile(r"\S+")
_COLOURED = re.compile(r"([BbWw])\[\s*([A-Za-z][A-Za-z0-9-]*)\s*\]")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_COLOURS = {"B": RED, "b": RED, "W": BLUE, "w": BLUE}
_FAST = re.compile(r"(?:B\[[a-z][0-9]+\] W\[[a-z][0-9]+\] ?)*(?:B\[[a-z][0-9]+\])?\s*")
"""A line of stones in turn, as archives have them by the thousand."""
_RECORD = re.compile(r"^(?=[^\S\n]*[^\s#])", re.MULTILINE)
_STONE = re.compile(r"[BW]\[([a-z][0-9]+)\]")


def read_lines(lines: Iterable[str], name: str, size: int | None) -> Iterator[GameRecord]:
    """Yield a record for each line that is neither blank nor begins with `#`, on a board of `size` (11 if None)."""
    for block in blocks(lines, name):
        yield from read_block(block, size)


def blocks(pieces: Iterable[str], name: str) -> Iterator[Block]:
    """Yield the records of a text, in pieces of whole lines, unread."""
    number = 1
    for piece in pieces:
        starts = [m.start() for m in _RECORD.finditer(piece)]
        if starts:
            first = starts[0]
            source = Source(name, piece[first:], number + piece.count("\n", 0, first))
            yield Block(source, tuple(start - first for start in starts))
        number += piece.count("\n")


def read_block(block: Block, size: int | None) -> Iterator[GameRecord]:
    """Yield the records of a block, on a board of `size` (11 if None)."""
    (name, text, line, _), starts = block
    counted = 0
    for start in starts:
        line += text.count("\n", counted, start)
        counted = start
        end = text.find("\n", start)
        record = text[start : len(text) if end < 0 else end].rstrip("\r\n")
        yield read(Source(name, record, line), size)


def read(source: Source, size: int | None) -> GameRecord:
    """Return the record of one line."""
    tags = _tags(size)
    if _FAST.fullmatch(source.text):
        return _in_turn(source, tags)
    return _read(source, tags, size or 11)


@lru_cache(maxsize=64)
def _tags(size: int | None) -> Tags:
    tags = Tags(Game=Tag("Hex", NOWHERE))
    if size is not None:
        tags["Size"] = Tag(str(size), NOWHERE)
    return tags


def _in_turn(source: Source, tags: Tags) -> GameRecord:
    words = _STONE.findall(source.text)
    return GameRecord(source, tags, words, partial(_stones, source.text), format="lines")


@lru_cache(maxsize=4)
def _stones(text: str) -> tuple[Span, ...]:
    return tuple(Span(m.start(1), m.end(1)) for m in _STONE.finditer(text))


def _read(source: Source, tags: Tags, size: int) -> GameRecord:
    out = Draft(source, "lines")
    out.tags.update(tags)
    for match in _TOKEN.finditer(source.text):
        token, span = match[0], Span(match.start(), match.end())
        coloured = _COLOURED.fullmatch(token)
        if coloured is not None:
            inner = Span(span.start + coloured.start(2), span.start + coloured.end(2))
            out.say(coloured[2].lower(), inner, _COLOURS[coloured[1]])
        elif _PLAIN.fullmatch(token):
            out.say(token.lower(), span)
        else:
            out.wreck(span, f"{token} is no Hex move; write B[f4] or f4")
    if any(word in SWAPS for word in out.words):
        out.settle_swap()
    return out.record(size)
