"""Lightning as text: the tokens of moves, and positions (notation.md)."""

from __future__ import annotations

import re
from typing import Final

from referee.core.verdict import FIRST, SECOND, Rejected
from referee.games.lightning.lines import CELLS, EMPTY, INDEX, SECTIONS, Line, State, Tile, grow
from referee.games.lightning.position import (
    Drawn,
    Move,
    OffBoard,
    Place,
    Position,
    Setup,
    Special,
    ToPool,
    pack,
    start,
    unpack,
)
from referee.games.lightning.tiles import EACH, KIND_OF, KINDS, POINTS

_PLACE = re.compile(r"(pool:)?(iii|ii|iv|i|v)@([a-z]+[0-9]+):([nesw]{1,2})-([nesw]{1,2})")
_OTHER = re.compile(r"(iii|ii|iv|i|v)@(pool|\?)")
_TILE = re.compile(r"([a-z]+[0-9]+):([nesw]{1,2})-([nesw]{1,2})")
_KIND: Final = {name.lower(): kind for kind, name in enumerate(KINDS)}
_POINT: Final = {name: point for point, name in enumerate(POINTS)}
_TO_MOVE: Final = {"1": FIRST, "2": SECOND, "-": None}
_MOVER: Final = {mover: sign for sign, mover in _TO_MOVE.items()}
_FORMS = "III@d1:s-ne (drawn), pool:III@d1:s-ne (from the pool), III@pool or pass"
_KNOWN: Final[dict[str, Place]] = {}
"""Placements read before, by canonical token: at most 17,408, each tile in each turn on each cell from each source."""


def parse_move(word: str) -> Move | Rejected:
    """Return the move that a word means, without looking at a position; `syntax` for no form of Lightning's."""
    known = _KNOWN.get(word)
    if known is not None:
        return known
    low = word.lower()
    match = _PLACE.fullmatch(low)
    if match is not None:
        source, kind, label, entry, leaving = match.groups()
        if entry not in _POINT or leaving not in _POINT:
            wrong = leaving if entry in _POINT else entry
            return Rejected(
                "syntax", None, f"{wrong} is no point of a tile; write one of {' '.join(POINTS)}"
            )
        cell = INDEX.get(label)
        if cell is None:
            return OffBoard(label)
        place = Place(_KIND[kind], Tile(cell, _POINT[entry], _POINT[leaving]), source is not None)
        if KIND_OF[place.tile.entry][place.tile.exit] == place.kind and word == format_move(place):
            _KNOWN[word] = place
        return place
    match = _OTHER.fullmatch(low)
    if match is not None:
        kind_number = _KIND[match[1]]
        return ToPool(kind_number) if match[2] == "pool" else Drawn(kind_number)
    if low == "pass":
        return Special.PASS
    return Rejected("syntax", None, f"{word} is no Lightning move; write {_FORMS}")


def format_tile(tile: Tile) -> str:
    """Return `cell:entry-exit`."""
    return f"{CELLS[tile.cell].label}:{POINTS[tile.entry]}-{POINTS[tile.exit]}"


def format_move(move: Move) -> str:
    """Return a move's canonical token; of a cell that is none, the cell."""
    if isinstance(move, Place):
        return f"{'pool:' if move.from_pool else ''}{KINDS[move.kind]}@{format_tile(move.tile)}"
    if isinstance(move, ToPool):
        return f"{KINDS[move.kind]}@pool"
    if isinstance(move, Drawn):
        return f"{KINDS[move.kind]}@?"
    return move.cell if isinstance(move, OffBoard) else move.value


def format_position(position: Position) -> str:
    """Return section 1, section 2, pool, pile, the player to move and a tile drawn and not yet placed, `|` between."""
    parts = [",".join(format_tile(tile) for tile in line.tiles()) for line in position.lines]
    parts += [
        ",".join(str(count) for count in unpack(packed))
        for packed in (position.pool, position.pile)
    ]
    parts.append(_MOVER[position.to_move])
    if position.pending is not None:
        parts.append(KINDS[position.pending])
    return "|".join(parts)


def parse_position(text: str) -> Position | Rejected:
    """Return the position of a text, or what is wrong in it. Counts are taken as they stand, each up to 30."""
    parts = ["".join(part.split()).lower() for part in text.split("|")]
    if not 5 <= len(parts) <= 6:
        return _wrong(
            f"a Lightning position is section|section|pool|pile|player to move, five parts and not {len(parts)}"
        )
    position = start(Setup())
    lines = []
    for section in range(SECTIONS):
        line = _parse_line(parts[section], section)
        if isinstance(line, Rejected):
            return line
        lines.append(line)
    position.lines = (lines[0], lines[1])
    for name, part in (("pool", parts[2]), ("pile", parts[3])):
        counts = part.split(",")
        if len(counts) != len(KINDS) or not all(
            re.fullmatch(r"[0-9]{1,2}", c) and int(c) <= EACH for c in counts
        ):
            return _wrong(
                f"the {name} is five counts from 0 to {EACH}, I to V, such as 0,1,0,0,2; {part!r} is not"
            )
        setattr(position, name, pack(tuple(int(count) for count in counts)))
    if parts[4] not in _TO_MOVE:
        return _wrong(f"the player to move is 1, 2 or - (after the end), not {parts[4]!r}")
    if len(parts) == 6:
        if parts[5] not in _KIND:
            return _wrong(f"the drawn tile is one of {' '.join(KINDS)}, not {parts[5]!r}")
        position.pending = _KIND[parts[5]]
    return _ended(position, _TO_MOVE[parts[4]])


def _parse_line(text: str, section: int) -> Line | Rejected:
    line = EMPTY
    for number, word in enumerate(text.split(",") if text else (), 1):
        where = f"section {section + 1}, tile {number}, {word}"
        match = _TILE.fullmatch(word)
        if match is None or match[2] not in _POINT or match[3] not in _POINT:
            return _wrong(f"{where}: write a tile as cell:entry-exit, such as d1:s-ne")
        index = INDEX.get(match[1])
        if index is None or CELLS[index].section != section:
            return _wrong(f"{where}: {match[1]} is no cell of section {section + 1}")
        tile = Tile(index, _POINT[match[2]], _POINT[match[3]])
        if KIND_OF[tile.entry][tile.exit] is None:
            return _wrong(f"{where}: no tile joins {match[2]} and {match[3]}")
        if line.filled & CELLS[index].bit:
            return _wrong(f"{where}: {match[1]} holds a tile already")
        if not line.joints & tile.start_at:
            return _wrong(f"{where}: the line cannot go on there after the tiles before it")
        line = grow(line, tile)
    return line


def _ended(position: Position, to_move: int | None) -> Position | Rejected:
    """Set the player to move and, where the lines decide the game, its result."""
    states = [line.state for line in position.lines]
    complete = [section for section, state in enumerate(states) if state is State.COMPLETE]
    if len(complete) == SECTIONS:
        return _wrong("both lines are complete; the game ends with the first of them")
    if complete:
        position.result, position.reason = "0-1" if complete[0] else "1-0", "complete"
    elif states == [State.DEAD] * SECTIONS:
        position.result, position.reason = "1/2-1/2", "both-dead"
    if position.reason is not None and to_move is not None:
        return _wrong(f"the game is over ({position.reason}); write - for the player to move")
    position.to_move = to_move
    return position


def _wrong(message: str) -> Rejected:
    return Rejected("syntax", None, message)
