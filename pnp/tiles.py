"""Marks across regular polygons: every family of tiles from one rule. Pure; lengths as the corners given.

A polygon of n sides has 2n *points*, numbered clockwise from its first corner: even numbers are
corners, odd ones the midpoints of sides. A *mark* joins two points. One rule (Hex-Lightning in
rules.md) takes every mark that does not run along a side, one for each class under rotation, so
that mirror images differ, and every *power* mark: two corners k apart, 1 ≤ k < n/2, by a line that
is bent at the centre.

Names: `VVk` corners k apart, `MMk` midpoints of sides k apart, `VMk` a corner and the k-th midpoint
from it, with `R` where the midpoint lies clockwise from the corner and `L` where it lies the other
way, `Pk` a power mark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal, NamedTuple

from pnp.geometry import Point, midpoint

TrackStyle = Literal["straight", "arc"]

FAMILIES = ("VV", "MM", "VM", "P")
"""The families in the order in which kinds are listed."""

LIGHTNING = {"I": "MM2", "II": "VV2", "III": "VM2R", "IV": "VM2L", "V": "P1"}
"""Lightning's five kinds (lightning-tiles) among the marks of a square."""


class Mark(NamedTuple):
    """A mark across a regular polygon of `sides` sides from point `start` to point `end`; `bent` at
    the centre if it is a power mark.
    """

    sides: int
    start: int
    end: int
    bent: bool = False


def allowed(mark: Mark) -> bool:
    """Return whether the rule has this mark: not along a side; bent between near corners only."""
    around = 2 * mark.sides
    apart = min((mark.end - mark.start) % around, (mark.start - mark.end) % around)
    corners = mark.start % 2 == 0 and mark.end % 2 == 0
    if mark.bent:
        return corners and 0 < apart < mark.sides
    along_side = apart == 1 or (apart == 2 and corners)
    return apart > 0 and not along_side


def name(mark: Mark) -> str:
    """Return the name of a mark's kind; marks that are turned into one another share it."""
    around = 2 * mark.sides
    start, end = mark.start, mark.end
    if start % 2 and end % 2 == 0:
        start, end = end, start
    clockwise = (end - start) % around
    apart = min(clockwise, around - clockwise)
    if start % 2 == end % 2:
        letters = "P" if mark.bent else "VV" if start % 2 == 0 else "MM"
        return f"{letters}{apart // 2}"
    hand = "" if apart == mark.sides else "R" if clockwise == apart else "L"
    return f"VM{(apart + 1) // 2}{hand}"


def family(kind: str) -> str:
    """Return the family of a kind's name: VV, MM, VM or P."""
    return kind.rstrip("LR").rstrip("0123456789")


@lru_cache(maxsize=16)
def kinds(sides: int) -> dict[str, Mark]:
    """Return every kind on a polygon of `sides` sides by its name, in the order of FAMILIES, each as
    one of its turns. Raises ValueError for fewer than three sides.
    """
    if sides < 3:
        raise ValueError(f"a polygon has 3 sides or more, not {sides}")
    found: dict[str, Mark] = {}
    for bent in (False, True):
        for start, end in combinations(range(2 * sides), 2):
            mark = Mark(sides, start, end, bent)
            if allowed(mark):
                found.setdefault(name(mark), mark)
    return dict(sorted(found.items(), key=lambda pair: _order(pair[0])))


def _order(kind: str) -> tuple[int, int, str]:
    letters = family(kind)
    return (FAMILIES.index(letters), int(kind[len(letters) :].rstrip("LR")), kind)


def turned(mark: Mark, steps: int) -> Mark:
    """Return a mark turned clockwise by `steps` sides."""
    around = 2 * mark.sides
    start, end = (mark.start + 2 * steps) % around, (mark.end + 2 * steps) % around
    return Mark(mark.sides, start, end, mark.bent)


def capacity(mark: Mark) -> int:
    """Return the connective capacity: how many points a mark reaches over all its rotations."""
    turns = [turned(mark, k) for k in range(mark.sides)]
    return len({point for turn in turns for point in (turn.start, turn.end)})


def points(corners: Sequence[Point]) -> tuple[Point, ...]:
    """Return the 2n points of a polygon: each corner, then the midpoint of the side that follows."""
    found: list[Point] = []
    for k, corner in enumerate(corners):
        found += [corner, midpoint(corner, corners[(k + 1) % len(corners)])]
    return tuple(found)


class Track(NamedTuple):
    """The centre line of a mark: straight from `start` to `end`, or bent at `bend`, or the shorter
    arc of the circle about `centre`.
    """

    start: Point
    end: Point
    bend: Point | None = None
    centre: Point | None = None

    @property
    def radius(self) -> float:
        """The radius of an arc; 0 for other tracks."""
        return math.dist(self.centre, self.start) if self.centre else 0.0

    @property
    def angles(self) -> tuple[float, float]:
        """Where an arc starts and how far it sweeps, in degrees clockwise; (0, 0) for others."""
        if self.centre is None:
            return (0.0, 0.0)
        cx, cy = self.centre
        first = math.degrees(math.atan2(self.start[1] - cy, self.start[0] - cx))
        last = math.degrees(math.atan2(self.end[1] - cy, self.end[0] - cx))
        sweep = (last - first) % 360.0
        return (first, sweep - 360.0 if sweep > 180.0 else sweep)

    def ways_out(self) -> tuple[Point, Point]:
        """Return the directions, of length 1, in which the track leaves at its start and its end."""
        if self.centre is None:
            return (
                _direction(self.bend or self.end, self.start),
                _direction(self.bend or self.start, self.end),
            )
        sign = 1.0 if self.angles[1] > 0.0 else -1.0
        (sx, sy), (ex, ey) = (_direction(self.centre, p) for p in (self.start, self.end))
        return ((sign * sy, -sign * sx), (-sign * ey, sign * ex))

    def along(self, parts: int) -> tuple[Point, ...]:
        """Return points on the track from start to end, `parts` steps on each of its pieces."""
        if self.centre is not None:
            cx, cy = self.centre
            first, sweep = self.angles
            turns = [math.radians(first + sweep * k / parts) for k in range(parts + 1)]
            return tuple(
                (cx + self.radius * math.cos(t), cy + self.radius * math.sin(t)) for t in turns
            )
        path = [self.start, self.end] if self.bend is None else [self.start, self.bend, self.end]
        found = [path[0]]
        for (ax, ay), (bx, by) in pairwise(path):
            found += [
                (ax + (bx - ax) * k / parts, ay + (by - ay) * k / parts)
                for k in range(1, parts + 1)
            ]
        return tuple(found)


def track(mark: Mark, corners: Sequence[Point], style: TrackStyle = "straight") -> Track:
    """Return the centre line of a mark on the regular polygon with these corners.

    Style "arc": at a midpoint the arc's centre lies on the line of the side, so the arc meets it at
    a right angle; between corners the arc touches both bisectors; at the corner of a VM mark only
    the point counts. Straight where that circle has no centre. A power mark is bent in any style.
    """
    there = points(corners)
    start, end = there[mark.start], there[mark.end]
    middle = (
        sum(x for x, _ in corners) / len(corners),
        sum(y for _, y in corners) / len(corners),
    )
    if mark.bent:
        return Track(start, end, bend=middle)
    if style == "straight":
        return Track(start, end)
    at, other = (start, end) if mark.start % 2 or mark.end % 2 == 0 else (end, start)
    return Track(start, end, centre=_arc_centre(at, other, middle))


def _arc_centre(at: Point, other: Point, middle: Point) -> Point | None:
    """Return the centre of the circle through both points that leaves `at` towards the middle.

    It lies on the line through `at` across that way: on the side's line where `at` is a midpoint.
    """
    ux, uy = _direction(middle, at)
    ux, uy = -uy, ux
    dx, dy = at[0] - other[0], at[1] - other[1]
    across = ux * dx + uy * dy
    if abs(across) < 1e-9 * math.hypot(dx, dy):
        return None
    t = -(dx * dx + dy * dy) / (2.0 * across)
    return (at[0] + t * ux, at[1] + t * uy)


def _direction(a: Point, b: Point) -> Point:
    length = math.dist(a, b)
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length)


def overrun(
    at: Point, way: Point, corners: Sequence[Point], width: float, bleed: float = 0.0
) -> float:
    """Return how far a line `width` mm wide must run on beyond the point `at`, in the direction
    `way`, until its blunt end lies outside the polygon grown by `bleed`.
    """
    least = math.inf
    for k, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(k + 1) % len(corners)]
        sx, sy = _direction((x0, y0), (x1, y1))
        nx, ny = sy, -sx  # outwards, for the corners run clockwise on the page
        out = way[0] * nx + way[1] * ny
        if out < 1e-9:
            continue
        inside = (x0 - at[0]) * nx + (y0 - at[1]) * ny
        slant = math.sqrt(max(0.0, 1.0 - out * out))
        least = min(least, (inside + bleed + width / 2.0 * slant) / out)
    return least
