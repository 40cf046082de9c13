"""A study on a Dask cluster of two workers gives what it gives here, byte for byte."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import study
from referee.errors import RefereeError
from referee.study import cluster
from referee.study.session import STATE, Request, conduct
from tests.conftest import IN_CI
from tests.referee.study import toy


@pytest.fixture(autouse=True)
def toy_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(study.STUDIES, "coins", (toy.WHERE, "Coins."))


@pytest.fixture
def scheduler(root: Path) -> Iterator[str]:
    """The address of a cluster of two workers on this machine, beside this process."""
    try:
        import distributed  # noqa: F401 - only whether it is there
    except ImportError:
        if IN_CI:
            pytest.fail("distributed is not installed, and in CI it must be")
        pytest.skip("distributed (Dask) is not installed")
    # In a process of its own: a cluster's loops and threads outlive a test, and warn when it ends. Its workers share
    # that process, for each of their own would load Dask again, which takes longer than all that they play.
    code = (
        "import sys\n"
        "from distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,\n"
        "                      processes=False, protocol='tcp', host='127.0.0.1') as cluster:\n"
        "        print(cluster.scheduler_address, flush=True)\n"
        "        sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=root,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    yield process.stdout.readline().strip()
    process.stdin.close()
    process.wait(timeout=30)
    process.stdout.close()


def test_a_cluster_of_two_workers_gives_the_same(scheduler: str, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    conduct(Request("coins", here, {}, games=50), lambda progress: None)
    told = []
    conduct(Request("coins", there, {}, games=50, scheduler=scheduler), told.append)
    assert told[-1].done == told[-1].wanted == 100
    names = sorted(path.name for path in here.iterdir() if path.name != STATE)
    assert len(names) == 4
    assert [(there / name).read_bytes() for name in names] == [
        (here / name).read_bytes() for name in names
    ]


def test_no_scheduler_is_told_kindly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="distributed (Dask) is not installed")
    monkeypatch.setattr(cluster, "PATIENCE", "0.3s")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(RefereeError, match=f"no Dask scheduler answers at {address}"):
        conduct(Request("coins", tmp_path, {}, scheduler=address), lambda progress: None)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RefereeError, match="pnp-referee\\[cluster\\]"):
        conduct(
            Request("coins", tmp_path, {}, scheduler="tcp://127.0.0.1:1"), lambda progress: None
        )
