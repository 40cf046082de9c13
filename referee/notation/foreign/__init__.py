"""Records of other programs and sites, read into the house's own (notation.md, Foreign records)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import NamedTuple

from referee.core.record import GameRecord
from referee.notation.moves import GAME

LineReader = Callable[[Iterable[str], str, int | None], Iterator[GameRecord]]
ByteReader = Callable[[bytes, str], Iterator[GameRecord]]


class Format(NamedTuple):
    """A family of foreign formats: the module that reads it, and whether line by line.

    The module has `read_lines(lines, name, size)` or `read_all(data, name)`; it is loaded only when it is needed.
    """

    module: str
    by_line: bool

    @property
    def read_lines(self) -> LineReader:
        """The reader of lines (with their breaks); `size` is the board's where the format does not say it."""
        reader: LineReader = import_module(self.module).read_lines
        return reader

    @property
    def read_all(self) -> ByteReader:
        """The reader of a whole file."""
        reader: ByteReader = import_module(self.module).read_all
        return reader


SGF = Format(f"{__name__}.sgf", False)
SIX = Format(f"{__name__}.six", True)
LINES = Format(f"{__name__}.lines", True)
LINKS = Format(f"{__name__}.links", True)
GAMERZ = Format(f"{__name__}.gamerz", True)

_TREE = r"\(\s*;"
_TREE_INSIDE = r"\(\s*;\s*[A-Za-z]+\s*\["
_SIX = r"(?im)^[ \t]*BoardSize[ \t]*:"
_LINK = r"(?:hexworld\.org|trmph\.com)/[^\s#]*#\S"
_BARE_LINK = r"#[0-9]+[^\s,]*,"
_COLOURED = r"(?i)[BW]\[[^\]\s]*\](?:\s|$)"
_GAMERZ = r"(?i)(?<![a-z0-9])(?:[a-z][0-9]+-[a-z][0-9]+:[0-9]|r:[a-z][0-9])"
_CELLS = (
    r"(?i)[a-z]{1,2}[0-9]{1,2}(?:\s+(?:[a-z]{1,2}[0-9]{1,2}|swap(?:-sides|-pieces)?)(?!\S)|\s*$)"
)
"""Two cells, a cell and a swap, or a line of one cell."""


def detect(head: str) -> Format | None:
    """Return the foreign format of a text by its first characters, None where it is `.moves`.

    What tells the formats apart is compiled here, when it is needed: most texts are known by their first character.
    """
    text = head.lstrip("\ufeff \t\r\n")
    if text.startswith("(") and re.match(_TREE, text):
        return SGF
    if text.startswith("[") or GAME.search(text):
        return None
    if re.search(_SIX, text):
        return SIX
    lines = (line.strip() for line in text.splitlines())
    if re.search(_LINK, text) or re.match(_BARE_LINK, text):
        return LINKS
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if re.match(_COLOURED, first):
        return LINES
    if re.search(_GAMERZ, text):
        return GAMERZ
    if re.match(_CELLS, first):
        return LINES
    return SGF if re.search(_TREE_INSIDE, text) else None
