"""One game of Lightning between two players, judged ply by ply by the rules of referee.games.lightning."""

from __future__ import annotations

import random
from typing import NamedTuple

from referee.core.verdict import Rejected
from referee.games.lightning.lines import CELLS, State
from referee.games.lightning.position import (
    Move,
    Place,
    Position,
    Setup,
    Special,
    pack,
    start,
    unpack,
)
from referee.games.lightning.rules import play
from referee.games.lightning.tiles import KINDS
from referee.study.lightning.players import Player

OPENING = 12
"""The first draws of each player, which tell what a tile is worth: chance alone gives them."""


class Played(NamedTuple):
    """What came of a game.

    result    "1-0", "0-1" or "1/2-1/2", and `reason` why
    plies     its length
    blocked   tiles after which a line was blocked
    diverted  tiles placed on the other player's line
    dead      lines that died
    opening   for each player how many of each kind were among his first OPENING draws
    """

    result: str
    reason: str
    plies: int
    blocked: int
    diverted: int
    dead: int
    opening: tuple[tuple[int, ...], tuple[int, ...]]


def begin(tiles: tuple[int, ...]) -> Position:
    """Return the start with so many tiles of each kind, I to V, each from 0 to 255."""
    position = start(Setup())
    position.pile = pack(tiles)
    return position


def play_game(
    players: tuple[Player, Player], tiles: tuple[int, ...], chance: random.Random
) -> Played:
    """Play a game to its end; with a pile it always has one, for each ply draws a tile, or takes one from the pool."""
    position = begin(tiles)
    opening = ([0] * len(KINDS), [0] * len(KINDS))
    blocked = diverted = dead = 0
    while (mine := position.to_move) is not None:
        player = players[mine]
        move: Move | None = player.source(position, chance)
        if move is None and not position.pile:
            move = Special.PASS
        elif move is None:
            kind = draw(position, chance)
            if sum(opening[mine]) < OPENING:
                opening[mine][kind] += 1
            move = player.place(position, kind, chance)
        after = play(position, move)
        if isinstance(after, Rejected):
            raise AssertionError(f"a player broke the rules: {after.message}")
        if isinstance(move, Place):
            section = CELLS[move.tile.cell].section
            state = after.lines[section].state
            diverted += section != mine
            blocked += state is State.BLOCKED
            dead += state is State.DEAD
        position = after
    assert position.reason is not None
    return Played(
        position.result,
        position.reason,
        position.plies,
        blocked,
        diverted,
        dead,
        (tuple(opening[0]), tuple(opening[1])),
    )


def draw(position: Position, chance: random.Random) -> int:
    """Return the kind of the next tile of the pile, which is not empty."""
    counts = unpack(position.pile)
    index = chance.randrange(sum(counts))
    for kind, count in enumerate(counts):
        if index < count:
            return kind
        index -= count
    raise AssertionError("the pile is empty")
