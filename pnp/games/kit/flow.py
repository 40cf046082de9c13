"""Text set into pages: blocks of words, tables and pictures, in one column or two. In mm.

A page is as large as the sheet's free area. A block is set once for the width of a column and never
broken, so what belongs together stays together; headings stay with what follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pnp.fonts import FontSet
from pnp.scene import Group, Item, Line, Scene, Style, Text, Use, Weight
from pnp.themes import Theme

BODY, SMALL = 3.3, 2.9
"""Font sizes of words and of tables."""
HEADINGS = {1: 6.4, 2: 4.4}
LEADING = 1.34
TWO_COLUMNS = 150.0
"""From this width on words stand in two columns."""
_GUTTER = 8.0

Fragment = tuple[str, Weight]
Word = tuple[Fragment, ...]
"""Letters without a blank between them; a part of a word may be bold."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something set for a width: its items from its own top left corner, and its height.

    before  the space above it, left out at the top of a column
    stays   whether it stays with the block that follows
    """

    items: tuple[Item, ...]
    height: float
    before: float = BODY * 0.6
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Setter:
    """Sets words into blocks for columns of one width."""

    width: float
    theme: Theme
    fonts: FontSet

    def heading(self, text: str, level: int) -> Block:
        """Return a heading; level 1 is the page's title."""
        size = HEADINGS.get(level, BODY)
        words: list[Word] = [((word, "bold"),) for word in text.split()]
        lines = self.lines(words, size, self.width)
        before = size * (0.2 if level == 1 else 0.9)
        return Block(self._rows(lines, size, 0.0), len(lines) * size * LEADING, before, stays=True)

    def paragraph(self, words: Sequence[Word], lead: str = "", size: float = BODY) -> Block:
        """Return a paragraph, or with `lead` ("•", "1.") an item of a list."""
        indent = size * 1.5 if lead else 0.0
        lines = self.lines(words, size, self.width - indent)
        items = list(self._rows(lines, size, indent))
        if lead:
            items.append(Text(0.0, size * 1.05, lead, size, self.theme.colour("ink")))
        return Block(tuple(items), len(lines) * size * LEADING, size * (0.3 if lead else 0.6))

    def table(self, rows: Sequence[Sequence[Sequence[Word]]], *, head: bool = True) -> Block:
        """Return a table: a line under its head and between rows, each cell wrapped in its column."""
        size, pad = SMALL, 3.0
        if head:
            rows = [[_bold(cell) for cell in rows[0]], *rows[1:]]
        widths = self._columns(rows, size, pad)
        soft = Style(stroke=self.theme.colour("pale"), width=0.2)
        strong = Style(stroke=self.theme.colour("ink"), width=0.3)
        items: list[Item] = []
        y = 0.0
        for number, row in enumerate(rows):
            x, tallest = 0.0, 0
            for cell, width in zip(row, widths, strict=True):
                lines = self.lines(cell, size, width - pad)
                items.append(Group(self._rows(lines, size, 0.0), dx=x, dy=y + 0.5))
                tallest = max(tallest, len(lines))
                x += width
            y += max(tallest, 1) * size * LEADING + 1.0
            pen = strong if head and number == 0 else soft
            items.append(Line(((0.0, y), (sum(widths) - pad, y)), pen))
        return Block(tuple(items), y + 0.3)

    def picture(self, scene: Scene, symbols: dict[str, tuple[Item, ...]]) -> Block:
        """Return a picture, made smaller where it is wider than the column.

        Its symbols are added to `symbols` under names of their own: pictures of other sizes have the
        same names, and in a document one name is one drawing.
        """
        prefix = f"kit{len(symbols)}-"
        symbols.update((prefix + n, _renamed(i, prefix)) for n, i in scene.symbols.items())
        scale = min(1.0, self.width / scene.width)
        left = (self.width - scene.width * scale) / 2.0
        items = _renamed(scene.items, prefix)
        group = Group(items, dx=left, scale=scale, title=scene.title or None)
        return Block((group,), scene.height * scale, BODY * 0.8)

    def lines(
        self, words: Sequence[Word], size: float, width: float
    ) -> list[list[tuple[float, Fragment]]]:
        """Return the words broken into lines: fragments with where they begin. A word that is wider
        than the line has one of its own."""
        blank = self.fonts.width(" ", size)
        found: list[list[tuple[float, Fragment]]] = [[]]
        pen = 0.0
        for word in words:
            wide = sum(self.fonts.width(text, size, weight) for text, weight in word)
            if found[-1]:
                if pen + blank + wide > width:
                    found.append([])
                    pen = 0.0
                else:
                    pen += blank
            for text, weight in word:
                found[-1].append((pen, (text, weight)))
                pen += self.fonts.width(text, size, weight)
        return found

    def _rows(
        self, lines: list[list[tuple[float, Fragment]]], size: float, indent: float
    ) -> tuple[Item, ...]:
        ink = self.theme.colour("ink")
        return tuple(
            Text(indent + x, (k + 0.785) * size * LEADING, text, size, ink, weight=weight)
            for k, line in enumerate(lines)
            for x, text, weight in _joined(line, self.fonts, size)
        )

    def _columns(
        self, rows: Sequence[Sequence[Sequence[Word]]], size: float, pad: float
    ) -> list[float]:
        """Widths of columns: as their cells need, and where that is too much, less for the widest."""
        needs = [
            max(self._length(row[k], size) for row in rows) + pad + 0.1 for k in range(len(rows[0]))
        ]
        room = self.width + pad
        while sum(needs) > room:
            widest = max(needs)
            others = [need for need in needs if need < widest - 1e-9]
            many = len(needs) - len(others)
            # the widest come down together, to the next one or to what is left for them
            target = max((room - sum(others)) / many, max(others, default=0.0))
            if target >= widest - 1e-9:
                break
            needs = [min(need, target) for need in needs]
        return needs

    def _length(self, words: Sequence[Word], size: float) -> float:
        (line,) = self.lines(words, size, 1e9) or [[]]
        if not line:
            return 0.0
        x, (text, weight) = line[-1]
        return x + self.fonts.width(text, size, weight)


def _bold(words: Sequence[Word]) -> list[Word]:
    return [tuple((text, "bold") for text, _ in word) for word in words]


def _joined(
    line: list[tuple[float, Fragment]], fonts: FontSet, size: float
) -> Iterator[tuple[float, str, Weight]]:
    """Yield the runs of one weight of a line, each as one text."""
    blank = fonts.width(" ", size)
    start, run, end = 0.0, "", 0.0
    kind: Weight = "regular"
    for x, (text, weight) in line:
        if run and weight == kind:
            run += (" " if x - end > blank / 2.0 else "") + text
        else:
            if run:
                yield start, run, kind
            start, run, kind = x, text, weight
        end = x + fonts.width(text, size, weight)
    if run:
        yield start, run, kind


def _renamed(items: tuple[Item, ...], prefix: str) -> tuple[Item, ...]:
    """Return items whose symbols have names with a prefix."""
    return tuple(
        item._replace(name=prefix + item.name)
        if isinstance(item, Use)
        else item._replace(items=_renamed(item.items, prefix))
        if isinstance(item, Group)
        else item
        for item in items
    )


def columns(width: float) -> tuple[int, float]:
    """Return how many columns a page of this width has, and how wide they are."""
    return (2, (width - _GUTTER) / 2.0) if width >= TWO_COLUMNS else (1, width)


def pages(
    blocks: Iterable[Block],
    width: float,
    height: float,
    title: str,
    symbols: dict[str, tuple[Item, ...]],
    *,
    single: bool = False,
) -> list[Scene]:
    """Return the blocks on pages of width × height mm, column after column.

    `single` sets one column whatever the width. Where one page holds all, its columns end at the
    same height as nearly as the blocks allow. A block that is higher than a page is made smaller.
    """
    count, column = (1, width) if single else columns(width)
    held = tuple(blocks)
    found = _flowed(held, count, column, height)
    if len(found) == 1 and count > 1:
        low, high = 0.0, height
        while high - low > 1.0:
            middle = (low + high) / 2.0
            if len(_flowed(held, count, column, middle)) == 1:
                high = middle
            else:
                low = middle
        found = _flowed(held, count, column, high)
    return [Scene(width, height, tuple(items), symbols, title) for items in found]


def _flowed(blocks: Sequence[Block], count: int, column: float, height: float) -> list[list[Item]]:
    """Return the items of each page."""
    found: list[list[Item]] = [[]]
    at, y = 0, 0.0
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        if block.stays:
            continue
        tall = sum(b.height for b in waiting) + sum(b.before for b in waiting[1:])
        before = waiting[0].before if y else 0.0
        if y and y + before + tall > height + 1e-6:
            at, y, before = at + 1, 0.0, 0.0
            if at == count:
                found.append([])
                at = 0
        scale = min(1.0, height / tall) if tall > height + 1e-6 else 1.0
        y += before
        for number, each in enumerate(waiting):
            y += each.before * scale if number else 0.0
            found[-1].append(Group(each.items, dx=at * (column + _GUTTER), dy=y, scale=scale))
            y += each.height * scale
        waiting = []
    return found
