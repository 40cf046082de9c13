"""The Focus board and its pieces: the one drawing for prints and for the referee's diagrams. Pure, in mm."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pnp.boards import column_letters, focus
from pnp.geometry import Point, regular_polygon
from pnp.paint import patterns
from pnp.scene import Item, Lines, Polygon, Scene, Style, Text, Use
from pnp.themes import Theme

LABELS = 4.0
"""The strip outside the board that holds the coordinates, in mm (print.md)."""
PIECE = 18.0 / 22.0
"""A piece across flats, in cells."""

_SIDE = 8
_CORNERS = (
    *((2, 0), (6, 0), (6, 1), (7, 1), (7, 2), (8, 2), (8, 6), (7, 6), (7, 7), (6, 7)),
    *((6, 8), (2, 8), (2, 7), (1, 7), (1, 6), (0, 6), (0, 2), (1, 2), (1, 1), (2, 1)),
)
"""The outline of the 52 cells, in cells from the top left, clockwise."""

_SHOWN = 0.42
"""A piece of the set-up as the printed board shows it, in cells: real pieces cover it."""

_PILED = 0.6
"""A piece in a pile across flats, in cells: smaller, so that the edges of those below it are seen."""
_RISE = 0.074
"""How much higher each piece of a pile is drawn, in cells."""


@dataclass(frozen=True, slots=True)
class PaintedFocus:
    """A board as drawn: the picture, the middle of each cell in the order of pnp.boards.focus(), a cell's side."""

    scene: Scene
    centres: tuple[Point, ...]
    cell: float


def focus_board_size(cell: float, *, labels: bool = True) -> tuple[float, float]:
    """Return the width and height in mm of the picture that `paint_focus_board` makes."""
    side = _SIDE * cell + 2 * _edge(cell)
    return (side + LABELS, side + LABELS) if labels else (side, side)


@lru_cache(maxsize=16)
def paint_focus_board(
    cell: float, theme: Theme, *, labels: bool = True, rows_from_top: bool = False
) -> PaintedFocus:
    """Return the empty board, cells `cell` mm a side (ruling focus-board).

    Letters stand below, numbers at the left, counted from the bottom unless `rows_from_top`.
    """
    left = _edge(cell) + (LABELS if labels else 0.0)
    top = _edge(cell)
    width, height = focus_board_size(cell, labels=labels)
    outline = tuple((left + x * cell, top + y * cell) for x, y in _CORNERS)
    area = theme.area("focus-cell")
    grid = Style(stroke=area.line or theme.colour("grid"), width=_line(cell), cap="butt")
    border = Style(stroke=theme.colour("border"), width=_line(cell) * 2.0, join="miter")
    items: list[Item] = [
        *patterns.polygon(outline, area._replace(line=None), width=0.0),
        Lines(tuple(_inner(left, top, cell)), grid),
        Polygon(outline, border),
    ]
    if labels:
        items += _labels(left, top, cell, theme, rows_from_top)
    centres = tuple((left + x * cell, top + y * cell) for x, y in focus().centres)
    return PaintedFocus(Scene(width, height, tuple(items), title="Focus board"), centres, cell)


@lru_cache(maxsize=1)
def setup() -> dict[int, str]:
    """Return which piece stands where at the start (focus-setup): cell of pnp.boards.focus() to
    "white" or "black"."""
    board = focus()
    found = {}
    for row in range(2, 8):
        for x in range(1, 7):
            cell = board.index(f"{column_letters(x)}{row}")
            if cell is not None:
                # pairs alternate along a row, and from row to row; row 7 begins with two white
                found[cell] = "white" if ((x - 1) // 2 + 7 - row) % 2 == 0 else "black"
    return found


def with_setup(board: PaintedFocus, theme: Theme) -> Scene:
    """Return the board with the set-up shown by small pieces on their cells."""
    across = _SHOWN * board.cell
    symbols = {f"setup-{role}": piece(role, across, theme) for role in ("white", "black")}
    marks = tuple(Use(f"setup-{role}", *board.centres[at]) for at, role in setup().items())
    scene = board.scene
    return scene._replace(items=(*scene.items, *marks), symbols={**scene.symbols, **symbols})


def joints(cell: float, *, labels: bool = True) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the lines between columns (x) and between rows (y) of the board's picture in mm."""
    left = _edge(cell) + (LABELS if labels else 0.0)
    return (
        tuple(left + k * cell for k in range(1, _SIDE)),
        tuple(_edge(cell) + k * cell for k in range(1, _SIDE)),
    )


def _line(cell: float) -> float:
    return min(max(cell * 0.015, 0.15), 0.35)


def _edge(cell: float) -> float:
    """Half of the outline's width, which lies outside the cells."""
    return _line(cell)


def _inner(left: float, top: float, cell: float) -> list[tuple[float, float, float, float]]:
    """The lines between cells, each drawn once from edge to edge of the board."""
    spans = {1: (2, 6), 2: (1, 7), 6: (1, 7), 7: (2, 6)}
    segments = []
    for k in range(1, _SIDE):
        a, b = spans.get(k, (0, 8))
        segments.append((left + a * cell, top + k * cell, left + b * cell, top + k * cell))
        segments.append((left + k * cell, top + a * cell, left + k * cell, top + b * cell))
    return segments


def _labels(left: float, top: float, cell: float, theme: Theme, rows_from_top: bool) -> list[Item]:
    soft = theme.colour("soft")
    size = LABELS * 0.82
    items: list[Item] = []
    for k in range(_SIDE):
        middle = (k + 0.5) * cell
        number = str(k + 1 if rows_from_top else _SIDE - k)
        below = top + _SIDE * cell + _edge(cell) + LABELS * 0.72
        items.append(Text(left + middle, below, column_letters(k), size, soft, "middle"))
        items.append(Text(left - LABELS * 0.58, top + middle, number, size, soft, "middle", "cap"))
    return items


def octagon(across: float, centre: Point = (0.0, 0.0)) -> tuple[Point, ...]:
    """Return the outline of a piece, `across` mm across flats."""
    return regular_polygon(8, across / 2.0, centre, 22.5)


def piece(role: str, across: float, theme: Theme) -> tuple[Item, ...]:
    """Return a piece about (0, 0): role "white" or "black", `across` mm across flats."""
    line = max(across * 0.03, 0.15)
    return patterns.polygon(octagon(across), theme.area(role), width=line, mark=across * 0.045)


def pile(pieces: str, cell: float, theme: Theme) -> tuple[Item, ...]:
    """Return a pile about (0, 0), the middle of its cell: `pieces` from bottom to top in `w` and `b`.

    Drawn from above and a little in front: the edge of each piece shows below the one on it. The
    height stands on the top piece of a pile of two or more.
    """
    if len(pieces) == 1:
        return piece(_role(pieces), _PILED * 1.18 * cell, theme)
    items: list[Item] = []
    across = _PILED * cell
    low = (len(pieces) - 1) * _RISE * cell / 2.0
    line = max(across * 0.03, 0.15)
    for number, letter in enumerate(pieces):
        area = theme.area(_role(letter))
        centre = (0.0, low - number * _RISE * cell)
        if number < len(pieces) - 1:
            items.append(Polygon(octagon(across, centre), area.style(line)))
            continue
        items += patterns.polygon(octagon(across, centre), area, width=line, mark=across * 0.045)
        size = across * 0.46
        items.append(Text(*centre, str(len(pieces)), size, area.text, "middle", "ink", "bold"))
    return tuple(items)


def _role(letter: str) -> str:
    return "white" if letter == "w" else "black"


def frame(centre: Point, cell: float, theme: Theme, *, dashed: bool = False) -> tuple[Item, ...]:
    """Return a mark round a cell: a line of its own colour between two dark ones; dashed, a plain dark one."""
    half = cell * 0.455
    x, y = centre
    corners = (
        (x - half, y - half),
        (x + half, y - half),
        (x + half, y + half),
        (x - half, y + half),
    )
    if dashed:
        dash = (cell * 0.11, cell * 0.11)
        return (Polygon(corners, Style(stroke=theme.colour("ink"), width=cell * 0.03, dash=dash)),)
    return (
        Polygon(corners, Style(stroke=theme.colour("ink"), width=cell * 0.1)),
        Polygon(corners, Style(stroke=theme.colour("last"), width=cell * 0.055)),
    )
