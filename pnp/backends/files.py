"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from pnp.errors import FileError


def write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path`, first under a temporary name beside it, so that no half file stands.

    Raises FileError that names the file (no folder, no permission, disk full).
    """
    real = Path(os.path.realpath(path))
    part = real.with_name(f".{real.name}.{os.getpid()}.part")
    try:
        if (
            real.exists() and not real.is_file()
        ):  # a pipe or a device has no other name to be written under
            real.write_bytes(data)
            return
        part.write_bytes(data)
        part.replace(real)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise FileError(f"{path} cannot be written: {error.strerror or error}") from error
