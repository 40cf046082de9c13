"""Records of other programs and sites, read into the house's own (notation.md, Foreign records)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from referee.core.record import GameRecord


class Format(NamedTuple):
    """A foreign format: `read_lines` for formats of one record a line, `read_all` for those that need all bytes."""

    name: str
    by_line: bool
    read_lines: Callable[[Iterable[str], str, int | None], Iterator[GameRecord]]
    read_all: Callable[[bytes, str], Iterable[GameRecord]]


def detect(head: str) -> Format | None:
    """Return the foreign format of a text by its first characters, None where it is `.moves`."""
    return None
