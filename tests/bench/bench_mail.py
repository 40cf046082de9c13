"""A mail's whole way, from its receipt to the 250 of its answers: mails a second, durable, and memory.

    python tests/bench/bench_mail.py [--mails N] [--memory N] [games …]        (default 300, 10000, 100 100000)

For each number of games in the store: mails a second without and with pictures, the durable commits of a mail, and
how many mails a second bare commits of one row on the same disk would allow, in turns with them. Then the memory of
one process after every tenth of N mails.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from referee import faults
from referee.mail.identity import plus, token
from referee.mail.transport import Failed, Parcel
from referee.service.sending import send_due
from referee.service.serving import settled
from referee.service.spool import receive, work
from tests.bench.bench_store import START, fill
from tests.referee.service.house import ADDRESS, House


class Sink:
    """A way out that takes all and keeps nothing."""

    taken = 0

    def send(self, parcel: Parcel) -> Failed | None:
        self.taken += 1
        return None

    def close(self) -> None:
        pass


class Traffic:
    """A club with games, and an endless row of moves for them."""

    def __init__(self, folder: Path, count: int) -> None:
        self.house = House(folder)
        self.house.now = START + timedelta(minutes=1)
        fill(self.house.desk.store, count)
        self.count, self.chance, self.sink = count, random.Random(7), Sink()
        self.handle(*self.mail(), pictures=True)  # loads what a club at work has loaded
        settled()

    def mail(self) -> tuple[bytes, str]:
        """Return a move for some game, by its token; a game that is over is left."""
        while True:
            game = f"hex-{self.chance.randint(1, self.count)}"
            with self.house.desk.store.read(self.house.now) as unit:
                kept = unit.game(game)
                assert kept is not None
                match = kept.match
                if match.to_move is None:
                    continue
                player_id = kept.player_id(match.to_move)
                player = unit.player(player_id) if player_id is not None else None
            assert player is not None
            moves = [
                match.rules.format(x, match.setup) for x in match.rules.legal_moves(match.position)
            ]
            to = plus(ADDRESS, token(self.house.desk.key, game, match.to_move, match.event))
            text = f"Hello,\n\n{self.chance.choice(moves)}\n\nBest wishes\n"
            return self.house.mail(
                player.address or "", text, to=to, subject=f"Re: [{game}] A – B"
            ), to

    def handle(self, raw: bytes, to: str, *, pictures: bool) -> None:
        """Store, handle and answer a mail."""
        house = self.house
        house.now += timedelta(seconds=1)
        receive(house.desk, raw, to, house.now)
        (outcome,) = work(house.desk, lambda: house.now)
        assert outcome.kind == "done", outcome
        if pictures:
            send_due(house.desk, self.sink, lambda: house.now)
        else:
            send_due(house.desk, self.sink, lambda: house.now, draw=lambda letter: None)


def commits() -> Iterator[None]:
    """Count the durable commits."""
    count = 0

    def hook(name: str) -> None:
        nonlocal count
        count += name == "commit:after"

    faults._hook = hook
    while True:
        yield
        commits.count, count = count, 0  # type: ignore[attr-defined]


def floor(path: Path, count: int) -> float:
    """Return the seconds that so many bare commits of one row take."""
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE IF NOT EXISTS t (x)")
        begun = time.perf_counter()
        for _ in range(count):
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO t VALUES (1)")
            database.execute("COMMIT")
        took = time.perf_counter() - begun
    database.close()
    return took


def speed(folder: Path, count: int, mails: int) -> None:
    """Print the figures for a store of so many games."""
    traffic = Traffic(folder / "club", count)
    counter = commits()
    next(counter)
    for pictures in (False, True):
        spent = bare = processor = 0.0
        each = 0
        for number in range(mails if not pictures else max(1, mails // 5)):
            raw, to = traffic.mail()
            begun, used = time.perf_counter(), time.process_time()
            traffic.handle(raw, to, pictures=pictures)
            spent += time.perf_counter() - begun
            processor += time.process_time() - used
            next(counter)
            each = commits.count  # type: ignore[attr-defined]
            bare += floor(folder / "bare.db", each)
            total = number + 1
        print(
            f"{count:>7} games, {'with' if pictures else 'no'} pictures: {total / spent:6.1f} mails/s "
            f"({1000 * spent / total:.1f} ms, {1000 * processor / total:.1f} ms of the processor), "
            f"{each} commits; bare commits alone: {total / bare:.1f} mails/s ({1000 * bare / total:.2f} ms)"
        )


def memory(folder: Path, mails: int) -> None:
    """Print the memory of a process after every tenth of so many mails."""
    traffic = Traffic(folder / "club", 2000)
    for number in range(1, mails + 1):
        traffic.handle(*traffic.mail(), pictures=number % 50 == 0)
        if number % max(1, mails // 10) == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            print(f"{number:>7} mails: {pages * 4 / 1024:.1f} MiB", flush=True)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", type=int, default=[100, 100_000])
    parser.add_argument("--mails", type=int, default=300)
    parser.add_argument("--memory", type=int, default=10_000)
    chosen = parser.parse_args()
    for count in chosen.games:
        with tempfile.TemporaryDirectory() as folder:
            speed(Path(folder), count, chosen.mails)
    if chosen.memory:
        with tempfile.TemporaryDirectory() as folder:
            memory(Path(folder), chosen.memory)


if __name__ == "__main__":
    main()
