"""Read and judge every real Hex record of the handed data, and print what came of it.

Run with `python tests/bench/real_records.py [FOLDER]`; the folder is `../shared/data/hex` unless told otherwise.
A table: the kind of record, files, games, plies, legal games and faults by code, and each faulty record's place.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from referee.errors import UnreadableError
from referee.judge import judge
from referee.notation.inputs import open_records


@dataclass
class Count:
    """What one kind of file came to."""

    files: int = 0
    games: int = 0
    plies: int = 0
    legal: int = 0
    swaps: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    places: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


def board_of(path: Path) -> int | None:
    """Return the size that a file of lines needs; its name says it (`13x13-all-1ply`, `TEST9x9.txt`)."""
    digits = "".join(c if c.isdigit() else " " for c in path.name).split()
    return int(digits[0]) if digits and "x" in path.name else None


def kind_of(path: Path) -> str | None:
    """Return the kind of a file, None for licences and the like."""
    if path.suffix in (".sgf", ".six"):
        return path.suffix
    if path.parent.name == "openings":
        return "openings"
    if path.name == "TEST9x9.txt":
        return "lines"
    return None


def count(folder: Path) -> dict[str, Count]:
    """Return the counts by kind of all records under a folder."""
    counts: dict[str, Count] = {}
    for path in sorted(folder.rglob("*")):
        kind = kind_of(path) if path.is_file() else None
        if kind is not None:
            _count_file(path, counts.setdefault(kind, Count()), folder)
    return counts


def _count_file(path: Path, total: Count, folder: Path) -> None:
    total.files += 1
    try:
        for record in open_records(path, board_of(path)):
            verdict = judge(record)
            total.games += 1
            total.plies += verdict.plies
            if "swap" in record.words[:4]:
                total.swaps[record.value("Swap") or "sides"] += 1
            if verdict.error is None:
                total.legal += 1
                continue
            total.faults[verdict.error.code] += 1
            name = path.relative_to(folder)
            total.places.append(
                f"{name}:{verdict.error.line}:{verdict.error.column}: {verdict.error.message}"
            )
    except UnreadableError as error:
        total.unreadable.append(str(error))


def main() -> None:
    """Print the table."""
    default = Path(__file__).resolve().parents[3] / "shared" / "data" / "hex"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    began = time.perf_counter()
    counts = count(folder)
    took = time.perf_counter() - began
    print(f"{'kind':10}{'files':>7}{'games':>8}{'plies':>9}{'legal':>8}  swaps; faults")
    for kind, total in counts.items():
        row = f"{kind:10}{total.files:7}{total.games:8}{total.plies:9}{total.legal:8}"
        print(row, dict(total.swaps), dict(total.faults), sep="  ")
    plies = sum(total.plies for total in counts.values())
    print(f"{plies} plies in {took:.1f} s")
    for total in counts.values():
        for line in (*total.unreadable, *total.places):
            print(line)


if __name__ == "__main__":
    main()
