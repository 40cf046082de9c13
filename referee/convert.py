"""Records in other formats: any from any, where the game allows it, and what is lost on the way (notation.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from referee.core.record import GameRecord
from referee.core.source import Source
from referee.core.verdict import Verdict
from referee.errors import RefereeError
from referee.games import load
from referee.games.focus.board import Drop, Shift
from referee.judge import judge
from referee.notation import lexer, moves
from referee.notation.foreign import writing
from referee.notation.foreign.draft import RED, label
from referee.notation.foreign.writing import Playing, Ply, Unwritable
from referee.notation.writer import format_record, format_text
from referee.turns import AnyGame, State

TARGETS: Final = ("moves", "sgf", "hsgf", "six", "lines", "hexworld", "trmph", "gamerz")
"""The formats, by the names that `convert` knows."""

_BETWEEN: Final = {"moves": "\n", "six": "\n", "gamerz": "\n"}


class ConversionError(RefereeError):
    """A record that cannot be written in the format asked for; the message says which, why, and what can be done."""

    exit_status = 1


def convert(record: GameRecord, target: str) -> tuple[str, list[str]]:
    """Return a record as text of a format of TARGETS, with a line break at its end, and what is lost, in words.

    Raises ConversionError where the format cannot hold the game, or the record has a fault (which only `.moves`
    can keep), and ValueError for no format of TARGETS.
    """
    if target not in TARGETS:
        raise ValueError(f"{target!r} is no format; write one of {', '.join(TARGETS)}")
    game = load(record.value("Game") or "")
    if target == "moves" and record.format == "moves":
        return format_record(record, game), []
    steps: list[tuple[int, State]] = []
    verdict = judge(record, watch=lambda index, state: steps.append((index, state)))
    if verdict.error is not None or game is None:
        if target == "moves" and game is not None:
            text = _with_its_fault(record, verdict, game)
            if text is not None:
                return text, list(record.left_out)
        raise ConversionError(f"{_place(record, verdict)}; only a legal record is converted")
    try:
        if target == "moves":
            text, lost = _as_moves(record, verdict, game)
        elif target == "gamerz":
            text, lost = _as_gamerz(record, verdict, game, steps)
        elif game.slug == "hex":
            text, lost = writing.write(_playing(record, verdict, game, steps), target)
        else:
            raise Unwritable(f"{target} is a format of Hex; {game.name} is written as moves")
    except Unwritable as reason:
        where = f"{record.source.name}:{record.source.line}"
        raise ConversionError(
            f"{where}: this record cannot be written as {target}: {reason}"
        ) from None
    return text, [*record.left_out, *lost]


def join(texts: Iterable[str], target: str) -> str:
    """Return the texts of several records as one file of the format."""
    return _BETWEEN.get(target, "").join(texts)


def _with_its_fault(record: GameRecord, verdict: Verdict, game: AnyGame) -> str | None:
    """Return a faulty record as `.moves` where the same fault stands there at the same ply, else None."""
    if record.start is not None or record.broken or verdict.error is None:
        return None
    text = format_text(record.values(), record.words, game)
    again = judge(moves.read(Source(record.source.name, text))).error
    same = again is not None and (again.code, again.ply) == (verdict.error.code, verdict.error.ply)
    return text if same else None


def _place(record: GameRecord, verdict: Verdict) -> str:
    fault = verdict.error
    if fault is None:
        return f"{record.source.name}:{record.source.line}: this is no record of ours"
    return f"{record.source.name}:{fault.line}:{fault.column}: {fault.message} [{fault.code}]"


def _as_moves(record: GameRecord, verdict: Verdict, game: AnyGame) -> tuple[str, list[str]]:
    if record.start is not None:
        what = (
            "set-up stones"
            if "r" in record.start or "b" in record.start
            else "a first move of Blue's"
        )
        raise Unwritable(f"it begins with {what}, which .moves cannot hold; SGF can")
    tags = dict(record.values())
    if game.slug == "hex":
        tags.setdefault("Size", str(verdict.state.setup.size))
    words = [word for word in record.words if word not in lexer.RESULTS]
    if verdict.result != "*":
        tags["Result"] = verdict.result
    return format_text(tags, [*words, verdict.result], game), []


# -- Hex -------------------------------------------------------------------------------------------------------------


def _playing(
    record: GameRecord, verdict: Verdict, game: AnyGame, steps: list[tuple[int, State]]
) -> Playing:
    setup = verdict.state.setup
    stones: dict[str, str] = {}
    for y, row in enumerate((record.start or "").split("/")):
        stones |= {
            label(x, y): "red" if c == "r" else "blue" for x, c in enumerate(row) if c != "."
        }
    colour: str | None = record.mover or RED
    said = _comments(record)
    plies: list[Ply] = []
    for index, state in steps:
        word = record.words[index].lower()
        if word.startswith("swap"):
            word = "swap"
        plies.append(Ply(word, colour or RED, said.get(index, ())))
        colour = game.colour_to_move(state.position)
    swapped = len(plies) > 1 and plies[1].word == "swap"
    return Playing(
        size=setup.size,
        plies=tuple(plies),
        swap=setup.swap.value if swapped or "Swap" in record.tags else None,
        mover=record.mover or RED,
        stones=stones,
        tags=record.values(),
        result=verdict.result,
        reason=verdict.reason,
        ended=verdict.state.to_move is None,
        comments=said.get(-1, ()),
    )


def _comments(record: GameRecord) -> dict[int, tuple[str, ...]]:
    """Return the comments by the index of the ply that they follow, −1 for those before the first."""
    said: dict[int, tuple[str, ...]] = {}
    last = -1
    for index, word in enumerate(record.words):
        if lexer.is_comment(word):
            text = (word[1:-1] if word[0] == "{" else word[1:]).strip()
            said[last] = (*said.get(last, ()), text)
        elif not lexer.is_number(word) and word not in lexer.RESULTS:
            last = index
    return said


# -- Focus -----------------------------------------------------------------------------------------------------------


def _as_gamerz(
    record: GameRecord, verdict: Verdict, game: AnyGame, steps: list[tuple[int, State]]
) -> tuple[str, list[str]]:
    if game.slug != "focus":
        raise Unwritable(f"gamerz is a format of Focus; {game.name} is written as moves")
    setup = verdict.state.setup
    if setup.drop:
        raise Unwritable("it begins with the drop set-up, and gamerz knows the standard one only")
    top = game.setup({"Rows": "top"})
    words: list[str] = []
    left: list[str] = []
    for index, _ in steps:
        word = record.words[index].lower()
        move = game.parse(word, setup) if word not in ("resign", "draw?", "draw!") else None
        if isinstance(move, Shift):
            words.append(f"{game.format(move, top)}:{move.pieces}")
        elif isinstance(move, Drop):
            words.append(game.format(move, top).replace("+", "r:"))
        elif word == "resign":
            words.append(word)
        elif word not in left:
            left.append(word)
    lines = [f"{name}: {record.value(name)}" for name in ("First", "Second") if record.value(name)]
    lines += [f"{i // 2 + 1}. {' '.join(words[i : i + 2])}" for i in range(0, len(words), 2)]
    if verdict.result != "*":
        lines.append(verdict.result)
    if not words:
        raise Unwritable("it has no moves")
    return "\n".join(lines) + "\n", _lost_to_gamerz(record, verdict, left)


def _lost_to_gamerz(record: GameRecord, verdict: Verdict, words: list[str]) -> list[str]:
    lost = [f"the word {word}" for word in words]
    kept = ("Game", "First", "Second", "Rows", "Setup", "Result")
    others = [name for name in record.tags if name not in kept]
    if others:
        lost.append(f"the tag{'s' * (len(others) > 1)} {', '.join(others)}")
    if _comments(record):
        lost.append("the comments")
    if verdict.reason in ("agreement", "repetition"):
        lost.append(f'the reason of the result, "{verdict.reason}"')
    return lost
