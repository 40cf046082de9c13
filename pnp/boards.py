"""The boards of the four games: cells, labels, neighbours, edges, outlines. Pure; everything else reads them.

Coordinates here are in cells: hexagons 1 unit flat to flat, squares 1 unit a side, y pointing down. Multiply by
the cell size to get mm. Indices of cells are positions in `cells`, in reading order (rows from the top).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pnp.geometry import Box, Point, axial, bounds, hexagon

MAX_RHOMBUS = 30


def column_letters(x: int) -> str:
    """Return the letters of column `x` from 0: a … z, aa, ab … (ruling hex-board)."""
    return chr(97 + x) if x < 26 else chr(96 + x // 26) + chr(97 + x % 26)


class Board:
    """A board's geometry. There is one of each kind and size, which nobody changes.

    labels      each cell's name, in reading order
    centres     each cell's middle, in cells
    outlines    each cell's corners, clockwise, in cells
    neighbours  for each cell the indices of the cells that share a side with it, ascending
    edges       named groups of cells along a side of the board ("top", "left", …), a corner cell in both of its
    coords      each cell's own integer coordinates: (x, y) on rhombus and square boards, axial (q, r) on hexhex
    """

    def __init__(
        self,
        name: str,
        labels: tuple[str, ...],
        centres: tuple[Point, ...],
        outlines: tuple[tuple[Point, ...], ...],
        neighbours: tuple[tuple[int, ...], ...],
        edges: Mapping[str, tuple[int, ...]],
        coords: tuple[tuple[int, int], ...],
    ) -> None:
        self.name = name
        self.labels = labels
        self.centres = centres
        self.outlines = outlines
        self.neighbours = neighbours
        self.edges = edges
        self.coords = coords
        self._index = {label: k for k, label in enumerate(labels)}

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def box(self) -> Box:
        """The smallest box that holds all outlines, in cells."""
        return bounds(p for outline in self.outlines for p in outline)

    def index(self, label: str) -> int | None:
        """Return the index of the cell with this label, None for no cell of the board."""
        return self._index.get(label)


@lru_cache(maxsize=64)
def rhombus(n: int, *, pointy: bool = True) -> Board:
    """Return the Hex board of n × n cells (ruling hex-board), coords (x, y), index y · n + x.

    Edges: "top", "bottom" (Red's), "left", "right" (Blue's). a1 is the acute corner at the top left.
    Raises ValueError for n outside 1 to 30.
    """
    if not 1 <= n <= MAX_RHOMBUS:
        raise ValueError(f"a rhombus has 1 to {MAX_RHOMBUS} cells a side, not {n}")
    coords = tuple((x, y) for y in range(n) for x in range(n))
    centres = tuple(axial(x, y, 1.0, pointy=pointy) for x, y in coords)
    near = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    return Board(
        name=f"rhombus {n}",
        labels=tuple(f"{column_letters(x)}{y + 1}" for x, y in coords),
        centres=centres,
        outlines=tuple(hexagon(1.0, c, pointy=pointy) for c in centres),
        neighbours=tuple(
            tuple(
                sorted(
                    (y + dy) * n + x + dx for dx, dy in near if 0 <= x + dx < n and 0 <= y + dy < n
                )
            )
            for x, y in coords
        ),
        edges={
            "top": tuple(range(n)),
            "bottom": tuple(range(n * n - n, n * n)),
            "left": tuple(range(0, n * n, n)),
            "right": tuple(range(n - 1, n * n, n)),
        },
        coords=coords,
    )


@lru_cache(maxsize=32)
def hexhex(n: int, *, pointy: bool = True) -> Board:
    """Return the hexagon of side n, 3n(n−1)+1 cells, axial coords with the centre at (0, 0), rows from the top.

    Labels are a letter for the row and a number along it (games name their cells otherwise: Spiral by pairs of
    ranks). Edges: "side0" … "side5" clockwise from the top (pointy-top: the top row), n cells each.
    Raises ValueError for n below 1.
    """
    if n < 1:
        raise ValueError(f"a hexagon board has 1 cell a side or more, not {n}")
    m = n - 1
    rows = [(r, [q for q in range(-m, m + 1) if abs(q + r) <= m]) for r in range(-m, m + 1)]
    coords = tuple((q, r) for r, qs in rows for q in qs)
    at = {c: i for i, c in enumerate(coords)}
    near = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    centres = tuple(axial(q, r, 1.0, pointy=pointy) for q, r in coords)
    sides = [
        [(q, -m) for q in range(m + 1)],
        [(m, r) for r in range(-m, 1)],
        [(m - k, k) for k in range(n)],
        [(-k, m) for k in range(n)],
        [(-m, m - k) for k in range(n)],
        [(-m + k, -k) for k in range(n)],
    ]
    return Board(
        name=f"hexhex {n}",
        labels=tuple(
            f"{column_letters(i)}{k + 1}" for i, (_, qs) in enumerate(rows) for k in range(len(qs))
        ),
        centres=centres,
        outlines=tuple(hexagon(1.0, c, pointy=pointy) for c in centres),
        neighbours=tuple(
            tuple(sorted(at[q + dq, r + dr] for dq, dr in near if (q + dq, r + dr) in at))
            for q, r in coords
        ),
        edges={f"side{i}": tuple(at[c] for c in side) for i, side in enumerate(sides)},
        coords=coords,
    )


def _squares(name: str, cells: list[tuple[int, int]], height: int) -> Board:
    """Squares at (x, y), y counted from the bottom; in reading order rows from the top."""
    cells = sorted(cells, key=lambda c: (-c[1], c[0]))
    at = {c: i for i, c in enumerate(cells)}
    top = [height - 1 - y for _, y in cells]
    xs = {x for x, _ in cells}
    ys = {y for _, y in cells}
    return Board(
        name=name,
        labels=tuple(f"{column_letters(x)}{y + 1}" for x, y in cells),
        centres=tuple((x + 0.5, t + 0.5) for (x, _), t in zip(cells, top, strict=True)),
        outlines=tuple(
            ((float(x), float(t)), (x + 1.0, float(t)), (x + 1.0, t + 1.0), (float(x), t + 1.0))
            for (x, _), t in zip(cells, top, strict=True)
        ),
        neighbours=tuple(
            tuple(
                sorted(at[n] for n in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if n in at)
            )
            for x, y in cells
        ),
        edges={
            "bottom": tuple(at[c] for c in cells if c[1] == min(ys)),
            "top": tuple(at[c] for c in cells if c[1] == max(ys)),
            "left": tuple(at[c] for c in cells if c[0] == min(xs)),
            "right": tuple(at[c] for c in cells if c[0] == max(xs)),
        },
        coords=tuple(cells),
    )


@lru_cache(maxsize=32)
def square(width: int, height: int) -> Board:
    """Return a board of squares, coords (x, y) from 0 with y counted from the **bottom**, labels a1 at bottom left.

    Raises ValueError for a side below 1.
    """
    if width < 1 or height < 1:
        raise ValueError(f"a square board has 1 cell a side or more, not {width} × {height}")
    return _squares(
        f"square {width}x{height}", [(x, y) for y in range(height) for x in range(width)], height
    )


FOCUS_MISSING = frozenset(
    {(0, 0), (1, 0), (0, 1), (6, 0), (7, 0), (7, 1), (0, 6), (0, 7), (1, 7), (7, 7), (7, 6), (6, 7)}
)


@lru_cache(maxsize=1)
def focus() -> Board:
    """Return the Focus board: 8 × 8 less three cells at each corner, 52 cells, rows from the bottom (focus-board)."""
    return _squares(
        "focus", [(x, y) for y in range(8) for x in range(8) if (x, y) not in FOCUS_MISSING], 8
    )
