"""Growth: more games, longer records, more pages; neither the speed nor the memory may give way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path

from tests.bench import archives, printing, table
from tests.bench.archives import Archive
from tests.bench.judging import judge_lines, lines_of
from tests.bench.measure import Run, Times, inside, process, race
from tests.bench.table import Row, Section

FLAT = 1.2
"""The worst of a row over the best."""
GAMES = (10, 1_000, 100_000)
AT_LEAST = 1_000
"""Games in each run."""
PLIES = (10, 1_000, 100_000)
PAGES = (1, 1_000)
PAGE_MEMORY = 20.0
"""KiB a page."""


def measure(folder: Path, compiled: str, rounds: int, most: int) -> Section:
    """Return the rows, up to `most` games, plies and a hundredth of it in pages."""
    rows = [
        _games(folder, compiled, [n for n in GAMES if n <= most], rounds),
        _plies(folder, [n for n in PLIES if n <= most], rounds),
        _pages(compiled, [n for n in PAGES if n <= most], max(2, rounds // 3)),
    ]
    return Section("Growth", rows)


def _spread(rates: list[float]) -> float:
    return max(rates) / min(rates)


def _games(folder: Path, compiled: str, counts: list[int], rounds: int) -> Row:
    """Random games; from 1,000 on over and over, and small archives many times, to have something to measure."""
    files: dict[int, Archive] = {}
    contestants: dict[str, Callable[[], Run]] = {}
    for count in counts:
        source = archives.random_hex(folder, min(count, AT_LEAST))
        copies = count // source.games
        path = folder / f"growth-{count}.moves"
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(chain.from_iterable(repeat(lines_of(source), copies)))
        files[count] = Archive(path, count, source.plies * copies)
        again = max(1, AT_LEAST // count)
        contestants[str(count)] = lambda path=path, again=again: inside(
            lambda: [judge_lines(_stream(path)) for _ in range(again)]
        )
    found = race(contestants, max(2, rounds // 3))
    shown, rates, memory = [], [], []
    for count in counts:
        number = files[count].plies * max(1, AT_LEAST // count)
        times: Times = found[str(count)]
        rates.append(number / times.work)
        command = [sys.executable, "-m", "referee", "adjudicate", str(files[count].path)]
        memory.append(process([*command, "--format", "json"], compiled).mebibytes)
        shown.append(f"{count:,}: {table.rate(times, number)}, {memory[-1]:.1f} MiB")
    return Row(
        "plies/s of archives by their number of games; memory of the whole command",
        "; ".join(shown),
        ratio=f"{_spread(rates):.2f} × in speed, {_spread(memory):.2f} × in memory",
        aim=f"≤ {FLAT} ×",
        reached=_spread(rates) <= FLAT and _spread(memory) <= FLAT,
    )


def _stream(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from file


def _plies(folder: Path, counts: list[int], rounds: int) -> Row:
    """Focus, whose games can go on for ever; short records many times, and their reading is part of it."""
    most = max(counts)
    contestants: dict[str, Callable[[], Run]] = {}
    for count in counts:
        lines = lines_of(archives.long_focus(folder, count)) * (most // count)
        contestants[str(count)] = lambda lines=lines: inside(lambda: judge_lines(lines))
    found = race(contestants, max(2, rounds // 3))
    rates = [most / found[str(count)].work for count in counts]
    return Row(
        "plies/s of Focus records by their number of plies",
        "; ".join(f"{count:,}: {table.rate(found[str(count)], most)}" for count in counts),
        ratio=f"{_spread(rates):.2f} ×",
        aim=f"≤ {FLAT} ×",
        reached=_spread(rates) <= FLAT,
    )


def _pages(compiled: str, counts: list[int], rounds: int) -> Row:
    found = {count: printing.pages(count, compiled, rounds) for count in counts}
    few, many = min(counts), max(counts)
    further = (found[many][1] - found[few][1]) / max(1, many - few) * 1000
    memory = (found[many][2] - found[few][2]) * 1024 / max(1, many - few)
    return Row(
        "a PDF of boards by its number of pages, the backend alone",
        "; ".join(
            f"{count:,}: {clock:.2f} s ({work:.2f}), {mebibytes:.0f} MiB"
            for count, (clock, work, mebibytes) in found.items()
        ),
        ratio=f"{further:.1f} ms and {memory:.1f} KiB a further page",
        aim=f"≤ 8 ms, {PAGE_MEMORY:g} KiB",
        reached=further <= 8 and memory <= PAGE_MEMORY,
    )
