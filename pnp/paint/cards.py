"""Playing cards of 32 for Spiral: drawn suits, faces. Pure, in mm."""

from __future__ import annotations

from functools import lru_cache

from pnp.geometry import Point
from pnp.paint import patterns
from pnp.scene import Curve, Group, Item, Style, Text
from pnp.themes import Theme

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}

Step = tuple[str | float, ...]

_HEART: tuple[Step, ...] = (
    ("M", 0.0, 0.5),
    ("C", -0.12, 0.3, -0.5, 0.08, -0.5, -0.2),
    ("C", -0.5, -0.4, -0.36, -0.5, -0.24, -0.5),
    ("C", -0.12, -0.5, -0.03, -0.43, 0.0, -0.3),
    ("C", 0.03, -0.43, 0.12, -0.5, 0.24, -0.5),
    ("C", 0.36, -0.5, 0.5, -0.4, 0.5, -0.2),
    ("C", 0.5, 0.08, 0.12, 0.3, 0.0, 0.5),
    ("Z",),
)
_DIAMOND: tuple[Step, ...] = (
    ("M", 0.0, -0.52),
    ("C", 0.1, -0.3, 0.25, -0.12, 0.4, 0.0),
    ("C", 0.25, 0.12, 0.1, 0.3, 0.0, 0.52),
    ("C", -0.1, 0.3, -0.25, 0.12, -0.4, 0.0),
    ("C", -0.25, -0.12, -0.1, -0.3, 0.0, -0.52),
    ("Z",),
)
_SPADE: tuple[Step, ...] = (
    ("M", 0.0, -0.5),
    ("C", 0.1, -0.3, 0.46, -0.1, 0.46, 0.14),
    ("C", 0.46, 0.3, 0.34, 0.38, 0.23, 0.38),
    ("C", 0.14, 0.38, 0.08, 0.34, 0.05, 0.28),
    ("C", 0.06, 0.38, 0.1, 0.46, 0.18, 0.5),
    ("L", -0.18, 0.5),
    ("C", -0.1, 0.46, -0.06, 0.38, -0.05, 0.28),
    ("C", -0.08, 0.34, -0.14, 0.38, -0.23, 0.38),
    ("C", -0.34, 0.38, -0.46, 0.3, -0.46, 0.14),
    ("C", -0.46, -0.1, -0.1, -0.3, 0.0, -0.5),
    ("Z",),
)
_CLUB: tuple[Step, ...] = (
    ("M", 0.05, 0.2),
    ("C", 0.06, 0.36, 0.1, 0.46, 0.18, 0.5),
    ("L", -0.18, 0.5),
    ("C", -0.1, 0.46, -0.06, 0.36, -0.05, 0.2),
    ("C", -0.1, 0.3, -0.18, 0.34, -0.26, 0.34),
    ("C", -0.39, 0.34, -0.49, 0.24, -0.49, 0.11),
    ("C", -0.49, -0.02, -0.39, -0.12, -0.26, -0.12),
    ("C", -0.22, -0.12, -0.18, -0.11, -0.15, -0.09),
    ("C", -0.2, -0.14, -0.23, -0.2, -0.23, -0.27),
    ("C", -0.23, -0.4, -0.13, -0.5, 0.0, -0.5),
    ("C", 0.13, -0.5, 0.23, -0.4, 0.23, -0.27),
    ("C", 0.23, -0.2, 0.2, -0.14, 0.15, -0.09),
    ("C", 0.18, -0.11, 0.22, -0.12, 0.26, -0.12),
    ("C", 0.39, -0.12, 0.49, -0.02, 0.49, 0.11),
    ("C", 0.49, 0.24, 0.39, 0.34, 0.26, 0.34),
    ("C", 0.18, 0.34, 0.1, 0.3, 0.05, 0.2),
    ("Z",),
)
_SUITS = {"S": _SPADE, "H": _HEART, "D": _DIAMOND, "C": _CLUB}


def suit(letter: str, size: float, theme: Theme, at: Point = (0.0, 0.0)) -> Curve:
    """Return the sign of a suit (S, H, D, C), `size` mm high, its middle at `at`."""
    x0, y0 = at
    steps = tuple(
        (
            step[0],
            *(
                float(value) * size + (y0 if number % 2 else x0)
                for number, value in enumerate(step[1:])
            ),
        )
        for step in _SUITS[letter]
    )
    return Curve(steps, Style(fill=suit_colour(letter, theme)))


def suit_colour(letter: str, theme: Theme) -> str:
    """Return the ink of a suit."""
    return theme.colour("suit-red" if letter in "HD" else "suit-black")


def rank_text(rank: str) -> str:
    """Return a rank as it stands on a card: T is 10."""
    return "10" if rank == "T" else rank


@lru_cache(maxsize=256)
def small_card(name: str, width: float, height: float, theme: Theme) -> tuple[Item, ...]:
    """Return a small card ("9S") with its top left corner at (0, 0): rank and suit in its top line only.

    For diagrams, where cards overlap; the rest of the face repeats the suit.
    """
    rank, letter = name[0], name[1]
    r = width * 0.08
    outline = (
        *((r, 0.0), (width - r, 0.0), (width, r), (width, height - r)),
        *((width - r, height), (r, height), (0.0, height - r), (0.0, r)),
    )
    size = width * 0.34
    line = size * 0.62
    ink = suit_colour(letter, theme)
    middle = suit(letter, width * 0.42, theme, (width / 2.0, (height + line) / 2.0))
    return (
        *patterns.polygon(outline, theme.area("card"), width=0.2),
        Text(width * 0.3, line, rank_text(rank), size, ink, "middle", "cap", "bold"),
        Group((suit(letter, size * 0.8, theme, (width * 0.72, line)),), title=name),
        middle,
    )
