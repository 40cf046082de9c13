"""Judging many files: every record gets its verdict, in order, whatever happens to the others.

Records stream through: memory holds a few of them, never a file. With more than one job the records
go to other processes in parcels, unread, and their verdicts come back in order, ready to be written.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pnp.errors import PnpError
from referee import report
from referee.core.record import GameRecord
from referee.core.verdict import Verdict
from referee.errors import RefereeError, UnreadableError, WriteError
from referee.judge import judge
from referee.notation.inputs import Unread, open_unread

if TYPE_CHECKING:
    from pathlib import Path

WEIGHT, SENT, DRAWN = 1 << 14, 1 << 17, 1 << 11
"""About how many characters of records are judged at one go: here, in another process, and with pictures of all."""
PARCEL = 64
"""Items at most that are judged at one go."""


class Request(NamedTuple):
    """What is asked of the judge.

    size      the board of foreign records that do not say theirs
    stop_at   judge so many plies and read no further, None for all
    json      lines of JSON instead of text for people
    diagrams  a folder for a picture of the end of every record, None for no pictures
    stems     what the pictures of each file are called
    faults_only   say nothing of records that are legal
    """

    size: int | None = None
    stop_at: int | None = None
    json: bool = False
    diagrams: Path | None = None
    stems: Mapping[str, str] = {}
    faults_only: bool = False


class Tally:
    """What an archive came to: faults by code, results of legal records, files and pictures that failed."""

    def __init__(self) -> None:
        self.records = self.plies = self.failures = 0
        self.faults: dict[str, int] = {}
        self.results: dict[str, int] = {}

    def count(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.records += other.records
        self.plies += other.plies
        self.failures += other.failures
        for mine, theirs in ((self.faults, other.faults), (self.results, other.results)):
            for key, number in theirs.items():
                mine[key] = mine.get(key, 0) + number

    def add(self, verdict: Verdict) -> None:
        """Count one verdict."""
        self.records += 1
        self.plies += verdict.plies
        counts, key = self.results, verdict.result
        if verdict.error is not None:
            counts, key = self.faults, verdict.error.code
        counts[key] = counts.get(key, 0) + 1

    @property
    def exit_status(self) -> int:
        """0: every record is legal; 1: some record has a fault; 2: something could not be read."""
        if self.failures:
            return 2
        return 1 if self.faults else 0

    def summary(self) -> str:
        """Return a line or two on all records."""
        faulty = sum(self.faults.values())
        lines = [
            f"{self.records} records, {self.plies} plies: {self.records - faulty} legal, {faulty} with a fault"
        ]
        for label, counts in (("results", self.results), ("faults", self.faults)):
            if counts:
                order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
                lines.append(f"  {label}: " + ", ".join(f"{key} {number}" for key, number in order))
        return "\n".join(lines)


class Item(NamedTuple):
    """Records on their way: where they stood (file, number of the first from 1) and what they are.

    Most come unread, many at once. `failure` says why the file could not be read (on); such an item
    has nothing to judge.
    """

    name: str
    number: int
    content: Unread | GameRecord | None
    failure: str = ""


def items(paths: Iterable[str], size: int | None, weight: int) -> Iterator[Item]:
    """Yield all records of every file in order, each item of about `weight` characters.

    Where a file fails stands an item with the reason.
    """
    for path in paths:
        number = 1
        try:
            for content in open_unread(path, size, weight):
                yield Item(path, number, content)
                number += len(content.block.starts) if isinstance(content, Unread) else 1
        except UnreadableError as error:
            yield Item(path, number, None, str(error))


class Parcel(NamedTuple):
    """What comes back: the output, failures that go to standard error, the count, and the records' characters."""

    output: str
    failures: list[str]
    tally: Tally
    weight: int


def work(parcel: list[Item], request: Request) -> Parcel:
    """Judge some records."""
    tally = Tally()
    failures: list[str] = []
    lines: list[str] = []
    write = report.json_line if request.json else report.entry
    for item in parcel:
        content = item.content
        if content is None:
            failures.append(item.failure)
            continue
        records = content.read() if isinstance(content, Unread) else (content,)
        for number, record in enumerate(records, item.number):
            verdict = judge(record, request.stop_at)
            tally.add(verdict)
            if verdict.error is not None or not request.faults_only:
                lines.append(write(verdict, item.name, number))
            if request.diagrams is not None and verdict.state is not None:
                failures += _picture(request, record, verdict, item.name, number)
    tally.failures = len(failures)
    weight = sum(_weight(item.content) for item in parcel)
    return Parcel("".join(lines), failures, tally, weight)


def _picture(
    request: Request, record: GameRecord, verdict: Verdict, name: str, number: int
) -> list[str]:
    """Draw the end of a record, or the position at which it was told to stop; return what went wrong."""
    assert request.diagrams is not None
    stopped = request.stop_at is not None and verdict.plies >= request.stop_at
    stem = request.stems.get(name, "record")
    path = request.diagrams / f"{stem}-{number}.svg"
    return _draw(record, request.stop_at if stopped else None, path)


def _draw(record: GameRecord, ply: int | None, path: Path) -> list[str]:
    """Draw a record, its end or the position after `ply` plies, into a file; return what went wrong."""
    from referee.diagram import files
    from referee.diagram.frames import frame_of

    try:
        files.write(path, files.render(frame_of(record, ply), files.Request("svg")))
    except (PnpError, RefereeError) as error:
        return [str(error)]
    return []


def _stems(paths: Iterable[str]) -> dict[str, str]:
    """Return for each file what its pictures are called: its name, and a number where two have the same."""
    from pathlib import Path

    stems: dict[str, str] = {}
    for path in paths:
        stem = "stdin" if path == "-" else Path(path).stem
        wanted, number = stem, 2
        while wanted in stems.values():
            wanted, number = f"{stem}-{number}", number + 1
        stems.setdefault(path, wanted)
    return stems


def weight_of(paths: Sequence[str]) -> int:
    """Return the bytes of all files, 0 where that cannot be known (standard input, a pipe)."""
    whole = 0
    for path in paths:
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            continue
        if not stat.S_ISREG(status.st_mode):
            return 0
        whole += status.st_size
    return 0 if "-" in paths else whole


def make_folder(path: Path) -> None:
    """Make a folder for pictures. Raises WriteError where there can be none."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"the folder {path} cannot be made: {error.strerror}") from error


def _parcels(stream: Iterable[Item], most: int) -> Iterator[list[Item]]:
    """Yield the items in parcels of at most PARCEL, and of at most so many characters unless one item has more."""
    held: list[Item] = []
    weight = 0
    for item in stream:
        more = _weight(item.content)
        if held and (len(held) >= PARCEL or weight + more > most):
            yield held
            held, weight = [], 0
        held.append(item)
        weight += more
    if held:
        yield held


def _weight(content: Unread | GameRecord | None) -> int:
    if content is None:
        return 0
    return len(content.block.source.text) if isinstance(content, Unread) else 4 * len(content.words)


def adjudicate(
    paths: Iterable[str], request: Request, jobs: int, write: Callable[[Parcel], None]
) -> Tally:
    """Judge all records of all files; `write` gets the parcels in order. Return the whole count."""
    total = Tally()
    paths = tuple(paths)
    if request.diagrams is not None:
        make_folder(request.diagrams)
        request = request._replace(stems=_stems(paths))
    weight = DRAWN if request.diagrams is not None else SENT if jobs > 1 else WEIGHT
    parcels = _parcels(items(paths, request.size, weight), weight)
    if jobs < 2:
        done: Iterator[Parcel] = (work(parcel, request) for parcel in parcels)
    else:
        from referee import spread

        done = spread.in_order(partial(work, request=request), parcels, jobs)
    for parcel in done:
        total.count(parcel.tally)
        write(parcel)
    return total
