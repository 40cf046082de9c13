"""The band of every sheet: what it is, page n of m, notes, "print at 100 %", and the check bars.

Painted in its own frame: u from 0 to its length, v from 0 (towards the picture) to 8 mm (towards
the edge).
"""

from __future__ import annotations

from dataclasses import dataclass

from pnp.errors import FitError, PnpError
from pnp.fonts import FontSet
from pnp.scene import Group, Item, Line, Polygon, Style, Text, Weight
from pnp.sheet.space import BAND, Space
from pnp.themes import Theme
from pnp.units import MM_PER_INCH

LONG_BAND = 51.0
"""From this length on the band has both bars, one of 50 mm above one of 2 in."""

AT_FULL_SIZE = "print at 100 %"

_BAR_ROW = 2.5
_LARGEST, _SMALLEST, _STEP = 3.0, 1.4, 0.1
_LEADING = 1.25


@dataclass(frozen=True, slots=True)
class Words:
    """What a band says: `head` in bold, then `notes` with dots between, then blanks named by
    `fields`.
    """

    head: str
    notes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    size: float
    weight: Weight


def paint_band(space: Space, words: Words, theme: Theme, fonts: FontSet) -> Group:
    """Return the band of a sheet where it stands on the paper.

    Raises PnpError where the title is too long for it, and FitError where the band is shorter than
    its shortest bar.
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


def _band(length: float, words: Words, theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    bars = (50.0, 2.0 * MM_PER_INCH) if length >= LONG_BAND else (20.0,)
    if length < bars[0]:
        raise FitError(
            f"the sheet is {length:.1f} mm long inside its margins, too short for a check bar;"
            " take a larger --paper or a smaller --margin"
        )
    for part in (words.head, *words.notes, *words.fields):
        fonts.check(part)
    blank = _field_width(words, fonts)
    beside = length - bars[-1] - 4.0 - blank
    rows_high = len(bars) * _BAR_ROW
    best: tuple[float, list[_Row], bool] | None = None
    for width, height, is_beside in (
        (beside, BAND, True),
        (length, BAND - rows_high - 0.4, False),
    ):
        if width <= 0 or (blank and not is_beside):
            continue
        fitted = _fit(words, width, height, fonts)
        if fitted and (best is None or fitted[0].size > best[0]):
            best = (fitted[0].size, fitted, is_beside)
    if best is None:
        if blank:
            line = " ".join(f"{name} ____________" for name in words.fields)
            return _band(length, Words(words.head, (*words.notes, line)), theme, fonts)
        raise PnpError(
            f"the title {words.head!r} is too long for a band of {length:.0f} mm; shorten --title"
        )
    _, rows, is_beside = best
    offset = (BAND - rows_high) / 2.0 if is_beside else BAND - rows_high
    items = _bars(bars, offset, theme)
    start, height = (bars[-1] + 4.0, BAND) if is_beside else (0.0, BAND - rows_high - 0.4)
    items += _rows(rows, start, height, theme)
    return (*items, *_fields(words, length, theme, fonts)) if blank else tuple(items)


def _bars(lengths: tuple[float, ...], top: float, theme: Theme) -> list[Item]:
    """Check bars one above the other, each a line of exactly its length with a tick inside each
    end.
    """
    ink = theme.colour("ink")
    items: list[Item] = []
    for k, length in enumerate(lengths):
        base = top + (k + 1) * _BAR_ROW - 0.3
        items.append(_box(0.0, base - 0.25, length, base, ink))
        step, count = (MM_PER_INCH / 2.0, 4) if length > 50.0 else (10.0, round(length / 10.0))
        for i in range(count + 1):
            tall = 1.7 if i in (0, count) else 0.8
            x = min(max(i * step - 0.1, 0.0), length - 0.2)
            items.append(_box(x, base - tall, x + 0.2, base - 0.25, ink))
        name = "2 in" if length > 50.0 else f"{length:.0f} mm"
        middle = length / 2.0 if length == 50.0 else length * 0.375 if length > 50.0 else 5.0
        items.append(Text(middle, base - 0.6, name, 1.7, theme.colour("soft"), "middle"))
    return items


def _box(left: float, top: float, right: float, bottom: float, colour: str) -> Polygon:
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Polygon(corners, Style(fill=colour))


def _fit(words: Words, width: float, height: float, fonts: FontSet) -> list[_Row] | None:
    """Return the rows in the largest size at which they fit into width × height, None for none."""
    size = _LARGEST
    while size >= _SMALLEST - 1e-9:
        small = max(_SMALLEST, size * 0.8)
        head = _wrap((words.head,), width, size, "bold", fonts)
        notes = _wrap(words.notes, width, small, "regular", fonts)
        if head is not None and notes is not None:
            rows = [_Row(text, size, "bold") for text in head]
            rows += [_Row(text, small, "regular") for text in notes]
            if sum(row.size * _LEADING for row in rows) <= height + 1e-9:
                return rows
        size -= _STEP
    return None


def _wrap(
    parts: tuple[str, ...], width: float, size: float, weight: Weight, fonts: FontSet
) -> list[str] | None:
    """Return the parts, with dots between, as lines no wider than `width`, broken between parts or
    words; None where a word is too wide.
    """
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]} · {part}" if lines else part
        if lines and fonts.width(joined, size, weight) <= width:
            lines[-1] = joined
            continue
        lines.append("")
        for word in part.split():
            longer = f"{lines[-1]} {word}".strip()
            if fonts.width(longer, size, weight) <= width:
                lines[-1] = longer
            elif fonts.width(word, size, weight) > width:
                return None
            else:
                lines.append(word)
    return [line for line in lines if line]


def _rows(rows: list[_Row], start: float, height: float, theme: Theme) -> list[Item]:
    total = sum(row.size * _LEADING for row in rows)
    v = (height - total) / 2.0
    items: list[Item] = []
    for row in rows:
        colour = theme.colour("ink" if row.weight == "bold" else "soft")
        baseline = v + row.size * 0.95
        items.append(Text(start, baseline, row.text, row.size, colour, weight=row.weight))
        v += row.size * _LEADING
    return items


_FIELD_SIZE = 2.6
_FIELD_LINE = 32.0


def _field_width(words: Words, fonts: FontSet) -> float:
    return sum(fonts.width(name, _FIELD_SIZE) + _FIELD_LINE + 4.0 for name in words.fields)


def _fields(words: Words, length: float, theme: Theme, fonts: FontSet) -> list[Item]:
    """Blanks to write on, at the right end of the band."""
    items: list[Item] = []
    u = length - _field_width(words, fonts) + 3.0
    for name in words.fields:
        wide = fonts.width(name, _FIELD_SIZE)
        items.append(Text(u, 6.6, name, _FIELD_SIZE, theme.colour("ink")))
        line = ((u + wide + 1.0, 6.8), (u + wide + 1.0 + _FIELD_LINE, 6.8))
        items.append(Line(line, theme.line("soft", 0.2)))
        u += wide + _FIELD_LINE + 4.0
    return items
