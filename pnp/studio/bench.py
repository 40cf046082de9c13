"""The processes that draw, seen from the server: one task at a time, a limit for each, and of a
page's drawings the latest wins.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

from pnp.studio.asked import Fault
from pnp.studio.drawing import Made
from pnp.studio.worker import read_message, told, write_message

GRACE = 0.4
"""Seconds that a drawing may go on when a later one of the same page waits: to begin a process
anew takes about as long.
"""
_GLANCE = 0.02
"""Seconds between two looks at whether a drawing is still wanted."""
MOST_PAGES = 100
"""Pages whose latest drawing is remembered."""

SUPERSEDED = Made({"superseded": True})


class Bench:
    """One process and the drawings that wait for it."""

    def __init__(self, folder: Path, limit: float, environ: Mapping[str, str]) -> None:
        """`folder` is where the process puts texts; `limit` is in seconds a task."""
        self._folder, self._limit, self._environ = folder, limit, environ
        self._turn = threading.Condition()
        self._busy = self._closed = False
        self._latest: dict[str, int] = {}
        self._tickets = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[Made | None] = queue.SimpleQueue()

    def warm(self) -> None:
        """Start the process, so that the first drawing need not wait for it."""
        with self._turn:
            if not self._busy:
                self._start()

    def answer(self, page: str, task: Mapping[str, object]) -> Made:
        """Return the answer to a page's task: SUPERSEDED where the page has asked for something
        later, a fault where it would take too long or the process broke.
        """
        with self._turn:
            self._tickets += 1
            ticket = self._tickets
            self._latest.pop(page, None)
            self._latest[page] = ticket
            while len(self._latest) > MOST_PAGES:
                del self._latest[next(iter(self._latest))]

            def stale() -> bool:
                return self._closed or self._latest.get(page) != ticket

            while self._busy and not stale():
                self._turn.wait(_GLANCE)
            if stale():
                return SUPERSEDED
            self._busy = True
        try:
            return self._ask(task, stale)
        finally:
            with self._turn:
                self._busy = False
                self._turn.notify_all()

    def close(self) -> None:
        """Stop the process; who waits is answered."""
        with self._turn:
            self._closed = True
            self._turn.notify_all()
        self._stop()

    def _ask(self, task: Mapping[str, object], stale: Callable[[], bool]) -> Made:
        process = self._start()
        began = monotonic()
        try:
            if process.stdin is None:
                raise BrokenPipeError
            write_message(process.stdin, task)
            while True:
                with suppress(queue.Empty):
                    made = self._answers.get(timeout=_GLANCE)
                    if made is None:
                        break
                    return made
                took = monotonic() - began
                if took > GRACE and stale():
                    self._stop()
                    return SUPERSEDED
                if took > self._limit:
                    self._stop()
                    return Made(told(Fault(_LONG.format(self._limit))))
        except OSError:
            pass
        self._stop()
        return Made(told(Fault("the drawing broke off; try again, or with less")))

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._stop()
        # Ctrl-C on the terminal is for the server, which then stops this process.
        apart = (
            {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
            if os.name == "nt"
            else {"process_group": 0}
        )
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", "pnp.studio.worker", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**self._environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            **apart,
        )
        answers: queue.SimpleQueue[Made | None] = queue.SimpleQueue()
        self._answers = answers

        def listen() -> None:
            with suppress(OSError, ValueError):
                while process.stdout and (message := read_message(process.stdout)) is not None:
                    answers.put(Made(*message))
            answers.put(None)

        threading.Thread(target=listen, daemon=True).start()
        return process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


_LONG = (
    "this takes longer than {0:g} seconds, so it was stopped; take fewer or less,"
    " or the command line, which has no limit"
)
