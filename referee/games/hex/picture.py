"""How Hex looks: the printed board with stones, and the same in characters."""

from __future__ import annotations

from pnp.geometry import Point
from pnp.paint import patterns
from pnp.paint.boards import paint_hex_board
from pnp.scene import Circle, Item, Line, Scene, Style, Text, Use
from pnp.themes import Theme
from referee.core.picture import Frame, Seat
from referee.games.hex.plan import plan
from referee.games.hex.rules import Position, Swap

_JOINS = {"Red": "joins top and bottom", "Blue": "joins left and right"}
_WIDTH, _LEAST, _MOST = 150.0, 5.0, 14.0
"""The picture's width in mm that is aimed at, and the least and the largest cell."""
_STONE = 0.4
"""A stone's radius, in cells."""
_WIDE = 26
"""Boards with more columns have two letters at some of them."""


class HexPicture:
    """Hex behind the Picture protocol."""

    def seats(self, frame: Frame) -> tuple[Seat, Seat]:
        """Return the colours; swap-sides has the players change them."""
        red, blue = (Seat(side, does) for side, does in _JOINS.items())
        return (red, blue) if frame.position.first_is_red else (blue, red)

    def scene(self, frame: Frame, theme: Theme, *, numbers: bool = False) -> Scene:
        """Return the printed board with stones; a ring on the last one, a line through the chain."""
        position: Position = frame.position
        size = position.setup.size
        cell = min(_MOST, max(_LEAST, _WIDTH / (1.5 * size)))
        board = paint_hex_board(size, cell, theme)
        middles = dict(zip(plan(size).order, board.centres, strict=True))
        items: list[Item] = list(board.scene.items)
        for role, stones in (("red", position.red), ("blue", position.blue)):
            bits = plan(size).bits
            items += [Use(f"{role}-stone", *middles[c]) for c in middles if stones & bits[c]]
        if frame.proof:
            cells = plan(size).cells
            items += _chain([middles[cells[label]] for label in frame.proof], cell, theme)
        if frame.moves and position.last is not None:
            items += _ring(middles[position.last], cell, theme)
        if numbers:
            items += _numbers(frame, middles, cell, theme)
        return Scene(
            board.scene.width,
            board.scene.height,
            tuple(items),
            {**board.scene.symbols, **_stones(cell, theme)},
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


def _stones(cell: float, theme: Theme) -> dict[str, tuple[Item, ...]]:
    return {
        f"{role}-stone": patterns.circle(
            0.0, 0.0, _STONE * cell, theme.area(role), width=0.03 * cell, mark=0.035 * cell
        )
        for role in ("red", "blue")
    }


def _chain(points: list[Point], cell: float, theme: Theme) -> list[Item]:
    """A line through the stones that won; a chain of one stone is a dot."""
    if len(points) == 1:
        points = [points[0], points[0]]
    return [
        Line(tuple(points), Style(stroke=colour, width=width * cell, cap="round", join="round"))
        for colour, width in ((theme.colour("ink"), 0.2), (theme.colour("chain"), 0.12))
    ]


def _ring(at: Point, cell: float, theme: Theme) -> list[Item]:
    return [
        Circle(*at, 0.43 * cell, Style(stroke=theme.colour("ink"), width=0.13 * cell)),
        Circle(*at, 0.43 * cell, Style(stroke=theme.colour("last"), width=0.085 * cell)),
    ]


def _numbers(frame: Frame, middles: dict[int, Point], cell: float, theme: Theme) -> list[Item]:
    """The numbers of the plies on their stones, on a plate where a line runs below them."""
    position: Position = frame.position
    bits = plan(position.setup.size).bits
    chain = {plan(position.setup.size).cells[label] for label in frame.proof}
    items: list[Item] = []
    for number_cell, number in stone_numbers(frame).items():
        area = theme.area("red" if position.red & bits[number_cell] else "blue")
        at, size = middles[number_cell], cell * (0.36 if number < 100 else 0.27)
        if number_cell in chain:
            items.append(Circle(*at, 0.27 * cell, Style(fill=area.fill)))
        items.append(Text(*at, str(number), size, area.text, "middle", "ink", "bold"))
    return items


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
