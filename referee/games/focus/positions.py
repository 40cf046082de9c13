"""Focus positions as text (notation.md, Positions as text)."""

from __future__ import annotations

import re

from referee.core.verdict import FIRST, SECOND, Rejected
from referee.games.focus.board import (
    CELLS,
    COLOURS,
    EMPTY,
    HIGHEST,
    LETTERS,
    PIECES,
    ROW_LENGTHS,
    TEXTS,
    encode,
)
from referee.games.focus.state import Position, Setup, arranged

_PILE = re.compile(r"-|[wb]+")
_RESERVE = re.compile(r"([wb])([0-9]{1,2})")


def write(position: Position) -> str:
    """Return rows from the top as seen, piles from bottom to top, the player to move, the reserves."""
    rows = []
    at = 0
    for length in ROW_LENGTHS:
        rows.append(",".join([TEXTS[pile] for pile in position.cells[at : at + length]]))
        at += length
    mover = "-" if position.to_move is None else LETTERS[position.to_move]
    return f"{'/'.join(rows)} {mover} w{position.reserve[0]} b{position.reserve[1]}"


def read(text: str, mover: str | None = None) -> Position | Rejected:
    """Return the position of a text; `mover` ("white" or "black") is to move where the text does not say.

    Reserves that are left out are empty. The text does not tell a drop set-up from a game in which pieces were
    captured; only its first two positions, in which nobody else could be to move, are read as the set-up.
    """
    board, *rest = text.lower().split() or [""]
    cells = _read_board(board)
    if isinstance(cells, Rejected):
        return cells
    to_move: int | None = COLOURS.index(mover) if mover in COLOURS else FIRST
    if rest and rest[0] in ("w", "b", "-"):
        to_move = None if rest[0] == "-" else LETTERS.index(rest[0])
        rest = rest[1:]
    reserve = _read_reserve(rest)
    if isinstance(reserve, Rejected):
        return reserve
    fault = _too_many(cells, reserve)
    if fault is not None:
        return fault
    pieces = [TEXTS[pile] for pile in cells if pile != EMPTY]
    if reserve == (0, 0) and (pieces, to_move) in (([], FIRST), (["w"], SECOND)):
        return arranged(Setup(drop=True), cells, reserve, to_move, 2 * PIECES - len(pieces))
    if not pieces and to_move is not None and not reserve[to_move]:
        return _wrong(
            f"with no piece for {COLOURS[to_move].capitalize()} this is no position of a game"
        )
    return arranged(Setup(), cells, reserve, to_move)


def _wrong(message: str) -> Rejected:
    return Rejected("syntax", None, message)


def _read_board(board: str) -> bytes | Rejected:
    rows = board.split("/")
    if len(rows) != len(ROW_LENGTHS):
        return _wrong(
            f"a Focus position has {len(ROW_LENGTHS)} rows with / between them, not {len(rows)}"
        )
    cells = bytearray()
    for number, (row, length) in enumerate(zip(rows, ROW_LENGTHS, strict=True), 1):
        piles = row.split(",")
        if len(piles) != length:
            return _wrong(
                f"row {number} from the top has {len(piles)} cells; it needs {length}, with , between"
            )
        for place, pile in enumerate(piles, 1):
            if not _PILE.fullmatch(pile):
                return _wrong(
                    f"row {number} from the top, cell {place}: {pile!r} is no pile; write w and b, or - if empty"
                )
            if len(pile) > HIGHEST:
                return _wrong(
                    f"row {number} from the top, cell {place}: {pile} is {len(pile)} high; {HIGHEST} is the most"
                )
            cells.append(encode(pile.strip("-")))
    assert len(cells) == CELLS
    return bytes(cells)


def _read_reserve(words: list[str]) -> tuple[int, int] | Rejected:
    counts = {"w": 0, "b": 0}
    seen = set()
    for word in words:
        match = _RESERVE.fullmatch(word)
        if match is None or match[1] in seen:
            return _wrong(
                f"{word!r} does not belong after the rows; write w or b to move (- after the end), "
                "then the reserves: w w0 b0"
            )
        seen.add(match[1])
        counts[match[1]] = int(match[2])
    return (counts["w"], counts["b"])


def _too_many(cells: bytes, reserve: tuple[int, int]) -> Rejected | None:
    shown = "".join(TEXTS[pile] for pile in cells)
    for player, colour in enumerate(COLOURS):
        number = shown.count(LETTERS[player]) + reserve[player]
        if number > PIECES:
            return _wrong(f"the text shows {number} {colour} pieces; each player has {PIECES}")
    return None
