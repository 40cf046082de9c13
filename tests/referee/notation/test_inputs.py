"""Opening files and standard input: the content decides, and what cannot be read says why."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from referee.errors import UnreadableError
from referee.judge import judge
from referee.notation.inputs import open_records
from tests.referee.notation.helpers import fault, judged, only, records

HEX = '[Game "Hex"]\n[Size "5"]\n\n1. c3 d2 2. b4 *\n'


@pytest.mark.parametrize("name", ["game.sgf", "game.six", "game.txt", "game"])
def test_name_decides_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(HEX)
    (record,) = open_records(path)
    assert record.format == "moves"
    assert record.source.name == str(path)
    assert judge(record).plies == 3


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (HEX, "moves"),
        ("\n\n" + HEX, "moves"),
        ("who knows\n" + HEX, "moves"),
        ('[Size "5"]\n1. c3', "moves"),
        ("1. c3 d2", "moves"),
        ("(;FF[4]GM[11]SZ[5];B[c3])", "sgf"),
        ("  (\n;GM[11]SZ[5];B[c3])", "sgf"),
        ("A game of ours:\n(;GM[11]SZ[5];B[c3])", "sgf"),
        ("(;FF[4]EV[x]PB[a]PW[b]SZ[13];W[cc];B[dd])", "hsgf"),
        ("BoardSize: 5x5\nFirst: V\nSwap: 1\nMoves:\n 1. C3 D2\n", "six"),
        ("B[c3] W[d2]\n", "lines"),
        ("c3 d2 b4\n", "lines"),
        ("# openings\na1\na2\n", "lines"),
        ("https://hexworld.org/board/#5,c3d2", "hexworld"),
        ("hexworld.org/board/#5c1,c3:s", "hexworld"),
        ("see https://trmph.com/hex/board#5,c3d2 there", "trmph"),
        ("#11,b1b1f6", "trmph"),
        ("#11,a2:sf6", "hexworld"),
        ("1. c2-c3:1 e5-e4:1", "gamerz"),
        ("First: Ann\nr:e5", "gamerz"),
    ],
)
def test_content_decides(tmp_path: Path, text: str, form: str) -> None:
    assert {record.format for record in records(tmp_path, text)} == {form}


def test_bom_and_crlf(tmp_path: Path) -> None:
    text = (
        "\ufeff"
        + HEX.replace("\n", "\r\n")
        + "\ufeff"
        + HEX.replace("b4", "c3").replace("\n", "\r\n")
    )
    first, second = records(tmp_path, text)
    assert judge(first).error is None
    assert first.value("Game") == "Hex"
    assert fault(judge(second)) == ("occupied", 3, "c3", 8, 13)


def test_stray_byte_becomes_a_replacement(tmp_path: Path) -> None:
    text = HEX.encode().replace(b"[Size", b'[First "Chlo\xe9"]\n[Size') + b"\n" + HEX.encode()
    first, second = records(tmp_path, text)
    assert first.value("First") == "Chlo\N{REPLACEMENT CHARACTER}"
    assert judge(first).error is None
    assert judge(second).plies == 3


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b" \r\n\t\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (HEX.encode("utf-16"), "UTF-16"),
        (HEX.encode("utf-16-le"), "no text"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no text"),
        (bytes(range(256)) * 8, "no text"),
        (b"Dear Ann,\n\nshall we play on Friday?\n\nBob\n", "holds no game record"),
        (b"(;GM[1]SZ[19];B[pd];W[dd])", "Go"),
    ],
)
def test_unreadable(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(UnreadableError, match=words) as caught:
        records(tmp_path, data)
    assert "it" in str(caught.value)
    assert caught.value.exit_status == 2


def test_a_few_stray_bytes_are_for_the_judge(tmp_path: Path) -> None:
    (record,) = records(tmp_path, HEX.replace("d2", "d2\0\x07"))
    assert fault(judge(record)) == ("syntax", 2, "d2\0\x07", 4, 7)


@pytest.mark.parametrize(
    "text", ["[Game Hex]\nc3\n", '[Game "Hex"\nc3\n', '[Game "Hex]\nc3', "[Game"]
)
def test_a_game_tag_begins_a_record_however_broken(tmp_path: Path, text: str) -> None:
    """It is judged alone as it is after another record."""
    (alone,) = records(tmp_path, text)
    _, after = records(tmp_path, HEX + text)
    assert fault(judge(alone)) == ("syntax", 1, text.split("\n")[0], 1, 1)
    assert fault(judge(after)) == ("syntax", 1, text.split("\n")[0], 5, 1)
    assert (judge(alone).game, judge(alone).position, judge(alone).to_move) == (None, None, None)


def test_missing_and_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="not there"):
        list(open_records(tmp_path / "none.moves"))
    with pytest.raises(UnreadableError, match="folder"):
        list(open_records(tmp_path))
    with pytest.raises(UnreadableError, match="cannot be read"):
        list(open_records("a\0b"))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(HEX.encode())

    monkeypatch.setattr(sys, "stdin", Input())
    (record,) = open_records("-")
    assert record.source.name == "-"
    assert judge(record).plies == 3
    assert not Input.buffer.closed
    Input.buffer = io.BytesIO()
    with pytest.raises(UnreadableError, match="standard input is empty"):
        list(open_records("-"))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UnreadableError, match="standard input is closed"):
        list(open_records("-"))


def test_text_before_the_first_game_is_a_record(tmp_path: Path) -> None:
    first, second = records(tmp_path, "hello\n" + HEX)
    assert fault(judge(first))[:3] == ("tag", None, None)
    assert judge(first).game is None
    assert judge(second).error is None
    assert judged(tmp_path, '[Size "5"]\n1. c3').game is None


def test_records_stream(tmp_path: Path) -> None:
    class Endless(io.RawIOBase):
        """A pipe that never ends; whoever reads it whole never comes back."""

        def __init__(self) -> None:
            self.given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:
            text = (HEX.encode() * (len(buffer) // len(HEX) + 2))[self.given % len(HEX) :][
                : len(buffer)
            ]
            buffer[: len(text)] = text
            self.given += len(text)
            assert self.given < 10_000_000
            return len(text)

    class Input:
        buffer = io.BufferedReader(Endless())

    before = sys.stdin
    sys.stdin = Input()  # type: ignore[assignment]
    try:
        stream = open_records("-")
        assert all(judge(next(stream)).error is None for _ in range(3000))
    finally:
        sys.stdin = before


def test_size_is_for_lines_only(tmp_path: Path) -> None:
    assert only(tmp_path, "c3 d2", 9).value("Size") == "9"
    assert only(tmp_path, "c3 d2").value("Size") is None
    assert only(tmp_path, HEX, 9).value("Size") == "5"
    assert only(tmp_path, "(;GM[11];B[c3])", 9).value("Size") is None


def test_a_disk_that_fails_on_the_way_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.RawIOBase):
        """Gives half a megabyte of records, then an error."""

        def __init__(self) -> None:
            self.left = 1 << 19

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:
            if self.left <= 0:
                raise OSError(5, "Input/output error")
            text = (HEX.encode() * (len(buffer) // len(HEX) + 1))[: len(buffer)]
            buffer[: len(text)] = text
            self.left -= len(text)
            return len(text)

    class Input:
        buffer = io.BufferedReader(Failing())

    monkeypatch.setattr(sys, "stdin", Input())
    stream = open_records("-")
    assert judge(next(stream)).error is None
    with pytest.raises(UnreadableError, match="Input/output error"):
        list(stream)
