"""What happens to a club's game, as values: answers, notices and the log are made from these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A queued line of one player: `pairs` of the other's ply and the answer to it, in canonical tokens.

    `ply` is the number of the other's ply that the first pair answers; each further pair is two plies on and counts
    only if the ones before it fired.
    """

    ply: int
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a game; answers and the log are made from these. `kind` names it in the log."""

    @property
    def kind(self) -> str:
        """The event's name in lower case."""
        return type(self).__name__.lower()

    @property
    def private(self) -> int | None:
        """The only player who may see it, None where both may."""
        return None


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The game began; `first` and `second` are the players' names (Spiral: second is empty)."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Played(Event):
    """A ply stands. `queued`: it was an answer that its player had queued."""

    seat: int
    ply: int
    word: str
    queued: bool = False


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """Dr. Brooks turned up these cards in answer to ply `ply`; `words` are the `~` tokens."""

    ply: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A tile was drawn for a player. `again`: it had been drawn before and waits; nothing changed."""

    seat: int
    tile: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Spiral: deal `number` came on the table; `deal` is the value of its tag."""

    number: int
    deal: str


@dataclass(frozen=True, slots=True)
class Offered(Event):
    """A draw is offered. `waits`: the offer is made with its player's next ply."""

    seat: int
    waits: bool = False


@dataclass(frozen=True, slots=True)
class UndoAsked(Event):
    """A player asks for the position after `plies` plies."""

    seat: int
    plies: int


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """Words were taken back: `seat` granted it, or None where the operator did (with `why`).

    `words` are what was taken from the record, `plies` the plies that stand now.
    """

    seat: int | None
    plies: int
    words: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Queued(Event):
    """A player queued a line, which is nobody else's to see."""

    seat: int
    line: Line

    @property
    def private(self) -> int | None:
        """Its owner alone sees it."""
        return self.seat


@dataclass(frozen=True, slots=True)
class QueueCleared(Event):
    """A player's queued lines are gone: `lines` of them, `why` in a word (undo, takeback, substitution, end, asked)."""

    seat: int
    lines: int
    why: str

    @property
    def private(self) -> int | None:
        """Its owner alone sees it."""
        return self.seat


@dataclass(frozen=True, slots=True)
class QueueDropped(Event):
    """A queued answer did not fire: it was illegal (code and message say why), or a draw offer waits for a word."""

    seat: int
    ply: int
    word: str
    code: str
    message: str

    @property
    def private(self) -> int | None:
        """Its owner alone sees it."""
        return self.seat


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over; `seed` is set where the draws can be checked now."""

    result: str
    reason: str
    why: str = ""
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Cancelled(Event):
    """The game will not be played (on); `seed` as in Ended."""

    why: str
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Substituted(Event):
    """Another player took a seat."""

    seat: int
    old: str
    new: str
