"""Spiral, slowly: the board as a table, groups by flooding after every piece (spiral-* of the rules page)."""

from __future__ import annotations

ROWS = (
    "77 78 79 7T",
    "9J 9Q 9K 9A 7J",
    "9T JA QQ QK TT 7Q",
    "99 JK AA () QA TJ 7K",
    "8A JQ KA KK TQ 7A",
    "8K JJ TA TK 88",
    "8Q 8J 8T 89",
)
RANKS = "789TJQKA"
SPIRAL = [a + b for i, a in enumerate(RANKS) for b in RANKS[i:]] + ["()"]

# Cells by cube coordinates: row r from -3 to 3, q along the row; three coordinates always sum to zero.
WHERE: dict[str, tuple[int, int]] = {}
for _r, _row in enumerate(ROWS, -3):
    for _k, _cell in enumerate(_row.split()):
        WHERE[_cell] = (_k + max(-3, -3 - _r), _r)
AT = {place: cell for cell, place in WHERE.items()}


def sides(cell: str) -> set[int]:
    """The sides a cell lies on, numbered round the board; a corner lies on two."""
    q, r = WHERE[cell]
    s = -q - r
    return {k for k, on in enumerate((r == -3, q == 3, s == -3, r == 3, q == -3, s == 3)) if on}


def near(cell: str) -> list[str]:
    """The cells that touch a cell."""
    q, r = WHERE[cell]
    around = ((q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1))
    return [AT[p] for p in around if p in AT]


class Slow:
    """One Spiral game; `deals` are lists of four columns, each from the top card to the bottom one."""

    def __init__(self, options: dict[str, str], deals: list[list[list[str]]]) -> None:
        self.same = options.get("SameColumn") == "yes"
        self.cycle = options.get("Cycle") == "yes"
        self.deals = deals
        self.used = 1
        self.columns = [list(c) for c in deals[0]]
        self.board: dict[str, str] = {}
        self.over: tuple[str, str] | None = None
        self.needs: str | None = None
        self.brooks_waits = False

    @property
    def to_move(self) -> str | None:
        return None if self.over else "first"

    def legal(self) -> set[frozenset[str]]:
        """All pairs of cards that may be taken, as sets of two."""
        if self.over or self.needs:
            return set()
        pairs = set()
        for i in range(4):
            for j in range(i + 1, 4):
                pairs.add(frozenset((self.columns[i][-1], self.columns[j][-1])))
            if self.same and len(self.columns[i]) >= 2:
                pairs.add(frozenset(self.columns[i][-2:]))
        return pairs

    def _take(self, card: str) -> None:
        for column in self.columns:
            if column and column[-1] == card:
                column.pop()
                if self.cycle:
                    column.insert(0, card)
                return
        raise AssertionError(card)

    def _place(self, one: str, two: str, who: str) -> None:
        low, high = sorted((one[0], two[0]), key=RANKS.index)
        named = SPIRAL.index(low + high)
        way = [named, *range(named - 1, -1, -1), *range(named + 1, 37)]
        cell = next(SPIRAL[i] for i in way if SPIRAL[i] not in self.board)
        self.board[cell] = who
        fork, bridge = self._shapes(who)
        if who == "p" and (fork or bridge):
            self.over = ("1-0", "fork") if fork else ("0-1", "bridge")
        elif fork or bridge:
            self.over = ("0-1", "fork" if fork else "bridge")

    def _shapes(self, who: str) -> tuple[bool, bool]:
        fork = bridge = False
        left = {c for c, w in self.board.items() if w == who}
        while left:
            group = {left.pop()}
            todo = list(group)
            while todo:
                for other in near(todo.pop()):
                    if other in left:
                        left.remove(other)
                        group.add(other)
                        todo.append(other)
            touched = set().union(*(sides(c) for c in group))
            fork = fork or {0, 2, 4} <= touched or {1, 3, 5} <= touched
            bridge = bridge or any({k, k + 3} <= touched for k in range(3))
        return fork, bridge

    def _redeal(self) -> bool:
        """Deal again where a column is empty; False if the deal is not there."""
        if all(self.columns):
            return True
        if self.used == len(self.deals):
            self.needs = "deal"
            return False
        self.columns = [list(c) for c in self.deals[self.used]]
        self.used += 1
        return True

    def play(self, one: str, two: str) -> None:
        """The player's turn with two cards, then Dr. Brooks' turn."""
        assert frozenset((one, two)) in self.legal()
        bottoms = {c[-1] for c in self.columns if c}
        first, second = (one, two) if one in bottoms else (two, one)
        if first in bottoms and second in bottoms:
            self._take(first)
            self._take(second)
        else:
            # both from one column: the lower card is used first
            self._take(first)
            if self.cycle:
                column = next(c for c in self.columns if c[-1] == second)
                column.pop()
                column.insert(0, second)
            else:
                self._take(second)
        self._place(one, two, "p")
        if self.over:
            return
        if self._redeal():
            self._brooks()

    def _brooks(self) -> None:
        for i, j in ((0, 1), (2, 3)):
            one, two = self.columns[i][-1], self.columns[j][-1]
            self._take(one)
            self._take(two)
            self._place(one, two, "b")
            if self.over:
                return
        self._redeal()

    def text(self) -> str:
        cells = "".join(self.board.get(c, ".") for c in SPIRAL)
        return f"{cells} {'/'.join(''.join(c) for c in self.columns)}"
