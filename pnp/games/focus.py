"""`focus`: the board of 52 cells, pieces to cut, and strips for the rims of stacked discs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pnp.errors import FitError, PnpError
from pnp.games import Component
from pnp.options import Option, Options
from pnp.paint.focus import (
    PIECE,
    focus_board_size,
    joints,
    octagon,
    paint_focus_board,
    with_setup,
)
from pnp.paint.focus_pieces import piece_face, strip_face, strip_outline, strip_size
from pnp.sheet.job import Drawing, Job, Joints, Part, Piece, Pieces
from pnp.sheet.pieces import lay_pieces
from pnp.sheet.space import largest_tenth, too_large
from pnp.units import format_mm

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.scene import Scene
    from pnp.themes import Theme

EACH = 18
"""Pieces a player (focus-setup)."""
ROLES = ("white", "black")

OPTIONS = (
    Option("cell-size", "length", "a cell's side", 22.0, least=1),
    Option("setup", "flag", "show where the pieces stand at the start", False),
    Option("board", "flag", "the board", True),
    Option("pieces", "flag", "18 pieces for each player", True),
    Option(
        "piece-size",
        "length",
        "a piece across flats; without it to suit the cell, 18 mm for 22 mm",
        least=1,
    ),
    Option(
        "rim",
        "length",
        "also strips this high, to glue round coins or discs",
        least=1.5,
        most=60,
        metavar="H",
    ),
    Option(
        "disc", "length", "the disc that --rim is glued round; without it the piece's size", least=1
    ),
)


def build(options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return the board, the pieces and, with `--rim`, their strips."""
    cell = options.length("cell-size")
    asked = options.maybe_length("piece-size")
    piece = asked or max(math.floor(cell * PIECE * 10.0 + 1e-6) / 10.0, 0.1)
    height = options.maybe_length("rim")
    parts: list[Part] = []
    if options.flag("board"):
        parts.append(_board(cell, options, theme))
    if options.flag("pieces"):
        parts.append(_pieces(piece, options, theme))
    if height is not None:
        parts.append(_strips(options.maybe_length("disc") or piece, height, options, theme))
    if not parts:
        raise PnpError("--no-board and --no-pieces leave nothing to print; take one back")
    return Job(
        title="Focus",
        parts=tuple(parts),
        subject="The board of 52 cells and the pieces for the game of Focus",
        keywords=("Focus", "Domination", "print and play"),
    )


def _board(cell: float, options: Options, theme: Theme) -> Drawing:
    labels = options.common.labels
    shown = options.flag("setup")

    def paint(size: float) -> Scene:
        board = paint_focus_board(size, theme, labels=labels)
        return with_setup(board, theme) if shown else board.scene

    def notes(size: float) -> tuple[str, ...]:
        return (f"cells {format_mm(size)}", "the set-up is shown" if shown else "52 cells")

    return Drawing(
        title="Focus board",
        paint=paint,
        measure=lambda size: focus_board_size(size, labels=labels),
        size=cell,
        notes=notes,
        joints=lambda size: Joints(*joints(size, labels=labels)),
    )


def _pieces(size: float, options: Options, theme: Theme) -> Pieces:
    common = options.common
    cut_alone = common.single or common.bleed > 0.0
    marks = not cut_alone and common.marks != "none"
    return Pieces(
        title=f"Focus pieces {format_mm(size)}",
        outline=octagon(size),
        pieces=tuple(
            Piece(
                role,
                piece_face(role, size, theme, common.bleed, marks=marks),
                piece_face(role, size, theme, common.bleed, marks=False),
                EACH,
            )
            for role in ROLES
        ),
        what="pieces",
        size=size,
        size_option="piece-size",
        clip=cut_alone,
    )


def _strips(disc: float, height: float, options: Options, theme: Theme) -> Pieces:
    """Return the strips for a disc. Raises FitError that names the largest disc, for their length
    does not grow as their height does."""
    common = options.common

    def strips(size: float) -> Pieces:
        length, _ = strip_size(size, height)
        return Pieces(
            title=f"Focus rim strips {format_mm(length)} × {format_mm(height)}",
            outline=strip_outline(size, height),
            pieces=tuple(
                Piece(
                    f"rim-{role}", strip_face(role, size, height, theme, common.bleed), None, EACH
                )
                for role in ROLES
            ),
            what=f"strips for discs of {format_mm(size)}",
            size_option="",
            clip=common.bleed > 0.0,
        )

    def fits(size: float) -> bool:
        try:
            lay_pieces(strips(size), common)
        except FitError:
            return False
        return True

    if not common.single and not fits(disc):
        largest = largest_tenth(lambda size: size > 0.0 and fits(size), disc)
        what = f"a strip {format_mm(height)} high for --disc {format_mm(disc)}"
        raise too_large(what, "disc", largest, "take a larger --paper")
    return strips(disc)


COMPONENT = Component(
    name="focus",
    help="The Focus board, pieces told apart from above and from the side",
    options=OPTIONS,
    build=build,
)
