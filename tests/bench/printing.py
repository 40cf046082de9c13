"""What is printed, as whole processes beside bare reportlab scripts, and beside other packages where they are there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.bench import peers, table
from tests.bench.bench_print import (
    COMMAND,
    FLATTEN,
    FLOOR,
    OURS,
    PNG_FLOOR,
    PNG_OURS,
    TILES_FLOOR,
    run,
)
from tests.bench.measure import ROOT, Run, process, race
from tests.bench.table import Row, Section

FONT = str(ROOT / "templates" / "fonts" / "DejaVuSans.ttf")
BOARD = "build hex"
TILES = "build lightning --no-board --no-mats --no-card --backs duplex-long"
BOARDS = 101
CATALOGUE = 3.0


def measure(folder: Path, compiled: str, rounds: int) -> Section:
    """Return the rows."""
    few = max(3, rounds // 3)
    rows = [
        *_board(compiled, rounds),
        *_tiles(compiled, rounds),
        _boards(compiled, few),
        _catalogue(folder, compiled, few),
        _picture(folder, compiled, few),
    ]
    return Section("Printing, whole processes", rows)


def _script(script: str, argument: str, pages: int, compiled: str) -> Callable[[], Run]:
    def runner() -> Run:
        found = run(script, argument, pages, compiled)
        return Run(found.seconds, found.work, found.mebibytes)

    return runner


def _beside(
    what: str, words: str, floor: str, most: float, size: int, compiled: str, rounds: int
) -> Row:
    found = race(
        {
            "ours": _script(COMMAND, words, 1, compiled),
            "floor": _script(floor, FONT, 1, compiled),
        },
        rounds,
    )
    ours, least = found["ours"], found["floor"]
    weight = run(COMMAND, words, 1, compiled).size / 1000
    return Row(
        f"{what}, `pnp {words}`",
        f"{table.seconds(ours)}, {ours.mebibytes:.0f} MiB, {weight:.1f} kB",
        f"reportlab {table.seconds(least)}, {least.mebibytes:.0f} MiB",
        table.ratio(ours, least),
        f"≤ {most} ×, 40 MiB, {size} kB",
        ours.work <= most * least.work and ours.mebibytes <= 40 and weight <= size,
    )


def _board(compiled: str, rounds: int) -> list[Row]:
    others = {}
    if peers.has("fpdf"):
        others["fpdf2"] = _script(peers.FPDF2, FONT, 1, compiled)
    others |= _protograf(peers.PROTOGRAF, compiled)
    ours = _beside("a Hex board, PDF", BOARD, FLOOR, 1.5, 30, compiled, rounds)
    few = max(3, rounds // 3)
    return [ours, *_peers(BOARD, others, ("fpdf2", "protograf"), compiled, few)]


def _tiles(compiled: str, rounds: int) -> list[Row]:
    what = "150 tiles and their backs, PDF"
    ours = _beside(what, TILES, TILES_FLOOR, 1.8, 40, compiled, rounds)
    others = _protograf(peers.PROTOGRAF_TILES, compiled)
    return [ours, *_peers(TILES, others, ("protograf",), compiled, 2)]


def _protograf(script: str, compiled: str) -> dict[str, Callable[[], Run]]:
    found, out = peers.protograf(), Path(compiled, "protograf.pdf")
    if found is None:
        return {}
    python, version = found
    return {f"protograf {version}": lambda: process([python, "-c", script, str(out)], compiled)}


def _peers(
    words: str,
    others: Mapping[str, Callable[[], Run]],
    names: Sequence[str],
    compiled: str,
    rounds: int,
) -> list[Row]:
    found = race({"ours": _script(COMMAND, words, 1, compiled), **others}, rounds)
    rows, ours = [], found["ours"]
    for name in names:
        called = next((other for other in others if other.startswith(name)), None)
        if called is None:
            rows.append(Row(f"the same beside {name}", "", f"{name} is not installed"))
            continue
        other = found[called]
        rows.append(
            Row(
                f"the same beside {name}",
                table.seconds(ours),
                f"{called} {table.seconds(other)}",
                table.speed(ours, other) + " as fast",
            )
        )
    return rows


def _boards(compiled: str, rounds: int) -> Row:
    found = race(
        {
            "1": _script(COMMAND, BOARD, 1, compiled),
            "101": _script(COMMAND, BOARD, BOARDS, compiled),
        },
        rounds,
    )
    one, many = found["1"], found["101"]
    clock = (many.clock - one.clock) / (BOARDS - 1) * 1000
    work = (many.work - one.work) / (BOARDS - 1) * 1000
    memory = (many.mebibytes - one.mebibytes) * 1024 / (BOARDS - 1)
    return Row(
        "each further board of 101 in one process",
        f"{clock:.1f} ms ({work:.1f}), {memory:.1f} KiB",
        aim="≤ 8 ms, 20 KiB",
        reached=work <= 8 and memory <= 20,
    )


def _catalogue(folder: Path, compiled: str, rounds: int) -> Row:
    out = str(folder / "catalogue")
    command = [sys.executable, "-m", "pnp", "build", "all", "--paper", "a4", "--output", out]
    ours = race({"ours": lambda: process(command, compiled)}, rounds)["ours"]
    return Row(
        "the catalogue on A4, `pnp build all`",
        f"{table.seconds(ours)}, {ours.mebibytes:.0f} MiB",
        aim=f"≤ {CATALOGUE:g} s",
        reached=ours.work <= CATALOGUE,
    )


def _picture(folder: Path, compiled: str, rounds: int) -> Row:
    flat = str(folder / "flat.svg")
    subprocess.run([sys.executable, "-c", FLATTEN, flat], cwd=ROOT, check=True)
    found = race(
        {
            "ours": _script(PNG_OURS, "", 1, compiled),
            "cairo": _script(PNG_FLOOR, flat, 1, compiled),
        },
        rounds,
    )
    ours, cairo = found["ours"], found["cairo"]
    return Row(
        "a board on A4 as PNG at 300 dpi",
        table.seconds(ours),
        f"cairosvg, flat polygons {table.seconds(cairo)}",
        table.ratio(ours, cairo),
        "≤ 1.3 ×",
        ours.work <= 1.3 * cairo.work,
    )


def pages(count: int, compiled: str, rounds: int) -> tuple[float, float, float]:
    """Return seconds by the clock, seconds of work, and MiB of a PDF of so many boards by the backend alone."""
    found = race({"ours": _script(OURS, "", count, compiled)}, rounds)["ours"]
    return found.clock, found.work, found.mebibytes
