"""Beginning a record, and playing on in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from referee.core.game import BadTag, Game
from referee.core.record import GameRecord
from referee.core.source import Source, Span
from referee.core.verdict import Fault, Rejected, Verdict
from referee.errors import RefereeError, UnreadableError
from referee.files import disk, edit
from referee.games import load, names
from referee.judge import judge
from referee.notation import foreign, lexer, moves
from referee.notation.writer import format_text
from referee.turns import State, step

AnyGame = Game[Any, Any, Any]

COMMON_TAGS = (
    *("First", "Second", "Date", "Event", "Site", "GameId", "Commit", "Word1", "Word2"),
    *("Result", "Termination"),
)
SEEDED = ("Lightning", "Spiral")
"""Games with chance."""


class RefusedError(RefereeError):
    """Moves that the rules refuse; nothing was written."""

    exit_status = 1


class Opened(NamedTuple):
    """A record in a file: the text before it and after it, the record, what the judge says, the game's state."""

    before: str
    after: str
    record: GameRecord
    verdict: Verdict
    game: AnyGame
    state: State


def game_named(text: str) -> AnyGame:
    """Return the game of that name in any case. Raises RefereeError with a suggestion for another."""
    known = {name.lower(): name for name in names()}
    game = load(known.get(text.lower(), ""))
    if game is None:
        near = get_close_matches(text.lower(), known, 1)
        hint = f"do you mean {known[near[0]]}?" if near else f"take {', '.join(names())}"
        raise RefereeError(f"there is no game {text!r}; {hint}")
    return game


def start(
    path: Path, game_name: str, tags: Iterable[tuple[str, str]], *, date: str, seed: bytes | None
) -> str:
    """Write a new record and return its text.

    `tags` are names (in any case) and values, of players and options; `seed` goes into games with
    chance that are not given their own deals or seed. Raises RefereeError for what cannot stand,
    WriteError for a file that is there already or cannot be written.
    """
    game = game_named(game_name)
    values = {"Game": game.name, "First": "", "Second": "", "Date": date}
    for name, value in tags:
        values[_tag_name(game, name)] = value
    chosen = {name: value for name, value in values.items() if value}
    if seed is not None and game.name in SEEDED and not {"Seed", "Deal1", "Commit"} & set(chosen):
        chosen["Seed"] = seed.hex()
    setup = game.setup(chosen)
    if isinstance(setup, BadTag):
        raise RefereeError(setup.message)
    text = format_text(chosen, [], game)
    disk.create(path, text.encode())
    return text


def _tag_name(game: AnyGame, name: str) -> str:
    """Return a tag's right name. Raises RefereeError with a suggestion for one that the game does not know."""
    wanted = name.lstrip("-")
    known = {tag.lower(): tag for tag in (*game.options, *COMMON_TAGS)}
    low = wanted.lower()
    if low in known:
        return known[low]
    if game.name == "Spiral" and low.startswith("deal") and low[4:].isdigit():
        return f"Deal{low[4:]}"
    near = get_close_matches(low, known, 1)
    hint = (
        f"do you mean {known[near[0]]}?" if near else f"{game.name} has {', '.join(game.options)}"
    )
    raise RefereeError(f"{game.name} has no option {wanted!r}; {hint}")


def open_record(data: bytes, path: Path, number: int | None = None) -> Opened:
    """Return a file's record to play on in: the only one, or `number` (from 1).

    Raises UnreadableError for what is no record of ours, RefusedError for a record that has a fault.
    """
    text = _decoded(data, path)
    sources = list(moves.split(text.splitlines(keepends=True), str(path)))
    if number is None and len(sources) > 1:
        raise RefereeError(f"{path} holds {len(sources)} records; say which with --record")
    if not 1 <= (number or 1) <= len(sources):
        raise UnreadableError(
            f"{path} has {len(sources)} records; there is no record {number or 1}"
        )
    at = 0
    for source in sources[: number or 1]:
        start = text.index(source.text, at)
        at = start + len(source.text)
    record = moves.read(source)
    states: list[State] = []
    verdict = judge(record, watch=lambda _, state: states.append(state))
    if verdict.error is not None:
        raise RefusedError(_faulty(verdict.error))
    game = load(verdict.game or "")
    assert game is not None
    state = states[-1] if states else State(verdict.state)
    return Opened(text[:start], text[at:], record, verdict, game, state)


def _decoded(data: bytes, path: Path) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path} is no UTF-8 text (byte {error.start + 1})") from None
    if foreign.detect(text.lstrip("\ufeff")) is not None:
        raise UnreadableError(
            f"{path} is no .moves file; `referee convert {quote(str(path))} --to moves` makes one of it"
        )
    return text


def _faulty(fault: Fault) -> str:
    from referee import report

    return f"the record has a fault; mend it first\n{report.fault(fault)}"


class Played(NamedTuple):
    """What came of playing on: the record as it now stands, and the canonical words that were added."""

    record: GameRecord
    verdict: Verdict
    words: tuple[str, ...]


def play(path: Path, typed: Sequence[str], number: int | None = None) -> Played:
    """Append moves to a record if all of them are legal, and write it.

    Raises RefusedError, with the fault under a caret, for the first that is not; UnreadableError and
    WriteError for the file. In all of these the file is as it was.
    """
    with disk.opened(path) as data:
        opened = open_record(data, path, number)
        words = legal_words(opened, " ".join(typed))
        return write(path, opened, words)


def write(path: Path, opened: Opened, words: Sequence[str]) -> Played:
    """Append canonical words, known to be legal, and write the file."""
    game, plies = opened.game, opened.verdict.plies
    numbers = edit.numbered(words, plies, game.plies_per_number)
    result = _result(opened, words)
    return rewrite(path, opened, edit.appended(opened.record, numbers, result), words)


def rewrite(path: Path, opened: Opened, text: str, words: Sequence[str] = ()) -> Played:
    """Put a record's new text in the place of the old one and write the file."""
    source = opened.record.source
    record = moves.read(Source(source.name, text, source.line, source.column))
    disk.replace(path, f"{opened.before}{text}{opened.after}".encode())
    return Played(record, judge(record), tuple(words))


def _result(opened: Opened, words: Sequence[str]) -> str | None:
    state = opened.state
    for word in words:
        if not lexer.is_comment(word):
            after = step(opened.game, state, word)
            assert isinstance(after, State)
            state = after
    return None if state.position.to_move is not None else str(state.position.result)


def legal_words(opened: Opened, typed: str) -> list[str]:
    """Return the canonical words of what was typed after a record. Raises RefusedError for a fault."""
    source = Source("move", typed)
    if opened.verdict.result != "*" and opened.state.position.to_move is not None:
        message = f"the record declares {opened.verdict.result}; take that away before you play on"
        raise RefusedError(message)
    found = lexer.words(typed)
    spans = lexer.spans(typed, 0)
    if not found:
        raise RefusedError("there is no move; write one, such as f6")
    state, words = opened.state, []
    for word, span in zip(found, spans, strict=True):
        if word[0] == "{" and word[-1] == "}":
            words.append(word)
            continue
        after = step(opened.game, state, word)
        if isinstance(after, Rejected):
            raise RefusedError(_refusal(source, span, word, after, state.position.plies))
        words.append(_canonical(opened.game, word, state.position.setup))
        state = after
    return words


def _refusal(source: Source, span: Span, word: str, refused: Rejected, plies: int) -> str:
    from referee import report

    ply = plies if refused.same_ply else plies + 1
    fault = Fault(
        refused.code, refused.rule, ply, word, refused.message, source, span, refused.would
    )
    return f"nothing was played\n{report.fault(fault)}"


def _canonical(game: AnyGame, word: str, setup: object) -> str:
    move = game.parse(word, setup)
    return word.lower() if isinstance(move, Rejected) else game.format(move, setup)


def option_pairs(options: Sequence[str]) -> Mapping[str, str]:
    """Return `Name=value` texts as pairs. Raises RefereeError for another form."""
    pairs = {}
    for option in options:
        name, sign, value = option.partition("=")
        if not sign or not name.strip():
            raise RefereeError(f"{option!r} is no option; write it as Size=7")
        pairs[name.strip()] = value.strip()
    return pairs
