"""Playing cards of 32 for Spiral: faces, backs, the small cards of diagrams. Pure, in mm.

Cards lie overlapped in columns, so all that must be read stands in the top 11 mm of a face.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pnp.geometry import Point, regular_polygon
from pnp.paint import patterns
from pnp.paint.suits import SUITS, suit, suit_colour
from pnp.scene import Group, Item, Polygon, Style, Text, Use
from pnp.themes import RANKS, Theme

CARDS = tuple(rank + letter for letter in SUITS for rank in RANKS)
"""The 32 cards, suit by suit, 7 to A."""

INDEX = 6.4
"""Height of an index in mm, the rank's capitals and the suit beside it; all of it is in the top 11 mm."""
_INDEX_MIDDLE = 5.6
_RANK_AT, _SUIT_AT = 8.8, 20.6
"""The middle of the index below the top edge; rank and suit to the right of the left edge."""
_CAP_OF_SIZE = 0.729
_BIG = 0.4
"""The large suit on a card, in widths of the card."""
_BACK_BORDER = 3.0


def rank_text(rank: str) -> str:
    """Return a rank as it stands on a card: T is 10."""
    return "10" if rank == "T" else rank


def suit_symbols(width: float, theme: Theme) -> Mapping[str, tuple[Item, ...]]:
    """Return the suits that the faces of cards `width` mm wide use, small and large."""
    small = {f"suit-{letter}": (suit(letter, INDEX, theme),) for letter in SUITS}
    return small | {f"suit-{letter}-big": (suit(letter, width * _BIG, theme),) for letter in SUITS}


def card_face(
    name: str, width: float, height: float, theme: Theme, bleed: float = 0.0
) -> tuple[Item, ...]:
    """Return the face of a card ("9S") about (0, 0), with the symbols of `suit_symbols`.

    The index stands at the top left and, turned, at the bottom right. No frame: a cut that is a
    little off would show it.
    """
    rank, letter = name[0], name[1]
    ink = suit_colour(letter, theme)
    x, y = _RANK_AT - width / 2.0, _INDEX_MIDDLE - height / 2.0
    size = INDEX / _CAP_OF_SIZE
    index: tuple[Item, ...] = (
        Text(x, y, rank_text(rank), size, ink, "middle", "cap", "bold"),
        Use(f"suit-{letter}", x + _SUIT_AT - _RANK_AT, y),
    )
    ground = _ground(theme.area("card").fill, width, height, theme, bleed)
    return (*ground, *index, Use(f"suit-{letter}-big", 0.0, 0.0), Group(index, turn=180.0))


def card_back(width: float, height: float, theme: Theme) -> tuple[Item, ...]:
    """Return the back of all cards about (0, 0): the same either way up, inside a white border
    that forgives a printer a millimetre or two."""
    area = theme.area("card-back")
    x, y = width / 2.0 - _BACK_BORDER, height / 2.0 - _BACK_BORDER
    cut = min(x, y) * 0.16
    panel = (
        *((cut - x, -y), (x - cut, -y), (x, cut - y), (x, y - cut)),
        *((x - cut, y), (cut - x, y), (-x, y - cut), (-x, cut - y)),
    )
    line = area.line or area.mark
    hexagon = width * 0.22
    plate = area.fill or theme.colour("paper")
    return (
        *patterns.polygon(panel, area._replace(line=line), width=0.5, pitch=3.2, mark=0.35),
        Polygon(regular_polygon(6, hexagon), Style(fill=plate, stroke=line, width=0.5)),
        *(
            Polygon(regular_polygon(6, hexagon * part), Style(stroke=line, width=0.5))
            for part in (0.72, 0.44)
        ),
        Polygon(regular_polygon(6, hexagon * 0.16), Style(fill=line)),
    )


def _ground(
    fill: str | None, width: float, height: float, theme: Theme, bleed: float
) -> tuple[Item, ...]:
    """The colour of the card where it is not that of the paper."""
    if fill in (None, theme.colour("paper")):
        return ()
    x, y = width / 2.0 + bleed, height / 2.0 + bleed
    corners: tuple[Point, ...] = ((-x, -y), (x, -y), (x, y), (-x, y))
    return (Polygon(corners, Style(fill=fill)),)


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
