"""Paragraphs in an area, in the largest type that fits."""

from __future__ import annotations

from collections.abc import Iterator

from pnp.fonts import FontSet
from pnp.geometry import Box
from pnp.scene import Text, Weight
from pnp.themes import Theme

LARGEST, SMALLEST = 4.2, 1.8
"""Font sizes in mm."""

Prose = tuple[tuple[Weight, str], ...]
"""Paragraphs: headings are bold."""


def fits(words: Prose, width: float, height: float, fonts: FontSet) -> bool:
    """Return whether the paragraphs can be set in width × height mm."""
    return bool(_set(words, SMALLEST, width, height, fonts))


def paint_prose(words: Prose, area: Box, theme: Theme, fonts: FontSet) -> Iterator[Text]:
    """Yield the lines of paragraphs from the top of the area; none where it is too small."""
    left, top, right, bottom = area
    colour = theme.colour("ink")
    for x, y, text, size, weight in _wrapped(words, right - left, bottom - top, fonts):
        yield Text(left + x, top + y, text, size, colour, weight=weight)


_Line = tuple[float, float, str, float, Weight]


def _wrapped(words: Prose, width: float, height: float, fonts: FontSet) -> list[_Line]:
    """Return the words in the largest type that fits; [] where even the smallest is too large."""
    for step in range(round((LARGEST - SMALLEST) * 10.0) + 1):
        lines = _set(words, LARGEST - step / 10.0, width, height, fonts)
        if lines:
            return lines
    return []


def _set(words: Prose, size: float, width: float, height: float, fonts: FontSet) -> list[_Line]:
    """Return the lines in type of one size, [] where they do not fit."""
    lines: list[_Line] = []
    y = 0.0
    for weight, text in words:
        y += size * (0.9 if weight == "bold" and lines else 0.3)
        for line, long in _broken(text, width / size, weight, fonts):
            y += size * 1.3
            if long * size > width or y + size * 0.3 > height:
                return []
            lines.append((0.0, y, line, size, weight))
    return lines


def _broken(text: str, room: float, weight: Weight, fonts: FontSet) -> Iterator[tuple[str, float]]:
    """Yield a paragraph's lines, broken between words, with their lengths, all at size 1."""
    blank = fonts.width(" ", 1.0, weight)
    line, long = "", 0.0
    for word in text.split(" "):
        wide = fonts.width(word, 1.0, weight)
        if line and long + blank + wide > room:
            yield line, long
            line, long = word, wide
        else:
            line, long = (f"{line} {word}", long + blank + wide) if line else (word, wide)
    yield line, long
