"""The rules of Focus (rules.md: focus-*), as pure functions on small immutable positions."""

from __future__ import annotations

from referee.core.verdict import FIRST, SECOND, Rejected
from referee.games.focus import refusals
from referee.games.focus.board import EMPTY, HEIGHTS, HIGHEST, Claim, Drop, Move, OffBoard, Shift
from referee.games.focus.state import Position, lose, times

FULL = 2 << HIGHEST
"""Piles from this number on have more than five pieces."""


def play(position: Position, move: Move) -> Position | Rejected:
    """Return the position after `move`, or why it is illegal (focus-*, all-over)."""
    mover = position.to_move
    if mover is None:
        return Rejected("game-over", "all-over", "the game is over; nothing is legal after its end")
    if type(move) is Shift:
        return _shift(position, move, mover)
    if type(move) is Drop:
        return _place(position, move, mover) if position.to_place else _drop(position, move, mover)
    if isinstance(move, OffBoard):
        if position.to_place and len(move.cells) == 2:
            return refusals.setup(position, move)
        return refusals.off_board(position, move)
    return _claim(position)


def _shift(position: Position, move: Shift, mover: int) -> Position | Rejected:
    """The top pieces of an own pile move as far as they are many (focus-move, focus-stack)."""
    origin, target, distance, pieces = move
    cells = position.cells
    pile = cells[origin]
    if pile & 1 != mover or distance != pieces or HEIGHTS[pile] < distance or not distance:
        return _no_shift(position, move, mover)
    if position.to_place or pile == EMPTY:
        return _no_shift(position, move, mover)
    left = pile >> distance
    under = cells[target]
    own, other = position.piles[mover], position.piles[1 - mover]
    if left != EMPTY:
        if left & 1 == mover:
            own += 1
        else:
            other += 1
    if under != EMPTY:
        if under & 1 == mover:
            own -= 1
        else:
            other -= 1
    changed = bytearray(cells)
    changed[origin] = left
    new = _next(position, move, mover, own, other)
    built = under << distance | pile & (1 << distance) - 1
    changed[target] = built if built < FULL else _trim(new, built, mover)
    new.cells = bytes(changed)
    if not other and not new.reserve[1 - mover]:
        lose(new, 1 - mover)
    return new


def _no_shift(position: Position, move: Shift, mover: int) -> Rejected:
    """Say which rule a move breaks, the one whose code stands first."""
    pile = position.cells[move.origin]
    if position.to_place:
        return refusals.setup(position, move)
    if pile == EMPTY:
        return refusals.empty_cell(position, move)
    if pile & 1 != mover:
        return refusals.not_yours(position, move)
    if not move.distance:
        return refusals.not_straight(position, move)
    if move.pieces != move.distance:
        return refusals.count(position, move)
    return refusals.too_far(position, move)


def _drop(position: Position, move: Drop, mover: int) -> Position | Rejected:
    """A piece goes from the reserve to any cell (focus-drop), or to no enemy pile (focus-drop-own)."""
    reserve = position.reserve
    if not reserve[mover]:
        return refusals.no_reserve(position, move)
    cell = move.cell
    under = position.cells[cell]
    own, other = position.piles[mover], position.piles[1 - mover]
    if under == EMPTY:
        own += 1
    elif under & 1 != mover:
        if position.setup.own_drops:
            return refusals.drop_enemy(position, move)
        own += 1
        other -= 1
    new = _next(position, move, mover, own, other)
    new.reserve = (reserve[0] - 1, reserve[1]) if mover == FIRST else (reserve[0], reserve[1] - 1)
    changed = bytearray(position.cells)
    built = under << 1 | mover
    changed[cell] = built if built < FULL else _trim(new, built, mover)
    new.cells = bytes(changed)
    if not other and not new.reserve[1 - mover]:
        lose(new, 1 - mover)
    return new


def _place(position: Position, move: Drop, mover: int) -> Position | Rejected:
    """A piece of the drop set-up goes to an empty cell or an own pile below five (focus-setup-drop)."""
    cell = move.cell
    under = position.cells[cell]
    own = position.piles[mover]
    if under == EMPTY:
        own += 1
    elif under & 1 != mover:
        return refusals.drop_enemy(position, move)
    elif HEIGHTS[under] == HIGHEST:
        return refusals.too_high(position, move)
    new = _next(position, move, mover, own, position.piles[1 - mover])
    changed = bytearray(position.cells)
    changed[cell] = under << 1 | mover
    new.cells = bytes(changed)
    new.to_place = position.to_place - 1
    new.past = None  # the position at the start of moving counts as its first time (focus-draw)
    return new


def _next(position: Position, move: Move, mover: int, own: int, other: int) -> Position:
    """Return the next ply's position, all but its cells, with the mover's and the other's number of piles."""
    new = Position.__new__(Position)
    new.setup, new.reserve, new.to_place = position.setup, position.reserve, 0
    new.plies = position.plies + 1
    new.to_move, new.result, new.reason = 1 - mover, "*", None
    new.piles = (own, other) if mover == FIRST else (other, own)
    new.last, new.trimmed = move, EMPTY
    new.past = (position.cells, position.reserve, mover, position.past)
    return new


def _trim(new: Position, built: int, mover: int) -> int:
    """Take pieces from the bottom until five are left (focus-capture); return the pile that stays.

    A captured piece never comes back, so no earlier position can stand again: the past ends there.
    """
    new.trimmed = lost = built >> HIGHEST
    black = lost.bit_count() - 1
    white = lost.bit_length() - 1 - black
    kept = black if mover == SECOND else white
    if kept:
        reserve = new.reserve
        new.reserve = (
            (reserve[0] + kept, reserve[1]) if mover == FIRST else (reserve[0], reserve[1] + kept)
        )
    if kept < black + white:
        new.past = None
    return built & (FULL >> 1) - 1 | FULL >> 1


def may_claim(position: Position) -> bool:
    """Whether the player to move may claim a draw (focus-draw)."""
    return position.to_move is not None and not position.to_place and times(position) >= 3


def _claim(position: Position) -> Position | Rejected:
    if not may_claim(position):
        return refusals.claim(position, 0 if position.to_place else times(position))
    return closed(position, draw_result(position), "repetition", Claim.DRAW)


def draw_result(position: Position) -> str:
    """Return the result of a draw: `1-0` with `Draw "first"` (focus-draw)."""
    return "1-0" if position.setup.first_wins_draws else "1/2-1/2"


def closed(position: Position, result: str, reason: str, last: Move | None = None) -> Position:
    """Return the position ended by a ply that moves nothing."""
    new = position.copy()
    new.plies += 1
    new.to_move, new.result, new.reason = None, result, reason
    new.last, new.trimmed = last, EMPTY
    return new
