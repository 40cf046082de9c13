"""Drawings and fillings on sheets: the size that fits, the sheet that holds most, the picture
centred in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pnp.errors import FitError, PnpError
from pnp.options import Common
from pnp.paper import Paper
from pnp.scene import Group, Item, Scene, Use
from pnp.sheet.job import Drawing, Filling
from pnp.sheet.leaf import Face, Leaf
from pnp.sheet.space import Space, describe, largest_tenth, marks_strip, spaces, too_large

SYMBOL = "sheet-drawing"
"""Begins the name of the symbol that holds a drawing of which there are several sheets."""

UPPER = 1000.0
"""No size is tried beyond a metre."""


def drawing_leaves(drawing: Drawing, title: str, common: Common) -> Iterator[Leaf]:
    """Yield the pages of a drawing. Raises FitError where it does not fit."""
    try:
        space, size = place_drawing(drawing, common)
    except FitError:
        if drawing.joints is None or drawing.size is None:
            raise
        if not (common.split or drawing.always_split):
            raise
        from pnp.sheet.split import split_leaves

        yield from split_leaves(drawing, title, drawing.size, common)
        return

    sheets = 1 if common.single else drawing.copies * common.copies
    paint = _Sheet(drawing, space, size, common, again=sheets > 1)
    for k in range(sheets):
        head = title if sheets == 1 else f"{title} {k + 1}/{sheets}"
        yield Leaf(space, head, paint, drawing.notes(size), drawing.fields)


class _Sheet:
    """Paints a drawing, once for all its copies: then it is a symbol, which a PDF holds once."""

    def __init__(
        self, drawing: Drawing, space: Space, size: float, common: Common, *, again: bool
    ) -> None:
        self._drawing, self._space, self._size = drawing, space, size
        self._common, self._again = common, again
        self._face: Face | None = None

    def __call__(self) -> Face:
        if self._face is not None:
            return self._face
        scene = self._drawing.paint(self._size)
        if self._again:
            name = f"{SYMBOL}-{scene.title}-{scene.width:.3f}"
            symbols = {**scene.symbols, name: scene.items}
            scene = scene._replace(items=(Use(name, 0.0, 0.0),), symbols=symbols)
        face = _laid(scene, *centred(self._space, scene.width, scene.height), self._common)
        if self._again:
            self._face = face
        return face


def place_drawing(drawing: Drawing, common: Common) -> tuple[Space, float]:
    """Return the sheet that holds a drawing at the largest size, and the size it is printed at: the
    one asked for, or the largest rounded down to 0.1 mm.

    With `--single` the sheet is the picture itself, and any size asked for will do. Raises FitError
    that names the largest size.
    """
    ways = spaces(common, strip=marks_strip(common), band=not common.single)
    upper = drawing.largest or UPPER
    best, most = ways[0], -1.0
    for space in ways:
        largest = _largest(drawing, space, upper)
        if largest > most:
            best, most = space, largest
    size = most if drawing.size is None else drawing.size
    if drawing.size is None and size <= 0.0:
        raise too_large(drawing.title, "", 0.0, _advice(drawing))
    needed = drawing.measure(size)
    best = next((space for space in (best, *ways) if space.holds(*needed)), best)
    if not common.single and not best.holds(*needed):
        if not drawing.size_option:
            raise _fixed_too_large(drawing, best)
        what = f"{drawing.title} with --{drawing.size_option} {size:g} mm"
        raise too_large(what, drawing.size_option, most, _advice(drawing))
    if common.single:
        width, height = drawing.measure(size)
        whole = (0.0, 0.0, width, height)
        best = Space(Paper("single", width, height), None, whole, whole)
    return best, size


def _laid(scene: Scene, left: float, top: float, common: Common) -> Face:
    """Return a scene with its top left corner there, and the marks round it that were asked for."""
    items: tuple[Item, ...] = (Group(scene.items, dx=left, dy=top),)
    if marks_strip(common):
        from pnp.sheet.marks import Placed, box_outline, crop_marks

        corners = ((left, top), (left + scene.width, top + scene.height))
        items += crop_marks([Placed(box_outline(corners))], common.marks or "none")
    return Face(items, scene.symbols)


def _largest(drawing: Drawing, space: Space, upper: float) -> float:
    return largest_tenth(lambda size: space.holds(*drawing.measure(size)), upper)


def _advice(drawing: Drawing) -> str:
    if drawing.joints is None:
        return "take a larger --paper"
    return "take a larger --paper, or --split it over several sheets"


def _fixed_too_large(drawing: Drawing, space: Space) -> FitError:
    return FitError(
        f"{drawing.title} is {describe(*drawing.measure(1.0))} and the sheet has"
        f" {describe(space.width, space.height)} for it; {_advice(drawing)}"
    )


def filling_leaves(filling: Filling, title: str, common: Common) -> Iterator[Leaf]:
    """Yield the pages of a filling, as many as its total needs. Raises FitError where none fits."""
    if common.single:
        raise PnpError(f"{title} fills whole sheets; --single is for pieces and boards")
    ways = spaces(common, strip=marks_strip(common))

    def held(space: Space, size: float) -> int:
        return filling.hold(size, space.width, space.height)

    best = max(ways, key=lambda space: held(space, filling.size))
    each = held(best, filling.size)
    if each == 0:

        def fits(size: float) -> bool:
            return any(held(space, size) > 0 for space in ways)

        largest = largest_tenth(fits, filling.size)
        what = f"{title} with --{filling.size_option} {filling.size:g} mm"
        raise too_large(what, filling.size_option, largest, "take a larger --paper")
    total = each if filling.total is None else filling.total
    starts = range(0, total, each)
    for copy in range(filling.copies * common.copies):
        for k, first in enumerate(starts):
            count = min(each, total - first)
            sheet, sheets = copy * len(starts) + k + 1, filling.copies * common.copies * len(starts)
            yield Leaf(
                best,
                title if sheets == 1 else f"{title} {sheet}/{sheets}",
                _Fill(filling, best, first, count, common),
                (f"{count} {filling.what}", *filling.notes(filling.size)),
                filling.fields,
            )


class _Fill:
    """Paints one page of a filling."""

    def __init__(
        self, filling: Filling, space: Space, first: int, count: int, common: Common
    ) -> None:
        self._filling, self._space, self._first, self._count = filling, space, first, count
        self._common = common

    def __call__(self) -> Face:
        space = self._space
        scene = self._filling.paint(
            self._filling.size, space.width, space.height, self._first, self._count
        )
        left, top = centred(space, scene.width, scene.height)
        return _laid(scene, left, top, self._common)


def centred(space: Space, width: float, height: float) -> tuple[float, float]:
    """Return the top left corner of a box that is centred in the free area."""
    left, top, right, bottom = space.free
    return ((left + right - width) / 2.0, (top + bottom - height) / 2.0)
