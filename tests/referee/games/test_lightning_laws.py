"""Laws of Lightning on random games, and the counts of legal games, each against the slow twin as well."""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.game import BadTag
from referee.core.verdict import Rejected
from referee.games.lightning import GAME, Position, next_tile
from tests.referee.slow.lightning import Slow

KINDS = ("I", "II", "III", "IV", "V")
POINTS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
LABELS = [f"{letter}{row}" for letter in "abcdefghijklmnop" for row in range(1, 18)]
PERFT: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[2] / "data" / "lightning" / "perft.toml").read_text(encoding="utf-8")
)
FAST_NODES = 60_000
SLOW_NODES = 3_100


def begin(tags: dict[str, str]) -> Position:
    setup = GAME.setup(tags)
    assert not isinstance(setup, BadTag)
    return GAME.start(setup)


def legal(position: Position) -> list[str]:
    return [GAME.format(move, position.setup) for move in GAME.legal_moves(position)]


def played(position: Position, token: str) -> Position:
    move = GAME.parse(token, position.setup)
    assert not isinstance(move, Rejected)
    told = GAME.play(position, move)
    assert isinstance(told, Position), (token, told)
    return told


def walk(seed: int, tags: dict[str, str], waste: float) -> Iterator[tuple[Position, str]]:
    """Positions of a random game and the tokens that led to them; `waste` is how often a tile goes to the pool."""
    rng = random.Random(seed)
    position = begin(tags)
    while position.to_move is not None:
        tokens = legal(position)
        placing = [t for t in tokens if not t.endswith("@pool")]
        token = rng.choice(placing if placing and rng.random() > waste else tokens)
        if "@" in token and not token.startswith("pool:") and rng.random() < 0.2:
            drawn = f"{token.partition('@')[0]}@?"
            position = played(position, drawn)
            yield position, drawn
            if rng.random() < 0.5:
                token = rng.choice(legal(position))
        position = played(position, token)
        yield position, token


# -- counts --------------------------------------------------------------------------------------------------------


def perft(position: Position, depth: int) -> int:
    moves = GAME.legal_moves(position)
    if depth == 1:
        return sum(1 for _ in moves)
    total = 0
    for move in moves:
        told = GAME.play(position, move)
        assert isinstance(told, Position)
        total += perft(told, depth - 1)
    return total


def slow_perft(slow: Slow, order: list[str] | None, depth: int) -> int:
    """The count of the slow twin; with `order`, drawn tiles are those of the seed."""
    tokens = slow.legal()
    if order is not None:
        due = order[150 - sum(slow.pile.values())]
        tokens = {t for t in tokens if t.startswith("pool:") or t.partition("@")[0] == due}
    if depth == 1:
        return len(tokens)
    total = 0
    for token in tokens:
        child = copy.deepcopy(slow)
        child.play(token)
        total += slow_perft(child, order, depth - 1)
    return total


def depths(limit: int, least: int = 0) -> list[tuple[str, int, int]]:
    return [
        (name, depth, count)
        for name, entry in PERFT.items()
        for depth, count in enumerate(entry["counts"], 1)
        if least < count <= limit
    ]


def check_fast(name: str, depth: int, count: int) -> None:
    entry = PERFT[name]
    position = begin(entry.get("tags", {}))
    for token in entry["moves"].split():
        position = played(position, token)
    assert perft(position, depth) == count


def check_slow(name: str, depth: int, count: int) -> None:
    entry = PERFT[name]
    slow = Slow({})
    for token in entry["moves"].split():
        slow.play(token)
    assert slow_perft(slow, entry.get("order"), depth) == count


@pytest.mark.parametrize(("name", "depth", "count"), depths(FAST_NODES))
def test_perft(name: str, depth: int, count: int) -> None:
    check_fast(name, depth, count)


@pytest.mark.parametrize(("name", "depth", "count"), depths(SLOW_NODES))
def test_perft_counted_a_second_way(name: str, depth: int, count: int) -> None:
    check_slow(name, depth, count)


@pytest.mark.long
@pytest.mark.parametrize(("name", "depth", "count"), depths(10**9, FAST_NODES))
def test_perft_deep(name: str, depth: int, count: int) -> None:
    check_fast(name, depth, count)


@pytest.mark.long
@pytest.mark.parametrize(("name", "depth", "count"), depths(10**9, SLOW_NODES))
def test_perft_deep_counted_a_second_way(name: str, depth: int, count: int) -> None:
    check_slow(name, depth, count)


def test_first_plies_by_hand() -> None:
    """Row 1: s takes I, III and IV; sw and se take II, III, IV and two of V each; 5 kinds may go to the pool."""
    assert PERFT["start"]["counts"][0] == 16 * (3 + 2 * 5) + 5


# -- laws ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def all_tokens() -> list[str]:
    """Every token of the form kind@cell:point-point, the pool's forms, and the pass."""
    places = [f"{c}:{a}-{b}" for c in LABELS for a in POINTS for b in POINTS]
    drawn = [f"{kind}@{place}" for kind in KINDS for place in places]
    return [*drawn, *(f"pool:{t}" for t in drawn), *(f"{kind}@pool" for kind in KINDS), "pass"]


@pytest.mark.parametrize("seed", range(3))
def test_legal_moves_are_what_play_accepts(all_tokens: list[str], seed: int) -> None:
    """Every legal token, every token on a sample of cells, and a sample of all others."""
    rng = random.Random(seed)
    places = [position for position, _ in walk(seed, {}, 0.3) if position.to_move is not None]
    for position in rng.sample(places, 3):
        tokens = legal(position)
        assert len(tokens) == len(set(tokens))
        near = {t.partition("@")[2].partition(":")[0] for t in tokens} - {"pool"}
        few = set(rng.sample(sorted(near), min(3, len(near))))
        tried = [t for t in all_tokens if t.partition("@")[2].partition(":")[0] in few]
        tried += rng.sample(all_tokens, 1000) + tokens + all_tokens[-6:]
        accepted = {t for t in tried if accepts(position, t)}
        assert accepted == {t for t in tried if t in set(tokens)}


def accepts(position: Position, token: str) -> bool:
    move = GAME.parse(token, position.setup)
    assert not isinstance(move, Rejected), token
    return isinstance(GAME.play(position, move), Position)


@pytest.mark.long
def test_legal_moves_are_what_play_accepts_of_all_tokens(all_tokens: list[str]) -> None:
    for position, _ in list(walk(5, {}, 0.3))[10::30]:
        assert {t for t in all_tokens if accepts(position, t)} == set(legal(position))


@settings(max_examples=20)
@given(seed=st.integers(0, 10**9), waste=st.sampled_from([0.05, 0.3, 0.95]))
def test_laws_of_random_games(seed: int, waste: float) -> None:
    tags = {"Seed": f"{seed:064x}", "GameId": str(seed)} if seed % 2 else {}
    plies = 0
    position = begin(tags)
    for position, token in walk(seed, tags, waste):
        plies += not token.endswith("@?")
        assert position.plies == plies
        if position.to_move is not None:
            assert position.to_move == plies % 2
            assert legal(position), "there is always something to play"
        text = GAME.position_text(position)
        conserved(text)
        if plies % 8 == 0 or position.to_move is None:
            again = GAME.parse_position(text)
            assert isinstance(again, Position)
            assert GAME.position_text(again) == text
    assert position.reason in ("complete", "both-dead", "exhausted")
    assert legal(position) == []
    won = {"1-0": 0, "0-1": 1, "1/2-1/2": None}[position.result]
    assert (won is None) == (position.reason != "complete")
    if won is not None:
        proof = GAME.proof(position)
        assert proof[0][1:] == "1"
        assert proof[-1][1:] == "17"
        assert len(set(proof)) == len(proof)
        assert all((cell[0] > "h") == bool(won) for cell in proof)


def conserved(text: str) -> None:
    """Every tile is on the board, in the pool, in the pile or in hand: 30 of each kind (lightning-tiles)."""
    parts = text.split("|")
    placed = [t.partition(":")[2] for part in parts[:2] if part for t in part.split(",")]
    on_board = [kind_of(ends) for ends in placed] + parts[5:]
    pool, pile = ([int(n) for n in part.split(",")] for part in parts[2:4])
    for kind, left, face_up in zip(KINDS, pile, pool, strict=True):
        assert left + face_up + on_board.count(kind) == 30


MARKS = {
    "I": ("s-n", "w-e"),
    "II": ("sw-ne", "se-nw"),
    "III": ("sw-n", "nw-e", "ne-s", "se-w"),
    "IV": ("sw-e", "se-n", "ne-w", "nw-s"),
    "V": ("sw-se", "se-ne", "ne-nw", "nw-sw"),
}


def kind_of(ends: str) -> str:
    back = "-".join(reversed(ends.split("-")))
    (kind,) = (kind for kind, marks in MARKS.items() if ends in marks or back in marks)
    return kind


@given(seed=st.integers(0, 10**9))
def test_a_game_by_its_seed_never_leaves_the_order(seed: int) -> None:
    tags = {"Seed": f"{seed:064x}"}
    position = begin(tags)
    rng = random.Random(seed)
    for _ in range(12):
        due = next_tile(position)
        drawn = {t.partition("@")[0] for t in legal(position) if not t.startswith("pool:")}
        assert drawn == {due}
        position = played(position, rng.choice(legal(position)))
        if position.to_move is None:
            break
