"""The 32 cards, and the deals as text (rulings spiral-deal, spiral-board; notation.md, Moves).

A card is a number: suit · 8 + rank, suits in the order S H D C, ranks 7 8 9 T J Q K A: the order of the draws.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from pnp.spiral_layout import RANKS
from referee.core.chance import Chance
from referee.core.game import BadTag

SUITS: Final = "SHDC"
CARDS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""All cards' names by number: 7S … AS 7H … AH 7D … AD 7C … AC."""
NUMBERS: Final = {name: number for number, name in enumerate(CARDS)}

COLUMNS: Final = 4
HEIGHT: Final = 8

Column = tuple[int, ...]
"""Cards from the top of a column to the bottom, which is free."""
Columns = tuple[Column, Column, Column, Column]
NO_COLUMNS: Final[Columns] = ((), (), (), ())

_PLAIN: Final = str.maketrans(
    {c: c.upper() for c in "shdctjqka"}
    | dict(zip("♠♥♦♣♤♡♢♧", SUITS * 2, strict=True))
    | {"\ufe0f": None}  # follows a suit where a mail program shows it in colour
)
_CARD: Final = rf"(?:[{RANKS}][{SUITS}]|[{SUITS}][{RANKS}])"
_ONE: Final = re.compile(_CARD)
_PAIR: Final = re.compile(rf"(~?)({_CARD})\+?({_CARD})")


def _plain(word: str) -> str:
    """Return a word with suits as letters, all in capitals, ten as T."""
    return word.translate(_PLAIN).replace("10", "T")


def _number(card: str) -> int:
    """Return the number of a card whose rank and suit stand in either order."""
    return NUMBERS[card if card[0] in RANKS else card[::-1]]


def read_card(word: str) -> int | None:
    """Return the number of a card in any form of notation.md (`9S`, `♠9`, `s9`, `10s`), None for no card."""
    plain = _plain(word)
    return _number(plain) if _ONE.fullmatch(plain) else None


def read_pair(word: str) -> tuple[bool, int, int] | None:
    """Return whether a word is Dr. Brooks' (`~`), and its two cards in the order written; None for no such form."""
    match = _PAIR.fullmatch(_plain(word))
    return (match[1] == "~", _number(match[2]), _number(match[3])) if match else None


def pair_text(one: int, other: int) -> str:
    """Return the canonical token of two cards, `9S+QC`."""
    return f"{CARDS[one]}+{CARDS[other]}"


def deal_text(columns: Columns) -> str:
    """Return the value of a `Deal` tag: `7S QH … / … / … / …`, each column from the top."""
    return " / ".join(" ".join(CARDS[card] for card in column) for column in columns)


def parse_deal(name: str, value: str) -> Columns | BadTag:
    """Return the columns that a `Deal` tag gives, or the first thing wrong in it, with its place (code `deal`)."""
    columns: list[Column] = []
    dealt: set[int] = set()
    start = 0
    for part in value.split("/"):
        if len(columns) == COLUMNS:
            return _bad(name, "a deal has four columns; a fifth begins here", start - 1, len(value))
        cards = [NUMBERS.get(word, -1) for word in part.split()]
        fresh = set(cards)
        if len(cards) != HEIGHT or len(fresh) != HEIGHT or -1 in fresh or fresh & dealt:
            return _column_fault(name, part, start, columns)
        dealt |= fresh
        columns.append(tuple(cards))
        start += len(part) + 1
    if len(columns) < COLUMNS:
        count = f"{len(columns)} column{'s' if len(columns) > 1 else ''}"
        message = f"a deal has four columns of eight cards, / between them, not {count}"
        return _bad(name, message, 0, len(value))
    return (columns[0], columns[1], columns[2], columns[3])


def _column_fault(name: str, part: str, start: int, before: list[Column]) -> BadTag:
    """Return what is wrong first in the column whose text `part` begins at offset `start`, after `before`."""
    at = len(before) + 1
    seen = {card: number for number, column in enumerate(before, 1) for card in column}
    count = 0
    for match in re.finditer(r"\S+", part):
        text, begin, end = match[0], start + match.start(), start + match.end()
        card = NUMBERS.get(text)
        if card is None:
            return _bad(name, _no_card(text), begin, end)
        if card in seen:
            message = f"{text} lies in column {seen[card]} already; each card comes once"
            return _bad(name, message, begin, end)
        if count == HEIGHT:
            message = f"column {at} has eight cards already; begin the next one with /"
            return _bad(name, message, begin, end)
        seen[card] = at
        count += 1
    message = f"column {at} has {count} cards; it must have eight"
    return _bad(name, message, start, start + len(part))


def _bad(name: str, message: str, start: int, end: int) -> BadTag:
    return BadTag(name, f"{name}: {message}", "deal", start, end, "spiral-deal")


def _no_card(text: str) -> str:
    card = read_card(text)
    if card is not None:
        return f"{text} is written {CARDS[card]} in a deal"
    return f"{text} is no card; a card is one of {' '.join(RANKS)} and one of {' '.join(SUITS)}, such as 9S"


@lru_cache(maxsize=256)
def drawn(chance: Chance, number: int) -> Columns:
    """Return deal `number` (from 1) of a seeded game: 32 draws a deal, column 1 first, top card first (mail.md)."""
    left = list(range(len(CARDS)))
    before = (number - 1) * len(CARDS)
    cards = [left.pop(chance.draw(before + n, len(left))) for n in range(1, len(CARDS) + 1)]
    one, two, three, four = (tuple(cards[at : at + HEIGHT]) for at in range(0, len(CARDS), HEIGHT))
    return (one, two, three, four)
