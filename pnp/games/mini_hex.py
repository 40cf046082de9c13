"""mini-hex: sheets of small Hex boards to play by colouring, and Hex puzzles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pnp.errors import FileError, PnpError
from pnp.games import Component
from pnp.options import Option, Options
from pnp.paint import mini_hex as paint
from pnp.positions import Puzzle, parse_puzzles
from pnp.scene import Group, Item, Scene, Use
from pnp.sheet.job import Filling, Job
from pnp.sheet.space import TOLERANCE, marks_strip, spaces
from pnp.units import format_mm

if TYPE_CHECKING:
    from pathlib import Path

    from pnp.fonts import FontSet
    from pnp.themes import Theme

PENS = {"crayon": 10.0, "felt": 7.0, "pencil": 5.0}
"""The least cell in mm that can be coloured with a pen."""

LEAST_CELL = 3.0
GAP = 4.0
ROOMY_BAND = 140.0
"""The band of a shorter sheet has no room for how the game is played."""

ROLES = {"r": "red", "b": "blue"}


@dataclass(frozen=True, slots=True)
class Lattice:
    """Pictures in rows on a free area: columns to the right at `pitch[0]`, rows down at `pitch[1]`.

    `turned` says that all of it is turned by 90 degrees against the page.
    """

    columns: int
    rows: int
    pitch: tuple[float, float]
    size: tuple[float, float]
    turned: bool

    @property
    def count(self) -> int:
        """How many pictures it holds."""
        return self.columns * self.rows

    def places(self, width: float, height: float) -> tuple[tuple[float, float], ...]:
        """Return where each picture's origin lies on an area of width × height, all centred in it,
        in reading order. A turned picture runs up and right from its origin.
        """
        if self.turned:
            return tuple((y, height - x) for x, y in self._corners(height, width))
        return self._corners(width, height)

    def _corners(self, width: float, height: float) -> tuple[tuple[float, float], ...]:
        left = (width - (self.columns - 1) * self.pitch[0] - self.size[0]) / 2.0
        top = (height - (self.rows - 1) * self.pitch[1] - self.size[1]) / 2.0
        return tuple(
            (left + x * self.pitch[0], top + y * self.pitch[1])
            for y in range(self.rows)
            for x in range(self.columns)
        )


def lattice(
    width: float, height: float, n: int, cell: float, gap: float, *, turned: bool = False
) -> Lattice:
    """Return how pictures of n × n boards lie on width × height mm.

    In a row the slanted sides interlock, so a picture takes n · cell + gap however wide its box is.
    """
    if turned:
        width, height = height, width
    size = paint.picture_size(n, cell)
    pitch = (n * cell + gap, size[1] + gap)
    columns = _fitting(width, size[0], pitch[0])
    rows = _fitting(height, size[1], pitch[1])
    return Lattice(columns, rows, pitch, size, turned)


def _fitting(room: float, first: float, pitch: float) -> int:
    return 0 if first > room + TOLERANCE else 1 + int((room - first + TOLERANCE) / pitch)


OPTIONS = (
    Option("size", "int", "cells a side", 7, least=3, most=30),
    Option("cell-size", "length", "a cell, flat to flat", 7.0, least=LEAST_CELL, most=40),
    Option(
        "pen",
        "choice",
        "what colours the cells: cells of at least 10, 7 or 5 mm",
        choices=tuple(PENS),
    ),
    Option("gutter", "length", "gap between boards", GAP, least=0, most=100, positive=False),
    Option("labels", "flag", "the cells' names in the cells; puzzles have them", False),
    Option("puzzles", "file", "a file of positions to solve, one a line: position, title, | moves"),
)


def build(options: Options, theme: Theme, fonts: FontSet) -> Job:
    """Return a page of boards to colour, or pages of puzzles and their answers.

    Raises PnpError for a cell too small for the pen and for a puzzle file that cannot be read.
    """
    cell = _cell(options)
    file = options.path("puzzles")
    if file is not None:
        return _puzzle_job(options, theme, fonts, cell, _read(file))
    n = options.integer("size")
    name = f"mini-{n}"
    symbol = (*paint.name_line(n * cell, theme, fonts), *paint.board(n, cell, theme))
    if options.flag("labels"):
        symbol += paint.cell_names(n, cell, range(n * n), theme)

    def picture(_: int) -> tuple[Item, ...]:
        return (Use(name, 0.0, 0.0),)

    title = f"Hex to colour, {n} × {n}"
    notes = []
    if min(space.band_length for space in spaces(options.common)) >= ROOMY_BAND:
        notes.append("colour a chain between the two solid edges, or between the two broken ones")
    if n * cell < paint.SHORT_LINE:
        notes.append("S swap, W winner")
    filling = _filling(title, options, n, cell, picture, {name: symbol}, what="boards")._replace(
        notes=lambda size: tuple(notes), fields=("Date",)
    )
    return Job(title=title, parts=(filling,), subject="Small Hex boards to play by colouring cells")


def _cell(options: Options) -> float:
    """Return the cell size: the one given, which must suit the pen, else the pen's, else 7 mm."""
    pen = options.text("pen")
    cell = options.length("cell-size")
    if pen is None:
        return cell
    if not options.given("cell-size"):
        return PENS[pen]
    if cell < PENS[pen] - TOLERANCE:
        least = format_mm(PENS[pen])
        raise PnpError(
            f"--cell-size {format_mm(cell)} is too small for --pen {pen}; it needs {least} or more"
        )
    return cell


def _filling(
    title: str,
    options: Options,
    n: int,
    cell: float,
    picture: Callable[[int], tuple[Item, ...]],
    symbols: dict[str, tuple[Item, ...]],
    *,
    what: str,
    total: int | None = None,
) -> Filling:
    gap, common = options.length("gutter"), options.common
    free = [(space.width, space.height) for space in spaces(common, strip=marks_strip(common))]
    least = PENS.get(options.text("pen") or "", LEAST_CELL)

    @cache
    def turn(size: float) -> bool:
        # Boards that stand as the words of the band do are nicer: they are turned only to hold more.
        upright = max(lattice(w, h, n, size, gap).count for w, h in free)
        return max(lattice(w, h, n, size, gap, turned=True).count for w, h in free) > upright

    def best(size: float, width: float, height: float) -> Lattice:
        found = lattice(width, height, n, size, gap)
        if not turn(size):
            return found
        return max(
            found, lattice(width, height, n, size, gap, turned=True), key=lambda way: way.count
        )

    def hold(size: float, width: float, height: float) -> int:
        # An error must not name a size that the option or the pen would refuse.
        return best(max(size, least), width, height).count

    def page(size: float, width: float, height: float, first: int, count: int) -> Scene:
        way = best(size, width, height)
        items = tuple(
            Group(picture(first + k), dx=x, dy=y, turn=-90.0 if way.turned else 0.0)
            for k, (x, y) in enumerate(way.places(width, height)[:count])
        )
        return Scene(width, height, items, symbols, title)

    return Filling(title=title, hold=hold, paint=page, size=cell, what=what, total=total)


def _read(file: Path) -> tuple[Puzzle, ...]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{file}: the puzzles are not UTF-8 text") from error
    except OSError as error:
        raise FileError(f"{file}: the puzzles cannot be read: {error.strerror}") from error
    return parse_puzzles(text, str(file))


def _puzzle_job(
    options: Options, theme: Theme, fonts: FontSet, cell: float, puzzles: tuple[Puzzle, ...]
) -> Job:
    """Return pages of puzzles, one part for each size of board, then the same with the answers."""
    labelled = options.flag("labels") or not options.given("labels")
    numbered = list(enumerate(puzzles, 1))
    parts: list[Filling] = []
    for answers in (False, True):
        chosen = [pair for pair in numbered if pair[1].moves] if answers else numbered
        for n in dict.fromkeys(puzzle.position.size for _, puzzle in chosen):
            same = [pair for pair in chosen if pair[1].position.size == n]
            symbols = {
                f"mini-puzzle-{n}": paint.board(n, cell, theme),
                **{f"mini-{role}": paint.stone(cell, role, theme) for role in ROLES.values()},
            }
            pictures = [
                _puzzle(number, puzzle, cell, theme, fonts, answer=answers, labelled=labelled)
                for number, puzzle in same
            ]
            title = f"Hex puzzles, {n} × {n}" + (", answers" if answers else "")
            parts.append(
                _filling(
                    title,
                    options,
                    n,
                    cell,
                    pictures.__getitem__,
                    symbols,
                    what="answers" if answers else "puzzles",
                    total=len(same),
                )
            )
    return Job(title="Hex puzzles", parts=tuple(parts), subject="Hex positions to solve")


def _puzzle(
    number: int,
    puzzle: Puzzle,
    cell: float,
    theme: Theme,
    fonts: FontSet,
    *,
    answer: bool,
    labelled: bool,
) -> tuple[Item, ...]:
    position = puzzle.position
    n = position.size
    words = paint.caption(number, puzzle.title, n * cell, theme, fonts)
    if words is None:
        raise PnpError(
            f"puzzle {number}: the title {puzzle.title!r} is too long for {format_mm(n * cell)};"
            " shorten it, or take a larger --cell-size"
        )
    moves = puzzle.moves if answer else ()
    items: list[Item] = [*words, Use(f"mini-puzzle-{n}", 0.0, 0.0)]
    if labelled:
        bare = [i for i, held in enumerate(position.cells) if held == "." and i not in moves]
        items += paint.cell_names(n, cell, bare, theme)
    for colour, role in ROLES.items():
        items += [Use(f"mini-{role}", *paint.centre(n, cell, i)) for i in position.stones(colour)]
    for k, index in enumerate(moves):
        colour = puzzle.first if k % 2 == 0 else "rb".replace(puzzle.first, "")
        x, y = paint.centre(n, cell, index)
        items.append(Group(paint.move(cell, k + 1, ROLES[colour], theme), dx=x, dy=y))
    return tuple(items)


COMPONENT = Component(
    name="mini-hex",
    help="Sheets of small Hex boards to play by colouring, and Hex puzzles.",
    options=OPTIONS,
    build=build,
)
