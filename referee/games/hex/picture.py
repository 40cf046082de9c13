"""How Hex looks: the printed board with stones, and the same in characters."""

from __future__ import annotations

from pnp.paint.boards import paint_hex_board
from pnp.paint.stones import Colour, stone, with_stones
from pnp.scene import Item, Scene
from pnp.themes import Theme
from referee.core.picture import Frame, Seat
from referee.core.verdict import FIRST
from referee.games.hex.plan import plan
from referee.games.hex.rules import Position, Swap

_JOINS = {"Red": "joins top and bottom", "Blue": "joins left and right"}
_WIDTH, _LEAST, _MOST = 150.0, 5.0, 14.0
"""The picture's width in mm that is aimed at, and the least and the largest cell."""
_WIDE = 26
"""Boards with more columns have two letters at some of them."""


class HexPicture:
    """Hex behind the Picture protocol."""

    def seats(self, frame: Frame) -> tuple[Seat, Seat]:
        """Return the colours; swap-sides has the players change them."""
        red, blue = (Seat(side, does) for side, does in _JOINS.items())
        return (red, blue) if frame.position.first_is_red else (blue, red)

    def token(self, frame: Frame, player: int, size: float, theme: Theme) -> tuple[Item, ...]:
        """Return a stone of the player's present colour."""
        colour: Colour = "red" if (player == FIRST) == frame.position.first_is_red else "blue"
        return stone(colour, size / 2.0, theme)

    def scene(self, frame: Frame, theme: Theme, *, numbers: bool = False) -> Scene:
        """Return the printed board with stones; a ring on the last one, a line through the chain."""
        position: Position = frame.position
        size = position.setup.size
        cell = min(_MOST, max(_LEAST, _WIDTH / (1.5 * size)))
        board = paint_hex_board(size, cell, theme)
        index = {cell: number for number, cell in enumerate(plan(size).order)}
        stones: dict[int, Colour] = {}
        for cell, number in index.items():
            bit = plan(size).bits[cell]
            if (position.red | position.blue) & bit:
                stones[number] = "red" if position.red & bit else "blue"
        ply_numbers = stone_numbers(frame).items() if numbers else ()
        return with_stones(
            board,
            theme,
            stones,
            numbers={index[cell]: str(number) for cell, number in ply_numbers},
            last=index[position.last] if frame.moves and position.last is not None else None,
            chain=[index[plan(size).cells[label]] for label in frame.proof],
        )

    def text(self, frame: Frame, *, numbers: bool = False) -> str:
        """Return rows that slant to the right as the board does, and a line that explains the signs."""
        position: Position = frame.position
        size = position.setup.size
        signs = _signs(frame, stone_numbers(frame) if numbers else {})
        pitch = 4 if size > _WIDE else 2
        while pitch <= max(map(len, signs.values())):
            pitch += 2
        marked = frame.position.last if frame.moves else None
        labels = [plan(size).labels[cell].rstrip("0123456789") for cell in plan(size).order[:size]]
        left = len(str(size)) + 2
        half = pitch // 2
        lines = [_spread(labels, left - half, pitch)]
        for y in range(size):
            row = [signs[y * plan(size).stride + x] for x in range(size)]
            line = _spread(row, left + y * half, pitch)
            line = (
                line[: left - 2 + y * half - len(str(y + 1)) + 1]
                + str(y + 1)
                + line[left - 1 + y * half :]
            )
            if marked is not None and marked // plan(size).stride == y:
                line = _bracketed(line, left + y * half + marked % plan(size).stride * pitch)
            lines.append(f"{line}{' ' * (pitch - len(row[-1]))}{' ' if pitch == 2 else ''}{y + 1}")
        lines.append(_spread(labels, left + size * half, pitch))
        return (
            "\n".join(line.rstrip() for line in lines) + f"\n\n{_key(frame, marked is not None)}\n"
        )

    def listing(self, frame: Frame) -> str:
        """Return the stones of each colour, and the winning chain."""
        position: Position = frame.position
        board = plan(position.setup.size)
        lines = []
        for name, stones in (("Red", position.red), ("Blue", position.blue)):
            cells = [board.labels[c] for c in board.order if stones & board.bits[c]]
            lines.append(f"{name}: {' '.join(cells) or 'none'}")
        if frame.proof:
            lines.append(f"Chain: {' '.join(frame.proof)}")
        return "\n".join(lines) + "\n"

    def ply(self, frame: Frame) -> str:
        """Return the last ply's token; a swap says what it did."""
        token = frame.last or ""
        if not token.startswith("swap"):
            return token
        if frame.position.setup.swap is Swap.SIDES:
            return f"{token}, the players change colours"
        return f"{token}, the stone turns blue at {_label(frame.position)}"


def _label(position: Position) -> str:
    return plan(position.setup.size).labels[position.last] if position.last is not None else ""


def stone_numbers(frame: Frame) -> dict[int, int]:
    """Return for each stone's cell the ply that put it there; swap-pieces moves the stone of ply 1."""
    board = plan(frame.position.setup.size)
    found: dict[int, int] = {}
    for number, token in enumerate(frame.moves, 1):
        cell = board.cells.get(token)
        if cell is not None:
            found[cell] = number
        elif token.startswith("swap") and frame.position.setup.swap is Swap.PIECES:
            found = {board.mirror(c): number for c in found}
    return found


def _signs(frame: Frame, numbers: dict[int, int]) -> dict[int, str]:
    position: Position = frame.position
    board = plan(position.setup.size)
    chain = {board.cells[label] for label in frame.proof}
    signs = {}
    for cell in board.order:
        bit = board.bits[cell]
        sign = "R" if position.red & bit else "B" if position.blue & bit else "."
        sign += str(numbers.get(cell, ""))
        signs[cell] = sign.lower() if cell in chain else sign
    return signs


def _spread(parts: list[str], start: int, pitch: int) -> str:
    return " " * start + "".join(part.ljust(pitch) for part in parts)


def _bracketed(line: str, at: int) -> str:
    """Put brackets round the sign that begins at a column."""
    end = at
    while end < len(line) and line[end] != " ":
        end += 1
    line = line.ljust(end + 1)
    return f"{line[: at - 1]}[{line[at:end]}]{line[end + 1 :]}"


def _key(frame: Frame, marked: bool) -> str:
    parts = ["R Red, top to bottom", "B Blue, left to right"]
    if marked:
        parts.append("[ ] last ply")
    if frame.proof:
        parts.append("small letters: winning chain")
    return "; ".join(parts)


PICTURE = HexPicture()
