"""The foreign formats but SGF: .six, lines, links of HexWorld and trmph, gamerz Focus."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.judge import judge
from referee.notation.foreign import draft, gamerz, lines, links, six
from tests.referee.notation.helpers import fault, judged, only, records, stones

# -- .six --------------------------------------------------------------------------------------------------------------

SIX = "BoardSize: {}\nFirst: {}\nSwap: {}\nMoves:\n  1. A2 (0 ms) {} (26 ms)\n  2. C3 (1 ms)\n"


def test_six_swaps_pieces(tmp_path: Path) -> None:
    record = only(tmp_path, SIX.format("5x5", "V", 1, "Swap"))
    assert record.words == ["a2", "swap", "c3"]
    verdict = judge(record)
    assert (verdict.error, verdict.plies, verdict.to_move) == (None, 3, "second")
    assert stones(verdict) == {"b1": "b", "c3": "r"}
    plain = judged(tmp_path, SIX.format("5", "V", 1, "D4").replace("\n", "\r\n"))
    assert (plain.error, stones(plain)) == (None, {"a2": "r", "d4": "b", "c3": "r"})


def test_six_without_swap_and_with_blue_first(tmp_path: Path) -> None:
    verdict = judged(tmp_path, SIX.format("5x5", "V", 0, "Swap"))
    assert fault(verdict) == ("swap", 2, "Swap", 5, 16)
    verdict = judged(tmp_path, SIX.format("5x5", "H", 1, "D4"))
    assert (verdict.error, stones(verdict)) == (None, {"a2": "b", "d4": "r", "c3": "b"})


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (SIX.format("5x6", "V", 1, "D4"), "tag", (1, 12)),
        (SIX.format("31", "V", 1, "D4"), "tag", (1, 12)),
        (SIX.format("5x5", "X", 1, "D4"), "tag", (2, 8)),
        (SIX.format("5x5", "V", 7, "D4"), "tag", (3, 7)),
        (SIX.format("5x5", "V", 1, "A2"), "occupied", (5, 16)),
        (SIX.format("5x5", "V", 1, "D9"), "off-board", (5, 16)),
        (SIX.format("5x5", "V", 1, "D4!"), "syntax", (5, 16)),
    ],
)
def test_faulty_six(tmp_path: Path, text: str, code: str, place: tuple[int, int]) -> None:
    verdict = judged(tmp_path, text)
    assert fault(verdict)[0] == code
    assert fault(verdict)[3:] == place


def test_several_six_games(tmp_path: Path) -> None:
    one = SIX.format("5x5", "V", 1, "D4")
    first, second = records(tmp_path, one + SIX.format("5x5", "V", 1, "A2"))
    assert judge(first).error is None
    assert fault(judge(second))[3:] == (11, 16)


# -- lines -------------------------------------------------------------------------------------------------------------


def test_coloured_lines(tmp_path: Path) -> None:
    text = "B[f4] W[f5] B[d6]\n\nB[f4] W[f4]\n# no record\nB[a1] B[b1] \nW[a1] B[b1]\nB[j1]\n"
    first, second, third, fourth, fifth = records(tmp_path, text, 9)
    assert judge(first).plies == 3
    assert fault(judge(second)) == ("occupied", 2, "f4", 3, 9)
    assert fault(judge(third)) == ("not-yours", 2, "b1", 5, 9)
    assert (judge(fourth).error, stones(judge(fourth))) == (None, {"a1": "b", "b1": "r"})
    assert fault(judge(fifth)) == ("off-board", 1, "j1", 7, 3)


def test_swaps_in_lines(tmp_path: Path) -> None:
    sides = judged(tmp_path, "B[b4] W[swap-pieces] W[c3] B[d3]", 5)
    assert (sides.error, stones(sides)) == (None, {"b4": "r", "c3": "b", "d3": "r"})
    pieces = judged(tmp_path, "B[b4] W[swap] B[c3]", 5)
    assert (pieces.error, stones(pieces)) == (None, {"d2": "b", "c3": "r"})
    plain = judged(tmp_path, "b4 swap-pieces c3", 5)
    assert (plain.error, stones(plain)) == (None, {"d2": "b", "c3": "r"})
    bare = judged(tmp_path, "b4 SWAP c3 resign", 5)
    assert (bare.error, stones(bare), bare.result) == (None, {"b4": "r", "c3": "b"}, "1-0")


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("a1 b1 1-0", "1-0"),
        ("B[a1] W[b1] W", "w"),
        ("a1 b1 {x} c1", "{x}"),
        ("a1 b1 c", "c"),
        ("a1 b1 3.", "3."),
    ],
)
def test_no_word_of_lines(tmp_path: Path, text: str, token: str) -> None:
    code, ply, said, _, _ = fault(judged(tmp_path, text, 9))
    assert (code, ply) == ("syntax", 3)
    assert said is not None
    assert said.lower() == token


def test_size_of_lines(tmp_path: Path) -> None:
    assert fault(judged(tmp_path, "k11", 9))[0] == "off-board"
    assert judged(tmp_path, "k11").error is None
    assert fault(judged(tmp_path, "a1", 31))[0] == "tag"


# -- links -------------------------------------------------------------------------------------------------------------


def test_hexworld(tmp_path: Path) -> None:
    record = only(tmp_path, "https://hexworld.org/board/#5n,a2:sc3b4")
    assert (record.format, record.words) == ("hexworld", ["a2", "swap", "c3", "b4"])
    verdict = judge(record)
    assert (verdict.error, verdict.plies) == (None, 4)
    assert stones(verdict) == {"b1": "b", "c3": "r", "b4": "b"}
    sides = judged(tmp_path, "hexworld.org/board/#5,a2:Sc3b4")
    assert stones(sides) == {"a2": "r", "c3": "b", "b4": "r"}
    assert record.value("Size") == "5"


@pytest.mark.parametrize(
    ("link", "result", "reason"),
    [
        ("#5,a2:rw", "1-0", "resign"),
        ("#5,a2b2:rb", "0-1", "resign"),
        ("#5,a2:Sb2:rb", "1-0", "resign"),
        ("#5,a2:fw", "1-0", "declared"),
        ("#5,a2:fb", "0-1", "declared"),
        ("#5,a2:S:fw", "0-1", "declared"),
        ("#5,a2:s:fw", "1-0", "declared"),
    ],
)
def test_ends_of_hexworld(tmp_path: Path, link: str, result: str, reason: str) -> None:
    verdict = judged(tmp_path, f"https://hexworld.org/board/{link}")
    assert (verdict.error, verdict.result, verdict.reason) == (None, result, reason)


@pytest.mark.parametrize(
    ("link", "code", "ply", "token"),
    [
        ("#5,a2:rb", "not-yours", 2, ":rb"),
        ("#5,a2b2:s", "swap", 3, ":s"),
        ("#5,:s", "swap", 1, ":s"),
        ("#5,a2:p", "syntax", 2, ":p"),
        ("#5,a2a2", "occupied", 2, "a2"),
        ("#5,a2b9", "off-board", 2, "b9"),
        ("#5,a2!?b2", "syntax", 2, "!?"),
        ("#x,a2", "syntax", 1, "x,a2"),
    ],
)
def test_faulty_hexworld(tmp_path: Path, link: str, code: str, ply: int, token: str) -> None:
    verdict = judged(tmp_path, f"https://hexworld.org/board/{link}")
    assert fault(verdict)[:3] == (code, ply, token)
    assert verdict.error is not None
    assert verdict.error.column == len("https://hexworld.org/board/") + link.rindex(token) + 1


def test_bad_sizes_of_links(tmp_path: Path) -> None:
    for size in ("5x6", "31", "1"):
        assert fault(judged(tmp_path, f"https://hexworld.org/board/#{size},a1"))[0] == "tag"


def test_where_the_reader_stood_is_no_end(tmp_path: Path) -> None:
    assert only(tmp_path, "https://hexworld.org/board/#5r9c1,a1b2,c3").words == ["a1", "b2", "c3"]
    assert only(tmp_path, "https://hexworld.org/board/#5,a2%3AsC3").words == ["a2", "swap", "c3"]
    assert judged(tmp_path, "https://hexworld.org/board/#5,").plies == 0


def test_trmph(tmp_path: Path) -> None:
    record = only(tmp_path, "#11,b1b1f6")
    assert record.words == ["a2", "swap", "f6"]
    assert record.value("Swap") == "pieces"
    assert stones(judge(record)) == {"b1": "b", "f6": "r"}
    plain = only(tmp_path, "http://www.trmph.com/hex/board#13,a2m13c3")
    assert (plain.format, plain.words) == ("trmph", ["a2", "m13", "c3"])
    assert only(tmp_path, "trmph.com/hex/board#5,c3c3").words == ["c3", "swap"]
    assert fault(judged(tmp_path, "trmph.com/hex/board#5,a1b2b2"))[:3] == ("occupied", 3, "b2")
    assert fault(judged(tmp_path, "trmph.com/hex/board#5,a1:s"))[:3] == ("syntax", 2, ":s")


def test_links_in_prose(tmp_path: Path) -> None:
    text = "Our games (https://hexworld.org/board/#5,a1b2) were\nthese: #5,c3c4. And trmph.com/hex/board#5,a1a1, too.\n"
    found = records(tmp_path, text)
    assert [(r.format, r.words) for r in found] == [
        ("hexworld", ["a1", "b2"]),
        ("trmph", ["c3", "c4"]),
        ("trmph", ["a1", "swap"]),
    ]
    assert [(r.source.line, r.source.column) for r in found] == [(1, 12), (2, 8), (2, 21)]


# -- gamerz ------------------------------------------------------------------------------------------------------------


def test_gamerz(tmp_path: Path) -> None:
    text = "Focus, board 12\nFirst: Ann\nGreen: Bob\n\n1. c2-c3:1 f3-f2:1 2) D2-D3 f2-f1:1\n3: c3-c5:2\n"
    record = only(tmp_path, text)
    assert (record.format, record.value("First"), record.value("Second")) == (
        "gamerz",
        "Ann",
        "Bob",
    )
    assert record.value("Rows") == "top"
    assert record.words == ["c2-c3:1", "f3-f2:1", "d2-d3", "f2-f1:1", "c3-c5:2"]
    assert record.source.text[record.span(2).start : record.span(2).end] == "D2-D3"


def test_rows_are_from_the_top(tmp_path: Path) -> None:
    ours = judged(tmp_path, '[Game "Focus"]\n1. c7-c6 f6-f7')
    theirs = judged(tmp_path, "1. c2-c3:1 f3-f2:1")
    assert ours.error is None
    assert theirs.error is None
    assert theirs.position == ours.position


def test_faulty_gamerz(tmp_path: Path) -> None:
    assert fault(judged(tmp_path, "1. c2-c3:2")) == ("count", 1, "c2-c3:2", 1, 4)
    assert fault(judged(tmp_path, "c2-c3:1\nr:e5")) == ("no-reserve", 2, "r:e5", 2, 1)
    assert fault(judged(tmp_path, "c2-c3:1 what"))[:3] == ("syntax", 2, "what")


def test_several_games_and_commands_of_gamerz(tmp_path: Path) -> None:
    mails = "focus move 12 ann secret c2-c3:1\nfocus move 12 bob pass f3-f2\n"
    text = "Focus game 1\nc2-c3:1\nFocus game 2\nFirst: Ann\n" + mails
    first, second = records(tmp_path, text)
    assert first.words == ["c2-c3:1"]
    assert (second.words, second.source.line) == (["c2-c3:1", "f3-f2"], 3)
    assert judge(second).error is None


# -- all ---------------------------------------------------------------------------------------------------------------

_LETTERS = st.text("abcBW[]#:;,.srp()-12359 \nMoves:FirstBoardSize{}r:e5", max_size=80)


@given(_LETTERS, st.sampled_from([six, lines, links, gamerz]))
def test_any_text_gives_verdicts(text: str, module: object) -> None:
    for record in module.read_lines(text.splitlines(keepends=True), "x", 5):  # type: ignore[attr-defined]
        verdict = judge(record)
        assert len(record.words) == len(record.find_spans())
        if verdict.error is not None:
            assert (
                0 <= verdict.error.span.start <= verdict.error.span.end <= len(record.source.text)
            )


@given(st.integers(0, 900), st.integers(0, 900))
def test_labels_and_columns(column: int, row: int) -> None:
    name = draft.label(column, row)
    letters = name.rstrip("0123456789")
    assert draft.column_of(letters) == column
    assert int(name[len(letters) :]) == row + 1
