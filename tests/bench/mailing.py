"""A mail parsed, played, stored and answered, each commit durable: with its picture, and what it costs beside it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench import table
from tests.bench.bench_mail import Traffic
from tests.bench.measure import Run, Times, times
from tests.bench.table import Row, Section

BESIDE = 5.0
"""Milliseconds of a mail without its picture."""
FLAT = 1.2
GAMES = (10, 1_000, 100_000)


def measure(mails: int, most: int) -> Section:
    """Return the rows, with up to `most` games in the store."""
    counts = [count for count in GAMES if count <= most]
    found = {count: _mails(count, mails) for count in counts}
    with_picture, without = found[counts[0]]
    plain = {count: without for count, (_, without) in found.items()}
    slower = max(t.work for t in plain.values()) / without.work
    return Section(
        "Mails, one process, SQLite, durable",
        [
            Row(
                "a mail parsed, played, stored, answered with its PNG",
                f"{table.milliseconds(with_picture)}; {table.rate(with_picture, 1)}",
                f"without the picture {table.milliseconds(without)}",
                aim=f"≤ {BESIDE:g} ms beside the picture",
                reached=without.work * 1000 <= BESIDE,
            ),
            Row(
                "a mail by the number of games in the store, without the picture",
                "; ".join(f"{n:,}: {table.milliseconds(found)}" for n, found in plain.items()),
                ratio=f"{slower:.2f} × as long as with the fewest",
                aim=f"≤ {FLAT} ×",
                reached=slower <= FLAT,
            ),
        ],
    )


def _mails(games: int, mails: int) -> tuple[Times, Times]:
    """Return the times of a mail with and without its picture, in turns, in a store of so many games."""
    runs: dict[bool, list[Run]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder:
        traffic = Traffic(Path(folder) / "club", games)
        for number in range(mails):
            raw, to = traffic.mail()
            pictures = number % 2 == 0
            clock, work = time.perf_counter(), time.process_time()
            traffic.handle(raw, to, pictures=pictures)
            run = Run(time.perf_counter() - clock, time.process_time() - work)
            if number > 1:  # the first of each loads modules
                runs[pictures].append(run)
        return _middle(runs[True]), _middle(runs[False])


def _middle(runs: list[Run]) -> Times:
    """Return medians of both: mails differ, so that the least would be the easiest one's."""
    found = times(runs)
    return found._replace(work=sorted(run.work for run in runs)[len(runs) // 2])
