"""How triangles nest. Pure, in mm; boxes and hexagons are in pnp.sheet.nup.

Regular triangles lie in rows, one up, the next down, and rows start alternately, so that all edges
lie on the lines of one triangular grid: each shared edge is cut once, and every cut is one straight
line across the sheet. With a gutter between them two grids are tried: `straight` keeps the lines,
`knife` may also move each row so that its pieces stand on one level, which holds a little more.
`boxes` lays them in rows and columns. All is tried as it is and turned by a right angle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pnp.geometry import SQRT3, distance
from pnp.options import Nest
from pnp.sheet.block import Block, Spot, steps
from pnp.sheet.job import Pieces
from pnp.sheet.space import TOLERANCE


def best_triangles(
    pieces: Pieces, nest: Nest, gutter: float, width: float, height: float, scale: float = 1.0
) -> Block:
    """Return the arrangement that holds most regular triangles in width × height mm; no spots where
    none fits. `scale` makes the outline larger or smaller first.
    """
    side = distance(pieces.outline[0], pieces.outline[1]) * scale
    best = Block(0.0, 0.0, ())
    for grid in _grids(side, gutter, nest):
        for block in (grid.block(width, height), _turned(grid.block(height, width))):
            if len(block.spots) > len(best.spots):
                best = block
    return best


class _Grid(NamedTuple):
    """Rows of upright triangles with sides of `side` mm.

    across  from one triangle to the next in a row, in mm
    down    from one row to the next
    lift    how much higher a triangle that points down stands in its row than one that points up
    pairs   whether triangles point up and down by turns, or all up
    """

    side: float
    across: float
    down: float
    lift: float
    pairs: bool

    @property
    def tall(self) -> float:
        """The height of a triangle."""
        return self.side * SQRT3 / 2.0

    def block(self, width: float, height: float) -> Block:
        """Return as many rows of as many triangles as width × height mm hold."""
        columns = steps(width - self.side, self.across)
        if columns == 0:
            return Block(0.0, 0.0, ())
        rows = steps(height - self.tall, self.down)
        while rows and self._extent(rows, columns)[1] > height + TOLERANCE:
            rows -= 1
        if rows == 0:
            return Block(0.0, 0.0, ())
        top, tall = self._extent(rows, columns)
        spots = tuple(
            Spot(self.side / 2.0 + i * self.across, self._middle(k, i) - top, self._turn(k, i))
            for k in range(rows)
            for i in range(columns)
        )
        return Block(self.side + (columns - 1) * self.across, tall, spots)

    def _turn(self, row: int, column: int) -> float:
        return 180.0 if self.pairs and (row + column) % 2 else 0.0

    def _middle(self, row: int, column: int) -> float:
        """The height at which the middle of a triangle lies, its own height above or below it."""
        if self._turn(row, column):
            return row * self.down - self.lift + self.tall / 3.0
        return row * self.down + self.tall * 2.0 / 3.0

    def _extent(self, rows: int, columns: int) -> tuple[float, float]:
        """Return the top of all rows and their height."""
        ends = [
            (row * self.down - (self.lift if self._turn(row, column) else 0.0))
            for row in {0, rows - 1}
            for column in range(min(columns, 2))
        ]
        return min(ends), max(ends) + self.tall - min(ends)


def _grids(side: float, gutter: float, nest: Nest) -> Iterator[_Grid]:
    tall = side * SQRT3 / 2.0
    if nest == "boxes":
        yield _Grid(side, side + gutter, tall + gutter, 0.0, pairs=False)
        return
    # A triangular grid whose cells are the pieces grown by half the gutter all round.
    yield _Grid(side, (side + SQRT3 * gutter) / 2.0, tall + 1.5 * gutter, gutter / 2.0, pairs=True)
    if nest == "knife" and gutter:
        yield _Grid(side, side / 2.0 + 2.0 * gutter / SQRT3, tall + gutter, 0.0, pairs=True)


def _turned(block: Block) -> Block:
    """Return a block turned clockwise by a right angle."""
    spots = tuple(Spot(block.height - s.y, s.x, (s.turn + 90.0) % 360.0) for s in block.spots)
    order = sorted(spots, key=lambda s: (round(s.y, 6), s.x))
    return Block(block.height, block.width, tuple(order))
