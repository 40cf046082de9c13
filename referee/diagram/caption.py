"""The words below a picture, as part of the picture."""

from __future__ import annotations

from dataclasses import replace

from pnp.fonts import FontSet
from pnp.scene import Group, Item, Scene, Text, Weight
from pnp.themes import Theme
from referee.core.picture import Frame, Picture
from referee.diagram import words

MARGIN = 2.0
"""Blank mm round the picture."""
_SIZE = 0.027
"""The font's size as a part of the picture's width, within _LEAST and _MOST mm."""
_LEAST, _MOST = 2.6, 5.2
_LEADING = 1.45


def below(board: Scene, frame: Frame, look: Picture, theme: Theme, fonts: FontSet) -> Scene:
    """Return the board with who plays what, the last ply and who is to move below it."""

    def naming(name: str) -> str:
        return "" if fonts.missing(name) else name

    sides = words.players(frame, look, naming)
    lines = [" – ".join(sides)]
    state = (words.last(frame, look), words.standing(frame, look, naming))
    lines += [part for part in state if part]
    width = max(board.width + 2 * MARGIN, 60.0)
    size = min(_MOST, max(_LEAST, _SIZE * width))
    room = width - 2 * MARGIN
    shown = [part for line in lines for part in wrapped(line, size, room, fonts)]
    items: list[Item] = [Group(board.items, dx=(width - board.width) / 2.0, dy=MARGIN)]
    y = MARGIN + board.height + 0.8 * size
    for number, line in enumerate(shown):
        y += size * _LEADING
        weight: Weight = "bold" if number == 0 else "regular"
        items.append(Text(width / 2.0, y, line, size, theme.colour("ink"), "middle", weight=weight))
    return replace(
        board,
        width=width,
        height=y + 0.5 * size + MARGIN,
        items=tuple(items),
        title=words.title(frame, look),
        description=words.description(frame, look),
    )


def wrapped(line: str, size: float, room: float, fonts: FontSet) -> list[str]:
    """Return a line broken between words so that each part fits; what the font lacks is left out."""
    clean = "".join(c for c in line if not fonts.missing(c, "bold") and not fonts.missing(c))
    parts: list[str] = []
    for word in clean.split():
        longer = f"{parts[-1]} {word}" if parts else word
        if parts and fonts.width(longer, size, "bold") <= room:
            parts[-1] = longer
        else:
            parts.append(word)
    return parts
