"""`--single`: each kind of piece on a page of its own size, with no band and no marks (P107)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pnp.geometry import Point, bounds, shift
from pnp.options import Common
from pnp.paper import Paper
from pnp.scene import Group, Item
from pnp.sheet.job import Pieces
from pnp.sheet.leaf import Face, Leaf
from pnp.sheet.marks import cut_lines
from pnp.sheet.pieces import grown, mirror_outline
from pnp.sheet.space import Space


def single_leaves(pieces: Pieces, title: str, common: Common, prefix: str) -> Iterator[Leaf]:
    """Yield one page for each kind of piece, of its own size with its bleed, the trim box its own
    (P107); a back follows its front where backs are asked for."""
    left, top, right, bottom = bounds(pieces.outline)
    bleed = common.bleed
    width, height = right - left + 2.0 * bleed, bottom - top + 2.0 * bleed
    whole = (0.0, 0.0, width, height)
    space = Space(Paper("single", width, height), None, whole, whole)
    trim = (bleed, bleed, width - bleed, height - bleed)
    for piece in pieces.pieces:
        sides = [("", piece.front, pieces.outline, bleed - left)]
        if piece.back and common.backs != "none":
            sides.append(("-back", piece.back, mirror_outline(pieces.outline), bleed + right))
        for suffix, items, outline, x in sides:
            face = _single(pieces, items, grown(outline, bleed), x, bleed - top)
            if common.cut_layer:
                cut = cut_lines([shift(outline, x, bleed - top)], common.cut_width)
                face = face._replace(cut=cut)
            head = f"{title} {piece.name}" + (" BACK" if suffix else "")
            name = piece.name + suffix
            yield Leaf(space, head, _as_is(face), back=bool(suffix), trim=trim, name=name)


def _as_is(face: Face) -> Callable[[], Face]:
    return lambda: face


def _single(
    pieces: Pieces, items: tuple[Item, ...], clip: tuple[Point, ...], x: float, y: float
) -> Face:
    return Face((Group(items, clip=clip if pieces.clip else None, dx=x, dy=y),), pieces.symbols)
