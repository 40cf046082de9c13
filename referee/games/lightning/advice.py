"""How a refused Lightning move reads: the fault, where the line can be joined, and the nearest legal moves."""

from __future__ import annotations

from referee.core.verdict import Rejected
from referee.games.lightning.lines import CELLS, WIDTH, State
from referee.games.lightning.position import (
    Move,
    Place,
    Position,
    Special,
    ToPool,
    drawable_kinds,
    placings,
    unpack,
)
from referee.games.lightning.text import format_move
from referee.games.lightning.tiles import EACH, KIND_OF, KINDS, MARKS, POINTS

_MOST = 4
_OWNER = ("first", "second")


def _line_name(section: int) -> str:
    return f"the {_OWNER[section]} player's line"


def nearest(position: Position, move: Place, most: int = _MOST) -> tuple[str, ...]:
    """Return the tokens of the legal places for the same tile from the same source, nearest to its cell first.

    Of places equally near, those with the same entry and exit come first. The other line's places are named only
    where the line that was meant has none.
    """
    wanted = CELLS[move.tile.cell]

    def far(place: Place) -> tuple[int, int, int]:
        cell = CELLS[place.tile.cell]
        across = cell.column - wanted.column + WIDTH * (cell.section - wanted.section)
        away = across**2 + (cell.row - wanted.row) ** 2
        same = (place.tile.entry == move.tile.entry) + (place.tile.exit == move.tile.exit)
        return (away, -same, place.tile.cell)

    places = list(placings(position, move.kind, move.from_pool))
    here = [place for place in places if CELLS[place.tile.cell].section == wanted.section]
    return tuple(format_move(place) for place in sorted(here or places, key=far)[:most])


def _at_hand(position: Position, kind: int, from_pool: bool) -> bool:
    if from_pool:
        return position.pending is None and unpack(position.pool)[kind] > 0
    return position.pending == kind or kind in drawable_kinds(position)


def _would(position: Position, move: Place) -> tuple[str, ...]:
    """Return the nearest legal places, and for a drawn tile the pool."""
    if not _at_hand(position, move.kind, move.from_pool):
        return ()
    if move.from_pool:
        return nearest(position, move)
    return (*nearest(position, move, _MOST - 1), format_move(ToPool(move.kind)))


def _listed(kinds: tuple[int, ...]) -> str:
    return ", ".join(KINDS[kind] for kind in kinds)


def _pool_kinds(position: Position) -> tuple[int, ...]:
    return tuple(kind for kind, count in enumerate(unpack(position.pool)) if count)


def _is_legal(position: Position, move: Move) -> bool:
    """Whether a placement of a tile that is known to be at hand fits the lines."""
    return isinstance(move, Place) and move in placings(position, move.kind, move.from_pool)


# -- faults, in the order of their codes ---------------------------------------------------------------------------


def off_board(cell: str) -> Rejected:
    """A cell's form that is no cell (lightning-board)."""
    message = f"{cell} is no cell of the board; section 1 is a1 to h17, section 2 is i1 to p17"
    return Rejected("off-board", "lightning-board", message)


def occupied(position: Position, move: Place) -> Rejected:
    """A cell that holds a tile (lightning-end)."""
    label = CELLS[move.tile.cell].label
    message = f"{label} already holds a tile; {_joints(position, CELLS[move.tile.cell].section)}"
    return Rejected("occupied", "lightning-end", message, _would(position, move))


def not_the_drawn_tile(position: Position, kind: int) -> Rejected:
    """Another tile than the one drawn and waiting (lightning-draw)."""
    assert position.pending is not None
    waiting = KINDS[position.pending]
    message = f"{waiting} is drawn and waits for its place; place it, or write {waiting}@pool, not {KINDS[kind]}"
    return Rejected("no-tile", "lightning-draw", message, (f"{waiting}@pool",))


def drawn_twice(position: Position) -> Rejected:
    """A second draw before the first tile is placed (lightning-draw)."""
    assert position.pending is not None
    waiting = KINDS[position.pending]
    message = (
        f"{waiting} is drawn already; place it, or write {waiting}@pool, before another is drawn"
    )
    return Rejected("no-tile", "lightning-draw", message, (f"{waiting}@pool",))


def none_in_pile(position: Position, kind: int) -> Rejected:
    """A drawn tile of which none is left to draw (lightning-draw)."""
    kinds = drawable_kinds(position)
    if not position.pile:
        message = "the pile is empty; take a tile from the pool, or pass"
        return Rejected("no-tile", "lightning-draw", message, (Special.PASS.value,))
    message = (
        f"all {EACH} tiles of kind {KINDS[kind]} have left the pile; it can give {_listed(kinds)}"
    )
    return Rejected(
        "no-tile", "lightning-draw", message, tuple(format_move(ToPool(k)) for k in kinds[:_MOST])
    )


def not_the_seeds_tile(position: Position, kind: int, due: int | None) -> Rejected:
    """A drawn tile that the seed does not give here (lightning-draw; mail.md, Chance)."""
    assert due is not None  # the pile is not empty
    message = f"the seed gives {KINDS[due]} as the next tile, not {KINDS[kind]}"
    return Rejected("no-tile", "lightning-draw", message, (f"{KINDS[due]}@pool",))


def none_in_pool(position: Position, move: Place) -> Rejected:
    """A pool tile that is not in the pool, or not to be had while a drawn one waits (lightning-draw)."""
    if position.pending is not None:
        waiting = KINDS[position.pending]
        message = f"{waiting} is drawn and waits for its place, so no tile is taken from the pool"
        return Rejected("no-tile", "lightning-draw", message, (f"{waiting}@pool",))
    kinds = _pool_kinds(position)
    held = f"it holds {_listed(kinds)}" if kinds else "it is empty"
    message = f"the pool holds no {KINDS[move.kind]}; {held}"
    others = [move._replace(from_pool=False)] if move.kind in drawable_kinds(position) else []
    mark = KIND_OF[move.tile.entry][move.tile.exit]
    if mark is not None and mark in kinds:
        others.append(move._replace(kind=mark))
    would = tuple(format_move(other) for other in others if _is_legal(position, other))
    return Rejected("no-tile", "lightning-draw", message, would)


def wrong_shape(position: Position, move: Place) -> Rejected:
    """Points that are not the two ends of that kind's mark (lightning-tiles)."""
    kind, (_, entry, leaving), _ = move
    joined = f"{POINTS[entry]}-{POINTS[leaving]}"
    other = KIND_OF[entry][leaving]
    if entry == leaving:
        said = "a tile leads to another point than its entry"
    elif other is None:
        said = f"no tile joins {POINTS[entry]} and {POINTS[leaving]}"
    else:
        said = f"{joined} is the mark of kind {KINDS[other]}"
    message = f"{said}; kind {KINDS[kind]} leads from {MARKS[kind]}, or backwards"
    return Rejected("tile-shape", "lightning-tiles", message, _would(position, move))


def dead_line(position: Position, move: Place) -> Rejected:
    """A placement on a dead line (lightning-dead)."""
    section = CELLS[move.tile.cell].section
    message = f"{_line_name(section)} is dead and takes no more tiles; play on the other line or to the pool"
    return Rejected("dead-line", "lightning-dead", message, _would(position, move))


def no_junction(position: Position, move: Place) -> Rejected:
    """A tile whose entry does not join the line (lightning-start, lightning-end, lightning-branch)."""
    section = CELLS[move.tile.cell].section
    line = position.lines[section]
    if line.tile is None:
        rule = "lightning-start"
    else:
        rule = "lightning-end" if line.state is State.OPEN else "lightning-branch"
    entry = f"the entry at {CELLS[move.tile.cell].label}:{POINTS[move.tile.entry]} does not join the line"
    return Rejected(
        "junction", rule, f"{entry}; {_joints(position, section)}", _would(position, move)
    )


def _joints(position: Position, section: int) -> str:
    """Say in words where the next tile of a line is entered."""
    line = position.lines[section]
    name = _line_name(section)
    if line.state is State.DEAD:
        return f"{name} is dead"
    if line.tile is None:
        return f"{name} starts on row 1 with its entry at sw, s or se"
    names: dict[int, str] = {}
    for tile in line.tiles():
        label = CELLS[tile.cell].label
        names[tile.start_at] = f"{label}:{POINTS[tile.entry]}"
        names[tile.end_at] = f"{label}:{POINTS[tile.exit]}"
    places = " or ".join(name for point, name in names.items() if point & line.joints)
    if line.state is State.OPEN:
        return f"{name} goes on from its end, {places}"
    return f"{name} is blocked at its end and branches from {places}"


def no_pass(position: Position) -> Rejected:
    """A pass with tiles in the pile, or with a drawn tile in hand (lightning-exhausted)."""
    if position.pending is not None:
        waiting = KINDS[position.pending]
        message = f"{waiting} is drawn and waits for its place; place it, or write {waiting}@pool"
        return Rejected("pass", "lightning-draw", message, (f"{waiting}@pool",))
    left = sum(unpack(position.pile))
    message = (
        f"the pile still has {left} tile{'s' if left > 1 else ''}, so nobody may pass; draw one"
    )
    return Rejected("pass", "lightning-exhausted", message)
