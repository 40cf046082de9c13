"""Sets of tiles: how many of each kind, I to V."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.errors import RefereeError
from referee.games.lightning.tiles import KINDS

Tiles = tuple[int, ...]

MOST: Final = 255
"""The most tiles of a kind that a position counts."""

STANDARD: Final = "standard"
YOURS: Final = "yours"
SETS: Final[dict[str, tuple[Tiles, str]]] = {
    STANDARD: ((30, 30, 30, 30, 30), "thirty of each kind"),
    "no-power": ((38, 38, 37, 37, 0), "no power tile"),
    "half-power": ((34, 34, 34, 33, 15), "half as many power tiles"),
    "double-power": ((22, 22, 23, 23, 60), "twice as many power tiles"),
    "capacity": ((21, 21, 43, 43, 22), "as many as the capacity says: III and IV twice"),
    "inverse": ((37, 38, 19, 19, 37), "the other way round: I, II and V twice"),
    "straight": ((45, 45, 20, 20, 20), "more straight marks"),
    "no-ii": ((38, 0, 37, 37, 38), "no diagonal"),
}
"""The sets that are compared, 150 tiles each, and what they are."""


def written(tiles: Tiles) -> str:
    """Return a set as the text of a cell, five numbers."""
    return " ".join(str(number) for number in tiles)


def read(text: str) -> Tiles:
    """Return the numbers of a cell's text."""
    return tuple(int(number) for number in text.split())


def counted(words: Sequence[str]) -> Tiles:
    """Return the set that `--count III=20`, given once or more, makes of the standard one. Raises RefereeError."""
    tiles = dict(zip(KINDS, SETS[STANDARD][0], strict=True))
    seen = set()
    for word in words:
        for part in word.split(","):
            kind, sign, number = part.strip().partition("=")
            kind = kind.strip().upper()
            if not sign or kind not in tiles or not number.strip().isascii():
                raise RefereeError(f"--count {word}: write a kind and a number, such as III=20")
            if not number.strip().isdigit() or int(number) > MOST:
                raise RefereeError(f"--count {word}: the number is 0 to {MOST}")
            if kind in seen:
                raise RefereeError(f"--count {word}: {kind} is counted twice; give it once")
            seen.add(kind)
            tiles[kind] = int(number)
    if not any(tiles.values()):
        raise RefereeError("no tile is left to play with; let --count leave some")
    return tuple(tiles.values())
