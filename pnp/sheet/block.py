"""Where pieces lie in a block on a sheet, and how many stand in a row."""

from __future__ import annotations

import math
from typing import NamedTuple

from pnp.sheet.space import TOLERANCE


class Spot(NamedTuple):
    """Where a piece lies: its centre, and how far it is turned clockwise in degrees."""

    x: float
    y: float
    turn: float = 0.0


class Block(NamedTuple):
    """Spots in reading order in a box `width` × `height` mm, from its top left corner."""

    width: float
    height: float
    spots: tuple[Spot, ...]


def steps(room: float, pitch: float) -> int:
    """How many stand in a row: the first needs nothing of `room`, each further one a pitch."""
    return 0 if room < -TOLERANCE else math.floor((room + TOLERANCE) / pitch) + 1
