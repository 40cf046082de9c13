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

START = datetime(2025, 3, 28, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
KEY = "fingerprint"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'club.db'}"


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a new club with Ann (1) and Bob (2), made once."""
    path = tmp_path_factory.mktemp("founded") / "club.db"
    made = Store.create(f"sqlite:///{path}", KEY, START)
    with made.begin(START) as unit:
        assert unit.add_player("Ann", "ann", "ann@x.example") is not None
        assert unit.add_player("Bob", "bob", "bob@x.example") is not None
    made.close()
    return path


@pytest.fixture
def store(url: str, founded: Path) -> Iterator[Store]:
    shutil.copy2(founded, url.removeprefix("sqlite:///"))
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
