"""Reading `.moves` files: one record at a time, so that an archive of any length needs no memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from referee.core.record import EarlyFault, GameRecord, Tag, Tags
from referee.core.source import Block, Source, Span
from referee.notation import lexer

GAME = re.compile(r"\ufeff?\[\s*Game(?![A-Za-z0-9_])")
_BOM = "\ufeff"
_START = re.compile(r"\[[^\S\n]*Game(?![A-Za-z0-9_])")
_TAG = re.compile(r'\s*+\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\\n]++|\\[^\n])*+)"\s*\]')
_BRACKET = re.compile(r"\s*\[")
_VALUE = r'\[\s*[A-Za-z0-9_]+\s+"(?:[^"\\\n]++|\\[^\n])*+'


def split(pieces: Iterable[str], name: str) -> Iterator[Source]:
    """Yield the text of each record of a text in pieces; what is one, `blocks` says."""
    for block in blocks(pieces, name):
        yield from sources(block)


def blocks(pieces: Iterable[str], name: str) -> Iterator[Block]:
    """Yield the records of a text in blocks: `[Game` always begins a new one.

    Each piece (a line, or many) ends with its line break. Blank text before the first record is no record; other
    text is one. A piece's last record waits for the next piece, to be whole.
    """
    held: list[str] = []
    first, line, column = True, 1, 1
    number = 1
    for piece in pieces:
        starts = list(_starts(piece)) if "[" in piece else ()
        if starts:
            begun = sum(map(len, held))
            last = starts[-1]
            text = "".join((*held, piece[: last - (piece[last - 1 : last] == _BOM)]))
            places = [0, *(begun + start for start in starts[:-1])]
            found = _block(Source(name, text, line, column), places, first)
            if found is not None:
                yield found
            held, first = [piece[last:]], False
            line = number = number + piece.count("\n", 0, last)
            column = _column(piece, piece.rfind("\n", 0, last), last, 1)
        else:
            held.append(piece)
        number += held[-1].count("\n")
    found = _block(Source(name, "".join(held), line, column), [0], first)
    if found is not None:
        yield found


def _block(source: Source, starts: list[int], first: bool) -> Block | None:
    """Return a block; the first of a file may begin with what is no record. None where nothing else is there."""
    text = source.text
    if first and not text[: starts[1] if starts[1:] else None].strip(f"{_BOM} \t\r\n"):
        if not starts[1:]:
            return None
        at = starts[1]
        line = source.line + text.count("\n", 0, at)
        column = _column(text, text.rfind("\n", 0, at), at, source.column)
        source = Source(source.name, text[at:], line, column)
        starts = [start - at for start in starts[1:]]
    return Block(source, tuple(starts))


def sources(block: Block) -> Iterator[Source]:
    """Yield the text of each record of a block."""
    (name, text, line, column), starts = block
    counted, row = 0, -1
    for start, end in zip(starts, (*starts[1:], 0), strict=True):
        line += text.count("\n", counted, start)
        record = text[start : end - (text[end - 1] == _BOM)] if end else text[start:]
        if start and text[start - 1] == "\n":
            row = start - 1
            yield Source(name, record, line, 1)
        else:
            row = max(row, text.rfind("\n", counted, start))
            yield Source(name, record, line, _column(text, row, start, column))
        counted = start


def read_block(block: Block) -> Iterator[GameRecord]:
    """Yield the records of a block."""
    return map(read, sources(block))


def _starts(text: str) -> Iterator[int]:
    """Yield the offset of each `[Game` in whole lines that is not part of a tag's value."""
    last = 0
    for match in _START.finditer(text):
        at = match.start()
        if at and text[at - 1] != "\n":
            before = text[max(last, text.rfind("\n", last, at) + 1) : at - (text[at - 1] == _BOM)]
            if before and _inside_value(before):
                continue
        last = at
        yield at


def _column(text: str, row: int, at: int, column: int) -> int:
    """Return the column of an offset; the line break before it is at `row`, -1 in the text's first line.

    `column` is that of the text's first character. A line's BOM is none.
    """
    if row < 0:
        return column + at - (at > 0 and column == 1 and text[0] == _BOM)
    return at - row - (text[row + 1] == _BOM)


def _inside_value(before: str) -> bool:
    """Whether the text before a `[Game` on its line has opened a tag's value and not closed it."""
    opened = False
    for match in re.finditer(_VALUE, before):
        opened = match.end() == len(before)
    return opened


def read(source: Source) -> GameRecord:
    """Return the record that a source holds; whatever is wrong is in its `faults` or found by the judge."""
    text = source.text
    end = text.find("\n\n", 0, _LONGEST_HEAD)
    tags = _head(text[:end]) if end > 0 else None
    if tags is not None:
        words = lexer.words(text[end:])
        if not words or words[0][0] != "[":
            return GameRecord(source, tags, words, partial(lexer.spans, text, end))
    tags, faults, at = _tags(text)
    words = lexer.words(text[at:])
    return GameRecord(source, tags, words, partial(lexer.spans, text, at), faults=faults)


_LONGEST_HEAD = 2000
"""Characters before the blank line that ends a record's tags; longer ones are not remembered."""


@lru_cache(maxsize=64)
def _head(text: str) -> Tags | None:
    """Return the tags of a text that holds nothing else and no fault, else None; in archives many heads are alike."""
    tags, faults, at = _tags(text)
    return None if faults or text[at:].strip() else tags


def _tags(text: str) -> tuple[Tags, list[EarlyFault], int]:
    """Return the tags at the begin of a text, what is wrong with them, and the offset where they end."""
    tags = Tags()
    faults: list[EarlyFault] = []
    at = 1 if text.startswith(_BOM) else 0
    while True:
        match = _TAG.match(text, at)
        if match is None:
            if not (broken := _BRACKET.match(text, at)):
                return tags, faults, at
            faults.append(_broken_tag(text, broken.end() - 1))
            end = text.find("\n", broken.end())
            at = len(text) if end < 0 else end
            continue
        name, value = match.groups()
        if name in tags:
            faults.append(
                EarlyFault("tag", f"the tag {name} stands twice; keep one", Span(*match.span(1)))
            )
        else:
            if "\\" in value:
                value = re.sub(r'\\(["\\])', r"\1", value)
            tags[name] = Tag(value, Span(*match.span(2)))
        at = match.end()


def _broken_tag(text: str, at: int) -> EarlyFault:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    shut = text.find("]", at, end)
    span = Span(at, shut + 1 if shut >= 0 else len(text[:end].rstrip()))
    return EarlyFault(
        "syntax", f'{text[at : span.end]} is no tag; write it as [Name "value"]', span
    )
