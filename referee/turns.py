"""One word's effect on the state of a game: moves, resigning, draw offers. Files and mails both go through it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from referee.core.game import Game
from referee.core.verdict import FIRST, SECOND, Rejected
from referee.notation.lexer import RESULTS

AnyGame = Game[Any, Any, Any]

_NUMBERS = [f"{number}." for number in range(1, 1001)]
"""Move numbers as records have them, one before each two plies."""

RESULT_OF_LOSS = {FIRST: "0-1", SECOND: "1-0"}


class State(NamedTuple):
    """A game under way: its position, and the draw offer that stands.

    `offer` is the player whose offer waits for the opponent's next ply; `fresh` is true directly after a ply, when
    that ply's player may offer.
    """

    position: Any
    offer: int | None = None
    fresh: bool = False


class Vocabulary(dict[str, Any]):
    """The moves that a game's words mean under one setup; each word is parsed once and remembered."""

    MOST = 20_000
    """Words remembered; an archive of nonsense cannot fill the memory."""

    def __init__(self, game: AnyGame, setup: Any) -> None:
        super().__init__()
        self.game = game
        self.setup = setup

    def __missing__(self, word: str) -> Any:
        low = word.lower()
        if low in _COMMON and not (low == "claim" and self.game.takes_claims):
            return None
        move = self.game.parse(word, self.setup)
        if not isinstance(move, Rejected) and len(self) < self.MOST:
            self[word] = move
        return move


@lru_cache(maxsize=64)
def vocabulary(game: AnyGame, setup: Any) -> Vocabulary:
    """Return what the words of a game mean: a move, a Rejected, or None for a word that all games share."""
    return Vocabulary(game, setup)


def step(game: AnyGame, state: State, word: str) -> State | Rejected:
    """Return the state after one word of movetext (a move, `resign`, `draw?`, `draw!`), or why it cannot stand."""
    position = state.position
    move = vocabulary(game, position.setup)[word]
    if move is None:
        return _COMMON[word.lower()](game, state)
    if isinstance(move, Rejected):
        return move
    after = game.play(position, move)
    if isinstance(after, Rejected):
        return after
    if after.plies == position.plies:
        return State(after, state.offer, False)
    return State(after, None, True)


def leap(game: AnyGame, state: State, words: list[str]) -> tuple[State, int] | None:
    """Play the words of a whole record at one go, up to its result, where the game can and nothing needs a closer look.

    Returns what `run` would return from word 0 on, or None. Only words seen before are taken, so that a record of
    new ones is left to `run`, and they are known the next time.
    """
    play_all = getattr(game, "play_all", None)
    if play_all is None or not words:
        return None
    last = len(words) - (words[-1] in RESULTS)
    plies = words[:last]
    if words[0] == "1.":
        numbers = plies[::3]
        if numbers == _NUMBERS[: len(numbers)]:
            del plies[::3]
    position = state.position
    after = play_all(position, list(map(vocabulary(game, position.setup).get, plies)))
    return None if after is None else (State(after, None, True), last)


def run(game: AnyGame, state: State, words: list[str], index: int) -> tuple[State, int]:
    """Play the plain plies from word `index` on, with right numbers or none, and stop at any other word.

    Returns the state and the index of the word that wants a closer look (`step` then judges it). This is
    `step` for the common case, without its per-word cost; it decides nothing that `step` would not.
    """
    position = state.position
    known = vocabulary(game, position.setup)
    play, paired = game.play, game.plies_per_number == 2
    begun, plies = index, position.plies
    for index in range(begun, len(words)):
        word = words[index]
        if word[-1] == ".":
            due = f"{plies // 2 + 1}{'...' if plies & 1 else '.'}" if paired else f"{plies + 1}."
            if word == due:
                continue
            break
        move = known.get(word)
        if move is None:
            break
        after = play(position, move)
        if isinstance(after, Rejected) or after.plies == plies:
            break
        position = after
        plies += 1
    else:
        index = len(words)
    return (State(position, None, True) if position is not state.position else state), index


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
