"""What a game must be able to do to join the house. Each game is a module of pure functions behind this protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from referee.core.verdict import Rejected


class BadTag(NamedTuple):
    """A tag's value that the game cannot take. `start`, `end` are offsets into the value; code "tag" or "deal"."""

    name: str
    message: str
    code: str = "tag"
    start: int = 0
    end: int | None = None
    rule: str | None = None


class Position(Protocol):
    """What every game's position shows. Positions are immutable and cheap."""

    @property
    def plies(self) -> int:
        """The legal plies so far (Spiral: the player's turns)."""
        ...

    @property
    def to_move(self) -> int | None:
        """FIRST, SECOND, or None after the end."""
        ...

    @property
    def result(self) -> str:
        """`*`, `1-0`, `0-1` or `1/2-1/2`."""
        ...

    @property
    def reason(self) -> str | None:
        """Why the game is over: a reason of notation.md, or None."""
        ...

    @property
    def needs(self) -> str | None:
        """`deal` or `placement` where the position waits for more than a move, else None."""
        ...


S = TypeVar("S")
P = TypeVar("P", bound=Position)
M = TypeVar("M")


class Game(Protocol[S, P, M]):
    """The rules of one game. S is its setup (its options, read once, hashable), P its position, M its moves.

    Moves are read in two stages: `parse` (text to move, no position) and `play` (move and position to verdict).
    Nobody else decides legality. `resign`, `draw?`, `draw!` are played by the judge for all games.
    """

    slug: str
    name: str
    options: tuple[str, ...]
    """The tags that this game reads as options."""
    plies_per_number: int
    """2 where a move number covers both players' plies, 1 in Spiral."""
    draw_rule: str
    """The ruling that refuses a draw offer, or governs it."""
    takes_claims: bool
    """True where `claim` is a move of this game (`parse` reads it)."""

    def __hash__(self) -> int: ...

    def setup(self, tags: Mapping[str, str]) -> S | BadTag:
        """Return the setup that the tags give, defaults filled in; the first bad value as a BadTag."""
        ...

    def start(self, setup: S) -> P:
        """Return the position before ply 1."""
        ...

    def parse(self, word: str, setup: S) -> M | Rejected:
        """Return the move that a word of movetext means, without looking at a position; else `syntax`."""
        ...

    def format(self, move: M, setup: S) -> str:
        """Return a move's canonical token."""
        ...

    def play(self, position: P, move: M) -> P | Rejected:
        """Return the position after a legal move, or why it is not legal. The one place that knows."""
        ...

    def legal_moves(self, position: P) -> Iterable[M]:
        """Yield each legal move once, in its canonical form; none after the end."""
        ...

    def may_offer(self, position: P) -> Rejected | None:
        """Return why no draw may be offered here (code `draw`), None where it may."""
        ...

    def close(self, position: P, result: str, reason: str) -> P:
        """Return the position ended by a ply that is no move of the game: `resign` or `draw!` (each is a ply)."""
        ...

    def draw_result(self, position: P) -> str:
        """Return the result of a draw: `1/2-1/2`, or `1-0` where an option says so."""
        ...

    def position_text(self, position: P) -> str:
        """Return the position as text (notation.md, Positions as text)."""
        ...

    def parse_position(self, text: str, mover: str | None = None) -> P | Rejected:
        """Return the position that the text shows; `mover` says who is to move where the text does not.

        A Rejected (code `syntax`) says what is wrong and where.
        """
        ...

    def colour_to_move(self, position: P) -> str | None:
        """Return the colour to move ("red", "blue", "white", "black") where the game has colours, else None."""
        ...

    def proof(self, position: P) -> tuple[str, ...]:
        """Return the cells that decided a finished game (chain, line, fork), else nothing."""
        ...
