"""`referee adjudicate`: what is printed, in which order, and with which exit status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from referee import archive
from referee.cli import progress
from tests.referee.cli.run import FAULTY, HEX, OPEN, WON, process, referee

KEYS = [
    *("file", "index", "game", "first", "second", "legal", "plies", "to_move", "result"),
    *("reason", "position", "needs", "error"),
]
FAULT_KEYS = ["code", "rule", "ply", "line", "column", "token", "message"]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.moves"
    path.write_text(WON + "\n" + FAULTY + "\n" + OPEN, encoding="utf-8")
    return path


def test_json_has_one_object_a_line_with_the_fields_in_their_order(mixed: Path) -> None:
    result = referee("adjudicate", mixed, "--format", "json")
    assert result.exit_code == 1
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(o) for o in objects] == [KEYS] * 3
    assert [o["index"] for o in objects] == [1, 2, 3]
    assert {o["file"] for o in objects} == {str(mixed)}
    assert list(objects[1]["error"]) == FAULT_KEYS
    fault = objects[1]["error"]
    assert (fault["code"], fault["rule"], fault["ply"]) == ("occupied", "hex-place", 3)
    assert (fault["line"], fault["column"], fault["token"]) == (13, 13, "b1")
    assert objects[0]["reason"] == "connection"
    assert objects[0]["to_move"] is None
    assert objects[0]["position"] == "rb./rb./r.."


def test_text_says_who_won_and_how_or_shows_the_fault(mixed: Path) -> None:
    lines = referee("adjudicate", mixed).stdout.splitlines()
    assert lines[0] == f"{mixed} 1: Hex, Ann – Bob: Ann joined both own edges (1-0): a1 a2 a3"
    assert lines[1].startswith(f"{mixed}:13:13: b1 already holds a blue stone")
    assert lines[1].endswith("[occupied]")
    assert lines[2] == "    1. a1 b1 2. b1 *"
    assert lines[3] == "                ^^"
    assert lines[4].startswith("  rule hex-place: ")
    assert lines[5].startswith("  legal: c1 a2 b2")
    assert "Ann is to move after 2 plies" in lines[6]
    assert lines[-3] == "3 records, 9 plies: 2 legal, 1 with a fault"
    assert "occupied 1" in lines[-1]


@pytest.mark.parametrize(
    ("text", "status"), [(WON, 0), (OPEN, 0), (FAULTY, 1), ("prose\n", 2), ("", 2)]
)
def test_exit_status(tmp_path: Path, text: str, status: int) -> None:
    path = tmp_path / "one.moves"
    path.write_text(text, encoding="utf-8")
    assert referee("adjudicate", path).exit_code == status


def test_a_missing_file_does_not_keep_the_others_from_their_verdicts(
    tmp_path: Path, mixed: Path
) -> None:
    result = referee("adjudicate", tmp_path / "none.moves", mixed, tmp_path, "--format", "json")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 3
    assert f"{tmp_path / 'none.moves'} is not there" in result.stderr
    assert "is a folder" in result.stderr


def test_standard_input(mixed: Path) -> None:
    result = process("adjudicate", "-", "--format", "json", stdin=mixed.read_bytes())
    assert result.returncode == 1
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == ["-"] * 3
    assert result.stderr == b""


def test_stop_at_reads_no_later_text(tmp_path: Path) -> None:
    path = tmp_path / "stop.moves"
    path.write_text(HEX + "1. a1 b1 2. b1 rubbish ) 1-0\n", encoding="utf-8")
    result = referee("adjudicate", path, "--stop-at", "2", "--format", "json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert (told["plies"], told["result"], told["legal"]) == (2, "*", True)
    assert referee("adjudicate", path, "--stop-at", "3").exit_code == 1


@pytest.mark.parametrize("ply", ["0", "1", "2"])
def test_a_comment_that_never_closes_is_later_text_too(tmp_path: Path, ply: str) -> None:
    path = tmp_path / "stop.moves"
    path.write_text(HEX + ("", "1. a1 ", "1. a1 b1 ")[int(ply)] + "{but", encoding="utf-8")
    assert referee("adjudicate", path, "--stop-at", ply).exit_code == 0
    assert referee("adjudicate", path, "--stop-at", str(int(ply) + 1)).exit_code == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [["adjudicate", "FILE"], ["help", "hex"], ["--help"]])
def test_standard_output_that_is_full_is_said_in_a_line(mixed: Path, words: list[str]) -> None:
    args = [str(mixed) if word == "FILE" else word for word in words]
    with Path("/dev/full").open("w") as full:
        result = process(*args, stdout=full)
    assert result.returncode == 2
    assert result.stderr == b"referee: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="shells of Windows close no stream")
def test_standard_output_that_is_closed_is_no_crash(mixed: Path) -> None:
    result = process("adjudicate", mixed, before="import sys; sys.stdout = None")
    assert (result.returncode, result.stderr) == (1, b"")


def test_one_object_is_one_line_whatever_takes_it_for_a_line_break(tmp_path: Path) -> None:
    name = "A\x85n\u2028n\u2029\x1ce 王芳"
    path = tmp_path / "lines.moves"
    path.write_text(OPEN.replace("Ann", name), encoding="utf-8")
    (line,) = referee("adjudicate", path, "--format", "json").stdout.splitlines()
    assert json.loads(line)["first"] == name
    assert "王芳" in line


def test_endless_words_and_names_are_cut_for_people_only(tmp_path: Path) -> None:
    path = tmp_path / "long.moves"
    path.write_text(OPEN.replace("Ann", "A" * 9999).replace("b1", "b" * 9999), encoding="utf-8")
    assert max(map(len, referee("adjudicate", path).stdout.splitlines())) < 600
    told = json.loads(referee("adjudicate", path, "--format", "json").stdout)
    assert (told["first"], told["error"]["token"]) == ("A" * 9999, "b" * 9999)


def test_size_is_for_records_that_do_not_say_theirs(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("B[a1] W[b1]\nB[c3] W[d4]\n", encoding="utf-8")
    told = [
        json.loads(line)
        for line in referee(
            "adjudicate", path, "--size", "3", "--format", "json"
        ).stdout.splitlines()
    ]
    assert [o["legal"] for o in told] == [True, False]
    assert told[1]["error"]["code"] == "off-board"


@pytest.mark.parametrize("form", ["text", "json"])
def test_jobs_keep_the_order(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "SENT", 200)
    records = [HEX + f"1. {c}{r} {{n {n}}} *\n" for n in range(30) for c in "abcd" for r in "12"]
    many = tmp_path / "many.moves"
    many.write_text("\n".join(records), encoding="utf-8")
    lines = tmp_path / "lines.txt"
    lines.write_text("B[a1] W[b1]\nB[a1] W[a1]\n" * 20, encoding="utf-8")
    args = (many, tmp_path / "none", lines, "--format", form, "--size", "3")
    one = referee("adjudicate", *args)
    two = referee("adjudicate", *args, "--jobs", "2")
    assert one.stdout == two.stdout
    assert one.stderr == two.stderr
    assert one.exit_code == two.exit_code == 2
    assert len(one.stdout.splitlines()) >= 280


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    path = tmp_path / "many.moves"
    path.write_text((OPEN + "\n") * 5000, encoding="utf-8")
    for jobs in ("1", "2"):
        command = [
            sys.executable,
            "-c",
            "from referee.cli import main; main()",
            "adjudicate",
            str(path),
        ]
        with subprocess.Popen(
            [*command, "--jobs", jobs], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as running:
            assert running.stdout is not None
            assert running.stderr is not None
            running.stdout.readline()
            running.stdout.close()
            assert running.stderr.read() == b""


def test_nothing_on_standard_error_without_a_terminal(mixed: Path) -> None:
    assert process("adjudicate", mixed).stderr == b""


def test_memory_stays_flat(tmp_path: Path) -> None:
    path = tmp_path / "many.moves"
    path.write_text((WON + "\n") * 1500, encoding="utf-8")
    request = archive.Request(json=True)
    archive.adjudicate(
        [str(path)] * 1, request, 1, lambda parcel: None
    )  # all that is kept for good
    tracemalloc.start()
    tally = archive.adjudicate([str(path)], request, 1, lambda parcel: None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert tally.records == 1500
    assert peak < 400_000


def test_diagrams_of_all_records(tmp_path: Path, mixed: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    result = referee("adjudicate", mixed, "--diagrams", folder)
    assert result.exit_code == 1
    assert sorted(p.name for p in folder.iterdir()) == ["mixed-1.svg", "mixed-2.svg", "mixed-3.svg"]
    assert "<title>Hex, Ann (Red) – Bob (Blue)</title>" in (folder / "mixed-1.svg").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    ("stop", "shows"), [("1", "Ply 1: a1"), ("2", "Ply 2: b1"), ("9", "refused")]
)
def test_a_picture_of_a_record_that_is_judged_in_part_shows_that_part(
    tmp_path: Path, stop: str, shows: str
) -> None:
    path = tmp_path / "one.moves"
    path.write_text(FAULTY, encoding="utf-8")
    referee("adjudicate", path, "--stop-at", stop, "--diagrams", tmp_path)
    assert shows in (tmp_path / "one-1.svg").read_text(encoding="utf-8")


def test_pictures_of_files_of_one_name_do_not_meet(tmp_path: Path) -> None:
    for folder, text in (("a", WON), ("b", OPEN)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.moves").write_text(text, encoding="utf-8")
    files = (tmp_path / "a" / "game.moves", tmp_path / "b" / "game.moves")
    referee("adjudicate", *files, "--diagrams", tmp_path / "out", "--jobs", "2")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["game-1.svg", "game-2-1.svg"]


class Terminal(io.StringIO):
    """Standard error of somebody who looks at it."""

    def isatty(self) -> bool:
        return True


def test_a_bar_shows_on_a_terminal_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    seen = Terminal()
    with progress.Meter("records", 200, seen) as meter:
        meter.step(10, 50)
        assert seen.getvalue() == ""
        now[0] = 2.0
        meter.step(10, 50)
        assert seen.getvalue() == "\r[############------------]  50%  20 records, 10 a second\x1b[K"
    assert seen.getvalue().endswith("\r\x1b[K")
    quiet = io.StringIO()
    with progress.Meter("records", 200, quiet) as meter:
        now[0] = 9.0
        meter.step(10, 50)
    assert quiet.getvalue() == ""


def test_names_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.moves"
    path.write_text(OPEN.replace("Ann", "A\x1b[31mnn"), encoding="utf-8")
    assert "\x1b" not in referee("adjudicate", path).stdout


def test_all_handed_cases(shared: Path) -> None:
    for game in ("hex", "focus", "lightning", "spiral"):
        folder = shared / "data" / "cases"
        told = referee(
            "adjudicate", folder / f"{game}.moves", "--format", "json"
        ).stdout.splitlines()
        wanted = (folder / f"{game}.expected.jsonl").read_text(encoding="utf-8").splitlines()
        for line, want in zip(map(json.loads, told), map(json.loads, wanted), strict=True):
            fault, expected = line.pop("error"), want.pop("error")
            assert {key: line[key] for key in want} == want
            assert (fault is None) == (expected is None)
            for key, value in (expected or {}).items():
                assert (key == "token" and value is None) or fault[key] == value
