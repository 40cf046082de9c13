"""The Spiral board's layout: which pair of ranks names which cell, read from a data file and checked.

A layout file is TOML with `title` and `rows` (seven rows from the top with 4 5 6 7 6 5 4 cells, as `boards.hexhex(4)`
has them). `templates/spiral/standard.toml` is the one that records are judged on (ruling spiral-layout).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from pnp.boards import hexhex
from pnp.errors import FileError, PnpError
from pnp.resources import find, parse_toml

SIDE = 4
RANKS = "789TJQKA"
CENTRE = "()"
PAIRS = tuple(low + high for at, low in enumerate(RANKS) for high in RANKS[at:])
"""The 36 pairs, lower rank first, in dictionary order (spiral-board)."""
WAY = (*PAIRS, CENTRE)
"""All 37 cells along the spiral, from the outer end to the centre."""
ROWS = (4, 5, 6, 7, 6, 5, 4)


class LayoutError(PnpError):
    """A layout that is no spiral; the message says where, what is wrong and what would be right."""


@dataclass(frozen=True, slots=True)
class SpiralLayout:
    """A checked layout.

    name    the file's stem, "standard"
    title   for people
    labels  the cells' names in reading order, index by index those of `boards.hexhex(4)`
    way     the cells' indices along the spiral: way[0] holds 77, way[35] AA, way[36] the centre
    """

    name: str
    title: str
    labels: tuple[str, ...]
    way: tuple[int, ...]


class _Place(NamedTuple):
    """A cell of the file: its row and its number in the row, from 1."""

    row: int
    cell: int

    def __str__(self) -> str:
        return f"row {self.row}, cell {self.cell}"


@lru_cache(maxsize=1)
def standard() -> SpiralLayout:
    """Return the layout that records are judged on. Raises FileError or LayoutError where it is damaged."""
    return load(find("spiral", "standard.toml"))


def load(path: Path) -> SpiralLayout:
    """Return the layout in a file. Raises FileError if it cannot be read, LayoutError if it is no spiral."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LayoutError(f"{path} is not UTF-8 text; save it as UTF-8") from error
    return parse(text, path.stem, str(path))


def parse(text: str, name: str = "layout", source: str = "layout") -> SpiralLayout:
    """Return the layout that a TOML text holds; `source` names it in messages. Raises LayoutError."""
    try:
        data = parse_toml(text, source)
    except PnpError as error:
        raise LayoutError(str(error)) from error
    unknown = [key for key in data if key not in ("title", "rows")]
    if unknown:
        raise LayoutError(
            f'{source}: "{unknown[0]}" is no part of a layout; it has "title" and "rows"'
        )
    title = data.get("title", name)
    if not isinstance(title, str):
        raise LayoutError(f'{source}: the title is a text: title = "…"')
    labels = _labels(_rows(data.get("rows"), source), source)
    return SpiralLayout(name, title, labels, _way(labels, source))


def _rows(rows: object, source: str) -> list[list[str]]:
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise LayoutError(
            f'{source}: "rows" is a list of seven texts, from the top: rows = ["77 78 79 7T", …]'
        )
    cut = [str(row).split() for row in rows]
    if len(cut) != len(ROWS):
        raise LayoutError(f"{source} has {len(cut)} rows; a hexagon of side {SIDE} has {len(ROWS)}")
    for number, (row, due) in enumerate(zip(cut, ROWS, strict=True), 1):
        if len(row) != due:
            raise LayoutError(f"{source}, row {number} has {len(row)} cells; it must have {due}")
    return cut


def _labels(rows: list[list[str]], source: str) -> tuple[str, ...]:
    """Return all labels in reading order; every pair and the centre stand once, the centre in the middle."""
    seen: dict[str, _Place] = {}
    for number, row in enumerate(rows, 1):
        for at, label in enumerate(row, 1):
            place = _Place(number, at)
            if label not in WAY:
                raise LayoutError(f"{source}, {place}: {_no_pair(label)}")
            if label in seen:
                missing = ", ".join(pair for pair in WAY if not any(pair in row for row in rows))
                raise LayoutError(
                    f"{source}, {place}: {label} stands in {seen[label]} already; what is missing: {missing}"
                )
            seen[label] = place
    middle = _Place(len(ROWS) // 2 + 1, SIDE)
    if seen[CENTRE] != middle:
        raise LayoutError(
            f"{source}, {seen[CENTRE]}: the centre {CENTRE} must be in the middle, {middle}"
        )
    return tuple(label for row in rows for label in row)


def _no_pair(label: str) -> str:
    turned = label[::-1]
    if turned in PAIRS:
        return f"{label} must be written {turned}, the lower rank first"
    if label.upper() in PAIRS:
        return f"{label} must be written {label.upper()}, in capitals"
    if "10" in label:
        return f"{label} is no pair; ten is written T"
    return f"{label} is no pair of the ranks {' '.join(RANKS)}, and not {CENTRE}"


def _way(labels: tuple[str, ...], source: str) -> tuple[int, ...]:
    """Return the cells' indices along the spiral; each must touch the one before."""
    at = {label: index for index, label in enumerate(labels)}
    neighbours = hexhex(SIDE).neighbours
    for before, after in pairwise(WAY):
        if at[after] not in neighbours[at[before]]:
            raise LayoutError(
                f"{source}: the way breaks after {before}: {after} ({_place_of(at[after])}) does not touch it "
                f"({_place_of(at[before])})"
            )
    return tuple(at[label] for label in WAY)


def _place_of(index: int) -> _Place:
    row = 0
    while index >= ROWS[row]:
        index -= ROWS[row]
        row += 1
    return _Place(row + 1, index + 1)
