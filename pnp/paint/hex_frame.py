"""The lines round a Hex board: the rim of its cells, the four coloured edges, the outline. Pure, in
mm.

Everything is worked out with the middle of a1 at (0, 0), pointy-top, and turned by 30 degrees for a
flat-top board. The board is its own mirror image in the line from acute to acute corner, and looks
the same upside down, so one edge is drawn and the other three are its images.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from pnp.geometry import SQRT3, Point, axial, midpoint, rotate, shift

Segment = tuple[float, float, float, float]


class Frame(NamedTuple):
    """The lines round the cells, before the picture is moved to its top left corner.

    strips  the four coloured edges, "top", "left", "bottom", "right"
    inner   the rim of the cells;  outer   the outline of the board
    joints  the lines between two strips
    """

    strips: Mapping[str, tuple[Point, ...]]
    inner: tuple[Point, ...]
    outer: tuple[Point, ...]
    joints: tuple[Segment, ...]

    def moved(self, dx: float, dy: float) -> Frame:
        """Return the frame moved by (dx, dy)."""
        return Frame(
            {name: shift(points, dx, dy) for name, points in self.strips.items()},
            shift(self.inner, dx, dy),
            shift(self.outer, dx, dy),
            tuple((a + dx, b + dy, c + dx, d + dy) for a, b, c, d in self.joints),
        )


@lru_cache(maxsize=64)
def hex_frame(n: int, cell: float, straight: bool, pointy: bool) -> Frame:
    """Return the lines round n × n cells. The rim follows the cells, or is `straight` beside them."""
    side = cell / SQRT3
    if not straight:
        inner = _zigzag(n, cell)
    else:
        inner = [_bevel(side, side), (cell * (n - 1) + side / SQRT3, -side)]
        inner.insert(0, _on_axis(side))
    outer = outer_edge(n, cell)
    corner = axial(n - 1, n - 1, cell)
    images = {
        "top": (inner, outer),
        "left": ([mirror(p) for p in inner], [mirror(p) for p in outer]),
    }
    for name, opposite in (("bottom", "top"), ("right", "left")):
        images[name] = (
            [half_turn(p, corner) for p in images[opposite][0]],
            [half_turn(p, corner) for p in images[opposite][1]],
        )
    strips = {name: spun([*i, *reversed(o)], pointy) for name, (i, o) in images.items()}
    ends = [(0, name) for name in ("top", "bottom")] + [(-1, name) for name in ("top", "bottom")]
    joints = [spun((images[name][0][at], images[name][1][at]), pointy) for at, name in ends]
    return Frame(
        strips,
        spun(_round(0, images), pointy),
        spun(_round(1, images), pointy),
        tuple((*a, *b) for a, b in joints),
    )


def _round(k: int, images: Mapping[str, tuple[list[Point], list[Point]]]) -> list[Point]:
    """Return the inner (0) or outer (1) outline clockwise: along the top, down the right, back."""
    top, right = images["top"][k], images["right"][k]
    bottom, left = images["bottom"][k], images["left"][k]
    return [*top, *list(reversed(right))[1:], *bottom[1:], *list(reversed(left))[1:-1]]


def outer_edge(n: int, cell: float) -> list[Point]:
    """The outline beside row 1, from the long diagonal to the obtuse corner."""
    far = cell / SQRT3 + edge_width(cell)
    beyond = far + edge_width(cell) * 0.2
    return [_on_axis(beyond), _bevel(far, beyond), (cell * (n - 1) + far / SQRT3, -far)]


def _zigzag(n: int, cell: float) -> list[Point]:
    """The upper rim of row 1, from the corner of a1 to the middle of the last cell's upper right
    side.
    """
    side = cell / SQRT3
    points: list[Point] = []
    for x in range(n):
        points += [(cell * (x - 0.5), -side / 2.0), (cell * x, -side)]
    end = (cell * (n - 0.5), -side / 2.0)
    return [*points, midpoint(points[-1], end)]


def _on_axis(distance: float) -> Point:
    """The point on the long diagonal, `distance` before a1's middle."""
    return (-distance * SQRT3 / 2.0, -distance / 2.0)


def _bevel(height: float, distance: float) -> Point:
    """Where the line `height` above a1's middle meets the cut across the acute corner."""
    return ((height / 2.0 - distance) * 2.0 / SQRT3, -height)


def mirror(p: Point) -> Point:
    """The image in the long diagonal (30 degrees): columns for rows."""
    x, y = p
    return (x / 2.0 + y * SQRT3 / 2.0, x * SQRT3 / 2.0 - y / 2.0)


def half_turn(p: Point, corner: Point) -> Point:
    """The image upside down; `corner` is the middle of the last cell."""
    return (corner[0] - p[0], corner[1] - p[1])


def spun(points: Iterable[Point], pointy: bool) -> tuple[Point, ...]:
    """Return points of the pointy-top board as they lie on this one."""
    return tuple(points) if pointy else rotate(points, 30.0)


def edge_width(cell: float) -> float:
    """The width of the coloured edge beyond the tips of the cells."""
    return min(max(cell * 0.3, 1.0), 5.0)
