"""Work in several processes: the order, what is left behind, and what happens when a process is gone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from referee import spread
from referee.errors import RefereeError

pytestmark = pytest.mark.skipif(not spread.FORKS, reason="this system cannot fork")


def slow_first(number: int) -> tuple[int, int, str]:
    """Take longer for the first of each two, so that the second is ready before it."""
    time.sleep(0.004 * (number % 2 == 0))
    return number, os.getpid(), "x" * 200_000  # more than a pipe holds


def killed(number: int) -> int:
    """End the process at the fourth."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def wrong(number: int) -> int:
    """Fail at the fourth."""
    return 1 // (3 - number)


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were forked here since the test began; other tests' are their own affair."""
    pids: list[int] = []
    fork = os.fork

    def noted() -> int:
        pid = fork()
        pids.append(pid)
        return pid

    monkeypatch.setattr(os, "fork", noted)
    return pids


def gone(pids: list[int]) -> bool:
    """Whether all these processes have ended, and somebody has asked how."""
    for pid in pids:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            continue
        return False
    return True


@pytest.mark.parametrize("forks", [True, False])
@pytest.mark.parametrize("jobs", [2, 3, 50])
def test_results_come_in_order(jobs: int, forks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not forks:
        monkeypatch.setattr(spread, "FORKS", False)
        monkeypatch.setattr(spread, "AHEAD", 1)
        jobs = min(jobs, 3)
    found = list(spread.in_order(slow_first, range(20), jobs))
    assert [number for number, _, _ in found] == list(range(20))
    pids = {pid for _, pid, _ in found}
    assert os.getpid() not in pids
    assert len(pids) == min(jobs, 20) if forks else len(pids) <= jobs


def test_no_work_leaves_no_process(forked: list[int]) -> None:
    assert list(spread.in_order(slow_first, [], 4)) == []
    assert gone(forked)


def test_who_wants_no_more_leaves_no_process(forked: list[int]) -> None:
    results = spread.in_order(slow_first, range(100), 3)
    assert next(results)[0] == 0
    results.close()  # type: ignore[attr-defined]
    assert len(forked) == 3
    assert gone(forked)


@pytest.mark.parametrize(("work", "how"), [(killed, "by signal 9"), (wrong, "with status 1")])
def test_a_process_that_ends_is_told(
    work: Callable[[int], int], how: str, capfd: pytest.CaptureFixture[str], forked: list[int]
) -> None:
    results = spread.in_order(work, range(100), 2)
    assert [next(results) for _ in range(3)] == ([0, 1, 2] if work is killed else [0, 0, 1])
    with pytest.raises(RefereeError, match=f"ended {how}"):
        next(results)
    assert len(forked) == 2
    assert gone(forked)
    assert ("ZeroDivisionError" in capfd.readouterr().err) == (work is wrong)


def test_what_goes_wrong_with_the_parcels_is_raised(forked: list[int]) -> None:
    def parcels() -> Iterator[int]:
        yield from range(5)
        raise RefereeError("no more paper")

    results = spread.in_order(slow_first, parcels(), 2)
    assert [next(results)[0] for _ in range(3)] == [0, 1, 2]
    with pytest.raises(RefereeError, match="no more paper"):
        next(results)
    assert len(forked) == 2
    assert gone(forked)
