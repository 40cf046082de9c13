"""One word's effect on the state of a game: moves, resigning, draw offers. Files and mails both go through it."""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.core.game import Game
from referee.core.verdict import FIRST, SECOND, Rejected

AnyGame = Game[Any, Any, Any]

RESULT_OF_LOSS = {FIRST: "0-1", SECOND: "1-0"}


class State(NamedTuple):
    """A game under way: its position, and the draw offer that stands.

    `offer` is the player whose offer waits for the opponent's next ply; `fresh` is true directly after a ply, when
    that ply's player may offer.
    """

    position: Any
    offer: int | None = None
    fresh: bool = False


def step(game: AnyGame, state: State, word: str) -> State | Rejected:
    """Return the state after one word of movetext (a move, `resign`, `draw?`, `draw!`), or why it cannot stand."""
    position = state.position
    low = word.lower()
    if low in _COMMON and not (low == "claim" and game.takes_claims):
        return _COMMON[low](game, state)
    move = game.parse(word, position.setup)
    if isinstance(move, Rejected):
        return move
    after = game.play(position, move)
    if isinstance(after, Rejected):
        return after
    if after.plies == position.plies:
        return State(after, state.offer, False)
    return State(after, None, True)


def _over() -> Rejected:
    return Rejected("game-over", "all-over", "the game is over; nothing is legal after its end")


def _resign(game: AnyGame, state: State) -> State | Rejected:
    mover = state.position.to_move
    if mover is None:
        return _over()
    return State(game.close(state.position, RESULT_OF_LOSS[mover], "resign"), None, True)


def _offer(game: AnyGame, state: State) -> State | Rejected:
    position = state.position
    if position.to_move is None:
        return _over()
    refused = game.may_offer(position)
    if refused is not None:
        return refused
    if not state.fresh or position.plies == 0:
        return Rejected(
            "draw",
            game.draw_rule,
            "draw? stands once, directly after the ply of the player who offers",
        )
    return State(position, 1 - position.to_move, False)


def _accept(game: AnyGame, state: State) -> State | Rejected:
    position = state.position
    if position.to_move is None:
        return _over()
    refused = game.may_offer(position)
    if refused is not None:
        return refused
    if state.offer is None or state.offer == position.to_move:
        return Rejected(
            "draw", game.draw_rule, "no draw is offered to the player to move; draw! answers draw?"
        )
    return State(game.close(position, game.draw_result(position), "agreement"), None, True)


def _claim(game: AnyGame, state: State) -> State | Rejected:
    if state.position.to_move is None:
        return _over()
    return Rejected("claim", None, f"{game.name} has nothing to claim; play a move")


_COMMON = {"resign": _resign, "draw?": _offer, "draw!": _accept, "claim": _claim}
