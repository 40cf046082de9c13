"""`spiral`: the board of 37 cells, counters, the 32 cards and the mat for their columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from pnp.errors import FitError, PnpError
from pnp.games import Component
from pnp.options import Common, Option, Options
from pnp.paint.cards import CARDS, card_back, card_face, suit_symbols
from pnp.paint.spiral import paint_spiral_board, spiral_board_size, spiral_joints
from pnp.paint.spiral_cells import LEAST_LABEL, Labels, place
from pnp.paint.spiral_pieces import counter_face, counter_outline, mat_joints, mat_size, paint_mat
from pnp.scene import Use
from pnp.sheet.drawings import place_drawing
from pnp.sheet.job import Drawing, Job, Joints, Part, Piece, Pieces, fixed
from pnp.sheet.pieces import lay_pieces
from pnp.sheet.space import STRIP, spaces
from pnp.spiral_layout import SpiralLayout, load, standard
from pnp.units import MM_PER_INCH, format_mm

if TYPE_CHECKING:
    from pnp.fonts import FontSet
    from pnp.themes import Theme

PLAYER, BROOKS = 13, 24
"""Counters: as many as the longest game needs of each side (print.md)."""

CARD_SIZES = {
    "small": (41.0, 63.0),
    "bridge": (2.25 * MM_PER_INCH, 3.5 * MM_PER_INCH),
    "poker": (2.5 * MM_PER_INCH, 3.5 * MM_PER_INCH),
}
"""Width and height in mm."""

BOARD = "Spiral board"

LEAST_CELL = 9.0
"""The least cell in mm that holds a readable label and a counter beside it."""
_GAPS = {"small": 4.0, "bridge": 3.0, "poker": 1.5}
"""Between the columns of the mat, so that all four fit on A4 and on letter paper."""

OPTIONS = (
    Option("cell-size", "length", "a cell, flat to flat", 27.0),
    Option(
        "style",
        "choice",
        "cells in eight colours by their lower rank, or plain",
        "coded",
        choices=("coded", "plain"),
    ),
    Option(
        "label-place",
        "choice",
        "labels beside the counter's place, or in the middle for clear counters",
        "beside",
        choices=("beside", "middle"),
    ),
    Option("legend", "flag", "the ranks in order below a colour-coded board", True),
    Option("way", "flag", "the line that shows the spiral's way", True),
    Option("layout", "file", "another layout of the board, a TOML file", metavar="FILE.toml"),
    Option("board", "flag", "the board", True),
    Option("counters", "flag", f"{PLAYER} counters for the player, {BROOKS} for Dr. Brooks", True),
    Option("counter-size", "length", "a counter; without it to suit the cell, 19 mm for 27 mm"),
    Option("cards", "flag", "the 32 cards", True),
    Option(
        "card-size",
        "choice",
        "small 41 × 63 mm, bridge 57.15 × 88.9 mm, poker 63.5 × 88.9 mm",
        "small",
        choices=tuple(CARD_SIZES),
    ),
    Option("mat", "flag", "the mat for four columns of eight cards", True),
)


def build(options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return board, counters, cards and mat, those that are wanted.

    Raises LayoutError for a `--layout` that is no spiral, FitError for counters that would hide the
    labels and for cells too small to read.
    """
    path = options.path("layout")
    layout = load(path) if path else standard()
    counter = _counter(options)
    parts: list[Part] = []
    if options.flag("board"):
        parts.append(_board(options, theme, layout, fonts))
    if options.flag("counters"):
        parts.append(_counters(counter, options, theme))
    if options.flag("cards"):
        parts.append(_cards(options, theme))
    if options.flag("mat"):
        parts += _mats(options, theme)
    # What has no size to choose is asked first, so that a size named later builds.
    for part in parts:
        if isinstance(part, Drawing) and part.title == BOARD:
            _check_board(part, options)
    if not parts:
        raise PnpError("board, counters, cards and mat are all left out; take one back")
    return Job(
        title="Spiral",
        parts=tuple(parts),
        subject="The board of 37 cells, the counters and the 32 cards for the game of Spiral",
        keywords=("Spiral", "solitaire", "print and play"),
    )


def _labels(options: Options) -> Labels:
    return cast("Labels", options.word("label-place")) if options.common.labels else "none"


def _counter(options: Options) -> float:
    """Return the counters' diameter: the one asked for, else one that suits the cells."""
    asked = options.maybe_length("counter-size")
    cell = options.length("cell-size")
    suits = place(cell, _labels(options), None, LEAST_LABEL).counter
    return asked or _tenths(suits)


def _tenths(size: float) -> float:
    """Return a size rounded down to 0.1 mm."""
    return math.floor(size * 10.0 + 1e-6) / 10.0


def _board(options: Options, theme: Theme, layout: SpiralLayout, fonts: FontSet) -> Drawing:
    labels = _labels(options)
    coded = options.word("style") == "coded"
    legend = coded and options.flag("legend")
    asked = options.maybe_length("counter-size")

    def notes(cell: float) -> tuple[str, ...]:
        room = _tenths(place(cell, labels, None, LEAST_LABEL).largest)
        clear = "clear counters" if labels == "middle" else "counters"
        found = (f"cells {format_mm(cell)}", f"for {clear} up to {format_mm(room)}")
        return found if layout == standard() else (*found, f"layout: {layout.title}")

    return Drawing(
        title=BOARD,
        paint=lambda cell: (
            paint_spiral_board(
                cell,
                theme,
                labels=labels,
                coded=coded,
                way=options.flag("way"),
                legend=legend,
                layout=layout,
                counter=asked,
                least_label=LEAST_LABEL,
                fonts=fonts,
            ).scene
        ),
        measure=lambda cell: spiral_board_size(cell, legend=legend),
        size=options.length("cell-size"),
        notes=notes,
        joints=lambda cell: Joints(*spiral_joints(cell, labels, legend=legend)),
    )


def _check_board(drawing: Drawing, options: Options) -> None:
    """Raise the FitError of a board that is too large or too small to read, or of counters that its
    cells cannot hold.

    The sizes that an error names build together.
    """
    cell = options.length("cell-size")
    labelled = _labels(options) != "none"
    if labelled and cell < LEAST_CELL:
        raise FitError(
            f"--cell-size {format_mm(cell)} is too small for labels of {format_mm(LEAST_LABEL)};"
            f" it needs {format_mm(LEAST_CELL)} or more, or --no-labels"
        )
    try:
        if not options.common.split:
            place_drawing(drawing, options.common)
    except FitError as error:
        largest = error.largest or 0.0
        if labelled and largest < LEAST_CELL:
            wide, high = drawing.measure(LEAST_CELL)
            raise FitError(
                f"the Spiral board does not fit on the paper: with cells of {format_mm(LEAST_CELL)},"
                f" the least that hold labels, it is {format_mm(wide)} × {format_mm(high)};"
                " take a larger --paper, or --no-labels"
            ) from None
        also = f"; with --cell-size {largest:.1f} mm, which is the largest that fits on the paper"
        _check_counter(largest, options, also)
        raise
    _check_counter(cell, options, "")


def _check_counter(cell: float, options: Options, also: str) -> None:
    """Raise FitError where counters of the size asked for hide labels or stick out of cells."""
    asked = options.maybe_length("counter-size")
    labels = _labels(options)
    room = place(cell, labels, asked, LEAST_LABEL).largest
    if asked is None or asked <= room + 1e-6:
        return
    largest = _tenths(room)
    hidden = "would hide the labels of" if labels == "beside" else "are too large for"
    raise FitError(
        f"counters of {format_mm(asked)} {hidden} cells of {format_mm(cell)}:"
        f" the largest --counter-size that fits is {largest:.1f} mm{also}",
        largest,
    )


def _counters(size: float, options: Options, theme: Theme) -> Pieces:
    common = options.common
    cut_alone = common.single or common.bleed > 0.0
    marks = not cut_alone and common.marks != "none"
    return Pieces(
        title=f"Spiral counters {format_mm(size)}",
        outline=counter_outline(size),
        pieces=tuple(
            Piece(
                role,
                counter_face(role, size, theme, common.bleed, marks=marks),
                counter_face(role, size, theme, common.bleed, marks=False),
                count,
            )
            for role, count in (("player", PLAYER), ("brooks", BROOKS))
        ),
        what="counters",
        size=size,
        size_option="counter-size",
        clip=cut_alone,
    )


def _cards(options: Options, theme: Theme) -> Pieces:
    """Return the 32 cards. Raises FitError that names the largest cards that fit."""
    name = options.word("card-size")
    common = options.common
    cards = _deck(name, common, theme)
    if common.single or _fits(cards, common):
        return cards
    smaller = [
        size
        for size in reversed(CARD_SIZES)
        if CARD_SIZES[size] < CARD_SIZES[name] and _fits(_deck(size, common, theme), common)
    ]
    width, height = CARD_SIZES[name]
    what = f"{name} cards, {format_mm(width)} × {format_mm(height)}, do not fit on the paper"
    help_ = f"the largest --card-size that fits is {smaller[0]}" if smaller else "or --no-cards"
    raise FitError(f"{what}; take a larger --paper; {help_}")


def _fits(pieces: Pieces, common: Common) -> bool:
    try:
        lay_pieces(pieces, common)
    except FitError:
        return False
    return True


def _deck(name: str, common: Common, theme: Theme) -> Pieces:
    width, height = CARD_SIZES[name]
    x, y = width / 2.0, height / 2.0
    back = (Use("card-back", 0.0, 0.0),)
    return Pieces(
        title="Spiral cards",
        outline=((-x, -y), (x, -y), (x, y), (-x, y)),
        pieces=tuple(
            Piece(card, card_face(card, width, height, theme, common.bleed), back) for card in CARDS
        ),
        what="cards",
        symbols={**suit_symbols(width, theme), "card-back": card_back(width, height, theme)},
        clip=False,
    )


def _mats(options: Options, theme: Theme) -> list[Part]:
    """Return one mat of four columns, or where that is too large mats of two or of one; a column
    that is still too long is split between its cards."""
    name = options.word("card-size")
    card, gap = CARD_SIZES[name], _GAPS[name]
    common = options.common
    each = next((n for n in (4, 2) if common.single or _holds(common, mat_size(card, n, gap))), 1)
    groups = [tuple(range(first, first + each)) for first in range(1, 5, each)]
    joints = Joints((), mat_joints())
    return [
        fixed(_mat_title(columns), paint_mat(card, columns, gap, theme))._replace(
            joints=lambda size: joints, always_split=each == 1
        )
        for columns in groups
    ]


def _holds(common: Common, size: tuple[float, float]) -> bool:
    strip = STRIP if common.marks not in (None, "none") else 0.0
    return any(space.holds(*size) for space in spaces(common, strip=strip))


def _mat_title(columns: tuple[int, ...]) -> str:
    if len(columns) == 4:
        return "Spiral mat"
    which = " and ".join(str(number) for number in columns)
    return f"Spiral mat, column{'s' if len(columns) > 1 else ''} {which}"


COMPONENT = Component(
    name="spiral",
    help="The Spiral board, counters, cards and the mat for them",
    options=OPTIONS,
    build=build,
)
