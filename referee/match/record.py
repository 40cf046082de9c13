"""The public side of a match: its record without the seed while it is on, its position as a player may know it."""

from __future__ import annotations

from typing import Any, Final

from referee.core.game import BadTag
from referee.core.record import GameRecord
from referee.core.source import Source
from referee.core.verdict import Rejected
from referee.games.spiral import deal_tag
from referee.games.spiral.cards import drawn
from referee.match.model import CHANCE, Match, ReplayError, not_on
from referee.notation import moves
from referee.notation.writer import format_text
from referee.turns import State, step

TERMINATIONS: Final = {"time": "time", "adjudication": "adjudication", "resign": "resignation"}
"""The `Termination` tag of a result that no ply made, by its reason."""


def public_tags(match: Match) -> dict[str, str]:
    """Return all tags of the record as anybody may see it now.

    While the game is on: GameId, Commit, Word1, Word2 and in Spiral the deals made so far, never Seed; at any end
    `Seed` takes the deals' place (mail.md, Chance).
    """
    tags = {"Game": match.game, **match.tags, "GameId": match.id}
    if match.game in CHANCE and match.status != "on" and match.seed is not None:
        tags["Seed"] = match.seed
    elif match.solo:
        chance = match.setup.chance
        if chance is not None:
            for number in range(1, match.position.deals + 1):
                name, value = deal_tag(number, drawn(chance, number))
                tags[name] = value
    if match.status == "cancelled":
        tags["Termination"] = "cancelled"
    elif match.status == "over" and match.position.to_move is not None:
        tags["Termination"] = TERMINATIONS.get(match.reason or "", "adjudication")
    tags["Result"] = match.result
    return tags


def record_text(match: Match) -> str:
    """Return the public record as canonical `.moves` text."""
    return format_text(public_tags(match), match.words, match.rules)


def record_of(match: Match) -> GameRecord:
    """Return the public record, as the judge and the diagrams read it."""
    return moves.read(Source(match.id, record_text(match)))


def public_state(match: Match) -> State:
    """Return the state as a player may know it: nothing can be learnt from it about what is still to be drawn.

    Equals the state after the public record.
    """
    state = match.state
    if match.seed is None or match.status != "on":
        return state
    setup = match.rules.setup(public_tags(match))
    if isinstance(setup, BadTag):
        raise ReplayError(f"{match.id}: the tag {setup.name}: {setup.message}")
    position = state.position.copy()
    position.setup = setup
    return state._replace(position=position)


def public_position(match: Match) -> Any:
    """Return the position of `public_state`."""
    return public_state(match).position


def preview(match: Match, word: str) -> State | Rejected:
    """Return the state that a ply of the player to move would give, as far as he can know; nothing is played.

    In Lightning a tile not yet drawn can be tried while its kind is in the pile.
    """
    refused = not_on(match)
    if refused is not None:
        return refused
    return step(match.rules, public_state(match), word)
