"""Questions about a Hex position that no verdict waits for: the winning chain, the empty cells near by."""

from __future__ import annotations

from typing import Protocol

from referee.games.hex.plan import BLUE, RED, Plan


class Stones(Protocol):
    """What these questions need of a position."""

    red: int
    blue: int
    red_top: int
    blue_left: int


def nearest_empty(board: Plan, position: Stones, move: int, most: int = 6) -> tuple[str, ...]:
    """Return the labels of the empty cells nearest to a cell, nearest first."""
    y0, x0 = divmod(move, board.stride)

    def steps(cell: int) -> tuple[int, int]:
        y, x = divmod(cell, board.stride)
        dx, dy = x - x0, y - y0
        return (max(abs(dx), abs(dy), abs(dx + dy)), cell)

    taken = position.red | position.blue
    free = sorted((c for c in board.order if not taken & board.bits[c]), key=steps)
    return tuple(board.labels[c] for c in free[:most])


def chain(board: Plan, position: Stones) -> tuple[str, ...]:
    """Return a shortest chain of the winner's stones from edge to edge, as labels; nothing where nobody has joined."""
    for stones, (near_edge, far_edge), joined in (
        (position.red, board.edges[RED], position.red_top),
        (position.blue, board.edges[BLUE], position.blue_left),
    ):
        if joined & far_edge:
            return _shortest(board, stones, near_edge, far_edge)
    return ()


def _shortest(board: Plan, stones: int, near_edge: int, far_edge: int) -> tuple[str, ...]:
    """Breadth first from one edge to the other over one colour's stones, which are known to join."""
    came: dict[int, int | None] = {
        c: None for c in board.order if stones & near_edge & board.bits[c]
    }
    queue = list(came)
    for cell in queue:
        if far_edge & board.bits[cell]:
            path: list[str] = []
            step: int | None = cell
            while step is not None:
                path.append(board.labels[step])
                step = came[step]
            return tuple(reversed(path))
        for other in board.order:
            if board.near[cell] & stones & board.bits[other] and other not in came:
                came[other] = cell
                queue.append(other)
    return ()
