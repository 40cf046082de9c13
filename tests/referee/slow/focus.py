"""Focus, slowly: piles as lists, every move tried by hand (focus-* of the rules page)."""

from __future__ import annotations

MISSING = {"a1", "b1", "a2", "g1", "h1", "h2", "a7", "a8", "b8", "h7", "h8", "g8"}
CELLS = [f"{c}{r}" for r in range(8, 0, -1) for c in "abcdefgh" if f"{c}{r}" not in MISSING]
COLOURS = ("w", "b")


def _setup() -> dict[str, list[str]]:
    piles: dict[str, list[str]] = {cell: [] for cell in CELLS}
    for row in range(2, 8):
        line = "wwbbww" if row % 2 == 1 else "bbwwbb"
        for column, colour in zip("bcdefg", line, strict=True):
            piles[f"{column}{row}"] = [colour]
    return piles


class Slow:
    """One Focus game."""

    def __init__(self, options: dict[str, str]) -> None:
        self.own_drops = options.get("Drops") == "own"
        self.draw_first = options.get("Draw") == "first"
        self.dropping = options.get("Setup") == "drop"
        self.piles = {cell: [] for cell in CELLS} if self.dropping else _setup()
        self.reserve = {"w": 0, "b": 0}
        self.unplaced = {"w": 18, "b": 18} if self.dropping else {"w": 0, "b": 0}
        self.mover = "w"
        self.over: tuple[str, str] | None = None
        self.seen: list[object] = []
        if not self.dropping:
            self.seen.append(self._key())

    @property
    def to_move(self) -> str | None:
        if self.over:
            return None
        return "first" if self.mover == "w" else "second"

    def _key(self) -> object:
        return (
            self.mover,
            tuple(sorted(self.reserve.items())),
            tuple(tuple(self.piles[c]) for c in CELLS),
        )

    def _owns(self, cell: str) -> bool:
        return bool(self.piles[cell]) and self.piles[cell][-1] == self.mover

    def legal(self) -> set[str]:
        if self.over:
            return set()
        if self.dropping:
            return {
                f"+{c}"
                for c in CELLS
                if not self.piles[c] or (self._owns(c) and len(self.piles[c]) < 5)
            }
        moves: set[str] = set()
        for cell in CELLS:
            if not self._owns(cell):
                continue
            for k in range(1, len(self.piles[cell]) + 1):
                for dx, dy in ((k, 0), (-k, 0), (0, k), (0, -k)):
                    there = f"{chr(ord(cell[0]) + dx)}{int(cell[1:]) + dy}"
                    if there in self.piles:
                        moves.add(f"{cell}-{there}")
        if self.reserve[self.mover]:
            for cell in CELLS:
                if not self.own_drops or not self.piles[cell] or self._owns(cell):
                    moves.add(f"+{cell}")
        return moves

    def may_claim(self) -> bool:
        return not self.over and not self.dropping and self.seen.count(self._key()) >= 3

    def play(self, token: str) -> None:
        assert token in self.legal(), token
        if token[0] == "+":
            cell = token[1:]
            if self.dropping:
                self.unplaced[self.mover] -= 1
            else:
                self.reserve[self.mover] -= 1
            self.piles[cell].append(self.mover)
        else:
            start, cell = token.split("-")
            k = abs(ord(start[0]) - ord(cell[0])) + abs(int(start[1:]) - int(cell[1:]))
            pile = self.piles[start]
            self.piles[cell].extend(pile[len(pile) - k :])
            del pile[len(pile) - k :]
        while len(self.piles[cell]) > 5:
            lowest = self.piles[cell].pop(0)
            if lowest == self.mover:
                self.reserve[self.mover] += 1
        self.mover = "b" if self.mover == "w" else "w"
        if self.dropping:
            if self.unplaced == {"w": 0, "b": 0}:
                self.dropping = False
                self.mover = "w"
            else:
                return
        self.seen.append(self._key())
        if not self.reserve[self.mover] and not any(self._owns(c) for c in CELLS):
            self.over = ("0-1" if self.mover == "w" else "1-0", "no-move")

    def text(self) -> str:
        rows = []
        for row in range(8, 0, -1):
            cells = [c for c in CELLS if int(c[1:]) == row]
            rows.append(",".join("".join(self.piles[c]) or "-" for c in cells))
        mover = "-" if self.over else self.mover
        return f"{'/'.join(rows)} {mover} w{self.reserve['w']} b{self.reserve['b']}"
