"""The Spiral board and its counters: the one drawing for prints and for the referee's diagrams. Pure, in mm.

Cells stand pointy-top in rows, as `boards.hexhex(4)` has them, `cell` mm flat to flat. The legend of
the colour coding stands below the board.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from pnp.boards import hexhex
from pnp.fonts import FontSet
from pnp.fonts import load as load_fonts
from pnp.geometry import Box, Point, hexagon
from pnp.paint import patterns
from pnp.paint.spiral_cells import (
    CAP_OF_SIZE,
    COUNTER,
    Labels,
    label_box,
    place,
)
from pnp.paint.spiral_way import paint_way
from pnp.scene import Circle, Item, Lines, Polygon, Scene, Style, Text, Use
from pnp.spiral_layout import CENTRE, RANKS, SIDE, SpiralLayout, standard
from pnp.themes import Area, Theme, rank_role

__all__ = ["COUNTER", "Labels"]

Segment = tuple[float, float, float, float]

_LEGEND_GAP, _LEGEND = 0.2, 0.36
"""The gap above the legend, and its height, in cells."""
_LEAST_WORDS = 1.8
"""The least size in mm of the words beside the legend; below it they are left out."""


@dataclass(frozen=True, slots=True)
class PaintedSpiral:
    """A board as drawn.

    centres  the middle of each cell in mm, in the order of boards.hexhex(4)
    places   where its counter lies
    cell     the width of a cell in mm, flat to flat
    """

    scene: Scene
    centres: tuple[Point, ...]
    places: tuple[Point, ...]
    cell: float


def spiral_board_size(cell: float, *, legend: bool = False) -> tuple[float, float]:
    """Return the width and height in mm of the picture that `paint_spiral_board` makes."""
    left, top, right, bottom = hexhex(SIDE).box
    rim = _rim(cell)
    below = (_LEGEND_GAP + _LEGEND) * cell if legend else 0.0
    return ((right - left) * cell + rim, (bottom - top) * cell + rim + below)


@lru_cache(maxsize=16)
def paint_spiral_board(
    cell: float,
    theme: Theme,
    *,
    labels: Labels = "beside",
    coded: bool = False,
    way: bool = True,
    legend: bool = False,
    layout: SpiralLayout | None = None,
    counter: float | None = None,
    least_label: float = 0.0,
    fonts: FontSet | None = None,
) -> PaintedSpiral:
    """Return the empty board (rulings spiral-board, spiral-layout).

    labels   in the middle (for clear counters), beside the counter's place, or none
    coded    cells of one lower rank share a colour and its pattern
    way      a line with points leads through all cells along the spiral, inwards; it keeps clear of
             the labels
    legend   the ranks in their order below the board
    counter  the diameter in mm of the counters that are laid on it, None for 19 mm on cells of 27 mm
    least_label  the least height of the labels' capitals in mm, however small the cells are
    fonts    what the labels are centred with, None for the shipped ones
    """
    chosen = layout or standard()
    where = place(cell, labels, counter, least_label)
    left, top, _, _ = hexhex(SIDE).box
    half = _rim(cell) / 2.0
    dx, dy = half - left * cell, half - top * cell
    centres = tuple((x * cell + dx, y * cell + dy) for x, y in hexhex(SIDE).centres)
    outlines = [tuple((x * cell + dx, y * cell + dy) for x, y in o) for o in hexhex(SIDE).outlines]
    areas = [cell_area(label, theme, coded) for label in chosen.labels]
    items: list[Item] = []
    symbols: dict[str, tuple[Item, ...]] = {}
    for label, centre, outline, area in zip(chosen.labels, centres, outlines, areas, strict=True):
        items.append(_cell(f"spiral-{label[0]}", centre, outline, area, cell, symbols))
    boxes = [label_box(c, where) for c in centres] if labels != "none" else []
    items += [_plate(b, a) for b, a in zip(boxes, areas, strict=False) if a.pattern != "solid"]
    inner, run, rim = _edges(chosen, outlines)
    thin = Style(stroke=theme.colour("grid"), width=_line(cell), cap="round")
    thick = Style(stroke=theme.colour("run"), width=_run(cell), cap="round")
    border = Style(stroke=theme.colour("border"), width=_rim(cell), cap="round")
    if not coded:
        inner, run = inner + run, []
    items += [Lines(tuple(segments), pen) for segments, pen in ((inner, thin), (run, thick))]
    items.append(Lines(tuple(rim), border))
    places = tuple((x, y + where.down) for x, y in centres)
    if way:
        items += paint_way([places[at] for at in chosen.way], cell, theme, boxes)
    if labels != "none":
        fonts = fonts or load_fonts()
        for label, (x, y), area in zip(chosen.labels, centres, areas, strict=True):
            items.append(_label(label, (x, y + where.label), where.cap, area.text, fonts))
    width, height = spiral_board_size(cell, legend=legend)
    if legend:
        items += _legend((half, height - _LEGEND * cell), cell, theme, fonts or load_fonts())
    scene = Scene(width, height, tuple(items), symbols, "Spiral board")
    return PaintedSpiral(scene, centres, places, cell)


def spiral_joints(
    cell: float, labels: Labels, *, legend: bool = False
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return straight lines across the picture, upright (x) and level (y) in mm, that cross neither
    a label nor a letter of the legend."""
    left, top, right, bottom = hexhex(SIDE).box
    half = _rim(cell) / 2.0
    across = round(2.0 * (right - left))
    columns = tuple(half + (k + 0.5) * cell / 2.0 for k in range(across))
    below = 0.25 if labels == "beside" else math.sqrt(3.0) / 4.0
    middles = sorted({y for _, y in hexhex(SIDE).centres})
    rows = tuple(half + (y - top + below) * cell for y in middles[:-1])
    if legend:
        rows += (half * 2.0 + (bottom - top + _LEGEND_GAP / 2.0) * cell,)
    return columns, rows


def cell_area(label: str, theme: Theme, coded: bool) -> Area:
    """Return how a cell looks: plain, or by its lower rank."""
    if label == CENTRE:
        return theme.area("cell-middle")
    return theme.area(rank_role(label[0])) if coded else theme.area("cell")


def _line(cell: float) -> float:
    return min(max(cell * 0.012, 0.15), 0.35)


def _run(cell: float) -> float:
    return cell * 0.045


def _rim(cell: float) -> float:
    """The outline, half of it outside the cells: seven cells of 27 mm and it fit between the
    margins of A4."""
    return cell * 0.034


def _cell(
    name: str,
    centre: Point,
    outline: tuple[Point, ...],
    area: Area,
    cell: float,
    symbols: dict[str, tuple[Item, ...]],
) -> Item:
    """A cell's colour; with its pattern, which is drawn again and again, as a symbol."""
    if area.pattern == "solid":
        return Polygon(outline, area.style())
    if name not in symbols:
        about = hexagon(cell)
        symbols[name] = _surface(about, area._replace(line=None), cell, 0.0)
    return Use(name, *centre)


def _surface(points: tuple[Point, ...], area: Area, cell: float, width: float) -> tuple[Item, ...]:
    return patterns.polygon(points, area, width=width, pitch=cell * 0.12, mark=cell * 0.018)


def _edges(
    layout: SpiralLayout, outlines: list[tuple[Point, ...]]
) -> tuple[list[Segment], list[Segment], list[Segment]]:
    """Return each side once: inside a run of one lower rank, between two runs, on the rim."""
    board = hexhex(SIDE)
    inner: list[Segment] = []
    run: list[Segment] = []
    rim: list[Segment] = []
    for index, outline in enumerate(outlines):
        x0, y0 = board.centres[index]
        for a, b, (ux, uy), (vx, vy) in zip(
            outline,
            (*outline[1:], outline[0]),
            board.outlines[index],
            (*board.outlines[index][1:], board.outlines[index][0]),
            strict=True,
        ):
            over = (ux + vx - x0, uy + vy - y0)  # the middle of the cell across this side
            near = next(
                (n for n in board.neighbours[index] if math.dist(board.centres[n], over) < 1e-6),
                None,
            )
            if near is None:
                rim.append((*a, *b))
            elif near > index:
                same = layout.labels[index][0] == layout.labels[near][0]
                (inner if same else run).append((*a, *b))
    return inner, run, rim


def _label(label: str, middle: Point, cap: float, ink: str, fonts: FontSet) -> Text:
    """A label with the middle of its capitals at `middle`: across by its ink, for J reaches far
    left; down by its capitals, so that all labels of a row stand on one line."""
    x, y = middle
    size = cap / CAP_OF_SIZE
    _, top, _, bottom = fonts.ink(label, size, "bold")
    y += (top + bottom + fonts.cap_height(size, "bold")) / 2.0
    return Text(x, y, label, size, ink, "middle", "ink", "bold")


def _plate(box: Box, area: Area) -> Polygon:
    """The bare ground of a label where a pattern lies in its cell."""
    x0, y0, x1, y1 = box
    return Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), Style(fill=area.fill))


def _legend(corner: Point, cell: float, theme: Theme, fonts: FontSet) -> list[Item]:
    """The ranks in order, each on its colour and pattern, and how a cell is found.

    The letters stand below the middles of cells, so that a board that is split cuts none.
    """
    left, top = corner
    pitch, height, cap = cell / 2.0, _LEGEND * cell, cell * 0.17
    middle = top + height / 2.0
    items: list[Item] = []
    for number, rank in enumerate(RANKS, 1):
        x = left + number * pitch
        box = (
            *((x - pitch / 2.0, top), (x + pitch / 2.0, top)),
            *((x + pitch / 2.0, top + height), (x - pitch / 2.0, top + height)),
        )
        area = cell_area(rank, theme, coded=True)
        items += _surface(box, area._replace(line=theme.colour("run")), cell, _run(cell) / 2.0)
        if area.pattern != "solid":
            plate = (x - cap * 0.75, middle - cap * 0.75, x + cap * 0.75, middle + cap * 0.75)
            items.append(_plate(plate, area))
        items.append(_label(rank, (x, middle), cap, area.text, fonts))
    ink, size = theme.colour("ink"), cell * 0.118
    if size < _LEAST_WORDS:
        return items
    x = left + (len(RANKS) + 0.5) * pitch + cell * 0.2
    words = ("9Q: the lower card, 9, says the area;", "follow its line to Q. T is 10.")
    for number, line_of_text in enumerate(words):
        y = middle + (number * 1.45 - 0.4) * size
        items.append(Text(x, y, line_of_text, size, ink))
    return items


def counter(role: str, diameter: float, theme: Theme) -> tuple[Item, ...]:
    """Return a counter about (0, 0): role "player" or "brooks"."""
    area = theme.area(role)
    return patterns.circle(
        0.0,
        0.0,
        diameter / 2.0,
        area,
        width=diameter * 0.03,
        pitch=diameter * 0.2,
        mark=diameter * 0.04,
    )


def ring(at: Point, cell: float, theme: Theme) -> tuple[Item, ...]:
    """Return the mark of the last ply on a counter's rim, clear of the label above it."""
    r = COUNTER * cell / 2.0
    return (
        Circle(*at, r, Style(stroke=theme.colour("ink"), width=0.09 * cell)),
        Circle(*at, r, Style(stroke=theme.colour("last"), width=0.05 * cell)),
    )


def shape(points: list[Point], cell: float, theme: Theme) -> tuple[Item, ...]:
    """Return lines between all of the points that are neighbours: the fork or bridge that ended a game."""
    joined = [
        (*a, *b)
        for number, a in enumerate(points)
        for b in points[number + 1 :]
        if math.dist(a, b) < 1.1 * cell
    ]
    items: list[Item] = []
    for colour, width in (("ink", 0.13), ("chain", 0.08)):
        ink = theme.colour(colour)
        items.append(Lines(tuple(joined), Style(stroke=ink, width=cell * width, cap="round")))
        items += [Circle(x, y, cell * width * 0.8, Style(fill=ink)) for x, y in points]
    return tuple(items)
