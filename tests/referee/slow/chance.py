"""The draws of mail.md's section Chance a second time, from its text and RFC 2104 alone, plainly.

Nothing of the referee is imported. HMAC is spelt out; the pile is a list from which pieces are taken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from math import floor

BLOCK = 64


def sha256(data: bytes) -> bytes:
    """The hash."""
    return hashlib.sha256(data).digest()


def hmac_sha256(key: bytes, text: bytes) -> bytes:
    """RFC 2104: H(K xor opad, H(K xor ipad, text))."""
    key = key if len(key) <= BLOCK else sha256(key)
    key = key + bytes(BLOCK - len(key))
    inner = bytes(k ^ 0x36 for k in key)
    outer = bytes(k ^ 0x5C for k in key)
    return sha256(outer + sha256(inner + text))


def committed(game_id: str, seed: bytes) -> str:
    """The commitment: hex SHA-256 of `commit`, the id and the seed's digits, a line each."""
    lines = ["commit", game_id, "".join(f"{byte:02x}" for byte in seed)]
    return "".join(
        f"{byte:02x}" for byte in sha256("".join(line + "\n" for line in lines).encode("utf-8"))
    )


def index(
    seed: bytes, game_id: str, n: int, left: int, words: tuple[str, str], *, digest=hmac_sha256
) -> int:
    """Draw n among `left` pieces: the first number below m · floor(2^256 / m), modulo m."""
    bound = left * floor(Fraction(2**256, left))
    k = 0
    while True:
        text = "\n".join(["draw", game_id, str(n), str(k), *words]) + "\n"
        number = 0
        for byte in digest(seed, text.encode("utf-8")):
            number = number * 256 + byte
        if number < bound:
            return number - left * (number // left)
        k += 1


def taken(
    pieces: list[str], first: int, seed: bytes, game_id: str, words: tuple[str, str]
) -> Iterator[str]:
    """Take all pieces one by one; the first of them is draw number `first`."""
    pile = list(pieces)
    n = first
    while pile:
        at = index(seed, game_id, n, len(pile), words)
        yield pile[at]
        pile = pile[:at] + pile[at + 1 :]
        n += 1


def tiles(seed: bytes, game_id: str, words: tuple[str, str]) -> list[str]:
    """All 150 tiles of a Lightning game in the order in which they are drawn."""
    pile = ["I"] * 30 + ["II"] * 30 + ["III"] * 30 + ["IV"] * 30 + ["V"] * 30
    return list(taken(pile, 1, seed, game_id, words))


def deal(number: int, seed: bytes, game_id: str, words: tuple[str, str]) -> str:
    """Deal `number` of a Spiral game as its tag's value."""
    deck = [
        rank + suit
        for suit in ("S", "H", "D", "C")
        for rank in ("7", "8", "9", "T", "J", "Q", "K", "A")
    ]
    cards = list(taken(deck, 32 * (number - 1) + 1, seed, game_id, words))
    return " / ".join(" ".join(cards[8 * column : 8 * column + 8]) for column in range(4))
