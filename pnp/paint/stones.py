"""Stones, marks and numbers on a painted Hex board: positions for diagrams, and the faces of stones
to cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pnp.geometry import Point
from pnp.paint import patterns
from pnp.paint.boards import PaintedBoard
from pnp.scene import Circle, Item, Line, Polygon, Scene, Style, Text, Use
from pnp.themes import Theme

Colour = Literal["red", "blue"]

DIAMETER = 0.8
"""Of a stone, in cells."""


def with_stones(
    board: PaintedBoard,
    theme: Theme,
    stones: Mapping[int, Colour],
    *,
    numbers: Mapping[int, str] | None = None,
    last: int | None = None,
    chain: Sequence[int] = (),
) -> Scene:
    """Return the board with stones on it, cells by their index in pnp.boards.rhombus(n).

    numbers  short texts on stones (or on empty cells), such as the number of the ply
    last     the cell of the last move: a ring round it, a dot on it where it has no number
    chain    the cells of a winning chain in order: one line through their middles
    """
    numbers = numbers or {}
    symbols = dict(board.scene.symbols)
    items: list[Item] = list(board.scene.items)
    radius = board.cell * DIAMETER / 2.0
    for colour in dict.fromkeys(stones.values()):
        symbols[f"hex-{colour}"] = stone(colour, radius, theme)
    for cell, colour in sorted(stones.items()):
        items.append(Use(f"hex-{colour}", *board.centres[cell]))
    items += _chain([board.centres[cell] for cell in chain], board.cell, theme)
    if last is not None:
        items += _last(board, theme, stones.get(last), last, marked=last in numbers)
    for cell, text in sorted(numbers.items()):
        x, y = board.centres[cell]
        on = stones.get(cell)
        ink = theme.area(on).text if on else theme.colour("ink")
        size = min(board.cell * 0.4, radius * 2.1 / max(len(text), 1))
        if on:
            ground = Style(fill=theme.area(on).fill or theme.colour("paper"))
            items.append(Circle(x, y, radius * 0.66, ground))
        items.append(Text(x, y, text, size, ink, "middle", "ink", "bold"))
    return board.scene._replace(items=tuple(items), symbols=symbols)


def stone(colour: Colour, radius: float, theme: Theme) -> tuple[Item, ...]:
    """Return a stone about (0, 0): the theme's colour, and its pattern that tells it apart without."""
    pitch = radius * 0.4
    return patterns.circle(
        0.0, 0.0, radius, theme.area(colour), width=radius * 0.08, pitch=pitch, mark=pitch * 0.32
    )


def stone_face(
    colour: Colour, outline: tuple[Point, ...], inset: float, theme: Theme
) -> tuple[Item, ...]:
    """Return the face of a stone to cut about (0, 0): the outline drawn in by `inset` mm all round,
    so that a white line shows where to cut and a cut a little off leaves no sliver of a neighbour.
    """
    reach = min(x * x + y * y for x, y in outline) ** 0.5
    shrink = 1.0 - inset / (reach * 3**0.5 / 2.0)
    inner = tuple((x * shrink, y * shrink) for x, y in outline)
    pitch = reach * 0.3
    return patterns.polygon(
        inner, theme.area(colour), width=0.2, pitch=pitch, mark=pitch * 0.32, origin=(0.0, 0.0)
    )


def _chain(points: list[Point], cell: float, theme: Theme) -> tuple[Item, ...]:
    if len(points) < 2:
        return ()
    path = tuple(points)
    wide = Style(stroke=theme.colour("ink"), width=cell * 0.16, cap="round", join="round")
    line = Style(stroke=theme.colour("chain"), width=cell * 0.1, cap="round", join="round")
    return (Line(path, wide), Line(path, line))


def _last(
    board: PaintedBoard, theme: Theme, colour: Colour | None, cell: int, *, marked: bool
) -> tuple[Item, ...]:
    """A ring that stands out by lightness too: a pale line between two dark ones."""
    x, y = board.centres[cell]
    radius = board.cell * DIAMETER / 2.0
    ink = Style(stroke=theme.colour("ink"), width=board.cell * 0.11)
    ring = Style(stroke=theme.colour("last"), width=board.cell * 0.06)
    items: tuple[Item, ...] = (Circle(x, y, radius, ink), Circle(x, y, radius, ring))
    if marked or colour is None:
        return items
    size = radius * 0.24
    diamond = ((x, y - size), (x + size, y), (x, y + size), (x - size, y))
    return (*items, Polygon(diamond, Style(fill=theme.area(colour).text)))
