"""Focus: its options, its tokens and its rules, as the house's Game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from referee.core.game import BadTag
from referee.core.verdict import Rejected
from referee.games.focus import positions, rules, state
from referee.games.focus.board import COLOURS, Drop, Move, OffBoard, Rows, Shift, distance, names
from referee.games.focus.state import Position, Setup

_SHIFT = re.compile(r"([0-9]*)([a-z]+[0-9]+)-([a-z]+[0-9]+)(?::([0-9]+))?")
_DROP = re.compile(r"(?:\+|r:|\*)([a-z]+[0-9]+)")
_TWO_CELLS = re.compile(r"([a-h][1-8])[^a-z0-9]*([a-h][1-8])")
_CELL = re.compile(r"[a-h][1-8]")

_VALUES: dict[str, tuple[str, ...]] = {
    "Setup": ("standard", "drop"),
    "Drops": ("any", "own"),
    "Draw": ("half", "first"),
    "Rows": ("bottom", "top"),
}
"""The options; the first value of each is the one that holds without the tag."""


class Focus:
    """The rules of Focus behind the Game protocol."""

    slug = "focus"
    name = "Focus"
    options = tuple(_VALUES)
    plies_per_number = 2
    draw_rule = "focus-draw"
    takes_claims = True

    def setup(self, tags: Mapping[str, str]) -> Setup | BadTag:
        """Return the options of the tags `Setup`, `Drops`, `Draw` and `Rows`."""
        chosen = {name: values[0] for name, values in _VALUES.items()}
        for name, value in tags.items():
            if name not in _VALUES:
                continue
            if value not in _VALUES[name]:
                plain, other = _VALUES[name]
                return BadTag(name, f'{name} "{value}" is not known; write "{plain}" or "{other}"')
            chosen[name] = value
        return Setup(
            drop=chosen["Setup"] == "drop",
            own_drops=chosen["Drops"] == "own",
            first_wins_draws=chosen["Draw"] == "first",
            rows=Rows(chosen["Rows"]),
        )

    def start(self, setup: Setup) -> Position:
        """See state.start."""
        return state.start(setup)

    def parse(self, word: str, setup: Setup) -> Move | Rejected:
        """Return the move that a word means; a count that is the distance leaves no trace in it."""
        book = names(setup.rows)
        move = book.moves.get(word)
        if move is not None:
            return move
        low = word.lower()
        move = book.moves.get(low)
        return _parse_rare(low, word, setup) if move is None else move

    def format(self, move: Move, setup: Setup) -> str:
        """Return a move's canonical token: `c3-c5`, `+e5`, `claim`."""
        return names(setup.rows).word(move)

    def play(self, position: Position, move: Move) -> Position | Rejected:
        """See rules.play."""
        return rules.play(position, move)

    def legal_moves(self, position: Position) -> Iterator[Move]:
        """See state.legal_moves; `claim` is not among them."""
        return state.legal_moves(position)

    def may_offer(self, position: Position) -> Rejected | None:
        """Refuse in the drop set-up (focus-setup-drop)."""
        if position.to_place:
            return Rejected(
                "draw", "focus-setup-drop", "no draw is offered in the set-up; place a piece"
            )
        return None

    def close(self, position: Position, result: str, reason: str) -> Position:
        """See rules.closed."""
        return rules.closed(position, result, reason)

    def draw_result(self, position: Position) -> str:
        """See rules.draw_result."""
        return rules.draw_result(position)

    def position_text(self, position: Position) -> str:
        """See positions.write."""
        return positions.write(position)

    def parse_position(self, text: str, mover: str | None = None) -> Position | Rejected:
        """See positions.read."""
        return positions.read(text, mover)

    def colour_to_move(self, position: Position) -> str | None:
        """Return "white" or "black", None after the end."""
        return None if position.to_move is None else COLOURS[position.to_move]

    def proof(self, position: Position) -> tuple[str, ...]:
        """Return nothing: what ends a game of Focus is the lack of a move, not a group of cells."""
        return ()


def _parse_rare(low: str, word: str, setup: Setup) -> Move | Rejected:
    """Read what is no straight move of up to five cells: other pairs, wrong counts, cells off the board."""
    book = names(setup.rows)
    match = _SHIFT.fullmatch(low)
    if match is not None and not (match[1] and match[4]):
        ends = (match[2], match[3])
        if ends[0] not in book.cells or ends[1] not in book.cells:
            return OffBoard(word, ends)
        origin, target = book.cells[ends[0]], book.cells[ends[1]]
        steps = distance(origin, target)
        written = match[1] or match[4]
        return Shift(origin, target, steps, _count(written) if written else steps)
    match = _DROP.fullmatch(low)
    if match is not None:
        cell = book.cells.get(match[1])
        return Drop(cell) if cell is not None else OffBoard(word, (match[1],))
    return Rejected("syntax", None, _no_form(low, word))


def _count(digits: str) -> int:
    """Return the number; any that has more than two digits is too large for a count, however long it is."""
    short = digits.lstrip("0")
    return int(short or "0") if len(short) < 3 else 99


def _no_form(low: str, word: str) -> str:
    two = _TWO_CELLS.fullmatch(low)
    if two is not None:
        return f"{word} is no Focus move; a move is written {two[1]}-{two[2]}"
    if _CELL.fullmatch(low):
        return f"{word} is no Focus move; a drop is written +{low}, and a move names two cells, as c3-c5"
    return f"{word} is no Focus move; write a move as c3-c5, a drop as +e5"


GAME = Focus()
