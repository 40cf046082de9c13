"""How far a line is from its completion: the least number of tiles, if every tile were to be had.

All on the bits of referee.games.lightning.lines. Marks can be followed both ways, so the search runs back from the
far boundary, once for each set of filled cells, and tells the distance of all points at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.games.lightning.lines import (
    CELLS,
    CELLS_EACH,
    HEIGHT,
    WIDTH,
    Line,
    State,
    Tile,
    grow,
    placements,
)
from referee.games.lightning.tiles import KINDS

LOST: Final = 60
"""The distance of a line that its end leads nowhere: more than any other. A line shut in so may still be blocked and
branch from its furthest point, with a short way again; a player who counted on that played no better."""

_UP = 2 * WIDTH + 1
_ALL = sum(cell.bit for cell in CELLS[:CELLS_EACH])
_FAR = ((1 << _UP) - 1) << (_UP * 2 * HEIGHT)
_MOST = 8192
_LEVELS: Final[dict[int, tuple[int, ...]]] = {}


def levels(filled: int) -> tuple[int, ...]:
    """Return for k = 0, 1, 2, … the points from which k tiles complete a line, given the cells that hold tiles.

    Level 0 is the far boundary without the corners between two empty cells, where a line is not complete.
    """
    known = _LEVELS.get(filled)
    if known is not None:
        return known
    empty = _ALL ^ filled
    row = (empty & (_FAR >> _UP)) << _UP
    seen = level = _FAR & ~((row << 1) & (row >> 1))
    found = [level]
    while level:
        # The cells that can be entered (or left, it is the same) at each of their points, then what their
        # marks join: a corner with three corners and the two midpoints that are not beside it, a midpoint with
        # the opposite one and the two corners beyond.
        n, s = level >> _UP & empty, level << _UP & empty
        e, w = level >> 1 & empty, level << 1 & empty
        ne, sw = level >> _UP + 1 & empty, level << _UP + 1 & empty
        nw, se = level >> _UP - 1 & empty, level << _UP - 1 & empty
        reached = (
            (s | se | sw) << _UP
            | (n | ne | nw) >> _UP
            | (w | sw | nw) << 1
            | (e | ne | se) >> 1
            | (s | w | sw | se | nw) << _UP + 1
            | (n | e | ne | se | nw) >> _UP + 1
            | (s | e | ne | se | sw) << _UP - 1
            | (n | w | ne | sw | nw) >> _UP - 1
        )
        level = reached & ~seen
        seen |= level
        found.append(level)
    if len(_LEVELS) >= _MOST:
        _LEVELS.clear()
    _LEVELS[filled] = result = tuple(found[:-1])
    return result


def distance(line: Line) -> int:
    """Return the least number of tiles that complete a line from its joints, without a block and a branch on the way:
    0 where it is complete, LOST where there is no such way.
    """
    if line.state is State.COMPLETE:
        return 0
    joints = line.joints
    for number, level in enumerate(levels(line.filled)):
        if level & joints and number:
            return number
    return LOST


class Reach(NamedTuple):
    """What the next tile can do to a line.

    now      its distance as it stands
    nearest  for each kind the least distance after a tile of it, LOST + 1 where it does not fit
    farthest for each kind the greatest, −1 where it does not fit
    """

    now: int
    nearest: tuple[int, ...]
    farthest: tuple[int, ...]


_REACH: Final[dict[tuple[int, int, State], Reach]] = {}


def reach(line: Line, section: int) -> Reach:
    """Return what the next tile can do; a line that is over is not touched any more."""
    key = (line.filled, line.joints, line.state)
    known = _REACH.get(key)
    if known is not None:
        return known
    nearest, farthest = [LOST + 1] * len(KINDS), [-1] * len(KINDS)
    for kind in range(len(KINDS)):
        for tile in placements(line, section, kind):
            far = distance(grow(line, tile))
            nearest[kind] = min(nearest[kind], far)
            farthest[kind] = max(farthest[kind], far)
    if len(_REACH) >= _MOST:
        _REACH.clear()
    _REACH[key] = result = Reach(distance(line), tuple(nearest), tuple(farthest))
    return result


def options(line: Line, section: int, kind: int) -> list[tuple[Tile, Line]]:
    """Return every way to put a tile of a kind on a line, with the line after it."""
    return [(tile, grow(line, tile)) for tile in placements(line, section, kind)]
