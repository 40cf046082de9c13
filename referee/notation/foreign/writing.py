"""A playing of Hex as text in the foreign formats. Each writer says what its format cannot hold.

A writer gets a legal playing with every ply's colour; it never judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from referee.notation.foreign.draft import BLUE, NONE, PIECES, RED, SIDES, column_of, label

HEXWORLD = "https://hexworld.org/board/#"
TRMPH = "https://trmph.com/hex/board#"
_WIDTH = 79
_CELL = re.compile(r"([a-z]+)([0-9]+)")
_SGF_TAGS = {"Event": "EV", "Date": "DT", "Site": "PC"}
_ENDS = {"resign": "R", "time": "T"}


class Unwritable(Exception):  # noqa: N818 - it is an answer, and `convert` turns it into its error
    """What a format cannot hold, so that nothing can be written; the text says why."""


@dataclass(frozen=True)
class Ply:
    """One ply: a cell, `swap` or `resign`, whose colour it is of, and the comments after it."""

    word: str
    colour: str
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Playing:
    """A legal playing of Hex.

    swap      the form of the swap that was played, or that the record's tag names, None where neither
    stones    set-up stones by cell, with the colour `mover` that plays first
    result    as judged, with the reason; `ended` where the plies themselves end the game
    comments  those before the first ply
    """

    size: int
    plies: tuple[Ply, ...]
    swap: str | None
    mover: str
    stones: Mapping[str, str]
    tags: Mapping[str, str]
    result: str
    reason: str | None
    ended: bool
    comments: tuple[str, ...] = field(default=())

    @property
    def swapped(self) -> bool:
        """Whether a swap was played."""
        return len(self.plies) > 1 and self.plies[1].word == "swap"

    @property
    def resigned(self) -> bool:
        """Whether the last ply is a resignation."""
        return bool(self.plies) and self.plies[-1].word == "resign"


@dataclass(frozen=True)
class Holds:
    """What a format can hold; everything else is lost."""

    names: bool = False
    tags: tuple[str, ...] = ()
    comments: bool = False
    result: bool = False
    reasons: tuple[str, ...] = ()
    resign: bool = True
    size: bool = True
    swaps: tuple[str, ...] = (SIDES, PIECES)
    options: tuple[str, ...] = ()
    stones: bool = False
    blue_first: bool = False


HOLDS: dict[str, Holds] = {
    "sgf": Holds(
        names=True,
        tags=("Event", "Date", "Site"),
        comments=True,
        result=True,
        reasons=("time", "resign"),
        stones=True,
        blue_first=True,
    ),
    "hsgf": Holds(
        names=True,
        tags=("Event", "Date"),
        comments=True,
        result=True,
        reasons=("time", "resign"),
        swaps=(PIECES,),
        options=(PIECES,),
    ),
    "six": Holds(swaps=(PIECES,), options=(PIECES, NONE), blue_first=True),
    "lines": Holds(size=False, blue_first=True),
    "hexworld": Holds(result=True),
    "trmph": Holds(resign=False, swaps=(PIECES,)),
}
"""By format. `options` are the values of `Swap` that it holds even where no swap was played."""


def write(playing: Playing, form: str) -> tuple[str, list[str]]:
    """Return the text in a format of HOLDS, with a line break at its end, and what is lost. Raises Unwritable."""
    holds = HOLDS[form]
    if playing.stones and not holds.stones:
        raise Unwritable("it begins with set-up stones, which only SGF can hold")
    if playing.mover != RED and not holds.blue_first:
        raise Unwritable(
            "Blue moves first in it, and there Red does; SGF, .six and lines can hold it"
        )
    lost = list(_lost(playing, holds, form))
    if playing.swapped and playing.swap not in holds.swaps:
        playing = mirrored(playing)
    return _WRITERS[form](playing) + "\n", lost


def _lost(playing: Playing, holds: Holds, form: str) -> Iterator[str]:
    tags = playing.tags
    if not holds.names and ("First" in tags or "Second" in tags):
        yield "the players' names"
    known = ("Game", "Size", "Swap", "First", "Second", "Result", "Termination", *holds.tags)
    others = [name for name in tags if name not in known]
    if others:
        yield f"the tag{'s' * (len(others) > 1)} {', '.join(others)}"
    if not holds.comments and (playing.comments or any(ply.comments for ply in playing.plies)):
        yield "the comments"
    if not holds.size:
        yield f"the board's size; read it with --size {playing.size}"
    if playing.swapped and playing.swap not in holds.swaps:
        yield "the form of the swap; it is written as swap-pieces, the later cells mirrored"
    elif not playing.swapped and playing.swap is not None and playing.swap not in holds.options:
        yield f'the option Swap "{playing.swap}"'
    if playing.resigned and not holds.resign:
        yield "the resignation"
    if not playing.ended and playing.result != "*":
        if not holds.result or (form == "hexworld" and playing.result == "1/2-1/2"):
            yield f"the declared result {playing.result}"
        elif playing.reason not in ("declared", *holds.reasons):
            yield f'the reason of the result, "{playing.reason}"'


def mirrored(playing: Playing) -> Playing:
    """Return the same game with the other form of the swap: the cells after it mirrored, the colours exchanged.

    The players, the plies and the result stay; the board is seen from its other side.
    """
    other = {RED: BLUE, BLUE: RED}
    after = (
        replace(ply, word=mirror(ply.word), colour=other[ply.colour]) for ply in playing.plies[2:]
    )
    form = PIECES if playing.swap == SIDES else SIDES
    return replace(playing, plies=(*playing.plies[:2], *after), swap=form)


def mirror(word: str) -> str:
    """Return the cell (y, x) of a cell (x, y); another word as it is."""
    match = _CELL.fullmatch(word)
    return label(int(match[2]) - 1, column_of(match[1])) if match is not None else word


# -- SGF -------------------------------------------------------------------------------------------------------------


def _text(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


def _comments(comments: Iterable[str]) -> str:
    said = "\n".join(comments)
    return f"C[{_text(said)}]" if said else ""


def _result(playing: Playing) -> str:
    """Return `RE`; its letter names PB or PW, the first or the second player."""
    if playing.result == "*":
        return ""
    if playing.result == "1/2-1/2":
        return "RE[0]"
    return f"RE[{'B' if playing.result == '1-0' else 'W'}+{_ENDS.get(playing.reason or '', '')}]"


def _root(playing: Playing, holds: Holds) -> list[str]:
    names = [("First", "PB"), ("Second", "PW"), *((name, _SGF_TAGS[name]) for name in holds.tags)]
    tags = playing.tags
    parts = [f"{short}[{_text(tags[name])}]" for name, short in names if tags.get(name)]
    return [f"SZ[{playing.size}]", *parts]


def _sgf(playing: Playing) -> str:
    root = [
        "(;FF[4]GM[11]CA[UTF-8]AP[pnp-referee]",
        *_root(playing, HOLDS["sgf"]),
        _result(playing),
    ]
    for name, colour in (("AB", RED), ("AW", BLUE)):
        cells = [f"[{cell}]" for cell, held in playing.stones.items() if held == colour]
        root += [name + cells[0], *cells[1:]] if cells else []
    if playing.stones or playing.mover != RED:
        root.append("PL[B]" if playing.mover == RED else "PL[W]")
    root.append(_comments(playing.comments))
    nodes = [
        f";{'B' if ply.colour == RED else 'W'}"
        f"[{ply.word if ply.word != 'swap' else f'swap-{playing.swap}'}]{_comments(ply.comments)}"
        for ply in playing.plies
    ]
    return _fill([*root, *nodes, ")"])


def _hsgf(playing: Playing) -> str:
    if playing.size > 26:
        raise Unwritable("its board has more than 26 rows, and .hsgf names each by one letter")
    nodes = [
        f";{'W' if ply.colour == RED else 'B'}[{_two_letters(ply.word)}]{_comments(ply.comments)}"
        for ply in playing.plies
    ]
    root = [
        "(;FF[4]",
        *_root(playing, HOLDS["hsgf"]),
        _result(playing),
        _comments(playing.comments),
    ]
    return _fill([*root, *nodes, ")"])


def _two_letters(word: str) -> str:
    match = _CELL.fullmatch(word)
    return match[1] + chr(96 + int(match[2])) if match is not None else word


def _fill(parts: Iterable[str]) -> str:
    """Run the parts together, with line breaks between them where a line would grow too long."""
    text: list[str] = []
    column = 0
    for part in parts:
        if column and column + len(part.split("\n", 1)[0]) > _WIDTH:
            text.append("\n")
            column = 0
        text.append(part)
        column = len(part.rpartition("\n")[2]) if "\n" in part else column + len(part)
    return "".join(text)


# -- the others ------------------------------------------------------------------------------------------------------


def _six(playing: Playing) -> str:
    words = [
        ply.word.upper() if _CELL.fullmatch(ply.word) else ply.word.capitalize()
        for ply in playing.plies
    ]
    head = [
        f"BoardSize: {playing.size}x{playing.size}",
        f"First: {'V' if playing.mover == RED else 'H'}",
        f"Swap: {0 if playing.swap == NONE else 1}",
        "Moves:",
    ]
    pairs = (" ".join(words[i : i + 2]) for i in range(0, len(words), 2))
    return "\n".join([*head, *(f"  {number}. {pair}" for number, pair in enumerate(pairs, 1))])


def _lines(playing: Playing) -> str:
    if not playing.plies:
        raise Unwritable("it has no moves, and an empty line is no record")
    return " ".join(
        f"{'B' if ply.colour == RED else 'W'}[{ply.word if ply.word != 'swap' else f'swap-{playing.swap}'}]"
        for ply in playing.plies
    )


def _hexworld(playing: Playing) -> str:
    letters = {RED: "b", BLUE: "w"}
    acts = {"swap": ":s" if playing.swap == PIECES else ":S"}
    moves = "".join(
        f":r{letters[ply.colour]}" if ply.word == "resign" else acts.get(ply.word, ply.word)
        for ply in playing.plies
    )
    if not playing.ended and playing.result in ("1-0", "0-1"):
        first = BLUE if playing.swapped and playing.swap == SIDES else RED
        second = RED if first == BLUE else BLUE
        moves += f":f{letters[second if playing.result == '1-0' else first]}"
    return f"{HEXWORLD}{playing.size},{moves}"


def _trmph(playing: Playing) -> str:
    cells = [ply.word for ply in playing.plies if ply.word != "resign"]
    if playing.swapped:
        cells[:2] = [mirror(cells[0])] * 2
    return f"{TRMPH}{playing.size},{''.join(cells)}"


_WRITERS = {
    "sgf": _sgf,
    "hsgf": _hsgf,
    "six": _six,
    "lines": _lines,
    "hexworld": _hexworld,
    "trmph": _trmph,
}
