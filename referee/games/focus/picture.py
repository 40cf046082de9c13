"""How Focus looks: the printed board with piles, reserves and captures beside it; and the same in characters."""

from __future__ import annotations

from pnp.paint.focus import frame as cell_frame
from pnp.paint.focus import paint_focus_board, piece, pile
from pnp.scene import Group, Item, Scene, Text, Use
from pnp.themes import Theme
from referee.core.picture import Frame, Seat
from referee.games.focus.board import (
    COLOURS,
    EMPTY,
    LETTERS,
    PIECES,
    ROW_LENGTHS,
    TEXTS,
    Claim,
    Drop,
    Rows,
    Shift,
    decode,
    names,
)
from referee.games.focus.state import Position

CELL = 14.0
"""The cells of a diagram, in mm."""
_PANEL = 40.0
"""The width of the reserves and captures beside the board, in mm."""
_PITCH = 7
"""Columns of text a cell: five pieces and a bracket on either side."""


class FocusPicture:
    """Focus behind the Picture protocol."""

    def seats(self, frame: Frame) -> tuple[Seat, Seat]:
        """Return the colours."""
        return (Seat("White"), Seat("Black"))

    def token(self, frame: Frame, player: int, size: float, theme: Theme) -> tuple[Item, ...]:
        """Return a piece of the player's."""
        return piece(COLOURS[player], size, theme)

    def scene(self, frame: Frame, theme: Theme, *, numbers: bool = False) -> Scene:
        """Return the board with its piles; a frame where the last ply ended, a dashed one where it came from."""
        position: Position = frame.position
        board = paint_focus_board(CELL, theme, rows_from_top=position.setup.rows is Rows.TOP)
        symbols: dict[str, tuple[Item, ...]] = {}
        items: list[Item] = list(board.scene.items)
        for cell, dashed in _marked(position).items():
            items += cell_frame(board.centres[cell], CELL, theme, dashed=dashed)
        for cell, standing in enumerate(position.cells):
            if standing != EMPTY:
                text = TEXTS[standing]
                symbols.setdefault(f"pile-{text}", pile(text, CELL, theme))
                items.append(Use(f"pile-{text}", *board.centres[cell]))
        width, height = board.scene.width, board.scene.height
        for player in (0, 1):
            top = height - height / 2 * (player + 1)
            panel = _panel(position, player, theme)
            items.append(Group(panel, dx=width + 4.0, dy=top + 8.0))
        return board.scene._replace(width=width + 4.0 + _PANEL, items=tuple(items), symbols=symbols)

    def text(self, frame: Frame, *, numbers: bool = False) -> str:
        """Return the rows from the top with each pile from bottom to top, its owner a capital letter."""
        position: Position = frame.position
        marked = {cell for cell, dashed in _marked(position).items() if not dashed}
        left = {cell for cell, dashed in _marked(position).items() if dashed}
        lines = []
        cell = 0
        for row, length in enumerate(ROW_LENGTHS):
            label = names(position.setup.rows).labels[cell][1:]
            line = f" {label} " + " " * (_PITCH * ((8 - length) // 2))
            for _ in range(length):
                sign = _shown(position.cells[cell])
                sign = (
                    f"[{sign}]" if cell in marked else f"({sign})" if cell in left else f" {sign} "
                )
                line += sign.center(_PITCH)
                cell += 1
            lines.append(line.rstrip() + ("" if row == 7 else "\n"))
        foot = "   " + "".join(letter.center(_PITCH) for letter in "abcdefgh")
        key = "piles from bottom to top, w White, b Black, the top piece (its owner) a capital"
        if marked:
            key += ";\n[ ] where the last ply ended" + (", ( ) where it came from" if left else "")
        return "\n".join([*lines, foot.rstrip(), "", key]) + "\n"

    def listing(self, frame: Frame) -> str:
        """Return each player's piles, single pieces by their cell alone, and what is beside the board."""
        position: Position = frame.position
        labels = names(position.setup.rows).labels
        lines = []
        for player, colour in enumerate(COLOURS):
            own = [
                labels[cell] + (f"({TEXTS[standing]})" if len(TEXTS[standing]) > 1 else "")
                for cell, standing in enumerate(position.cells)
                if standing != EMPTY and standing & 1 == player
            ]
            lines.append(f"{colour.capitalize()}: {' '.join(own) or 'none'}")
        for player, colour in enumerate(COLOURS):
            parts = ", ".join(
                f"{what} {count}" for what, count in _beside(position, player).items()
            )
            lines.append(f"{colour.capitalize()} beside the board: {parts}")
        return "\n".join(lines) + "\n"

    def ply(self, frame: Frame) -> str:
        """Return the last ply's token, with what it took from the bottom of its pile."""
        position: Position = frame.position
        token = frame.last or ""
        if isinstance(position.last, Claim) or not position.last or position.trimmed in (0, EMPTY):
            return token
        pieces = decode(position.trimmed)
        mover = 1 - position.to_move if position.to_move is not None else None
        if mover is None:
            mover = (len(frame.moves) - 1) % 2
        own = pieces.count(LETTERS[mover])
        parts = [f"{own} to the reserve"] if own else []
        parts += [f"{len(pieces) - own} captured"] if len(pieces) > own else []
        return f"{token} ({', '.join(parts)})"


def _marked(position: Position) -> dict[int, bool]:
    """Return the cells of the last ply: false for where it ended, true for where it came from."""
    if isinstance(position.last, Shift):
        return {position.last.origin: True, position.last.target: False}
    return {position.last.cell: False} if isinstance(position.last, Drop) else {}


def _shown(standing: int) -> str:
    if standing == EMPTY:
        return "."
    text = TEXTS[standing]
    return text[:-1] + text[-1].upper()


def _beside(position: Position, player: int) -> dict[str, int]:
    """Return how many of a player's pieces wait to be placed, are in reserve, are captured."""
    on_board = sum(
        TEXTS[standing].count(LETTERS[player]) for standing in position.cells if standing != EMPTY
    )
    waiting = (position.to_place + 1 - player) // 2 if position.to_place else 0
    captured = max(0, PIECES - on_board - position.reserve[player] - waiting)
    found = {"to place": waiting} if position.to_place else {}
    by = f"captured by {COLOURS[1 - player].capitalize()}"
    return found | {"reserve": position.reserve[player], by: captured}


def _panel(position: Position, player: int, theme: Theme) -> tuple[Item, ...]:
    """What a player has beside the board: the words, and the pieces in rows of six."""
    ink, soft = theme.colour("ink"), theme.colour("soft")
    items: list[Item] = [Text(0.0, 0.0, COLOURS[player].capitalize(), 4.2, ink, weight="bold")]
    y = 6.0
    for what, count in _beside(position, player).items():
        items.append(Text(0.0, y, f"{what}: {count}", 3.4, ink if count else soft))
        y += 2.0
        if not what.startswith("captured"):
            for number in range(count):
                spot = (2.3 + number % 6 * 5.2, y + 2.0 + number // 6 * 5.2)
                items.append(Group(piece(COLOURS[player], 4.4, theme), dx=spot[0], dy=spot[1]))
            y += 5.2 * ((count + 5) // 6)
        y += 4.6
    return tuple(items)


PICTURE = FocusPicture()
