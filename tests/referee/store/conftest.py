"""A club's store in a folder of its own, with two players."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee import match as m
from referee.clock import Settings, new_clock, turn
from referee.store import Kept, Store, Unit
from tests.referee.matches import begun
from tests.referee.store import databases
from tests.referee.store.databases import KINDS

START = datetime(2025, 3, 28, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
KEY = "fingerprint"


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a database may be made: a file that is not there yet, or a server's that is empty or a founded club's."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'club.db'}"
    server: databases.Renewed = request.getfixturevalue("on_server")
    return server.url


def _club(url: str) -> None:
    """Make a new club with Ann (1) and Bob (2)."""
    made = Store.create(url, KEY, START)
    with made.begin(START) as unit:
        assert unit.add_player("Ann", "ann", "ann@x.example") is not None
        assert unit.add_player("Bob", "bob", "bob@x.example") is not None
    made.close()


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a new club with Ann (1) and Bob (2), made once."""
    path = tmp_path_factory.mktemp("founded") / "club.db"
    _club(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def on_server() -> Iterator[databases.Renewed]:
    """A database of PostgreSQL with that club in it, made once."""
    with databases.made() as url:
        _club(url)
        kept = databases.Renewed(url)
        yield kept
        kept.close()


@pytest.fixture
def store(url: str, founded: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    if url.startswith("sqlite"):
        shutil.copy2(founded, url.removeprefix("sqlite:///"))
    else:
        request.getfixturevalue("on_server").renew()
    opened = Store.open(url, KEY, START)
    yield opened
    opened.close()


def new_game(unit: Unit, game: str = "Hex", **options: str) -> Kept:
    """A game of Ann (1) and Bob (2), Ann to move, her clock waiting for its notice."""
    match = begun(game, number=unit.next_number(), **options)
    clock = None if game == "Spiral" else turn(new_clock(Settings()), 0)
    events = (m.Started("Ann", match.player(1)),)
    return unit.add_game(match, 1, None if game == "Spiral" else 2, clock, events)


@pytest.fixture
def game(store: Store) -> Callable[..., Kept]:
    def make(name: str = "Hex", **options: str) -> Kept:
        with store.begin(START) as unit:
            return new_game(unit, name, **options)

    return make
