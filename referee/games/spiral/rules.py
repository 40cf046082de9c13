"""The rules of Spiral (rules.md: spiral-deal to spiral-cycle), as pure functions.

A ply is a turn of the player with Dr. Brooks' answer: three pieces at most. Cells are bits along the spiral. Each
side's pieces are kept as groups that hang together, so a piece costs one look at a few groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from referee.core.chance import Chance
from referee.core.verdict import FIRST, Rejected
from referee.games.spiral.board import BRIDGE, FORK, Group, add, groups_of, plan, target
from referee.games.spiral.cards import CARDS, COLUMNS, NO_COLUMNS, Columns, drawn, pair_text
from referee.games.spiral.refusals import over, refuse_brooks, refuse_cards, refuse_deal

DEAL: Final = "deal"
WON, LOST = "1-0", "0-1"


class Setup(NamedTuple):
    """A Spiral game's options, and the deals that the record gives; or the chance that they are drawn from."""

    same_column: bool = False
    cycle: bool = False
    deals: tuple[Columns, ...] = ()
    chance: Chance | None = None

    def deal(self, number: int) -> Columns | None:
        """Return deal `number` (from 1), None where the record does not have it."""
        if self.chance is not None:
            return drawn(self.chance, number)
        return self.deals[number - 1] if number <= len(self.deals) else None


class Turn(NamedTuple):
    """The player's two cards, in the order written."""

    one: int
    other: int


class Shown(NamedTuple):
    """Two cards that Dr. Brooks is said to have turned up (`~`); no ply."""

    one: int
    other: int


Move = Turn | Shown


class Piece(NamedTuple):
    """A piece placed in the last ply: whose, the two cards, the cell that they name and the one it went to."""

    brooks: bool
    one: int
    other: int
    named: int
    cell: int


class Position:
    """A Spiral position; immutable by custom.

    columns  the cards on the table, each column from the top to the bottom
    filled   the cells with a piece, as bits along the spiral; `own` those of the player
    groups   the player's pieces that hang together, `her_groups` Dr. Brooks'
    deals    how many deals have been dealt
    last     the pieces of the last ply in order, empty where it placed none
    shown    how many of Dr. Brooks' pairs of the last ply the record has shown (`~`)
    """

    __slots__ = (
        "columns",
        "deals",
        "filled",
        "groups",
        "her_groups",
        "last",
        "needs",
        "own",
        "plies",
        "reason",
        "result",
        "setup",
        "shown",
        "to_move",
    )
    setup: Setup
    plies: int
    to_move: int | None
    result: str
    reason: str | None
    needs: str | None
    columns: Columns
    deals: int
    filled: int
    own: int
    groups: tuple[Group, ...]
    her_groups: tuple[Group, ...]
    last: tuple[Piece, ...]
    shown: int

    def copy(self) -> Position:
        """Return a new position with the same contents."""
        new = Position.__new__(Position)
        for name in Position.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and all(
            getattr(self, n) == getattr(other, n) for n in Position.__slots__
        )

    def __hash__(self) -> int:
        return hash((self.setup, self.plies, self.columns, self.filled, self.own, self.reason))


def start(setup: Setup) -> Position:
    """Return the empty board with the first deal, or without cards where the record has no deal."""
    return arranged(setup, 0, 0, setup.deal(1))


def arranged(setup: Setup, own: int, hers: int, columns: Columns | None) -> Position:
    """Return a position with these pieces (bits along the spiral) and these cards; over where a side has joined.

    `columns` None: nothing has been dealt.
    """
    new = Position.__new__(Position)
    new.setup = setup
    new.plies = new.shown = 0
    new.to_move, new.result, new.reason, new.needs = FIRST, "*", None, None
    new.columns = columns or NO_COLUMNS
    new.deals = 0 if columns is None else 1
    new.filled, new.own = own | hers, own
    new.groups, new.her_groups = groups_of(own), groups_of(hers)
    new.last = ()
    for brooks, groups in ((False, new.groups), (True, new.her_groups)):
        made = {plan().joins[sides] for _, sides in groups} - {None}
        if made and new.to_move is not None:
            _end(new, FORK if FORK in made else BRIDGE, brooks)
    if new.to_move is not None and not all(new.columns):
        new.needs = DEAL
    return new


def play(position: Position, move: Move) -> Position | Rejected:
    """Return the position after the player's turn and Dr. Brooks', or why the turn is illegal.

    A `Shown` is held against what she turned up in the last ply and is no ply. Cards while a deal is missing are
    `deal`, whatever else is wrong with them (notation.md, Moves).
    """
    if type(move) is Shown:
        return _show(position, move)
    if position.to_move is None:
        return over()
    if position.needs is not None:
        return refuse_deal(position.deals + 1)
    one, other = move
    columns = position.columns
    left = _take(position.setup, columns, one, other)
    if left is None:
        return refuse_cards(columns, one, other, position.setup.same_column)
    new = Position.__new__(Position)
    new.setup = position.setup
    new.plies = position.plies + 1
    new.to_move, new.result, new.reason, new.needs = FIRST, "*", None, None
    new.columns = left
    new.deals = position.deals
    new.filled, new.own = position.filled, position.own
    new.groups, new.her_groups = position.groups, position.her_groups
    new.last = ()
    new.shown = 0
    if _place(new, False, one, other) and _dealt(new) and _brooks(new, 0) and _brooks(new, 2):
        _dealt(new)
    return new


def _take(setup: Setup, columns: Columns, one: int, other: int) -> Columns | None:
    """Return the columns without two cards that the player may take, else None (spiral-turn, spiral-same-column)."""
    left = list(columns)
    first = second = -1
    for at, column in enumerate(columns):
        if column[-1] == one:
            first = at
        if column[-1] == other:
            second = at
    if first >= 0 and second >= 0 and first != second:
        left[first] = _used(setup, columns[first])
        left[second] = _used(setup, columns[second])
    elif setup.same_column and one != other and (at := max(first, second)) >= 0:
        column = columns[at]
        if column[-2:] != (one, other) and column[-2:] != (other, one):
            return None
        left[at] = _used(setup, _used(setup, column))
    else:
        return None
    return (left[0], left[1], left[2], left[3])


def _used(setup: Setup, column: tuple[int, ...]) -> tuple[int, ...]:
    """Return a column without its bottom card, which with `Cycle` comes on top (spiral-cycle)."""
    return (column[-1], *column[:-1]) if setup.cycle else column[:-1]


def _place(new: Position, brooks: bool, one: int, other: int) -> bool:
    """Place the piece that two cards name, and judge it (spiral-occupied, spiral-win); false when it ends the game."""
    board = plan()
    named = board.named[one * len(CARDS) + other]
    cell = target(new.filled, named)
    new.filled |= 1 << cell
    if brooks:
        new.her_groups, sides = add(new.her_groups, cell)
    else:
        new.own |= 1 << cell
        new.groups, sides = add(new.groups, cell)
    new.last = (*new.last, Piece(brooks, one, other, named, cell))
    made = board.joins[sides]
    if made is None:
        return True
    _end(new, made, brooks)
    return False


def _end(new: Position, made: str, brooks: bool) -> None:
    """A fork wins for its maker, a bridge for Dr. Brooks, whoever made it (spiral-win)."""
    new.to_move = None
    new.result = WON if made == FORK and not brooks else LOST
    new.reason = made


def _brooks(new: Position, at: int) -> bool:
    """Dr. Brooks places from the bottoms of column `at` (from 0) and the next; false when it ends the game."""
    left = list(new.columns)
    one, other = left[at][-1], left[at + 1][-1]
    left[at] = _used(new.setup, left[at])
    left[at + 1] = _used(new.setup, left[at + 1])
    new.columns = (left[0], left[1], left[2], left[3])
    return _place(new, True, one, other)


def _dealt(new: Position) -> bool:
    """Deal again where a column is empty (spiral-redeal); false when the record has no further deal."""
    if all(new.columns):
        return True
    columns = new.setup.deal(new.deals + 1)
    if columns is None:
        new.needs = DEAL
        return False
    new.columns = columns
    new.deals += 1
    return True


def _show(position: Position, move: Shown) -> Position | Rejected:
    """Hold Dr. Brooks' cards as written against those that she turned up in the last ply."""
    turned = turned_up(position)
    if position.shown == len(turned):
        if position.to_move is None:
            return over()
        if position.needs is not None:
            return refuse_deal(position.deals + 1)
        return refuse_brooks(position.plies, turned, None)
    due = turned[position.shown]
    if due != move and due != (move.other, move.one):
        return refuse_brooks(position.plies, turned, pair_text(*due))
    new = position.copy()
    new.shown += 1
    return new


def turned_up(position: Position) -> tuple[tuple[int, int], ...]:
    """Return the pairs of cards that Dr. Brooks turned up in the last ply, in order: none, one or two."""
    return tuple((piece.one, piece.other) for piece in position.last if piece.brooks)


def close(position: Position, result: str, reason: str) -> Position:
    """Return the position with the game ended by a ply that is no move."""
    new = position.copy()
    new.plies += 1
    new.to_move, new.result, new.reason, new.needs = None, result, reason, None
    new.last, new.shown = (), 0
    return new


def legal_moves(position: Position) -> Iterator[Turn]:
    """Yield each legal turn once, its cards in the order of the columns, the lower card first in one column."""
    if position.to_move is None or position.needs is not None:
        return
    columns = position.columns
    for at, column in enumerate(columns):
        if position.setup.same_column and len(column) > 1:
            yield Turn(column[-1], column[-2])
        for right in range(at + 1, COLUMNS):
            yield Turn(column[-1], columns[right][-1])
