"""SGF of Hex, and Little Golem's .hsgf: what the spec says of them, and text that is broken."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.judge import judge
from referee.notation.foreign import sgf, tree
from tests.referee.notation.helpers import fault, judged, only, records, stones


def test_tags_and_moves(tmp_path: Path) -> None:
    text = (
        "(;FF[4]GM[11]AP[HexGui:0.9]SZ[5]PB[Ann \\] B]PW[王芳]EV[Cup\nfinal]DT[2020-01-02]PC[Turin]RE[B+T]\n"
        ";B[C3]C[a {fine} move];W[d2])"
    )
    record = only(tmp_path, text)
    values = record.values()
    assert values == {
        "Game": "Hex",
        "Size": "5",
        "First": "Ann ] B",
        "Second": "王芳",
        "Event": "Cup final",
        "Date": "2020-01-02",
        "Site": "Turin",
        "Result": "1-0",
        "Termination": "time",
    }
    assert record.words == ["c3", "{a (fine) move}", "d2"]
    assert record.colours == ["red", None, "blue"]
    assert record.start is None
    verdict = judge(record)
    assert (verdict.result, verdict.reason, verdict.plies) == ("1-0", "time", 2)
    assert record.source.text[record.span(0).start : record.span(0).end] == "C3"


def test_default_size_is_11(tmp_path: Path) -> None:
    verdict = judged(tmp_path, "(;GM[11];B[k11])")
    assert verdict.position is not None
    assert verdict.position.count("/") == 10


@pytest.mark.parametrize("size", ["1", "31", "5:6", "x", ""])
def test_bad_size(tmp_path: Path, size: str) -> None:
    verdict = judged(tmp_path, f"(;GM[11]SZ[{size}]AB[a1];B[c3])")
    assert fault(verdict)[:3] == ("tag", None, None)
    assert verdict.error is not None
    assert verdict.error.column == 12
    assert f'Size "{size.replace(":", "x")}"' in verdict.error.message


@pytest.mark.parametrize("size", ["5", "5:5", " 5 ", "5 X 5"])
def test_good_size(tmp_path: Path, size: str) -> None:
    verdict = judged(tmp_path, f"(;GM[11]SZ[{size}];B[e5])")
    assert verdict.error is None
    assert verdict.position == "...../...../...../...../....r"


# -- the main line, collections ----------------------------------------------------------------------------------------


def test_a_long_collection_is_read_game_by_game() -> None:
    """However many games a collection has, memory holds its text and one of them."""

    def peak(games: int) -> int:
        data = b"(;GM[11]SZ[5];B[c3];W[b2];B[a1];W[d4])\n" * games
        tracemalloc.start()
        try:
            assert sum(1 for _ in sgf.read_all(data, "long.sgf")) == games
            return tracemalloc.get_traced_memory()[1] - len(data)
        finally:
            tracemalloc.stop()

    assert peak(1200) < 2 * peak(300)


def test_main_line_of_every_game(tmp_path: Path) -> None:
    text = (
        "(;GM[11]SZ[5];B[a1](;W[b1];B[c1](;W[d1])(;W[e1]))(;W[e5];B[e4]))\n"
        "between (not a game)\n"
        "(;GM[11]SZ[4];B[a2])\n"
        "(;GM[11]SZ[3](;B[b2])(;B[c1]))"
    )
    assert [r.words for r in records(tmp_path, text)] == [["a1", "b1", "c1", "d1"], ["a2"], ["b2"]]
    assert [r.source.line for r in records(tmp_path, text)] == [1, 3, 4]
    assert [r.left_out for r in records(tmp_path, text)] == [
        ("2 variations",),
        (),
        ("1 variation",),
    ]


def test_place_is_that_in_the_file(tmp_path: Path) -> None:
    text = "(;GM[11]SZ[5]\n;B[a1])\n  (;GM[11]SZ[5]\n;B[a1]\n;W[ a1 ])"
    first, second = records(tmp_path, text)
    assert judge(first).error is None
    assert fault(judge(second)) == ("occupied", 2, "a1", 5, 5)
    same_line = "(;GM[11];B[a1]) (;GM[11];B[a1];W[a1])"
    assert fault(judge(records(tmp_path, same_line)[1])) == ("occupied", 2, "a1", 1, 34)


# -- who moves ---------------------------------------------------------------------------------------------------------


def test_first_is_blacks_player_whoever_moves_first(tmp_path: Path) -> None:
    verdict = judged(tmp_path, "(;GM[11]SZ[2]PB[Ann]PW[Bob];W[a1];B[a2];W[b1])")
    assert verdict.error is None
    assert (verdict.first, verdict.result, verdict.plies) == ("Ann", "0-1", 3)
    verdict = judged(tmp_path, "(;GM[11]SZ[5]PB[Ann]PW[Bob];W[c3])")
    assert (verdict.to_move, stones(verdict)) == ("first", {"c3": "b"})


@pytest.mark.parametrize(
    ("text", "mover"),
    [
        ("AB[a1]AW[b2]PL[W]", "second"),
        ("AB[a1]AW[b2]PL[B]", "first"),
        ("AB[a1]PL[white]", "second"),
        ("AB[a1]AW[b2]", "first"),
        ("AB[a1]AB[b2]", "first"),
        ("PL[W]", "second"),
        ("", "first"),
    ],
)
def test_player_to_move(tmp_path: Path, text: str, mover: str) -> None:
    verdict = judged(tmp_path, f"(;GM[11]SZ[5]{text})")
    assert verdict.error is None
    assert (verdict.to_move, verdict.plies) == (mover, 0)


def test_first_move_tells_who_moves(tmp_path: Path) -> None:
    verdict = judged(tmp_path, "(;GM[11]SZ[5]AB[a1];W[c3];B[d3])")
    assert verdict.error is None
    assert (verdict.plies, verdict.to_move) == (2, "second")


def test_wrong_colour(tmp_path: Path) -> None:
    verdict = judged(tmp_path, "(;GM[11]SZ[5];B[a1];B[c3])")
    assert fault(verdict)[:3] == ("not-yours", 2, "c3")
    assert verdict.error is not None
    assert verdict.error.rule == "hex-place"
    assert fault(judged(tmp_path, "(;GM[11]SZ[5]PL[W];B[a1])"))[:2] == ("not-yours", 1)
    # what is wrong with the cell itself stands first
    assert fault(judged(tmp_path, "(;GM[11]SZ[5];B[a1];B[a1])"))[0] == "occupied"
    assert fault(judged(tmp_path, "(;GM[11]SZ[5];B[a1];B[a9])"))[0] == "off-board"


# -- set-up ------------------------------------------------------------------------------------------------------------


def test_set_up_stones(tmp_path: Path) -> None:
    text = "(;GM[11]SZ[5]AB[a1][b2][C3:d4]AW[e1];AE[b2][d4]AW[a5];W[e2])"
    verdict = judged(tmp_path, text)
    assert verdict.error is None
    assert stones(verdict) == {
        "a1": "r",
        "c3": "r",
        "d3": "r",
        "c4": "r",
        "e1": "b",
        "a5": "b",
        "e2": "b",
    }
    assert stones(judged(tmp_path, "(;GM[11]SZ[5]AB[d4:c3])")).keys() == {"c3", "d3", "c4", "d4"}


def test_set_up_already_joined_is_over(tmp_path: Path) -> None:
    verdict = judged(tmp_path, "(;GM[11]SZ[2]AB[b1][a2])")
    assert (verdict.reason, verdict.result, verdict.plies, verdict.to_move) == (
        "connection",
        "1-0",
        0,
        None,
    )
    verdict = judged(tmp_path, "(;GM[11]SZ[3]AW[a1:c1])")
    assert (verdict.reason, verdict.result) == ("connection", "0-1")
    verdict = judged(tmp_path, "(;GM[11]SZ[2]AB[b1][a2];W[a1])")
    assert fault(verdict)[:2] == ("game-over", 1)
    assert verdict.result == "1-0"


@pytest.mark.parametrize(
    ("text", "code", "token"),
    [
        ("AB[a1]AW[b1][f6]", "off-board", "f6"),
        ("AB[a0]", "off-board", "a0"),
        ("AB[a1:z99]", "off-board", "a1:z99"),
        ("AB[a1]AW[a1]", "occupied", "a1"),
        ("AB[a1:b2]AW[b1]", "occupied", "b1"),
        ("AB[11]", "syntax", "11"),
        ("AB[]", "syntax", ""),
        ("AB[a1:b2:c3]", "syntax", "a1:b2:c3"),
        ("AB[a1]PL[x]", "syntax", "x"),
    ],
)
def test_faulty_set_up(tmp_path: Path, text: str, code: str, token: str) -> None:
    verdict = judged(tmp_path, f"(;GM[11]SZ[5]{text};B[c3])")
    assert fault(verdict)[:3] == (code, 1, token)
    assert verdict.plies == 0


def test_later_set_up_may_change_a_stone(tmp_path: Path) -> None:
    assert stones(judged(tmp_path, "(;GM[11]SZ[5]AB[a1];AW[a1])")) == {"a1": "b"}
    verdict = judged(tmp_path, "(;GM[11]SZ[5];B[a1];AW[b1];W[c1])")
    assert fault(verdict)[:3] == ("syntax", 2, "AW[b1]")


# -- the swap ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["swap", "SWAP", "swap-pieces", "swap-sides"])
def test_the_colour_after_a_swap_decides(tmp_path: Path, word: str) -> None:
    stayed = judged(tmp_path, f"(;GM[11]SZ[5]PB[Ann]PW[Bob];B[b4];W[{word}];W[c3];B[d3])")
    assert stayed.error is None
    assert stones(stayed) == {"b4": "r", "c3": "b", "d3": "r"}
    assert (stayed.first, stayed.to_move, stayed.plies) == ("Ann", "first", 4)
    moved = judged(tmp_path, f"(;GM[11]SZ[5];B[b4];W[{word}];B[c3];W[d3])")
    assert moved.error is None
    assert stones(moved) == {"d2": "b", "c3": "r", "d3": "b"}
    assert moved.to_move == "first"


def test_swap_with_nothing_after_it_goes_by_its_word(tmp_path: Path) -> None:
    results = {
        word: stones(judged(tmp_path, f"(;GM[11]SZ[5];B[b4];W[{word}])"))
        for word in ("swap", "swap-sides", "swap-pieces")
    }
    assert results == {"swap": {"b4": "r"}, "swap-sides": {"b4": "r"}, "swap-pieces": {"d2": "b"}}
    assert only(tmp_path, "(;GM[11]SZ[5];B[b4];W[swap])").value("Swap") == "sides"


def test_white_may_open_and_black_swap(tmp_path: Path) -> None:
    sides = judged(tmp_path, "(;GM[11]SZ[5]PB[Ann];W[b4];B[swap-pieces];B[c3])")
    assert (sides.error, stones(sides), sides.to_move) == (None, {"b4": "b", "c3": "r"}, "first")
    pieces = judged(tmp_path, "(;GM[11]SZ[5]PB[Ann];W[b4];B[swap];W[c3])")
    assert (pieces.error, stones(pieces), pieces.to_move) == (None, {"d2": "r", "c3": "b"}, "first")


def test_resigning_after_a_swap(tmp_path: Path) -> None:
    sides = judged(tmp_path, "(;GM[11]SZ[5];B[b4];W[swap-pieces];W[resign])")
    assert (sides.error, sides.result, stones(sides)) == (None, "0-1", {"b4": "r"})
    pieces = judged(tmp_path, "(;GM[11]SZ[5];B[b4];W[swap-sides];B[resign])")
    assert (pieces.error, pieces.result, stones(pieces)) == (None, "0-1", {"d2": "b"})


@pytest.mark.parametrize(
    "moves", ["B[swap]", "B[a1];W[b1];B[swap-pieces]", "B[a1];W[b1];B[c1];W[swap]"]
)
def test_swap_at_another_ply(tmp_path: Path, moves: str) -> None:
    assert fault(judged(tmp_path, f"(;GM[11]SZ[5];{moves})"))[0] == "swap"


def test_pieces_cannot_swap_onto_a_set_up_stone(tmp_path: Path) -> None:
    for held in ("AB", "AW"):
        verdict = judged(tmp_path, f"(;GM[11]SZ[5]{held}[d2];B[b4];W[swap];B[c3])")
        assert fault(verdict)[:2] == ("occupied", 2)
    joined = judged(tmp_path, "(;GM[11]SZ[3]AW[a2][b2];B[b3];W[swap-pieces])")
    assert (joined.error, joined.reason, joined.result) == (None, "connection", "0-1")


# -- results -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "result", "reason"),
    [
        ("B+", "1-0", "declared"),
        ("W+", "0-1", "declared"),
        ("B+R", "1-0", "resign"),
        ("W+Resign", "0-1", "resign"),
        ("w+t", "0-1", "time"),
        ("B+Time", "1-0", "time"),
        ("B", "1-0", "declared"),
        ("Black", "1-0", "declared"),
        ("B+12.5", "1-0", "declared"),
        ("0", "1/2-1/2", "declared"),
        ("?", "*", None),
        ("Void", "*", None),
        ("", "*", None),
        ("1-0", "1-0", "declared"),
    ],
)
def test_declared_result(tmp_path: Path, value: str, result: str, reason: str | None) -> None:
    verdict = judged(tmp_path, f"(;GM[11]SZ[5]RE[{value}];B[c3])")
    assert (verdict.error, verdict.result, verdict.reason) == (None, result, reason)


def test_result_that_is_none_or_wrong(tmp_path: Path) -> None:
    assert fault(judged(tmp_path, "(;GM[11]SZ[5]RE[Ann];B[c3])")) == ("result", 2, "Ann", 1, 17)
    assert fault(judged(tmp_path, "(;GM[11]SZ[5]RE[W+];B[c3];W[resign])")) == (
        "result",
        3,
        "W+",
        1,
        17,
    )


def test_result_names_the_player_after_a_swap(tmp_path: Path) -> None:
    # PB opened, the sides were swapped, White's stones win: PB has won
    text = "(;GM[11]SZ[2]PB[Ann]PW[Bob]RE[B+];B[a2];W[swap-pieces];W[b1];B[a1];W[b2])"
    verdict = judged(tmp_path, text.replace("B[a1];W[b2]", "B[resign]"))
    assert (verdict.error, verdict.result, verdict.reason) == (None, "1-0", "resign")


@pytest.mark.parametrize(("colour", "result"), [("W", "1-0"), ("B", "0-1")])
def test_forfeit(tmp_path: Path, colour: str, result: str) -> None:
    moves = "B[c3]" if colour == "W" else "B[c3];W[d3]"
    verdict = judged(tmp_path, f"(;GM[11]SZ[5];{moves};{colour}[forfeit])")
    assert (verdict.error, verdict.result, verdict.reason) == (None, result, "declared")
    swapped = judged(tmp_path, "(;GM[11]SZ[5];B[c3];W[swap-pieces];B[forfeit])")
    assert swapped.result == "0-1"


# -- broken text -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "token", "plies"),
    [
        ("(;GM[11]SZ[5];B[a1];W[b1", "[", 1),
        ("(;GM[11]SZ[5];B[a1];W[b1]", "]", 2),
        ("(;GM[11]SZ[5];B[a1];W;B[c1])", "W", 1),
        ("(;GM[11]SZ[5];B[a1] junk ;W[b1])", "junk", 1),
        ("(;GM[11]SZ[5];B[a1]12;W[b1])", "1", 1),
        ("(;GM[11]SZ[5];B[a1];W[])", "W[]", 1),
        ("(;GM[11]SZ[5];B[a1];W[pass])", "pass", 1),
        ("(;GM[11]SZ[5];B[a1][b1];W[c1])", "b1", 1),
        ("(;GM[11]SZ[5];B[a1];W[{b1}])", "{b1}", 1),
        ("(;GM[11]SZ[5];B[a1];W[1-0])", "1-0", 1),
        ("(;GM[11]SZ[5];B[a1];W[2.])", "2.", 1),
        ("(;GM[11]SZ[5];B[a1];W[b1 c1])", "b1 c1", 1),
        ("(;GM[11]SZ[5];B[a1];W[xyz])", "xyz", 1),
        ("(;GM[11]SZ[5];B[a1];W[c3-c5])", "c3-c5", 1),
    ],
)
def test_broken_game_and_the_next(tmp_path: Path, text: str, token: str, plies: int) -> None:
    first, second = records(tmp_path, text + "\n(;GM[11]SZ[5];B[e5])")
    verdict = judge(first)
    assert fault(verdict)[:3] == ("syntax", plies + 1, token)
    assert verdict.plies == plies
    assert judge(second).error is None
    assert second.words == ["e5"]
    assert fault(judged(tmp_path, text))[:3] == ("syntax", plies + 1, token)


def test_set_up_stone_in_a_wrong_place_does_not_hide_an_earlier_fault(tmp_path: Path) -> None:
    verdict = judged(tmp_path, "(;GM[11]SZ[5]AB[q1];B[a1];B[a1];W[b1")
    assert fault(verdict)[:3] == ("off-board", 1, "q1")


def test_another_game_in_a_collection_is_a_fault(tmp_path: Path) -> None:
    first, second = records(tmp_path, "(;GM[1]SZ[19];B[pd])(;GM[11]SZ[5];B[c3])")
    verdict = judge(first)
    assert fault(verdict)[:3] == ("tag", None, None)
    assert verdict.error is not None
    assert "Go" in verdict.error.message
    assert judge(second).error is None


@given(st.text("()[];\\BWSZGMAE 0123abcde5:\n", max_size=60))
def test_any_text_gives_verdicts(text: str) -> None:
    data = f"(;GM[11]SZ[5];B[a1]{text}".encode()
    for record in sgf.read_all(data, "x"):
        verdict = judge(record)
        assert verdict.error is None or verdict.error.line >= 1
        if verdict.error is not None:
            span = verdict.error.span
            assert 0 <= span.start <= span.end <= len(record.source.text)


# -- character sets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("charset", "codec", "name"),
    [
        ("", "utf-8", "Zoë 王芳"),
        ("", "latin-1", "Zoë"),
        ("CA[ISO-8859-1]", "latin-1", "Zoë"),
        ("CA[UTF-8]", "utf-8", "Zoë"),
        ("CA[UTF-8]", "latin-1", "Zoë"),
        ("CA[Windows-1251]", "cp1251", "Анна"),
        ("CA[Shift_JIS]", "shift_jis", "花子"),
        ("CA[nonsense]", "utf-8", "Zoë"),
        ("CA[rot13]", "utf-8", "Zoë"),
    ],
)
def test_character_sets(tmp_path: Path, charset: str, codec: str, name: str) -> None:
    data = f"(;GM[11]{charset}SZ[5]PB[{name}];B[c3])".encode(codec)
    assert only(tmp_path, data).value("First") == name
    assert only(tmp_path, b"\xef\xbb\xbf" + f"(;GM[11]PB[{name}])".encode()).value("First") == name


def test_escapes() -> None:
    (game,) = tree.games("(;C[a\\]b\\\\c\\:d\\\ne])", "x")
    assert game.nodes[0][0].values[0].text == "a]b\\c:de"


# -- Little Golem ------------------------------------------------------------------------------------------------------


LG = "(;FF[4]EV[null]PB[Ann]PW[Bob]SZ[13]RE[{}]GC[ game #1]SO[http://www.littlegolem.com]{})"


def test_hsgf(tmp_path: Path) -> None:
    record = only(tmp_path, LG.format("B", ";W[cm];B[swap];W[kj];B[ie];W[ab];B[resign]"))
    assert record.format == "hsgf"
    assert record.words[1:] == ["c13", "swap", "k10", "i5", "a2", "resign"]
    assert "Event" not in record.tags
    verdict = judge(record)
    assert verdict.error is None
    assert (verdict.first, verdict.second, verdict.result, verdict.reason) == (
        "Ann",
        "Bob",
        "1-0",
        "resign",
    )
    assert stones(verdict) == {"m3": "b", "k10": "r", "i5": "b", "a2": "r"}


def test_hsgf_result_names_the_player(tmp_path: Path) -> None:
    for letter, result in (("B", "1-0"), ("W", "0-1")):
        verdict = judged(tmp_path, LG.format(letter, ";W[cm]"))
        assert (verdict.error, verdict.result, verdict.reason) == (None, result, "declared")
    red = "".join(f";W[c{row}];B[d{row}]" for row in "abcdefghijkl") + ";W[cm]"
    assert judged(tmp_path, LG.format("B", red)).reason == "connection"
    assert fault(judged(tmp_path, LG.format("W", red)))[0] == "result"


def test_hsgf_white_moves_first_and_only_once(tmp_path: Path) -> None:
    assert fault(judged(tmp_path, LG.format("B", ";B[cm]")))[:3] == ("not-yours", 1, "cm")
    assert fault(judged(tmp_path, LG.format("B", ";W[cm];W[cl]")))[:3] == ("not-yours", 2, "cl")
    assert fault(judged(tmp_path, LG.format("B", ";W[cm];B[cm]")))[:3] == ("occupied", 2, "cm")
    assert fault(judged(tmp_path, LG.format("B", ";W[cn]")))[:3] == ("off-board", 1, "cn")


def test_names_of_little_golem_are_not_escaped(tmp_path: Path) -> None:
    record = only(tmp_path, "(;FF[4]PB[a[b]c]PW[Shumacher;]]SZ[11]RE[B];W[ad];B[swap];W[eg])")
    assert (record.value("First"), record.value("Second")) == ("a[b]c", "Shumacher;]")
    assert judge(record).error is None


def test_without_gm_points_tell_the_kind(tmp_path: Path) -> None:
    record = only(tmp_path, "(;SZ[5];B[c3];W[d2])")
    assert (record.format, judge(record).error) == ("sgf", None)
