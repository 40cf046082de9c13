"""Several processes keep one club at PostgreSQL: in order, once, whatever breaks (issue: a club that outgrows one)."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from referee.service.desk import open_desk
from tests.conftest import IN_CI
from tests.referee.faults.club import ended, forked
from tests.referee.faults.workers import (
    at_work,
    check,
    deadlocks,
    finish,
    several,
    town,
)
from tests.referee.store import databases
from tests.tools.postgres import Cluster, programs

LONG = pytest.mark.long


@pytest.fixture
def url() -> Iterator[str]:
    with databases.made() as made:
        yield made


@pytest.mark.parametrize(
    ("workers", "games", "plies"),
    [(2, 4, 3), pytest.param(4, 200, 4, marks=LONG)],
    ids=["few", "four workers, 200 games"],
)
def test_a_games_mails_are_handled_in_order_by_whoever_is_free(
    tmp_path: Path, url: str, workers: int, games: int, plies: int
) -> None:
    made = town(tmp_path / "club", url, games, plies)
    assert several(made, workers) == [0] * workers
    assert max(check(made).values()) == 1, "no letter goes out twice"
    assert deadlocks(url) == 0


def _cut(url: str, times: int, chance: random.Random) -> None:
    """Cut connections, one after the other, whatever they are doing."""
    name = url.rpartition("/")[2]
    engine = create_engine(databases.server(), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for _ in range(times):
            time.sleep(chance.random() * 0.15)
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = :name ORDER BY random() LIMIT 1"
                ),
                {"name": name},
            )
    engine.dispose()


@pytest.mark.parametrize(
    ("games", "times"), [(3, 10), pytest.param(60, 200, marks=LONG)], ids=["few", "many"]
)
def test_connections_that_are_cut_lose_nothing(
    tmp_path: Path, url: str, games: int, times: int
) -> None:
    made = town(tmp_path / "club", url, games, 4)
    done = several(made, 2, lambda: _cut(url, times, random.Random(times)))
    assert done == [0, 0]
    finish(made)
    assert max(check(made).values()) == 1, "who knows that a letter went does not send it again"


@pytest.mark.parametrize(
    ("games", "kills"), [(2, 1), pytest.param(60, 30, marks=LONG)], ids=["few", "many"]
)
def test_a_worker_that_dies_leaves_its_mail_to_others(
    tmp_path: Path, url: str, games: int, kills: int
) -> None:
    made = town(tmp_path / "club", url, games, 4)
    chance = random.Random(kills)
    for number in range(kills):
        folder = made.worker(f"k{number}")
        child = forked(lambda folder=folder: at_work(folder))
        other = made.worker(f"o{number}")
        beside = forked(lambda folder=other: at_work(folder))
        time.sleep(0.2 + chance.random() * 0.5)
        for pid in (child, beside):
            os.kill(pid, signal.SIGKILL)
            assert ended(pid) in (0, -signal.SIGKILL)
    finish(made)
    check(made)  # after a crash a letter may go out once more, and then it is the same


def test_machines_whose_clocks_differ_have_one_time(tmp_path: Path, url: str) -> None:
    made = town(tmp_path / "club", url, 2, 3)
    folders = [(made.worker(f"m{n}"), off) for n, off in enumerate((420.0, -420.0))]
    children = [
        forked(lambda folder=folder, off=off: at_work(folder, clock_off=off))
        for folder, off in folders
    ]
    assert [ended(child) for child in children] == [0, 0]
    assert max(check(made).values()) == 1
    now = datetime.now(UTC)
    desk = open_desk(made.folder, now)
    with desk.store.read(now) as unit:
        moments = [game.updated for game in unit.games_list()]
        moments += [row.sent for row in map(unit.outbox_get, range(1, 9)) if row and row.sent]
    desk.store.close()
    assert all(abs(now - moment) < timedelta(minutes=2) for moment in moments)


# -- servers that fall ---------------------------------------------------------------------------------------------


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that a server's own user can reach."""
    with tempfile.TemporaryDirectory(prefix="pg-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def _cluster(folder: Path) -> Cluster:
    if programs() is None:
        if IN_CI:
            pytest.fail("PostgreSQL's server programs are not installed, and in CI they must be")
        pytest.skip("PostgreSQL's server programs are not installed")
    return Cluster(folder)


def _made(cluster: Cluster) -> str:
    databases.sql(cluster.url(), "CREATE DATABASE club")
    return cluster.url("club")


@LONG
def test_a_server_that_crashes_and_comes_back(tmp_path: Path, place: Path) -> None:
    server = _cluster(place / "pg").make().start()
    try:
        made = town(tmp_path / "club", _made(server), 20, 6)

        def crash() -> None:
            for _ in range(3):
                time.sleep(0.7)
                server.stop("immediate")
                time.sleep(0.3)
                server.start()

        assert several(made, 2, crash) == [0, 0]
        finish(made)
        assert max(check(made).values()) == 1
    finally:
        server.stop("immediate")


@LONG
def test_failover_to_a_second_address(tmp_path: Path, place: Path) -> None:
    """The standby has all that was committed (synchronous replication); the URL names both servers."""
    first = _cluster(place / "first").make().start()
    second = Cluster(place / "second")
    try:
        url = _made(first)
        second.copy_of(first).start()
        databases.sql(first.url(), "ALTER SYSTEM SET synchronous_standby_names = '*'")
        databases.sql(first.url(), "SELECT pg_reload_conf()")
        both = (
            f"postgresql+psycopg://referee@/club?host=127.0.0.1:{first.port},127.0.0.1:{second.port}"
            "&target_session_attrs=read-write"
        )
        made = town(tmp_path / "club", both, 20, 6)
        assert url.endswith("/club")

        def fall() -> None:
            time.sleep(1.0)
            first.stop("immediate")
            time.sleep(0.3)
            second.promote()
            databases.sql(second.url(), "ALTER SYSTEM SET synchronous_standby_names = ''")
            databases.sql(second.url(), "SELECT pg_reload_conf()")

        assert several(made, 2, fall) == [0, 0]
        finish(made)
        assert max(check(made).values()) == 1
    finally:
        for server in (first, second):
            try:
                server.stop("immediate")
            except RuntimeError:
                continue
