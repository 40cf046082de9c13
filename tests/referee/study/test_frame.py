"""The frame of studies: the same figures whoever plays and however often it is stopped; files; kind refusals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee import study
from referee.errors import RefereeError
from referee.study.core import Cell
from referee.study.frame import Progress
from referee.study.seeds import game_seed
from referee.study.session import STATE, Request, StoppedError, conduct
from referee.study.state import read_state
from tests.referee.cli.run import referee
from tests.referee.study import toy


@pytest.fixture(autouse=True)
def toy_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(study.STUDIES, "coins", (toy.WHERE, "Coins."))


def silent(progress: Progress) -> None:
    """Hear nothing."""


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != STATE}


# -- seeds -------------------------------------------------------------------------------------------------------------


def test_every_game_has_a_chance_of_its_own() -> None:
    cells = [Cell(("a", "b"), 1), Cell(("a b",), 1), Cell(("b", "a"), 1)]
    seeds = {
        game_seed(seed, name, cell, index)
        for seed in (1, 2, 11)
        for name in ("x", "y")
        for cell in cells
        for index in range(50)
    }
    assert len(seeds) == 3 * 2 * 3 * 50
    assert max(seeds) < 1 << 64


def test_cells_of_one_stream_share_theirs() -> None:
    one, other = Cell(("a",), 1, "deals"), Cell(("b",), 1, "deals")
    assert game_seed(1, "x", one, 7) == game_seed(1, "x", other, 7)
    assert game_seed(1, "x", one, 7) != game_seed(1, "x", one, 8)
    assert game_seed(1, "x", one, 7) != game_seed(1, "x", Cell(("deals",), 1), 7)


# -- playing -----------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_files_with_any_number_of_jobs(tmp_path: Path) -> None:
    conduct(Request("coins", tmp_path / "one", {}), silent)
    conduct(Request("coins", tmp_path / "two", {}, jobs=2), silent)
    conduct(Request("coins", tmp_path / "other", {}, seed=2), silent)
    one = written(tmp_path / "one")
    assert set(one) == {"coins.csv", "coins.html", "coins.md", "coins-heads.svg"}
    assert one == written(tmp_path / "two")
    assert one["coins.csv"] != written(tmp_path / "other")["coins.csv"]


def test_all_games_are_played_once(tmp_path: Path) -> None:
    conduct(Request("coins", tmp_path, {}, games=101), silent)
    state = read_state(tmp_path / STATE)
    assert state is not None
    for cell in toy.STUDY.cells({}):
        tally = state.tally(cell)
        assert tally.done == [(0, 101)]
        played = [toy.STUDY.play(cell, game_seed(1, "coins", cell, i), i) for i in range(101)]
        assert sorted(tally.counts.elements()) == sorted(played)


@pytest.mark.parametrize("after", [1, 2, 3])
def test_a_run_that_was_stopped_goes_on_to_the_same_end(after: int, tmp_path: Path) -> None:
    heard: list[Progress] = []

    def pressed(progress: Progress) -> None:
        heard.append(progress)
        if len(heard) == after:
            raise KeyboardInterrupt

    conduct(Request("coins", tmp_path / "whole", {}), silent)
    with pytest.raises(
        StoppedError, match=f"stopped after {2 * after if after < 3 else 302} of 600"
    ):
        conduct(Request("coins", tmp_path / "part", {}), pressed)
    assert set(os.listdir(tmp_path / "part")) == {STATE}
    outcome = conduct(Request("coins", tmp_path / "part", {}, resume=True), heard.append)
    assert outcome.games == 600
    assert written(tmp_path / "part") == written(tmp_path / "whole")


def test_a_finished_run_can_be_deepened(tmp_path: Path) -> None:
    conduct(Request("coins", tmp_path / "a", {}, games=500), silent)
    conduct(Request("coins", tmp_path / "b", {}, games=120), silent)
    conduct(Request("coins", tmp_path / "b", {}, games=500, resume=True), silent)
    assert written(tmp_path / "a") == written(tmp_path / "b")


def test_a_resumed_run_keeps_its_seed_and_options(tmp_path: Path) -> None:
    conduct(Request("coins", tmp_path / "a", {"chance": ("30",)}, seed=9, games=300), silent)
    conduct(Request("coins", tmp_path / "b", {"chance": ("30",)}, seed=9, games=10), silent)
    conduct(Request("coins", tmp_path / "b", {}, games=300, resume=True), silent)
    assert written(tmp_path / "a") == written(tmp_path / "b")
    assert b"--seed 9 --games 300 --chance 30" in written(tmp_path / "b")["coins.md"]


def test_progress_counts_up_and_tells_the_time_left(tmp_path: Path) -> None:
    heard: list[Progress] = []
    conduct(Request("coins", tmp_path, {}), heard.append)
    done = [progress.done for progress in heard]
    assert done == sorted(set(done))
    assert done[-1] == heard[-1].wanted == 600
    assert heard[0].left is None  # one cell was not met yet
    assert heard[-1].left == 0.0
    assert all(progress.left is not None and progress.left >= 0 for progress in heard[1:])


def test_a_worker_that_dies_loses_no_more_than_its_batches(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match="a worker process died"):
        conduct(Request("coins", tmp_path, {"chance": (toy.DEADLY,)}, jobs=2), silent)
    assert read_state(tmp_path / STATE) is not None


# -- stopped from outside ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("how", "jobs"), [(signal.SIGINT, "2"), (signal.SIGTERM, "1")])
def test_a_stopped_process_says_how_to_go_on(
    how: signal.Signals, jobs: str, tmp_path: Path, root: Path
) -> None:
    words = ["study", "lightning", "--player", "random", "--games", "100000", "--jobs", jobs]
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", *words, "--output", str(tmp_path)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not (tmp_path / STATE).exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.1)
    if how is signal.SIGINT:
        os.killpg(process.pid, how)  # as a terminal does: the workers hear it too
    else:
        process.send_signal(how)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert f"go on with: referee study lightning --output {tmp_path} --resume" in err
    assert err.count("\n") == 1
    assert read_state(tmp_path / STATE) is not None


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_says_what_was_found_and_where(tmp_path: Path) -> None:
    result = referee("study", "coins", "--games", "20", "--output", tmp_path / "x")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "A coin falls."
    assert lines[1].startswith("40 games, ")
    assert lines[1].endswith(f"see {tmp_path / 'x' / 'coins.html'}")
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--resume",), "there is nothing to resume"),
        (("--chance", "many"), "--chance many is no per cent; write 0 to 100"),
        (("--games", "0"), "0 is not in the range"),
        (("--jobs", "none"), "'none' is not a valid integer"),
    ],
)
def test_what_cannot_be_done_is_said(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    result = referee("study", "coins", *words, "--output", tmp_path / "x")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "x").exists()


def test_a_folder_that_cannot_be_made_is_told_kindly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = referee("study", "coins", "--output", tmp_path / "file" / "x")
    assert result.exit_code == 2
    assert "referee: " in result.stderr


def test_help_lists_the_studies_and_loads_none() -> None:
    code = (
        "import sys\nfrom referee.cli import main\n"
        "try:\n    main(['study', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(*[m for m in sys.modules if m.startswith('referee.study.')])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    for name in ("spiral", "lightning", "hex-lightning"):
        assert f"  {name} " in out
    assert set(out.splitlines()[-1].split()) == {"referee.study.core", "referee.study.estimates"}


def test_nothing_loads_dask_or_fonts_before_it_is_needed() -> None:
    code = (
        "import sys\nimport referee.cli.study, referee.study.session, referee.study.frame\n"
        "import referee.study.lightning, referee.study.hexlightning, referee.study.spiral\n"
        "print(*{m.partition('.')[0] for m in sys.modules}, *[m for m in sys.modules if 'pnp.f' in m])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"dask", "distributed", "svgwrite", "reportlab", "pnp.fonts", "numpy"} & set(loaded)
