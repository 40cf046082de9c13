"""Learning what a board is worth between deals, from the end of the game backwards.

Of a board after the second deal or later it is found out exactly, for each of a few deals, whether the player can
force a fork; the share of the deals is what the board is worth. A board after the first deal is worth, in each of a
few second deals, what the best board is worth that they can lead to. Weights are fitted to both (value.py).

`python -m referee.study.spiral.learn FILE` learns again and writes the weights; the same on every machine.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from referee.study.spiral.deal import Board, Rules, State, brooks, shuffled
from referee.study.spiral.layouts import layouts
from referee.study.spiral.needs import needs
from referee.study.spiral.search import Found, explore
from referee.study.spiral.table import table
from referee.study.spiral.value import Feature, Weights, chance, features, score, thumb

SEED: Final = 1
LATE, LATE_DEALS = 4000, 8
"""Boards after the second deal that are looked at, and in how many deals each."""
EARLY, EARLY_DEALS = 400, 4
SAMPLE: Final = 300
"""Boards among which the best one is sought."""
CARE: Final = (1, 3, 10, 30, 100)
"""A board to learn from is the best by rule of thumb of so many: good ones and bad ones are wanted."""
STEPS, PACE, SHRINK = 400, 4.0, 1.0

Sample = tuple[tuple[Feature, ...], float]
"""A board's features and what it is worth, 0 to 1."""


def learn(rules: Rules, late: int = LATE, early: int = EARLY, seed: int = SEED) -> Weights:
    """Return weights learnt from at least so many boards."""
    rng = Random(seed)
    samples: list[Sample] = []
    while len(samples) < late:
        for board in _reached(rules, rng, 2):
            worth = sum(wins(rules, board, rng) for _ in range(LATE_DEALS)) / LATE_DEALS
            samples.append((_features(rules, board), worth))
    learnt = fit(samples)
    rng = Random(seed + 1)
    while len(samples) < late + early:
        for board in _reached(rules, rng, 1):
            worths = [_worth(rules, board, rng, learnt) for _ in range(EARLY_DEALS)]
            samples.append((_features(rules, board), sum(worths) / EARLY_DEALS))
    return fit(samples)


def _worth(rules: Rules, board: Board, rng: Random, learnt: Weights) -> float:
    """Return what a board is worth in a fresh deal: what the best board is that it can lead to."""
    found = dealt(rules, board, rng)
    if found is None:
        return 0.0
    return 1.0 if found.win else best(rules, list(found.leaves), rng, learnt)


def _features(rules: Rules, board: Board) -> tuple[Feature, ...]:
    return features(board[0].bit_count(), board[3], needs(rules.table, [board])[0])


def wins(rules: Rules, board: Board, rng: Random) -> bool:
    """Return whether the player can force a fork in a fresh deal, or in the deals after it if it comes to that."""
    found = dealt(rules, board, rng)
    if found is None or found.win or not found.leaves:
        return found is not None and found.win is not None
    return wins(rules, _likeliest(rules, list(found.leaves)), rng)


def dealt(rules: Rules, board: Board, rng: Random) -> Found | None:
    """Return all that can come of a fresh deal; None where Dr. Brooks wins before the player can choose."""
    deck = shuffled(rng)
    state = State(*board)
    if state.due:
        after = brooks(rules, deck, state)
        if after.end:
            return None
        state = after.state
    return explore(rules, deck, state)


def best(rules: Rules, boards: list[Board], rng: Random, learnt: Weights) -> float:
    """Return the chance on the best of some boards, 0 for none."""
    if len(boards) > SAMPLE:
        boards = rng.sample(boards, SAMPLE)
    scores = [
        score(board[0].bit_count(), board[3], need, learnt)
        for board, need in zip(boards, needs(rules.table, boards), strict=True)
    ]
    return chance(max(scores)) if scores else 0.0


def _reached(rules: Rules, rng: Random, deals: int) -> list[Board]:
    """Return boards with which deal `deals` + 1 begins, one for each care of play in the last deal before it."""
    board: Board = (0, 0, 0, False)
    for deal in range(1, deals + 1):
        found = dealt(rules, board, rng)
        if found is None or not found.leaves:
            return []
        boards = list(found.leaves)
        if deal == deals:
            return [_careful(rules, boards, rng, care) for care in CARE]
        board = _careful(rules, boards, rng, rng.choice(CARE))
    return []


def _careful(rules: Rules, boards: list[Board], rng: Random, care: int) -> Board:
    """Return the best of so many boards by rule of thumb."""
    return _likeliest(rules, rng.sample(boards, min(len(boards), care)))


def _likeliest(rules: Rules, boards: list[Board]) -> Board:
    rates = thumb(rules.table, boards)
    return boards[max(range(len(boards)), key=lambda at: rates[at])]


def fit(samples: Sequence[Sample]) -> dict[Feature, float]:
    """Return the weights of a logistic regression, by so many steps downhill, a little drawn towards 0."""
    names = sorted({name for row, _ in samples for name in row})
    index = {name: at for at, name in enumerate(names)}
    rows = [([index[name] for name in row], worth) for row, worth in samples]
    times = [1.0] * len(names)
    for row, _ in rows:
        for at in row:
            times[at] += 1.0
    found = [0.0] * len(names)
    for _ in range(STEPS):
        slopes = [-SHRINK * weight for weight in found]
        for row, worth in rows:
            miss = worth - 1.0 / (1.0 + math.exp(-sum(found[at] for at in row)))
            for at in row:
                slopes[at] += miss
        for at, slope in enumerate(slopes):
            found[at] += PACE * slope / (times[at] * len(rows[0][0]))
    return {name: round(weight, 3) for name, weight in zip(names, found, strict=True)}


def main() -> None:
    """Learn on the standard layout and write the weights to the file named."""
    if len(sys.argv) != 2:
        sys.exit("Name the file for the weights: python -m referee.study.spiral.learn FILE")
    learnt = learn(Rules(table(layouts()[0])))
    text = {"about": f"referee.study.spiral.learn, seed {SEED}", "weights": learnt}
    try:
        Path(sys.argv[1]).write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        sys.exit(f"{sys.argv[1]} cannot be written: {error.strerror}")


if __name__ == "__main__":
    main()
