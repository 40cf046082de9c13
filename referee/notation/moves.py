"""Reading `.moves` files: one record at a time, so that an archive of any length needs no memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from referee.core.record import EarlyFault, GameRecord, Tag
from referee.core.source import Source, Span
from referee.notation import lexer

GAME = re.compile(r"\ufeff?\[\s*Game(?![A-Za-z0-9_])")
_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\\n]++|\\[^\n])*+)"\s*\]')
_SPACE = re.compile(r"\s*")
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
                if _inside_value(line[start : match.start()]):
                    continue
                before = line[start : match.start()]
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
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if not text.startswith("[", at):
            break
        match = _TAG.match(text, at)
        if match is None:
            faults.append(_broken_tag(text, at))
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        name = match[1]
        if name in tags:
            faults.append(
                EarlyFault(
                    "tag",
                    f"the tag {name} stands twice; keep one",
                    Span(match.start(1), match.end(1)),
                )
            )
        else:
            value = match[2]
            tags[name] = Tag(
                _ESCAPE.sub(r"\1", value) if "\\" in value else value,
                Span(match.start(2), match.end(2)),
            )
        at = match.end()
    return GameRecord(
        source, tags, lexer.words(text[at:]), lambda: lexer.spans(text, at), faults=faults
    )


def _broken_tag(text: str, at: int) -> EarlyFault:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    shut = text.find("]", at, end)
    span = Span(at, shut + 1 if shut >= 0 else len(text[:end].rstrip()))
    return EarlyFault(
        "syntax", f'{text[at : span.end]} is no tag; write it as [Name "value"]', span
    )
