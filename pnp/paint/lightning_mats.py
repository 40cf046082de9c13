"""What lies beside Lightning's board: the mat for pool and stock, and the reference card. Pure, in mm."""

from __future__ import annotations

from pnp.fonts import FontSet
from pnp.geometry import Point
from pnp.paint import lightning, patterns, tiles
from pnp.scene import Circle, Group, Item, Polygon, Scene, Style, Text
from pnp.themes import Theme
from pnp.tiles import track

KINDS = lightning.KINDS
STOCK_PILES = 15
"""Places for face-down piles on the mat, in rows of five."""
CARD = (92.0, 130.0)
"""The reference card: four on A4."""

_SLOT, _GAP, _PAD, _HEAD = 3.0, 4.0, 4.0, 10.0
"""How much a slot is larger than a tile; between slots; round the mat; the line of a heading."""

_SAYS = (
    ("Your turn", "Do one of these. Choose between pile and pool before you see a tile."),
    ("", "• draw a tile and place it, on your line or on the other one"),
    ("", "• draw a tile and leave it face up in the pool"),
    ("", "• take a tile from the pool and place it"),
    (
        "Place",
        "A line starts on any cell of row 1, from the near edge. Then the next tile goes on an",
    ),
    (
        "",
        "empty cell that touches the line's end, across a corner too, and carries the line on from",
    ),
    ("", "that very point. Tiles are turned, never flipped."),
    (
        "Blocked",
        "No empty cell touches the end: branch off at the point furthest advanced, among all",
    ),
    ("", "points of the line that touch an empty cell."),
    ("Win", "Your line ends on the far edge, and no empty cell touches that end."),
    ("Dead", "Row 17 is full, or a blocked line cannot branch. Two dead lines draw the game."),
    (
        "Write",
        "III@d1:s-ne drawn and placed; III@pool left in the pool; pool:III@d1:s-ne taken from",
    ),
    ("", "the pool; pass with the pile empty."),
)


def mat_size(tile: float) -> tuple[float, float]:
    """Return the width and height in mm of the mat for tiles of `tile` mm."""
    slot, rows = tile + _SLOT, 1 + STOCK_PILES // len(KINDS)
    across = len(KINDS) * slot + (len(KINDS) - 1) * _GAP
    return (across + 2 * _PAD, 2 * _PAD + 2 * _HEAD + rows * (slot + _GAP) + _GAP)


def paint_mat(tile: float, total: int, theme: Theme) -> Scene:
    """Return the mat: a place for each kind face up, and places for `total` tiles face down."""
    width, height = mat_size(tile)
    slot = tile + _SLOT
    area, soft = theme.area("mat"), theme.colour("soft")
    items: list[Item] = []
    base = _PAD + _HEAD
    items += _heading("Pool", "face up, a pile for each kind", base, theme)
    for k, kind in enumerate(KINDS):
        x = _PAD + k * (slot + _GAP)
        items += _slot(x, base, slot, theme)
        corners = lightning.square(tile)
        line = track(lightning.kind_mark(kind), corners)
        pale = tiles.stroke(
            line, corners, tiles.Look(width=lightning.MARK * tile), theme.colour("pale")
        )
        middle = (x + slot / 2.0, base + slot / 2.0)
        items.append(Group((pale,), clip=corners, dx=middle[0], dy=middle[1]))
        size = min(tile * 0.16, 4.0)
        items.append(Text(x + 1.2, base + 1.2 + size * 0.73, kind, size, area.text, weight="bold"))
    base += slot + _GAP + _HEAD
    each = -(-total // STOCK_PILES)
    how = f"face down, {each} to a pile" if each else "face down"
    items += _heading("Stock", how, base, theme)
    for k in range(STOCK_PILES):
        row, column = divmod(k, len(KINDS))
        x, y = _PAD + column * (slot + _GAP), base + row * (slot + _GAP)
        items += _slot(x, y, slot, theme)
        number = (x + slot / 2.0, y + slot / 2.0)
        items.append(Text(*number, str(k + 1), min(tile * 0.2, 5.0), soft, "middle", "cap"))
    return Scene(width, height, tuple(items), title="Lightning mat")


def _heading(word: str, rest: str, base: float, theme: Theme) -> list[Item]:
    return [
        Text(_PAD, base - 2.4, word, 5.0, theme.colour("ink"), weight="bold"),
        Text(_PAD + 20.0, base - 2.4, rest, 3.4, theme.colour("soft")),
    ]


def _slot(x: float, y: float, size: float, theme: Theme) -> tuple[Item, ...]:
    corners = ((x, y), (x + size, y), (x + size, y + size), (x, y + size))
    return patterns.polygon(corners, theme.area("mat"), width=0.3)


def reference_card(theme: Theme, fonts: FontSet) -> tuple[Item, ...]:
    """Return the reference card about (0, 0): the kinds, the points, a turn, how a move is written."""
    left, top = -CARD[0] / 2.0 + 5.0, -CARD[1] / 2.0 + 5.0
    ink = theme.colour("ink")
    width = CARD[0] - 10.0
    items: list[Item] = [Text(left, top + 4.6, "Lightning", 5.6, ink, weight="bold")]
    size, pitch = 13.0, (width - 13.0) / 4.0
    for k, kind in enumerate(KINDS):
        x, y = left + size / 2.0 + k * pitch, top + 9.0 + size / 2.0
        items.append(Group(lightning.tile(*lightning.SAMPLES[kind], size, theme), dx=x, dy=y))
        items.append(Text(x, y + size / 2.0 + 3.6, kind, 3.2, ink, "middle", weight="bold"))
    items += _compass((left + width - 13.5, top + 41.5), 15.0, theme)
    y = top + 33.0
    for head, text in _paragraphs():
        narrow = y < top + 54.0
        room = width - (31.0 if narrow else 0.0)
        items_, y = _set(head, text, left, y, room, theme, fonts)
        items += items_
    return tuple(items)


def _paragraphs() -> list[tuple[str, str]]:
    """The lines of the card joined to paragraphs: each heading and each bullet begins one."""
    found: list[tuple[str, str]] = []
    for head, text in _SAYS:
        if head or text.startswith("•"):
            found.append((head, text))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {text}")
    return found


_TEXT, _LEADING = 2.7, 3.7


def _set(
    head: str, text: str, x: float, y: float, width: float, theme: Theme, fonts: FontSet
) -> tuple[list[Item], float]:
    """Set a paragraph from baseline `y` on; return it and the baseline of the next."""
    ink = theme.colour("ink")
    items: list[Item] = []
    if head:
        y += 1.2
        items.append(Text(x, y, head, _TEXT, ink, weight="bold"))
    first = fonts.width(f"{head}  ", _TEXT, "bold") if head else 0.0
    hang = fonts.width("• ", _TEXT) if text.startswith("•") else 0.0
    line, start = "", first
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and start + fonts.width(longer, _TEXT) > width:
            items.append(Text(x + start, y, line, _TEXT, ink))
            line, start, y = word, hang, y + _LEADING
        else:
            line = longer
    items.append(Text(x + start, y, line, _TEXT, ink))
    return items, y + _LEADING


def _compass(middle: Point, size: float, theme: Theme) -> list[Item]:
    """Return a tile with its eight points named; n is the far edge."""
    x, y = middle
    ink, soft = theme.colour("ink"), theme.colour("soft")
    corners = tuple((x + a, y + b) for a, b in lightning.square(size))
    items: list[Item] = [Polygon(corners, Style(stroke=theme.colour("border"), width=0.25))]
    names = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
    for name, (dx, dy) in zip(names, lightning.POINTS, strict=True):
        px, py = x + dx * size, y + dy * size
        items.append(Circle(px, py, 0.6, Style(fill=ink)))
        items.append(Text(px + dx * 6.0, py + dy * 5.6, name, 2.8, ink, "middle", "cap"))
    items.append(Text(x, y, "n is far", 2.6, soft, "middle", "cap"))
    return items
