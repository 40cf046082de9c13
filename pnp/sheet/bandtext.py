"""Setting a head and its notes into a small area: the largest size at which all of it fits.

Words are measured once, at size 1; widths grow with the size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pnp.fonts import FontSet
from pnp.scene import Weight

LARGEST, SMALLEST = 3.0, 1.2
"""Font sizes in mm."""

_STEP = 0.1
_LEADING = 1.25
_DOT = " · "


class Row(NamedTuple):
    """One line: its font size, and runs of one weight, each with where it begins, in mm."""

    size: float
    runs: tuple[tuple[float, str, Weight], ...]

    @property
    def height(self) -> float:
        """What the line takes of the height."""
        return self.size * _LEADING


class _Part(NamedTuple):
    """Words that belong together, with their widths at size 1; `ink` is that of all, `width` that of
    all and the blanks between.
    """

    words: tuple[tuple[str, float], ...]
    weight: Weight
    blank: float
    ink: float
    width: float


def set_words(
    head: str, notes: tuple[str, ...], width: float, height: float, fonts: FontSet
) -> list[Row] | None:
    """Return the rows in the largest size at which they fit into width × height mm, None for none.

    The head has lines of its own, and the notes follow, smaller; where that does not fit they run
    on behind it.
    """
    first = _part(head, "bold", fonts)
    rest = [_part(note, "regular", fonts) for note in notes]
    dot = fonts.width(_DOT, 1.0)
    for size in _sizes():
        small = max(SMALLEST, size * 0.8)
        if _least([first], size, width) + _least(rest, small, width) > height + 1e-9:
            continue
        rows = [*_wrapped([first], dot, width, size), *_wrapped(rest, dot, width, small)]
        if _fits(rows, width, height):
            return [row for row, _ in rows]
    for size in _sizes():
        if _least([first, *rest], size, width) > height + 1e-9:
            continue
        rows = list(_wrapped([first, *rest], dot, width, size))
        if _fits(rows, width, height):
            return [row for row, _ in rows]
    return None


def _sizes() -> Iterator[float]:
    for step in range(round((LARGEST - SMALLEST) / _STEP) + 1):
        yield LARGEST - step * _STEP


@lru_cache(maxsize=256)
def _part(text: str, weight: Weight, fonts: FontSet) -> _Part:
    words = tuple((word, fonts.width(word, 1.0, weight)) for word in text.split())
    blank, ink = fonts.width(" ", 1.0, weight), sum(wide for _, wide in words)
    return _Part(words, weight, blank, ink, ink + blank * (len(words) - 1))


def _least(parts: list[_Part], size: float, width: float) -> float:
    """Return a height that the parts need at least: as if words could be broken anywhere."""
    ink = size * sum(part.ink for part in parts)
    return max(math.ceil(ink / max(width, 1e-9) - 1e-9), 1) * size * _LEADING if parts else 0.0


def _fits(rows: list[tuple[Row, float]], width: float, height: float) -> bool:
    return (
        sum(row.height for row, _ in rows) <= height + 1e-9
        and max((end for _, end in rows), default=0.0) <= width + 1e-9
    )


def _wrapped(
    parts: list[_Part], dot: float, width: float, size: float
) -> Iterator[tuple[Row, float]]:
    """Yield rows and where each ends; broken between parts where a part fits a row, else between
    words."""
    room = width / size
    runs: list[tuple[float, str, Weight]] = []
    pen = 0.0
    for part in parts:
        if runs and pen + dot + part.width > room and part.width <= room:
            yield _row(runs, size), pen * size
            runs, pen = [], 0.0
        if not runs:
            runs = [(0.0, "", part.weight)]
        elif runs[-1][2] == part.weight:
            start, text, weight = runs[-1]
            runs[-1] = (start, text + _DOT, weight)
            pen += dot
        else:
            runs.append((pen + part.blank, _DOT.lstrip(), part.weight))
            pen += dot
        for k, (word, wide) in enumerate(part.words):
            blank = part.blank if k and runs[-1][1] else 0.0
            if pen + blank + wide > room and (len(runs) > 1 or runs[-1][1]):
                yield _row(runs, size), pen * size
                runs, pen, blank = [(0.0, "", part.weight)], 0.0, 0.0
            start, text, weight = runs[-1]
            runs[-1] = (start, f"{text} {word}" if blank else text + word, weight)
            pen += blank + wide
    if runs:
        yield _row(runs, size), pen * size


def _row(runs: list[tuple[float, str, Weight]], size: float) -> Row:
    return Row(
        size, tuple((u * size, text.rstrip(" ·"), w) for u, text, w in runs if text.strip(" ·"))
    )
