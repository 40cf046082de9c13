"""Opening whatever holds game records: the content decides the format, never the name (notation.md)."""

from __future__ import annotations

import io
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from referee.core.record import GameRecord
from referee.core.source import Block, Source
from referee.errors import UnreadableError
from referee.notation import foreign, moves

if TYPE_CHECKING:
    from pathlib import Path

HEAD = 1 << 16
"""How many bytes are looked at to know a format."""

PIECE = 1 << 15
"""How many bytes are read at one go after that, unless told."""

STANDARD_INPUT = "-"

_STRAY = 2
"""So many bytes that no text holds may have got into any text; what they spoil is for the judge to say."""

_BINARY = bytes(range(9)) + bytes(range(14, 26)) + bytes(range(27, 32))
"""Control bytes that no text holds; 26 ends old DOS texts."""


def open_records(path: str | Path, size: int | None = None) -> Iterator[GameRecord]:
    """Yield the records of a file; everything as in `open_unread`, and read."""
    for item in open_unread(path, size):
        if isinstance(item, Unread):
            yield from item.read()
        else:
            yield item


class Unread(NamedTuple):
    """The text of some records with the one way to read it, which may be left to another process."""

    block: Block
    how: Callable[[Block], Iterator[GameRecord]]

    def read(self) -> Iterator[GameRecord]:
        """Yield the records, as many as the block has starts."""
        return self.how(self.block)


def open_unread(
    path: str | Path, size: int | None = None, piece: int = PIECE
) -> Iterator[Unread | GameRecord]:
    """Yield the records of a file, or of standard input for `-`, in order and a few at a time.

    Records of `.moves` and of one line each come unread, those of about `piece` bytes together.

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
            records = (
                Unread(b, moves.read_block)
                for b in _moves(_pieces(head, stream, name, piece), name)
            )
        elif kind is foreign.LINES:
            from referee.notation.foreign import lines

            how = partial(lines.read_block, size=size)
            records = (
                Unread(b, how) for b in lines.blocks(_pieces(head, stream, name, piece), name)
            )
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


def _pieces(head: bytes, stream: BinaryIO, name: str, most: int) -> Iterator[str]:
    """Yield a text in pieces of whole lines, with their breaks, each of about `most` bytes.

    A byte that is no UTF-8 becomes U+FFFD, so that the rest is still judged.
    """
    decode = getincrementaldecoder("utf-8-sig")("replace").decode
    held: list[str] = []
    read = (head[at : at + most] for at in range(0, len(head), most))
    for data in chain(read, iter(lambda: _read(stream, name, most), b"")):
        text = decode(data)
        end = text.rfind("\n") + 1
        if end:
            yield "".join((*held, text[:end]))
            held = []
        held.append(text[end:])
    last = "".join((*held, decode(b"", True)))
    if last:
        yield last


def _lines(head: bytes, stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the lines of a text, with their breaks."""
    for piece in _pieces(head, stream, name, PIECE):
        yield from io.StringIO(piece, newline="\n")


def _moves(pieces: Iterator[str], name: str) -> Iterator[Block]:
    """Yield the records of a `.moves` text; prose without any tag or numbered move is no record."""
    blocks = moves.blocks(pieces, name)
    for block in blocks:
        if len(block.starts) == 1:
            after = next(blocks, None)
            if after is None and not _looks_like_moves(block.source):
                return
            blocks = blocks if after is None else chain((after,), blocks)
        yield block
        break
    yield from blocks


def _looks_like_moves(source: Source) -> bool:
    if moves.GAME.match(source.text.lstrip()):
        return True
    record = moves.read(source)
    return bool(record.tags) or bool(record.words and record.words[0] in ("1.", "1..."))
