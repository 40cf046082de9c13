"""Spiral a second time, slowly and from the rules' sentences alone, to hold the fast rules against.

Cells go by their pairs of ranks, cards by their names; nothing here is shared with the referee.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import cache

RANKS = "789TJQKA"
DECK = [rank + suit for suit in "SHDC" for rank in RANKS]
ROWS = [
    ["77", "78", "79", "7T"],
    ["9J", "9Q", "9K", "9A", "7J"],
    ["9T", "JA", "QQ", "QK", "TT", "7Q"],
    ["99", "JK", "AA", "()", "QA", "TJ", "7K"],
    ["8A", "JQ", "KA", "KK", "TQ", "7A"],
    ["8K", "JJ", "TA", "TK", "88"],
    ["8Q", "8J", "8T", "89"],
]
SPIRAL = [a + b for i, a in enumerate(RANKS) for b in RANKS[i:]] + ["()"]
MIDDLES = {
    label: (abs(3 - y) / 2 + x, y * 3**0.5 / 2)
    for y, row in enumerate(ROWS)
    for x, label in enumerate(row)
}
SIDES = [
    set(ROWS[0]),
    {row[-1] for row in ROWS[:4]},
    {row[-1] for row in ROWS[3:]},
    set(ROWS[6]),
    {row[0] for row in ROWS[3:]},
    {row[0] for row in ROWS[:4]},
]


@cache
def touch(one: str, other: str) -> bool:
    """Whether two cells share a side: their middles lie one cell apart."""
    (x0, y0), (x1, y1) = MIDDLES[one], MIDDLES[other]
    return abs((x0 - x1) ** 2 + (y0 - y1) ** 2 - 1) < 1e-9


def chain_of(cells: set[str], start: str) -> set[str]:
    """The cells of a set that hang together with one of them."""
    found = {start}
    while True:
        more = {c for c in cells - found if any(touch(c, f) for f in found)}
        if not more:
            return found
        found |= more


def what_joins(chain: set[str]) -> set[str]:
    """Whether a chain is a fork, a bridge, both or neither."""
    on = [bool(chain & side) for side in SIDES]
    made = set()
    if (on[0] and on[2] and on[4]) or (on[1] and on[3] and on[5]):
        made.add("fork")
    if any(on[n] and on[n + 3] for n in range(3)):
        made.add("bridge")
    return made


def deal_by_seed(
    seed: str, number: int, game_id: str = "", word1: str = "", word2: str = ""
) -> list[list[str]]:
    """Deal `number` of a seed by mail.md's sentence, HMAC written out."""
    left = list(DECK)
    columns: list[list[str]] = []
    for n in range(32 * number - 31, 32 * number + 1):
        k = 0
        while True:
            text = f"draw\n{game_id}\n{n}\n{k}\n{word1}\n{word2}\n"
            value = int(
                hmac.new(bytes.fromhex(seed), text.encode(), hashlib.sha256).hexdigest(), 16
            )
            if value < len(left) * (2**256 // len(left)):
                break
            k += 1
        card = left.pop(value % len(left))
        if len(left) % 8 == 7:
            columns.append([])
        columns[-1].append(card)
    return columns


class Plainly:
    """A game under way. `events` tells what every piece did: (whose, named cell, cell, what it made)."""

    def __init__(
        self, deals: list[list[list[str]]], *, same_column: bool = False, cycle: bool = False
    ) -> None:
        self.deals = [[list(column) for column in deal] for deal in deals]
        self.columns: list[list[str]] = self.deals.pop(0) if self.deals else [[], [], [], []]
        self.same_column, self.cycle = same_column, cycle
        self.pieces: dict[str, str] = {}
        self.turns = 0
        self.result, self.reason = "*", None
        self.needs = None if all(self.columns) else "deal"
        self.events: list[tuple[str, str, str, set[str]]] = []

    def copy(self) -> Plainly:
        """The same game, to try a turn in."""
        new = Plainly(self.deals, same_column=self.same_column, cycle=self.cycle)
        new.deals = [[list(column) for column in deal] for deal in self.deals]
        new.columns = [list(column) for column in self.columns]
        new.pieces = dict(self.pieces)
        new.turns, new.result, new.reason, new.needs = (
            self.turns,
            self.result,
            self.reason,
            self.needs,
        )
        new.events = list(self.events)
        return new

    def may_take(self, one: str, other: str) -> bool:
        """Whether the player may take these two cards now."""
        if self.result != "*" or self.needs:
            return False
        bottoms = [column[-1] for column in self.columns]
        if one in bottoms and other in bottoms and one != other:
            return True
        return self.same_column and any(
            len(c) > 1 and {one, other} == {c[-1], c[-2]} for c in self.columns
        )

    def turn(self, one: str, other: str) -> None:
        """The player's turn with two cards that he may take, and Dr. Brooks' answer."""
        self.turns += 1
        for _ in range(2):  # in one column the second card comes free when the first is gone
            for column in self.columns:
                if column and column[-1] in (one, other):
                    self._use(column)
        self._piece("p", one, other)
        self._deal_again()
        for pair in (self.columns[:2], self.columns[2:]):
            if self.result == "*" and not self.needs:
                self._piece("b", self._use(pair[0]), self._use(pair[1]))
        self._deal_again()

    def _use(self, column: list[str]) -> str:
        card = column.pop()
        if self.cycle:
            column.insert(0, card)
        return card

    def _piece(self, whose: str, one: str, other: str) -> None:
        low, high = sorted((one[0], other[0]), key=RANKS.index)
        named = SPIRAL.index(low + high)
        outwards = list(range(named, -1, -1))
        inwards = list(range(named + 1, 37))
        cell = next(SPIRAL[at] for at in outwards + inwards if SPIRAL[at] not in self.pieces)
        self.pieces[cell] = whose
        made = what_joins(chain_of({c for c, w in self.pieces.items() if w == whose}, cell))
        self.events.append((whose, low + high, cell, made))
        if made:
            self.reason = "fork" if "fork" in made else "bridge"
            self.result = "1-0" if whose == "p" and self.reason == "fork" else "0-1"

    def _deal_again(self) -> None:
        if self.result != "*" or self.needs or all(self.columns):
            return
        if self.deals:
            self.columns = self.deals.pop(0)
        else:
            self.needs = "deal"

    def text(self) -> str:
        """The position as notation.md writes it."""
        cells = "".join(self.pieces.get(cell, ".") for cell in SPIRAL)
        return cells + " " + "/".join("".join(column) for column in self.columns)
