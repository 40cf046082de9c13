"""The servers, one set for all tests of a process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import need_program
from tests.referee.real import servers

USERS = ("referee", "ann", "bob", "cat")


def outside(name: str, *paths: str) -> str:
    """Return a server's program, which may lie outside the path of users; skip, or in CI fail, without it."""
    for path in paths:
        if os.access(path, os.X_OK):
            return path
    return need_program(name)


@pytest.fixture(scope="session")
def place() -> Iterator[Path]:
    """A folder for all servers."""
    with servers.folder("club-") as path:
        yield path


@pytest.fixture(scope="session")
def good(place: Path) -> servers.Papers:
    """The papers of the real servers."""
    return servers.papers(need_program("openssl"), place, "good")


@pytest.fixture(scope="session")
def bad(place: Path) -> servers.Papers:
    """The papers of a man in the middle: rightly made, by an authority that nobody trusts."""
    return servers.papers(need_program("openssl"), place, "bad")


@pytest.fixture(scope="session")
def imap(place: Path, good: servers.Papers) -> Iterator[servers.Dovecot]:
    """Dovecot."""
    program = outside("dovecot", "/usr/sbin/dovecot")
    with servers.dovecot(program, place, good, USERS) as running:
        yield running


@pytest.fixture(scope="session")
def smtp(place: Path, good: servers.Papers, imap: servers.Dovecot) -> Iterator[servers.Exim]:
    """Exim, which delivers to Dovecot's Maildirs."""
    program = outside("exim4", "/usr/sbin/exim4")
    with servers.exim(program, place, good, imap.mail, USERS) as running:
        yield running


@pytest.fixture
def trusted(good: servers.Papers, monkeypatch: pytest.MonkeyPatch) -> servers.Papers:
    """Let this process trust the servers' authority, as a system's own store would."""
    monkeypatch.setenv("SSL_CERT_FILE", str(good.authority))
    monkeypatch.setenv("SSL_CERT_DIR", str(good.authority.parent / "none"))
    return good
