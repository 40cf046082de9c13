"""Hex positions as text, and files of puzzles: parsed with faults that have a place. Pure.

A position is its rows from the top with `/` between, a cell `.` (empty), `r` or `b`:
`...../..r../.b.../...../.....` is 5 × 5 with two stones. Capitals are read, small letters written.

A file of puzzles has one a line: the position, a blank and a title, and, for the answer page, `|`
and the moves that solve it: `.../.r./b.. Red to win | c1 a2`. A lone `r` or `b` before the moves
says who begins; without it the side with fewer stones does, Red if both have as many (hex-colours).
Empty lines and lines that begin with `#` are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pnp.boards import MAX_RHOMBUS, rhombus
from pnp.errors import PnpError

MIN_SIZE = 2
EMPTY, RED, BLUE = ".", "r", "b"

_WIDTH = 100
"""Characters of a longer line that an error shows."""


class PositionError(PnpError):
    """A text that is no position. `column` counts from 1; `problem` says what is wrong there.

    The message points: the text, and a caret under the place.
    """

    def __init__(self, problem: str, text: str, column: int, where: str = "position") -> None:
        self.problem = problem
        self.text = text
        self.column = column
        super().__init__(f"{where}:{column}: {problem}\n{_pointer(text, column)}")


@dataclass(frozen=True, slots=True)
class HexPosition:
    """Stones on an n × n board: `cells[y * size + x]` is ".", "r" or "b", in reading order."""

    size: int
    cells: str

    def stones(self, colour: str) -> tuple[int, ...]:
        """Return the cells that hold a stone of "r" or "b", ascending."""
        return tuple(i for i, cell in enumerate(self.cells) if cell == colour)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to solve. `moves` are the cells of the answer in order, from `first` on."""

    position: HexPosition
    title: str
    first: str
    moves: tuple[int, ...] = ()


def parse_hex(text: str, where: str = "position") -> HexPosition:
    """Return the position in `text`, blanks round it allowed.

    Raises PositionError at the first fault; its message begins with `where` (a file and line).
    """
    lead = len(text) - len(text.lstrip())
    body = text.strip()
    if not body:
        raise PositionError("no position; write rows such as .../.r./...", text, 1, where)
    for i, char in enumerate(body):
        if char.lower() not in "./rb":
            problem = f"{char!r} is no cell; write . for an empty cell, r or b for a stone"
            raise PositionError(problem, text, lead + i + 1, where)
    rows = body.lower().split("/")
    size = len(rows[0])
    if not MIN_SIZE <= size <= MAX_RHOMBUS:
        problem = f"the first row has {_cells(size)}; a board has {MIN_SIZE} to {MAX_RHOMBUS}"
        raise PositionError(problem, text, lead + 1, where)
    _check_rows(rows, text, lead, where)
    return HexPosition(size, "".join(rows))


def format_hex(position: HexPosition) -> str:
    """Return the position as text; `parse_hex` reads it back."""
    n = position.size
    return "/".join(position.cells[i : i + n] for i in range(0, n * n, n))


def parse_puzzles(text: str, source: str) -> tuple[Puzzle, ...]:
    """Return the puzzles in a file's text. Raises PnpError that names file, line and column."""
    puzzles = tuple(
        _puzzle(line, f"{source}:{number}")
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    )
    if not puzzles:
        raise PnpError(f"{source}: no puzzle in it; write a position and a title on each line")
    return puzzles


def _puzzle(line: str, where: str) -> Puzzle:
    head, _, tail = line.partition("|")
    match = re.match(r"\s*(\S+)\s*(.*)", head)
    if match is None:
        raise PositionError("no position before the |", line, 1, where)
    lead = match.start(1)
    # The whole line goes along, so that the caret stands under it.
    position = _shifted(match[1], line, lead, where)
    first, moves = _answer(position, tail, line, len(head) + 1, where)
    return Puzzle(position, match[2].strip(), first, moves)


def _shifted(text: str, line: str, lead: int, where: str) -> HexPosition:
    try:
        return parse_hex(text)
    except PositionError as error:
        raise PositionError(error.problem, line, lead + error.column, where) from None


def _answer(
    position: HexPosition, tail: str, line: str, lead: int, where: str
) -> tuple[str, tuple[int, ...]]:
    board = rhombus(position.size)
    first = RED if len(position.stones(RED)) <= len(position.stones(BLUE)) else BLUE
    moves: list[int] = []
    for k, match in enumerate(re.finditer(r"\S+", tail)):
        word = match[0].lower()
        if k == 0 and word in (RED, BLUE):
            first = word
            continue
        cell, problem = board.index(word), ""
        if cell is None:
            problem = f"{match[0]!r} is no cell of a board of {position.size}"
        elif position.cells[cell] != EMPTY or cell in moves:
            problem = f"{word} holds a stone already"
        if cell is None or problem:
            raise PositionError(problem, line, lead + match.start() + 1, where)
        moves.append(cell)
    return first, tuple(moves)


def _check_rows(rows: list[str], text: str, lead: int, where: str) -> None:
    size, column = len(rows[0]), lead + 1
    for number, row in enumerate(rows, 1):
        if number > size:
            problem = f"row {number} is one too many; rows of {_cells(size)} make {size} rows"
            raise PositionError(problem, text, column, where)
        if len(row) != size:
            problem = f"row {number} has {_cells(len(row))}, the first row {size}"
            raise PositionError(problem, text, column + min(len(row), size), where)
        column += len(row) + 1
    if len(rows) < size:
        problem = f"there are {len(rows)} rows; rows of {_cells(size)} make {size} rows"
        raise PositionError(problem, text, column - 1, where)


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


def _pointer(text: str, column: int) -> str:
    line = "".join(c if c.isprintable() else " " for c in text.rstrip())
    cut = max(0, column - _WIDTH // 2) if len(line) > _WIDTH else 0
    shown, at = line[cut : cut + _WIDTH], column - 1 - cut
    if cut:
        shown, at = f"…{shown}", at + 1
    if cut + _WIDTH < len(line):
        shown += "…"
    return f"  {shown}\n  {' ' * at}^"
