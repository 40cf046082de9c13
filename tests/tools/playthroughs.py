"""Playthroughs: one seeded random game for each setup of each game, ply by ply, as text.

`python -m tests.tools.playthroughs` writes them again. Do so only where a rule was meant to change: a changed
playthrough is how a change of the rules shows.
"""

from __future__ import annotations

import random
from pathlib import Path

from referee.core.verdict import Rejected
from referee.games import load, names
from referee.turns import State, step
from tests.referee.games_at_play import SETUPS

DATA = Path(__file__).resolve().parent.parent / "data"
MOST = 160


def playthrough(name: str, tags: dict[str, str]) -> str:
    """Return a game as text: for each ply the number of legal moves, the move, and the position after it."""
    game = load(name)
    assert game is not None
    state = State(game.start(game.setup({"Game": name, **tags})))
    rng = random.Random(f"{name} {sorted(tags.items())}")
    lines = [f'[{key} "{value}"]' for key, value in {"Game": name, **tags}.items()]
    lines += ["", f"start: {game.position_text(state.position)}"]
    for _ in range(MOST):
        position = state.position
        words = [game.format(m, position.setup) for m in game.legal_moves(position)]
        if not words:
            break
        # the pool of Lightning swallows random games, so it is chosen seldom
        liked = [w for w in words if "@pool" not in w] if rng.random() < 0.9 else words
        word = rng.choice(liked or words)
        after = step(game, state, word)
        assert not isinstance(after, Rejected)
        state = after
        text = game.position_text(state.position)
        lines.append(f"{state.position.plies}. of {len(words)}: {word} -> {text}")
    position = state.position
    lines += [
        "",
        f"end: {position.result} {position.reason} {position.needs} {' '.join(game.proof(position))}".rstrip(),
    ]
    return "\n".join(lines) + "\n"


def path(name: str, index: int) -> Path:
    """Return where the playthrough of a game's setup number `index` lies."""
    return DATA / name.lower() / "playthrough" / f"{index + 1}.txt"


def main() -> None:
    """Write all playthroughs."""
    for name in names():
        for index, tags in enumerate(SETUPS[name]):
            file = path(name, index)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(playthrough(name, tags), encoding="utf-8")


if __name__ == "__main__":
    main()
