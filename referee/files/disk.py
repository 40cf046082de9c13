"""A file read, changed and written back whole: the old one stands until the new one is safe on disk."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote

from referee.errors import UnreadableError, WriteError

Put = Callable[[str], None]
"""Moves the finished part to its place."""


@contextlib.contextmanager
def opened(path: Path) -> Iterator[bytes]:
    """Give a file's bytes, and keep other processes of this program from changing it meanwhile.

    Raises UnreadableError where it cannot be read.
    """
    try:
        descriptor = _locked(path)
    except FileNotFoundError:
        begin = f"`referee start GAME {quote(str(path))}` begins a record"
        message = f"{path} is not there; {begin}"
        raise UnreadableError(message) from None
    except IsADirectoryError:
        raise UnreadableError(f"{path} is a folder; name a file in it") from None
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            data = stream.read()
        except OSError as error:
            raise UnreadableError(f"{path} cannot be read: {error.strerror}") from None
        yield data


def _locked(path: Path) -> int:
    """Return a descriptor of the file with the lock on it; a file replaced while we waited is opened again."""
    while True:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            if _lock(descriptor) and os.fstat(descriptor).st_ino != os.stat(path).st_ino:
                os.close(descriptor)
                continue
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor


def _lock(descriptor: int) -> bool:
    """Wait for the lock; false where the system has none of this kind."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return True


def replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: under another name, to the disk, then to its place.

    Raises WriteError; what stood there before then still stands.
    """
    real = Path(os.path.realpath(path))
    _write(path, real, data, lambda part: os.replace(part, real))


def create(path: Path, data: bytes) -> None:
    """Write a file that is not there yet. Raises WriteError, where it is there too."""

    def put(part: str) -> None:
        try:
            os.link(part, path)
        except (AttributeError, NotImplementedError, PermissionError):  # no hard links here
            with open(path, "xb") as stream:
                stream.write(data)
        os.unlink(part)

    try:
        _write(path, path, data, put)
    except FileExistsError:
        raise WriteError(
            f"{path} is there already; take another name, or remove it first"
        ) from None


def _write(path: Path, real: Path, data: bytes, put: Put) -> None:
    part = None
    try:
        try:
            descriptor, part = tempfile.mkstemp(".part", f".{real.name}.", real.parent)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fchmod(stream.fileno(), _mode(real))
                os.fsync(stream.fileno())
            put(part)
        except BaseException:
            if part is not None:
                with contextlib.suppress(OSError):
                    os.unlink(part)
            raise
        _sync_folder(real.parent)
    except FileExistsError:
        raise
    except OSError as error:
        raise WriteError(
            f"{path} cannot be written: {error.strerror or error}; nothing was changed"
        ) from error


def _mode(path: Path) -> int:
    """Return the mode of the file that stands there, else what a new file gets."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power failure; a system that cannot does without."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
