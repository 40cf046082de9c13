"""How Lightning looks: both printed sections with their lines, pool and pile beside them; and in characters."""

from __future__ import annotations

from pnp.paint import lightning as paint
from pnp.paint import patterns
from pnp.scene import Circle, Group, Item, Scene, Style, Text, Use
from pnp.themes import Theme
from referee.core.picture import Frame, Seat
from referee.games.lightning.lines import CELLS, HEIGHT, INDEX, WIDTH, Line, State, Tile
from referee.games.lightning.position import Place, Position, ToPool, unpack
from referee.games.lightning.text import format_tile
from referee.games.lightning.tiles import KINDS, POINTS

CELL = 9.0
"""The cells of a diagram, in mm."""
_GAP = 5.0
_PANEL = 40.0
_SAMPLES = ((4, 0), (5, 1), (5, 0), (5, 2), (5, 3))
"""Entry and exit of the tile that stands for each kind in the stock."""
_PITCH = 8
"""Columns of text a cell: two points of two letters, a dash, brackets, a blank."""


class LightningPicture:
    """Lightning behind the Picture protocol."""

    def seats(self, frame: Frame) -> tuple[Seat, Seat]:
        """Return the players and their sections."""
        return (Seat("first", "has section 1, a to h"), Seat("second", "has section 2, i to p"))

    def token(self, frame: Frame, player: int, size: float, theme: Theme) -> tuple[Item, ...]:
        """Return a square with the pattern of the player's boundaries."""
        half = size * 0.42
        square = ((-half, -half), (half, -half), (half, half), (-half, half))
        area = theme.area("blue-edge" if player else "red-edge")
        return patterns.polygon(square, area, width=0.15, pitch=size * 0.24, mark=size * 0.08)

    def scene(self, frame: Frame, theme: Theme, *, numbers: bool = False) -> Scene:
        """Return both sections; the last tile framed, each line's end a dot, points to branch from rings."""
        position: Position = frame.position
        items: list[Item] = []
        symbols: dict[str, tuple[Item, ...]] = {}
        x = 0.0
        for number, line in enumerate(position.lines):
            section = paint.paint_lightning_section(number, CELL, theme, edge_labels=True)
            over = [*section.scene.items, *_line(frame, line, section, theme, symbols)]
            if numbers:
                over += _numbers(frame, number, section, theme)
            items.append(Group(tuple(over), dx=x))
            x += section.scene.width + _GAP
        items.append(Group(_stock(position, theme), dx=x, dy=2.0))
        height = paint.lightning_section_size(CELL, edge_labels=True)[1]
        return Scene(x + _PANEL, height, tuple(items), symbols)

    def text(self, frame: Frame, *, numbers: bool = False) -> str:
        """Return each section's rows from the far end; a tile shows its entry and exit points."""
        position: Position = frame.position
        parts = []
        for number in (0, 1):
            parts.append(f"section {number + 1}, {'second' if number else 'first'}'s line")
            parts.append("\n".join(_rows(frame, number)) + "\n")
        key = "a tile shows entry-exit"
        if isinstance(position.last, Place):
            key += "; [ ] last ply"
        if frame.proof:
            key += "; capitals: the line that won"
        return "\n".join([*parts, key]) + "\n"

    def listing(self, frame: Frame) -> str:
        """Return each line's tiles in order and where it goes on; pool and pile."""
        position: Position = frame.position
        lines = []
        for number, line in enumerate(position.lines):
            tiles = " ".join(format_tile(tile) for tile in line.tiles()) or "no tile"
            lines.append(f"Section {number + 1}: {tiles}")
            lines.append(f"  {_goes_on(line)}")
        for name, packed in (("Pool", position.pool), ("Pile", position.pile)):
            counts = zip(KINDS, unpack(packed), strict=True)
            lines.append(f"{name}: " + ", ".join(f"{kind} {count}" for kind, count in counts))
        if position.pending is not None:
            lines.append(f"Drawn, not yet placed: {KINDS[position.pending]}")
        return "\n".join(lines) + "\n"

    def ply(self, frame: Frame) -> str:
        """Return the last ply's token, with what it means for its line."""
        position: Position = frame.position
        token = frame.last or ""
        if isinstance(position.last, ToPool) and token.endswith("@pool"):
            return f"{token}, left in the pool"
        if isinstance(position.last, Place) and ":" in token:
            line = position.lines[CELLS[position.last.tile.cell].section]
            if line.state is not State.OPEN:
                return f"{token}, the line is {line.state.value}"
        return token


def _line(
    frame: Frame,
    line: Line,
    section: paint.PaintedSection,
    theme: Theme,
    symbols: dict[str, tuple[Item, ...]],
) -> list[Item]:
    """The tiles of a line, and what marks its last tile, its end, its branch points, its win."""
    position: Position = frame.position
    items: list[Item] = []
    middles = {tile.cell: _middle(section, tile) for tile in line.tiles()}
    for tile in line.tiles():
        a, b = sorted((tile.entry, tile.exit))
        name = f"tile-{POINTS[a]}-{POINTS[b]}"
        if name not in symbols:
            symbols[name] = paint.tile(a, b, CELL, theme)
        items.append(Use(name, *middles[tile.cell]))
    if isinstance(position.last, Place) and position.last.tile.cell in middles:
        items += paint.cell_frame(middles[position.last.tile.cell], CELL, theme)
    if line.state is State.COMPLETE:
        path = [(middles[tile.cell], tile.entry, tile.exit) for tile in line.path()]
        items += paint.run(section, path, theme)
    if line.tile is not None and line.state is State.OPEN:
        for x, y in line.joint_places():
            items += paint.end_point(section.point(x, y), CELL, theme)
    elif line.tile is not None:
        dx, dy = paint.POINTS[line.tile.exit]
        cx, cy = middles[line.tile.cell]
        items += paint.end_point((cx + dx * CELL, cy + dy * CELL), CELL, theme)
        for x, y in line.joint_places():
            items += paint.end_point(section.point(x, y), CELL, theme, branch=True)
    return items


def _middle(section: paint.PaintedSection, tile: Tile) -> tuple[float, float]:
    cell = CELLS[tile.cell]
    return section.centres[cell.column, cell.row]


def _numbers(frame: Frame, number: int, section: paint.PaintedSection, theme: Theme) -> list[Item]:
    """The number of its ply on each tile, on a plate in its middle."""
    items: list[Item] = []
    for ply, position in enumerate(frame.positions[: len(frame.moves)], 1):
        move = position.last
        if (
            isinstance(move, Place)
            and CELLS[move.tile.cell].section == number
            and ":" in frame.moves[ply - 1]
        ):
            at = _middle(section, move.tile)
            size = CELL * (0.3 if ply < 100 else 0.24)
            plate = Style(fill=theme.area("tile").fill or theme.colour("paper"))
            items.append(Circle(*at, CELL * 0.25, plate))
            items.append(Text(*at, str(ply), size, theme.colour("ink"), "middle", "ink", "bold"))
    return items


def _stock(position: Position, theme: Theme) -> tuple[Item, ...]:
    """Pool and pile: a sample of each kind with its counts; the tile that waits for its place."""
    ink, soft = theme.colour("ink"), theme.colour("soft")
    items: list[Item] = [
        Text(20.0, 4.0, "pool", 3.4, ink, "middle", weight="bold"),
        Text(33.0, 4.0, "pile", 3.4, ink, "middle", weight="bold"),
    ]
    pool, pile = unpack(position.pool), unpack(position.pile)
    for kind, (entry, leaving) in enumerate(_SAMPLES):
        y = 11.0 + kind * 10.5
        items.append(Group(paint.tile(entry, leaving, 7.5, theme), dx=8.0, dy=y))
        items.append(Text(0.0, y, KINDS[kind], 3.2, soft, "start", "cap"))
        for x, count in ((20.0, pool[kind]), (33.0, pile[kind])):
            items.append(Text(x, y, str(count), 3.8, ink if count else soft, "middle", "cap"))
    y = 11.0 + 5 * 10.5
    items.append(Text(20.0, y, str(sum(pool)), 3.8, ink, "middle", "cap", "bold"))
    items.append(Text(33.0, y, str(sum(pile)), 3.8, ink, "middle", "cap", "bold"))
    if position.pending is not None:
        entry, leaving = _SAMPLES[position.pending]
        items.append(
            Text(0.0, y + 12.0, f"drawn: {KINDS[position.pending]}", 3.6, ink, weight="bold")
        )
        items.append(Group(paint.tile(entry, leaving, 14.0, theme), dx=9.0, dy=y + 22.0))
    return tuple(items)


def _rows(frame: Frame, section: int) -> list[str]:
    position: Position = frame.position
    line = position.lines[section]
    proof = {INDEX[label] for label in frame.proof}
    signs = {}
    for tile in line.tiles():
        sign = f"{POINTS[tile.entry]}-{POINTS[tile.exit]}"
        sign = sign.upper() if tile.cell in proof else sign
        last = isinstance(position.last, Place) and position.last.tile.cell == tile.cell
        cell = CELLS[tile.cell]
        signs[cell.column, cell.row] = f"[{sign}]" if last else sign
    rows = []
    for row in range(HEIGHT - 1, -1, -1):
        cells = "".join(signs.get((c, row), ".").center(_PITCH) for c in range(WIDTH))
        rows.append(f"{row + 1:2} {cells}".rstrip())
    letters = "".join(chr(97 + WIDTH * section + c).center(_PITCH) for c in range(WIDTH))
    return [*rows, f"   {letters}".rstrip()]


def _goes_on(line: Line) -> str:
    """Say where the next tile goes: at the end, at which points to branch from, or nowhere."""
    if line.tile is None:
        return "starts on any cell of row 1"
    end = f"{POINTS[line.tile.exit]} point of {CELLS[line.tile.cell].label}"
    if line.state is State.OPEN:
        return f"goes on at the {end}"
    if line.state is State.BLOCKED:
        return f"blocked at the {end}; branches from {', '.join(_branch_points(line))}"
    return f"complete at the {end}" if line.state is State.COMPLETE else "dead"


def _branch_points(line: Line) -> list[str]:
    """Name each point to branch from once, by the first tile that has it."""
    joints = {x + 1000 * y for x, y in line.joint_places()}
    found: dict[int, str] = {}
    for tile in line.tiles():
        cell = CELLS[tile.cell]
        for point in (tile.entry, tile.exit):
            dx, dy = paint.POINTS[point]
            x, y = int(2 * cell.column + 1 + 2 * dx), int(2 * cell.row + 1 - 2 * dy)
            if x + 1000 * y in joints:
                found.setdefault(x + 1000 * y, f"{POINTS[point]} of {cell.label}")
    return list(found.values())


PICTURE = LightningPicture()
