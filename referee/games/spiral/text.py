"""Spiral positions as text: 37 characters along the spiral, then the columns (notation.md, Positions as text)."""

from __future__ import annotations

import re

from referee.core.verdict import Rejected
from referee.games.spiral.board import CELLS
from referee.games.spiral.cards import CARDS, COLUMNS, HEIGHT, Column, read_card
from referee.games.spiral.rules import Position, Setup, arranged

_COLUMN = re.compile(r"..")


def position_text(position: Position) -> str:
    """Return the position as text, the player's pieces `p`, Dr. Brooks' `b`."""
    filled, own = position.filled, position.own
    cells = "".join("p" if own >> c & 1 else "b" if filled >> c & 1 else "." for c in range(CELLS))
    columns = "/".join("".join(CARDS[card] for card in column) for column in position.columns)
    return f"{cells} {columns}"


def parse_position(text: str) -> Position | Rejected:
    """Return the position that a text shows, the player to move; over where a side has a fork or a bridge.

    An empty column, or none at all, means that a deal is due. A Rejected (code `syntax`) says what is wrong.
    """
    words = text.split()
    if not words or len(words) > 2:
        return _wrong(
            "it is 37 characters along the spiral, a blank, and four columns of cards with / between them"
        )
    cells = words[0]
    for at, char in enumerate(cells, 1):
        if char not in ".pbPB":
            return _wrong(f"character {at}, {char!r}, is no cell; write . p or b")
    if len(cells) != CELLS:
        return _wrong(f"the spiral has {CELLS} cells, not {len(cells)}")
    columns = _columns(words[1] if len(words) == 2 else "///")
    if isinstance(columns, Rejected):
        return columns
    own = sum(1 << at for at, char in enumerate(cells) if char in "pP")
    hers = sum(1 << at for at, char in enumerate(cells) if char in "bB")
    dealt = (columns[0], columns[1], columns[2], columns[3]) if any(columns) else None
    return arranged(Setup(), own, hers, dealt)


def _columns(text: str) -> list[Column] | Rejected:
    parts = text.split("/")
    if len(parts) != COLUMNS:
        return _wrong(f"there are four columns with / between them, not {len(parts)}")
    seen: set[int] = set()
    columns = []
    for number, part in enumerate(parts, 1):
        column = []
        for name in _COLUMN.findall(part) if len(part) % 2 == 0 else [part]:
            card = read_card(name)
            if card is None:
                return _wrong(
                    f"{name} in column {number} is no card; run the cards together, such as 7SQH"
                )
            if card in seen:
                return _wrong(f"{CARDS[card]} lies on the table twice")
            seen.add(card)
            column.append(card)
        if len(column) > HEIGHT:
            return _wrong(f"column {number} has {len(column)} cards; eight is the most")
        columns.append(tuple(column))
    return columns


def _wrong(message: str) -> Rejected:
    return Rejected("syntax", None, f"this is no Spiral position: {message}")
