"""The rules of Lightning (rules.md: lightning-draw to lightning-exhausted), as pure functions on positions."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.verdict import FIRST, SECOND, Rejected
from referee.games.lightning import advice
from referee.games.lightning.lines import CELLS, State, grow
from referee.games.lightning.position import (
    ONE,
    Drawn,
    Move,
    OffBoard,
    Place,
    Position,
    Special,
    ToPool,
    drawable_kinds,
    next_kind,
    placings,
    unpack,
)
from referee.games.lightning.tiles import KIND_OF


def play(position: Position, move: Move) -> Position | Rejected:
    """Return the position after a move, or why it is illegal. The faults come in the order of their codes."""
    if position.to_move is None:
        return Rejected("game-over", "all-over", "the game is over; nothing is legal after its end")
    if type(move) is Place:
        return _place(position, move)
    if isinstance(move, ToPool):
        return _to_pool(position, move)
    if isinstance(move, Drawn):
        return _drawn(position, move)
    if isinstance(move, OffBoard):
        return advice.off_board(move.cell)
    return _pass(position)


def _place(position: Position, move: Place) -> Position | Rejected:
    kind, tile, from_pool = move
    cell = CELLS[tile.cell]
    line = position.lines[cell.section]
    if line.filled & cell.bit:
        return advice.occupied(position, move)
    pool, pile = position.pool, position.pile
    if from_pool:
        if position.pending is not None or not pool >> 8 * kind & 255:
            return advice.none_in_pool(position, move)
        pool -= ONE[kind]
    else:
        refused = _undrawable(position, kind)
        if refused is not None:
            return refused
        if position.pending is None:
            pile -= ONE[kind]
    if KIND_OF[tile.entry][tile.exit] != kind:
        return advice.wrong_shape(position, move)
    if line.state is State.DEAD:
        return advice.dead_line(position, move)
    if not line.joints & cell.points[tile.entry]:
        return advice.no_junction(position, move)
    new = _after(position, move, pool, pile)
    line = grow(line, tile)
    new.lines = (line, position.lines[1]) if cell.section == 0 else (position.lines[0], line)
    if line.state is State.COMPLETE:
        new.to_move, new.result, new.reason = None, "0-1" if cell.section else "1-0", "complete"
    elif line.state is State.DEAD and new.lines[1 - cell.section].state is State.DEAD:
        new.to_move, new.result, new.reason = None, "1/2-1/2", "both-dead"
    return new


def _after(position: Position, move: Move, pool: int, pile: int) -> Position:
    """Return the position one ply on, the lines as they were."""
    new = Position.__new__(Position)
    new.setup = position.setup
    new.plies = position.plies + 1
    new.to_move = SECOND if position.to_move == FIRST else FIRST
    new.result, new.reason = "*", None
    new.lines = position.lines
    new.pool, new.pile = pool, pile
    new.pending, new.passed, new.last = None, False, move
    return new


def _to_pool(position: Position, move: ToPool) -> Position | Rejected:
    refused = _undrawable(position, move.kind)
    if refused is not None:
        return refused
    one = ONE[move.kind]
    return _after(
        position,
        move,
        position.pool + one,
        position.pile - (one if position.pending is None else 0),
    )


def _drawn(position: Position, move: Drawn) -> Position | Rejected:
    if position.pending is not None:
        return advice.drawn_twice(position)
    refused = _undrawable(position, move.kind)
    if refused is not None:
        return refused
    new = position.copy()
    new.pile = position.pile - ONE[move.kind]
    new.pending = move.kind
    return new


def _pass(position: Position) -> Position | Rejected:
    """A pass is for the empty pile; the second of two in a row ends the game (lightning-exhausted)."""
    if position.pending is not None or position.pile:
        return advice.no_pass(position)
    new = _after(position, Special.PASS, position.pool, 0)
    new.passed = True
    if position.passed:
        new.to_move, new.result, new.reason = None, "1/2-1/2", "exhausted"
    return new


# -- all moves -----------------------------------------------------------------------------------------------------


def legal_moves(position: Position) -> Iterator[Move]:
    """Yield each legal move once: drawn tiles by kind, on the lines and to the pool; pool tiles; a pass."""
    if position.to_move is None:
        return
    pending = position.pending
    for kind in drawable_kinds(position) if pending is None else (pending,):
        yield from placings(position, kind, False)
        yield ToPool(kind)
    if pending is not None:
        return
    for kind, count in enumerate(unpack(position.pool)):
        if count:
            yield from placings(position, kind, True)
    if not position.pile:
        yield Special.PASS


def _undrawable(position: Position, kind: int) -> Rejected | None:
    """Return why a tile of a kind cannot have been drawn here, None where it can."""
    pending = position.pending
    if pending is not None:
        return None if pending == kind else advice.not_the_drawn_tile(position, kind)
    if not position.pile >> 8 * kind & 255:
        return advice.none_in_pile(position, kind)
    if position.setup.chance is not None:
        due = next_kind(position)
        if due != kind:
            return advice.not_the_seeds_tile(position, kind, due)
    return None
