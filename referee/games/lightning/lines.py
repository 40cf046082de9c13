"""A player's line in its section of 8 × 17 cells (lightning-board, lightning-start to lightning-dead).

All is bits on one grid of half cells, 17 points wide and 35 high: point (x, y) is bit 17 · y + x, and the cell in
column c and row r (from 0) is the bit of its middle, (2c + 1, 2r + 1). A middle is never on the grid's rim, so moving
a set of cells to its points by shifts never wraps; and a point further advanced is always a higher bit.

A line is a chain of immutable links, each the line as it stood after one tile; a new tile is one new link.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from pnp.boards import square
from referee.games.lightning.tiles import EXITS, OFFSETS

WIDTH, HEIGHT = 8, 17
SECTIONS: Final = 2
CELLS_EACH: Final = WIDTH * HEIGHT
_STRIDE = 2 * WIDTH + 1


class Cell(NamedTuple):
    """A cell of a section. `column` and `row` count from 0 within the section, `row` from the near end.

    bit     the cell's middle on the grid
    points  its eight points on the grid, in the order of tiles.POINTS
    touch   for each of them the cells of the section that touch it
    """

    label: str
    section: int
    column: int
    row: int
    bit: int
    points: tuple[int, ...]
    touch: tuple[int, ...]


def _point(x: int, y: int) -> int:
    return 1 << (_STRIDE * y + x)


def _around(x: int, y: int) -> list[tuple[int, int]]:
    """Return the cells of a section (column, row) that touch point (x, y)."""
    columns = {(x - 1) // 2, x // 2}
    rows = {(y - 1) // 2, y // 2}
    return [
        (c, r) for r in sorted(rows) for c in sorted(columns) if 0 <= c < WIDTH and 0 <= r < HEIGHT
    ]


def _cells() -> tuple[Cell, ...]:
    board = square(SECTIONS * WIDTH, HEIGHT)
    found = []
    for label, (x, row) in zip(board.labels, board.coords, strict=True):
        section, column = divmod(x, WIDTH)
        at = [(2 * column + dx, 2 * row + dy) for dx, dy in OFFSETS]
        touch = tuple(sum(_point(2 * c + 1, 2 * r + 1) for c, r in _around(*point)) for point in at)
        bit = _point(2 * column + 1, 2 * row + 1)
        found.append(
            Cell(label, section, column, row, bit, tuple(_point(*point) for point in at), touch)
        )
    return tuple(sorted(found, key=lambda cell: (cell.section, cell.row, cell.column)))


CELLS: Final = _cells()
"""All cells, section 1 before section 2, rows from the near end: index 136 · section + 8 · row + column."""

INDEX: Final = {cell.label: index for index, cell in enumerate(CELLS)}
"""A cell's index in CELLS by its label."""

_ALL = sum(cell.bit for cell in CELLS[:CELLS_EACH])
_FAR_ROW = sum(cell.bit for cell in CELLS[CELLS_EACH - WIDTH : CELLS_EACH])
_ROWS = tuple(((1 << _STRIDE) - 1) << (_STRIDE * y) for y in range(2 * HEIGHT + 1))
_NEAR_EDGE = _ROWS[0]
_FAR_EDGE = _point(0, 2 * HEIGHT)


class State(Enum):
    """What can be done with a line."""

    OPEN = "open"
    BLOCKED = "blocked"
    COMPLETE = "complete"
    DEAD = "dead"


class Tile(NamedTuple):
    """A tile on the board: its cell's index in CELLS, the point where the line enters it and that where it leaves."""

    cell: int
    entry: int
    exit: int

    @property
    def start_at(self) -> int:
        """The entry point on the grid."""
        return CELLS[self.cell].points[self.entry]

    @property
    def end_at(self) -> int:
        """The exit point on the grid."""
        return CELLS[self.cell].points[self.exit]


class Line:
    """A line after its last tile; immutable by custom.

    before  the line without its last tile, None where it is empty
    tile    the last tile placed, None where it is empty
    filled  the cells that hold a tile
    points  all entry and exit points of its tiles
    joints  the points where the next tile's entry may lie: its end, or the points that it may branch from, or the
            near boundary where it is empty; nothing where it is complete or dead
    """

    __slots__ = ("before", "filled", "joints", "points", "state", "tile")
    before: Line | None
    tile: Tile | None
    filled: int
    points: int
    joints: int
    state: State

    def tiles(self) -> list[Tile]:
        """Return the tiles in the order placed."""
        return [link.tile for link in self._links() if link.tile is not None][::-1]

    def _links(self) -> Iterator[Line]:
        link: Line | None = self
        while link is not None:
            yield link
            link = link.before

    def joint_places(self) -> tuple[tuple[int, int], ...]:
        """Return the joints as (x, y) in half cells east and far from the section's near left corner."""
        return tuple(_places(self.joints))

    def path(self) -> list[Tile]:
        """Return the tiles that lead from the first entry to the end, without the branches left behind."""
        found: list[Tile] = []
        wanted: int | None = None
        for link in self._links():
            if link.tile is not None and wanted in (None, link.tile.end_at):
                found.append(link.tile)
                wanted = link.tile.start_at
        return found[::-1]


def _places(points: int) -> Iterator[tuple[int, int]]:
    while points:
        low = points & -points
        y, x = divmod(low.bit_length() - 1, _STRIDE)
        yield (x, y)
        points ^= low


def _empty() -> Line:
    line = Line.__new__(Line)
    line.before, line.tile = None, None
    line.filled = line.points = 0
    line.joints, line.state = _NEAR_EDGE, State.OPEN
    return line


EMPTY: Final = _empty()
"""A line without tiles: it starts anywhere on the near boundary (lightning-start)."""


def grow(line: Line, tile: Tile) -> Line:
    """Return the line with one more tile, its state and joints worked out; the tile is known to fit."""
    at, entry, leaving = tile
    cell = CELLS[at]
    end = cell.points[leaving]
    new = Line.__new__(Line)
    new.before, new.tile = line, tile
    new.filled = filled = line.filled | cell.bit
    new.points = points = line.points | cell.points[entry] | end
    new.joints = 0
    touch = cell.touch[leaving]
    ended = touch & filled == touch
    if ended and end >= _FAR_EDGE:
        new.state = State.COMPLETE  # before deadness: a tile can fill row 17 and win
    elif filled & _FAR_ROW == _FAR_ROW:
        new.state = State.DEAD
    elif not ended:
        new.state = State.OPEN
        new.joints = end
    else:
        new.joints = _branches(points, filled)
        new.state = State.BLOCKED if new.joints else State.DEAD
    return new


def _branches(points: int, filled: int) -> int:
    """Return those of the points that touch an empty cell and are furthest advanced (lightning-branch)."""
    empty = _ALL ^ filled
    middle = empty | empty << 1 | empty >> 1
    open_points = points & (middle | middle << _STRIDE | middle >> _STRIDE)
    if not open_points:
        return 0
    return open_points & _ROWS[(open_points.bit_length() - 1) // _STRIDE]


def placements(line: Line, section: int, kind: int) -> Iterator[Tile]:
    """Yield each way to put a tile of a kind on a line, by its joints from the left, cells from row 1 up."""
    for x, y in _places(line.joints):
        for column, row in _around(x, y):
            index = CELLS_EACH * section + WIDTH * row + column
            if line.filled & CELLS[index].bit:
                continue
            entry = OFFSETS.index((x - 2 * column, y - 2 * row))
            for leaving in EXITS[kind][entry]:
                yield Tile(index, entry, leaving)
