"""How far each side of a Spiral game is from a fork or a bridge: the fewest further pieces that would make it.

Pieces land where the cards send them, so this is a bound, not a plan: who needs more pieces than he will place
before the board is full cannot win any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.study.spiral.deal import Board
from referee.study.spiral.lanes import BLOCK, Lanes, lanes, levels
from referee.study.spiral.table import OPPOSITE, ORIENTATIONS, OWN_MOST, Table

NEVER: Final = 14
"""More pieces than anybody places: it cannot be made."""
FAR: Final = 7
"""Bridges of Dr. Brooks are followed so far."""


class Needs(NamedTuple):
    """Pieces that are still wanted, NEVER where it cannot be made or is too far off to matter.

    forks       the player's two forks, the nearer first
    hubs        how many cells serve as hub of the nearer fork at that price
    more        how many at one piece more
    own_bridge  his nearest bridge, which would lose
    bridges     Dr. Brooks' three bridges, the nearest first
    """

    forks: tuple[int, int]
    hubs: int
    more: int
    own_bridge: int
    bridges: tuple[int, int, int]


def needs(table: Table, boards: Sequence[Board]) -> list[Needs]:
    """Return what both sides need on each of the boards, which are not over."""
    found: list[Needs] = []
    for at in range(0, len(boards), BLOCK):
        found += _block(table, boards[at : at + BLOCK])
    return found


def spare(table: Table, boards: Sequence[Board]) -> list[int]:
    """Return for each board how many of the player's pieces to come a fork does not need; below 0 he cannot win."""
    found: list[int] = []
    for at in range(0, len(boards), BLOCK):
        block = boards[at : at + BLOCK]
        lane = lanes(table, len(block))
        left = OWN_MOST - min(board[0].bit_count() for board in block)
        one, other = _both(lane, block, left)[0]
        found += [
            OWN_MOST - board[0].bit_count() - min(a[0], b[0])
            for board, a, b in zip(block, one, other, strict=True)
        ]
    return found


def _block(table: Table, boards: Sequence[Board]) -> list[Needs]:
    lane = lanes(table, len(boards))
    left = OWN_MOST - min(board[0].bit_count() for board in boards)
    forks, reach, hers, empty = _both(lane, boards, left)
    bridges = [
        _first(lane, levels(hers, empty, lane.edges[a], FAR), lane.edges[b]) for a, b in OPPOSITE
    ]
    own_bridges = [_first(lane, reach[a], lane.edges[b]) for a, b in OPPOSITE]
    found = []
    for fork, other, b0, b1, b2, o0, o1, o2 in zip(*forks, *bridges, *own_bridges, strict=True):
        if (other[0], -other[1]) < (fork[0], -fork[1]):
            fork, other = other, fork
        b0, b1, b2 = sorted((b0, b1, b2))
        found.append(Needs((fork[0], other[0]), fork[1], fork[2], min(o0, o1, o2), (b0, b1, b2)))
    return found


Price = tuple[int, int, int]
"""Pieces that a fork needs, hubs at that price, hubs at one more."""


def _both(
    lane: Lanes, boards: Sequence[Board], most: int
) -> tuple[list[list[Price]], list[list[int]], int, int]:
    """Return the prices of both forks for each board; the levels from each side, Dr. Brooks' pieces, empty cells."""
    own = lane.pack([board[0] for board in boards])
    hers = lane.pack([board[1] for board in boards])
    empty = lane.cells & ~(own | hers)
    reach = [levels(own, empty, edge, most) for edge in lane.edges]
    forks = [
        _forks(lane, own, empty, (reach[a], reach[b], reach[c]), most) for a, b, c in ORIENTATIONS
    ]
    return forks, reach, hers, empty


def _forks(
    lane: Lanes, own: int, empty: int, arms: tuple[list[int], list[int], list[int]], most: int
) -> list[Price]:
    """Return for each board the fewest pieces that join three sides, given the levels of each, and the number of
    hubs at that price and at one more. A hub that is empty is paid by each of its three arms, but is one piece.
    """
    one, two, three = arms
    pairs, totals = [], []
    for total in range(most + 4):
        cells = 0
        for a in range(max(0, total - len(two) + 1), min(total, len(one) - 1) + 1):
            cells |= one[a] & two[total - a]
        pairs.append(cells)
        cells = 0
        for c in range(min(total, len(three) - 1) + 1):
            cells |= pairs[total - c] & three[c]
        totals.append(cells)
    found = [(NEVER, 0, 0)] * lane.number
    open_lanes = list(range(lane.number))
    for price in range(most + 1):
        hubs = lane.unpack(totals[price + 2] & empty | totals[price] & own)
        more = lane.unpack(totals[price + 3] & empty | totals[price + 1] & own)
        for at in open_lanes:
            if hubs[at]:
                found[at] = (price, hubs[at].bit_count(), more[at].bit_count())
        open_lanes = [at for at in open_lanes if not hubs[at]]
        if not open_lanes:
            break
    return found


def _first(lane: Lanes, reach: list[int], edge: int) -> list[int]:
    """Return for each board the first level that touches an edge."""
    touched = sum(lane.some(cells & edge) for cells in reach)
    return [len(reach) - times if times else NEVER for times in lane.unpack(touched)]
