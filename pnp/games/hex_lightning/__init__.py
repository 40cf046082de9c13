"""`hex-lightning`: tiles on hexagons, squares and triangles from one rule, and a board of hexagons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pnp.boards import MAX_RHOMBUS, Board, hexhex, rhombus
from pnp.errors import PnpError
from pnp.games import Component
from pnp.games.hex_lightning.sets import ALL_KINDS, SHAPES, TileSet, outline, tile_set
from pnp.options import Option, Options
from pnp.paint import tiles
from pnp.sheet.job import Drawing, Job, Joints, Part, Piece, Pieces
from pnp.tiles import TrackStyle, capacity, kinds
from pnp.units import format_mm

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.themes import Theme

CLEARANCE = 0.4
"""How much a cell of the board is larger than the tile that lies on it (print.md)."""
BOARDS = {"hexhex": 4, "rhombus": 6}
"""The boards and their default sizes."""

_EDGE = 0.15
"""The width of the line that --edges draws, in mm."""

OPTIONS = (
    Option("shape", "choice", "the tiles' shape", "hexagon", choices=tuple(SHAPES)),
    Option(
        "tile-size",
        "length",
        "hexagons flat to flat, squares and triangles a side",
        25.0,
    ),
    Option(
        "families",
        "text",
        "marks between corners VV, between midpoints MM, from corner to midpoint VM, power marks P",
        "VV,MM,VM,P",
        metavar="VV,MM,VM,P",
    ),
    Option("power", "flag", "with the power tiles, or without, whatever --families says"),
    Option("each", "int", "how many tiles of each kind", 6, least=0, most=1000),
    Option(
        "weights",
        "choice",
        "the same number of each kind, or in proportion to its connective capacity",
        "equal",
        choices=("equal", "capacity"),
    ),
    Option(
        "count",
        "counts",
        "how many of one kind: --count VM2L=9, again for more kinds",
        choices=ALL_KINDS,
    ),
    Option("blanks", "int", "how many tiles without a mark", 0, least=0, most=1000),
    Option(
        "style", "choice", "straight marks, or arcs of circles", "straight",
        choices=("straight", "arc"),
    ),
    Option("line-width", "length", "the width of the marks", 2.0, least=0.2, most=20),
    Option("nodes", "flag", "a dot at each end of a mark, where lines meet", False),
    Option("coloured", "flag", "each family in colours of its own, else black on white", False),
    Option(
        "set",
        "file",
        "a set of tiles: read if the file is there, else written; or "
        "standard, capacity, arcs, lightning, triangles",
        metavar="FILE.toml",
    ),
    Option("tiles", "flag", "the tiles", True),
    Option("edges", "flag", "a thin line on each edge, to cut along by eye", False),
    Option(
        "board",
        "choice",
        "a board of hexagons to play on; without it hexhex for hexagons",
        choices=(*BOARDS, "none"),
    ),
    Option(
        "board-size",
        "int",
        "cells a side of the board; without it hexhex 4, rhombus 6",
        least=2,
        most=MAX_RHOMBUS,
    ),
    Option("cell-size", "length", "a cell of the board; without it the tile and 0.4 mm"),
    Option(
        "back-style",
        "choice",
        "what --backs prints behind the tiles",
        "patterned",
        choices=("plain", "patterned"),
    ),
)  # fmt: skip


def build(options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return the board and the tiles, a table of the set beside them, and the set where it is to be
    saved.

    Raises PnpError for a kind that the shape has not, for sizes that do not suit one another, and
    for a set that cannot be read.
    """
    chosen, save = tile_set(options)
    parts: list[Part] = []
    board = _board(chosen, options, theme)
    if board is not None:
        parts.append(board)
    if options.flag("tiles") and chosen.total:
        parts.append(_tiles(chosen, options, theme, fonts))
    if not parts:
        raise PnpError(
            "nothing is left to print: take --tiles or --board, and a count of more than 0"
        )
    sidecars: list[tuple[str | Path, str]] = []
    if options.flag("tiles"):
        sidecars.append((".csv", chosen.csv()))
    if save is not None:
        sidecars.append((save, chosen.toml()))
    return Job(
        title="Hex-Lightning",
        parts=tuple(parts),
        subject=f"Tiles on {chosen.shape}s for connection games",
        keywords=("Hex-Lightning", "print and play"),
        sidecars=tuple(sidecars),
    )


def _tiles(chosen: TileSet, options: Options, theme: Theme, fonts: FontSet) -> Pieces:
    corners = outline(chosen.shape, chosen.tile)
    style: TrackStyle = "arc" if chosen.style == "arc" else "straight"
    look = tiles.Look(
        width=chosen.line_width,
        style=style,
        nodes=chosen.nodes,
        colours=chosen.coloured,
        codes=options.common.labels,
        bleed=options.common.bleed,
    )
    patterned = options.word("back-style") == "patterned"
    behind = tiles.back(corners, theme, patterned=patterned, bleed=look.bleed)
    marks = kinds(SHAPES[chosen.shape])
    pieces = [
        Piece(
            kind,
            tiles.face(marks[kind], corners, look, theme, kind=kind, fonts=fonts),
            behind,
            count,
        )
        for kind, count in chosen.counts.items()
        if count
    ]
    if chosen.blanks:
        bare = tiles.ground(theme.area("tile"), corners, look.bleed)
        pieces.append(Piece("blank", bare, behind, chosen.blanks))
    return Pieces(
        title="Hex-Lightning tiles",
        outline=corners,
        pieces=tuple(pieces),
        what="tiles",
        size=chosen.tile,
        shape="box" if chosen.shape == "square" else chosen.shape,
        notes=(_told(chosen), _capacities(chosen)),
        edges=theme.line("pale", _EDGE) if options.flag("edges") else None,
    )


def _told(chosen: TileSet) -> str:
    """Say how many of each kind there are, kinds that are as many together."""
    groups: dict[int, list[str]] = {}
    for kind, count in chosen.counts.items():
        if count:
            groups.setdefault(count, []).append(kind)
    told = [f"{count} of each of {', '.join(group)}" for count, group in groups.items()]
    if chosen.blanks:
        told.append(f"{chosen.blanks} blank")
    return "; ".join(told)


def _capacities(chosen: TileSet) -> str:
    marks = kinds(SHAPES[chosen.shape])
    told = [f"{kind} {capacity(marks[kind])}" for kind, count in chosen.counts.items() if count]
    return "connective capacity: " + ", ".join(told)


def _board(chosen: TileSet, options: Options, theme: Theme) -> Drawing | None:
    """Return the board; None where none is wanted, or where the tiles are no hexagons."""
    form = options.text("board")
    if form is None:
        form = "hexhex" if chosen.shape == "hexagon" else "none"
    if form == "none":
        return None
    if chosen.shape != "hexagon":
        raise PnpError(
            f"--board {form} is for hexagons, not for {chosen.shape}s; take --board none"
        )
    n = options.integer("board-size") if options.given("board-size") else BOARDS[form]
    cell = options.maybe_length("cell-size") or chosen.tile + CLEARANCE
    if options.flag("tiles") and chosen.tile > cell + 1e-6:
        raise PnpError(
            f"tiles of {format_mm(chosen.tile)} do not lie on cells of {format_mm(cell)};"
            f" take --cell-size {chosen.tile + CLEARANCE:g}mm or --board none"
        )
    board = rhombus(n) if form == "rhombus" else hexhex(n)
    if options.given("cell-size"):
        return _drawing(board, cell, "cell-size", 0.0, options, theme)
    return _drawing(board, chosen.tile, "tile-size", CLEARANCE, options, theme)


def _drawing(
    board: Board, size: float, option: str, more: float, options: Options, theme: Theme
) -> Drawing:
    """Return the board; its cells are `more` mm larger than the size that `option` sets."""
    from pnp.paint import tile_board

    labels = options.common.labels
    return Drawing(
        title=f"Hex-Lightning board, {board.name}",
        paint=lambda size: (
            tile_board.paint_tile_board(board, size + more, theme, labels=labels).scene
        ),
        measure=lambda size: tile_board.tile_board_size(board, size + more),
        size=size,
        size_option=option,
        notes=lambda size: (f"{len(board)} cells of {format_mm(size + more)}",),
        joints=lambda size: Joints(*tile_board.tile_board_joints(board, size + more)),
    )


COMPONENT = Component(
    name="hex-lightning",
    help="Tile sets on hexagons, squares and triangles, and a board of hexagons.",
    options=OPTIONS,
    build=build,
)
