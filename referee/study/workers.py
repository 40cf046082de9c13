"""Who plays the games: this process, several on this machine, or a Dask cluster; all through one Executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

AHEAD = 2
"""Batches that each worker may have before it."""


class Workers(NamedTuple):
    """An executor, how many batches it plays at a time, and how many to hand out before the first is back."""

    executor: Executor
    number: int
    ahead: int


class Here(Executor):
    """Plays what is submitted at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return a future that is done."""
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def _serve() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_outlive_none, daemon=True).start()


def _outlive_none() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def workers(jobs: int, scheduler: str | None) -> Iterator[Workers]:
    """Give the workers that were asked for. Raises RefereeError where a cluster cannot be reached or used."""
    if scheduler is not None:
        from referee.study.cluster import connected

        with connected(scheduler) as (executor, number):
            yield Workers(executor, number, number * AHEAD)
    elif jobs < 2:
        yield Workers(Here(), 1, 1)
    else:
        with ProcessPoolExecutor(jobs, initializer=_serve) as pool:
            try:
                yield Workers(pool, jobs, jobs * AHEAD)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
