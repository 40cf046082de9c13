"""Draws as a pure function of the seed, the game's id, the players' words and the draw's number (mail.md, Chance).

Anybody can compute the same draws from a record's `Seed`, `GameId`, `Word1` and `Word2`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import NamedTuple

SEED_FORM = re.compile(r"[0-9a-fA-F]{64}")


class Chance(NamedTuple):
    """Where a game's draws come from: 32 seed bytes, the game's id, and the first and second player's words."""

    seed: bytes
    game_id: str = ""
    word1: str = ""
    word2: str = ""

    def draw(self, number: int, left: int) -> int:
        """Return the index, 0 to `left` − 1, of draw `number` (from 1) among `left` pieces.

        Big-endian HMAC-SHA-256 values that are not below the largest multiple of `left` are passed over, so that
        no index is likelier than another. Raises ValueError for no pieces.
        """
        if left < 1:
            raise ValueError("a draw needs at least one piece")
        limit = (1 << 256) - (1 << 256) % left
        k = 0
        while True:
            text = f"draw\n{self.game_id}\n{number}\n{k}\n{self.word1}\n{self.word2}\n"
            value = int.from_bytes(hmac.digest(self.seed, text.encode(), "sha256"), "big")
            if value < limit:
                return value % left
            k += 1


def commitment(game_id: str, seed: bytes) -> str:
    """Return the hex SHA-256 that binds the club to a seed before the last word is known."""
    return hashlib.sha256(f"commit\n{game_id}\n{seed.hex()}\n".encode()).hexdigest()


def parse_seed(text: str) -> bytes | None:
    """Return the 32 bytes of a `Seed` tag, None where it is not 64 hex digits."""
    return bytes.fromhex(text) if SEED_FORM.fullmatch(text) else None
