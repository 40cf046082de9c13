"""Lightning, slowly: every cell, point and tile tried, all ends judged afresh (lightning-* of the rules page)."""

from __future__ import annotations

POINTS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")  # clockwise
STEP = {
    "n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (-1, 1),
}  # fmt: skip
KINDS = ("I", "II", "III", "IV", "V")
FAR = 34  # the far boundary, in half cells


def kind_of(one: str, two: str) -> str | None:
    """The kind of tile whose mark joins two points, None for no tile."""
    a, b = POINTS.index(one), POINTS.index(two)
    if one == two:
        return None
    if a % 2 == 0 and b % 2 == 0:
        return "I" if (a - b) % 8 == 4 else None
    if a % 2 == 1 and b % 2 == 1:
        return "II" if (a - b) % 8 == 4 else "V"
    corner, middle = (a, b) if a % 2 == 1 else (b, a)
    return {3: "III", 5: "IV"}.get((middle - corner) % 8)


def spot(cell: tuple[int, int], point: str) -> tuple[int, int]:
    """Where a cell's point lies, in half cells."""
    return (2 * cell[0] + 1 + STEP[point][0], 2 * cell[1] + 1 + STEP[point][1])


def name(cell: tuple[int, int]) -> str:
    """A cell's label."""
    return f"{chr(97 + cell[0])}{cell[1] + 1}"


class Section:
    """One player's section and the line in it."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.cells = [(x, y) for x in range(left, left + 8) for y in range(17)]
        self.tiles: list[tuple[tuple[int, int], str, str]] = []

    def empty(self) -> list[tuple[int, int]]:
        filled = {t[0] for t in self.tiles}
        return [c for c in self.cells if c not in filled]

    def touching(self, place: tuple[int, int]) -> list[tuple[int, int]]:
        """The empty cells whose square has this place on its rim."""
        return [
            c
            for c in self.empty()
            if max(abs(place[0] - 2 * c[0] - 1), abs(place[1] - 2 * c[1] - 1)) == 1
        ]

    def end(self) -> tuple[int, int] | None:
        if not self.tiles:
            return None
        cell, _, out = self.tiles[-1]
        return spot(cell, out)

    def starts(self) -> set[tuple[tuple[int, int], tuple[int, int]]]:
        """All (cell, place of entry) where a tile may go; nothing where the line is dead."""
        if not self.tiles:
            return {
                (c, spot(c, p))
                for c in self.cells
                if c[1] == 0
                for p in POINTS
                if spot(c, p)[1] == 0
            }
        if self.dead():
            return set()
        places = [self.end()] if self.touching(self.end()) else self.branches()
        return {(c, place) for place in places for c in self.touching(place)}

    def branches(self) -> list[tuple[int, int]]:
        """The points that a blocked line may be continued from."""
        places = {spot(c, p) for c, *ends in self.tiles for p in ends}
        open_places = [p for p in places if self.touching(p)]
        best = max((p[1] for p in open_places), default=None)
        return [p for p in open_places if p[1] == best]

    def complete(self) -> bool:
        end = self.end()
        return end is not None and end[1] == FAR and not self.touching(end)

    def dead(self) -> bool:
        if not self.tiles or self.complete():
            return False
        if not any(c[1] == 16 for c in self.empty()):
            return True
        return not self.touching(self.end()) and not self.branches()

    def text(self) -> str:
        return ",".join(f"{name(c)}:{a}-{b}" for c, a, b in self.tiles)


class Slow:
    """One Lightning game, tiles drawn freely."""

    def __init__(self, options: dict[str, str]) -> None:
        assert "Seed" not in options
        self.sections = (Section(0), Section(8))
        self.pool = dict.fromkeys(KINDS, 0)
        self.pile = dict.fromkeys(KINDS, 30)
        self.ply = 0
        self.passes = 0
        self.over: tuple[str, str] | None = None

    @property
    def to_move(self) -> str | None:
        if self.over:
            return None
        return "first" if self.ply % 2 == 0 else "second"

    def legal(self) -> set[str]:
        if self.over:
            return set()
        places: list[tuple[str, str]] = []
        for section in self.sections:
            for cell, entry in section.starts():
                for a in (p for p in POINTS if spot(cell, p) == entry):
                    for b in POINTS:
                        kind = kind_of(a, b)
                        if kind is not None:
                            places.append((kind, f"{kind}@{name(cell)}:{a}-{b}"))
        moves = {token for kind, token in places if self.pile[kind]}
        moves |= {f"pool:{token}" for kind, token in places if self.pool[kind]}
        moves |= {f"{kind}@pool" for kind in KINDS if self.pile[kind]}
        if not any(self.pile.values()):
            moves.add("pass")
        return moves

    def play(self, token: str) -> None:
        assert token in self.legal(), token
        self.ply += 1
        if token == "pass":
            self.passes += 1
            if self.passes == 2:
                self.over = ("1/2-1/2", "exhausted")
            return
        self.passes = 0
        stock = self.pile
        if token.startswith("pool:"):
            stock, token = self.pool, token[5:]
        kind, where = token.split("@")
        stock[kind] -= 1
        if where == "pool":
            self.pool[kind] += 1
            return
        label, ends = where.split(":")
        cell = (ord(label[0]) - 97, int(label[1:]) - 1)
        a, b = ends.split("-")
        section = self.sections[cell[0] // 8]
        section.tiles.append((cell, a, b))
        if section.complete():
            self.over = ("1-0" if section.left == 0 else "0-1", "complete")
        elif all(s.dead() for s in self.sections):
            self.over = ("1/2-1/2", "both-dead")

    def text(self) -> str:
        mover = "-" if self.over else str(self.ply % 2 + 1)
        counts = [",".join(str(stock[k]) for k in KINDS) for stock in (self.pool, self.pile)]
        return "|".join([self.sections[0].text(), self.sections[1].text(), *counts, mover])
