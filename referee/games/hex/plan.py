"""What is the same for all positions on a Hex board of one size, worked out once (ruling hex-board)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pnp.boards import rhombus

RED, BLUE = "red", "blue"


class Plan:
    """What is the same for all positions on a board of one size, worked out once."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stride = size + 1
        board = rhombus(size)
        self.labels: dict[int, str] = {
            y * self.stride + x: label
            for (x, y), label in zip(board.coords, board.labels, strict=True)
        }
        self.cells: dict[str, int] = {label: cell for cell, label in self.labels.items()}
        self.order: tuple[int, ...] = tuple(self.labels)
        self.bits: list[int] = [1 << i for i in range(self.stride * size)]
        self.bit_of: Callable[[int], int] = self.bits.__getitem__
        self.frame = sum(3 << 4 * (y * self.stride - 1) for y in range(1, size + 1))
        """For positions as text: the digit 3 at each row's spare bit, a hexadecimal digit a bit."""
        self.near: list[int] = [0] * (self.stride * size)
        for index, around in enumerate(board.neighbours):
            self.near[self.order[index]] = sum(1 << self.order[i] for i in around)
        self.edges: dict[str, tuple[int, int]] = {
            RED: (self._edge(board.edges["top"]), self._edge(board.edges["bottom"])),
            BLUE: (self._edge(board.edges["left"]), self._edge(board.edges["right"])),
        }
        self.red_top, self.red_bottom = self.edges[RED]
        self.blue_left, self.blue_right = self.edges[BLUE]

    def _edge(self, indices: tuple[int, ...]) -> int:
        return sum(1 << self.order[i] for i in indices)

    def grow(self, joined: int, fresh: int, stones: int) -> int:
        """Return `joined` with all of `stones` that hang together with `fresh`, which is not yet in it."""
        down = self.stride - 1
        apart = stones & ~joined
        while fresh:
            apart &= ~fresh
            joined |= fresh
            after, before = fresh << 1, fresh >> 1  # the neighbours in the row
            # below a cell lie the cells down and down + 1 bits on, above it the mirror image
            fresh = apart & (after | before | (fresh | after) << down | (fresh | before) >> down)
        return joined

    def mirror(self, cell: int) -> int:
        """Return the cell (y, x) of a cell (x, y)."""
        y, x = divmod(cell, self.stride)
        return x * self.stride + y


@lru_cache(maxsize=32)
def plan(size: int) -> Plan:
    """Return the plan of a board size."""
    return Plan(size)
