"""Focus of gamerz.net: moves as `c1-c3:2`, reserves as `r:e5`, row 1 at the top.

Lines of moves, with numbers before them or not; above them may stand who plays (`First: Ann`, `Second: Bob`, also
the server's colours Red and Green). A new heading after moves begins another game. The commands of the server's
mails (`focus move 123 ann secret c1-c3:2`) are read as their moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from referee.core.record import GameRecord
from referee.core.source import Source, Span
from referee.notation.foreign.draft import Draft
from referee.notation.lexer import RESULTS

_MOVE = re.compile(
    r"[A-Za-z]+[0-9]+-[A-Za-z]+[0-9]+(?::[0-9]+)?|[Rr]:[A-Za-z]+[0-9]+|resign|claim", re.IGNORECASE
)
_NUMBER = re.compile(r"[0-9]+(?:\.{1,3}|[:)])?")
_TOKEN = re.compile(r"\{[^{}]*\}|[0-9]+(?:\.{1,3}|[:)])(?=\S)|\S+")
_NAME = re.compile(r"\s*(First|White|Red|Second|Black|Green)\s*[:=]\s*(.*?)\s*$", re.IGNORECASE)
_TITLE = re.compile(r"\s*(?:focus|game|board)\b", re.IGNORECASE)
_COMMAND = re.compile(r"\s*focus\s+move\s+\S+\s+\S+\s+\S+\s+(?=\S)", re.IGNORECASE)
_PLAYERS = {
    "first": "First",
    "white": "First",
    "red": "First",
    "second": "Second",
    "black": "Second",
    "green": "Second",
}


def read_lines(lines: Iterable[str], name: str, size: int | None) -> Iterator[GameRecord]:
    """Yield the games of a text, with `Rows` "top". `size` is not needed."""
    held: list[str] = []
    begun, moves = 1, False
    for number, line in enumerate(lines, 1):
        heading = _heading(line)
        if moves and heading:
            yield _read(Source(name, "".join(held), begun))
            held, begun, moves = [], number, False
        moves = moves or _has_moves(line)
        held.append(line)
    if moves:
        yield _read(Source(name, "".join(held), begun))


def _heading(line: str) -> bool:
    return not _COMMAND.match(line) and bool(_NAME.match(line) or _TITLE.match(line))


def _has_moves(line: str) -> bool:
    return not _heading(line) and any(_MOVE.fullmatch(token) for token in _TOKEN.findall(line))


def _read(source: Source) -> GameRecord:
    out = Draft(source, "gamerz")
    out.tag("Game", "Focus")
    out.tag("Rows", "top")
    at, moves = 0, False
    for line in source.text.splitlines(keepends=True):
        name = _NAME.match(line)
        if name is not None and not moves:
            out.tag(_PLAYERS[name[1].lower()], name[2], Span(at + name.start(2), at + name.end(2)))
        elif moves or _has_moves(line):
            moves = True
            command = _COMMAND.match(line)
            _moves(out, line, at, command.end() if command is not None else 0)
        at += len(line)
    return out.record(None)


def _moves(out: Draft, line: str, offset: int, start: int) -> None:
    for match in _TOKEN.finditer(line, start):
        token, span = match[0], Span(offset + match.start(), offset + match.end())
        if _MOVE.fullmatch(token):
            out.say(token.lower(), span)
        elif token in RESULTS:
            out.say(token, span)
        elif token[0] == "{" and token[-1] == "}":
            out.comment(token[1:-1], span)
        elif not _NUMBER.fullmatch(token):
            out.wreck(span, f"{token} is no move; write c1-c3:2 or r:e5")
