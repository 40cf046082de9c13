"""A club at PostgreSQL: mails a second with one, two, four processes beside SQLite, and a large club's cost of a mail.

    REFEREE_TEST_POSTGRES=URL python -m tests.bench.bench_workers [games [large]]      (default 40 100000)

First the same mails (four plies for each of so many games, some without tokens) are handled and answered by processes
of `referee`'s own pipeline: milliseconds of the processor a mail, which no other load changes, and mails a second by
the clock with the machine's load beside it. Then the store's part of a mail with 100 games and with a large club's, of
40 plies and 20 lines of log each, as in bench_store.py.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from sqlalchemy import create_engine, text

from referee.store import Store
from referee.store.schema import games as games_table
from tests.bench.bench_store import MAILS, START, Mailbag, fill
from tests.referee.faults.club import forked
from tests.referee.faults.workers import at_work, town
from tests.referee.store import databases


def drained(folder: Path, url: str, games: int, workers: int) -> str:
    """Let processes handle all mails of a town; return what it cost."""
    made = town(folder / f"c{workers}", url, games, 4)
    folders = [made.worker(f"w{n}") for n in range(workers)]
    began = time.perf_counter()
    children = [forked(partial(at_work, mine)) for mine in folders]
    busy = 0.0
    for child in children:
        _, status, usage = os.wait4(child, 0)
        assert status == 0
        busy += usage.ru_utime + usage.ru_stime
    took = time.perf_counter() - began
    mails = games * 4 * 1.17  # some come twice, some have a rival
    return (
        f"{busy * 1000 / mails:6.1f} ms of the processor a mail, {mails / took:5.1f} mails a second "
        f"(load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)"
    )


def enlarge(url: str, games: int) -> None:
    """Copy the first game and its log until there are so many, within the server."""
    own = {"id": "'hex-' || n", "number": "n", "first_id": "n % 200 + 1"}
    own |= {"second_id": "n * 7 % 200 + 1", "mover_id": "n % 200 + 1"}
    own |= {"due_at": f"g.created + n::bigint * {60 * 10**6}"}
    names = [column.name for column in games_table.c]
    values = ", ".join(own.get(name, f"g.{name}") for name in names)
    databases.sql(
        url,
        f"INSERT INTO games ({', '.join(names)}) SELECT {values} FROM games g, "
        f"generate_series(2, {games}) n WHERE g.id = 'hex-1'",
        "INSERT INTO log (game_id, at, event, kind, data) SELECT g.id, g.created, p, 'played', "
        "json_build_object('ply', p) FROM games g, generate_series(1, 20) p",
        "ANALYZE",
    )


class Large:
    """A store with so many games, and what its part of a mail costs."""

    def __init__(self, url: str, count: int) -> None:
        self.url, self.count = url, count
        self.store = Store.create(url, "key", START)
        fill(self.store, 1)
        enlarge(url, count)
        self.bag = Mailbag(self.store, count)
        self.whole: list[float] = []
        self.busy: list[float] = []

    def mail(self, number: int) -> None:
        """Do one mail."""
        begin, processor = time.perf_counter(), time.process_time()
        self.bag.mail(number)
        self.whole.append((time.perf_counter() - begin) * 1000)
        self.busy.append((time.process_time() - processor) * 1000)

    def told(self) -> str:
        """Return what it came to."""
        self.store.close()
        engine = create_engine(self.url)
        with engine.connect() as connection:
            size = connection.scalar(text("SELECT pg_database_size(current_database())")) or 0
            plies = connection.scalar(text("SELECT sum(plies) FROM games")) or 0
        engine.dispose()
        laps = self.bag.parts.items()
        parts = ", ".join(f"{name} {statistics.median(times):.2f}" for name, times in laps)
        return (
            f"{self.count:>7} games: {statistics.median(self.whole):6.2f} ms a mail, "
            f"{statistics.median(self.busy):.1f} of them our processor's; {parts}; "
            f"{plies} plies, {size / 2**20:.0f} MiB"
        )


def main(games: int = 40, many: int = 100_000) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        print(f"SQLite, 1 process:      {drained(folder, 'sqlite:///club.db', games, 1)}")
        for workers in (1, 2, 4):
            with databases.made() as url:
                done = drained(folder / "pg", url, games, workers)
            print(f"PostgreSQL, {workers} process(es): {done}")
    with databases.made() as few, databases.made() as url:
        both = (Large(few, 100), Large(url, many))
        for number in range(MAILS):
            for one in both:  # in turns, so that what else the machine does touches both alike
                one.mail(number)
        for one in both:
            print(one.told())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
