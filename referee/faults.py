"""Points at which a test may kill the process: every commit, every sending, every rename.

Nothing happens there in a process that nobody tests. `REFEREE_FAULT=<name>:<n>` in the environment ends the process
without a word, as a power failure would, when the point `name` is passed for the n-th time; `*` stands for any point.
"""

from __future__ import annotations

import os
from collections.abc import Callable

VARIABLE = "REFEREE_FAULT"
"""The variable of the environment that arms a point."""


def _armed(order: str) -> Callable[[str], None]:
    """Return a hook that ends the process at the n-th passing of a point."""
    wanted, _, count = order.rpartition(":")
    left = int(count)

    def hook(name: str) -> None:
        nonlocal left
        if wanted in ("*", name):
            left -= 1
            if left == 0:
                os._exit(137)

    return hook


def _nothing(name: str) -> None:
    pass


_hook: Callable[[str], None] = _armed(os.environ[VARIABLE]) if VARIABLE in os.environ else _nothing


def arm(order: str | None) -> None:
    """Arm a point in this process, as the variable of the environment would; None disarms all."""
    global _hook  # noqa: PLW0603 - one hook for the whole process is what it is
    _hook = _armed(order) if order else _nothing


def point(name: str) -> None:
    """Pass a point: `commit:before`, `commit:after`, `send:before`, `send:after`, `rename:before`, `rename:after`."""
    _hook(name)
