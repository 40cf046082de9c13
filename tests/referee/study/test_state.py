"""What a run leaves in its folder: gone on with where it is its own, refused kindly where it is not."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pnp import __version__
from referee import study
from referee.errors import RefereeError
from referee.study.frame import Progress
from referee.study.session import STATE, Request, StoppedError, conduct
from referee.study.state import Tally
from tests.referee.cli.run import referee
from tests.referee.study import toy


@pytest.fixture(autouse=True)
def toy_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(study.STUDIES, "coins", (toy.WHERE, "Coins."))


def silent(progress: Progress) -> None:
    """Hear nothing."""


def test_ranges_that_were_played_grow_together() -> None:
    tally = Tally()
    tally.add(4, 6, {(1,): 2}, 0.0)
    tally.add(0, 2, {(1,): 2}, 0.0)
    assert list(tally.missing(9)) == [(2, 4), (6, 9)]
    assert list(tally.missing(5)) == [(2, 4)]
    tally.add(2, 4, {(0,): 2}, 0.0)
    assert tally.done == [(0, 6)]
    assert list(tally.missing(6)) == []
    assert tally.games == tally.counts.total() == 6


def test_another_run_is_never_mixed_in(tmp_path: Path) -> None:
    referee("study", "coins", "--games", "20", "--chance", "40", "--output", tmp_path)
    for words, said in (
        (("--seed", "7"), "its seed is 1"),
        (("--chance", "50"), "its options are --chance 40"),
    ):
        result = referee("study", "coins", "--resume", *words, "--output", tmp_path)
        assert (result.exit_code, said in result.stderr) == (2, True)
    result = referee("study", "lightning", "--resume", "--output", tmp_path)
    assert "it is of the study coins" in result.stderr


def test_a_stopped_run_is_not_overwritten(tmp_path: Path) -> None:
    def pressed(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(StoppedError):
        conduct(Request("coins", tmp_path, {}), pressed)
    before = (tmp_path / STATE).read_bytes()
    result = referee("study", "coins", "--output", tmp_path)
    assert result.exit_code == 2
    assert "that was stopped; go on with it by --resume" in result.stderr
    assert (tmp_path / STATE).read_bytes() == before


def test_no_second_run_at_the_same_time(tmp_path: Path) -> None:
    said = []

    def second(progress: Progress) -> None:
        said.append(referee("study", "coins", "--resume", "--output", tmp_path).stderr)

    conduct(Request("coins", tmp_path, {}, games=2), second)
    assert len(said) == 2
    assert all("another run is under way in" in text for text in said)
    assert referee("study", "coins", "--resume", "--output", tmp_path).exit_code == 0


def test_a_run_that_played_nothing_is_in_nobodys_way(tmp_path: Path) -> None:
    words = ("study", "coins", "--games", "2", "--output", tmp_path)
    result = referee(*words, "--scheduler", "foo")
    assert "--scheduler 'foo' is no scheduler's address; write tcp://HOST:PORT" in result.stderr
    assert referee(*words).exit_code == 0


def test_fewer_games_than_were_played_are_no_run(tmp_path: Path) -> None:
    """The page would name a command that does not make its figures."""
    conduct(Request("coins", tmp_path, {}, games=5), silent)
    result = referee("study", "coins", "--resume", "--games", "4", "--output", tmp_path)
    assert result.exit_code == 2
    assert "up to 5 of a setting are played already" in result.stderr
    assert b"--games 5" in (tmp_path / "coins.md").read_bytes()


def test_a_folder_of_another_study_is_left_alone(tmp_path: Path) -> None:
    conduct(Request("coins", tmp_path, {}, games=1), silent)
    result = referee("study", "spiral", "--output", tmp_path)
    assert "holds a run of coins; name another --output" in result.stderr


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", '{"format": 2}', "[" * 100_000, "\x00"],
    ids=["empty", "object", "list", "null", "newer", "deep", "nul"],
)
def test_a_spoilt_state_is_told_kindly(text: str, tmp_path: Path) -> None:
    (tmp_path / STATE).write_text(text)
    result = referee("study", "coins", "--resume", "--output", tmp_path)
    assert result.exit_code == 2
    assert "is not a study's state" in result.stderr


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seed", True),
        ("seed", -4),
        ("games", 0),
        ("games", False),
        ("done", [[0, 11]]),
        ("done", [[-1, 9]]),
        ("done", [[5, 10], [0, 5]]),
        ("done", [[0, 5], [5, 10]]),
        ("seconds", float("nan")),
        ("seconds", -1),
        ("counts", [[1, 1, 0, 11], [0, 5, 0, -1]]),
        ("counts", [[1, 1, 0, 5], [0, 5, 5]]),
        ("counts", [[1, 1.5, 0, 10]]),
    ],
)
def test_a_state_that_no_run_can_have_left_is_refused(
    key: str, value: object, tmp_path: Path
) -> None:
    conduct(Request("coins", tmp_path, {}, games=10), silent)
    data = json.loads((tmp_path / STATE).read_text())
    (data if key in data else data["cells"][0])[key] = value
    (tmp_path / STATE).write_text(json.dumps(data))
    with pytest.raises(RefereeError, match="is not a study's state"):
        conduct(Request("coins", tmp_path, {}, resume=True), silent)


def test_games_of_two_versions_are_not_mixed(tmp_path: Path) -> None:
    conduct(Request("coins", tmp_path, {}, games=10), silent)
    text = (tmp_path / STATE).read_text()
    (tmp_path / STATE).write_text(text.replace(f'"version": "{__version__}"', '"version": "9"'))
    with pytest.raises(RefereeError, match="version 9 began it, and"):
        conduct(Request("coins", tmp_path, {}, resume=True), silent)
    conduct(
        Request("coins", tmp_path, {}, games=10), silent
    )  # it was finished, and may be made anew


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed as POSIX does")
def test_workers_end_with_a_run_that_was_killed(root: Path) -> None:
    code = (
        "import os, signal\n"
        "from referee.study.workers import workers\n"
        "with workers(2, None) as found:\n"
        "    print(found.executor.submit(os.getpid).result(), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=root, timeout=60
    )
    worker = Path("/proc") / process.stdout.strip()
    if not Path("/proc/self").exists():
        pytest.skip("no /proc to look for processes")
    until = time.monotonic() + 20
    while _runs(worker) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _runs(worker)


def _runs(process: Path) -> bool:
    """Whether a process is there, and is more than what its reaper has not yet fetched."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
