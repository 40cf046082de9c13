"""Databases for tests: SQLite's files, and PostgreSQL where the environment names a server."""

from __future__ import annotations

import atexit
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from referee.store.schema import metadata
from tests.conftest import IN_CI

VARIABLE = "REFEREE_TEST_POSTGRES"
"""A URL whose user may make databases, such as `python -m tests.tools.postgres start FOLDER` prints."""

KINDS = ("sqlite", "postgresql")
ON_A_FILE = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
ON_A_SERVER = pytest.mark.parametrize("url", ["postgresql"], indirect=True)


def server() -> str:
    """Return the URL of the tests' PostgreSQL; skip by name where there is none, which CI does not allow."""
    url = os.environ.get(VARIABLE, "")
    if not url:
        if IN_CI:
            pytest.fail(f"no PostgreSQL: {VARIABLE} names no server, and in CI it must")
        pytest.skip(f"no PostgreSQL: {VARIABLE} names no server")
    return url


def sql(url: str, *statements: str) -> None:
    """Run statements at a database behind the store's back."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


@contextmanager
def made(template: str = "template1") -> Iterator[str]:
    """Give the URL of a new database; it goes in the end, whoever is still connected."""
    admin, name = server(), f"t{uuid.uuid4().hex[:16]}"
    sql(admin, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield make_url(admin).set(database=name).render_as_string(hide_password=False)
    finally:
        sql(admin, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


HOUSES = "REFEREE_TEST_HOUSES"
"""`postgresql` lets every club of the tests that does not say where it is kept be at that server."""


def for_a_house(found: Callable[[str], None]) -> str:
    """Return where a test's club is kept: a file, or a copy of a founded club's database that goes in the end."""
    if os.environ.get(HOUSES) != "postgresql":
        return "sqlite:///club.db"
    if not _FOUNDED:
        _FOUNDED.append(_kept_open("template1"))
        found(_FOUNDED[0])
    return _kept_open(str(make_url(_FOUNDED[0]).database))


_FOUNDED: list[str] = []
"""The URL of a founded club, made once: migrations take longer than most tests."""


def _kept_open(template: str) -> str:
    stack = ExitStack()
    url = stack.enter_context(made(template))
    atexit.register(stack.close)
    return url


class Renewed:
    """A server's database with a club in it that can be put back to what it was, quicker than another is made."""

    def __init__(self, url: str) -> None:
        import psycopg

        at = make_url(url)
        self.url = url
        self._db = psycopg.connect(
            host=at.host, port=at.port, user=at.username, dbname=at.database, autocommit=True
        )
        tables = [table.name for table in metadata.sorted_tables]
        self._db.execute("CREATE SCHEMA kept")
        kept = ("alembic_version", *(name for name in tables if self._filled(name)))
        for name in kept:
            self._db.execute(f"CREATE TABLE kept.{name} AS SELECT * FROM {name}")
        counted = [t.name for t in metadata.sorted_tables if "id" in t.c and t.name not in _BY_NAME]
        self._renew = "; ".join(
            [
                *(f"DELETE FROM {name}" for name in (*reversed(tables), "alembic_version")),
                *(f"INSERT INTO {name} SELECT * FROM kept.{name}" for name in kept),
                *(
                    f"SELECT setval('{name}_id_seq', (SELECT count(*) + 1 FROM {name}), false)"
                    for name in counted
                ),
            ]
        )

    def _filled(self, name: str) -> bool:
        return self._db.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() is not None

    def renew(self) -> None:
        """Put it back."""
        self._db.execute(self._renew)

    def close(self) -> None:
        self._db.close()


_BY_NAME = ("games", "challenges")
"""Tables whose `id` is a name."""
