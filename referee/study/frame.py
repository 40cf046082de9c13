"""Playing a study: batches of games to the workers, their counts back into the state, whatever the order.

Every game draws its chance from a number of its own (seeds.py), and a state counts results; so the figures are the
same with any number of workers, and after any number of stops.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import NamedTuple

from referee.errors import RefereeError
from referee.study import load
from referee.study.core import Cell, Result, Row, Study
from referee.study.seeds import game_seed
from referee.study.state import State
from referee.study.workers import Workers

PILOT = 2
"""Games of a cell before it is known how long they take."""
BATCH = 1.0
"""Seconds that a batch should take: short enough to stop soon, long enough to be worth its way."""
LONGEST = 20_000
"""Games of a batch at most."""


class Played(NamedTuple):
    """A batch that was played: its results with how often they came, wall and CPU seconds."""

    counts: tuple[tuple[Result, int], ...]
    wall: float
    cpu: float


def play_batch(where: str, cell: Cell, seed: int, first: int, last: int) -> Played:
    """Play games [first, last) of a cell of the study that stands at `where`."""
    study = load(where)
    wall, cpu = time.perf_counter(), time.thread_time()
    counts = Counter(
        study.play(cell, game_seed(seed, study.name, cell, index), index)
        for index in range(first, last)
    )
    return Played(
        tuple(sorted(counts.items())), time.perf_counter() - wall, time.thread_time() - cpu
    )


@dataclass(slots=True)
class Progress:
    """How far a run has come: games played and wanted, and the seconds that the rest will take (None: not known)."""

    done: int
    wanted: int
    left: float | None


@dataclass(slots=True)
class _Queue:
    """What is still to be handed out of one cell."""

    cell: Cell
    ranges: list[tuple[int, int]]
    pace: float | None = None
    """Wall seconds a game."""
    played: tuple[int, float] = (0, 0.0)
    asked: bool = False

    def take(self, most: int) -> tuple[int, int]:
        first, last = self.ranges[0]
        middle = min(last, first + most)
        self.ranges[0:1] = [(middle, last)] if middle < last else []
        self.asked = True
        return (first, middle)

    def came_back(self, games: int, seconds: float) -> None:
        self.played = (self.played[0] + games, self.played[1] + seconds)
        self.pace = max(self.played[1] / self.played[0], 1e-7)

    @property
    def left(self) -> int:
        return sum(last - first for first, last in self.ranges)


@dataclass(slots=True)
class _Plan:
    """Which batch comes next: first a few games of every cell, so that the time can be told; then cell by cell."""

    queues: list[_Queue]
    workers: int

    def next(self) -> tuple[_Queue, int, int] | None:
        for queue in self.queues:
            if queue.ranges and not queue.asked:
                return (queue, *queue.take(PILOT))
        for queue in self.queues:
            if queue.ranges:
                pace = queue.pace or BATCH / PILOT
                even = -(-queue.left // self.workers)
                return (queue, *queue.take(max(1, min(int(BATCH / pace), even, LONGEST))))
        return None

    def seconds_left(self, flying: Sequence[tuple[_Queue, int]]) -> float | None:
        """Return the wall time of all that is not back, None while the pace of some cell is not known."""
        left = [(queue, queue.left) for queue in self.queues] + list(flying)
        if any(games and queue.pace is None for queue, games in left):
            return None
        return sum((queue.pace or 0.0) * games for queue, games in left) / self.workers


def run(
    where: str,
    cells: Sequence[Cell],
    state: State,
    workers: Workers,
    tell: Callable[[Progress], None],
) -> None:
    """Play all games of all cells that the state has not yet; `tell` hears of every batch that came back.

    The state is complete with every batch that was told of, so that whatever ends the run, no more than the batches
    under way are lost. Raises RefereeError where the workers are gone.
    """
    plan = _Plan(
        [_Queue(cell, list(state.tally(cell).missing(cell.games))) for cell in cells],
        workers.number,
    )
    wanted = sum(cell.games for cell in cells)
    done = wanted - sum(queue.left for queue in plan.queues)
    flying: dict[Future[Played], tuple[_Queue, int, int]] = {}
    try:
        while True:
            while len(flying) < workers.ahead and (batch := plan.next()) is not None:
                queue, first, last = batch
                future = workers.executor.submit(
                    play_batch, where, queue.cell, state.seed, first, last
                )
                flying[future] = batch
            if not flying:
                return
            for future in wait(flying, return_when=FIRST_COMPLETED).done:
                played = future.result()
                queue, first, last = flying.pop(future)
                state.tally(queue.cell).add(first, last, dict(played.counts), played.cpu)
                queue.came_back(last - first, played.wall)
                done += last - first
                left = plan.seconds_left([(q, b - a) for q, a, b in flying.values()])
                tell(Progress(done, wanted, left))
    except BrokenProcessPool:
        raise RefereeError(
            "a worker process died, perhaps for want of memory; what was played is kept, go on with --resume"
            " and fewer --jobs"
        ) from None
    finally:
        for future in flying:
            future.cancel()


def rows(study: Study, cells: Sequence[Cell], state: State) -> tuple[Row, ...]:
    """Return what is said of each cell that was played."""
    return tuple(_rows(study, cells, state))


def _rows(study: Study, cells: Sequence[Cell], state: State) -> Iterator[Row]:
    for cell in cells:
        tally = state.tally(cell)
        if tally.games:
            yield Row(cell.settings, tally.games, study.summary(cell, tally.counts))
