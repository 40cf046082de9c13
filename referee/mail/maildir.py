"""Maildirs in and out, mbox files and single messages (mail.md, Mail in, Mail out)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from referee.errors import UnreadableError
from referee.faults import point
from referee.mail.transport import Failed, Parcel

FILE_MOST: Final = 40 << 20
"""Of a larger mail only its head is read: enough to say to whom the answer goes, that it is too large."""
HEAD: Final = 64 << 10

_NEW_MAIL: Final = re.compile(rb"^From ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """A mail that lies somewhere.

    raw       its bytes
    received  when our server got it, None for now
    keep      called after the mail is stored for good; before that its place must not change
    """

    raw: bytes = field(repr=False)
    received: datetime | None = None
    keep: Callable[[], None] = lambda: None


def mails(path: Path) -> Iterator[Found]:
    """Yield the mails of a Maildir (its `new`), an mbox file, or a file with one message.

    Raises UnreadableError for what is none of them.
    """
    if path.is_dir():
        yield from maildir(path)
        return
    try:
        with open(path, "rb") as stream:
            if stream.read(5) == b"From ":
                stream.seek(0)
                yield from (Found(raw) for raw in mbox(stream))
                return
            stream.seek(0)
            yield Found(limited(stream.read(FILE_MOST + 1)))
    except FileNotFoundError:
        raise UnreadableError(f"{path} is not there") from None
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}") from None


def limited(raw: bytes) -> bytes:
    """Return a mail, or of one that is too large to be kept its head with a word of how large it was."""
    if len(raw) <= FILE_MOST:
        return raw
    head = raw[:HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    return OVERSIZE_HEADER + b": yes\n" + head + b"\n\n"


OVERSIZE_HEADER: Final = b"X-Referee-Oversize"
"""Above a mail of which only the head was kept."""


def maildir(path: Path) -> Iterator[Found]:
    """Yield the new mails of a Maildir in the order of their names; each is renamed into `cur` when it is kept."""
    new, cur = path / "new", path / "cur"
    if not new.is_dir():
        raise UnreadableError(f"{path} is no Maildir: it has no folder `new`")
    for name in sorted(os.listdir(new)):
        file = new / name
        if name.startswith(".") or not file.is_file():
            continue
        try:
            with open(file, "rb") as stream:
                moment = datetime.fromtimestamp(os.fstat(stream.fileno()).st_mtime, UTC)
                raw = limited(stream.read(FILE_MOST + 1))
        except FileNotFoundError:  # another process was quicker
            continue
        except OSError as error:
            raise UnreadableError(f"{file} cannot be read: {error.strerror}") from None
        yield Found(raw, moment, lambda f=file, n=name: _kept(f, cur, n))  # type: ignore[misc]


def _kept(file: Path, cur: Path, name: str) -> None:
    point("rename:before")
    try:
        cur.mkdir(mode=0o700, exist_ok=True)
        os.rename(file, cur / f"{name.partition(':')[0]}:2,S")
    except FileNotFoundError:
        return
    except OSError as error:
        raise UnreadableError(f"{file} cannot be put into {cur}: {error.strerror}") from None
    point("rename:after")


def mbox(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the messages of an mbox: each begins with a line `From `, after a blank line or at the top."""
    held: list[bytes] = []
    blank = True
    begun = False
    for line in stream:
        if blank and line.startswith(b"From "):
            if begun:
                yield limited(b"".join(held))
            held, begun = [], True
        elif begun:
            held.append(line[1:] if re.match(rb">+From ", line) else line)
        blank = not line.strip(b"\r\n")
    if begun:
        yield limited(b"".join(held))


class MaildirOut:
    """A Maildir that another program empties. The envelope goes with the mail as Return-Path and Delivered-To."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def send(self, parcel: Parcel) -> Failed | None:
        """Write a mail under its row's name: a second sending replaces the first while that still lies there."""
        name = f"{parcel.row:010}.referee"
        part = self._path / "tmp" / f"{name}.{os.getpid()}"
        envelope = f"Return-Path: <{parcel.sender}>\r\nDelivered-To: {parcel.recipient}\r\n"
        try:
            for sub in ("tmp", "new", "cur"):
                (self._path / sub).mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(part, "wb") as stream:
                stream.write(envelope.encode("utf-8") + parcel.data)
                stream.flush()
                os.fsync(stream.fileno())
            point("rename:before")
            os.rename(part, self._path / "new" / name)
            _synced(self._path / "new")
            point("rename:after")
        except OSError as error:
            part.unlink(missing_ok=True)
            reason = f"{self._path}: {error.strerror or error}"
            passing = error.errno in _PASSING
            return Failed("temporary" if passing else "configuration", reason, everything=True)
        return None

    def check(self) -> Failed | None:
        """Say whether the folder can be written (`referee doctor`)."""
        folder = self._path
        while not folder.exists():
            folder = folder.parent
        if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
            return None
        return Failed("configuration", f"{self._path}: the folder cannot be written")

    def close(self) -> None:
        """Nothing is held open."""


_PASSING: Final = (4, 5, 11, 28, 122)
"""EINTR, EIO, EAGAIN, ENOSPC, EDQUOT: what may be otherwise in a while."""


def _synced(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
