"""Lightning's sections and tiles: the one drawing for prints and for the referee's diagrams. Pure, in mm.

A square's points are numbered clockwise from n: n ne e se s sw w nw; n is the far end, at the top.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pnp.boards import column_letters
from pnp.geometry import Point, regular_polygon
from pnp.paint import patterns, tiles
from pnp.scene import Circle, Item, Line, Lines, Polygon, Scene, Style, Text
from pnp.themes import Theme
from pnp.tiles import Mark

WIDTH, HEIGHT = 8, 17
"""The cells of a section (ruling lightning-board)."""
MARK = 2.0 / 23.0
"""The width of a mark, in tiles (print.md)."""
POINTS: tuple[Point, ...] = (
    *((0.0, -0.5), (0.5, -0.5), (0.5, 0.0), (0.5, 0.5)),
    *((0.0, 0.5), (-0.5, 0.5), (-0.5, 0.0), (-0.5, -0.5)),
)
"""Where each point lies, in tiles from the middle, n first, clockwise."""
SAMPLES: dict[str, tuple[int, int]] = {
    "I": (4, 0),
    "II": (5, 1),
    "III": (5, 0),
    "IV": (5, 2),
    "V": (5, 3),
}
"""For each kind the two points that its tile joins as it is printed."""
KINDS = tuple(SAMPLES)
_EDGE = 0.09
"""The height of the strips that mark the near and the far boundary, in cells, inside rows 1 and 17.

They lie inside so that a section at 23.4 mm, 397.8 mm long, fits on A3 within its margins.
"""


class PaintedSection(NamedTuple):
    """A section as drawn: the picture, the middle of each cell by (column, row) from 0, row 0 at the near end."""

    scene: Scene
    centres: dict[tuple[int, int], Point]
    cell: float

    def point(self, x: float, y: float) -> Point:
        """Return a place in half cells east and far from the near left corner, in mm."""
        left, near = (
            self.centres[0, 0][0] - self.cell / 2.0,
            self.centres[0, 0][1] + self.cell / 2.0,
        )
        return (left + x * self.cell / 2.0, near - y * self.cell / 2.0)


def lightning_section_size(cell: float, *, edge_labels: bool = False) -> tuple[float, float]:
    """Return the width and height in mm of the picture that `paint_lightning_section` makes."""
    margin = _margin(cell) if edge_labels else 0.0
    line = _border(cell)
    return (WIDTH * cell + margin + line, HEIGHT * cell + margin + line)


@lru_cache(maxsize=16)
def paint_lightning_section(
    section: int, cell: float, theme: Theme, *, labels: bool = True, edge_labels: bool = False
) -> PaintedSection:
    """Return an empty section, 0 the first player's (a to h), 1 the second's (i to p), cells `cell` mm a side.

    labels       each cell's name small in its middle
    edge_labels  letters below and numbers at the left besides, for boards whose cells are covered

    The near boundary is at the bottom, the far one at the top; both carry the owner's pattern inside
    the board.
    """
    width, height = lightning_section_size(cell, edge_labels=edge_labels)
    half = _border(cell) / 2.0
    left = half + (_margin(cell) if edge_labels else 0.0)
    top = half
    bottom = top + HEIGHT * cell
    right = left + WIDTH * cell
    owner = theme.area("blue-edge" if section else "red-edge")
    box = ((left, top), (right, top), (right, bottom), (left, bottom))
    items: list[Item] = [Polygon(box, Style(fill=theme.area("cell").fill))]
    for a, b in ((top, top + _EDGE * cell), (bottom - _EDGE * cell, bottom)):
        strip = ((left, a), (right, a), (right, b), (left, b))
        pitch = max(cell * 0.08, 0.6)
        items += patterns.polygon(strip, owner, width=_line(cell), pitch=pitch, mark=pitch * 0.3)
    grid = [(left, top + k * cell, right, top + k * cell) for k in range(1, HEIGHT)]
    grid += [(left + k * cell, top, left + k * cell, bottom) for k in range(1, WIDTH)]
    items.append(Lines(tuple(grid), Style(stroke=theme.colour("grid"), width=_line(cell))))
    items.append(Polygon(box, Style(stroke=theme.colour("border"), width=_border(cell))))
    centres = {
        (c, r): (left + (c + 0.5) * cell, bottom - (r + 0.5) * cell)
        for c in range(WIDTH)
        for r in range(HEIGHT)
    }
    if labels:
        items += _cell_labels(section, centres, cell, theme)
    if edge_labels:
        items += _edge_labels(section, left, bottom, cell, theme)
    title = f"Lightning section {section + 1}"
    return PaintedSection(Scene(width, height, tuple(items), title=title), centres, cell)


def _line(cell: float) -> float:
    return min(max(cell * 0.012, 0.15), 0.3)


def _border(cell: float) -> float:
    return min(max(cell * 0.03, 0.3), 0.6)


def _margin(cell: float) -> float:
    return cell * 0.55


def _cell_labels(
    section: int, centres: dict[tuple[int, int], Point], cell: float, theme: Theme
) -> list[Item]:
    soft, size = theme.colour("soft"), min(cell * 0.2, 3.6)
    return [
        Text(x, y, f"{column_letters(c + WIDTH * section)}{r + 1}", size, soft, "middle", "cap")
        for (c, r), (x, y) in centres.items()
    ]


def _edge_labels(section: int, left: float, bottom: float, cell: float, theme: Theme) -> list[Item]:
    soft, size = theme.colour("soft"), cell * 0.34
    items: list[Item] = []
    for c in range(WIDTH):
        x = left + (c + 0.5) * cell
        y = bottom + _margin(cell) * 0.75
        items.append(Text(x, y, column_letters(c + WIDTH * section), size, soft, "middle"))
    for r in range(HEIGHT):
        y = bottom - (r + 0.5) * cell
        items.append(Text(left - cell * 0.12, y, str(r + 1), size, soft, "end", "cap"))
    return items


def square(size: float) -> tuple[Point, ...]:
    """Return the outline of a tile about (0, 0), `size` mm a side, clockwise from the ne corner."""
    return regular_polygon(4, size / 2.0, turn=45.0)


def mark(entry: int, leaving: int) -> Mark:
    """Return the mark that joins two points; between near corners it is V's, bent in the middle."""
    bent = entry % 2 == 1 and (leaving - entry) % 8 in (2, 6)
    # pnp.tiles numbers a square's points from its first corner, ne.
    return Mark(4, (entry - 1) % 8, (leaving - 1) % 8, bent)


def mark_path(entry: int, leaving: int) -> tuple[Point, ...]:
    """Return a mark's line from point to point about the middle, in tiles; V's bends in the middle."""
    a, b = POINTS[entry], POINTS[leaving]
    return (a, (0.0, 0.0), b) if mark(entry, leaving).bent else (a, b)


def tile(
    entry: int,
    leaving: int,
    size: float,
    theme: Theme,
    *,
    kind: str | None = None,
    width: float = MARK,
) -> tuple[Item, ...]:
    """Return a tile of a diagram about (0, 0), `size` mm a side, its mark `width` tiles wide and cut
    by the outline.

    With a `kind` ("I" to "V") the tile has that kind's colours, else it is plain. What is printed to
    be cut out has no outline: pnp.paint.tiles.face.
    """
    look = tiles.Look(width * size, colours=kind is not None, codes=False)
    corners = square(size)
    drawn = tiles.face(mark(entry, leaving), corners, look, theme, kind=kind or "I")
    border = Style(stroke=theme.colour("border"), width=_line(size))
    return (tiles.clipped(drawn, corners), Polygon(corners, border))


def kind_mark(kind: str) -> Mark:
    """Return the mark of a kind, "I" to "V", as its tile is printed. Raises KeyError for another."""
    return mark(*SAMPLES[kind])


def run(
    section: PaintedSection, tiles: list[tuple[Point, int, int]], theme: Theme
) -> tuple[Item, ...]:
    """Return a line over the marks of tiles (middle, entry, exit): the line that won."""
    cell = section.cell
    return tuple(
        Line(
            tuple((x + dx * cell, y + dy * cell) for dx, dy in mark_path(entry, leaving)),
            Style(stroke=theme.colour(colour), width=width * cell, cap="round", join="round"),
        )
        for colour, width in (("ink", 0.2), ("chain", 0.12))
        for (x, y), entry, leaving in tiles
    )


def end_point(at: Point, cell: float, theme: Theme, *, branch: bool = False) -> tuple[Item, ...]:
    """Return the mark of a line's end, a full dot; of a point to branch from, a ring."""
    ink, last = theme.colour("ink"), theme.colour("last")
    if branch:
        ring = Style(fill=theme.colour("paper"), stroke=ink, width=0.06 * cell)
        return (Circle(*at, 0.13 * cell, ring),)
    return (Circle(*at, 0.17 * cell, Style(fill=ink)), Circle(*at, 0.1 * cell, Style(fill=last)))


def cell_frame(centre: Point, cell: float, theme: Theme) -> tuple[Item, ...]:
    """Return the mark of the last tile: a line of its own colour between two dark ones."""
    x, y = centre
    half = cell * 0.46
    corners = (
        (x - half, y - half),
        (x + half, y - half),
        (x + half, y + half),
        (x - half, y + half),
    )
    return (
        Polygon(corners, Style(stroke=theme.colour("ink"), width=cell * 0.1)),
        Polygon(corners, Style(stroke=theme.colour("last"), width=cell * 0.055)),
    )
