"""A game's own chance: a number derived from the study's seed, the cell and the game's index."""

from __future__ import annotations

import hashlib

from referee.study.core import Cell


def game_seed(seed: int, study: str, cell: Cell, index: int) -> int:
    """Return 64 bits for game `index` of a cell; games of cells with one stream share theirs by index."""
    stream = ("stream", cell.stream) if cell.stream else ("cell", *cell.settings)
    words = "\n".join((str(seed), study, str(index), *(word.replace("\n", " ") for word in stream)))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
