"""Hex counted: sequences of legal plies, by the engine and by its slow twin; tests/data/hex/perft.toml."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.core.verdict import Rejected
from referee.games.hex import GAME
from referee.games.hex.rules import Position, Setup
from tests.referee.slow.hex import Slow

PERFT: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[2] / "data/hex/perft.toml").read_text(encoding="utf-8")
)


def perft(position: Position, depth: int) -> int:
    moves = list(GAME.legal_moves(position))
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = GAME.play(position, move)
        assert not isinstance(after, Rejected)
        total += perft(after, depth - 1)
    return total


def slow_perft(game: Slow, depth: int) -> int:
    if depth == 1:
        return len(game.legal())
    total = 0
    for token in game.legal():
        after = copy.copy(game)
        after.stones = dict(game.stones)
        after.play(token)
        total += slow_perft(after, depth - 1)
    return total


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    case = PERFT[name]
    tags = {"Size": case["size"], "Swap": case["swap"]}
    setup = GAME.setup(tags)
    assert isinstance(setup, Setup)
    assert case["why"]
    for depth, count in enumerate(case["counts"], 1):
        assert perft(GAME.start(setup), depth) == count
        if count < 20_000:
            assert slow_perft(Slow(tags), depth) == count
