"""A club moves to another database (`referee move-store`)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from referee.club import fingerprint, load, load_key
from referee.club.config import database_fault
from referee.errors import RefereeError
from referee.store.moving import Moved, move

Progress = Callable[[int, int], None]


def move_store(folder: Path, url: str, now: datetime, progress: Progress | None = None) -> Moved:
    """Copy a club's database to another URL and check every game there; club.toml is its operator's to change.

    Raises RefereeError, with the old database as it was, where it cannot be done.
    """
    club = load(folder)
    wrong = database_fault(url)
    if wrong is not None:
        raise RefereeError(f"the new database: {wrong}")
    if url.startswith("sqlite:///"):
        url = f"sqlite:///{folder.absolute() / url.removeprefix('sqlite:///')}"
    return move(club.database, url, fingerprint(load_key(folder)), now, progress)
