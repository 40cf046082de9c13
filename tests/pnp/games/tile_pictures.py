"""Tiles laid beside one another and looked at pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from pnp.backends import pdf
from pnp.geometry import Point
from pnp.paint.tiles import clipped
from pnp.scene import Group, Item, Scene

SCALE = 20.0
"""Pixels a mm."""

Picture = NDArray[np.bool_]


class Stroke(NamedTuple):
    """Pixels of ink side by side: the row y, the first's x, the x behind the last."""

    y: int
    first: int
    end: int


def patch(
    tiles: Sequence[tuple[tuple[Item, ...], Sequence[Point], Point]], width: float, height: float
) -> Picture:
    """Where ink is, for faces with their outlines laid at their middles; dark means more than half."""
    items = tuple(
        Group((clipped(face, outline),), dx=at[0], dy=at[1]) for face, outline, at in tiles
    )
    with pypdfium2.PdfDocument(pdf.to_bytes(Scene(width, height, items))) as document:
        picture = document[0].render(scale=SCALE * 25.4 / 72.0, grayscale=True).to_numpy()
    return np.asarray(picture[..., 0] if picture.ndim == 3 else picture) < 128


def pieces_of_ink(picture: Picture) -> list[list[Stroke]]:
    """The connected parts of the ink, row by row; pixels touch by side or corner."""
    parts: dict[Stroke, list[Stroke]] = {}  # of each stroke the part that it belongs to
    above: list[Stroke] = []
    for y, row in enumerate(picture):
        edges = np.flatnonzero(np.diff(row, prepend=False, append=False))
        here = [Stroke(y, first, end) for first, end in edges.reshape(-1, 2).tolist()]
        for stroke in here:
            part = parts[stroke] = [stroke]
            for other in above:
                known = parts[other]
                if known is not part and other.first <= stroke.end and other.end >= stroke.first:
                    known += part
                    parts |= dict.fromkeys(part, known)
                    part = known
        above = here
    return list({id(part): part for part in parts.values()}.values())


def run(line: NDArray[np.bool_]) -> float:
    """How much of a row or column of pixels is ink, in mm."""
    return float(line.sum()) / SCALE
