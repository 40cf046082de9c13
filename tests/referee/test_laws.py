"""The laws that every registered game keeps. A new game joins by its line in the registry."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import report
from referee.core.source import Source
from referee.core.verdict import CODES, Rejected
from referee.diagram import listing, text
from referee.diagram.frames import moment, play_through
from referee.errors import RefereeError, UnreadableError
from referee.games import load, names
from referee.judge import judge
from referee.notation.inputs import open_records
from referee.notation.moves import read
from referee.notation.writer import format_record
from tests.referee.games_at_play import SETUPS, WORDS, as_text, key, playings

GAMES = names()
DATA = Path(__file__).resolve().parent.parent / "data"
CORPUS = [path.read_text(encoding="utf-8") for path in sorted(DATA.glob("*/*/*.moves"))[::3]]


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_read_back_from_its_token(name: str) -> None:
    game = load(name)
    assert game is not None

    @given(playings(name, 25))
    @settings(max_examples=15)
    def law(played) -> None:  # type: ignore[no-untyped-def]
        tags, _, positions = played
        setup = game.setup({"Game": name, **tags})
        for move in game.legal_moves(positions[-1]):
            token = game.format(move, setup)
            assert game.parse(token, setup) == move
            assert game.parse(token.lower(), setup) == move
            assert game.format(game.parse(token.upper(), setup), setup) == token

    law()


@pytest.mark.parametrize("most", [500, pytest.param(5000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GAMES)
def test_legal_moves_are_what_play_accepts(name: str, most: int) -> None:
    game = load(name)
    assert game is not None

    words = {i: list(WORDS[name](tags)) for i, tags in enumerate(SETUPS[name])}

    @given(playings(name, 60), st.integers(0, 2**32))
    @settings(max_examples=8)
    def law(played, seed: int) -> None:  # type: ignore[no-untyped-def]
        tags, _, positions = played
        setup = game.setup({"Game": name, **tags})
        position = positions[-1]
        shown = game.position_text(position)
        listed = {key(name, game.format(m, setup)): m for m in game.legal_moves(position)}
        assert len(listed) == len(list(game.legal_moves(position))), "a move is listed twice"
        for move in listed.values():
            assert not isinstance(game.play(position, move), Rejected)
        could_be = words[SETUPS[name].index(tags)]
        for word in random.Random(seed).sample(could_be, min(len(could_be), most)):
            move = game.parse(word, setup)
            assert not isinstance(move, Rejected), word
            legal = not isinstance(game.play(position, move), Rejected)
            assert legal == (key(name, word) in listed), word
        assert game.position_text(position) == shown, "a refusal never changes the position"

    law()


@pytest.mark.parametrize("name", GAMES)
def test_replay_gives_the_same_position(name: str) -> None:
    game = load(name)
    assert game is not None

    @given(playings(name))
    @settings(max_examples=25)
    def law(played) -> None:  # type: ignore[no-untyped-def]
        tags, tokens, positions = played
        record = read(Source("law", as_text(name, tags, tokens)))
        verdict = judge(record)
        assert verdict.error is None
        assert verdict.plies == len(tokens)
        for ply in {0, len(tokens) // 2, len(tokens)}:
            stopped = judge(record, ply)
            assert stopped.position == game.position_text(positions[ply])
            assert stopped.plies == ply

    law()


@pytest.mark.parametrize("name", GAMES)
def test_a_written_record_is_the_same_record(name: str) -> None:
    game = load(name)
    assert game is not None

    @given(playings(name), st.sampled_from(["", "{a word}", "; to the end\n"]))
    @settings(max_examples=25)
    def law(played, comment: str) -> None:  # type: ignore[no-untyped-def]
        tags, tokens, _ = played
        words = [word for token in tokens for word in (token.lower(), comment) if word]
        record = read(Source("law", as_text(name, tags, words)))
        written = format_record(record, game)
        again = read(Source("law", written))
        assert again.values() == record.values()
        assert judge(again).as_json("law", 1) == judge(record).as_json("law", 1)
        assert format_record(again, game) == written
        assert max(map(len, written.splitlines())) <= 120

    law()


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_read_back_from_its_text(name: str) -> None:
    game = load(name)
    assert game is not None

    @given(playings(name, 60))
    @settings(max_examples=25)
    def law(played) -> None:  # type: ignore[no-untyped-def]
        shown = game.position_text(played[2][-1])
        position = game.parse_position(shown)
        assert not isinstance(position, Rejected), position
        assert game.position_text(position) == shown

    law()


@pytest.mark.parametrize("name", GAMES)
def test_every_position_has_its_words_and_its_drawing(name: str) -> None:
    game = load(name)
    assert game is not None

    @given(playings(name, 60))
    @settings(max_examples=15)
    def law(played) -> None:  # type: ignore[no-untyped-def]
        tags, tokens, _ = played
        through = play_through(read(Source("law", as_text(name, tags, tokens))))
        for ply in {0, len(tokens)}:
            frame = moment(through, ply)
            drawn = text(frame, numbers=True)
            assert listing(frame) in drawn
            assert drawn.isprintable() or set(drawn) <= {"\n", *filter(str.isprintable, drawn)}

    law()


def sound(text: str) -> None:
    """Any text has a verdict, whose place lies inside the text as sent."""
    record = read(Source("any", text))
    verdict = judge(record)
    line = report.json_line(verdict, "any", 1)
    assert json.loads(line) == json.loads(json.dumps(verdict.as_json("any", 1)))
    report.entry(verdict, "any", 1)
    assert verdict.legal == (verdict.error is None)
    fault = verdict.error
    if fault is None:
        return
    assert fault.code in CODES
    assert 0 <= fault.span.start <= fault.span.end <= len(text)
    lines = text.split("\n")
    assert 1 <= fault.line <= len(lines)
    assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
    if fault.token is not None:
        assert text[fault.span.start :].startswith(fault.token)
    assert fault.message
    assert "\n" not in fault.message


SCRAPS = st.sampled_from(
    [
        *("[Game ", '"Hex"]', '"Focus"]', '"Lightning"]', '"Spiral"]', "[Size ", '"3"]', "\n"),
        *("1.", "1...", "2.", "…", "*", "1-0", "1/2-1/2", "{", "}", ";", "(", ")", "[", "]", '"'),
        *("a1", "b2", "zz99", "swap", "c3-c5", "+e5", "III@d1:s-ne", "IV@?", "pass", "pool:"),
        *("7S+8H", "~7H+AD", "draw?", "draw!", "claim", "resign", "$1", "!", "\\", "\ufeff", "\0"),
    ]
)


@given(st.one_of(st.text(), st.lists(st.one_of(SCRAPS, st.text(max_size=3))).map(" ".join)))
@settings(max_examples=250)
def test_any_text_gives_a_verdict(text: str) -> None:
    sound(text)


@given(st.sampled_from(CORPUS), st.data())
@settings(max_examples=250)
def test_any_damage_to_a_record_gives_a_verdict(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.integers(0, 6)))
        text = text[:at] + data.draw(st.one_of(SCRAPS, st.text(max_size=4))) + text[end:]
    sound(text)


@given(st.sampled_from(CORPUS))
@settings(max_examples=60)
def test_a_record_cut_short_anywhere_gives_a_verdict(text: str) -> None:
    for at in range(0, len(text), max(1, len(text) // 12)):
        sound(text[:at])


@given(st.one_of(st.binary(), st.sampled_from(CORPUS).map(str.encode)), st.binary(max_size=8))
@settings(max_examples=120)
def test_any_file_gives_records_or_says_why_not(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, more: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(more + data)
    records = open_records(path, 11)
    while True:
        try:
            record = next(records, None)
        except UnreadableError as error:
            told = str(error)
            break
        if record is None:
            return
        judge(record)
    assert str(path) in told


@pytest.mark.parametrize("name", GAMES)
def test_any_position_text_gives_a_position_or_a_refusal(name: str) -> None:
    game = load(name)
    assert game is not None

    @given(playings(name, 30), st.data())
    @settings(max_examples=40)
    def law(played, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
        shown = game.position_text(played[2][-1])
        at = data.draw(st.integers(0, len(shown)))
        shown = (
            shown[:at] + data.draw(st.text(max_size=3)) + shown[at + data.draw(st.integers(0, 3)) :]
        )
        position = game.parse_position(shown)
        if isinstance(position, Rejected):
            assert position.code == "syntax"
            assert position.message
        else:
            game.position_text(position)

    law()


def test_tags_without_a_game_are_not_drawn() -> None:
    with pytest.raises(RefereeError, match="record"):
        play_through(read(Source("law", "a1 b2\n")))
