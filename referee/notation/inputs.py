"""Opening whatever holds game records: the content decides the format, never the name (notation.md)."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from referee.core.record import GameRecord
from referee.core.source import Source
from referee.errors import UnreadableError
from referee.notation import foreign, moves

HEAD = 1 << 16
"""How many bytes are looked at to know a format."""

STANDARD_INPUT = "-"

_STRAY = 2
"""So many bytes that no text holds may have got into any text; what they spoil is for the judge to say."""

_BINARY = bytes(range(9)) + bytes(range(14, 26)) + bytes(range(27, 32))
"""Control bytes that no text holds; 26 ends old DOS texts."""


def open_records(path: str | Path, size: int | None = None) -> Iterator[GameRecord]:
    """Yield the records of a file; everything as in `open_unread`, and read."""
    for item in open_unread(path, size):
        yield item.read() if isinstance(item, Unread) else item


class Unread(NamedTuple):
    """The text of a record with the one way to read it, which may be left to another process."""

    source: Source
    how: Callable[[Source], GameRecord]

    def read(self) -> GameRecord:
        """Return the record."""
        return self.how(self.source)


def open_unread(path: str | Path, size: int | None = None) -> Iterator[Unread | GameRecord]:
    """Yield the records of a file, or of standard input for `-`, in order and one at a time.

    Records of `.moves` and of one line each come unread.

    `size` is the board's size for formats that do not say it (lines of Hex moves). Raises UnreadableError, before
    the first record, for what is missing, a folder, empty, no text, or holds no record.
    """
    name = str(path)
    with _open(name) as stream:
        head = _read(stream, name, HEAD)
        _check_text(head, name)
        kind = foreign.detect(head.decode("utf-8-sig", "replace"))
        records: Iterator[Unread | GameRecord]
        if kind is None:
            records = (Unread(s, moves.read) for s in _moves(_lines(head, stream, name), name))
        elif kind is foreign.LINES:
            from referee.notation.foreign import lines

            how = partial(lines.read, size=size)
            records = (Unread(s, how) for s in lines.sources(_lines(head, stream, name), name))
        elif kind.by_line:
            records = kind.read_lines(_lines(head, stream, name), name, size)
        else:
            records = iter(kind.read_all(head + _read(stream, name), name))
        first = next(records, None)
        if first is None:
            raise UnreadableError(f"{_shown(name)} holds no game record; {_WANTED}")
        yield from chain((first,), records)


_WANTED = 'a record begins with its game, as in [Game "Hex"]'


def _shown(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name


def _open(name: str) -> AbstractContextManager[BinaryIO]:
    """Open a file; standard input stays open for others."""
    if name == STANDARD_INPUT:
        stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise UnreadableError("standard input is closed; name a file")
        return nullcontext(stream)
    try:
        return open(name, "rb")
    except IsADirectoryError:
        raise UnreadableError(f"{name} is a folder; name the files in it") from None
    except FileNotFoundError:
        raise UnreadableError(f"{name} is not there; check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableError(f"{name} cannot be read: {reason}") from None


def _read(stream: BinaryIO, name: str, most: int = -1) -> bytes:
    try:
        return stream.read(most)
    except OSError as error:
        raise UnreadableError(f"{_shown(name)} cannot be read: {error.strerror or error}") from None


def _check_text(head: bytes, name: str) -> None:
    shown = _shown(name)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableError(f"{shown} is UTF-16 text; save it as UTF-8")
    if not head.strip(b"\xef\xbb\xbf \t\r\n\f\x1a"):
        raise UnreadableError(f"{shown} is empty; {_WANTED}")
    strange = len(head) - len(head.translate(None, _BINARY))
    if strange > max(_STRAY, 0.02 * len(head)):
        raise UnreadableError(f"{shown} is no text; game records are UTF-8 text")


class _Again(io.RawIOBase):
    """A stream that begins with bytes already read from another."""

    def __init__(self, head: bytes, rest: BinaryIO, name: str) -> None:
        self._head = memoryview(head)
        self._rest = rest
        self._name = name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if self._head:
            part = self._head[: len(buffer)]
            self._head = self._head[len(part) :]
        else:
            part = memoryview(_read(self._rest, self._name, len(buffer)))
        buffer[: len(part)] = part
        return len(part)


def _lines(head: bytes, stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the lines with their breaks; a byte that is no UTF-8 becomes U+FFFD, so that the rest is still judged."""
    raw = io.BufferedReader(_Again(head, stream, name), HEAD)
    return io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline="\n")


def _moves(lines: Iterator[str], name: str) -> Iterator[Source]:
    """Yield the records of a `.moves` text; prose without any tag or numbered move is no record."""
    sources = moves.split(lines, name)
    opening = list(islice(sources, 2))
    if len(opening) == 1 and not _looks_like_moves(opening[0]):
        return iter(())
    return chain(opening, sources)


def _looks_like_moves(source: Source) -> bool:
    if moves.GAME.match(source.text.lstrip()):
        return True
    record = moves.read(source)
    return bool(record.tags) or bool(record.words and record.words[0] in ("1.", "1..."))
