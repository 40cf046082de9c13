"""README's commands, each as it stands there, run in one folder in their order; nothing is drawn that no test needs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2
import pytest

import pnp.output
from pnp import cli
from pnp.resources import find
from tests.referee.cli.run import referee

SECTIONS = (
    "Print boards and tiles",
    "Adjudicate from files",
    "Colouring sheets",
    "Your own tile sets",
)
ELSEWHERE = {"pnp build all", "pnp studio mini-hex --open", "pnp studio hex-lightning --open"}
"""Commands that have tests of their own, and take seconds or go on until they are stopped."""
SGF = "(;GM[11]SZ[5];B[a1];W[b2])"


def commands(section: str) -> Iterator[str]:
    for line in re.findall(r"^((?:pnp|referee) .*)$", section, re.MULTILINE):
        yield line.split(" #")[0].strip()
    yield from re.findall(r"`((?:pnp|referee) [^`]+)`", section)


@pytest.fixture(scope="module")
def sections(root: Path) -> dict[str, str]:
    text = (root / "README.md").read_text("utf-8")
    parts = {part.partition("\n")[0]: part for part in text.split("\n## ")[1:]}
    return {name: parts[name] for name in SECTIONS}


@pytest.fixture
def folder(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PNP_PRINTERS", str(tmp_path / "printers"))
    (tmp_path / "archive").mkdir()
    for file in ("game.sgf", "archive/one.sgf", "archive/two.sgf"):
        (tmp_path / file).write_text(SGF, "utf-8")
    return tmp_path


def _without_drawing(
    laid: pnp.output.Laid, path: Path, *args: object, **more: object
) -> tuple[Path, ...]:
    assert laid.names
    path.write_bytes(b"drawn")
    return (path,)


@pytest.mark.parametrize("name", SECTIONS)
def test_commands_run(
    name: str,
    sections: dict[str, str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("pnp.output.write", _without_drawing)
    for kind, block in re.findall(r"```(\w*)\n(.*?)```", sections[name], re.DOTALL):
        if not kind:  # what a file holds that the commands name
            file = "game.moves" if block.startswith("[") else "puzzles.txt"
            (folder / file).write_text(block, "utf-8")
    found = list(commands(sections[name]))
    assert len(found) >= 4
    for command in found:
        program, *words = shlex.split(command)
        words = [str(p) for w in words for p in (sorted(folder.glob(w)) if "*" in w else [w])]
        if command in ELSEWHERE:
            continue
        if program == "pnp":
            assert cli.run(words) == 0, (command, capsys.readouterr())
        else:
            result = referee(*words)
            assert result.exit_code == 0, (command, result.output, result.stderr)


def test_the_fault_reads_as_it_stands_there(sections: dict[str, str], folder: Path) -> None:
    text = re.search(r"```text\n(faulty.moves:.*?)```", sections[SECTIONS[1]], re.DOTALL)
    assert text
    (folder / "faulty.moves").write_bytes(find("examples", "faulty.moves").read_bytes())
    result = referee("adjudicate", "faulty.moves")
    assert result.exit_code == 1
    assert result.stdout == text[1]


FIGURE = re.compile(r"^\| `pnp (build [^`]+)` \| ([^|]+) \| (\d+) \| (\d+) \|$", re.MULTILINE)


def test_the_figures_are_those_of_today(root: Path, folder: Path) -> None:
    part = (
        (root / "README.md").read_text("utf-8").partition("\n## Figures")[2].partition("\n## ")[0]
    )
    rows = FIGURE.findall(part)
    assert len(rows) >= 6
    for words, fits, pages, size in rows:
        assert cli.run([*shlex.split(words), "--output", "made.pdf"]) == 0
        data = Path("made.pdf").read_bytes()
        assert len(data) / 1000 == pytest.approx(int(size), rel=0.1), words
        with pypdfium2.PdfDocument(data) as document:
            assert len(document) == int(pages), words
            texts = [page.get_textpage().get_text_range() for page in document]
        assert fits.startswith("all of ") or fits in " ".join(texts).replace("\r\n", " "), words


@pytest.mark.outside("bash")
def test_a_letter_is_answered_by_hand(
    root: Path, tmp_path: Path, program: Callable[[str], str]
) -> None:
    """The first two blocks of "Run a club", typed into a shell."""
    section = (root / "README.md").read_text("utf-8").partition("\n## Run a club")[2]
    first, second = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)[:2]
    script = tmp_path / "referee"
    script.write_text(f"#!{sys.executable}\nfrom referee.cli import main\nmain()\n")
    script.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(
        [program("bash"), "-e", "-c", first + second],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "\nWelcome to Table Club, Ann" in done.stdout
