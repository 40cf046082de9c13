"""HexGui's and Six's `.six`: `BoardSize`, `First`, `Swap`, then `Moves` with times in brackets.

Its moves have no colour; `Swap` is swap-pieces, and the vertical player V is Red.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from referee.core.record import EarlyFault, GameRecord
from referee.core.source import Source, Span
from referee.notation.foreign import draft
from referee.notation.foreign.draft import BLUE, NONE, PIECES, RED, Draft

_HEADER = re.compile(r"^[ \t]*([A-Za-z]+)[ \t]*:[ \t]*([^\r\n]*?)[ \t\r]*$", re.MULTILINE)
_TOKEN = re.compile(r"\([^()\n]*\)|[0-9]+\.|[^\s()]+|[()]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_FIRST = {"v": RED, "h": BLUE}
_SWAP = {"1": PIECES, "0": NONE, "true": PIECES, "false": NONE}


def read_lines(lines: Iterable[str], name: str, size: int | None) -> Iterator[GameRecord]:
    """Yield the games of a text; each begins with its `BoardSize`. `size` is not needed."""
    held: list[str] = []
    begun, moves = 1, False
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line)
        title = header[1].lower() if header is not None else ""
        if moves and title == "boardsize":
            yield _read(Source(name, "".join(held), begun))
            held, begun, moves = [], number, False
        moves = moves or title == "moves"
        held.append(line)
    if "".join(held).strip():
        yield _read(Source(name, "".join(held), begun))


def _read(source: Source) -> GameRecord:
    out = Draft(source, "six")
    out.tag("Game", "Hex")
    size: int | None = 11
    at = len(source.text)
    for match in _HEADER.finditer(source.text):
        title, value, span = match[1].lower(), match[2], Span(match.start(2), match.end(2))
        if title == "boardsize":
            written = re.sub(r"\s*[xX]\s*", "x", value)
            out.tag("Size", written, span)
            size = draft.board_size(written)
        elif title == "first":
            out.mover = _choice(
                out, _FIRST, value[:1], f"First: {value} is not known; write V or H", span
            )
        elif title == "swap":
            form = _choice(out, _SWAP, value, f"Swap: {value} is not known; write 1 or 0", span)
            out.tag("Swap", form or NONE, span)
        elif title == "moves":
            at = match.start(2)
            break
    _moves(out, at)
    return out.record(size)


def _choice(
    out: Draft, choices: dict[str, str], value: str, message: str, span: Span
) -> str | None:
    chosen = choices.get(value.lower())
    if chosen is None:
        out.faults.append(EarlyFault("tag", message, span))
    return chosen


def _moves(out: Draft, at: int) -> None:
    for match in _TOKEN.finditer(out.source.text, at):
        token, span = match[0], Span(match.start(), match.end())
        if _WORD.fullmatch(token):
            out.say(token.lower(), span)
        elif not (token[-1] == "." or (token[0] == "(" and token[-1] == ")")):
            out.wreck(span, f"{token} is no Hex move; write a cell such as F6, or Swap")
