"""What all tests of the referee share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Let a statement be compiled once for all databases of a kind: each test opens some, and compiling is dear.

    SQLAlchemy keeps what it compiled by engine and dialect, so engines after the first take over the first one's.
    """
    firsts: dict[str, Engine] = {}

    def made(url: Any, **options: Any) -> Engine:
        engine = create_engine(url, **options)
        first = firsts.setdefault(engine.dialect.name, engine)
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        for kind in ("sqlite", "postgres"):
            patch.setattr(f"referee.store.{kind}.create_engine", made)
        yield
