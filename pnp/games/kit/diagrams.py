"""The drawn diagrams of the rules sheets: the same boards, pieces, cards and tiles as are printed.

For each game there are as many as its page has `text` blocks, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pnp.boards import column_letters, hexhex, rhombus
from pnp.geometry import Point
from pnp.paint import lightning
from pnp.paint.boards import PaintedBoard, paint_hex_board
from pnp.paint.cards import small_card
from pnp.paint.focus import paint_focus_board, with_setup
from pnp.paint.spiral import counter, paint_spiral_board
from pnp.paint.spiral_cells import COUNTER
from pnp.paint.stones import Colour, with_stones
from pnp.scene import Circle, Group, Item, Line, Lines, Polygon, Scene, Style, Text, Use
from pnp.themes import Theme

_WORDS = 2.9
"""Font size of captions."""


def diagrams(slug: str, theme: Theme) -> tuple[Callable[[], Scene], ...]:
    """Return what paints each diagram of a game's rules, in the order of the page."""
    painters: dict[str, tuple[Callable[[Theme], Scene], ...]] = {
        "hex": (hex_neighbours, hex_swap, hex_chain),
        "focus": (focus_start, focus_move, focus_capture),
        "spiral": (spiral_board, spiral_columns, spiral_shapes),
        "lightning": (lightning_board, lightning_tiles, lightning_end),
    }
    return tuple(partial(paint, theme) for paint in painters[slug])


# Hex


def hex_neighbours(theme: Theme) -> Scene:
    """Return a board with c3 and the six cells that it touches."""
    board = paint_hex_board(5, 9.0, theme, labels="two")
    cells = rhombus(5)
    at = cells.index("c3") or 0
    scene = with_stones(board, theme, {}, numbers={at: "c3"})
    dot = Style(fill=theme.colour("ink"))
    dots = tuple(Circle(*board.centres[n], 1.1, dot) for n in cells.neighbours[at])
    return Scene(scene.width, scene.height, (*scene.items, *dots), scene.symbols)


def hex_swap(theme: Theme) -> Scene:
    """Return the board after b4, and what becomes of it by either form of the swap."""
    boards = (
        (_hex(4, {"b4": "red"}, theme), "Red began on b4"),
        (_hex(4, {"b4": "red"}, theme), "sides: b4 stays"),
        (_hex(4, {"d2": "blue"}, theme), "pieces: Blue on d2"),
    )
    return _row(boards, 4.0, theme)


def hex_chain(theme: Theme) -> Scene:
    """Return a board on which Red has joined top and bottom."""
    stones: dict[str, Colour] = dict.fromkeys(("b1", "b2", "a3", "a4"), "red")
    stones |= dict.fromkeys(("c2", "b3", "b4"), "blue")
    picture = _hex(4, stones, theme, chain=("b1", "b2", "a3", "a4"), cell=8.0)
    return _row(((picture, "Red has joined top and bottom"),), 0.0, theme)


def _hex(
    n: int,
    stones: dict[str, Colour],
    theme: Theme,
    *,
    chain: Sequence[str] = (),
    cell: float = 5.0,
) -> Scene:
    board: PaintedBoard = paint_hex_board(n, cell, theme, labels="none")
    cells = rhombus(n)
    at = {cells.index(label) or 0: colour for label, colour in stones.items()}
    return with_stones(board, theme, at, chain=[cells.index(label) or 0 for label in chain])


# Focus


def focus_start(theme: Theme) -> Scene:
    """Return the board with all pieces at the start."""
    return with_setup(paint_focus_board(8.0, theme), theme)


def focus_move(theme: Theme) -> Scene:
    """Return piles from the side before and after two pieces go two cells."""
    before = _piles((("bww", "c3"), ("", "c4"), ("b", "c5")), theme)
    after = _piles((("b", "c3"), ("", "c4"), ("bww", "c5")), theme)
    says = ("two pieces go two cells", "Black owns c3, White c5")
    return _row(((before, says[0]), (_arrow(theme), ""), (after, says[1])), 3.0, theme)


def focus_capture(theme: Theme) -> Scene:
    """Return a pile of five on which two more land, and what leaves it from the bottom."""
    before = _piles((("bwbbw", "five"), ("ww", "two more")), theme)
    after = _piles((("bbwww", "five"), ("b", "captured"), ("w", "reserve")), theme)
    return _row(((before, "White moves two on top"), (_arrow(theme), ""), (after, "")), 3.0, theme)


def _piles(piles: Sequence[tuple[str, str]], theme: Theme) -> Scene:
    """Piles seen from the side, each from its lowest piece up in `w` and `b`, over its name."""
    width, high, step = 9.0, 2.6, 12.0
    tallest = 5
    foot = tallest * high
    ink = theme.colour("ink")
    items: list[Item] = [
        Line(((0.0, foot), (len(piles) * step, foot)), Style(stroke=ink, width=0.3))
    ]
    for k, (pile, name) in enumerate(piles):
        x = (k + 0.5) * step
        for number, letter in enumerate(pile):
            area = theme.area("white" if letter == "w" else "black")
            top = foot - (number + 1) * high
            box = (
                *((x - width / 2.0, top), (x + width / 2.0, top)),
                *((x + width / 2.0, top + high), (x - width / 2.0, top + high)),
            )
            items.append(Polygon(box, area.style(0.3)))
            middle = (x, top + high / 2.0)
            items.append(Text(*middle, letter, 2.0, area.text, "middle", "ink", "bold"))
        items.append(Text(x, foot + 3.4, name, 2.6, theme.colour("soft"), "middle"))
    return Scene(len(piles) * step, foot + 4.4, tuple(items))


def _arrow(theme: Theme) -> Scene:
    pen = Style(stroke=theme.colour("ink"), width=0.5, cap="round", join="round")
    line = Line(((0.5, 8.0), (8.0, 8.0)), pen)
    head = Line(((6.2, 6.4), (8.0, 8.0), (6.2, 9.6)), pen)
    return Scene(8.5, 16.0, (line, head))


# Spiral

DEAL = (
    *("JD 7H KC QH", "TH AD TD 8D", "JS KD JC TC", "QD AH 8S JH"),
    *("AC 7S TS QC", "7D 9S 9H KH", "9C 8H AS QS", "7C KS 9D 8C"),
)
"""The cards that the page's example of a turn is about, rows from the top."""
FORK = (1, 5, 11, 18, 22, 23, 24, 25, 26, 27)
BRIDGE = (3, 7, 12, 18, 24, 29, 33)
"""Cells of boards.hexhex(4) in reading order."""


def spiral_board(theme: Theme) -> Scene:
    """Return the board with its names and its way."""
    return paint_spiral_board(12.0, theme, labels="middle", coded=True).scene


def spiral_columns(theme: Theme) -> Scene:
    """Return the four columns of the example; the bottom cards are whole."""
    width, height, pitch, step = 13.0, 19.0, 6.6, 17.0
    top = 6.0
    items: list[Item] = []
    for column in range(4):
        x = column * step
        number = Text(x + width / 2.0, 4.0, str(column + 1), 3.6, theme.colour("soft"), "middle")
        items.append(number)
        for row, names in enumerate(DEAL):
            card = small_card(names.split()[column], width, height, theme)
            items.append(Group(card, dx=x + 0.1, dy=top + row * pitch))
    bottom = top + (len(DEAL) - 1) * pitch + height
    words = Text(1.5 * step + width / 2.0, bottom + 3.8, "these four are free", _WORDS,
                 theme.colour("ink"), "middle")  # fmt: skip
    return Scene(3 * step + width + 0.2, bottom + 5.0, (*items, words))


def spiral_shapes(theme: Theme) -> Scene:
    """Return a fork and a bridge."""
    return _row(
        ((_shape(FORK, theme), "a fork: three sides"), (_shape(BRIDGE, theme), "a bridge: two")),
        5.0,
        theme,
    )


def _shape(cells: Sequence[int], theme: Theme) -> Scene:
    cell = 5.6
    board = paint_spiral_board(cell, theme, labels="none", way=False)
    name = "kit-player"
    counters = tuple(Use(name, *board.centres[at]) for at in cells)
    symbols = {name: counter("player", COUNTER * cell, theme)}
    near = hexhex(4).neighbours
    joined = tuple(
        (*board.centres[a], *board.centres[b])
        for a in cells
        for b in cells
        if a < b and b in near[a]
    )
    pen = Style(stroke=theme.colour("ink"), width=0.7, cap="round")
    items = (*board.scene.items, *counters, Lines(joined, pen))
    return Scene(board.scene.width, board.scene.height, items, symbols)


# Lightning


def lightning_board(theme: Theme) -> Scene:
    """Return the two sections in small, with whose line runs where."""
    cell, gap, left, top = 3.4, 9.0, 15.0, 6.0
    items: list[Item] = []
    ink, soft = theme.colour("ink"), theme.colour("soft")
    width = height = 0.0
    for section, owner in enumerate(("first player's line", "second player's line")):
        scene = lightning.paint_lightning_section(section, cell, theme, labels=False).scene
        x = left + section * (scene.width + gap)
        items.append(Group(scene.items, dx=x, dy=top))
        items.append(Text(x + scene.width / 2.0, 4.0, owner, _WORDS, ink, "middle"))
        for k in (0, 7):
            letter = column_letters(k + 8 * section)
            at = x + (k + 0.5) * cell
            items.append(Text(at, top + scene.height + 3.2, letter, 2.6, soft, "middle"))
        width, height = x + scene.width, scene.height
    for y, words in ((top + cell, "far side"), (top + height - cell * 0.4, "near side")):
        items.append(Text(left - 2.0, y, words, 2.6, soft, "end"))
    for y, row in ((top + cell * 2.1, "17"), (top + height - cell * 1.5, "1")):
        items.append(Text(left - 2.0, y, f"row {row}", 2.6, soft, "end"))
    return Scene(width + 0.5, top + height + 4.4, tuple(items))


def lightning_tiles(theme: Theme) -> Scene:
    """Return the names of a tile's points, and the five kinds."""
    size, step = 12.0, 15.0
    ink = theme.colour("ink")
    items: list[Item] = []
    for k, kind in enumerate(lightning.KINDS):
        x = step * k + size / 2.0 + 0.3
        items.append(Group(lightning.tile(*lightning.SAMPLES[kind], size, theme), dx=x, dy=6.4))
        items.append(Text(x, 16.6, kind, 3.4, ink, "middle", weight="bold"))
    middle = (step * 2 + size / 2.0 + 0.3, 32.0)
    border = Style(stroke=theme.colour("border"), width=0.3)
    half = 8.0
    names = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
    square: list[Point] = []
    for k, (name, (x, y)) in enumerate(zip(names, lightning.POINTS, strict=True)):
        at = (middle[0] + x * 2.0 * half, middle[1] + y * 2.0 * half)
        out = (middle[0] + x * 2.55 * half, middle[1] + y * 2.5 * half)
        items.append(Circle(*at, 0.6, Style(fill=ink)))
        items.append(Text(*out, name, _WORDS, ink, "middle", "cap"))
        if k % 2:
            square.append(at)
    return Scene(step * 4 + size + 0.6, 44.5, (Polygon(tuple(square), border), *items))


def lightning_end(theme: Theme) -> Scene:
    """Return a line that ends at a corner, and the three cells where it may go on."""
    cell = 14.0
    border = Style(stroke=theme.colour("grid"), width=0.3)
    items: list[Item] = []
    for x, y, name in ((0, 0, "d2"), (1, 0, "e2"), (0, 1, "d1"), (1, 1, "e1")):
        box = tuple((0.3 + (x + a) * cell, 0.3 + (y + b) * cell) for a, b in _UNIT)
        items.append(Polygon(box, border))
        if name != "d1":
            middle = (0.3 + (x + 0.5) * cell, 0.3 + (y + 0.5) * cell)
            items.append(Text(*middle, name, 3.4, theme.colour("soft"), "middle", "cap"))
    tile = lightning.tile(5, 1, cell, theme)
    items.append(Group(tile, dx=0.3 + cell / 2.0, dy=0.3 + cell * 1.5))
    items += lightning.end_point((0.3 + cell, 0.3 + cell), cell, theme)
    picture = Scene(2 * cell + 0.6, 2 * cell + 0.6, tuple(items))
    return _row(((picture, "d1 ends at a corner: three cells touch it"),), 0.0, theme)


_UNIT = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def _row(pictures: Sequence[tuple[Scene, str]], gap: float, theme: Theme) -> Scene:
    """Pictures side by side, each over its caption, as wide as the wider of the two."""
    ink = theme.colour("ink")
    tallest = max(scene.height for scene, _ in pictures)
    captions = any(words for _, words in pictures)
    items: list[Item] = []
    symbols: dict[str, tuple[Item, ...]] = {}
    x = 0.0
    for scene, words in pictures:
        wide = max(scene.width, len(words) * _WORDS * 0.58)
        group = Group(
            scene.items, dx=x + (wide - scene.width) / 2.0, dy=(tallest - scene.height) / 2.0
        )
        items.append(group)
        if words:
            items.append(Text(x + wide / 2.0, tallest + 4.0, words, _WORDS, ink, "middle"))
        symbols.update(scene.symbols)
        x += wide + gap
    return Scene(x - gap, tallest + (5.2 if captions else 0.0), tuple(items), symbols)
