"""Archives to judge: real Hex games where the handed data lies, and random games of all four, the same each time."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from referee.core.verdict import Rejected
from referee.games import load
from referee.games.spiral.cards import CARDS
from tests.bench.measure import ROOT

REAL = ROOT.parent / "shared/data/hex/neurobenzene/src/neuralnet/TEST9x9.txt"
"""neurobenzene's games, a line each."""


class Archive(NamedTuple):
    """A file of records: games, plies, and what else was counted (Spiral: pieces)."""

    path: Path
    games: int
    plies: int
    pieces: int = 0


def record(game: str, tags: dict[str, str], tokens: list[str], result: str, paired: bool) -> str:
    """Return a record as archives have it, numbered."""
    step = 2 if paired else 1
    words = [
        f"{k // step + 1}. {token}" if k % step == 0 else token for k, token in enumerate(tokens)
    ]
    head = [f'[Game "{game}"]', *(f'[{name} "{value}"]' for name, value in tags.items())]
    return "\n".join(head) + "\n\n" + " ".join([*words, result]) + "\n\n"


def real_hex(folder: Path) -> Archive | None:
    """Write neurobenzene's games as `.moves`; None where the handed data is not there."""
    if not REAL.is_file():
        return None
    games = [re.findall(r"\[(\w+)\]", line) for line in REAL.read_text().splitlines()]
    path = folder / "neurobenzene.moves"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(record("Hex", {"Size": "9"}, tokens, "*", True) for tokens in games)
    return Archive(path, len(games), sum(map(len, games)))


def random_hex(folder: Path, games: int, size: int = 11) -> Archive:
    """Write random games of Hex, each to its end."""
    hexes = load("Hex")
    assert hexes is not None
    chance = random.Random(games)
    tags = {"Size": str(size), "Swap": "none"}
    setup = hexes.setup(tags)
    cells = list(hexes.legal_moves(hexes.start(setup)))
    path, plies = folder / f"random-{size}-{games}.moves", 0
    with path.open("w", encoding="utf-8") as file:
        for _ in range(games):
            chance.shuffle(cells)
            position, tokens = hexes.start(setup), []
            for cell in cells:
                position = hexes.play(position, cell)
                tokens.append(hexes.format(cell, setup))
                if position.to_move is None:
                    break
            plies += len(tokens)
            file.write(record("Hex", tags, tokens, position.result, True))
    return Archive(path, games, plies)


def random_games(folder: Path, name: str, games: int, most: int = 300) -> Archive:
    """Write random games of any game, each to its end or to `most` plies; Spiral's with three deals."""
    game = load(name)
    assert game is not None
    chance = random.Random(name)
    path, plies, pieces = folder / f"{name.lower()}.moves", 0, 0
    with path.open("w", encoding="utf-8") as file:
        for _ in range(games):
            tags = dict(_deals(chance)) if name == "Spiral" else {}
            setup = game.setup(tags)
            position, tokens = game.start(setup), []
            while position.to_move is not None and not position.needs and len(tokens) < most:
                move = chance.choice(list(game.legal_moves(position)))
                position = game.play(position, move)
                assert not isinstance(position, Rejected)
                tokens.append(game.format(move, setup))
            plies += len(tokens)
            pieces += position.filled.bit_count() if name == "Spiral" else 0
            file.write(record(name, tags, tokens, position.result, game.plies_per_number == 2))
    return Archive(path, games, plies, pieces)


def _deals(chance: random.Random) -> Iterator[tuple[str, str]]:
    for number in (1, 2, 3):
        cards = list(CARDS)
        chance.shuffle(cards)
        columns = (" ".join(cards[at : at + 8]) for at in range(0, len(cards), 8))
        yield f"Deal{number}", " / ".join(columns)


def long_focus(folder: Path, plies: int) -> Archive:
    """Write a record of Focus in which two pieces go to and fro."""
    there, back = ["b3-a3", "c2-c1"], ["a3-b3", "c1-c2"]
    tokens = [(there, back)[k // 2 % 2][k % 2] for k in range(plies)]
    path = folder / f"focus-{plies}.moves"
    path.write_text(record("Focus", {}, tokens, "*", True), encoding="utf-8")
    return Archive(path, 1, plies)
