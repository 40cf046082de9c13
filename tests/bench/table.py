"""The table: what was measured, what stood beside it, the ratio, and whether the aim is reached."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from tests.bench.measure import Times


class Row(NamedTuple):
    """One line: the work, our figure, the other's and its name, the ratio, the aim, whether it is reached."""

    work: str
    ours: str
    beside: str = ""
    ratio: str = ""
    aim: str = ""
    reached: bool | None = None


class Section(NamedTuple):
    """Rows under a heading."""

    title: str
    rows: list[Row]


def seconds(found: Times) -> str:
    """Return "1.25 s (1.10)": the median by the clock, and the least work."""
    return _pair(found.clock, found.work, "s") if found.clock >= 1 else milliseconds(found)


def milliseconds(found: Times) -> str:
    """Return "3.4 ms (3.1)"."""
    return _pair(found.clock * 1000, found.work * 1000, "ms")


def _pair(clock: float, work: float, unit: str) -> str:
    return f"{_short(clock)} {unit} ({_short(work)})"


def _short(number: float) -> str:
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"


def rate(found: Times, number: float) -> str:
    """Return "410,000/s (480,000)" for `number` things done in each run."""
    clock, work = number / found.clock, number / found.work
    if clock < 1000:
        return f"{clock:.1f}/s ({work:.1f})"
    return f"{round(clock, -2):,.0f}/s ({round(work, -2):,.0f})"


def ratio(ours: Times, floor: Times) -> str:
    """Return "1.31 × (1.28)": our time in floors."""
    return f"{ours.clock / floor.clock:.2f} × ({ours.work / floor.work:.2f})"


def speed(ours: Times, other: Times) -> str:
    """Return "1.31 × (1.28)": how many times as fast ours is."""
    return ratio(other, ours)


def machine() -> list[str]:
    """Return what the figures were measured on."""
    load = " ".join(f"{n:.1f}" for n in os.getloadavg()) if hasattr(os, "getloadavg") else "?"
    packages = [
        f"{name} {version}"
        for name in ("open_spiel", "reportlab", "cairosvg", "fpdf2", "click")
        if (version := _version(name))
    ]
    return [
        f"{datetime.now(tz=UTC).date().isoformat()}, {_processor()}, {os.cpu_count()} cores, load {load} at the end; "
        f"{platform.system()}, Python {platform.python_version()}; {', '.join(packages)}."
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


EXPLAINED = (
    "Each figure is the median by the clock and, in brackets, the least CPU time of all rounds, which a busy machine "
    "spoils least; floors and peers ran in turn with ours in the same run. An aim counts as reached by its CPU time."
)


def markdown(sections: Iterable[Section], missing: Iterable[str]) -> str:
    """Return the tables with the machine and the date."""
    lines = [*machine(), "", EXPLAINED, ""]
    for name in missing:
        lines += [f"Not measured: {name}.", ""]
    for section in sections:
        lines += [
            f"### {section.title}",
            "",
            "| work | ours | beside it | ratio | to reach | |",
            "|---|---|---|---|---|---|",
        ]
        for row in section.rows:
            mark = {True: "yes", False: "no", None: ""}[row.reached]
            cells = (row.work, row.ours, row.beside, row.ratio, row.aim, mark)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)
