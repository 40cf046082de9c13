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
from importlib import import_module
from pathlib import Path

from tests.bench import table
from tests.bench.measure import ROOT, FailedError

MODULES = {
    "starting": "tests.bench.starting",
    "printing": "tests.bench.printing",
    "judging": "tests.bench.judging",
    "pictures": "tests.bench.drawing",
    "growth": "tests.bench.growing",
    "mails": "tests.bench.mailing",
}
QUICK = {"games": 2_000, "most": 1_000, "mails": 40}
WHOLE = {"games": 20_000, "most": 100_000, "mails": 200}


def main() -> int:
    """Measure, print and write; 1 where a part failed."""
    chosen = _arguments()
    size = QUICK if chosen.quick else WHOLE
    rounds = chosen.rounds or (3 if chosen.quick else 7)
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as compiled:
        folder = Path(made)
        sizes: dict[str, tuple[object, ...]] = {
            "starting": (folder, compiled, 2 * rounds),
            "printing": (folder, compiled, rounds),
            "judging": (folder, compiled, rounds, size["games"]),
            "pictures": (rounds,),
            "growth": (folder, compiled, rounds, size["most"]),
            "mails": (size["mails"], size["most"]),
        }
        sections, missing = [], []
        for name in chosen.only or sizes:
            began = time.perf_counter()
            try:
                # loaded when it is due: a child's most memory counts that of the process that it was forked from
                sections.append(import_module(MODULES[name]).measure(*sizes[name]))
            except FailedError as error:
                missing.append(f"{name} ({error})")
            print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    text = table.markdown(sections, [*missing, *_absent()])
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    chosen.output.write_text(text, encoding="utf-8")
    print(text)
    if not chosen.quick and not chosen.only and not _absent():
        import_module("tests.bench.real_records").main([])
    return 1 if missing else 0


def _absent() -> list[str]:
    archives = import_module("tests.bench.archives")
    if archives.REAL.is_file():
        return []
    return [f"neurobenzene's games, which are not at {archives.REAL.relative_to(ROOT.parent)}"]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, help="how often everything runs [7]")
    parser.add_argument("--quick", action="store_true", help="small archives, three rounds")
    parser.add_argument(
        "--only", action="append", choices=list(MODULES), help="this part; may be repeated"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "output" / "bench.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
