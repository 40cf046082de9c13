"""A progress bar on standard error while long work goes on: on a terminal only, nothing on a pipe."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

from pnp import terminal

AFTER = 0.5
"""Seconds before anything is shown: short work needs no bar."""
EVERY = 0.1
"""Seconds between two looks at the bar."""
WIDTH = 24


class Meter:
    """Shows how far work has come, how much is done and how fast, on one line that goes away at the end.

    `whole` is the weight of all the work, 0 where nobody knows (then there is a count, no bar).
    """

    def __init__(self, what: str, whole: int = 0, stream: TextIO | None = None) -> None:
        self.what = what
        self.whole = whole
        self.done = 0
        self.weight = 0
        self.stream = stream or sys.stderr
        self.on = self.stream.isatty() and not terminal.quiet()
        self.began = time.monotonic()
        self.next = self.began + AFTER
        self.shown = False

    def step(self, number: int, weight: int = 0, note: str = "") -> None:
        """Count `number` more, of that weight; a note stands at the end of the line."""
        self.done += number
        self.weight += weight
        if not self.on or time.monotonic() < self.next:
            return
        now = time.monotonic()
        self.next = now + EVERY
        rate = self.done / (now - self.began)
        self.stream.write(
            f"\r{self._bar()}{self.done} {self.what}, {rate:.0f} a second{note}\x1b[K"
        )
        self.stream.flush()
        self.shown = True

    def _bar(self) -> str:
        if not self.whole:
            return ""
        part = min(1.0, self.weight / self.whole)
        return f"[{'#' * round(part * WIDTH):-<{WIDTH}}] {part:4.0%}  "

    def clear(self) -> None:
        """Take the line away, so that something else can be written."""
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.shown = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()
