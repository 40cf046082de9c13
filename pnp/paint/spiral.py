"""The Spiral board and its counters: the one drawing for prints and for the referee's diagrams. Pure, in mm.

Cells stand pointy-top in rows, as `boards.hexhex(4)` has them, `cell` mm flat to flat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from pnp.boards import hexhex
from pnp.geometry import Point, midpoint
from pnp.paint import patterns
from pnp.scene import Circle, Item, Line, Lines, Scene, Style, Text
from pnp.spiral_layout import CENTRE, SIDE, SpiralLayout, standard
from pnp.themes import Area, Theme, rank_role

Labels = Literal["none", "middle", "beside"]
Segment = tuple[float, float, float, float]

COUNTER = 19.0 / 27.0
"""A counter's diameter, in cells (print.md)."""
DOWN = 0.09
"""How far below the middle a counter lies where the label stands beside it, in cells."""
_ABOVE = 0.405
"""How far above the middle that label stands, in cells."""
_CAP = 0.132
"""The height of its capitals, in cells: 3.5 mm and more on cells of 27 mm."""
_CAP_OF_SIZE = 0.729
"""The height of capitals of DejaVu Sans, as a part of the font's size."""


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


def spiral_board_size(cell: float) -> tuple[float, float]:
    """Return the width and height in mm of the picture that `paint_spiral_board` makes."""
    left, top, right, bottom = hexhex(SIDE).box
    rim = _rim(cell)
    return ((right - left) * cell + rim, (bottom - top) * cell + rim)


@lru_cache(maxsize=16)
def paint_spiral_board(
    cell: float,
    theme: Theme,
    *,
    labels: Labels = "beside",
    coded: bool = False,
    way: bool = True,
    layout: SpiralLayout | None = None,
) -> PaintedSpiral:
    """Return the empty board (rulings spiral-board, spiral-layout).

    labels  in the middle (for clear counters), beside the counter's place, or none
    coded   cells of one lower rank share a colour and its pattern
    way     short lines with points lead from cell to cell along the spiral, inwards
    """
    chosen = layout or standard()
    left, top, _, _ = hexhex(SIDE).box
    half = _rim(cell) / 2.0
    dx, dy = half - left * cell, half - top * cell
    centres = tuple((x * cell + dx, y * cell + dy) for x, y in hexhex(SIDE).centres)
    outlines = [tuple((x * cell + dx, y * cell + dy) for x, y in o) for o in hexhex(SIDE).outlines]
    items: list[Item] = []
    for index, outline in enumerate(outlines):
        area = cell_area(chosen.labels[index], theme, coded)
        pitch, mark = cell * 0.12, cell * 0.018
        items += patterns.polygon(outline, _unlined(area), width=0.0, pitch=pitch, mark=mark)
    inner, run, rim = _edges(chosen, outlines)
    thin = Style(stroke=theme.colour("grid"), width=_line(cell), cap="round")
    thick = Style(stroke=theme.colour("run"), width=_run(cell), cap="round")
    border = Style(stroke=theme.colour("border"), width=_rim(cell), cap="round")
    items += [Lines(tuple(inner), thin), Lines(tuple(run), thick), Lines(tuple(rim), border)]
    if way:
        items += _way([centres[i] for i in chosen.way], cell, theme, labels)
    places = tuple((x, y + (DOWN * cell if labels == "beside" else 0.0)) for x, y in centres)
    if labels != "none":
        for index, label in enumerate(chosen.labels):
            if label != CENTRE:
                ink = cell_area(label, theme, coded).text
                items.append(_label(label, centres[index], cell, ink, labels))
    width, height = spiral_board_size(cell)
    return PaintedSpiral(
        Scene(width, height, tuple(items), title="Spiral board"), centres, places, cell
    )


def cell_area(label: str, theme: Theme, coded: bool) -> Area:
    """Return how a cell looks: plain, or by its lower rank."""
    if label == CENTRE:
        return theme.area("cell-middle")
    return theme.area(rank_role(label[0])) if coded else theme.area("cell")


def _unlined(area: Area) -> Area:
    return Area(area.fill, None, area.text, area.pattern, area.mark)


def _line(cell: float) -> float:
    return min(max(cell * 0.012, 0.15), 0.35)


def _run(cell: float) -> float:
    return cell * 0.045


def _rim(cell: float) -> float:
    return cell * 0.045


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


def _way(stations: list[Point], cell: float, theme: Theme, labels: Labels) -> list[Item]:
    """Lines across the sides between cells that follow each other, each with a point that leads inwards."""
    style = Style(stroke=theme.colour("way"), width=cell * 0.02, cap="round", join="round")
    lines: list[Item] = []
    reach = 0.12
    for (ax, ay), (bx, by) in pairwise(stations):
        mx, my = midpoint((ax, ay), (bx, by))
        ux, uy = (bx - ax) / cell, (by - ay) / cell
        start = (mx - ux * reach * cell, my - uy * reach * cell)
        tip = (mx + ux * reach * cell, my + uy * reach * cell)
        barb = 0.055 * cell
        wings = [
            (tip[0] - (ux * cos - uy * sin) * barb, tip[1] - (uy * cos + ux * sin) * barb)
            for cos, sin in ((0.8, 0.6), (0.8, -0.6))
        ]
        lines.append(Line((start, tip), style))
        lines.append(Line((wings[0], tip, wings[1]), style))
    x, y = stations[0]
    if labels != "middle":
        dot = Style(fill=theme.colour("way"))
        lines.append(Circle(x, y + (DOWN * cell if labels == "beside" else 0.0), cell * 0.05, dot))
    return lines


def _label(label: str, centre: Point, cell: float, ink: str, labels: Labels) -> Text:
    x, y = centre
    if labels == "middle":
        return Text(x, y, label, cell * 0.3, ink, "middle", "ink", "bold")
    size = _CAP * cell / _CAP_OF_SIZE
    return Text(x, y - _ABOVE * cell, label, size, ink, "middle", "cap", "bold")


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
    """Return the mark of the last ply round a counter."""
    r = COUNTER * cell / 2.0 + 0.035 * cell
    return (
        Circle(*at, r, Style(stroke=theme.colour("ink"), width=0.1 * cell)),
        Circle(*at, r, Style(stroke=theme.colour("last"), width=0.06 * cell)),
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
