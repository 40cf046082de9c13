"""The club's key and other secrets: in files of mode 0600, or in the environment; never in the database."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from referee.club.tables import ClubError

KEY_FILE: Final = "referee.key"
KEY_BYTES: Final = 32


def fingerprint(key: bytes) -> str:
    """Return what the database keeps of the key, so that a process with another key refuses to start."""
    return hashlib.sha256(b"fingerprint\n" + key).hexdigest()[:32]


def load_key(folder: Path) -> bytes:
    """Return the club's key. Raises ClubError where it is missing, damaged, or readable by others."""
    path = folder / KEY_FILE
    text = read_secret(path, "the club's key")
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ClubError(
            f"{path} is damaged: it holds {2 * KEY_BYTES} hex digits; put your copy of the key there"
        )
    return key


def new_key(folder: Path, key: bytes, *, replace: bool = False) -> Path:
    """Write the club's key (32 bytes) with mode 0600; with `replace` in the old one's place, whole or not at all.

    Raises ClubError where there is one already, or it cannot be written.
    """
    path = folder / KEY_FILE
    part = folder / f"{KEY_FILE}.new" if replace else path
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if replace else os.O_EXCL)
    try:
        descriptor = os.open(part, flags, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            os.fchmod(stream.fileno(), 0o600)
            stream.write(key.hex() + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        if replace:
            os.replace(part, path)
    except FileExistsError:
        raise ClubError(f"{path} is there already; `referee rotate-key` makes another") from None
    except OSError as error:
        raise ClubError(f"{path} cannot be written: {error.strerror}") from None
    return path


def read_secret(path: Path, what: str) -> str:
    """Return a secret's text without blanks round it. Raises ClubError where others may read the file."""
    try:
        with open(path, encoding="utf-8") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
                raise ClubError(f"{path}: {what} may be read by others; chmod 600 {path}")
            return stream.read(1 << 16).strip()
    except FileNotFoundError:
        raise ClubError(f"{path} is not there; it should hold {what}") from None
    except UnicodeDecodeError:
        raise ClubError(f"{path}: {what} is no text") from None
    except OSError as error:
        raise ClubError(f"{path} cannot be read: {error.strerror}") from None


def secret(file: Path | None, env: str | None, environ: Mapping[str, str], what: str) -> str:
    """Return a password: of the environment's variable if one is named, else of the file; "" where neither is."""
    if env is not None:
        value = environ.get(env)
        if value is None:
            raise ClubError(f"the environment has no {env}; it should hold {what}")
        return value
    return read_secret(file, what) if file is not None else ""
