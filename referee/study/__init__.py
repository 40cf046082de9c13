"""Studies: questions that the sources leave open, answered by playing many games.

A study says what is played (core.py); the frame plays it (frame.py): seeds, batches, processes or a
cluster, stopping and resuming; and writes what came of it as a table, charts and a page.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from referee.study.core import Study

STUDIES: Final[dict[str, tuple[str, str]]] = {
    "lightning": (
        "referee.study.lightning:STUDY",
        "How Lightning goes, and what its tiles are worth.",
    ),
    "hex-lightning": (
        "referee.study.hexlightning:STUDY",
        "Whether Hex-Lightning is a game on one shared board.",
    ),
    "spiral": ("referee.study.spiral:STUDY", "How often Spiral's player wins, and by which play."),
}
"""Each study by its name: where it lives (`package.module:NAME`), and what it asks, a line."""


def load(where: str) -> Study:
    """Return the study at `package.module:NAME`, importing its module."""
    module, _, name = where.partition(":")
    study: Study = getattr(import_module(module), name)
    return study
