"""The registry of games: one line each. A game's package is loaded only when a record needs it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from referee.core.game import Game

REGISTRY: dict[str, str] = {
    "Hex": "referee.games.hex",
    "Focus": "referee.games.focus",
    "Lightning": "referee.games.lightning",
    "Spiral": "referee.games.spiral",
}
"""The name in the `Game` tag, and the package whose GAME is its rules."""


@cache
def load(name: str) -> Game[Any, Any, Any] | None:
    """Return the game of that name (as in the `Game` tag, case-sensitive), None for no game of ours."""
    package = REGISTRY.get(name)
    if package is None:
        return None
    game: Game[Any, Any, Any] = import_module(package).GAME
    return game


def names() -> tuple[str, ...]:
    """Return the names of all games, in the order of the registry."""
    return tuple(REGISTRY)
