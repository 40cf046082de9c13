"""Hex positions as text and puzzle files: their meaning, the round trip, where faults point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.boards import rhombus
from pnp.errors import PnpError
from pnp.positions import (
    HexPosition,
    PositionError,
    format_hex,
    parse_hex,
    parse_puzzles,
)


def test_a_position_is_read_row_by_row_from_the_top() -> None:
    position = parse_hex("..r/b../...")
    board = rhombus(3)
    assert position.size == 3
    assert [board.labels[i] for i in position.stones("r")] == ["c1"]
    assert [board.labels[i] for i in position.stones("b")] == ["a2"]


def test_capitals_and_blanks_round_it_are_read() -> None:
    assert parse_hex("  .R/B. \n") == parse_hex(".r/b.")


@given(
    st.integers(2, 30).flatmap(
        lambda n: st.text("..rb", min_size=n * n, max_size=n * n).map(lambda c: HexPosition(n, c))
    )
)
def test_what_is_written_is_read_back(position: HexPosition) -> None:
    assert parse_hex(format_hex(position)) == position


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "no position"),
        ("  ", 1, "no position"),
        (".", 1, "2 to 30"),
        ("/".join(["." * 31] * 31), 1, "2 to 30"),
        ("../.x", 5, "'x' is no cell"),
        (" ../.x", 6, "'x' is no cell"),
        (".../.r/...", 7, "row 2 has 2 cells, the first row 3"),
        (".../.r../...", 8, "row 2 has 4 cells"),
        (".../...", 8, "there are 2 rows"),
        ("../../..", 7, "row 3 is one too many"),
        ("../../", 7, "row 3 is one too many"),
        ("..//..", 4, "row 2 has 0 cells"),
        ("/..", 1, "0 cells"),
    ],
)
def test_faults_point_at_their_place(text: str, column: int, words: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse_hex(text)
    assert caught.value.column == column
    assert words in str(caught.value)
    caret = str(caught.value).splitlines()[-1]
    assert caret == "  " + " " * (column - 1) + "^"


@given(st.text(max_size=40))
def test_any_text_gives_a_position_or_a_fault_within_it(text: str) -> None:
    column, position = 1, None
    try:
        position = parse_hex(text)
    except PositionError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1
    assert position is None or len(position.cells) == position.size**2


def test_a_puzzle_file_gives_titles_and_answers() -> None:
    text = "\ufeff# mine\r\n\r\n.../.r./b.. Red to win | c1 A2\r\n../.. \n../.. By blue|b a1\n"
    first, second, third = parse_puzzles(text, "p.txt")
    assert (first.title, first.first, first.moves) == ("Red to win", "r", (2, 3))
    assert (second.title, second.moves) == ("", ())
    assert (third.title, third.first, third.moves) == ("By blue", "b", (0,))


def test_the_side_with_fewer_stones_begins() -> None:
    (puzzle,) = parse_puzzles("rr./.../b.. x | c1", "p.txt")
    assert puzzle.first == "b"


@pytest.mark.parametrize(
    ("line", "place", "words"),
    [
        ("../.q title", "p.txt:2:5", "'q' is no cell"),
        ("../.. title | c1", "p.txt:2:15", "'c1' is no cell of a board of 2"),
        ("../r. title | a2", "p.txt:2:15", "a2 holds a stone already"),
        ("../.. title | r a1 a1", "p.txt:2:20", "a1 holds a stone already"),
        ("../.. title | a1 r", "p.txt:2:18", "'r' is no cell"),
        (" | a1", "p.txt:2:1", "no position before"),
    ],
)
def test_a_fault_in_a_puzzle_names_file_line_and_column(line: str, place: str, words: str) -> None:
    with pytest.raises(PnpError) as caught:
        parse_puzzles("../.. fine\n" + line + "\n", "p.txt")
    assert str(caught.value).startswith(place + ": ")
    assert words in str(caught.value)


def test_a_file_without_a_puzzle_is_refused() -> None:
    with pytest.raises(PnpError, match=r"p\.txt: no puzzle"):
        parse_puzzles("# nothing\n", "p.txt")
