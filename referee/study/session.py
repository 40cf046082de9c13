"""One run of a study in its folder: begun or gone on with, played, kept while it lasts, and written up."""

from __future__ import annotations

import csv
import io
import math
import os
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from referee.errors import RefereeError, WriteError
from referee.files.disk import replace
from referee.study import STUDIES, load
from referee.study.alone import alone
from referee.study.core import Cell, Chart, Given, Report, Row, Study, Value
from referee.study.estimates import Estimate
from referee.study.frame import Progress, rows, run
from referee.study.state import State, read_state, same_run
from referee.study.workers import workers

STATE = "state.json"
SEED = 1
KEEP = 5.0
"""Seconds between two writings of the state."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    study      its name
    folder     where all files of the run are
    given      the study's own options
    seed       None for the stored run's, else SEED
    games      games of every cell, None for the stored run's, else the study's own numbers
    resume     go on with the run that is in the folder
    jobs       processes
    scheduler  the address of a Dask scheduler, instead of processes
    """

    study: str
    folder: Path
    given: Given
    seed: int | None = None
    games: int | None = None
    resume: bool = False
    jobs: int = 1
    scheduler: str | None = None


class StoppedError(RefereeError):
    """The run was stopped before its end; what was played is kept."""

    exit_status = 130


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: its report, the files written, how many games were played in how much CPU time."""

    report: Report
    files: tuple[Path, ...]
    games: int
    seconds: float


def conduct(request: Request, tell: Callable[[Progress], None]) -> Outcome:
    """Play what is missing and write table, charts and pages.

    Raises StoppedError at Ctrl-C, and RefereeError for what cannot be resumed, read, reached or written, or is under
    way already.
    """
    study = load(STUDIES[request.study][0])
    with ExitStack() as held:
        there = os.path.isdir(request.folder)  # unlike pathlib's, false where we may not look
        if there:
            held.enter_context(alone(request.folder))
        state = _begin(request, study)
        cells = _cells(study, state)
        if not there:
            try:
                request.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                message = f"the folder {request.folder} cannot be made: {error.strerror}"
                raise WriteError(message) from None
            held.enter_context(alone(request.folder))
        _play(request, cells, state, tell)
        found = rows(study, cells, state)
        report, files = write(request.folder, study, found, _command(state))
    games = sum(state.tally(cell).games for cell in cells)
    return Outcome(report, files, games, sum(state.tally(cell).seconds for cell in cells))


def _play(
    request: Request, cells: Sequence[Cell], state: State, tell: Callable[[Progress], None]
) -> None:
    """Play what is missing, and keep the state."""
    path = request.folder / STATE
    state.save(path)
    kept = time.monotonic()

    def heard(progress: Progress) -> None:
        nonlocal kept
        tell(progress)
        if time.monotonic() - kept > KEEP:
            state.save(path)
            kept = time.monotonic()

    try:
        with workers(request.jobs, request.scheduler) as found:
            run(STUDIES[request.study][0], cells, state, found, heard)
    except KeyboardInterrupt:
        state.save(path)
        raise StoppedError(_how_to_go_on(request, state, cells)) from None
    except BaseException:
        state.save(path)
        raise
    state.save(path)


def _begin(request: Request, study: Study) -> State:
    """Return the state to go on with, or a new one."""
    path = request.folder / STATE
    fresh = State(
        request.study,
        SEED if request.seed is None else request.seed,
        {name: tuple(values) for name, values in request.given.items()},
        request.games,
    )
    stored = read_state(path)
    if stored is None:
        if request.resume:
            raise RefereeError(
                f"there is nothing to resume: {path} is not there; leave --resume out"
            )
        return fresh
    if request.resume:
        return _resumed(request, stored, path)
    if not stored.begun:
        return fresh
    if stored.study != request.study:
        raise RefereeError(
            f"{request.folder} holds a run of {stored.study}; name another --output, or remove {path}"
        )
    if not stored.finished(_cells(study, stored)):
        raise RefereeError(
            f"{request.folder} holds a run of {stored.study} that was stopped; go on with it by --resume, name another"
            f" --output, or remove {path}"
        )
    return fresh


def _resumed(request: Request, stored: State, path: Path) -> State:
    """Return the stored run as it goes on. Raises RefereeError where that is not what was asked for."""
    differs = same_run(stored, request.study, request.seed, request.given)
    if differs:
        raise RefereeError(
            f"{path} is of another run, {differs}; leave out what differs, or name another --output"
        )
    if request.games is not None:
        if request.games < stored.most:
            raise RefereeError(
                f"--games {request.games}: up to {stored.most} of a setting are played already; ask for as many at"
                " least, or name another --output"
            )
        stored.games = request.games
    return stored


def _cells(study: Study, state: State) -> tuple[Cell, ...]:
    cells = study.cells(state.given)
    if state.games is not None:
        cells = tuple(cell._replace(games=state.games) for cell in cells)
    return cells


def _how_to_go_on(request: Request, state: State, cells: Sequence[Cell]) -> str:
    done = sum(min(state.tally(cell).games, cell.games) for cell in cells)
    wanted = sum(cell.games for cell in cells)
    folder = shlex.quote(str(request.folder))
    return (
        f"stopped after {done} of {wanted} games, which are kept in {request.folder / STATE}; go on with:"
        f" referee study {request.study} --output {folder} --resume"
    )


def _command(state: State) -> str:
    """Return the command that makes the same figures again."""
    words = ["referee", "study", state.study, "--seed", str(state.seed)]
    words += [] if state.games is None else ["--games", str(state.games)]
    for name, values in state.given.items():
        for value in values:
            words += [f"--{name}", value]
    return shlex.join(words)


# -- what is written -----------------------------------------------------------------------------------------------


def write(
    folder: Path, study: Study, found: Sequence[Row], command: str
) -> tuple[Report, tuple[Path, ...]]:
    """Write the table, a picture for each chart and the report's pages; return the report and the files."""
    from referee.study import page  # it loads fonts and backends, and is needed at the end only

    report = study.report(found)
    charts = [block for block in report.blocks if isinstance(block, Chart)]
    pictures = {chart.name: f"{study.name}-{chart.name}.svg" for chart in charts}
    table = f"{study.name}.csv"
    texts = {table: table_csv(study, found)}
    texts |= {pictures[chart.name]: page.picture(chart) for chart in charts}
    texts[f"{study.name}.md"] = page.markdown(report, command, table, pictures)
    texts[f"{study.name}.html"] = page.html(report, command, table)
    for name, text in texts.items():
        replace(folder / name, text.encode())
    return report, tuple(folder / name for name in reversed(texts))


def table_csv(study: Study, found: Sequence[Row]) -> str:
    """Return all rows as CSV; an estimate has three columns, itself and its interval's ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = [*study.columns, "games"]
    for name, value in zip(study.measures, found[0].values if found else (), strict=bool(found)):
        head += [name, f"{name} low", f"{name} high"] if isinstance(value, Estimate) else [name]
    writer.writerow(head)
    for row in found:
        texts = [text for value in row.values for text in _texts(value)]
        writer.writerow([*row.settings, row.games, *texts])
    return out.getvalue()


def _texts(value: Value) -> list[str]:
    if isinstance(value, Estimate):
        return [_number(part) for part in value]
    return [_number(value) if isinstance(value, float) else str(value)]


def _number(value: float) -> str:
    """Return a number to six digits; an end that is not there is empty."""
    return f"{value:.6g}" if math.isfinite(value) else ""
