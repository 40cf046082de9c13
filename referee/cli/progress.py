"""A counter on standard error while long work goes on: on a terminal only, nothing on a pipe."""

from __future__ import annotations

import sys
import time
from types import TracebackType

AFTER = 0.5
"""Seconds before anything is shown: short work needs no counter."""
EVERY = 0.1
"""Seconds between two looks at the counter."""


class Meter:
    """Counts what is done and shows it, with the rate, on one line that goes away at the end."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.done = 0
        self.on = sys.stderr.isatty()
        self.began = time.monotonic()
        self.next = self.began + AFTER
        self.shown = False

    def step(self, number: int) -> None:
        """Count `number` more."""
        self.done += number
        if self.on and time.monotonic() >= self.next:
            now = time.monotonic()
            self.next = now + EVERY
            rate = self.done / (now - self.began)
            sys.stderr.write(f"\r{self.done} {self.what}, {rate:.0f} a second\x1b[K")
            sys.stderr.flush()
            self.shown = True

    def clear(self) -> None:
        """Take the line away, so that something else can be written."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
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
