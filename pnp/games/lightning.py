"""`lightning`: the board of two sections, tiles of five kinds, a mat, a reference card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pnp.errors import PnpError
from pnp.games import Component
from pnp.options import Option, Options
from pnp.paint import lightning, tiles
from pnp.sheet.job import Drawing, Job, Joints, Part, Piece, Pieces
from pnp.units import format_mm

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.themes import Theme

TILE = 23.0
CLEARANCE = 0.4
"""How much a cell is larger than the tile that lies on it (print.md: 23.4 mm for 23 mm)."""
EACH = 30
"""Tiles of each kind (lightning-tiles)."""
PLAYERS = ("first", "second")

OPTIONS = (
    Option("board", "flag", "the two sections of the board", True),
    Option("tiles", "flag", "the tiles", True),
    Option("mats", "flag", "a mat for pool and stock", True),
    Option("card", "flag", "reference cards, one for each player", True),
    Option("tile-size", "length", "a tile's side", TILE, least=1),
    Option("cell-size", "length", "a cell of the board; without it the tile and 0.4 mm"),
    Option("each", "int", "how many tiles of each kind", EACH, least=0, most=1000),
    Option(
        "count",
        "counts",
        "how many of one kind: --count III=20, again for more kinds",
        choices=lightning.KINDS,
    ),
    Option("coloured", "flag", "each kind in colours of its own, else black on white", False),
    Option("line-width", "length", "the width of the marks", 2.0, least=0.2, most=20),
    Option("nodes", "flag", "a dot at each end of a mark", False),
    Option(
        "back-style",
        "choice",
        "what --backs prints behind the tiles",
        "patterned",
        choices=("plain", "patterned"),
    ),
)


def build(options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return the sections of the board, one picture each, then tiles, mat and cards.

    Raises PnpError where the sizes do not suit one another or nothing is left to print.
    """
    counts = _counts(options)
    total = sum(counts.values())
    tile, cell = _sizes(options)
    parts: list[Part] = []
    if options.flag("board"):
        parts += [_section(number, tile, cell, options, theme) for number in (0, 1)]
    if options.flag("tiles") and total:
        parts.append(_tiles(counts, tile, options, theme, fonts))
    if options.flag("mats"):
        parts.append(_mat(tile, total, theme))
    if options.flag("card"):
        parts.append(_cards(theme, fonts))
    if not parts:
        raise PnpError(
            "nothing is left to print: take --board, --tiles, --mats or --card,"
            " and a count of more than 0"
        )
    return Job(
        title="Lightning",
        parts=tuple(parts),
        subject="Board and tiles for the game of Lightning of the 1890s",
        keywords=("Lightning", "print and play"),
    )


def _counts(options: Options) -> dict[str, int]:
    given = options.counts("count")
    return {kind: given.get(kind, options.integer("each")) for kind in lightning.KINDS}


def _sizes(options: Options) -> tuple[float, float]:
    """Return tile and cell: what is not given follows from the other."""
    tile, cell = options.length("tile-size"), options.maybe_length("cell-size")
    if cell is not None and not options.given("tile-size"):
        tile = min(tile, max(cell - CLEARANCE, 0.1))
    if cell is None:
        cell = tile + CLEARANCE
    if options.flag("board") and options.flag("tiles") and tile > cell + 1e-6:
        raise PnpError(
            f"tiles of {format_mm(tile)} do not lie on cells of {format_mm(cell)};"
            f" take --cell-size {format_mm(tile + CLEARANCE).replace(' ', '')} or --no-board"
        )
    return tile, cell


def _section(number: int, tile: float, cell: float, options: Options, theme: Theme) -> Drawing:
    """Return a section; where its cells follow from the tiles, the tiles' size is the one to name."""
    labels = options.common.labels
    columns = ("a–h", "i–p")[number]
    own = options.given("cell-size")
    more = 0.0 if own else CLEARANCE

    def joints(size: float) -> Joints:
        size += more
        x, y = (
            (whole - cells * size) / 2.0
            for whole, cells in zip(
                lightning.lightning_section_size(size),
                (lightning.WIDTH, lightning.HEIGHT),
                strict=True,
            )
        )
        return Joints(
            columns=tuple(x + k * size for k in range(1, lightning.WIDTH)),
            rows=tuple(y + k * size for k in range(1, lightning.HEIGHT)),
        )

    return Drawing(
        title=f"Lightning board, section {number + 1}, {columns}",
        paint=lambda size: (
            lightning.paint_lightning_section(number, size + more, theme, labels=labels).scene
        ),
        measure=lambda size: lightning.lightning_section_size(size + more),
        size=cell if own else tile,
        size_option="cell-size" if own else "tile-size",
        notes=lambda size: (f"{PLAYERS[number]} player's line", f"cells {format_mm(size + more)}"),
        joints=joints,
        always_split=True,
    )


def _tiles(
    counts: dict[str, int], tile: float, options: Options, theme: Theme, fonts: FontSet
) -> Pieces:
    corners = lightning.square(tile)
    look = tiles.Look(
        width=tiles.line_width(options.length("line-width"), options.given("line-width"), tile),
        nodes=options.flag("nodes"),
        colours=options.flag("coloured"),
        codes=options.common.labels,
        bleed=options.common.bleed,
    )
    behind = tiles.back(
        corners, theme, patterned=options.word("back-style") == "patterned", bleed=look.bleed
    )
    pieces = tuple(
        Piece(
            kind,
            tiles.face(lightning.kind_mark(kind), corners, look, theme, kind=kind, fonts=fonts),
            behind,
            count,
        )
        for kind, count in counts.items()
        if count
    )
    return Pieces(
        title="Lightning tiles",
        outline=corners,
        pieces=pieces,
        what="tiles",
        size=tile,
        notes=(f"{format_mm(tile)} a side", _told(counts)),
    )


def _told(counts: dict[str, int]) -> str:
    """Say how many of each kind there are."""
    if len(set(counts.values())) == 1:
        return f"{counts['I']} of each of {', '.join(counts)}"
    return ", ".join(f"{kind} {count}" for kind, count in counts.items())


def _mat(tile: float, total: int, theme: Theme) -> Drawing:
    from pnp.paint import lightning_mats

    return Drawing(
        title="Lightning mat, pool and stock",
        paint=lambda size: lightning_mats.paint_mat(size, total, theme),
        measure=lightning_mats.mat_size,
        size=tile,
        size_option="tile-size",
        notes=lambda size: (f"for tiles of {format_mm(size)}",),
    )


def _cards(theme: Theme, fonts: FontSet) -> Pieces:
    from pnp.paint import lightning_mats

    x, y = lightning_mats.CARD[0] / 2.0, lightning_mats.CARD[1] / 2.0
    return Pieces(
        title="Lightning reference cards",
        outline=((-x, -y), (x, -y), (x, y), (-x, y)),
        pieces=(Piece("reference", lightning_mats.reference_card(theme, fonts), count=2),),
        what="cards",
        clip=False,
    )


COMPONENT = Component(
    name="lightning",
    help="The board, tiles, mat and reference cards of Lightning.",
    options=OPTIONS,
    build=build,
)
