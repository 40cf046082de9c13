"""Pieces on sheets: n-up in the best lattice, marks, and the four ways of backs (P16).

duplex-long, duplex-short   each sheet is followed by its back, mirrored about the flip axis
separate                    all fronts, then all backs, mirrored so that they can be glued back
                            to back (P14)
fold                        fronts on one half, backs mirrored about the fold on the other (P15)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pnp.geometry import Box, Point
from pnp.options import Common
from pnp.scene import Group, Item, Line, Lines, Style, Use
from pnp.sheet.block import Block, Spot
from pnp.sheet.job import Piece, Pieces
from pnp.sheet.leaf import Face, Leaf
from pnp.sheet.marks import Placed, box_outline, crop_marks, cut_lines, targets
from pnp.sheet.nup import best_block, turned
from pnp.sheet.space import (
    STRIP,
    Axis,
    Side,
    Space,
    flip_axis,
    largest_tenth,
    spaces,
    too_large,
)
from pnp.units import format_mm

FOLD_STYLE = Style(stroke="#000000", width=0.2, dash=(3.0, 2.0))

Fold = Literal["none", "across", "down"]
"""No fold; a fold line across the page, backs below; a fold line down the page, backs at the right.
"""


class Layout(NamedTuple):
    """How the pieces lie on every sheet: where the block's top left corner stands, and its spots."""

    space: Space
    block: Block
    left: float
    top: float
    fold: Fold = "none"

    def spots(self) -> tuple[Spot, ...]:
        """Return the fronts' spots on the page."""
        return tuple(Spot(s.x + self.left, s.y + self.top, s.turn) for s in self.block.spots)

    def fold_line(self) -> float:
        """Return y of a fold across the page, x of one down it."""
        left, top, right, bottom = self.space.free
        return (top + bottom) / 2.0 if self.fold == "across" else (left + right) / 2.0


def mirrored(spot: Spot, axis: Axis, about: float) -> Spot:
    """Return where the back of a spot lies, mirrored about x = `about` (axis "columns") or
    y = `about` (axis "rows").

    A piece is turned over about its own upright axis: with columns mirrored its back stands upright
    where the front did, with rows mirrored it is turned by 180 degrees.
    """
    if axis == "columns":
        return Spot(2.0 * about - spot.x, spot.y, -spot.turn % 360.0)
    return Spot(spot.x, 2.0 * about - spot.y, (180.0 - spot.turn) % 360.0)


def mirror_outline(outline: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the outline of a piece seen from the back, clockwise again."""
    return tuple((-x, y) for x, y in reversed(outline))


def lay_pieces(pieces: Pieces, common: Common) -> Layout:
    """Return the layout with the best yield. Raises FitError that names the largest size where no
    piece fits."""
    duplex = common.backs not in ("none", "fold")
    ways = spaces(common, strip=STRIP + common.bleed, duplex=duplex)
    folds: tuple[Fold, ...] = ("across", "down") if common.backs == "fold" else ("none",)
    best: tuple[int, Space, Fold] | None = None

    def block(space: Space, fold: Fold, scale: float = 1.0) -> Block:
        width, height = _half(space, fold, common)
        return best_block(pieces, common.nest, common.gutter, width, height, scale)

    for space in ways:
        for fold in folds:
            count = len(block(space, fold).spots)
            if count and (best is None or count > best[0]):
                best = (count, space, fold)
    if best is None:
        size = pieces.size or 1.0

        def fits(other: float) -> bool:
            scale = other / size
            return any(block(s, f, scale).spots for s in ways for f in folds)

        largest = largest_tenth(fits, size) if pieces.size else 0.0
        what = pieces.title
        if pieces.size and pieces.size_option:
            what += f" with --{pieces.size_option} {pieces.size:g} mm"
        raise too_large(what, pieces.size_option, largest, "take a larger --paper")
    _, space, fold = best
    return _placed(space, fold, block(space, fold), common)


def _half(space: Space, fold: Fold, common: Common) -> tuple[float, float]:
    """Return the area for the fronts: all of it, or half of what the fold leaves."""
    gap = 2.0 * (STRIP + common.bleed)
    if fold == "across":
        return space.width, (space.height - gap) / 2.0
    if fold == "down":
        return (space.width - gap) / 2.0, space.height
    return space.width, space.height


def _placed(space: Space, fold: Fold, block: Block, common: Common) -> Layout:
    left, top, right, bottom = space.free
    x = (left + right - block.width) / 2.0
    y = (top + bottom - block.height) / 2.0
    if fold == "across":
        y = (top + bottom) / 2.0 - STRIP - common.bleed - block.height
    elif fold == "down":
        x = (left + right) / 2.0 - STRIP - common.bleed - block.width
    return Layout(space, block, x, y, fold)


class PieceSheets:
    """All sheets of one part of pieces: which piece lies where, painted when asked."""

    def __init__(self, pieces: Pieces, title: str, common: Common, prefix: str) -> None:
        """`prefix` begins the names of this part's symbols. Raises FitError where nothing fits."""
        self.pieces, self.title, self.common, self.prefix = pieces, title, common, prefix
        self.has_backs = common.backs != "none" and any(p.back is not None for p in pieces.pieces)
        if not self.has_backs:
            common = self.common = common._replace(backs="none")
        self.layout = lay_pieces(pieces, common)
        self.order = tuple(p for p in pieces.pieces for _ in range(p.count * common.copies))
        self.each = len(self.layout.block.spots)
        self.symbols = self._symbols()

    @property
    def sheets(self) -> int:
        """How many sheets of fronts there are."""
        return -(-len(self.order) // self.each)

    def fronts(self) -> Iterator[Leaf]:
        """Yield the pages of fronts (with `fold`, of fronts and backs)."""
        for k in range(self.sheets):
            yield self._leaf(k, back=False)

    def backs(self) -> Iterator[Leaf]:
        """Yield the pages of backs, one for each sheet of fronts."""
        for k in range(self.sheets):
            yield self._leaf(k, back=True)

    def _leaf(self, k: int, back: bool) -> Leaf:
        count = min(self.each, len(self.order) - k * self.each)
        number = f" {k + 1}/{self.sheets}" if self.sheets > 1 else ""
        head = f"{self.title}{number}"
        if back:
            head += " BACK, " + {
                "duplex-long": "flip on the long edge",
                "duplex-short": "flip on the short edge",
            }.get(self.common.backs, "glue behind its front")
        notes = [f"{count} {self.pieces.what}"]
        if self.sheets > 1 or count < self.each:
            notes.append(f"{self.each} fill a sheet, {len(self.order)} in all")
        if self.common.bleed:
            notes.append(f"bleed {format_mm(self.common.bleed)}")
        if self.common.backs == "fold":
            notes.append("fold along the dashed line, glue, then cut")
        notes += self.pieces.notes
        space = self.layout.space
        if back and flip_axis(self.common.backs, space.paper) != "none":
            space = _mirrored_band(space, flip_axis(self.common.backs, space.paper))
        return Leaf(space, head, lambda: self._face(k, back), tuple(notes), back=back)

    def _face(self, k: int, back: bool) -> Face:
        order = self.order[k * self.each : (k + 1) * self.each]
        spots = self.layout.spots()[: len(order)]
        paper = self.layout.space.paper
        if back:
            axis = flip_axis(self.common.backs, paper)
            about = (paper.width if axis == "columns" else paper.height) / 2.0
            return self._laid(order, [mirrored(s, axis, about) for s in spots], back=True)
        front = self._laid(order, spots, back=False)
        if self.layout.fold == "none":
            return front
        axis = "rows" if self.layout.fold == "across" else "columns"
        about = self.layout.fold_line()
        behind = self._laid(order, [mirrored(s, axis, about) for s in spots], back=True)
        items = (*front.items, *behind.items, self._fold_line())
        return Face(items, self.symbols, front.cut)

    def _laid(self, order: Sequence[Piece], spots: Sequence[Spot], *, back: bool) -> Face:
        outline = mirror_outline(self.pieces.outline) if back else self.pieces.outline
        uses: list[Item] = []
        turns = {spot.turn: turned(outline, spot.turn) for spot in spots}
        for piece, spot in zip(order, spots, strict=True):
            name = f"{self.prefix}{piece.name}" + ("-back" if back else "")
            if self.symbols.get(name):
                uses.append(Use(name, spot.x, spot.y, spot.turn))
        lying = [Placed(turns[spot.turn], spot.x, spot.y) for spot in spots]
        edges = self.pieces.edges
        if edges is not None and not back:
            corners = (piece.corners() for piece in lying)
            uses += [Lines(line.segments, edges) for line in cut_lines(corners)]
        common = self.common
        cut: tuple[Item, ...] = ()
        if common.cut_layer and not back:
            cut = cut_lines((piece.corners() for piece in lying), common.cut_width)
        if self.pieces.shape == "box":
            boxes = {turn: box_outline(outline) for turn, outline in turns.items()}
            lying = [Placed(boxes[spot.turn], spot.x, spot.y) for spot in spots]
        marks: tuple[Item, ...] = crop_marks(lying, common.marks or "edge", common.bleed)
        if common.backs not in ("none", "fold") and common.marks != "none":
            marks += targets(self._box(back), common.bleed)
        return Face((*uses, *marks), self.symbols, cut)

    def _box(self, back: bool) -> Box:
        """Return the box round the pieces of a full sheet, on this side of it."""
        _, block, left, top, _ = self.layout
        right, bottom = left + block.width, top + block.height
        if not back:
            return (left, top, right, bottom)
        axis = flip_axis(self.common.backs, self.layout.space.paper)
        paper = self.layout.space.paper
        if axis == "columns":
            return (paper.width - right, top, paper.width - left, bottom)
        return (left, paper.height - bottom, right, paper.height - top)

    def _fold_line(self) -> Line:
        at = self.layout.fold_line()
        left, top, right, bottom = self.layout.space.free
        if self.layout.fold == "across":
            return Line(((left - STRIP, at), (right + STRIP, at)), FOLD_STYLE)
        return Line(((at, top - STRIP), (at, bottom + STRIP)), FOLD_STYLE)

    def _symbols(self) -> Mapping[str, tuple[Item, ...]]:
        symbols = dict(self.pieces.symbols)
        for piece in self.pieces.pieces:
            symbols[f"{self.prefix}{piece.name}"] = self._clipped(piece.front, back=False)
            if self.has_backs and piece.back is not None:
                symbols[f"{self.prefix}{piece.name}-back"] = self._clipped(piece.back, back=True)
        return symbols

    def _clipped(self, items: tuple[Item, ...], *, back: bool) -> tuple[Item, ...]:
        if not self.pieces.clip:
            return items
        outline = mirror_outline(self.pieces.outline) if back else self.pieces.outline
        return (Group(items, clip=grown(outline, self.common.bleed)),)


def grown(outline: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    """Return a convex outline (clockwise) with every side moved outwards by `by` mm."""
    if not by:
        return outline
    lines = []
    for k, (x0, y0) in enumerate(outline):
        x1, y1 = outline[(k + 1) % len(outline)]
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        nx, ny = (y1 - y0) / length, (x0 - x1) / length
        lines.append((nx, ny, nx * x0 + ny * y0 + by))
    corners = []
    for k, (a1, b1, c1) in enumerate(lines):
        a0, b0, c0 = lines[k - 1]
        det = a0 * b1 - a1 * b0
        corners.append(((c0 * b1 - c1 * b0) / det, (a0 * c1 - a1 * c0) / det))
    return tuple(corners)


def _mirrored_band(space: Space, axis: Axis) -> Space:
    """Return the back's space: its band stands at the mirror of the front's side, so that it never
    meets a mirrored piece."""
    if axis == "columns":
        flip: dict[Side | None, Side] = {"left": "right", "right": "left"}
    else:
        flip = {"bottom": "top", "top": "bottom"}
    return space._replace(side=flip.get(space.side, space.side))
