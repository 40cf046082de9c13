"""Conversion: the same game comes back from every format, and what is lost is said."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.convert import TARGETS, ConversionError, convert, join
from referee.core.record import GameRecord
from referee.core.verdict import Verdict
from referee.judge import judge
from referee.notation.foreign import writing
from referee.notation.inputs import open_records
from tests.referee.notation.helpers import only, records

HEX = (
    '[Game "Hex"]\n[First "Ann ] \\"A\\""]\n[Second "Bob"]\n[Event "Cup"]\n[Size "5"]\n[Swap "{}"]\n\n'
    "{{first}} 1. b4 {{a \\ ] word}} swap ; to the end\n2. c3 d3 3. d4 {}"
)


def back(text: str, folder: Path, size: int | None = None) -> GameRecord:
    return only(folder, text, size)


def mirrored(position: str) -> str:
    rows = position.split("/")
    other = {"r": "b", "b": "r", ".": "."}
    return "/".join("".join(other[row[y]] for row in rows) for y in range(len(rows)))


def same(verdict: Verdict, again: Verdict, lost: list[str]) -> None:
    """Assert that the game came back: everything that is not named as lost."""
    said = " ".join(lost)
    assert again.error is None
    position = verdict.position
    if "form of the swap" in said and position is not None:
        position = mirrored(position)
    assert again.position == position
    if "resignation" not in said:
        assert again.plies == verdict.plies
        if "declared result" not in said:
            assert again.result == verdict.result
            assert again.to_move == verdict.to_move
            if "reason" not in said:
                assert again.reason == verdict.reason
    if "names" not in said:
        assert (again.first, again.second) == (verdict.first, verdict.second)


# -- one by one --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (
            "sgf",
            '(;FF[4]GM[11]CA[UTF-8]AP[pnp-referee]SZ[5]PB[Ann \\] "A"]PW[Bob]EV[Cup]RE[B+R]\n'
            "C[first];B[b4]C[a \\\\ \\] word];W[swap-pieces]C[to the end];B[c3];W[d3];B[d4]\n;W[resign])\n",
        ),
        (
            "hsgf",
            '(;FF[4]SZ[5]PB[Ann \\] "A"]PW[Bob]EV[Cup]RE[B+R]C[first];W[bd]C[a \\\\ \\] word]\n'
            ";B[swap]C[to the end];W[cc];B[dc];W[dd];B[resign])\n",
        ),
        (
            "six",
            "BoardSize: 5x5\nFirst: V\nSwap: 1\nMoves:\n  1. B4 Swap\n  2. C3 D3\n  3. D4 Resign\n",
        ),
        ("lines", "B[b4] W[swap-pieces] B[c3] W[d3] B[d4] W[resign]\n"),
        ("hexworld", "https://hexworld.org/board/#5,b4:sc3d3d4:rw\n"),
        ("trmph", "https://trmph.com/hex/board#5,d2d2c3d3d4\n"),
    ],
)
def test_swapped_pieces(target: str, text: str, tmp_path: Path) -> None:
    record = only(tmp_path, HEX.format("pieces", "resign 1-0"))
    got, lost = convert(record, target)
    assert got == text
    again = back(got, tmp_path, 5)
    assert again.format == target
    same(judge(record), judge(again), lost)


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("lines", "B[b4] W[swap-sides] W[c3] B[d3] W[d4] B[resign]\n"),
        ("hexworld", "https://hexworld.org/board/#5,b4:Sc3d3d4:rb\n"),
        ("trmph", "https://trmph.com/hex/board#5,d2d2c3c4d4\n"),
    ],
)
def test_swapped_sides(target: str, text: str, tmp_path: Path) -> None:
    record = only(tmp_path, HEX.format("sides", "resign"))
    got, lost = convert(record, target)
    assert got == text
    same(judge(record), judge(back(got, tmp_path, 5)), lost)
    assert any("form of the swap" in what for what in lost) == (target == "trmph")


@pytest.mark.parametrize(
    ("target", "lost"),
    [
        ("moves", []),
        ("sgf", ["the tag GameId"]),
        ("hsgf", ["the tags Site, GameId"]),
        (
            "six",
            [
                "the players' names",
                "the tags Event, Site, Date, GameId",
                "the comments",
                "the declared result 1-0",
            ],
        ),
        (
            "lines",
            [
                "the players' names",
                "the tags Event, Site, Date, GameId",
                "the comments",
                "the board's size; read it with --size 5",
                'the option Swap "none"',
                "the declared result 1-0",
            ],
        ),
        (
            "hexworld",
            [
                "the players' names",
                "the tags Event, Site, Date, GameId",
                "the comments",
                'the option Swap "none"',
                'the reason of the result, "time"',
            ],
        ),
    ],
)
def test_what_is_lost(target: str, lost: list[str], tmp_path: Path) -> None:
    head = (
        '[Game "Hex"][Event "e"][Site "s"][Date "d"][First "A"][Size "5"][Swap "none"][GameId "g"]'
    )
    record = only(tmp_path, head + '[Termination "time"]\n1. c3 {hm} 1-0')
    got, said = convert(record, target)
    if target in ("sgf", "hsgf"):
        lost = [*lost, 'the option Swap "none"']
    assert said == lost
    same(judge(record), judge(back(got, tmp_path, 5)), said)


def test_what_the_reader_passed_over_is_lost_too(tmp_path: Path) -> None:
    record = only(tmp_path, "(;GM[11]SZ[5];B[c3]BL[7](;W[d3])(;W[a1]))")
    for target in ("moves", "sgf", "lines"):
        assert convert(record, target)[1][:2] == ["1 variation", "the properties BL"]


def test_foreign_record_as_moves(tmp_path: Path) -> None:
    record = only(tmp_path, "(;GM[11]PB[Ann];B[a2];W[swap-pieces]C[ha];W[c3];B[resign])")
    text, lost = convert(record, "moves")
    assert text == (
        '[Game "Hex"]\n[First "Ann"]\n[Size "11"]\n[Swap "sides"]\n[Result "1-0"]\n\n'
        "1. a2 swap {ha} 2. c3 resign 1-0\n"
    )
    assert lost == []


def test_set_up_stones_and_blue_first(tmp_path: Path) -> None:
    record = only(tmp_path, "(;GM[11]SZ[5]AB[a1][b2]AW[c3]PL[W];W[d4];B[d3])")
    text, lost = convert(record, "sgf")
    assert "AB[a1][b2]AW[c3]PL[W]" in text
    same(judge(record), judge(back(text, tmp_path)), lost)
    for target in ("moves", "six", "lines", "hexworld", "trmph", "hsgf"):
        with pytest.raises(ConversionError, match="set-up stones"):
            convert(record, target)
    record = only(tmp_path, "(;GM[11]SZ[5];W[d4];B[d3])")
    for target in ("sgf", "six", "lines"):
        text, lost = convert(record, target)
        same(judge(record), judge(back(text, tmp_path, 5)), lost)
    for target in ("moves", "hexworld", "trmph", "hsgf"):
        with pytest.raises(ConversionError, match="Blue"):
            convert(record, target)


@pytest.mark.parametrize("target", [t for t in TARGETS if t != "moves"])
def test_faulty_records_are_refused(target: str, tmp_path: Path) -> None:
    record = only(tmp_path, '[Game "Hex"]\n1. c3 c3')
    with pytest.raises(ConversionError, match=r"it:2:7: .*\[occupied\]") as caught:
        convert(record, target)
    assert caught.value.exit_status == 1


def test_faults_that_moves_can_hold_are_kept(tmp_path: Path) -> None:
    assert convert(only(tmp_path, '[Game "Hex"]\nC3 C3'), "moves")[0].endswith("\n1. c3 c3 *\n")
    text, _ = convert(only(tmp_path, "(;GM[11]SZ[5];B[C3];W[C3])"), "moves")
    assert text.endswith("\n1. c3 c3 *\n")
    for broken in ("(;GM[11]SZ[5];B[c3];B[d3])", "(;GM[11]SZ[5];B[c3];W["):
        with pytest.raises(ConversionError):
            convert(only(tmp_path, broken), "moves")


def test_no_such_format(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no format"):
        convert(only(tmp_path, '[Game "Hex"]'), "pdf")


@pytest.mark.parametrize("game", ["Lightning", "Spiral", "Focus"])
def test_other_games_have_no_hex_formats(game: str, tmp_path: Path) -> None:
    record = only(tmp_path, f'[Game "{game}"]\n')
    assert convert(record, "moves")[0] == f'[Game "{game}"]\n\n*\n'
    for target in ("sgf", "hsgf", "six", "lines", "hexworld", "trmph"):
        with pytest.raises(ConversionError, match="format of Hex"):
            convert(record, target)


def test_limits_of_formats(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match="26 rows"):
        convert(only(tmp_path, '[Game "Hex"][Size "27"]\na1'), "hsgf")
    with pytest.raises(ConversionError, match="no moves"):
        convert(only(tmp_path, '[Game "Hex"]'), "lines")
    big = only(tmp_path, '[Game "Hex"][Size "30"]\naa1 ad30')
    for target in ("sgf", "six", "lines", "hexworld", "trmph"):
        text, lost = convert(big, target)
        same(judge(big), judge(back(text, tmp_path, 30)), lost)


# -- Focus and gamerz --------------------------------------------------------------------------------------------------

FOCUS = '[Game "Focus"][First "Ann"]\n1. b7-c7 d7-d8 {{hm}} 2. c7-c5 c6-c7 draw? 3. {}'


def test_focus_as_gamerz(tmp_path: Path) -> None:
    record = only(tmp_path, FOCUS.format("draw!"))
    text, lost = convert(record, "gamerz")
    assert text == "First: Ann\n1. b2-c2:1 d2-d1:1\n2. c2-c4:2 c3-c2:1\n1/2-1/2\n"
    assert lost == [
        "the word draw?",
        "the word draw!",
        "the comments",
        'the reason of the result, "agreement"',
    ]
    again = judge(back(text, tmp_path))
    before = judge(record)
    assert (again.error, again.result) == (None, before.result)
    assert before.position is not None
    # only who is to move differs: a declared result leaves the position as it is
    assert again.position == before.position.replace(" - ", " w ")
    moves, none = convert(back(text, tmp_path), "moves")
    assert none == []
    assert judge(back(moves, tmp_path)).position == again.position
    assert '[Rows "top"]' in moves


def test_limits_of_gamerz(tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match="drop set-up"):
        convert(only(tmp_path, '[Game "Focus"][Setup "drop"]\n+c3'), "gamerz")
    with pytest.raises(ConversionError, match="no moves"):
        convert(only(tmp_path, '[Game "Focus"]'), "gamerz")
    with pytest.raises(ConversionError, match="format of Focus"):
        convert(only(tmp_path, '[Game "Hex"]\na1'), "gamerz")
    text, lost = convert(only(tmp_path, '[Game "Focus"][Draw "first"]\nb7-c7 resign'), "gamerz")
    assert (text, lost) == ("1. b2-c2:1 resign\n1-0\n", ["the tag Draw"])
    assert judge(back(text, tmp_path)).result == "1-0"


# -- laws --------------------------------------------------------------------------------------------------------------


def playing(size: int, swap: str, choices: list[int], end: str) -> str:
    """A legal record of Hex: cells chosen among the empty ones, a swap at ply 2 for some, and an end."""
    free = [f"{chr(97 + x)}{y + 1}" for y in range(size) for x in range(size)]
    words: list[str] = []
    for number, choice in enumerate(choices):
        if number == 1 and choice % 2 and swap != "none":
            words.append("swap")
            if swap == "pieces":
                mirror = writing.mirror(words[0])
                free = [cell for cell in (*free, words[0]) if cell != mirror]
        elif free:
            words.append(free.pop(choice % len(free)))
    return f'[Game "Hex"]\n[Size "{size}"]\n[Swap "{swap}"]\n[First "A"]\n\n{" ".join(words)} {end}'


@given(
    st.integers(2, 9),
    st.sampled_from(["sides", "pieces", "none"]),
    st.lists(st.integers(0, 200), max_size=25),
    st.sampled_from(["", "resign", "1-0", "0-1"]),
)
def test_every_game_comes_back_from_every_format(
    size: int, swap: str, choices: list[int], end: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record = only(folder, playing(size, swap, choices, end))
        verdict = judge(record)
        if verdict.error is not None:  # the game was over before its end was added
            assert verdict.error.code in ("game-over", "result")
            return
        for target in ("moves", "sgf", "hsgf", "six", "lines", "hexworld", "trmph"):
            if target == "lines" and verdict.plies == 0:
                continue
            text, lost = convert(record, target)
            again = only(folder, text, size)
            assert again.format == target
            same(verdict, judge(again), lost)
            assert max(map(len, text.splitlines())) < 80 or target in ("lines", "hexworld", "trmph")
            # and once more, from there
            assert convert(again, target)[0] == text


def real(folder: Path) -> Iterator[GameRecord]:
    for path in sorted((folder / "data" / "hex").rglob("*.s[gi][fx]")):
        yield from open_records(path)


def test_every_real_game_comes_back_from_every_format(shared: Path, tmp_path: Path) -> None:
    done = dict.fromkeys(TARGETS, 0)
    for record in real(shared):
        verdict = judge(record)
        for target in TARGETS:
            try:
                text, lost = convert(record, target)
            except ConversionError:
                continue
            (again,) = records(tmp_path, text, verdict.state.setup.size)
            if verdict.error is None:
                same(verdict, judge(again), lost)
                done[target] += 1
    assert done == {
        "moves": 98,
        "sgf": 372,
        "hsgf": 98,
        "six": 99,
        "lines": 98,
        "hexworld": 98,
        "trmph": 98,
        "gamerz": 0,
    }


@pytest.mark.parametrize("target", ["moves", "sgf", "hsgf", "six", "lines", "hexworld", "trmph"])
def test_many_records_in_one_file(target: str, tmp_path: Path) -> None:
    text = '[Game "Hex"][Size "5"]\na1 b1\n[Game "Hex"][Size "5"]\nc3 d3 resign\n'
    found = records(tmp_path, text)
    again = records(tmp_path, join([convert(record, target)[0] for record in found], target), 5)
    assert [judge(r).position for r in again] == [judge(r).position for r in found]
