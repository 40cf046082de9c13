"""The printer test of `pnp calibrate`: one sheet, laid by the same code as tiles are (P9).

The front has bars to measure and crosses, the back has scales about the places where those crosses
should lie. Both say in words what to read and which option that gives.
"""

from __future__ import annotations

from typing import NamedTuple

from pnp.errors import FitError
from pnp.fonts import FontSet
from pnp.geometry import Box, shift
from pnp.options import Common
from pnp.paint import calibration as paint
from pnp.scene import Group, Item, Lines, Weight
from pnp.sheet.block import Spot
from pnp.sheet.job import Job, Piece, Pieces
from pnp.sheet.layout import Laid, bind
from pnp.sheet.leaf import Face, Leaf
from pnp.sheet.marks import cut_lines
from pnp.sheet.pieces import PieceSheets, lay_pieces, mirrored
from pnp.sheet.prose import Prose, fits, paint_prose
from pnp.sheet.space import flip_axis
from pnp.themes import Theme
from pnp.units import format_mm

TITLE = "Printer test"
_AIR = 3.0
_LETTERS = "ABCD"


class Grid(NamedTuple):
    """The test on a sheet: the block of tiles, its corners in the order of letters, what is free
    inside the outermost ring of tiles.
    """

    tile: float
    box: Box
    ring: tuple[Spot, ...]
    corners: tuple[Spot, ...]
    free: Box


def calibration(tile: float, common: Common, theme: Theme, fonts: FontSet) -> Laid:
    """Return the printer test with tiles of `tile` mm: a front, and a back unless backs are "none".

    Raises FitError, which names the largest tile that will do, where the words have no room.
    """
    sheets = _sheets(tile, common)
    grid = None if sheets is None else _grid(sheets, tile)
    if sheets is None or grid is None or not _readable(grid, sheets.common, fonts):
        raise _too_small(tile, common, fonts)
    leaves = [_with(next(sheets.fronts()), _front(grid, sheets, theme, fonts))]
    if sheets.has_backs:
        leaves.append(_with(next(sheets.backs()), _back(grid, sheets, theme, fonts)))
    job = Job(TITLE, (sheets.pieces,), "A sheet that measures a printer's offsets and scales")
    return bind(tuple(leaves), job, common, theme, fonts)


def _sheets(tile: float, common: Common) -> PieceSheets | None:
    """Return one full sheet of empty tiles, None where not one fits."""
    half = tile / 2.0
    outline = ((-half, -half), (half, -half), (half, half), (-half, half))
    behind = None if common.backs in ("none", "fold") else ()
    pieces = Pieces(
        TITLE, outline, (Piece("cell", (), behind),), "tiles", size=tile, clip=False,
        notes=(format_mm(tile),),
    )  # fmt: skip
    common = common._replace(copies=1, single=False, cut_layer=False)
    try:
        count = len(lay_pieces(pieces, common).block.spots)
    except FitError:
        return None
    full = pieces._replace(pieces=(Piece("cell", (), behind, count),))
    return PieceSheets(full, common.title or TITLE, common, "test-")


def _grid(sheets: PieceSheets, tile: float) -> Grid | None:
    """Return where things stand on the front, None for fewer than three rows or columns."""
    spots = sheets.layout.spots()
    xs = sorted({round(spot.x, 6) for spot in spots})
    ys = sorted({round(spot.y, 6) for spot in spots})
    if min(len(xs), len(ys)) < 3:
        return None
    half = tile / 2.0
    ring = tuple(
        s for s in spots if not (xs[0] + 1 < s.x < xs[-1] - 1 and ys[0] + 1 < s.y < ys[-1] - 1)
    )
    corners = tuple(Spot(x, y) for y in (ys[0], ys[-1]) for x in (xs[0], xs[-1]))
    box = (xs[0] - half, ys[0] - half, xs[-1] + half, ys[-1] + half)
    free = (xs[1] - half, ys[1] - half, xs[-2] + half, ys[-2] + half)
    return Grid(tile, box, ring, corners, free)


def _readable(grid: Grid, common: Common, fonts: FontSet) -> bool:
    """Return whether the words of both sides can be set."""
    sides = [(_front_words(grid, common), _beside_bars(grid.free))]
    if common.backs != "none":
        sides.append((_back_words(common), _inside(grid.free)))
    return min(_bars(grid.free)) > 0.0 and all(
        fits(words, box[2] - box[0], box[3] - box[1], fonts) for words, box in sides
    )


def _too_small(tile: float, common: Common, fonts: FontSet) -> FitError:
    """Return the error that names the largest tile with which all smaller sizes are not passed by:
    every tenth from there to `tile` fails.
    """
    for tenths in range(int(tile * 10.0 - 1e-6), 49, -1):
        sheets = _sheets(tenths / 10.0, common)
        grid = None if sheets is None else _grid(sheets, tenths / 10.0)
        if sheets and grid and _readable(grid, sheets.common, fonts):
            size = tenths / 10.0
            text = f"the largest --tile-size that fits is {size:.1f} mm"
            return FitError(
                f"the printer test with --tile-size {tile:g} mm does not fit on the paper: {text};"
                " take a larger --paper",
                size,
            )
    return FitError("the printer test does not fit on the paper; take a larger --paper")


def _with(leaf: Leaf, over: tuple[Item, ...]) -> Leaf:
    """Return a page with more on it."""
    paint_ = leaf.paint

    def painted() -> Face:
        face = paint_() if paint_ else Face(())
        return face._replace(items=(*face.items, *over))

    return leaf._replace(paint=painted)


def _front(grid: Grid, sheets: PieceSheets, theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    outlines = [shift(sheets.pieces.outline, s.x, s.y) for s in grid.ring]
    lines = (segment for each in cut_lines(outlines) for segment in each.segments)
    items: list[Item] = [Lines(tuple(lines), theme.line("soft", 0.2))]
    for letter, spot in zip(_LETTERS, grid.corners, strict=True):
        items.append(Group(paint.cross(letter, grid.tile, theme), dx=spot.x, dy=spot.y))
    left, top, _, _ = _inside(grid.free)
    across, down = _bars(grid.free)
    items.append(Group(paint.bar(across, theme), dx=left, dy=top + 4.0))
    items.append(
        Group(paint.bar(down, theme), dx=left + 4.0, dy=top + paint.BAR + _AIR + down, turn=-90.0)
    )
    words = _front_words(grid, sheets.common)
    return (*items, *paint_prose(words, _beside_bars(grid.free), theme, fonts))


def _back(grid: Grid, sheets: PieceSheets, theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    paper = sheets.layout.space.paper
    axis = flip_axis(sheets.common.backs, paper)
    about = (paper.width if axis == "columns" else paper.height) / 2.0
    items: list[Item] = []
    for letter, spot in zip(_LETTERS, grid.corners, strict=True):
        behind = mirrored(spot, axis, about)
        items.append(Group(paint.scale(letter, grid.tile, theme), dx=behind.x, dy=behind.y))
    left, top, right, bottom = _inside(grid.free)
    if axis == "columns":
        left, right = paper.width - right, paper.width - left
    else:
        top, bottom = paper.height - bottom, paper.height - top
    words = _back_words(sheets.common)
    return (*items, *paint_prose(words, (left, top, right, bottom), theme, fonts))


def _inside(free: Box) -> Box:
    left, top, right, bottom = free
    return (left + _AIR, top + _AIR, right - _AIR, bottom - _AIR)


def _bars(free: Box) -> tuple[float, float]:
    """Return the lengths of the bars across and down; 0 where one has no room."""
    left, top, right, bottom = _inside(free)
    return paint.bar_length(right - left), paint.bar_length(bottom - top - paint.BAR - _AIR)


def _beside_bars(free: Box) -> Box:
    """Return what the bars leave for words."""
    left, top, right, bottom = _inside(free)
    return (left + paint.BAR + _AIR, top + paint.BAR + _AIR, right, bottom)


def _front_words(grid: Grid, common: Common) -> Prose:
    """Return what is to be done on the front."""
    across, down = _bars(grid.free)
    x, y = grid.box[0], grid.box[1]
    words: list[tuple[Weight, str]] = [
        ("bold", "1  Is the size right?"),
        (
            "regular",
            "Measure both bars with a good ruler. A scale is the length that stands at a bar, divided"
            f" by what you measure: {across:g} ÷ {across * 0.995:.1f} = {1 / 0.995:.3f}.",
        ),
        ("regular", f"The {across:g} mm across give --scale-x, the {down:g} mm down --scale-y."),
    ]
    if common.scale != (1.0, 1.0):
        now = f"{common.scale[0]:g} across and {common.scale[1]:g} down"
        words.append(("regular", f"This sheet is scaled by {now}: multiply those by your results."))
    words += [
        ("bold", "2  Does the print lie straight on the sheet?"),
        (
            "regular",
            f"The grid should begin {format_mm(x)} from the left edge of the paper and"
            f" {format_mm(y)} from its top. If you measure {format_mm(x - 1)} and {format_mm(y + 1)},"
            " the print must go 1 mm to the right and 1 mm up: --front-offset 1,1. Left and down"
            " have a minus.",
        ),
    ]
    if common.front_offset != (0.0, 0.0):
        now = ",".join(f"{v:g}" for v in common.front_offset)
        words.append(("regular", f"This side is moved by {now} already: add that."))
    if common.backs == "none":
        return (*words, *_KEEP)
    return (*words, ("bold", "3  Turn the sheet over and read on."))


_KEEP: Prose = (
    ("bold", "Keep what you found"),
    (
        "regular",
        "pnp calibrate --printer NAME with these options keeps them in a file, and makes this test"
        " anew with them. Then add --printer NAME to any pnp build.",
    ),
)


def _back_words(common: Common) -> Prose:
    """Return what is to be done on the back."""
    if common.backs == "separate":
        turned = "turn this sheet round"
    else:
        other = "duplex-short" if common.backs == "duplex-long" else "duplex-long"
        turned = f"your printer turns the back: take --backs {other}, or --back-rotate 180"
    words: list[tuple[Weight, str]] = [
        ("bold", "4  Do the backs meet the fronts?"),
        (
            "regular",
            "Hold the sheet against a light, or prick a pin through the middle of the four crosses"
            " on the front. The letters A, B, C, D must stand behind the same letters."
            f" If they do not, {turned}.",
        ),
        (
            "regular",
            "On this side read where the front's crosses, or the holes, lie on the scales: so many"
            " millimetres to the right and so many up; left and down have a minus. The mean of all"
            " four is --back-offset RIGHT,UP, such as --back-offset 0.5,-1.",
        ),
        (
            "regular",
            "If the four differ by more than 1 mm, the printer drew the sheet in askew: feed it in"
            " singly, or print on lighter paper.",
        ),
    ]
    if common.back_offset != (0.0, 0.0):
        now = ",".join(f"{v:g}" for v in common.back_offset)
        words.append(("regular", f"This side is moved by {now} already: add that."))
    return (*words, *_KEEP)
