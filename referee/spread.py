"""Work in several processes, with the results in the order of the work.

Each process has one parcel at a time. They are served in turn: the one that was given its parcel first gives its
result first, and gets the next parcel, which lies ready. So order needs no numbers, memory stays flat, and no pipe can
block both its ends. Processes are forked: there is nothing to load for it. Where a system cannot fork, the standard
library's pool does the same at a higher price.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Generic, NoReturn, TypeVar

from referee.errors import RefereeError

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
R = TypeVar("R")

FORKS = hasattr(os, "fork")

AHEAD = 3
"""Parcels that each process of a pool may be ahead."""


class WorkerError(RefereeError):
    """A process that worked was ended (memory that is short, a signal)."""


def in_order(work: Callable[[T], R], parcels: Iterable[T], jobs: int) -> Iterator[R]:
    """Yield `work(parcel)` of each parcel, in order, worked out by at most so many processes.

    Parcels and results can be pickled. Raises WorkerError where a process is gone.
    """
    return _forked(work, parcels, jobs) if FORKS else _pooled(work, parcels, jobs)


def _forked(work: Callable[[T], R], parcels: Iterable[T], jobs: int) -> Iterator[R]:
    workers: deque[_Worker[T, R]] = deque()
    try:
        for parcel in parcels:
            if len(workers) < jobs:
                workers.append(_Worker(work, workers))
                workers[-1].give(parcel)
                continue
            result = workers[0].result()
            workers[0].give(parcel)
            workers.rotate(-1)
            yield result
        for worker in workers:
            yield worker.result()
    finally:
        for worker in workers:
            worker.end()


class _Worker(Generic[T, R]):
    """A forked process with a pipe to it and a pipe back."""

    def __init__(self, work: Callable[[T], R], others: Iterable[_Worker[T, R]]) -> None:
        there, to = os.pipe()
        back, here = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            ends = (end.fileno() for other in others for end in (other.to, other.back))
            _serve(work, there, here, (to, back, *ends))
        os.close(there)
        os.close(here)
        self.to: BinaryIO = os.fdopen(to, "wb")
        self.back: BinaryIO = os.fdopen(back, "rb")

    def give(self, parcel: T) -> None:
        """Send a parcel to the worker, which has none."""
        try:
            pickle.dump(parcel, self.to, pickle.HIGHEST_PROTOCOL)
            self.to.flush()
        except BrokenPipeError:
            self._gone()

    def result(self) -> R:
        """Wait for the result of the last parcel."""
        try:
            found: R = pickle.load(self.back)
        except (EOFError, pickle.UnpicklingError):
            self._gone()
        return found

    def _gone(self) -> NoReturn:
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.pid = 0
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        raise WorkerError(f"a process that worked ended {how}; try again with fewer jobs")

    def end(self) -> None:
        """See that the process is gone."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)  # it holds nothing that could be lost
            os.waitpid(self.pid, 0)
        for end in (self.to, self.back):
            with suppress(BrokenPipeError):  # of a parcel that was sent in part
                end.close()


def _serve(work: Callable[[T], R], there: int, here: int, others: Iterable[int]) -> NoReturn:
    """Work until no parcel comes, and end this process. The ends of others' pipes are closed."""
    status = 1
    try:
        for end in others:
            os.close(end)
        with os.fdopen(there, "rb") as parcels, os.fdopen(here, "wb") as results:
            while True:
                pickle.dump(work(pickle.load(parcels)), results, pickle.HIGHEST_PROTOCOL)
                results.flush()
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        status = 0  # the process that forked this one is gone, or says so itself
    except BaseException:
        from traceback import print_exc

        print_exc()
    finally:
        os._exit(status)


def _pooled(work: Callable[[T], R], parcels: Iterable[T], jobs: int) -> Iterator[R]:
    from concurrent.futures import ProcessPoolExecutor

    waiting: deque[Future[R]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for parcel in parcels:
                waiting.append(pool.submit(work, parcel))
                if len(waiting) > jobs * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
