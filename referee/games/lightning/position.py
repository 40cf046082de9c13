"""A Lightning position, its moves as data, and what can be drawn in it.

A position is two lines (lines.py) and two counts of tiles. Counts of the five kinds are packed in one integer, eight
bits a kind, so that a ply changes one number.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from referee.core.chance import Chance
from referee.core.verdict import FIRST
from referee.games.lightning.lines import EMPTY, Line, Tile, placements
from referee.games.lightning.tiles import EACH, KINDS, TOTAL

ONE: Final = tuple(1 << 8 * kind for kind in range(len(KINDS)))
"""One tile of each kind, as packed counts."""


def pack(counts: tuple[int, ...]) -> int:
    """Return five counts, I to V, as one integer."""
    return sum(count * one for count, one in zip(counts, ONE, strict=True))


def unpack(packed: int) -> tuple[int, ...]:
    """Return the five counts, I to V."""
    return tuple(packed.to_bytes(len(KINDS), "little"))


_FULL = pack((EACH,) * len(KINDS))


class Setup(NamedTuple):
    """A Lightning game's options: where the draws come from, None where the record has no `Seed`."""

    chance: Chance | None = None


class Place(NamedTuple):
    """A tile of a kind (0 to 4) put on the board, drawn or from the pool."""

    kind: int
    tile: Tile
    from_pool: bool


class ToPool(NamedTuple):
    """A drawn tile of a kind left face up in the pool."""

    kind: int


class Drawn(NamedTuple):
    """`III@?`: a tile of a kind drawn and not yet placed; no ply."""

    kind: int


class Special(Enum):
    """The move that touches no tile."""

    PASS = "pass"


class OffBoard(NamedTuple):
    """A placement on a cell's form that names no cell of the board."""

    cell: str


Move = Place | ToPool | Drawn | Special | OffBoard


class Position:
    """A Lightning position; immutable by custom.

    lines    the first player's line in section 1, the second's in section 2
    pool     packed counts of the tiles face up in the pool
    pile     packed counts of the tiles still face down
    pending  the kind of a tile drawn and not yet placed, else None
    passed   whether the last ply was a pass
    last     the last ply's move, None before ply 1
    """

    __slots__ = (
        "last",
        "lines",
        "passed",
        "pending",
        "pile",
        "plies",
        "pool",
        "reason",
        "result",
        "setup",
        "to_move",
    )
    setup: Setup
    plies: int
    to_move: int | None
    result: str
    reason: str | None
    lines: tuple[Line, Line]
    pool: int
    pile: int
    pending: int | None
    passed: bool
    last: Move | None

    @property
    def needs(self) -> str | None:
        """`placement` while a drawn tile waits for its place."""
        return "placement" if self.pending is not None and self.to_move is not None else None

    def copy(self) -> Position:
        """Return a new position with the same contents."""
        new = Position.__new__(Position)
        for name in Position.__slots__:
            setattr(new, name, getattr(self, name))
        return new


def start(setup: Setup) -> Position:
    """Return two empty lines, an empty pool and the full pile."""
    new = Position.__new__(Position)
    new.setup = setup
    new.plies = 0
    new.to_move = FIRST
    new.result, new.reason = "*", None
    new.lines = (EMPTY, EMPTY)
    new.pool, new.pile = 0, _FULL
    new.pending, new.passed, new.last = None, False, None
    return new


# -- what can be drawn ---------------------------------------------------------------------------------------------


def next_kind(position: Position, chance: Chance | None = None) -> int | None:
    """Return the kind that the next draw gives by a seed: `chance`, else the record's own.

    A tile drawn and not yet placed is that tile. None without a seed, with an empty pile, or after the end.
    """
    chance = chance or position.setup.chance
    if position.to_move is None:
        return None
    if position.pending is not None:
        return position.pending
    if chance is None or not position.pile:
        return None
    counts = unpack(position.pile)
    left = sum(counts)
    index = chance.draw(TOTAL - left + 1, left)
    kind = 0
    while index >= counts[kind]:
        index -= counts[kind]
        kind += 1
    return kind


def drawable_kinds(position: Position) -> tuple[int, ...]:
    """Return the kinds that a draw can bring here; only the seed's where there is one (lightning-draw)."""
    if position.to_move is None or position.pending is not None:
        return ()
    if position.setup.chance is not None:
        kind = next_kind(position)
        return () if kind is None else (kind,)
    return tuple(kind for kind, count in enumerate(unpack(position.pile)) if count)


def placings(position: Position, kind: int, from_pool: bool) -> Iterator[Place]:
    """Yield each place on either line (lightning-either) for a tile that is known to be at hand."""
    for section, line in enumerate(position.lines):
        for tile in placements(line, section, kind):
            yield Place(kind, tile, from_pool)
