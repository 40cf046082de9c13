"""`pnp` on a terminal: colour, quiet and verbose, examples, completion in a real shell."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click import Context, Group
from click.shell_completion import ShellComplete

from pnp import terminal
from pnp.cli import COMMANDS, pnp, run
from pnp.games import names
from pnp.themes import NAMES


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "wanted"),
    [
        (Tty(), {}, True),
        (Tty(), {"NO_COLOR": ""}, True),
        (Tty(), {"NO_COLOR": "0"}, False),
        (Tty(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colour_is_for_terminals(
    stream: io.StringIO, environ: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert terminal.coloured(stream) is wanted
    assert terminal.painted("x", "fault", stream) == ("\x1b[31mx\x1b[0m" if wanted else "x")


def test_letters_that_a_stream_lacks_are_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(held, encoding="latin-1"))
    assert run(["list"]) == 0
    assert b"--margin MM,?" in held.getvalue()


def test_quiet_and_verbose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["build", "hex", "--size", "3", "--output", str(tmp_path)]
    assert run([*args, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert run([*args, "--verbose"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{tmp_path / 'hex.pdf'}\n"
    assert re.fullmatch(r"hex: 1 file, \d+\.\d KB, \d+\.\d\d s\n", err)
    assert run(["build", "hex", "--sise", "3", "-q"]) == 2  # what is wrong is said all the same
    assert "--size" in capsys.readouterr().err
    assert run(["calibrate", "--output", str(tmp_path), "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_quiet_catalogue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pnp.presets import Entry

    entries = (Entry("a", "hex", "", {"size": 3}), Entry("b", "focus"))
    monkeypatch.setattr("pnp.cli.catalogue.catalogue", lambda: entries)
    assert run(["build", "all", "--output", str(tmp_path), "--paper", "130x130mm", "-q"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pnp: b: ")
    assert run(["build", "all", "--output", str(tmp_path), "-v"]) == 0
    out, err = capsys.readouterr()
    assert "all 2 made" in out
    assert re.fullmatch(r"catalogue: 2 files, [\d.]+ KB, [\d.]+ s\n", err)


# -- examples ----------------------------------------------------------------------------------------------------------


def examples(text: str) -> list[str]:
    return re.findall(r"^ +(pnp .*?)(?:  +# .*)?$", text.partition("Examples:")[2], re.MULTILINE)


@pytest.mark.parametrize("words", [[], ["calibrate"], ["build"], *(["build", n] for n in names())])
def test_each_help_has_examples_that_can_be_typed(
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*words, "--help"]) == 0
    found = examples(capsys.readouterr().out)
    assert len(found) >= 2
    for line in found:
        name, *args = shlex.split(line)[1:]
        command = pnp.get_command(Context(pnp), name)  # type: ignore[attr-defined]
        context = command.make_context(name, args)
        assert context.command is command


def test_exit_status_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert "Exit status: 0" in capsys.readouterr().out


# -- completion --------------------------------------------------------------------------------------------------------


def completed(line: str) -> set[str]:
    *args, begun = line.split(" ")[1:]
    assert isinstance(pnp, Group)
    found = ShellComplete(pnp, {}, "pnp", "_PNP_COMPLETE").get_completions(args, begun)
    return {item.value if item.type == "plain" else f"<{item.type}>" for item in found}


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("pnp ", set(COMMANDS)),
        ("pnp bu", {"build"}),
        ("pnp build ", {*names(), "all"}),
        ("pnp build he", {"hex", "hex-lightning"}),
        ("pnp build hex --sty", {"--style"}),
        ("pnp build hex --style ", {"hexagons", "circles", "points"}),
        ("pnp build hex --size n", {"nash"}),
        ("pnp build hex --theme ", set(NAMES)),
        ("pnp build nothing --theme gr", {"grey"}),
        ("pnp build mini-hex --puzzles pu", {"<file>"}),
        ("pnp build hex --paper le", {"letter", "legal"}),
        ("pnp completion ", {"bash", "zsh", "fish"}),
    ],
)
def test_what_is_completed(line: str, wanted: set[str]) -> None:
    assert completed(line) == wanted


@pytest.mark.parametrize("shell", terminal.SHELLS)
def test_each_shell_has_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_PNP_COMPLETE={shell}_complete" in script
    assert run(["completion", "cmd"]) == 2


SHELL = {
    "bash": """
eval "$(pnp completion bash)"
complete -p pnp >/dev/null || exit 3
COMP_WORDS=(pnp build hex --theme gr); COMP_CWORD=4
_pnp_completion pnp
printf '%s\\n' "${COMPREPLY[@]}"
""",
    "zsh": """
autoload -U compinit; compinit -u -D
eval "$(pnp completion zsh)"
[ $_comps[pnp] = _pnp_completion ] || exit 3
compadd() { print -l -- $completions }
words=(pnp build hex --theme gr); CURRENT=5
_pnp_completion
""",
    "fish": """
pnp completion fish | source
complete -C "pnp build hex --theme gr"
""",
}


@pytest.mark.outside("bash")
@pytest.mark.outside("zsh")
@pytest.mark.outside("fish")
@pytest.mark.parametrize("shell", terminal.SHELLS)
def test_a_real_shell_completes(shell: str, program: Callable[[str], str], tmp_path: Path) -> None:
    script = tmp_path / "pnp"
    script.write_text(f"#!{sys.executable}\nfrom pnp.cli import main\nmain()\n")
    script.chmod(0o755)
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(root)}
    env["HOME"] = str(tmp_path)
    done = subprocess.run(
        [program(shell), "-c", SHELL[shell]], capture_output=True, text=True, env=env, timeout=60
    )
    assert (done.stdout, done.stderr, done.returncode) == ("grey\n", "", 0)
