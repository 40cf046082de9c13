"""How fast the commands answer: whole processes beside a bare Python that imports click."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench import peers, table
from tests.bench.measure import process, race
from tests.bench.table import Row, Section

TIMES, MOST = 4.0, 0.15
RECORD = '[Game "Hex"]\n[First "Ann"]\n[Second "Bob"]\n\n1. f6 swap 2. e7 d8 *\n'


def measure(folder: Path, compiled: str, rounds: int) -> Section:
    """Return the rows."""
    small = folder / "small.moves"
    small.write_text(RECORD, encoding="utf-8")
    commands = {
        "python -c pass": ["-c", "pass"],
        "import click": ["-c", peers.IMPORT_CLICK],
        "referee --help": ["-m", "referee", "--help"],
        "referee --version": ["-m", "referee", "--version"],
        "referee adjudicate small.moves": ["-m", "referee", "adjudicate", str(small)],
        "pnp --help": ["-m", "pnp", "--help"],
        "pnp build hex --help": ["-m", "pnp", "build", "hex", "--help"],
    }
    found = race(
        {
            name: lambda words=words: process([sys.executable, *words], compiled)
            for name, words in commands.items()
        },
        rounds,
    )
    bare, floor = found.pop("python -c pass"), found.pop("import click")
    rows = [
        Row(
            f"`{name}`",
            table.milliseconds(ours),
            f"Python with click {table.milliseconds(floor)}",
            table.ratio(ours, floor),
            f"≤ {TIMES:g} ×, {MOST * 1000:g} ms",
            ours.work <= min(TIMES * floor.work, MOST),
        )
        for name, ours in found.items()
    ]
    rows.append(Row("`python -c pass`, for comparison", table.milliseconds(bare)))
    return Section("Commands that answer at once, whole processes", rows)
