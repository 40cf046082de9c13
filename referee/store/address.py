"""Where a club at PostgreSQL is: its URL read, named without what is secret, and made into what the driver wants."""

from __future__ import annotations

from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from referee.store.errors import StoreError

_STUCK: Final = 300
"""Seconds after which a process that stands still in the middle of a transaction loses it, and holds nobody up."""

_TCP: Final = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""How soon a dead server is noticed; what the URL says comes first."""


def parsed(url: str) -> URL:
    """Return a URL; several servers may stand in it as `host=a:1,b:2`, the way libpq writes them.

    Raises StoreError that says what is wrong and nothing of what stands there: half a password may be taken for a host.
    """
    try:
        at = make_url(url)
    except (ArgumentError, ValueError):
        raise StoreError(UNREADABLE) from None
    hosts = at.query.get("host", "")
    if isinstance(hosts, str) and "," in hosts:
        at = at.set(query={**at.query, "host": tuple(hosts.split(","))})
    if "@" in _hosts(at):
        raise StoreError(
            "the database's URL has more than one @; one in a user's name or password is written %40"
        )
    return at


UNREADABLE: Final = (
    "the database's URL cannot be read; write postgresql+psycopg://user@host:5432/name, the port a number, and "
    "/ : @ in a password as %2F %3A %40"
)


def name_of(at: URL) -> str:
    """Return how messages call a database: its name and servers, no user and no password."""
    return f"database {at.database or 'without a name'} at {_hosts(at)}"


def _hosts(at: URL) -> str:
    named = at.query.get("host") or (f"{at.host}:{at.port}" if at.port else at.host) or "localhost"
    return named if isinstance(named, str) else ",".join(named)


def arguments(at: URL, patience: float) -> dict[str, str]:
    """Return how the driver is to connect; what the URL says comes first."""
    settings = {
        "synchronous_commit": "on",  # a mail is acknowledged after its commit, and then it must be kept
        "lock_timeout": f"{round(patience * 1000)}",
        "idle_in_transaction_session_timeout": f"{_STUCK}s",
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    theirs = at.query.get("options", "")
    ours = {name: value for name, value in _TCP.items() if name not in at.query}
    return {**ours, "options": f"{options} {theirs}".strip()}


def unreached(said: str) -> str:
    """Return what a server that could not be connected to means for the operator, by what libpq said of it."""
    for sign, meaning in _SIGNS:
        if sign in said:
            return meaning
    return "the database is away"


_SIGNS: Final = (
    ("password", "it wants another password; look at ~/.pgpass, PGPASSWORD, or the URL"),
    ("no pg_hba.conf entry", "it does not let this user in from here; look at its pg_hba.conf"),
    ("authentication failed", "it does not let this user in; look at the URL's user"),
    ("role ", "it does not know this user, or not for this database; look at the URL's user"),
    ("does not exist", "there is no such database; make it with ENCODING 'UTF8'"),
    ("invalid ", "its URL cannot be used"),
)
