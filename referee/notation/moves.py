"""Reading `.moves` files: one record at a time, so that an archive of any length needs no memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from referee.core.record import EarlyFault, GameRecord, Tag
from referee.core.source import Source, Span
from referee.notation import lexer

GAME = re.compile(r"\ufeff?\[\s*Game(?![A-Za-z0-9_])")
_TAG = re.compile(r'\s*+\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\\n]++|\\[^\n])*+)"\s*\]')
_BRACKET = re.compile(r"\s*\[")
_ESCAPE = re.compile(r'\\(["\\])')
_VALUE = re.compile(r'\[\s*[A-Za-z0-9_]+\s+"(?:[^"\\\n]++|\\[^\n])*+')


def split(lines: Iterable[str], name: str) -> Iterator[Source]:
    """Yield the text of each record: `[Game` always begins a new one.

    `lines` keep their line breaks. Blank text before the first record is no record; other text is one.
    """
    held: list[str] = []
    line_of, column_of = 1, 1
    for number, line in enumerate(lines, 1):
        start = 0
        if "[" in line and "Game" in line:
            for match in GAME.finditer(line):
                before = line[start : match.start()]
                if before and _inside_value(before):
                    continue
                held.append(before)
                text = "".join(held)
                if text.strip("\ufeff \t\r\n"):
                    yield Source(name, text, line_of, column_of)
                held = []
                start = match.start() + (line[match.start()] == "\ufeff")
                line_of, column_of = number, start + 1 - line.startswith("\ufeff")
        held.append(line[start:] if start else line)
    text = "".join(held)
    if text.strip("\ufeff \t\r\n"):
        yield Source(name, text, line_of, column_of)


def _inside_value(before: str) -> bool:
    """Whether the text before a `[Game` on its line has opened a tag's value and not closed it."""
    opened = False
    for match in _VALUE.finditer(before):
        opened = match.end() == len(before)
    return opened


def read(source: Source) -> GameRecord:
    """Return the record that a source holds; whatever is wrong is in its `faults` or found by the judge."""
    text = source.text
    tags: dict[str, Tag] = {}
    faults: list[EarlyFault] = []
    at = 1 if text.startswith("\ufeff") else 0
    while True:
        match = _TAG.match(text, at)
        if match is None:
            if not (broken := _BRACKET.match(text, at)):
                break
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
                value = _ESCAPE.sub(r"\1", value)
            tags[name] = Tag(value, Span(*match.span(2)))
        at = match.end()
    return GameRecord(
        source, tags, lexer.words(text[at:]), partial(lexer.spans, text, at), faults=faults
    )


def _broken_tag(text: str, at: int) -> EarlyFault:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    shut = text.find("]", at, end)
    span = Span(at, shut + 1 if shut >= 0 else len(text[:end].rstrip()))
    return EarlyFault(
        "syntax", f'{text[at : span.end]} is no tag; write it as [Name "value"]', span
    )
