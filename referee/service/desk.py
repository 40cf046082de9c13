"""What the club's work needs: settings, key, store, templates, chance. Made once a process."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from referee.club import Club, fingerprint, load, load_key
from referee.mail.reply import Writer
from referee.mail.submission import Trust
from referee.store import Store


@dataclass(frozen=True, slots=True)
class Desk:
    """A club ready to work.

    random    a source of random bytes, such as `secrets.token_bytes`
    complain  hears, in one line, of what the operator should know at once
    """

    club: Club
    key: bytes = field(repr=False)
    store: Store
    writer: Writer
    random: Callable[[int], bytes] = secrets.token_bytes
    complain: Callable[[str], None] = field(default=lambda text: None, repr=False)

    @property
    def trust(self) -> Trust:
        """Whose word on a sender counts."""
        source = self.club.mail_in
        return Trust(source.authserv_id, source.trusted_hosts, self.club.address)


def to_stderr(text: str) -> None:
    """Write a complaint where a service's journal picks it up."""
    print(f"referee: {text}", file=sys.stderr, flush=True)  # noqa: T201 - the journal


_club_time: Callable[[datetime], datetime] = lambda local: local  # noqa: E731 - set by open_desk


def utc_now() -> datetime:
    """Return the moment, in UTC: of this machine, or where many machines keep a club that of their database."""
    return _club_time(datetime.now(UTC))


def writer_for(club: Club, complain: Callable[[str], None]) -> Writer:
    """Return the club's templates."""
    return Writer(club.name, club.address, club.templates, complain)


def open_desk(
    folder: Path,
    now: datetime,
    *,
    patience: float = 10.0,
    complain: Callable[[str], None] = to_stderr,
) -> Desk:
    """Open the club in a folder. Raises ClubError or StoreError that says what is missing or wrong."""
    club = load(folder)
    key = load_key(folder)
    global _club_time  # noqa: PLW0603 - a process keeps one club, and has one time
    store = Store.open(club.database, fingerprint(key), now, patience)
    _club_time = store.moment
    return Desk(club, key, store, writer_for(club, complain), complain=complain)
