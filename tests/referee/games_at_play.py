"""What the laws need to know of each game: setups to play, and every token that could be a move.

A game joins by being registered; what is missing for it here is named by test_completeness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

from hypothesis import strategies as st

from pnp.boards import focus, rhombus
from referee.core.verdict import Rejected
from referee.games import load
from referee.games.lightning.lines import CELLS
from referee.games.lightning.tiles import KIND_OF, KINDS, POINTS
from referee.games.spiral.cards import CARDS

SEED = "5eed" * 16

SETUPS: dict[str, tuple[dict[str, str], ...]] = {
    "Hex": (
        {"Size": "3"},
        {"Size": "4", "Swap": "pieces"},
        {"Size": "2", "Swap": "none"},
        {},
    ),
    "Focus": ({}, {"Setup": "drop", "Drops": "own"}, {"Rows": "top", "Draw": "first"}),
    "Lightning": ({}, {"Seed": SEED, "GameId": "g-7", "Word1": "one"}),
    "Spiral": (
        {"Seed": SEED},
        {"Seed": SEED, "SameColumn": "yes"},
        {"Seed": SEED, "Cycle": "yes"},
    ),
}
"""Tags of each game beside `Game`, each a way to play it."""


def _hex(tags: dict[str, str]) -> Iterator[str]:
    yield from rhombus(int(tags.get("Size", "11"))).labels
    yield "swap"


def _focus(tags: dict[str, str]) -> Iterator[str]:
    labels = focus().labels
    if tags.get("Rows") == "top":
        labels = tuple(f"{label[0]}{9 - int(label[1])}" for label in labels)
    for one, other in product(labels, labels):
        yield f"{one}-{other}"
    yield from (f"+{label}" for label in labels)


def _lightning(tags: dict[str, str]) -> Iterator[str]:
    yield "pass"
    yield from (f"{kind}@pool" for kind in KINDS)
    for cell, entry, leaving in product(CELLS, range(8), range(8)):
        kind = KIND_OF[entry][leaving]
        for source in ("", "pool:"):
            name = KINDS[kind if kind is not None else 0]
            yield f"{source}{name}@{cell.label}:{POINTS[entry]}-{POINTS[leaving]}"


def _spiral(tags: dict[str, str]) -> Iterator[str]:
    yield from (f"{one}+{other}" for one, other in combinations(CARDS, 2))


WORDS: dict[str, Callable[[dict[str, str]], Iterator[str]]] = {
    "Hex": _hex,
    "Focus": _focus,
    "Lightning": _lightning,
    "Spiral": _spiral,
}
"""Every word that could be a move, each move once, whatever the position."""


def key(game: str, token: str) -> str:
    """Return what is the same for tokens of one move: Spiral's cards stand in either order."""
    return "+".join(sorted(token.split("+"))) if game == "Spiral" else token


@st.composite
def playings(
    draw: st.DrawFn, name: str, most: int = 40
) -> tuple[dict[str, str], list[str], list[Any]]:
    """A setup, the canonical tokens of random plies, and the positions before, between and after."""
    game = load(name)
    assert game is not None
    tags = draw(st.sampled_from(SETUPS[name]))
    setup = game.setup({"Game": name, **tags})
    position = game.start(setup)
    tokens: list[str] = []
    positions = [position]
    for _ in range(draw(st.integers(0, most))):
        moves = list(game.legal_moves(position))
        if not moves:
            break
        move = draw(st.sampled_from(moves))
        position = game.play(position, move)
        assert not isinstance(position, Rejected)
        tokens.append(game.format(move, setup))
        positions.append(position)
    return tags, tokens, positions


def as_text(name: str, tags: dict[str, str], tokens: list[str]) -> str:
    """Return a record's text."""
    head = "".join(f'[{tag} "{value}"]\n' for tag, value in {"Game": name, **tags}.items())
    return f"{head}\n{' '.join(tokens)}\n*\n"
