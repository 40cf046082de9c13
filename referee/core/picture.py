"""What a game must be able to draw: the protocol of the diagrams, and what a diagram is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pnp.scene import Item, Scene
from pnp.themes import Theme
from referee.core.game import Game
from referee.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of a game.

    game      the rules
    position  what stands now; `before` is what stood before the last ply, None before ply 1
    moves     the canonical token of each ply so far
    positions the position after each ply of the whole record; the first len(moves) lie behind this moment
    verdict   what the judge says where this is the last moment of a record, else None
    recorded  false for a position without a record
    cancelled whether this is where a game ended that does not count: nobody is to move
    """

    game: Game[Any, Any, Any]
    position: Any
    before: Any = None
    moves: tuple[str, ...] = ()
    positions: Sequence[Any] = ()
    first: str | None = None
    second: str | None = None
    verdict: Verdict | None = None
    recorded: bool = True
    cancelled: bool = False

    @property
    def last(self) -> str | None:
        """The last ply's token, None before ply 1."""
        return self.moves[-1] if self.moves else None

    @property
    def proof(self) -> tuple[str, ...]:
        """The cells that decided the game, nothing while it is not decided on the board."""
        if self.position.to_move is not None:
            return ()
        return self.game.proof(self.position)


class Seat(NamedTuple):
    """A player in words: what he plays ("Red", "White"), and what that side does, if it needs saying."""

    side: str
    does: str = ""


class Picture(Protocol):
    """How one game looks. Each game's package has a module `picture` with a PICTURE."""

    def seats(self, frame: Frame) -> tuple[Seat, Seat]:
        """Return what the first and the second player play in this position."""
        ...

    def token(self, frame: Frame, player: int, size: float, theme: Theme) -> tuple[Item, ...]:
        """Return a piece of a player's about (0, 0), `size` mm across, for the words beside the board.

        Nothing where the player has no pieces of his own.
        """
        ...

    def scene(self, frame: Frame, theme: Theme, *, numbers: bool = False) -> Scene:
        """Return the board with its pieces, the last ply marked, what decided the game shown.

        No names and no caption: those go round it for all games alike. With `numbers` the pieces
        carry the numbers of their plies, where the game has pieces that stay.
        """
        ...

    def text(self, frame: Frame, *, numbers: bool = False) -> str:
        """Return the same in characters of one width, labels with it, at most 78 columns if it can."""
        ...

    def listing(self, frame: Frame) -> str:
        """Return the position as a list for proportional fonts, one line a side (`Red: a1 b3`)."""
        ...

    def ply(self, frame: Frame) -> str:
        """Return what the last ply did in words ("f6", "swap: the players change colours"), or nothing."""
        ...
