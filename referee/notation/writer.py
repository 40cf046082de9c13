"""Records as canonical `.moves`: tags in a stable order, words in their canonical form, numbers, at most 79 columns.

Reading what is written gives the same record. A record that is at fault keeps its fault: what is not understood is
written as it stood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.core.game import BadTag, Game
from referee.core.record import GameRecord
from referee.core.verdict import Rejected
from referee.notation import lexer

AnyGame = Game[Any, Any, Any]

WIDTH = 79
_BEFORE = ("Game", "Event", "Site", "Date", "First", "Second")
_AFTER = ("GameId", "Commit", "Word1", "Word2")
_LAST = ("Termination", "Result")
_DEAL = re.compile(r"Deal([0-9]+)")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_COMMON = ("resign", "draw?", "draw!")
"""Words that all games share; no game parses them."""


def format_record(record: GameRecord, game: AnyGame | None) -> str:
    """Return a record as canonical text, with a line break at its end; `game` is that of its `Game` tag, if known.

    A record whose tags cannot be read is returned as it was sent. Raises ValueError for one that starts from a
    set-up position, which `.moves` cannot say.
    """
    if record.start is not None:
        raise ValueError("a set-up position has no form in .moves")
    if record.format == "moves" and (record.faults or "Game" not in record.tags):
        return record.source.text.strip("\ufeff \t\r\n") + "\n"
    return format_text(record.values(), record.words, game)


def format_text(tags: Mapping[str, str], words: Sequence[str], game: AnyGame | None) -> str:
    """Return tags and words (moves, comments, a result; numbers are set anew) as canonical text.

    Raises ValueError for a name that no tag can have.
    """
    setup = game.setup(tags) if game is not None else None
    if game is None or isinstance(setup, BadTag):
        units = list(words)
    else:
        units = list(_units(words, game, setup))
    open_comment = bool(words) and words[-1].startswith("{") and not words[-1].endswith("}")
    if not open_comment and not any(word in lexer.RESULTS for word in words):
        said = tags.get("Result", "*")
        units.append(said if said in lexer.RESULTS else "*")
    lines = [_tag(name, tags[name]) for name in _in_order(tags, game)]
    return "\n".join([*lines, "", *_wrap(units)]) + "\n"


def _in_order(tags: Mapping[str, str], game: AnyGame | None) -> list[str]:
    options = game.options if game is not None else ()
    deals = sorted(
        (name for name in tags if _DEAL.fullmatch(name)), key=lambda name: (len(name), name)
    )
    first = [name for name in (*_BEFORE, *options, *deals, *_AFTER) if name in tags]
    rest = [name for name in tags if name not in first and name not in _LAST]
    return [*first, *rest, *(name for name in _LAST if name in tags)]


def _tag(name: str, value: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a tag; write letters, digits and _")
    shown = " ".join(value.splitlines()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{shown}"]'


def _units(words: Sequence[str], game: AnyGame, setup: object) -> Iterator[str]:
    """Yield the words in canonical form, a ply of the player who has a number together with it.

    From a wrong number or a text after the result on everything stays as it stands.
    """
    plies = 0
    number: str | None = None
    drawn: str | None = None
    ended = False
    for index, word in enumerate(words):
        if lexer.is_comment(word):
            yield word
            continue
        if number is not None and word not in lexer.RESULTS and number != _due(plies, game):
            if drawn is not None:
                yield drawn
            yield number
            yield from words[index:]
            return
        number = None
        if ended:
            yield from words[index:]
            return
        if lexer.is_number(word):
            number = word.replace("…", "...")
            continue
        if drawn is not None:
            if not _places(word, drawn):
                yield _numbered(drawn, plies, game)
            if word.endswith(
                "@?"
            ):  # drawn twice: written on, the second would give way to its place
                yield from words[index:]
                return
            drawn = None
        if word in lexer.RESULTS:
            ended = True
            yield word
            continue
        token = _canonical(word, game, setup)
        if token.endswith("@?"):
            drawn = token
        elif token == "draw?" or token.startswith("~"):
            yield token
        else:
            yield _numbered(token, plies, game)
            plies += 1
    if drawn is not None:
        yield _numbered(drawn, plies, game)


def _places(word: str, drawn: str) -> bool:
    """Whether a word says where the drawn tile went, so that it is written in the draw's stead."""
    kind, _, where = word.partition("@")
    return kind.lower() == drawn[:-2].lower() and where not in ("", "?")


def _due(plies: int, game: AnyGame) -> str:
    """Return the number, with its dots, that the next ply has."""
    if game.plies_per_number == 1:
        return f"{plies + 1}."
    return f"{plies // 2 + 1}{'...' if plies % 2 else '.'}"


def _numbered(token: str, plies: int, game: AnyGame) -> str:
    due = _due(plies, game)
    return token if due.endswith("...") else f"{due} {token}"


def _canonical(word: str, game: AnyGame, setup: object) -> str:
    """Return a word's canonical form; one whose form does not mean the same, or that is no move, stays."""
    low = word.lower()
    if low in _COMMON:
        return low
    move = game.parse(word, setup)
    if isinstance(move, Rejected):
        return word
    token = game.format(move, setup)
    return token if token == word or game.parse(token, setup) == move else word


def _wrap(units: Sequence[str]) -> Iterator[str]:
    """Yield lines of at most WIDTH columns; a unit is never broken, `;` comments end their line."""
    line = ""
    for unit in units:
        word = unit.rstrip() if unit.startswith(";") else unit
        if line and len(line) + 1 + len(word.split("\n", 1)[0]) > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
        if word.startswith(";"):
            yield line
            line = ""
        elif "\n" in line:
            above, _, line = line.rpartition("\n")
            yield above
    if line:
        yield line
