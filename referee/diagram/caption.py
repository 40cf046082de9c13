"""The words below a picture, as part of the picture."""

from __future__ import annotations

from typing import NamedTuple

from pnp.fonts import FontSet
from pnp.scene import Group, Item, Scene, Text
from pnp.themes import Theme
from referee.core.picture import Frame, Picture
from referee.diagram import words

MARGIN = 2.0
"""Blank mm round the picture."""
_SIZE = 0.027
"""The font's size as a part of the picture's width, within _LEAST and _MOST mm."""
_LEAST, _MOST = 2.6, 5.2
_LEADING = 1.45
_LONGEST_NAME = 120
_LINES = 8
"""Characters of a name that are shown, and lines that a caption's part may take."""


def below(board: Scene, frame: Frame, look: Picture, theme: Theme, fonts: FontSet) -> Scene:
    """Return the board with who plays what, the last ply and who is to move below it."""

    def naming(name: str) -> str:
        short = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1].rstrip() + "…"
        return "" if fonts.missing(short) else short

    sides = words.players(frame, look, naming)
    state = (words.last(frame, look), words.standing(frame, look, naming))
    width = max(board.width + 2 * MARGIN, 60.0)
    size = min(_MOST, max(_LEAST, _SIZE * width))
    room = width - 2 * MARGIN
    items: list[Item] = [Group(board.items, dx=(width - board.width) / 2.0, dy=MARGIN)]
    y = MARGIN + board.height + 0.6 * size
    seated = [
        _Seated(wrapped(side, size, room - 2 * size, fonts), player)
        for player, side in enumerate(sides)
    ]
    if sum(s.width(size, fonts) for s in seated) + 2 * size <= room and all(
        len(s.lines) == 1 for s in seated
    ):
        y += size * _LEADING
        x = (width - sum(s.width(size, fonts) for s in seated) - 2 * size) / 2.0
        for one in seated:
            items += one.items(x, y, size, frame, look, theme)
            x += one.width(size, fonts) + 2 * size
    else:
        for one in seated:
            y += size * _LEADING
            items += one.items((width - one.width(size, fonts)) / 2.0, y, size, frame, look, theme)
            y += size * _LEADING * (len(one.lines) - 1)
    for line in (part for words_ in state for part in wrapped(words_, size, room, fonts)):
        y += size * _LEADING
        items.append(Text(width / 2.0, y, line, size, theme.colour("ink"), "middle"))
    return board._replace(
        width=width,
        height=y + 0.5 * size + MARGIN,
        items=tuple(items),
        title=words.title(frame, look),
        description=words.description(frame, look),
    )


class _Seated(NamedTuple):
    """A player's line: a piece of his and his name, which may need more lines than one."""

    lines: list[str]
    player: int

    def width(self, size: float, fonts: FontSet) -> float:
        return 1.5 * size + max(
            (fonts.width(line, size, "bold") for line in self.lines), default=0.0
        )

    def items(
        self, x: float, y: float, size: float, frame: Frame, look: Picture, theme: Theme
    ) -> list[Item]:
        sign = look.token(frame, self.player, 1.1 * size, theme)
        ink = theme.colour("ink")
        found: list[Item] = [Group(sign, dx=x + 0.55 * size, dy=y - 0.36 * size)] if sign else []
        for number, line in enumerate(self.lines):
            at = y + number * size * _LEADING
            found.append(Text(x + 1.5 * size, at, line, size, ink, weight="bold"))
        return found


def wrapped(line: str, size: float, room: float, fonts: FontSet) -> list[str]:
    """Return a line broken between words so that each part fits.

    What the font lacks is left out; a word that is too wide, and what needs more than _LINES lines, is cut.
    """
    known = (c for c in line if not fonts.missing(c, "bold") and not fonts.missing(c))
    parts: list[str] = []
    for word in "".join(known).split():
        longer = f"{parts[-1]} {word}" if parts else word
        if parts and fonts.width(longer, size, "bold") <= room:
            parts[-1] = longer
        elif len(parts) == _LINES:
            parts[-1] = _cut(f"{parts[-1]} {word}", size, room, fonts)
            break
        else:
            parts.append(_cut(word, size, room, fonts))
    return parts


def _cut(word: str, size: float, room: float, fonts: FontSet) -> str:
    """Return a word that fits: itself, or its begin and an ellipsis."""
    if fonts.width(word, size, "bold") <= room:
        return word
    least, most = 0, len(word)
    while most - least > 1:
        middle = (least + most) // 2
        if fonts.width(word[:middle] + "…", size, "bold") <= room:
            least = middle
        else:
            most = middle
    return word[:least].rstrip() + "…"
