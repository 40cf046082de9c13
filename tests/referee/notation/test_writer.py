"""Canonical `.moves`: what is written reads as the same record, and has the layout that the spec gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.record import GameRecord
from referee.core.source import Source
from referee.games import load, names
from referee.judge import judge
from referee.notation import lexer
from referee.notation.moves import read, split
from referee.notation.writer import WIDTH, format_record, format_text

GAMES = ("hex", "focus", "lightning", "spiral")


def record_of(text: str) -> GameRecord:
    (source,) = split(text.splitlines(keepends=True), "x")
    return read(source)


def written(record: GameRecord) -> str:
    return format_record(record, load(record.value("Game") or ""))


def form(text: str) -> str:
    """The canonical form of a text."""
    return written(record_of(text))


def essence(record: GameRecord) -> dict[str, object]:
    """The verdict without places, for comparing a record with what was written of it."""
    said = judge(record).as_json("x", 1)
    if isinstance(said["error"], dict):
        said["error"] = {key: said["error"][key] for key in ("code", "ply", "rule")}
    return said


def moves_of(record: GameRecord) -> list[str]:
    """The words that are no numbers, trailing blanks of `;` comments cut."""
    return [w.rstrip() for w in record.words if not lexer.is_number(w)]


# -- layout ------------------------------------------------------------------------------------------------------------


def test_layout() -> None:
    text = (
        '[Game "Hex"] [Result "*"] [Swap "sides"] [Mood "good"] [Second "Bob"]\n[Size "5"] [First "Ann \\"A\\" \\\\"]\n'
        "C3 1... d2{why}2.b4 ; to the end \r\n E1 *"
    )
    assert form(text) == (
        '[Game "Hex"]\n[First "Ann \\"A\\" \\\\"]\n[Second "Bob"]\n[Size "5"]\n[Swap "sides"]\n[Mood "good"]\n'
        '[Result "*"]\n\n1. c3 d2 {why} 2. b4 ; to the end\ne1 *\n'
    )


def test_tags_have_one_order() -> None:
    tags = {
        "Result": "*",
        "Deal10": "x",
        "Deal2": "x",
        "Own": "1",
        "GameId": "g1",
        "Termination": "time",
        "Second": "B",
        "Date": "d",
        "Game": "Spiral",
        "Deal1": "x",
        "Event": "e",
        "Cycle": "yes",
        "Word1": "w",
    }
    text = format_text(tags, [], load("Spiral"))
    order = re.findall(r"^\[(\w+)", text, re.MULTILINE)
    assert " ".join(order) == (
        "Game Event Date Second Cycle Deal1 Deal2 Deal10 GameId Word1 Own Termination Result"
    )
    assert text.endswith("\n\n*\n")


def test_wrapped_at_79_columns() -> None:
    board = [f"{c}{r}" for r in range(1, 12) for c in "abcdefghijk"]
    text = format_text({"Game": "Hex", "Size": "30"}, board, load("Hex"))
    lines = text.split("\n\n")[1].splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert min(map(len, lines[:-1])) > WIDTH - 9
    assert not any(line.endswith(".") for line in lines), "a number stands with its ply"
    long = "{" + "word " * 40 + "}"
    assert long in format_text({"Game": "Hex"}, ["a1", long, "b1"], load("Hex"))


@pytest.mark.parametrize(
    ("game", "tags", "words", "text"),
    [
        ("Hex", {"Swap": "sides"}, "A1 SWAP-SIDES Resign", "1. a1 swap 2. resign *"),
        ("Hex", {"Swap": "pieces"}, "a1 swap-pieces", "1. a1 swap *"),
        ("Hex", {"Swap": "pieces"}, "a1 swap-sides", "1. a1 swap-sides *"),
        ("Focus", {}, "2c3-c5 C6-c4:2 *e5 r:E5 CLAIM", "1. c3-c5 c6-c4 2. +e5 +e5 3. claim *"),
        ("Focus", {}, "c3-c5:1 3c3-c5", "1. c3-c5:1 c3-c5:3 *"),
        ("Focus", {}, "c7-c8 DRAW? draw!", "1. c7-c8 draw? draw! *"),
        ("Focus", {"Rows": "top"}, "c2-c3:1", "1. c2-c3 *"),
        ("Lightning", {}, "iii@D1:sw-n III@POOL Pass", "1. III@d1:sw-n III@pool 2. pass *"),
        ("Lightning", {}, "III@? iii@d1:sw-n V@?", "1. III@d1:sw-n V@? *"),
        ("Lightning", {}, "III@? III@pool", "1. III@pool *"),
        ("Lightning", {}, "III@? resign", "1. III@? 1. resign *"),
        ("Lightning", {}, "III@? V@d1:sw-nw", "1. III@? 1. V@d1:sw-nw *"),
        ("Lightning", {}, "III@? III@?", "1. III@? III@? *"),
        ("Spiral", {}, "♠9♣Q ~7H+AD 10S+qc resign", "1. 9S+QC ~7H+AD 2. TS+QC 3. resign *"),
    ],
)
def test_canonical_words(game: str, tags: dict[str, str], words: str, text: str) -> None:
    assert (
        format_text({"Game": game, **tags}, words.split(), load(game)).split("\n\n")[1]
        == text + "\n"
    )


def test_result_comes_from_the_movetext_or_the_tag() -> None:
    assert form('[Game "Hex"]\n1. a1 0-1').endswith("\n1. a1 0-1\n")
    assert form('[Game "Hex"]\n[Result "1-0"]\n1. a1').endswith("\n1. a1 1-0\n")
    assert form('[Game "Hex"]\n[Result "who"]\n1. a1').endswith("\n1. a1 *\n")
    assert form('[Game "Hex"]\n[Result "1-0"]\n1. a1 *').endswith("\n1. a1 *\n")


def test_what_cannot_be_read_stays_as_sent() -> None:
    for text in (
        '[Game "Hex"]\n[Size "5"]\n[Size "7"]\n1. A1 *\n',
        '[Game "Hex"]\n[Size 5]\n1. A1 *\n',
        '[Size "5"]\n1. A1 *\n',
    ):
        assert form(text) == text


@pytest.mark.parametrize(
    "movetext",
    [
        "1. a1 3. b1 2. c1",
        "1. a1 1. b1",
        "1. a1 b1 1-0 2. c1",
        "1. a1 {never",
        "1. a1 (b1)",
        "1. a1 a1 2. c1",
        "1. a1 b1! 2. c1",
        "1. 1. a1 2. b1",
        "a1 7.",
        "1. a1 2... ; why\n b1",
        "III@? 7. III@d1:sw-n",
        "III@? III@? III@pool",
        "III@? iii@? III@d1:sw-n V@pool",
    ],
)
@pytest.mark.parametrize("game", ["Hex", "Lightning", "Bridge"])
def test_faults_stay_faults(movetext: str, game: str) -> None:
    record = record_of(f'[Game "{game}"]\n\n{movetext}')
    again = record_of(written(record))
    assert essence(again) == essence(record)
    assert written(again) == written(record)


def test_no_name_of_a_tag() -> None:
    with pytest.raises(ValueError, match="no name of a tag"):
        format_text({"Game": "Hex", "a b": "c"}, [], None)


def test_set_up_position_has_no_form() -> None:
    record = GameRecord(Source("x", ""), {}, [], list, start="../..", mover="blue", format="sgf")
    with pytest.raises(ValueError, match="set-up position"):
        format_record(record, None)


# -- laws --------------------------------------------------------------------------------------------------------------

_VALUE = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=20).filter(
    lambda text: text == " ".join(text.splitlines())
)
_CELL = st.builds("{}{}".format, st.sampled_from("abcdefK"), st.integers(0, 12))
_COMMENT = st.text("ab ;.[]1-*{\n", max_size=90).map(lambda text: "{" + text + "}")
_LINE = st.text("ab {}[]1", max_size=90).map(lambda text: (";" + text).rstrip())
_WORD = (
    _CELL
    | _CELL
    | _CELL
    | _COMMENT
    | _LINE
    | st.sampled_from(
        [
            "swap",
            "SWAP-SIDES",
            "swap-pieces",
            "resign",
            "draw?",
            "1.",
            "2.",
            "1...",
            "2…",
            "(",
            "x!",
            "1-0",
            "*",
            "pass",
        ]
    )
)


@given(
    st.dictionaries(
        st.sampled_from(["First", "Second", "Event", "Odd", "Size", "Swap", "Result"]), _VALUE
    ),
    st.lists(_WORD, max_size=30),
)
def test_written_records_read_as_the_same(tags: dict[str, str], words: list[str]) -> None:
    """Text to record, to canonical text, to record: the same tags, words and verdict; and a fixed point."""
    game = load("Hex")
    assert game is not None
    head = "".join(
        '[{} "{}"]\n'.format(name, value.replace("\\", "\\\\").replace('"', '\\"'))
        for name, value in tags.items()
    )
    record = record_of('[Game "Hex"]\n' + head + "\n".join(words))
    assert record.values() == {"Game": "Hex", **tags}
    text = written(record)
    again = record_of(text)
    assert again.values() == record.values()
    assert essence(again) == essence(record)
    assert written(again) == text
    comments = [w for w in moves_of(record) if lexer.is_comment(w)]
    assert [w for w in moves_of(again) if lexer.is_comment(w)] == comments


@pytest.mark.parametrize("slug", GAMES)
def test_judged_records_keep_their_verdicts(slug: str, shared: Path) -> None:
    with open(
        shared / "data" / "cases" / f"{slug}.moves", encoding="utf-8-sig", newline="\n"
    ) as lines:
        for source in split(lines, slug):
            record = read(source)
            text = written(record)
            again = record_of(text)
            assert essence(again) == essence(record)
            assert written(again) == text


def test_every_game_has_its_words_tested() -> None:
    assert len(names()) == len(GAMES)
