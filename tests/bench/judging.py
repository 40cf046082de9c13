"""Judging archives: whole processes beside OpenSpiel fed from the same text, two jobs, plies a second in-process."""

from __future__ import annotations

import filecmp
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from referee.archive import WEIGHT
from referee.judge import judge
from referee.notation.moves import read, split
from tests.bench import archives, peers, table
from tests.bench.archives import Archive
from tests.bench.measure import Run, Times, inside, process, race
from tests.bench.table import Row, Section

IN_PROCESS = 400_000
"""Plies of Hex a second, from text to verdict."""
VALIDATED = 60_000
"""Plies (Spiral: pieces) of the other games a second."""
JOBS = 1.8


def measure(folder: Path, compiled: str, rounds: int, games: int) -> Section:
    """Return the rows; `games` random games of Hex beside the real ones."""
    real, chance = archives.real_hex(folder), archives.random_hex(folder, games)
    found = [
        (f"{a.games:,} {what}", a)
        for a, what in ((real, "games of neurobenzene, 9 × 9"), (chance, "random games, 11 × 11"))
        if a
    ]
    rows = [_beside_open_spiel(name, [archive], compiled, rounds) for name, archive in found]
    if len(found) == 2:
        rows.append(_beside_open_spiel("both", [a for _, a in found], compiled, rounds))
    rows.append(_two_jobs(chance, compiled, folder, max(3, rounds // 2)))
    for name, archive in found:
        rows.append(_in_process(f"{name}, in-process", archive, IN_PROCESS, rounds))
    for name, count in (("Focus", 200), ("Lightning", 400), ("Spiral", 2000)):
        archive = archives.random_games(folder, name, count)
        what = f"{name}, {count:,} random games, in-process"
        rows.append(_in_process(what, archive, VALIDATED, rounds))
    return Section("Judging: text in, verdicts out", rows)


def _adjudicate(files: Sequence[Archive], *options: str) -> list[str]:
    paths = [str(archive.path) for archive in files]
    return [sys.executable, "-m", "referee", "adjudicate", *paths, "--format", "json", *options]


def _beside_open_spiel(what: str, files: Sequence[Archive], compiled: str, rounds: int) -> Row:
    plies = sum(archive.plies for archive in files)
    runners = {"ours": lambda: process(_adjudicate(files), compiled)}
    if peers.has("pyspiel"):

        def spiel() -> Run:
            runs = [
                process([sys.executable, "-c", peers.OPEN_SPIEL, str(archive.path)], compiled)
                for archive in files
            ]
            return Run(*map(sum, zip(*runs, strict=True)))

        runners["spiel"] = spiel
    times = race(runners, rounds)
    ours, other = times["ours"], times.get("spiel")
    work = f"Hex, {what} ({plies:,} plies), `referee adjudicate --format json`"
    if other is None:
        return Row(work, _plies(ours, plies), "open_spiel is not installed")
    return Row(
        work,
        _plies(ours, plies),
        f"OpenSpiel {_plies(other, plies)}",
        table.speed(ours, other) + " as fast",
        "above OpenSpiel",
        ours.work < other.work,
    )


def _plies(found: Times, plies: int) -> str:
    return f"{table.seconds(found)}; {table.rate(found, plies)}"


def _two_jobs(archive: Archive, compiled: str, folder: Path, rounds: int) -> Row:
    one, two = folder / "one.jsonl", folder / "two.jsonl"
    times = race(
        {
            "one": lambda: process(_adjudicate([archive]), compiled, one),
            "two": lambda: process(_adjudicate([archive], "--jobs", "2"), compiled, two),
        },
        rounds,
    )
    ratio = times["one"].clock / times["two"].clock
    same = filecmp.cmp(one, two, shallow=False)
    return Row(
        f"Hex, {archive.games:,} random games, `--jobs 2`; output {'the same' if same else 'DIFFERS'}",
        table.seconds(times["two"]),
        f"one job {table.seconds(times['one'])}",
        f"{ratio:.2f} × by the clock",
        f"≥ {JOBS}",
        same and ratio >= JOBS,
    )


def judge_pieces(pieces: Iterable[str]) -> None:
    """Judge the records of a text that comes in pieces of whole lines."""
    for source in split(pieces, "bench"):
        judge(read(source))


def pieces_of(file: TextIO) -> Iterator[str]:
    """Yield a text in pieces, as the program reads it."""
    while piece := file.read(WEIGHT):
        yield piece + file.readline()


def _in_process(what: str, archive: Archive, aim: int, rounds: int) -> Row:
    with archive.path.open(encoding="utf-8", newline="") as file:
        pieces = list(pieces_of(file))
    number = archive.pieces or archive.plies
    found = race({"ours": lambda: inside(lambda: judge_pieces(pieces))}, rounds)["ours"]
    unit = "pieces" if archive.pieces else "plies"
    return Row(
        what,
        f"{table.rate(found, number)} {unit}",
        aim=f"≥ {aim:,}/s",
        reached=number / found.work >= aim,
    )
