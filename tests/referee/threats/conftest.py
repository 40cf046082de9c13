"""A club for each test, and a way to see whether anything in it was changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from referee.store.schema import metadata
from tests.referee.service.house import House

PASSING = ("spool", "outbox", "handled", "budgets", "codes")
"""Tables that any mail may leave a trace in; all others say what is true in the club."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A club whose mail server tells of DMARC."""
    house = House(tmp_path / "club")
    yield house
    house.desk.store.close()


def state(house: House) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that is true in the club: games, clocks, players, challenges, log; not what passes through."""
    found = {}
    with house.desk.store.read(house.now) as unit:
        for table in metadata.sorted_tables:
            if table.name not in PASSING:
                rows = unit._db.execute(select(table)).all()
                found[table.name] = sorted((tuple(row) for row in rows), key=repr)
    return found


@pytest.fixture
def unmoved() -> Callable[[House], dict[str, list[tuple[Any, ...]]]]:
    """A function: the club's state, to be compared with a later one."""
    return state
