"""The store's part of a mail, and what it costs with few and with many games.

    python tests/bench/bench_store.py [games …]        (default 100 100000)

prints, for each number of games in the store: milliseconds for a mail from the spool to the 250 of its notice (five
durable commits) beside five bare commits of one row on the same disk, in turns; the milliseconds of its parts; the
file's size. Games have 40 plies each; mails go to games at random.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert, select

from referee import clock as c
from referee import match as m
from referee.match import Done, Match
from referee.store import Store
from referee.store.schema import games, log

START = datetime(2025, 3, 28, tzinfo=UTC)
MAILS = 300
COMMITS = 5
RAW = b"Received: from mx\r\n" * 60 + b"\r\nf6\r\n"


def _played(plies: int) -> Match:
    rng = random.Random(1)
    match = m.begin(m.propose("Hex", 1, {}, "", None), "Ann", "Bob", START.date()).match
    for _ in range(plies):
        words = [
            match.rules.format(x, match.setup) for x in match.rules.legal_moves(match.position)
        ]
        done = m.play(match, match.to_move or 0, rng.choice([w for w in words if w != "swap"]))
        assert isinstance(done, Done)
        match = done.match
    return match


def fill(store: Store, count: int) -> None:
    """Put `count` games of 40 plies into the store, each with its log: one by the unit, the others as its copies."""
    match = _played(40)
    with store.begin(START) as unit:
        for n in range(200):
            unit.add_player(f"P{n}", f"p{n}", f"p{n}@x.example")
        clock = c.noticed(c.turn(c.new_clock(c.Settings()), 0), START)
        unit.add_game(match, 1, 2, clock, (m.Started("Ann", "Bob"),))
        row = dict(unit._db.execute(select(games)).first()._mapping)
    for at in range(2, count + 1, 5000):
        with store.begin(START) as unit:
            numbers = range(at, min(at + 5000, count + 1))
            rows = [
                row
                | {
                    "id": f"hex-{n}",
                    "number": n,
                    "first_id": n % 200 + 1,
                    "second_id": n * 7 % 200 + 1,
                    "mover_id": n % 200 + 1,
                    "due_at": START + timedelta(minutes=n),
                }
                for n in numbers
            ]
            unit._db.execute(insert(games), rows)
            entry = {"at": START, "event": 1, "kind": "played", "private": None}
            unit._db.execute(
                insert(log),
                [
                    entry | {"game_id": f"hex-{n}", "data": {"ply": p}}
                    for n in numbers
                    for p in range(20)
                ],
            )
            unit.number_taken(max(numbers))


class Mailbag:
    """Mails, and the time that each part of them takes."""

    def __init__(self, store: Store, count: int) -> None:
        self.store = store
        self.count = count
        self.parts: dict[str, list[float]] = {}
        self.rng = random.Random(2)

    def mail(self, number: int) -> None:
        """One mail: stored, its attempt counted, played, its notice taken and sent."""
        now = START + timedelta(seconds=number)
        game = f"hex-{self.rng.randrange(1, self.count + 1)}"
        begin = time.perf_counter()
        with self.store.begin(now) as unit:
            unit.spool_add(RAW, now, "referee@club.example", "bench", game)
        begin = self._lap("spool", begin)
        mail = self.store.take_mail(now)
        assert mail is not None
        begin = self._lap("attempt", begin)
        self._play(game, number, now, mail.id)
        begin = self._lap("move", begin)
        with self.store.begin(now) as unit:
            (letter,) = unit.outbox_take()
        begin = self._lap("take", begin)
        with self.store.begin(now) as unit:
            unit.outbox_sent(letter.id)
            kept = unit.game(game)
            assert kept is not None
            assert kept.clock is not None
            unit.save_clock(kept, c.noticed(kept.clock, now))
        self._lap("sent", begin)

    def _play(self, game: str, number: int, now: datetime, mail: int) -> None:
        with self.store.begin(now) as unit:
            assert not unit.handled(f"<{number}@x>", "referee@club.example")
            kept = unit.game(game)
            assert kept is not None
            assert kept.clock is not None
            assert unit.player_by_address(f"p{kept.first_id}@x.example") or True
            seat = kept.match.to_move or 0
            move = next(iter(kept.match.rules.legal_moves(kept.match.position)))
            done = m.play(kept.match, seat, kept.match.rules.format(move, kept.match.setup))
            assert isinstance(done, Done)
            clock = c.turn(c.played(kept.clock, kept.calendar, now), 1 - seat)
            unit.save_game(kept, done.match, clock, done.events)
            unit.outbox_cancel(game, ("turn", "reminder"), done.match.event)
            unit.outbox_add(
                "turn", "x@x.example", f"<{number}@club>", RAW * 3, player_id=1, game=game, event=1
            )
            unit.mark_handled(f"<{number}@x>", "referee@club.example", "hash", game)
            unit.wrote(kept.first_id)
            unit.spool_done(mail)

    def _lap(self, part: str, begin: float) -> float:
        now = time.perf_counter()
        self.parts.setdefault(part, []).append((now - begin) * 1000)
        return now


def floor(connection: sqlite3.Connection, number: int) -> float:
    """Five bare commits, each of one small row."""
    begin = time.perf_counter()
    for _ in range(COMMITS):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO bare VALUES (?)", (number,))
        connection.execute("COMMIT")
    return (time.perf_counter() - begin) * 1000


def bench(count: int, folder: Path) -> None:
    """Measure with `count` games and print."""
    store = Store.create(f"sqlite:///{folder / 'club.db'}", "key", START)
    begin = time.perf_counter()
    fill(store, count)
    filled = time.perf_counter() - begin
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        bare.execute(f"PRAGMA {pragma}")
    bare.execute("CREATE TABLE bare (x)")
    bag, floors, whole, busy = Mailbag(store, count), [], [], 0.0
    for number in range(MAILS):
        floors.append(floor(bare, number))
        begin, processor = time.perf_counter(), time.process_time()
        bag.mail(number)
        whole.append((time.perf_counter() - begin) * 1000)
        busy += time.process_time() - processor
    begin = time.perf_counter()
    with store.read(START + timedelta(days=9)) as unit:
        due = len(unit.due_games())
    polled = (time.perf_counter() - begin) * 1000
    size = (folder / "club.db").stat().st_size / 2**20
    store.close()
    median = statistics.median(whole)
    parts = ", ".join(f"{name} {statistics.median(times):.2f}" for name, times in bag.parts.items())
    print(
        f"{count:>7} games: {median:6.2f} ms a mail ({1000 / median:.0f} a second), "
        f"{busy * 1000 / MAILS:.1f} ms of them the processor's, "
        f"floor of {COMMITS} bare commits {statistics.median(floors):.2f} ms; {parts}; "
        f"poll of {due} due games {polled:.1f} ms; {size:.0f} MiB, filled in {filled:.0f} s"
    )


def main() -> None:
    """Measure with each number of games given."""
    for count in [int(text) for text in sys.argv[1:]] or [100, 100_000]:
        with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
            bench(count, Path(folder))


if __name__ == "__main__":
    main()
