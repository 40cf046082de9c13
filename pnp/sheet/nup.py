"""N-up: how many pieces of one outline lie in an area, and where. Pure, in mm.

All lattices are rows of one pitch, every second row indented; each is tried as it is and turned by
a right angle.

    box shape  in rows and columns
    knife      hexagons as a honeycomb, each shared edge once, cut edge by edge
    straight   hexagons touch at corners, rows indented by half: every cut is one straight line
    boxes      hexagons in rows and columns, four snips each
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pnp.geometry import SQRT3, Point, bounds, rotate
from pnp.options import Nest
from pnp.sheet.block import Block, Spot, steps
from pnp.sheet.job import Pieces


class Lattice(NamedTuple):
    """Rows of boxes `width` × `height` mm, `across` apart, rows `down` apart, odd rows `indent` in."""

    width: float
    height: float
    across: float
    down: float
    indent: float = 0.0
    turn: float = 0.0

    def rows(self, width: float, height: float) -> tuple[int, ...]:
        """Return how many boxes each row has in width × height mm."""
        count = steps(height - self.height, self.down)
        full = steps(width - self.width, self.across)
        short = steps(width - self.indent - self.width, self.across)
        return tuple(short if k % 2 else full for k in range(count)) if full else ()

    def spots(self, rows: tuple[int, ...]) -> Iterator[Spot]:
        """Yield the spots of these rows in reading order, from the top left corner of their box."""
        for k, count in enumerate(rows):
            x = self.width / 2.0 + (self.indent if k % 2 else 0.0)
            y = self.height / 2.0 + k * self.down
            for i in range(count):
                yield Spot(x + i * self.across, y, self.turn)


def best_block(
    pieces: Pieces, nest: Nest, gutter: float, width: float, height: float, scale: float = 1.0
) -> Block:
    """Return the arrangement that holds most pieces in width × height mm; no spots where none fits.

    `scale` makes the outline larger or smaller first.
    """
    if pieces.shape == "triangle":
        from pnp.sheet.nest import best_triangles

        return best_triangles(pieces, nest, gutter, width, height, scale)
    best: tuple[int, Lattice | None, tuple[int, ...]] = (0, None, ())
    for lattice in _lattices(pieces, nest, gutter, scale):
        rows = lattice.rows(width, height)
        if sum(rows) > best[0]:
            best = (sum(rows), lattice, rows)
    _, lattice_, rows = best
    if lattice_ is None:
        return Block(0.0, 0.0, ())
    spots = tuple(lattice_.spots(rows))
    right = max(spot.x for spot in spots) + lattice_.width / 2.0
    bottom = max(spot.y for spot in spots) + lattice_.height / 2.0
    return Block(right, bottom, spots)


def _lattices(pieces: Pieces, nest: Nest, gutter: float, scale: float) -> Iterator[Lattice]:
    for turn in (0.0, 90.0):
        left, top, right, bottom = bounds(turned(pieces.outline, turn))
        width, height = (right - left) * scale, (bottom - top) * scale
        if pieces.shape == "box" or nest == "boxes":
            yield Lattice(width, height, width + gutter, height + gutter, 0.0, turn)
        elif nest == "straight":
            yield from _straight(width, height, gutter, turn)
        else:
            yield from _honeycomb(width, height, gutter, turn)


def _honeycomb(width: float, height: float, gutter: float, turn: float) -> Iterator[Lattice]:
    """Rows of pointy-top hexagons; columns of flat-top ones are the same picture turned."""
    if width < height:
        pitch = width + gutter
        yield Lattice(width, height, pitch, pitch * SQRT3 / 2.0, pitch / 2.0, turn)
    else:
        pitch = height + gutter
        yield Lattice(width, height, pitch * SQRT3, pitch / 2.0, pitch * SQRT3 / 2.0, turn)


def _straight(width: float, height: float, gutter: float, turn: float) -> Iterator[Lattice]:
    """Flat-top hexagons in rows, corner to corner; pointy-top ones in columns."""
    if width > height:
        pitch = (height + gutter) * 2.0 / SQRT3
        yield Lattice(width, height, pitch, height + gutter, pitch / 2.0, turn)
    else:
        pitch = (width + gutter) * 2.0 / SQRT3
        yield Lattice(width, height, 2.0 * (width + gutter), pitch / 2.0, width + gutter, turn)


def turned(outline: tuple[Point, ...], degrees: float) -> tuple[Point, ...]:
    """Return an outline turned clockwise; exactly itself for 0."""
    return rotate(outline, degrees) if degrees else outline
