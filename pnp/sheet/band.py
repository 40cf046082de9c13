"""The band of every sheet: what it is, page n of m, notes, "print at 100 %", and the check bars.

Painted in its own frame: u from 0 to its length, v from 0 (towards the picture) to 8 mm (towards
the edge). Where there is room the words stand beside the bars, else over them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pnp.errors import FitError, PnpError
from pnp.fonts import FontSet, ascii_safe
from pnp.scene import Group, Item, Line, Lines, Polygon, Style, Text
from pnp.sheet.bandtext import Row, set_words
from pnp.sheet.leaf import Map
from pnp.sheet.space import BAND, Space
from pnp.themes import Theme
from pnp.units import MM_PER_INCH

LONG_BAND = 51.0
"""From this length on the band has both bars, one of 50 mm above one of 2 in."""

AT_FULL_SIZE = "print at 100 %"

_BESIDE, _OVER = 2.5, 2.0
"""Height of a bar's row with words beside it, and under words."""

_GAP = 4.0


class Words(NamedTuple):
    """What a band says: `head` in bold, `notes` with dots between, blanks to write on for `fields`,
    and a small `map` of a split picture's sheets.

    On a band that is too short for all of it the last notes go first; the first two, the page and
    "print at 100 %", always stay.
    """

    head: str
    notes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    map: Map | None = None


def paint_band(space: Space, words: Words, theme: Theme, fonts: FontSet) -> Group:
    """Return the band of a sheet where it stands on the paper.

    Raises PnpError where the title is too long for it or cannot be drawn, and FitError where the
    band is shorter than its shortest bar.
    """
    left, top, right, bottom = space.inner
    items = _band(space.band_length, words, theme, fonts)
    place = {
        "bottom": (left, bottom - BAND, 0.0),
        "left": (left, bottom, -90.0),
        "top": (left, top, 0.0),
        "right": (right, top, 90.0),
    }
    dx, dy, turn = place[space.side or "bottom"]
    return Group(items, dx=dx, dy=dy, turn=turn)


@lru_cache(maxsize=32)
def _band(length: float, words: Words, theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    bars = (50.0, 2.0 * MM_PER_INCH) if length >= LONG_BAND else (20.0,)
    if length < bars[0]:
        raise FitError(
            f"the sheet is {length:.1f} mm long inside its margins, too short for a check bar;"
            " take a larger --paper or a smaller --margin"
        )
    for part in (words.head, *words.notes, *words.fields):
        fonts.check(part)
    signs, length = _map(words.map, length, bars[-1], theme)
    blanks = _blank_width(words, fonts)
    beside = length - bars[-1] - _GAP - blanks
    over = BAND - len(bars) * _OVER - 0.3
    notes = words.notes
    while True:
        first = set_words(words.head, notes, beside, BAND, fonts)
        second = set_words(words.head, notes, length, over, fonts) if not blanks else None
        if first and (second is None or first[0].size >= second[0].size):
            top = (BAND - len(bars) * _BESIDE) / 2.0
            items = [*_bars(bars, top, _BESIDE, theme), *_rows(first, bars[-1] + _GAP, BAND, theme)]
            return (*signs, *items, *_blanks(words, length, blanks, theme, fonts))
        if second:
            items = _bars(bars, BAND - len(bars) * _OVER, _OVER, theme)
            return (*signs, *items, *_rows(second, 0.0, over, theme))
        if blanks:
            line = "  ".join(f"{name} __________" for name in words.fields)
            bare = Words(words.head, (*words.notes[:2], line))
            return (*signs, *_band(length, bare, theme, fonts))
        if len(notes) <= 2:
            raise PnpError(
                f"the title {ascii_safe(words.head)} is too long for a band of {length:.0f} mm;"
                " shorten --title"
            )
        notes = notes[:-1]


def _map(where: Map | None, length: float, least: float, theme: Theme) -> tuple[list[Item], float]:
    """Return a map of a split picture's sheets at the right end, this one filled, and what it
    leaves of the band; nothing where the bars would have no room beside it.
    """
    if where is None:
        return [], length
    side = min((BAND - 1.0) / where.down, 36.0 / where.across, 4.0)
    left = length - side * where.across - 0.2
    if left - _GAP < max(least, LONG_BAND):
        return [], length
    top = (BAND - side * where.down) / 2.0
    x, y = left + where.column * side, top + where.row * side
    pen = theme.line("ink", 0.2)
    right, bottom = left + side * where.across, top + side * where.down
    lines = [(left, top + k * side, right, top + k * side) for k in range(where.down + 1)]
    lines += [(left + k * side, top, left + k * side, bottom) for k in range(where.across + 1)]
    here = _box(x, y, x + side, y + side, theme.colour("ink"))
    return [here, Lines(tuple(lines), pen)], left - _GAP


def _bars(lengths: tuple[float, ...], top: float, row: float, theme: Theme) -> list[Item]:
    """Check bars one above the other, each a thin box of exactly its length, ticks inside its ends."""
    ink = theme.colour("ink")
    items: list[Item] = []
    for k, length in enumerate(lengths):
        base = top + (k + 1) * row - 0.2
        items.append(_box(0.0, base - 0.25, length, base, ink))
        inches = length > 50.0
        step, count = (MM_PER_INCH / 2.0, 4) if inches else (10.0, round(length / 10.0))
        for i in range(count + 1):
            tall = row * 0.7 if i in (0, count) else 0.7
            x = min(max(i * step - 0.1, 0.0), length - 0.2)
            items.append(_box(x, base - tall, x + 0.2, base - 0.25, ink))
        name = "2 in" if inches else f"{length:.0f} mm"
        middle = step * (1.5 if inches or length < 50.0 else 2.5)
        items.append(Text(middle, base - 0.5, name, row * 0.66, theme.colour("soft"), "middle"))
    return items


def _box(left: float, top: float, right: float, bottom: float, colour: str) -> Polygon:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Polygon(corners, Style(fill=colour))


def _rows(rows: list[Row], start: float, height: float, theme: Theme) -> list[Item]:
    v = (height - sum(row.height for row in rows)) / 2.0
    items: list[Item] = []
    for row in rows:
        baseline = v + row.size * 0.95
        for u, text, weight in row.runs:
            colour = theme.colour("ink" if weight == "bold" else "soft")
            items.append(Text(start + u, baseline, text, row.size, colour, weight=weight))
        v += row.height
    return items


_FIELD_SIZE = 2.6
_FIELD_LINE = 32.0


def _blank_width(words: Words, fonts: FontSet) -> float:
    return sum(fonts.width(name, _FIELD_SIZE) + _FIELD_LINE + _GAP for name in words.fields)


def _blanks(words: Words, length: float, width: float, theme: Theme, fonts: FontSet) -> list[Item]:
    """Blanks to write on, at the right end of the band."""
    items: list[Item] = []
    u = length - width + _GAP - 1.0
    for name in words.fields:
        wide = fonts.width(name, _FIELD_SIZE)
        items.append(Text(u, 6.6, name, _FIELD_SIZE, theme.colour("ink")))
        line = ((u + wide + 1.0, 6.8), (u + wide + 1.0 + _FIELD_LINE, 6.8))
        items.append(Line(line, theme.line("soft", 0.2)))
        u += wide + _FIELD_LINE + _GAP
    return items
