"""Random games in which each engine and its slow twin must agree ply by ply: legal moves, ends, positions."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from referee.core.verdict import PLAYERS, Rejected
from referee.games import load
from referee.turns import State, step
from tests.referee.slow import focus, lightning, spiral
from tests.referee.slow import hex as hexes

PLIES = 600
LONG_PLIES = 50_000

HEX = [{"Size": str(n), "Swap": s} for n in (2, 3, 5, 7) for s in ("sides", "pieces", "none")] + [
    {"Size": "11"}
]
FOCUS = [{}, {"Drops": "own"}, {"Setup": "drop"}, {"Setup": "drop", "Drops": "own"}]
SPIRAL = [{}, {"SameColumn": "yes"}, {"Cycle": "yes"}, {"SameColumn": "yes", "Cycle": "yes"}]
CARDS = [r + s for s in "SHDC" for r in "789TJQKA"]


def _agree(game, state: State, slow) -> set[str]:
    """Hold one position of both sides against each other; return the legal tokens."""
    position = state.position
    legal = [game.format(m, position.setup) for m in game.legal_moves(position)]
    assert len(legal) == len(set(legal)), "a legal move is listed twice"
    assert game.position_text(position) == slow.text()
    assert (None if position.to_move is None else PLAYERS[position.to_move]) == slow.to_move
    assert ((position.result, position.reason) if position.to_move is None else None) == slow.over
    return set(legal)


def _play(game, state: State, token: str) -> State:
    after = step(game, state, token)
    assert not isinstance(after, Rejected), (token, after)
    return after


def _open_game(
    slug: str, slow_class, options: list[dict[str, str]], rng: random.Random, eager: str
) -> int:
    """One game of an open game (no hidden cards) to its end or 300 plies; `eager` begins tokens played more often."""
    tags = rng.choice(options)
    game = load(slug)
    assert game is not None
    setup = game.setup({"Game": slug, **tags})
    state, slow = State(game.start(setup)), slow_class(tags)
    plies = 0
    while True:
        legal = _agree(game, state, slow)
        assert legal == slow.legal()
        if not legal or plies == 300:
            return plies
        moves = sorted(legal)
        liked = [m for m in moves if eager and "@pool" not in m] or moves
        token = rng.choice(liked if rng.random() < 0.85 else moves)
        state = _play(game, state, token)
        slow.play(token)
        if slug == "Focus":
            claimed = step(game, state, "claim")
            assert (not isinstance(claimed, Rejected)) == slow.may_claim()
        plies += 1


def _hex(rng: random.Random) -> int:
    return _open_game("Hex", hexes.Slow, HEX, rng, "")


def _focus(rng: random.Random) -> int:
    return _open_game("Focus", focus.Slow, FOCUS, rng, "")


def _lightning(rng: random.Random) -> int:
    return _open_game("Lightning", lightning.Slow, [{}], rng, "place")


def _spiral(rng: random.Random) -> int:
    tags = rng.choice(SPIRAL)
    deals = []
    for _ in range(1 if tags.get("Cycle") else rng.choice((1, 2, 5))):
        cards = CARDS[:]
        rng.shuffle(cards)
        deals.append([cards[8 * c : 8 * c + 8] for c in range(4)])
    written = {f"Deal{i}": " / ".join(" ".join(c) for c in d) for i, d in enumerate(deals, 1)}
    game = load("Spiral")
    assert game is not None
    setup = game.setup({"Game": "Spiral", **tags, **written})
    state, slow = State(game.start(setup)), spiral.Slow(tags, deals)
    turns = 0
    while True:
        legal = _agree(game, state, slow)
        assert state.position.needs == (None if slow.over else slow.needs)
        pairs = {frozenset(token.split("+")): token for token in legal}
        assert set(pairs) == slow.legal()
        if not pairs:
            return turns
        token = pairs[rng.choice(sorted(pairs, key=sorted))]
        one, two = token.split("+")
        if rng.random() < 0.5:
            token = f"{two}+{one}"
        state = _play(game, state, token)
        slow.play(one, two)
        turns += 1


PLAYERS_OF = {"Hex": _hex, "Focus": _focus, "Lightning": _lightning, "Spiral": _spiral}


def _run(play: Callable[[random.Random], int], plies: int) -> None:
    done = seed = 0
    while done < plies:
        done += play(random.Random(seed))
        seed += 1
    assert seed > 1


@pytest.mark.parametrize("name", sorted(PLAYERS_OF))
def test_engine_and_slow_twin_agree(name: str) -> None:
    _run(PLAYERS_OF[name], PLIES)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(PLAYERS_OF))
def test_engine_and_slow_twin_agree_for_long(name: str) -> None:
    _run(PLAYERS_OF[name], LONG_PLIES)
