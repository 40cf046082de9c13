"""Search within a deal: all cards lie open, so what each choice leads to is known until cards are dealt again.

A deal's 32 ranks stand in one tuple, column after column, each from its free card upwards. How many cards of each
column are used is one number, four bits a column; card n of column c is deck[8 · c + n].
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from referee.study.spiral.table import FULL, LINE, Table

COLUMNS: Final = 4
HEIGHT: Final = 8
RANKS: Final = 8
EMPTY: Final = 0x8888
"""The bits of `used` that say that a column is empty."""
EACH: Final = 0x1111
CYCLE: Final = 0x7777

Deck = tuple[int, ...]
Pick = tuple[int, int]
"""Two columns, from 0; the same one twice for its bottom two cards."""
PICKS: Final[tuple[Pick, ...]] = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
SAME: Final[tuple[Pick, ...]] = tuple((column, column) for column in range(COLUMNS))

WON, LOST = "won", "lost"


class Rules(NamedTuple):
    """A variant on a layout."""

    table: Table
    same_column: bool = False
    cycle: bool = False

    def picks(self, used: int) -> list[Pick]:
        """Return the choices of columns; no column is empty here."""
        if not self.same_column:
            return list(PICKS)
        return [
            *PICKS,
            *(pick for pick in SAME if self.cycle or used >> 4 * pick[0] & 15 < HEIGHT - 1),
        ]


class State(NamedTuple):
    """A board when the player is to take cards, or when cards are to be dealt.

    own, hers   the player's and Dr. Brooks' pieces, as bits along the spiral
    used        the cards used of each column, 0 where cards are to be dealt
    due         True where she places first from the new cards: a column ran empty after the player's piece
    """

    own: int
    hers: int
    used: int = 0
    due: bool = False


Board = tuple[int, int, int, bool]
"""A State as a plain tuple, which is made in a third of the time."""


class After(NamedTuple):
    """What a turn leads to: `end` is WON, LOST or None; `dealt` True where new cards are wanted."""

    state: State
    end: str | None = None
    dealt: bool = False


def turn(rules: Rules, deck: Deck, state: State, pick: Pick) -> After:
    """Return what the player's choice and Dr. Brooks' answer lead to (spiral-turn, spiral-redeal, spiral-win)."""
    own, hers, used, _ = state
    table = rules.table
    one, other = pick
    filled = own | hers
    first = used >> 4 * one & 15
    if one == other:
        second = first + 1 & 7 if rules.cycle else first + 1
    else:
        second = used >> 4 * other & 15
    named = table.named[deck[one << 3 | first] << 3 | deck[other << 3 | second]]
    empty = FULL & ~filled
    outwards = empty & (2 << named) - 1
    cell = 1 << outwards.bit_length() - 1 if outwards else empty & -empty
    own |= cell
    if own.bit_count() >= LINE:
        made = table.made(own, cell)
        if made:
            return After(State(own, hers), WON if made == 2 else LOST)
    used += (1 << 4 * one) + (1 << 4 * other)
    if rules.cycle:
        used &= CYCLE
    elif used & EMPTY:
        return After(State(own, hers, 0, True), None, True)
    return brooks(rules, deck, State(own, hers, used))


def brooks(rules: Rules, deck: Deck, state: State) -> After:
    """Return what Dr. Brooks' two pieces lead to (spiral-turn); they win for her with a fork or a bridge."""
    own, hers, used, _ = state
    table = rules.table
    named = table.named
    pieces = 0
    for base in (0, 2):
        one = deck[base << 3 | used >> 4 * base & 15]
        other = deck[base + 1 << 3 | used >> 4 * (base + 1) & 15]
        empty = FULL & ~(own | hers)
        outwards = empty & (2 << named[one << 3 | other]) - 1
        cell = 1 << outwards.bit_length() - 1 if outwards else empty & -empty
        hers |= cell
        pieces |= cell
    if hers.bit_count() >= LINE and (
        table.made(hers, pieces & -pieces) or table.made(hers, pieces & pieces - 1)
    ):
        return After(State(own, hers), LOST)
    used += EACH
    if rules.cycle:
        used &= CYCLE
    elif used & EMPTY:
        return After(State(own, hers), None, True)
    return After(State(own, hers, used))


def shuffled(rng: Random) -> Deck:
    """Return a fresh deal (spiral-deal); suits do not matter."""
    cards = [card % RANKS for card in range(COLUMNS * HEIGHT)]
    rng.shuffle(cards)
    return tuple(cards)
