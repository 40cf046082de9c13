"""Tiles laid beside one another and looked at pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence

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


def pieces_of_ink(picture: Picture) -> list[set[tuple[int, int]]]:
    """The connected parts of the ink, pixels (x, y) that touch by side or corner."""
    left = {(int(x), int(y)) for y, x in zip(*picture.nonzero(), strict=True)}
    found = []
    while left:
        part, edge = set(), [left.pop()]
        while edge:
            x, y = edge.pop()
            part.add((x, y))
            for near in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
                if near in left:
                    left.remove(near)
                    edge.append(near)
        found.append(part)
    return found


def run(line: NDArray[np.bool_]) -> float:
    """How much of a row or column of pixels is ink, in mm."""
    return float(line.sum()) / SCALE
