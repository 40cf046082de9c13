"""The draws a second time, from the paragraph on chance alone and as plainly as it reads.

Nothing of the product is imported. HMAC is spelled out (RFC 2104), so that not even
the library call is shared.
"""

from __future__ import annotations

from hashlib import sha256

KINDS = ("I", "II", "III", "IV", "V")
RANKS = "789TJQKA"
SUITS = "SHDC"


def commitment(game_id: str, seed: str) -> str:
    """The hex digits that are shown before any word is taken; `seed` is 64 hex digits."""
    return sha256(f"commit\n{game_id}\n{seed}\n".encode()).hexdigest()


def keyed(key: bytes, text: bytes) -> bytes:
    """HMAC-SHA-256 of a text with a key of 32 bytes."""
    block = key + bytes(32)
    inner = sha256(bytes(b ^ 0x36 for b in block) + text).digest()
    return sha256(bytes(b ^ 0x5C for b in block) + inner).digest()


class Draws:
    """The draws of one game, each asked for by its number and the count of pieces left."""

    def __init__(self, seed: str, game_id: str = "", first: str = "", second: str = "") -> None:
        self.key = bytes.fromhex(seed)
        self.game_id, self.first, self.second = game_id, first, second

    def number(self, n: int, k: int) -> int:
        text = f"draw\n{self.game_id}\n{n}\n{k}\n{self.first}\n{self.second}\n"
        return int.from_bytes(keyed(self.key, text.encode("utf-8")), "big")

    def index(self, n: int, m: int) -> int:
        """Which of m pieces draw n takes, from 0."""
        k = 0
        while self.number(n, k) >= m * (2**256 // m):
            k += 1
        return self.number(n, k) % m

    def tiles(self) -> list[str]:
        """All 150 kinds of Lightning's pile in the order in which they are drawn."""
        left = [kind for kind in KINDS for _ in range(30)]
        return [left.pop(self.index(n, len(left))) for n in range(1, 151)]

    def deal(self, number: int) -> list[list[str]]:
        """Spiral's deal 1, 2, …: four columns of eight cards, each from the top card down."""
        left = [rank + suit for suit in SUITS for rank in RANKS]
        start = 32 * (number - 1) + 1
        cards = [left.pop(self.index(n, len(left))) for n in range(start, start + 32)]
        return [cards[at : at + 8] for at in range(0, 32, 8)]
