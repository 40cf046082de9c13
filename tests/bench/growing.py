"""Growth: more games, longer records, more pages; neither the speed nor the memory may give way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import pairwise, repeat
from pathlib import Path

from referee.judge import judge
from referee.notation.moves import read, split
from tests.bench import archives, printing, table
from tests.bench.archives import Archive
from tests.bench.judging import judge_pieces, pieces_of
from tests.bench.measure import Run, Times, inside, process, race
from tests.bench.table import Row, Section

FLAT = 1.2
"""The worst of a row over the best."""
GAMES = (10, 1_000, 100_000)
AT_LEAST = 1_000
"""Games in each run."""
PLIES = (10, 1_000, 100_000)
PAGES = (1, 100, 1_000)
PAGE_MEMORY = 20.0
"""KiB a page."""


def measure(folder: Path, compiled: str, rounds: int, most: int) -> Section:
    """Return the rows, up to `most` games, plies and pages."""
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
            file.writelines(repeat(source.path.read_text(encoding="utf-8"), copies))
        files[count] = Archive(path, count, source.plies * copies)
        again = max(1, AT_LEAST // count)
        contestants[str(count)] = lambda path=path, again=again: inside(
            lambda: [judge_pieces(_stream(path)) for _ in range(again)]
        )
    found = race(contestants, max(2, rounds // 3))
    shown, rates, memory = [], [], []
    for count in counts:
        number = files[count].plies * max(1, AT_LEAST // count)
        times: Times = found[str(count)]
        rates.append(number / times.work)
        memory.append(_memory(files[count].path, compiled))
        shown.append(f"{count:,}: {table.rate(times, number)}, {memory[-1]:.1f} MiB")
    return Row(
        "plies/s of archives by their number of games; memory of the whole command",
        "; ".join(shown),
        ratio=f"{_spread(rates):.2f} × in speed, {_spread(memory):.2f} × in memory",
        aim=f"≤ {FLAT} ×",
        reached=_spread(rates) <= FLAT and _spread(memory) <= FLAT,
    )


def _memory(path: Path, compiled: str) -> float:
    """Return the MiB of the whole command, once its modules are compiled."""
    command = [sys.executable, "-m", "referee", "adjudicate", str(path), "--format", "json"]
    return race({"ours": lambda: process(command, compiled)}, 1)["ours"].mebibytes


def _stream(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from pieces_of(file)


def _plies(folder: Path, counts: list[int], rounds: int) -> Row:
    """Focus, whose games can go on for ever; short records many times, and their reading is part of it."""
    most = max(counts)
    contestants: dict[str, Callable[[], Run]] = {}
    for count in counts:
        text = archives.long_focus(folder, count).path.read_text(encoding="utf-8")
        if not all(judge(read(source)).legal for source in split([text], "bench")):
            raise AssertionError(f"the record of {count:,} plies breaks a rule")
        again = list(pieces_of(StringIO(text * (most // count), newline="\n")))
        contestants[str(count)] = lambda again=again: inside(lambda: judge_pieces(again))
    found = race(contestants, max(2, rounds // 3))
    rates = [most / found[str(count)].work for count in counts]
    fall = max(max(rates[: k + 1]) / rate for k, rate in enumerate(rates))
    return Row(
        "plies/s of Focus records by their number of plies; a short one is mostly its tags and its end",
        "; ".join(f"{count:,}: {table.rate(found[str(count)], most)}" for count in counts),
        ratio=f"falls by {fall:.2f} × at most",
        aim=f"≤ {FLAT} ×",
        reached=fall <= FLAT,
    )


def _pages(compiled: str, counts: list[int], rounds: int) -> Row:
    found = {count: printing.pages(count, compiled, rounds) for count in counts}
    steps = [
        (many - few, *(b - a for a, b in zip(found[few], found[many], strict=True)))
        for few, many in pairwise(counts)
    ]
    work = [seconds / number * 1000 for number, _, seconds, _ in steps]
    memory = max(mebibytes / number * 1024 for number, _, _, mebibytes in steps)
    return Row(
        "a PDF of boards by its number of pages, the backend alone",
        "; ".join(
            f"{count:,}: {clock:.2f} s ({seconds:.2f}), {mebibytes:.1f} MiB"
            for count, (clock, seconds, mebibytes) in found.items()
        ),
        ratio=f"a further page {', '.join(f'{ms:.1f}' for ms in work)} ms, {memory:.1f} KiB",
        aim=f"≤ {FLAT} ×, 8 ms, {PAGE_MEMORY:g} KiB",
        reached=max(work) <= 8 and work[-1] <= FLAT * work[0] and memory <= PAGE_MEMORY,
    )
