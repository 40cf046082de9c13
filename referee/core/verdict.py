"""Verdicts are values: what a rule says to a move, and what the judge says to a record."""

# no annotations of the future here: NamedTuple compiles each that is text, a third of the import

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from referee.core.source import Source, Span

CODES: Final = (
    "syntax",
    "tag",
    "move-number",
    "result",
    "game-over",
    "setup",
    "off-board",
    "occupied",
    "swap",
    "empty-cell",
    "not-yours",
    "not-straight",
    "count",
    "too-far",
    "no-reserve",
    "drop-enemy",
    "too-high",
    "no-tile",
    "tile-shape",
    "dead-line",
    "junction",
    "pass",
    "column",
    "card",
    "deal",
    "draw",
    "claim",
)
"""All fault codes, stable apart from wording. A token that breaks several rules gets the first of them."""

FIRST: Final = 0
SECOND: Final = 1
PLAYERS: Final = ("first", "second")


class Rejected(NamedTuple):
    """A move that cannot stand: `code` from CODES, `rule` an id of rules.md or None, `message` for a person.

    `would` names what would be legal, nearest first and few. `same_ply` marks a fault in what is said about the
    last ply (Spiral's `~`): the fault's ply is then that one, not the next.
    """

    code: str
    rule: str | None
    message: str
    would: tuple[str, ...] = ()
    same_ply: bool = False


class Fault(NamedTuple):
    """The first fault of a record, with its place in the text as sent (line and column from 1)."""

    code: str
    rule: str | None
    ply: int | None
    token: str | None
    message: str
    source: Source
    span: Span
    would: tuple[str, ...] = ()

    @property
    def line(self) -> int:
        """The line of the fault, from 1."""
        return self.source.place(self.span.start)[0]

    @property
    def column(self) -> int:
        """The column of the fault, from 1, in code points."""
        return self.source.place(self.span.start)[1]


def no_proof() -> tuple[str, ...]:
    """Return no cells: nothing has been decided."""
    return ()


class Verdict(NamedTuple):
    """What the judge says to one record; the fields are those of the JSON in notation.md.

    `state` is the last legal position (None where the tags are at fault). `prove` finds the proof when somebody
    asks for it: an archive's verdicts do not pay for it.
    """

    game: str | None
    first: str | None
    second: str | None
    legal: bool
    plies: int
    to_move: str | None
    result: str
    reason: str | None
    position: str | None
    needs: str | None
    error: Fault | None
    state: Any = None
    prove: Callable[[], tuple[str, ...]] = no_proof

    @property
    def proof(self) -> tuple[str, ...]:
        """The cells that decided the game (chain, line, fork), nothing where it is not decided on the board."""
        return self.prove()

    def as_json(self, file: str, index: int) -> dict[str, object]:
        """Return the object that `adjudicate --format json` prints, keys in notation.md's order."""
        fault = self.error
        error = None
        if fault is not None:
            line, column = fault.source.place(fault.span.start)
            error = {
                "code": fault.code,
                "rule": fault.rule,
                "ply": fault.ply,
                "line": line,
                "column": column,
                "token": fault.token,
                "message": fault.message,
            }
        return {
            "file": file,
            "index": index,
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "legal": self.legal,
            "plies": self.plies,
            "to_move": self.to_move,
            "result": self.result,
            "reason": self.reason,
            "position": self.position,
            "needs": self.needs,
            "error": error,
        }
