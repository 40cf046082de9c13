"""The club's draws: no piece is likelier than another (mail.md, Chance; M110); test_draws.py compares the draws."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable

import pytest

from referee.core import chance
from referee.core.chance import Chance
from referee.games.spiral.cards import drawn

# -- numbers that are passed over ----------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [3, 7, 30, 149, 150])
@pytest.mark.parametrize("above", [0, 1])
def test_numbers_from_the_bound_on_are_passed_over(
    left: int, above: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last numbers below 2^256 would make the first pieces likelier; they never come by chance, so force them."""
    bound = left * (2**256 // left)
    numbers = [min(bound + above, 2**256 - 1), 2**256 - 1, bound - 1]
    asked: list[bytes] = []

    def fake(_seed: bytes, text: bytes, _name: str = "") -> bytes:
        asked.append(text)
        return numbers[len(asked) - 1].to_bytes(32, "big")

    monkeypatch.setattr(chance.hmac, "digest", fake)
    assert Chance(bytes(32), "g", "a", "b").draw(5, left) == left - 1
    assert asked == [f"draw\ng\n5\n{k}\na\nb\n".encode() for k in range(3)]


def test_nothing_can_be_drawn_from_nothing() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Chance(bytes(32)).draw(1, 0)


# -- bias ----------------------------------------------------------------------------------------------------------

Draw = Callable[[bytes, int, int], int]
"""(seed, n, left) → index."""

SAMPLES = 20_000


def _ours(seed: bytes, n: int, left: int) -> int:
    return Chance(seed, "lightning-1", "a", "b").draw(n, left)


def _one_byte(seed: bytes, n: int, left: int) -> int:
    """Modulo without passing over, from one byte: the first pieces are likelier."""
    return hashlib.sha256(seed + bytes([n])).digest()[0] % left


def _leaning(seed: bytes, n: int, left: int) -> int:
    """Fair, but for one draw in 25, which gives the first piece."""
    return 0 if hashlib.sha256(seed + b"?").digest()[0] < 10 else _ours(seed, n, left)


def _clinging(seed: bytes, n: int, left: int) -> int:
    """Fair one by one, but each draw repeats the one before it one time in 16."""
    again = n > 1 and hashlib.sha256(seed + bytes([n])).digest()[0] < 16
    return _ours(seed, n - 1, left) if again else _ours(seed, n, left)


def _chi(counts: Counter[int], cells: int) -> float:
    """Chi-square against equal shares, as a number of standard deviations (Wilson and Hilferty)."""
    expected = sum(counts.values()) / cells
    chi = sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))
    free = cells - 1
    cube = (chi / free) ** (1 / 3)
    return (cube - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5


def _single(draw: Draw, left: int, n: int) -> float:
    """How far single draws stand from equal shares."""
    rng = random.Random(1)
    return _chi(Counter(draw(rng.randbytes(32), n, left) for _ in range(SAMPLES)), left)


def _pairs(draw: Draw, left: int) -> float:
    """How far a draw and the next one, as a pair, stand from equal shares of all pairs."""
    rng = random.Random(2)
    counts: Counter[int] = Counter()
    for _ in range(SAMPLES):
        seed = rng.randbytes(32)
        counts[draw(seed, 1, left) * left + draw(seed, 2, left)] += 1
    return _chi(counts, left * left)


LIMIT = 4.0
"""Standard deviations: a fair draw passes it in one of 30,000 tries."""


@pytest.mark.parametrize(
    ("left", "n"), [(150, 1), (149, 2), (31, 120), (7, 144), (2, 149), (32, 1)]
)
def test_no_index_is_likelier_than_another(left: int, n: int) -> None:
    assert abs(_single(_ours, left, n)) < LIMIT


def test_draws_of_one_game_do_not_lean_on_each_other() -> None:
    assert abs(_pairs(_ours, 12)) < LIMIT


@pytest.mark.parametrize("biased", [_one_byte, _leaning])
def test_the_test_of_bias_finds_a_bias(biased: Draw) -> None:
    assert _single(biased, 150, 1) > 2 * LIMIT


def test_the_test_of_pairs_finds_draws_that_lean_on_each_other() -> None:
    assert abs(_single(_clinging, 12, 2)) < LIMIT
    assert _pairs(_clinging, 12) > 2 * LIMIT


def test_every_card_may_lie_in_every_place() -> None:
    """The first card of each column, over many games: all 32 cards equally often."""
    rng = random.Random(3)
    tops: list[Counter[int]] = [Counter() for _ in range(4)]
    for _ in range(4_000):
        columns = drawn(Chance(rng.randbytes(32), "spiral-1", "w", ""), 1)
        for column, counter in zip(columns, tops, strict=True):
            counter[column[0]] += 1
    assert all(abs(_chi(counter, 32)) < LIMIT for counter in tops)


def test_a_word_changes_every_draw() -> None:
    """Whoever gives the last word decides the order, without knowing how: half a bit's change changes all."""
    seed = bytes(32)
    same = sum(
        Chance(seed, "g", "a", "b").draw(n, 150) == Chance(seed, "g", "a", "c").draw(n, 150)
        for n in range(1, 3001)
    )
    assert 2 <= same <= 50  # 20 are expected
