"""The page of `pnp build all` in a browser, on phone and desk, and the commands that it names."""

from __future__ import annotations

import re
import shlex
from html import unescape
from pathlib import Path

import pytest

from pnp.cli import run
from pnp.cli.catalogue import command_line
from pnp.presets import Entry
from tests.browser import SEEN, View, look

ENTRIES = (
    Entry("two words", "hex", "Hex & <stones>", {"size": 3, "stones": True, "labels": False}),
    Entry("sets", "hex-lightning", "", {"count": ["VV2=3", "MM1=2"], "title": 'It\'s "ours"'}),
    Entry("focus", "focus", "W" * 90),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue of these entries, built."""
    folder = tmp_path_factory.mktemp("catalogue") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pnp.cli.catalogue.catalogue", lambda: ENTRIES)
        assert run(["build", "all", "--output", str(folder), "--theme", "grey"]) == 0
    return folder


def test_the_commands_make_the_same_files(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = (folder / "index.html").read_text("utf-8")
    commands = re.findall(r"<code>(pnp build .*?)</code>", index)
    assert len(commands) == len(ENTRIES)
    for entry, command in zip(ENTRIES, commands, strict=True):
        assert "--theme grey" in command
        assert "--output" not in command
        made = tmp_path / f"{entry.file}.pdf"
        assert run([*shlex.split(unescape(command))[1:], "--output", str(made)]) == 0
        assert made.read_bytes() == (folder / made.name).read_bytes()
    capsys.readouterr()


def test_a_command_line_of_values() -> None:
    values = {"a": True, "b": False, "c": ["x y", 2], "output": "z", "d": 1.5}
    assert command_line("hex", values) == "pnp build hex --a --no-b --c 'x y' --c 2 --d 1.5"


@pytest.mark.outside("chromium")
def test_on_phone_and_desk_in_a_browser(folder: Path, tmp_path: Path) -> None:
    """All pictures load without a network; nothing is wider than the screen; each link leads to a file."""
    views = [View(folder / "index.html", width, SEEN) for width in (360, 1000)]
    for view, told in zip(views, look(tmp_path, views), strict=True):
        assert told["inner"] == view.width
        assert told["wide"] <= view.width
        assert told["broken"] == told["out"] == []
        assert told["images"] >= len(ENTRIES) + 2
        assert told["small"] >= 12
        assert {Path(at.removeprefix("file://")).name for at in told["targets"]} == {
            *(f"{entry.file}.pdf" for entry in ENTRIES),
            "sets.csv",
        }
        assert all(Path(at.removeprefix("file://")).is_file() for at in told["targets"])
