"""What a board is worth when cards are to be dealt: the player's chance to win, learnt from games (learn.py).

The chance is reckoned from a few counts of `needs` alone: how many pieces the player can spare beyond those that his
forks need, how many ways there are, how near Dr. Brooks' bridges are. Each count has a weight in each of three parts
of the game; the weights lie in templates/study/spiral.json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from pnp.resources import find
from referee.study.spiral.deal import Board
from referee.study.spiral.needs import Needs, needs
from referee.study.spiral.table import OWN_MOST, Table

LOST: Final = -1000.0
"""The score of a board that cannot be won any more."""
FILE: Final = ("study", "spiral.json")
"""Where the weights lie, in templates/."""

Feature = str
"""A count by its name, the part of the game and its size: `spare 1 3`."""
Weights = Mapping[Feature, float]


def features(placed: int, due: bool, need: Needs) -> tuple[Feature, ...]:
    """Return what the chance is reckoned from: `placed` pieces of the player, whether Dr. Brooks places first.

    The parts of a game go to the sixth piece, the ninth and the end.
    """
    part = 0 if placed <= 6 else 1 if placed <= 9 else 2
    left = OWN_MOST - placed
    near, far, last = need.bridges
    return (
        f"turn {placed} {'due' if due else 'own'}",
        f"spare {part} {min(left - need.forks[0], 3)}",
        f"other {part} {max(-2, min(left - need.forks[1], 3))}",
        f"hubs {part} {min(need.hubs, 6)}",
        f"more {part} {min(need.more, 11) // 2}",
        f"bridge {part} {min(near, 6)}",
        f"second {part} {min(far, 6)}",
        f"third {part} {min(last, 6)}",
        f"own {part} {min(need.own_bridge, 5)}",
    )


def order(placed: int, need: Needs) -> float:
    """Return how good a board looks by the needs alone: a rule of thumb, nothing learnt."""
    left = OWN_MOST - placed
    spare = left - need.forks[0]
    if spare < 0:
        return LOST + spare
    near, far, last = need.bridges
    return (
        3.0 * spare
        + max(left - need.forks[1], -4)
        + 0.1 * min(need.hubs, 6)
        + 0.05 * min(need.more, 10)
        + min(near, 5)
        + 0.4 * min(far, 5)
        + 0.2 * min(last, 5)
    )


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Return the weights that were learnt."""
    learnt: dict[str, float] = json.loads(find(*FILE).read_text(encoding="utf-8"))["weights"]
    return learnt


def score(placed: int, due: bool, need: Needs, learnt: Weights) -> float:
    """Return the logarithm of the odds that the player wins from a board with which new cards are dealt."""
    if need.forks[0] > OWN_MOST - placed:
        return LOST
    return sum(learnt.get(feature, 0.0) for feature in features(placed, due, need))


def chance(value: float) -> float:
    """Return the chance of a score."""
    return 0.0 if value <= LOST else 1.0 / (1.0 + math.exp(-value))


def thumb(table: Table, boards: Sequence[Board]) -> list[float]:
    """Return how good boards look by the needs alone."""
    return [
        order(board[0].bit_count(), need)
        for board, need in zip(boards, needs(table, boards), strict=True)
    ]


def chances(table: Table, boards: Sequence[Board]) -> list[float]:
    """Return the player's chance on each board with which new cards are dealt."""
    return [
        _chance(board[0].bit_count(), board[3], need)
        for board, need in zip(boards, needs(table, boards), strict=True)
    ]


@lru_cache(maxsize=1 << 17)
def _chance(placed: int, due: bool, need: Needs) -> float:
    """Return the chance with what was learnt; the same needs come again and again."""
    return chance(score(placed, due, need, weights()))
