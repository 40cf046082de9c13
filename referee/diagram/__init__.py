"""Positions as pictures and as text; records as pages to step through.

The boards are those that `pnp` prints (pnp.paint); each game's own picture lies in its package
(`referee/games/<slug>/picture.py`, protocol referee.core.picture) and is loaded when it is drawn.
"""

from __future__ import annotations

from importlib import import_module

from pnp.fonts import FontSet
from pnp.scene import Scene
from pnp.themes import Theme
from referee.core.picture import Frame, Picture
from referee.diagram import words
from referee.games import REGISTRY


def picture(frame: Frame) -> Picture:
    """Return how the frame's game looks."""
    found: Picture = import_module(f"{REGISTRY[frame.game.name]}.picture").PICTURE
    return found


def scene(
    frame: Frame,
    theme: Theme | None = None,
    *,
    numbers: bool = False,
    fonts: FontSet | None = None,
) -> Scene:
    """Return the picture of a frame: board and pieces, names and what is to be said below them.

    Names that the font lacks are left out (they stand in `text`). The scene's title and
    description say the same for those who cannot see it.
    """
    from pnp import fonts as shipped
    from pnp import themes
    from referee.diagram.caption import below

    theme = theme or themes.load("colour")
    look = picture(frame)
    board = look.scene(frame, theme, numbers=numbers)
    return below(board, frame, look, theme, fonts or shipped.load())


def text(frame: Frame, *, numbers: bool = False) -> str:
    """Return a frame in characters: what game it is, the drawing, the position as a list."""
    look = picture(frame)
    parts = [
        "\n".join(heading(frame)),
        look.text(frame, numbers=numbers).rstrip("\n"),
        look.listing(frame).rstrip("\n"),
    ]
    return "\n\n".join(parts) + "\n"


def heading(frame: Frame) -> list[str]:
    """Return what stands above a drawing in text: game and players, the last ply and who is to move."""
    return words.heading(frame, picture(frame))


def listing(frame: Frame) -> str:
    """Return the position as a list for proportional fonts (`Red: a1 b3 …`)."""
    return picture(frame).listing(frame)
