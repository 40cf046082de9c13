"""The four suits drawn as curves: told apart by shape, coloured by the theme. Pure, in mm."""

from __future__ import annotations

from pnp.geometry import Point
from pnp.scene import Curve, Style
from pnp.themes import Theme

SUITS = "SHDC"
"""The suits in the order of the deck."""
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
_SIGNS = {"S": _SPADE, "H": _HEART, "D": _DIAMOND, "C": _CLUB}


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
        for step in _SIGNS[letter]
    )
    return Curve(steps, Style(fill=suit_colour(letter, theme)))


def suit_colour(letter: str, theme: Theme) -> str:
    """Return the ink of a suit."""
    return theme.colour("suit-red" if letter in "HD" else "suit-black")
