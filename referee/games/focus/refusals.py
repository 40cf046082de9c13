"""How Focus refuses: the code, the ruling, a plain message, and the nearest moves that would be legal."""

from __future__ import annotations

from referee.core.verdict import Rejected
from referee.games.focus.board import (
    COLOURS,
    COORDS,
    HEIGHTS,
    HIGHEST,
    Drop,
    Move,
    Names,
    OffBoard,
    Shift,
    names,
)
from referee.games.focus.state import Position, legal_moves

Point = tuple[int, int]
MOST = 5
"""The number of legal moves that a refusal names."""


def nearest(position: Position, move: Move) -> tuple[str, ...]:
    """Return the words of the legal moves nearest to one that is not, nearest first.

    Moves of the same kind (pile moves, drops) come first; near is counted in steps from the cells written to the
    cells of the legal move.
    """
    book = names(position.setup.rows)
    origin, target = _wanted(book, move)

    def far(legal: Move) -> tuple[bool, int]:
        if isinstance(legal, Shift):
            other_kind = origin is None
            steps = _steps(origin, COORDS[legal.origin]) + _steps(target, COORDS[legal.target])
        else:
            assert isinstance(legal, Drop)
            other_kind = origin is not None
            steps = _steps(target, COORDS[legal.cell])
        return (other_kind, steps)

    return tuple(book.word(legal) for legal in sorted(legal_moves(position), key=far)[:MOST])


def _wanted(book: Names, move: Move) -> tuple[Point | None, Point | None]:
    """Return where the move would begin (None for a drop) and where it would end."""
    if isinstance(move, Shift):
        return (COORDS[move.origin], COORDS[move.target])
    if isinstance(move, Drop):
        return (None, COORDS[move.cell])
    if isinstance(move, OffBoard):
        points = [book.point(cell) for cell in move.cells]
        return (points[0] if len(points) == 2 else None, points[-1])
    return (None, None)


def _steps(a: Point | None, b: Point) -> int:
    return 0 if a is None else abs(a[0] - b[0]) + abs(a[1] - b[1])


def _mover(position: Position) -> str:
    assert position.to_move is not None
    return COLOURS[position.to_move].capitalize()


def _label(position: Position, cell: int) -> str:
    return names(position.setup.rows).labels[cell]


def setup(position: Position, move: Move) -> Rejected:
    """Refuse to move a pile while pieces are still being placed."""
    left = position.to_place
    pieces = "1 piece is" if left == 1 else f"{left} pieces are"
    message = f"{pieces} still to be placed before any pile moves; place one, as in +c3"
    return Rejected("setup", "focus-setup-drop", message, nearest(position, move))


def off_board(position: Position, move: OffBoard) -> Rejected:
    """Refuse a cell that the board does not have."""
    known = names(position.setup.rows).cells
    cell = next(cell for cell in move.cells if cell not in known)
    message = (
        f"{cell} is no cell of the board: a to h and 1 to 8, without the three cells at each corner"
    )
    return Rejected("off-board", "focus-board", message, nearest(position, move))


def empty_cell(position: Position, move: Shift) -> Rejected:
    """Refuse to move from an empty cell."""
    message = f"{_label(position, move.origin)} is empty; {_begin(position)}"
    return Rejected("empty-cell", _origin_rule(position), message, nearest(position, move))


def not_yours(position: Position, move: Shift) -> Rejected:
    """Refuse to move a pile that the other player owns."""
    pile = position.cells[move.origin]
    owner = COLOURS[pile & 1]
    what = f"a {owner} piece stands" if HEIGHTS[pile] == 1 else f"a {owner} piece is on top"
    message = f"{what} on {_label(position, move.origin)}; {_begin(position)}"
    return Rejected("not-yours", _origin_rule(position), message, nearest(position, move))


def _begin(position: Position) -> str:
    mover = _mover(position)
    if _must_drop(position):
        return f"{mover} owns no pile and must drop a piece from the reserve"
    return f"{mover} moves piles that have a {mover.lower()} piece on top"


def _must_drop(position: Position) -> bool:
    return position.to_move is not None and not position.piles[position.to_move]


def _origin_rule(position: Position) -> str:
    return "focus-must-drop" if _must_drop(position) else "focus-move"


def not_straight(position: Position, move: Shift) -> Rejected:
    """Refuse a move that does not go along a row or a column, or nowhere."""
    origin, target = _label(position, move.origin), _label(position, move.target)
    if move.origin == move.target:
        message = f"{origin}-{target} leads nowhere; pieces move at least one cell along a row or a column"
    else:
        message = (
            f"{target} lies neither in the row nor in the column of {origin}; piles move straight"
        )
    return Rejected("not-straight", "focus-move", message, nearest(position, move))


def count(position: Position, move: Shift) -> Rejected:
    """Refuse a count that is not the distance."""
    word = f"{_label(position, move.origin)}-{_label(position, move.target)}"
    cells = "1 cell" if move.distance == 1 else f"{move.distance} cells"
    pieces = "1 piece" if move.distance == 1 else f"{move.distance} pieces"
    message = f"{word} is {cells} long, so {pieces} must move; the number may be left out"
    return Rejected("count", "focus-move", message, nearest(position, move))


def too_far(position: Position, move: Shift) -> Rejected:
    """Refuse a move longer than its pile is high."""
    height = HEIGHTS[position.cells[move.origin]]
    pieces, cells = (
        ("1 piece", "1 cell") if height == 1 else (f"{height} pieces", f"{height} cells")
    )
    message = (
        f"{_label(position, move.target)} is {move.distance} cells away, but the pile on "
        f"{_label(position, move.origin)} has {pieces} and moves at most {cells}"
    )
    return Rejected("too-far", "focus-move", message, nearest(position, move))


def no_reserve(position: Position, move: Drop) -> Rejected:
    """Refuse a drop without a piece in reserve."""
    message = f"{_mover(position)} has no piece in reserve to drop; move a pile, as in c3-c4"
    return Rejected("no-reserve", "focus-drop", message, nearest(position, move))


def drop_enemy(position: Position, move: Drop) -> Rejected:
    """Refuse a drop on an enemy pile, in the set-up or with `Drops "own"`."""
    assert position.to_move is not None
    owner = COLOURS[1 - position.to_move].capitalize()
    when = "in the set-up" if position.to_place else "in this game"
    rule = "focus-setup-drop" if position.to_place else "focus-drop-own"
    message = f"{owner} owns the pile on {_label(position, move.cell)}; {when} pieces go to empty cells and own piles"
    return Rejected("drop-enemy", rule, message, nearest(position, move))


def too_high(position: Position, move: Drop) -> Rejected:
    """Refuse a sixth piece in the set-up."""
    message = f"the pile on {_label(position, move.cell)} has {HIGHEST} pieces; the set-up builds none higher"
    return Rejected("too-high", "focus-setup-drop", message, nearest(position, move))


def claim(position: Position, stood: int) -> Rejected:
    """Refuse a claim: `stood` says how often the position has stood, 0 in the set-up."""
    if not stood:
        return Rejected(
            "claim", "focus-setup-drop", "nothing can be claimed in the set-up; place a piece"
        )
    often = "for the first time" if stood == 1 else "for the second time"
    message = f"the position stands {often}; a draw can be claimed from the third time on"
    return Rejected("claim", "focus-draw", message)
