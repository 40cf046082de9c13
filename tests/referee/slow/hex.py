"""Hex, slowly: a dictionary of stones and a search from edge to edge after every stone (hex-* of the rules page)."""

from __future__ import annotations


def _name(x: int, y: int) -> str:
    letters = chr(97 + x) if x < 26 else "a" + chr(97 + x - 26)
    return f"{letters}{y + 1}"


class Slow:
    """One Hex game."""

    def __init__(self, options: dict[str, str]) -> None:
        self.n = int(options.get("Size", "11").split("x")[0])
        self.swap = options.get("Swap", "sides")
        self.stones: dict[tuple[int, int], str] = {}
        self.ply = 0
        self.red_player = "first"
        self.over: tuple[str, str] | None = None

    @property
    def to_move(self) -> str | None:
        if self.over:
            return None
        return "first" if self.ply % 2 == 0 else "second"

    def legal(self) -> set[str]:
        if self.over:
            return set()
        everywhere = [(x, y) for x in range(self.n) for y in range(self.n)]
        moves = {_name(x, y) for x, y in everywhere if (x, y) not in self.stones}
        if self.ply == 1 and self.swap != "none":
            moves.add("swap")
        return moves

    def play(self, token: str) -> None:
        assert token in self.legal(), token
        if token == "swap":
            if self.swap == "sides":
                self.red_player = "second"
            else:
                ((x, y),) = self.stones
                self.stones = {(y, x): "b"}
        else:
            (cell,) = [(x, y) for x in range(self.n) for y in range(self.n) if _name(x, y) == token]
            self.stones[cell] = "r" if self.to_move == self.red_player else "b"
        self.ply += 1
        for colour in "rb":
            if self._joined(colour):
                winner = (
                    self.red_player
                    if colour == "r"
                    else {"first": "second", "second": "first"}[self.red_player]
                )
                self.over = ("1-0" if winner == "first" else "0-1", "connection")

    def _joined(self, colour: str) -> bool:
        axis = 1 if colour == "r" else 0
        reached = {c for c, s in self.stones.items() if s == colour and c[axis] == 0}
        todo = list(reached)
        while todo:
            x, y = todo.pop()
            if (x, y)[axis] == self.n - 1:
                return True
            for near in (
                (x + 1, y),
                (x - 1, y),
                (x, y + 1),
                (x, y - 1),
                (x + 1, y - 1),
                (x - 1, y + 1),
            ):
                if self.stones.get(near) == colour and near not in reached:
                    reached.add(near)
                    todo.append(near)
        return False

    def text(self) -> str:
        return "/".join(
            "".join(self.stones.get((x, y), ".") for x in range(self.n)) for y in range(self.n)
        )
