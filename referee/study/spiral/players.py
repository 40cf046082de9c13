"""Players of Spiral, from one who picks at random to one who tries out the deals to come; and a game by one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

from referee.study.spiral.deal import (
    LOST,
    WON,
    Board,
    Deck,
    Rules,
    State,
    brooks,
    shuffled,
    turn,
)
from referee.study.spiral.search import Keep, Path, explore
from referee.study.spiral.table import Table
from referee.study.spiral.value import chances, thumb

Rate = Callable[[Table, Sequence[Board]], list[float]]
"""Says of boards how good they are for the player, more is better."""


class Player(Protocol):
    """Chooses cards."""

    def choose(self, rules: Rules, deck: Deck, state: State, rng: Random) -> Path:
        """Return one choice or more: those that are to be made one after the other while this deal lasts."""


class AtRandom:
    """Takes any two cards."""

    def choose(self, rules: Rules, deck: Deck, state: State, rng: Random) -> Path:
        """Return a choice, all equally likely."""
        return (rng.choice(rules.picks(state.used)),)


class Greedy:
    """Looks one turn ahead: at his own piece and the two of Dr. Brooks, and how many pieces each side then needs."""

    def choose(self, rules: Rules, deck: Deck, state: State, rng: Random) -> Path:
        """Return the choice with the best board after it; the first of several."""
        picks = rules.picks(state.used)
        afters = [turn(rules, deck, state, pick) for pick in picks]
        rates = thumb(rules.table, [after.state for after in afters])
        worth = {WON: float("inf"), LOST: float("-inf")}
        best = max(range(len(picks)), key=lambda at: worth.get(afters[at].end or "", rates[at]))
        return (picks[best],)


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches the deal to its end; forces a fork where that can be done, else goes for the best board at its end.

    rate   what makes a board good
    look   how many boards at the deal's end are rated, a sample where there are more
    width  how many boards of one turn are followed; 0 for all: then nothing within the deal is overlooked
    short  how many of the best boards are tried out in deals to come, 0 for none; only late in the game, where the
           deals to come decide it and are soon searched
    deals  in how many deals each
    """

    rate: Rate
    look: int = 8000
    width: int = 0
    short: int = 0
    deals: int = 0

    def choose(self, rules: Rules, deck: Deck, state: State, rng: Random) -> Path:
        """Return the choices to the end of the deal. With `Cycle` there is none, and only the best are followed."""
        width = self.width or (CYCLE_WIDTH if rules.cycle else 0)
        keep = self.keeping(rules.table, width) if width else None
        found = explore(rules, deck, state, keep=keep)
        if found.win:
            return found.win
        if not found.leaves:
            return found.last[:1]
        boards = list(found.leaves)
        if len(boards) > self.look:
            boards = rng.sample(boards, self.look)
        rates = self.rate(rules.table, boards)
        ranked = sorted(range(len(boards)), key=lambda at: -rates[at])
        best = boards[ranked[0]]
        if self.short and best[0].bit_count() >= LATE:
            tried = [boards[at] for at in ranked[: self.short]]
            worths = try_out(rules, tried, self.deals, rng)
            best = tried[max(range(len(tried)), key=lambda at: worths[at])]
        return found.leaves[best]

    def keeping(self, table: Table, width: int) -> Keep:
        """Return what keeps the best of a turn's boards."""

        def keep(boards: list[Board]) -> list[Board]:
            if len(boards) <= width:
                return boards
            rates = self.rate(table, boards)
            ranked = sorted(range(len(boards)), key=lambda at: -rates[at])
            return [boards[at] for at in ranked[:width]]

        return keep


CYCLE_WIDTH = 200
"""Boards of a turn that are followed with `Cycle`, where a deal lasts the whole game."""
LATE = 8
"""From so many pieces of the player on boards are tried out."""
SAMPLE = 250
"""Boards at the end of a deal to come that are rated."""


def try_out(rules: Rules, boards: Sequence[Board], deals: int, rng: Random) -> list[float]:
    """Return what boards are worth on the average of some deals to come, the same for all of them.

    A deal counts 1 where a fork can be forced in it, else the chance on the best board that it can lead to.
    """
    decks = [shuffled(rng) for _ in range(deals)]
    return [sum(_worth(rules, board, deck, rng) for deck in decks) / deals for board in boards]


def _worth(rules: Rules, board: Board, deck: Deck, rng: Random) -> float:
    state = State(*board)
    if state.due:
        after = brooks(rules, deck, state)
        if after.end is not None:
            return 0.0
        state = after.state
    found = explore(rules, deck, state)
    if found.win or not found.leaves:
        return 1.0 if found.win else 0.0
    boards = list(found.leaves)
    if len(boards) > SAMPLE:
        boards = rng.sample(boards, SAMPLE)
    return max(chances(rules.table, boards))


PLAYERS: dict[str, Player] = {
    "random": AtRandom(),
    "greedy": Greedy(),
    "deal": Searcher(thumb),
    "ahead": Searcher(chances),
    "quick": Searcher(chances, look=100, width=20),
    "trial": Searcher(chances, look=1000, width=60, short=10, deals=20),
}
"""Players by name, the stronger ones later; that to follow few boards is weaker than to follow all does not show."""


class Played(NamedTuple):
    """A finished game: whether the player won, his turns, how many deals it took."""

    won: bool
    turns: int
    deals: int


def play_game(
    rules: Rules,
    player: Player,
    deals: Random,
    rng: Random,
    start: Board = (0, 0, 0, False),
) -> Played:
    """Play a game to its end; the cards come from `deals`, what else is left to chance from `rng`.

    `start` is a board with which new cards are dealt.
    """
    state, dealt, turns = State(*start), 0, 0
    while True:
        deck = shuffled(deals)
        dealt += 1
        if state.due:
            after = brooks(rules, deck, state)
            if after.end is not None:
                return Played(False, turns, dealt)
            state = after.state
        path: Path = ()
        while True:
            path = path or player.choose(rules, deck, state, rng)
            after = turn(rules, deck, state, path[0])
            path, turns = path[1:], turns + 1
            if after.end is not None:
                return Played(after.end == WON, turns, dealt)
            state = after.state
            if after.dealt:
                break
