"""Runs in turn, in processes of their own or inside this one, so that a busy machine slows all alike."""

from __future__ import annotations

import ast
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent


class Run(NamedTuple):
    """One run: seconds by the clock, seconds of work of all processes, MiB at most (0 if not asked)."""

    seconds: float
    work: float
    mebibytes: float = 0.0


class Times(NamedTuple):
    """Many runs of one thing: the median by the clock, the least work, the most MiB."""

    clock: float
    work: float
    mebibytes: float

    def per(self, number: float) -> Times:
        """Return the times of one of `number` things that each run did."""
        return Times(self.clock / number, self.work / number, self.mebibytes)


class FailedError(Exception):
    """A process ended with a status that it should not have; the message holds what it said."""


Contestant = Callable[[], Run]


def environment(compiled: str) -> dict[str, str]:
    """Return an environment in which compiled modules are kept in a folder, as an install keeps them."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**env, "PYTHONPYCACHEPREFIX": compiled, "PYTHONHASHSEED": "0"}


_LAUNCH = """
import os, sys, time
start = time.perf_counter()
child = os.fork()
if not child:
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(child, 0)
seconds = time.perf_counter() - start
told = (os.waitstatus_to_exitcode(status), seconds, used.ru_utime + used.ru_stime, used.ru_maxrss)
os.write(int(sys.argv[1]), repr(told).encode())
"""
"""A small process between us and what is measured: a child's most memory counts that of the process
that it was forked from, and ours holds archives.
"""


def process(
    command: Sequence[str], compiled: str, output: Path | None = None, good: tuple[int, ...] = (0,)
) -> Run:
    """Run a command to its end; what it writes goes to a file or nowhere. Raises FailedError."""
    with tempfile.TemporaryFile() as said, open(output or os.devnull, "wb") as out:
        told, tell = os.pipe()
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", _LAUNCH, str(tell), *command],
            cwd=ROOT, env=environment(compiled), stdout=out, stderr=said, pass_fds=(tell,), check=True,
        )  # fmt: skip
        status, seconds, work, most = ast.literal_eval(os.read(told, 1000).decode())
        os.close(told)
        os.close(tell)
        if status not in good:
            said.seek(0)
            words = said.read().decode("utf-8", "replace").strip().split("\n")[-1]
            raise FailedError(f"status {status}: {words}")
    unit = 1 if sys.platform == "darwin" else 1024  # what ru_maxrss counts in
    return Run(seconds, work, most * unit / 2**20)


def inside(work: Callable[[], object]) -> Run:
    """Run a function here."""
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return Run(time.perf_counter() - clock, time.process_time() - cpu)


def race(contestants: Mapping[str, Contestant], rounds: int, warm: bool = True) -> dict[str, Times]:
    """Run all in turn, `rounds` times, after a first time that does not count if `warm`."""
    runs: dict[str, list[Run]] = {name: [] for name in contestants}
    for turn in range(rounds + warm):
        for name, contestant in contestants.items():
            run = contestant()
            if turn or not warm:
                runs[name].append(run)
    return {name: times(found) for name, found in runs.items()}


def times(runs: Sequence[Run]) -> Times:
    """Return what many runs came to."""
    return Times(
        statistics.median(run.seconds for run in runs),
        min(run.work for run in runs),
        max(run.mebibytes for run in runs),
    )
