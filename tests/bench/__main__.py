"""`make bench`, `python -m tests.bench`: measure everything side by side and write the table.

    python -m tests.bench [--rounds N] [--quick] [--only PART]… [--output FILE]

The parts: judging, pictures, printing, starting, growth, mails. A peer that is not installed is named in the
table (`pip install -e .[bench]`; protograf in a Python of its own, PROTOGRAF=that/python).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench import (
    archives,
    drawing,
    growing,
    judging,
    mailing,
    printing,
    real_records,
    starting,
    table,
)
from tests.bench.measure import ROOT, FailedError
from tests.bench.table import Section

QUICK = {"games": 2_000, "most": 1_000, "mails": 40}
WHOLE = {"games": 20_000, "most": 100_000, "mails": 200}


def main() -> int:
    """Measure, print and write; 1 where a part failed."""
    chosen = _arguments()
    size = QUICK if chosen.quick else WHOLE
    rounds = chosen.rounds or (3 if chosen.quick else 7)
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as compiled:
        folder = Path(made)
        parts: dict[str, Callable[[], Section]] = {
            "judging": lambda: judging.measure(folder, compiled, rounds, size["games"]),
            "pictures": lambda: drawing.measure(rounds),
            "printing": lambda: printing.measure(folder, compiled, rounds),
            "starting": lambda: starting.measure(folder, compiled, 2 * rounds),
            "growth": lambda: growing.measure(folder, compiled, rounds, size["most"]),
            "mails": lambda: mailing.measure(size["mails"], size["most"]),
        }
        sections, missing = [], []
        for name in chosen.only or parts:
            began = time.perf_counter()
            try:
                sections.append(parts[name]())
            except FailedError as error:
                missing.append(f"{name} ({error})")
            print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    text = table.markdown(sections, [*missing, *_absent()])
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    chosen.output.write_text(text, encoding="utf-8")
    print(text)
    if not chosen.quick and not chosen.only and archives.REAL.is_file():
        real_records.main([])
    return 1 if missing else 0


def _absent() -> list[str]:
    if archives.REAL.is_file():
        return []
    return [f"neurobenzene's games, which are not at {archives.REAL.relative_to(ROOT.parent)}"]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    names = ["judging", "pictures", "printing", "starting", "growth", "mails"]
    parser.add_argument("--rounds", type=int, help="how often everything runs [7]")
    parser.add_argument("--quick", action="store_true", help="small archives, three rounds")
    parser.add_argument("--only", action="append", choices=names, help="this part; may be repeated")
    parser.add_argument("--output", type=Path, default=ROOT / "output" / "bench.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
