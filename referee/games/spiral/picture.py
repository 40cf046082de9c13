"""How Spiral looks: the printed board with counters and the cards in their columns; and the same in characters."""

from __future__ import annotations

from pnp.geometry import Point
from pnp.paint.cards import small_card
from pnp.paint.spiral import COUNTER, counter, paint_spiral_board, ring, shape
from pnp.scene import Circle, Group, Item, Scene, Style, Text, Use
from pnp.spiral_layout import ROWS, WAY, standard
from pnp.themes import Theme
from referee.core.picture import Frame, Seat
from referee.games.spiral.cards import CARDS, pair_text
from referee.games.spiral.rules import Piece, Position

CELL = 15.0
"""The cells of a diagram, in mm."""
_CARD_WIDTH, _CARD_HEIGHT = 15.0, 22.0
_CARD_PITCH, _COLUMN = 8.2, 18.0
"""How far apart the cards of a column and the columns lie, in mm."""
_PITCH = 6
"""Columns of text a cell."""


class SpiralPicture:
    """Spiral behind the Picture protocol."""

    def seats(self, frame: Frame) -> tuple[Seat, Seat]:
        """Return the player and Dr. Brooks."""
        return (Seat("Player"), Seat("Dr. Brooks"))

    def token(self, frame: Frame, player: int, size: float, theme: Theme) -> tuple[Item, ...]:
        """Return a counter."""
        return counter("brooks" if player else "player", size, theme)

    def scene(self, frame: Frame, theme: Theme, *, numbers: bool = False) -> Scene:
        """Return the board and the columns; rings round the last turn's counters, lines through the shape that won."""
        position: Position = frame.position
        board = paint_spiral_board(CELL, theme, coded=True)
        way = standard().way
        places = {cell: board.places[way[cell]] for cell in range(len(WAY))}
        items: list[Item] = list(board.scene.items)
        for cell, role in _counters(position).items():
            items.append(Use(f"spiral-{role}", *places[cell]))
        for piece in position.last:
            items += ring(places[piece.cell], CELL, theme)
        if frame.proof:
            items += shape([places[WAY.index(label)] for label in frame.proof], CELL, theme)
        if numbers:
            items += _numbers(frame, places, theme)
        left = board.scene.width + 8.0
        items += _cards(position, left, theme)
        counters = {f"spiral-{r}": counter(r, COUNTER * CELL, theme) for r in ("player", "brooks")}
        symbols = {**board.scene.symbols, **counters}
        width = left + 3 * _COLUMN + _CARD_WIDTH + 0.2
        return board.scene._replace(width=width, items=tuple(items), symbols=symbols)

    def text(self, frame: Frame, *, numbers: bool = False) -> str:
        """Return the rows of the board, each cell with its name and whose counter it holds; the columns below."""
        position: Position = frame.position
        signs = _signs(frame)
        at = {index: cell for cell, index in enumerate(standard().way)}
        lines = []
        index = 0
        for row, length in enumerate(ROWS):
            line = " " * (_PITCH // 2 * (max(ROWS) - length))
            for _ in range(length):
                line += signs[at[index]].center(_PITCH)
                index += 1
            lines.append(line.rstrip() + ("" if row == len(ROWS) - 1 else "\n"))
        key = "p player, b Dr. Brooks before the name of a cell"
        if position.last:
            key += "; [ ] last turn"
        if frame.proof:
            key += "; capitals: what won"
        lines += [
            "",
            key,
            "The way runs inwards by the cells' names, 77 78 … KA AA, to the middle ().",
            "",
        ]
        return "\n".join(lines + _columns(position)) + "\n"

    def listing(self, frame: Frame) -> str:
        """Return each side's cells along the spiral, the shape that won, and the columns from the top."""
        position: Position = frame.position
        counters = _counters(position)
        lines = []
        for role, name in (("player", "Player"), ("brooks", "Dr. Brooks")):
            cells = [WAY[cell] for cell, whose in counters.items() if whose == role]
            lines.append(f"{name}: {' '.join(cells) or 'none'}")
        if frame.proof:
            lines.append(f"{(position.reason or '').capitalize()}: {' '.join(frame.proof)}")
        for number, column in enumerate(position.columns, 1):
            cards = " ".join(CARDS[card] for card in column) or "no card"
            lines.append(f"Column {number}, top to bottom: {cards}")
        return "\n".join(lines) + "\n"

    def ply(self, frame: Frame) -> str:
        """Return the turn's cards and where each piece went; of Dr. Brooks' cards too."""
        position: Position = frame.position
        if not position.last:
            return frame.last or ""
        own = [_placed(piece) for piece in position.last if not piece.brooks]
        hers = [_placed(piece) for piece in position.last if piece.brooks]
        return "; ".join(own + ([f"Dr. Brooks {', '.join(hers)}"] if hers else []))


def _placed(piece: Piece) -> str:
    cards = pair_text(piece.one, piece.other)
    if piece.cell == piece.named:
        return f"{cards} on {WAY[piece.cell]}"
    return f"{cards} on {WAY[piece.cell]} ({WAY[piece.named]} was filled)"


def _counters(position: Position) -> dict[int, str]:
    """Return whose counter lies on each filled cell, cells along the spiral."""
    return {
        cell: "player" if position.own >> cell & 1 else "brooks"
        for cell in range(len(WAY))
        if position.filled >> cell & 1
    }


def _signs(frame: Frame) -> dict[int, str]:
    position: Position = frame.position
    counters = _counters(position)
    last = {piece.cell for piece in position.last}
    signs = {}
    for cell, label in enumerate(WAY):
        sign = {"player": "p", "brooks": "b"}.get(counters.get(cell, ""), "")
        if label in frame.proof:
            sign = sign.upper()
        signs[cell] = f"[{sign}{label}]" if cell in last else f"{sign}{label} "
    return signs


def _columns(position: Position) -> list[str]:
    """The columns side by side, the free cards at their lower ends."""
    lines = ["column 1    2    3    4"]
    for row in range(max((len(column) for column in position.columns), default=0)):
        cards = [CARDS[column[row]] if row < len(column) else "" for column in position.columns]
        lines.append("       " + "".join(card.ljust(5) for card in cards).rstrip())
    return lines if len(lines) > 1 else ["no cards have been dealt"]


def _numbers(frame: Frame, places: dict[int, Point], theme: Theme) -> list[Item]:
    """The number of its turn on each counter, on a plate that hides what runs below it."""
    items: list[Item] = []
    for number, position in enumerate(frame.positions[: len(frame.moves)], 1):
        for piece in position.last:
            area = theme.area("brooks" if piece.brooks else "player")
            at, size = places[piece.cell], CELL * (0.3 if number < 10 else 0.25)
            items.append(Circle(*at, CELL * 0.21, Style(fill=area.fill)))
            items.append(Text(*at, str(number), size, area.text, "middle", "ink", "bold"))
    return items


def _cards(position: Position, left: float, theme: Theme) -> list[Item]:
    """The columns beside the board, each from the top; the free card lies whole at the bottom."""
    soft = theme.colour("soft")
    items: list[Item] = []
    for number, column in enumerate(position.columns):
        x = left + number * _COLUMN
        items.append(Text(x + _CARD_WIDTH / 2.0, 4.0, str(number + 1), 3.6, soft, "middle"))
        for row, card in enumerate(column):
            y = 6.0 + row * _CARD_PITCH
            items.append(
                Group(small_card(CARDS[card], _CARD_WIDTH, _CARD_HEIGHT, theme), dx=x, dy=y)
            )
    return items


PICTURE = SpiralPicture()
