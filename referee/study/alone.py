"""One run at a time in a folder: two would write over each other's state."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.errors import RefereeError


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder that is there. Raises RefereeError where one is under way.

    The lock goes with the process, however that ends. A system or a disk without locks of this kind has none.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    descriptor = None
    try:
        try:
            descriptor = os.open(folder, os.O_RDONLY)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefereeError(
                f"another run is under way in {folder}; let it end, or name another --output"
            ) from None
        except OSError:  # a disk without locks, or a folder that may be written but not read
            pass
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)
