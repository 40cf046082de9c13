"""The reader of a game's moves for `commands.parse`: the forms of notation.md, and never a guess (M39, M99, M101)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from referee.core.game import Game
from referee.core.verdict import Rejected
from referee.games import load, names
from referee.mail.submission import GameReader

MAX_CHOICES: Final = 12
"""Full forms that an answer to an ambiguous move lists."""

_PARTS: Final = re.compile(r"[a-z]+[0-9]+|[a-z0-9♠♥♦♣]+")

AnyGame = Game[Any, Any, Any]


def reader(
    game: AnyGame, setup: Any, legal: Callable[[], Iterable[str]] | None = None
) -> GameReader:
    """Return what a word means in a game: its canonical token, or as written where that would hide a fault.

    With `legal` (the canonical tokens of all legal moves, asked for only when needed) a word that is no full move, but
    part of some (a cell in Focus, a tile and its cell in Lightning), brings those to choose from, even if there is one.
    Another game's move is kept as written, so that the game can say what its own look like.
    """

    def read(word: str) -> str | tuple[str, ...] | None:
        move = game.parse(word, setup)
        if not isinstance(move, Rejected):
            token = game.format(move, setup)
            return token if game.parse(token, setup) == move else word
        if not any(char.isdigit() for char in word):
            return None
        return (_like(word, legal()) if legal is not None else ()) or any_game(word)

    return read


def any_game(word: str) -> str | None:
    """Return a word that is a move's form in one of our games, as written: for mails that do not say which game."""
    for name in names():
        game = load(name)
        if game is not None and not isinstance(game.parse(word, game.setup({})), Rejected):
            return word
    return None


def _like(word: str, tokens: Iterable[str]) -> tuple[str, ...]:
    """Return the first tokens that have all parts of the word among theirs."""
    parts = set(_PARTS.findall(word.lower()))
    found = []
    for token in tokens:
        if parts and parts.issubset(_PARTS.findall(token.lower())):
            found.append(token)
            if len(found) == MAX_CHOICES:
                break
    return tuple(found)
