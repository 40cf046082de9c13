"""`hex`: rhombus boards of any size from 2 to 30, and stones to cut."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from pnp.boards import MAX_RHOMBUS
from pnp.games import Component
from pnp.geometry import hexagon
from pnp.options import Option, Options
from pnp.paint.boards import (
    CellStyle,
    Coordinates,
    clear_lines,
    counter_size,
    hex_board_size,
    label_size,
    paint_hex_board,
)
from pnp.sheet.job import Drawing, Job, Joints, Piece, Pieces
from pnp.units import format_mm

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.themes import Theme

NAMES = (("classic", 11), ("club", 13), ("nash", 14), ("large", 15), ("grand", 17), ("giant", 19))

OPTIONS = (
    Option(
        "size",
        "int",
        "cells a side: 2 to 30, or " + ", ".join(f"{word} {n}" for word, n in NAMES),
        11,
        names=NAMES,
        least=2,
        most=MAX_RHOMBUS,
    ),
    Option("cell-size", "length", "cell, flat to flat; without it the largest that fits", least=1),
    Option(
        "style",
        "choice",
        "how cells are drawn; points are those of a triangular grid",
        "hexagons",
        choices=("hexagons", "circles", "points"),
    ),
    Option(
        "turn", "choice", "hexagons on a corner or on a side", "pointy", choices=("pointy", "flat")
    ),
    Option("coordinates", "choice", "sides that have coordinates", "four", choices=("two", "four")),
    Option("stones", "flag", "also stones to cut, half as many as cells for each colour", False),
    Option("stone-size", "length", "stone, flat to flat; without it to suit the cell"),
)

_INSET = 0.4
"""The white line round a stone's face, in mm."""


def build(options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return the board, and with `--stones` its stones."""
    n = options.integer("size")
    board = _board(n, options, theme)
    parts: tuple[Drawing | Pieces, ...] = (board,)
    if options.flag("stones"):
        cell = board.size
        if cell is None:
            from pnp.sheet.drawings import place_drawing

            _, cell = place_drawing(board, options.common)
        parts = (board._replace(size=cell), _stones(n, cell, options, theme))
    return Job(
        title=f"Hex {n} × {n}",
        parts=parts,
        subject=f"A board of {n} × {n} cells for the game of Hex",
        keywords=("Hex", "print and play"),
    )


def _board(n: int, options: Options, theme: Theme) -> Drawing:
    style = cast("CellStyle", options.word("style"))
    pointy = options.word("turn") == "pointy"
    wanted = options.word("coordinates") if options.common.labels else "none"
    labels = cast("Coordinates", wanted)

    def notes(cell: float) -> tuple[str, ...]:
        found = [f"cells {format_mm(cell)}"]
        if counter_size(cell, style) > 0:
            found.append(f"for counters up to {format_mm(counter_size(cell, style))}")
        if labels != "none" and label_size(n, cell) is None:
            found.append("cells too small for coordinates")
        return tuple(found)

    return Drawing(
        title=f"Hex {n} × {n}",
        paint=lambda cell: (
            paint_hex_board(n, cell, theme, labels=labels, style=style, pointy=pointy).scene
        ),
        measure=lambda cell: hex_board_size(n, cell, labels=labels, pointy=pointy),
        size=options.maybe_length("cell-size"),
        notes=notes,
        joints=lambda cell: Joints(
            *clear_lines(paint_hex_board(n, cell, theme, labels=labels, style=style, pointy=pointy))
        ),
    )


def _stones(n: int, cell: float, options: Options, theme: Theme) -> Pieces:
    """Half the cells, rounded up, in each colour: enough for any game."""
    from pnp.paint.stones import stone_face

    asked = options.maybe_length("stone-size")
    size = asked or max(math.floor(cell * 8.6 + 1e-6) / 10.0, 0.1)
    outline = hexagon(size, pointy=options.word("turn") == "pointy")
    each = -(-n * n // 2)
    inset = min(_INSET, size * 0.06)
    return Pieces(
        title=f"Hex stones {format_mm(size)}",
        outline=outline,
        pieces=(
            Piece("red", stone_face("red", outline, inset, theme), count=each),
            Piece("blue", stone_face("blue", outline, inset, theme), count=each),
        ),
        what="stones",
        size=size,
        size_option="stone-size",
        shape="hexagon",
        clip=False,
    )


COMPONENT = Component(
    name="hex",
    help="Hex boards from 2 × 2 to 30 × 30, with stones to cut",
    options=OPTIONS,
    build=build,
)
