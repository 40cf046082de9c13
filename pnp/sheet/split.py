"""`--split`: a drawing larger than the paper on several sheets, to be joined (P76 to P80).

Sheets are rows A, B, … and columns 1, 2, … Neighbours share a strip, the overlap, and the joint is
the straight line in its middle: the later sheet is cut along the joint and laid over the earlier
one, mark on mark. Marks are crosses where joints meet and where they leave the picture; all sheets
that share a place of the picture show the same crosses there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pnp.errors import FitError
from pnp.geometry import Box
from pnp.options import Common, Marks
from pnp.scene import Circle, Group, Item, Lines, Scene, Style, Use
from pnp.sheet.job import Drawing
from pnp.sheet.leaf import Face, Leaf, Map
from pnp.sheet.space import STRIP, TOLERANCE, Space, marks_strip, spaces
from pnp.units import format_mm

SYMBOL = "sheet-split"
"""Begins the name of the symbol that holds the whole picture, drawn once and shown by each sheet.
"""

MARK = Style(stroke="#000000", width=0.2)
_ARM = 2.0

Span = tuple[float, float]


class Split(NamedTuple):
    """How a picture is parted: the sheet, and along each side of the picture the joints between its
    ends.
    """

    space: Space
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    overlap: float

    @property
    def arm(self) -> float:
        """How far a cross reaches: within the overlap."""
        return min(_ARM, self.overlap / 2.0)

    @property
    def across(self) -> int:
        """Sheets in a row."""
        return len(self.columns) - 1

    @property
    def down(self) -> int:
        """Rows of sheets."""
        return len(self.rows) - 1


def split(drawing: Drawing, size: float, common: Common) -> Split:
    """Return the parting of a drawing with the fewest sheets, cut at joints only.

    Raises FitError where the overlap leaves nothing of a sheet, or no joint lies where one is
    needed.
    """
    width, height = drawing.measure(size)
    joints = drawing.joints(size) if drawing.joints else None
    best: Split | None = None
    for space in spaces(common, strip=marks_strip(common)):
        if joints is None:
            break
        columns = _cuts(width, joints.columns, space.width, common.overlap)
        rows = _cuts(height, joints.rows, space.height, common.overlap)
        if columns and rows:
            found = Split(space, columns, rows, common.overlap)
            if best is None or found.across * found.down < best.across * best.down:
                best = found
    if best is None:
        raise FitError(
            f"{drawing.title} cannot be split on the paper {common.paper.name} with an overlap of"
            f" {format_mm(common.overlap)}; take a larger --paper, smaller cells or less --overlap"
        )
    return best


def _cuts(
    whole: float, joints: tuple[float, ...], room: float, overlap: float
) -> tuple[float, ...]:
    """Return both ends and the joints between: as few as will do, the parts as equal as they can
    be.
    """
    least = _greedy(whole, joints, room, overlap)
    if not least:
        return ()
    low, high = 0.0, room
    for _ in range(24):
        middle = (low + high) / 2.0
        found = _greedy(whole, joints, middle, overlap)
        if found and len(found) == len(least):
            high, least = middle, found
        else:
            low = middle
    return least


def _greedy(
    whole: float, joints: tuple[float, ...], room: float, overlap: float
) -> tuple[float, ...]:
    """Return the cuts where each part is as long as `room` lets it be, () where a part is too long."""
    cuts = [0.0]
    while True:
        start = cuts[-1] - (overlap / 2.0 if len(cuts) > 1 else 0.0)
        if whole - start <= room + TOLERANCE:
            return (*cuts, whole)
        reach = start + room - overlap / 2.0 + TOLERANCE
        after = [j for j in joints if cuts[-1] + TOLERANCE < j <= min(reach, whole - TOLERANCE)]
        if not after:
            return ()
        cuts.append(after[-1])


def split_leaves(drawing: Drawing, title: str, size: float, common: Common) -> Iterator[Leaf]:
    """Yield the sheets of a split drawing in reading order, each with a small map in its band.

    Raises FitError as `split` does.
    """
    parting = split(drawing, size, common)
    picture = _Picture(drawing, size)
    marks = common.marks if marks_strip(common) else "none"
    count = parting.across * parting.down
    notes = (f"split over {count} sheets, to be joined at the crosses",)
    for _ in range(drawing.copies * common.copies):
        for row in range(parting.down):
            for column in range(parting.across):
                name = f"{row_letters(row)}{column + 1}"
                yield Leaf(
                    parting.space,
                    f"{title} {name}",
                    _Sheet(picture, parting, row, column, marks or "none"),
                    (*notes, *drawing.notes(size)),
                    drawing.fields,
                    name=name,
                    map=Map(parting.across, parting.down, column, row),
                )


def row_letters(row: int) -> str:
    """Return A, B … Z, AA, AB …"""
    return chr(65 + row) if row < 26 else chr(64 + row // 26) + chr(65 + row % 26)


class _Picture:
    """The whole picture, painted when the first sheet is and kept for the others."""

    def __init__(self, drawing: Drawing, size: float) -> None:
        self._drawing, self._size = drawing, size
        self._scene: Scene | None = None

    def scene(self) -> Scene:
        """Return the scene."""
        if self._scene is None:
            self._scene = self._drawing.paint(self._size)
        return self._scene


class _Sheet:
    """Paints one sheet: the picture moved so that its part lies in the middle, cut to that part."""

    def __init__(
        self, picture: _Picture, parting: Split, row: int, column: int, marks: Marks
    ) -> None:
        self._picture, self._parting, self._row, self._column = picture, parting, row, column
        self._crop = marks

    def __call__(self) -> Face:
        scene = self._picture.scene()
        parting = self._parting
        x0, x1 = _window(parting.columns, self._column, parting.overlap)
        y0, y1 = _window(parting.rows, self._row, parting.overlap)
        left, top, right, bottom = parting.space.free
        dx = (left + right - (x1 - x0)) / 2.0 - x0
        dy = (top + bottom - (y1 - y0)) / 2.0 - y0
        name = f"{SYMBOL}-{scene.title}-{scene.width:.3f}"
        clip = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        part = Group((Use(name, 0.0, 0.0),), clip=clip, dx=dx, dy=dy)
        symbols: Mapping[str, tuple[Item, ...]] = {**scene.symbols, name: scene.items}
        marks = (*self._marks(), *self._crop_marks(scene, (x0, y0, x1, y1)))
        return Face((part, Group(marks, dx=dx, dy=dy)), symbols)

    def _marks(self) -> tuple[Item, ...]:
        """Return the crosses on the joints of this sheet, in the picture's own coordinates."""
        columns, rows, arm = self._parting.columns, self._parting.rows, self._parting.arm
        across, down = _joints(columns, self._column), _joints(rows, self._row)
        spots = {(x, y) for x in across for y in _corners(rows, self._row, arm)}
        spots |= {(x, y) for y in down for x in _corners(columns, self._column, arm)}
        found = sorted(spots)
        lines = [
            segment
            for x, y in found
            for segment in ((x - arm, y, x + arm, y), (x, y - arm, x, y + arm))
        ]
        rings = tuple(Circle(x, y, arm * 0.6, MARK) for x, y in found)
        return (Lines(tuple(lines), MARK), *rings) if lines else ()

    def _crop_marks(self, scene: Scene, window: Box) -> tuple[Item, ...]:
        """Return those crop marks of the whole picture that stand beside this sheet's part of it."""
        if self._crop == "none":
            return ()
        from pnp.sheet.marks import STYLE, Placed, box_outline, crop_marks

        reach = STRIP + 0.01
        left, top, right, bottom = window
        near = tuple(
            (x0, y0, x1, y1)
            for mark in crop_marks(
                [Placed(box_outline(((0.0, 0.0), (scene.width, scene.height))))], self._crop
            )
            for x0, y0, x1, y1 in mark.segments
            if min(x0, x1) >= left - reach
            and max(x0, x1) <= right + reach
            and min(y0, y1) >= top - reach
            and max(y0, y1) <= bottom + reach
        )
        return (Lines(near, STYLE),) if near else ()


def _window(cuts: tuple[float, ...], k: int, overlap: float) -> Span:
    """Return the part of the picture that sheet `k` shows: from joint to joint, and half the
    overlap beyond.
    """
    low = cuts[k] - (overlap / 2.0 if k else 0.0)
    high = cuts[k + 1] + (overlap / 2.0 if k + 2 < len(cuts) else 0.0)
    return max(low, cuts[0]), min(high, cuts[-1])


def _joints(cuts: tuple[float, ...], k: int) -> list[float]:
    return [cuts[j] for j in (k, k + 1) if 0 < j < len(cuts) - 1]


def _corners(cuts: tuple[float, ...], k: int, arm: float) -> tuple[float, float]:
    """Return where part `k` begins and ends: at a joint, or a cross's arm within the picture."""
    first = cuts[k] + (0.0 if k else arm)
    last = cuts[k + 1] - (0.0 if k + 2 < len(cuts) else arm)
    return first, last
