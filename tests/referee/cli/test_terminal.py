"""`referee` on a terminal: colour, quiet and verbose, examples, Ctrl-C, completion in a real shell."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click import Context
from click.shell_completion import ShellComplete

from referee.cli import COMMANDS, main
from referee.cli.examples import EXAMPLES
from tests.referee.cli.run import FAULTY, WON, referee

ROOT = Path(__file__).resolve().parents[3]
RUN = [sys.executable, "-c", "from referee.cli import main; main()"]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "two.moves"
    path.write_text(WON + "\n" + FAULTY, "utf-8")
    return path


# -- colour ------------------------------------------------------------------------------------------------------------


def on_a_terminal(*args: str | Path, **environ: str) -> str:
    """Return what the command writes where its standard output is a terminal."""
    ours, theirs = pty.openpty()
    env = environment(TERM="xterm", COLUMNS="80", **environ)
    done = subprocess.Popen([*RUN, *map(str, args)], stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    told = b""
    try:
        while part := os.read(ours, 65536):
            told += part
    except OSError:  # how Linux says that the other end is closed
        pass
    done.wait()
    os.close(ours)
    return told.decode().replace("\r\n", "\n")


def test_colour_on_a_terminal_only_and_never_by_itself(records: Path) -> None:
    plain = referee("adjudicate", records).stdout
    assert "\x1b" not in plain
    coloured = on_a_terminal("adjudicate", records)
    assert "\x1b[31m" in coloured
    assert "\x1b[32m  legal: " in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert on_a_terminal("adjudicate", records, NO_COLOR="1") == plain


def test_an_error_in_colour_reads_the_same(tmp_path: Path) -> None:
    wrong = on_a_terminal("diagram", tmp_path / "none.moves")
    assert wrong.startswith("\x1b[31mreferee:\x1b[0m ")
    plain = referee("diagram", tmp_path / "none.moves").stderr
    assert re.sub(r"\x1b\[[0-9;]*m", "", wrong) == plain


def test_no_bytes_of_a_picture_on_a_terminal(records: Path) -> None:
    told = on_a_terminal("diagram", records, "--format", "png")
    assert "say --output FILE.png" in told
    assert "PNG\n" not in told


def test_letters_that_a_stream_lacks_are_no_crash() -> None:
    env = environment(PYTHONIOENCODING="latin-1")
    done = subprocess.run([*RUN, "help", "spiral"], capture_output=True, env=env, check=True)
    wanted = referee("help", "spiral").stdout
    assert "♠" in wanted
    assert done.stdout == wanted.encode("latin-1", "replace")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("ajudicate",), "'ajudicate'; do you mean 'adjudicate'?"),
        (("study", "spirla"), "There is no study 'spirla'; do you mean 'spiral'?"),
        (("study", "chess"), "take lightning, hex-lightning, spiral"),
    ],
)
def test_the_nearest_right_name(args: tuple[str, ...], told: str) -> None:
    result = referee(*args)
    assert result.exit_code == 2
    assert told in result.stderr


def test_every_command_stands_once_in_the_help_and_where_it_belongs() -> None:
    shown = referee("--help").stdout
    for name in COMMANDS:
        assert len(re.findall(rf"^  {name} ", shown, re.MULTILINE)) == 1
    assert (
        shown.index("The club's operator:") < shown.index("  doctor ") < shown.index("The shell:")
    )
    assert shown.index("The shell:") < shown.index("  completion ")


def test_a_command_that_is_told_can_be_typed(tmp_path: Path) -> None:
    club, game = tmp_path / "my club", tmp_path / "my game.moves"
    told = referee("init", club).stdout + referee("start", "hex", game).stdout
    missing = referee("play", tmp_path / "no game.moves", "a1").stderr
    commands = [shlex.split(found) for found in re.findall("`(.*?)`", told + missing)]
    paths = [str(club), str(game), str(tmp_path / "no game.moves")]
    assert [[word for word in words if word in paths] for words in commands] == [[p] for p in paths]


def test_standard_error_that_is_closed(tmp_path: Path) -> None:
    command = shlex.join([*RUN, "diagram", str(tmp_path / "none.moves")])
    done = subprocess.run(["sh", "-c", f"{command} 2>&-"], env=environment(), capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")


# -- how much is said --------------------------------------------------------------------------------------------------


def test_quiet_tells_faults_only(records: Path, tmp_path: Path) -> None:
    loud, quiet = referee("adjudicate", records), referee("adjudicate", records, "--quiet")
    assert (loud.exit_code, quiet.exit_code) == (1, 1)
    assert quiet.stdout.startswith(f"{records}:")
    assert quiet.stdout in loud.stdout
    assert "two.moves 1:" not in quiet.stdout
    assert "records" not in quiet.stdout
    good = tmp_path / "good.moves"
    good.write_text(WON, "utf-8")
    silent = referee("adjudicate", good, "-q")
    assert (silent.exit_code, silent.stdout, silent.stderr) == (0, "", "")
    json = [referee("adjudicate", records, "--format", "json", *more) for more in ((), ("-q",))]
    assert json[0].stdout == json[1].stdout


def test_verbose_tells_counts_and_time(records: Path) -> None:
    result = referee("adjudicate", records, "--verbose")
    assert result.stdout == referee("adjudicate", records).stdout
    assert re.fullmatch(r"2 records, 7 plies in \d+\.\d\d s\n", result.stderr)


def test_quiet_where_files_are_played(tmp_path: Path) -> None:
    game = tmp_path / "g.moves"
    for words in (
        ("start", "hex", game),
        ("play", game, "a1"),
        ("start", "spiral", tmp_path / "s.moves"),
    ):
        result = referee(*words, "--quiet")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert game.with_suffix(".svg").is_file()
    refused = referee("play", game, "a1", "-q")
    assert refused.exit_code == 1
    assert "a1" in refused.output


def test_quiet_in_a_club(tmp_path: Path) -> None:
    club = tmp_path / "club"
    assert referee("init", club).exit_code == 0
    for words in (
        ("export", "-o", tmp_path / "all.moves"),
        ("export", "--pages", tmp_path / "site"),
        ("backup", tmp_path / "copy.db"),
    ):
        result = referee(*words, "-q", "--club", club)
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_person_is_told_where_a_file_is(records: Path, tmp_path: Path) -> None:
    words = ("convert", records, "--to", "lines", "--output", tmp_path / "1.txt")
    assert referee(*words).stdout == ""
    assert on_a_terminal(*words).endswith(f"written: {tmp_path / '1.txt'}\n")


# -- stopped -----------------------------------------------------------------------------------------------------------


def test_ctrl_c_is_no_fault_of_a_record(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.archive.adjudicate", pressed)
    result = referee("adjudicate", records)
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "referee: stopped\n")


# -- examples ----------------------------------------------------------------------------------------------------------


def test_each_command_has_examples() -> None:
    assert set(EXAMPLES) == set(COMMANDS) - {"completion"}  # which has its own


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_can_be_typed(name: str) -> None:
    told = referee(name, "--help").stdout
    for line in EXAMPLES[name]:
        assert f"  {line}\n" in told
        program, called, *args = shlex.split(line.partition(" < ")[0])
        assert (program, called) == ("referee", name)
        command = main.get_command(Context(main), called)
        assert command is not None
        assert command.make_context(called, args).command is command
    assert told.count("Examples:") == 1


@pytest.mark.parametrize("words", [(), ("adjudicate",)])
def test_exit_statuses_are_in_the_help(words: tuple[str, ...]) -> None:
    assert "Exit status: 0" in referee(*words, "--help").stdout


# -- completion --------------------------------------------------------------------------------------------------------


def completed(line: str) -> set[str]:
    *args, begun = line.split(" ")[1:]
    found = ShellComplete(main, {}, "referee", "_REFEREE_COMPLETE").get_completions(args, begun)
    return {item.value if item.type == "plain" else f"<{item.type}>" for item in found}


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("referee ", set(COMMANDS)),
        ("referee adj", {"adjudicate"}),
        ("referee adjudicate ga", {"<file>"}),
        ("referee adjudicate --fo", {"--format"}),
        ("referee adjudicate --format ", {"text", "json"}),
        ("referee convert x.sgf --to h", {"hsgf", "hexworld"}),
        ("referee start ", {"hex", "focus", "lightning", "spiral"}),
        ("referee diagram --theme g", {"grey"}),
        ("referee diagram ga", {"<file>"}),
        ("referee export --pages si", {"<dir>"}),
        ("referee rule hex-1 1", {"1-0", "1/2-1/2"}),
    ],
)
def test_what_is_completed(line: str, wanted: set[str]) -> None:
    assert completed(line) == wanted


BASH = """
eval "$(referee completion bash)"
complete -p referee >/dev/null || exit 3
COMP_WORDS=(referee adjudicate game.moves --format j); COMP_CWORD=4
_referee_completion referee
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.outside("bash")
def test_bash_completes(program: Callable[[str], str], tmp_path: Path) -> None:
    script = tmp_path / "referee"
    script.write_text(f"#!{sys.executable}\nfrom referee.cli import main\nmain()\n")
    script.chmod(0o755)
    env = environment(PATH=f"{tmp_path}:{os.environ['PATH']}")
    done = subprocess.run([program("bash"), "-c", BASH], capture_output=True, text=True, env=env)
    assert (done.stdout, done.stderr, done.returncode) == ("json\n", "", 0)


def test_doctor_says_what_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert referee("init", tmp_path / "club").exit_code == 0
    monkeypatch.setitem(sys.modules, "cairosvg", None)  # as where it is not installed
    result = referee("doctor", "--club", tmp_path / "club")
    assert result.exit_code == 0
    assert re.search(r"^ok +cairo: is not there; PDFium draws \(\d+ bytes\)$", result.stdout, re.M)
