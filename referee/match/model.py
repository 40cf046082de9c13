"""A game of the club as a value: its record, and what waits beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

from referee.core.game import BadTag
from referee.core.verdict import FIRST, SECOND, Rejected
from referee.errors import RefereeError
from referee.games import load
from referee.match.events import Event, Line
from referee.turns import AnyGame, State, step

RULES_VERSION: Final[Mapping[str, int]] = {"Hex": 1, "Focus": 1, "Lightning": 1, "Spiral": 1}
"""The version of each game's rules that this program plays; each game in the store keeps the one it was begun under."""

CHANCE: Final = ("Lightning", "Spiral")
"""Games with chance: they have a seed, a commitment and the players' words."""

CODES: Final = ("turn", "ply", "over", "undo", "queue", "word", "option", "order")
"""Codes of refusals that no rule of a game makes; all others are those of `core.verdict`.

turn: not this player's turn; ply: the ply named is not the next; over: the game is not on; undo, queue: what was
asked for there cannot be; word: a word for the draws that cannot be one; option: a game's option that cannot be;
order: conditional orders that do not belong together.
"""

Status = Literal["on", "over", "cancelled"]

SEATS: Final = (FIRST, SECOND)


class ReplayError(RefereeError):
    """A stored record that the rules no longer take: a changed rule or a damaged store. Never a player's fault."""


@dataclass(frozen=True, slots=True)
class UndoAsk:
    """An undo that was asked for: by whom, and how many plies would stand after it."""

    seat: int
    plies: int


@dataclass(frozen=True)
class Match:
    """One game of the club. Immutable; every operation gives a new one.

    game      the name in the `Game` tag
    id        the game's id, such as `hex-42`
    tags      the public tags but Game, GameId, deals, Result and Termination: players, date, options, Commit, words
    words     the movetext in canonical tokens: plies, `draw?`, `~` cards, `III@?`
    event     the event counter: grows with every ply, draw, undo, takeback and substitution, never goes back
    status    `on`, `over` or `cancelled`
    result    `*`, `1-0`, `0-1` or `1/2-1/2`
    reason    why it ended: a reason of notation.md, None while it is on and in a cancelled game
    seed      the 64 hex digits of a game with chance, else None; public only after the end
    offering  the player to move whose draw offer waits for his move, else None
    undo      the undo that was asked for and waits for the other, else None
    queues    the queued lines of the first and the second player
    """

    game: str
    id: str
    tags: Mapping[str, str]
    words: tuple[str, ...] = ()
    event: int = 0
    status: Status = "on"
    result: str = "*"
    reason: str | None = None
    seed: str | None = field(default=None, repr=False)
    offering: int | None = None
    undo: UndoAsk | None = None
    queues: tuple[tuple[Line, ...], tuple[Line, ...]] = field(default=((), ()), repr=False)

    @cached_property
    def rules(self) -> AnyGame:
        """The rules of the game."""
        game = load(self.game)
        if game is None:
            raise ReplayError(f"{self.id}: there is no game {self.game!r}")
        return game

    @cached_property
    def setup(self) -> Any:
        """The options as the rules read them, the seed among them."""
        tags = {"Game": self.game, **self.tags, "GameId": self.id}
        if self.seed is not None:
            tags["Seed"] = self.seed
        setup = self.rules.setup(tags)
        if isinstance(setup, BadTag):
            raise ReplayError(f"{self.id}: the tag {setup.name}: {setup.message}")
        return setup

    @cached_property
    def state(self) -> State:
        """The state after all words, by replay. Raises ReplayError where the rules refuse one."""
        return self._replayed(State(self.rules.start(self.setup)), self.words)

    def _replayed(self, state: State, words: tuple[str, ...]) -> State:
        for index, word in enumerate(words):
            after = step(self.rules, state, word)
            if isinstance(after, Rejected):
                raise ReplayError(
                    f"{self.id}: word {index + 1}, {word}, is refused in the replay: "
                    f"{after.message} [{after.code}]"
                )
            state = after
        return state

    @property
    def position(self) -> Any:
        """The position after all words. In a game with chance it knows the seed: see `record.public_position`."""
        return self.state.position

    @property
    def plies(self) -> int:
        """The plies so far."""
        plies: int = self.position.plies
        return plies

    @property
    def to_move(self) -> int | None:
        """FIRST, SECOND, or None where nobody is to move because the game is not on."""
        return self.position.to_move if self.status == "on" else None

    @property
    def offer(self) -> int | None:
        """The player whose draw offer the other may accept now, else None."""
        return self.state.offer if self.status == "on" else None

    @property
    def solo(self) -> bool:
        """Whether the game has one player only."""
        return self.game == "Spiral"

    @property
    def fingerprint(self) -> str:
        """A digest of the position and how the game stands, for comparing a replay with what was stored."""
        position = self.position
        text = "\n".join(
            (
                self.rules.position_text(position),
                f"{position.plies} {position.to_move} {position.result} {position.reason}",
                f"{self.status} {self.result} {self.reason}",
            )
        )
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def player(self, seat: int) -> str:
        """Return a player's name; Spiral's second is Dr. Brooks."""
        if seat == SECOND and self.solo:
            return "Dr. Brooks"
        return self.tags.get("First" if seat == FIRST else "Second", "")

    def with_state(self, state: State, **changes: Any) -> Match:
        """Return a changed match whose state is known already, so that it needs no replay."""
        new = replace(self, **changes)
        new.__dict__.update(rules=self.rules, state=state)
        if "setup" in self.__dict__:
            new.__dict__["setup"] = self.setup
        return new

    def changed(self, **changes: Any) -> Match:
        """Return a match with other things beside the record changed; words, tags and seed stay."""
        return self.with_state(self.state, **changes)


@dataclass(frozen=True, slots=True)
class Done:
    """What a command made of a match."""

    match: Match
    events: tuple[Event, ...]


def not_on(match: Match) -> Rejected | None:
    """Return why nothing can be done in this game any more, None while it is on."""
    if match.status == "on":
        return None
    if match.status == "cancelled":
        return Rejected("over", None, f"{match.id} was cancelled; nothing is played in it")
    return Rejected(
        "over", "all-over", f"{match.id} is over ({match.result}); nothing is legal after its end"
    )
