"""The Spiral board for the rules: cells as bits along the spiral, bit 0 the outer end 77, bit 36 the centre.

Worked out once from the standard layout (spiral-layout) and the hexagon of side 4 that prints and diagrams use.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pnp.boards import hexhex
from pnp.spiral_layout import RANKS, SIDE, WAY, standard
from referee.games.spiral.cards import CARDS

CELLS: Final = len(WAY)
FULL: Final = (1 << CELLS) - 1

FORK: Final = "fork"
BRIDGE: Final = "bridge"
FORKS: Final = ((0, 2, 4), (1, 3, 5))
BRIDGES: Final = ((0, 3), (1, 4), (2, 5))
"""The sides of the board, numbered clockwise from 0 at the top, that each of them joins."""

Group = tuple[int, int]
"""Pieces of one player that hang together: their cells as bits, the sides that they touch as six bits."""


def joins(sides: int) -> str | None:
    """Return what a group that touches these sides is: `fork`, `bridge` or None; both count as a fork (spiral-win)."""
    if sides & 0b010101 == 0b010101 or sides & 0b101010 == 0b101010:
        return FORK
    return BRIDGE if sides & sides >> 3 & 0b000111 else None


class Plan:
    """What is the same in all positions.

    near     for each cell the bits of the cells that share a side with it
    sides    for each cell the sides of the board that it lies on, as six bits; a corner lies on two
    named    for two cards a, b at [a · 32 + b] the cell that their ranks name
    joins    `joins` as a table
    """

    def __init__(self) -> None:
        board, way = hexhex(SIDE), standard().way
        at = {index: cell for cell, index in enumerate(way)}
        self.near = [sum(1 << at[n] for n in board.neighbours[index]) for index in way]
        self.sides = [
            sum(1 << number for number in range(6) if index in board.edges[f"side{number}"])
            for index in way
        ]
        cells = {label: cell for cell, label in enumerate(WAY)}
        ranks = [card % len(RANKS) for card in range(len(CARDS))]
        self.named = [cells[RANKS[min(a, b)] + RANKS[max(a, b)]] for a in ranks for b in ranks]
        self.joins = [joins(sides) for sides in range(64)]


@lru_cache(maxsize=1)
def plan() -> Plan:
    """Return the plan, made when the first position is."""
    return Plan()


def named_cell(one: int, other: int) -> int:
    """Return the cell along the spiral, from 0, that two cards' ranks name."""
    return plan().named[one * len(CARDS) + other]


def target(filled: int, named: int) -> int:
    """Return the cell that a piece goes to: the named one if empty, else the next empty one outwards along the spiral,
    else the next one inwards (spiral-occupied). Raises ValueError on a full board, where every game is over.
    """
    empty = FULL & ~filled
    if empty >> named & 1:
        return named
    outwards = empty & (1 << named) - 1
    if outwards:
        return outwards.bit_length() - 1
    if not empty:
        raise ValueError("no cell is empty")
    return (empty & -empty).bit_length() - 1


def add(groups: tuple[Group, ...], cell: int) -> tuple[tuple[Group, ...], int]:
    """Return the groups with a piece more on `cell`, the one that holds it last, and the sides that it touches."""
    board = plan()
    near, mask, sides = board.near[cell], 1 << cell, board.sides[cell]
    apart = []
    for group in groups:
        if group[0] & near:
            mask |= group[0]
            sides |= group[1]
        else:
            apart.append(group)
    apart.append((mask, sides))
    return tuple(apart), sides


def groups_of(cells: int) -> tuple[Group, ...]:
    """Return the groups of a set of cells."""
    groups: tuple[Group, ...] = ()
    for cell in range(CELLS):
        if cells >> cell & 1:
            groups, _ = add(groups, cell)
    return groups


def shortest(group: Group) -> tuple[str, ...]:
    """Return a smallest connected part of a group that still is its fork or bridge, as labels along the spiral."""
    mask, sides = group
    ways = FORKS if joins(sides) == FORK else BRIDGES
    trees = [_tree(mask, ends) for ends in ways if all(sides >> end & 1 for end in ends)]
    chosen = min(trees, key=int.bit_count)
    return tuple(WAY[cell] for cell in range(CELLS) if chosen >> cell & 1)


def _tree(mask: int, ends: tuple[int, ...]) -> int:
    """Return the fewest cells of a group that join the sides `ends`: shortest ways from the best hub to each."""
    steps = [_distances(mask, end) for end in ends]
    hub = min(steps[0], key=lambda cell: sum(distance[cell] for distance in steps))
    chosen = 1 << hub
    for distance in steps:
        cell = hub
        while distance[cell]:
            cell = next(
                c
                for c in distance
                if plan().near[cell] >> c & 1 and distance[c] == distance[cell] - 1
            )
            chosen |= 1 << cell
    return chosen


def _distances(mask: int, side: int) -> dict[int, int]:
    """Return for each cell of a group how many steps inside the group it lies from a side of the board."""
    board = plan()
    rim = {cell for cell in range(CELLS) if mask >> cell & 1 and board.sides[cell] >> side & 1}
    found: dict[int, int] = {}
    steps = 0
    while rim:
        found.update(dict.fromkeys(rim, steps))
        rim = {
            c
            for c in range(CELLS)
            if mask >> c & 1 and c not in found and any(board.near[c] >> r & 1 for r in rim)
        }
        steps += 1
    return found
