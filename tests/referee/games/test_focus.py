"""Focus: the handed verdicts, perft, and laws over random games; tests/data/focus holds the numbered cases."""

from __future__ import annotations

import copy
import json
import pickle
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.game import BadTag
from referee.core.source import Source
from referee.core.verdict import Rejected
from referee.games.focus import GAME
from referee.games.focus.board import CELLS, HEIGHTS, decode, encode
from referee.games.focus.rules import may_claim
from referee.games.focus.state import Position, Setup, arranged, times
from referee.judge import judge
from referee.notation.moves import read, split
from tests.referee.slow.focus import CELLS as LABELS
from tests.referee.slow.focus import Slow

PERFT: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[2] / "data/focus/perft.toml").read_text(encoding="utf-8")
)
OPTIONS: list[dict[str, str]] = [
    {},
    {"Drops": "own"},
    {"Setup": "drop"},
    {"Setup": "drop", "Drops": "own", "Rows": "top"},
]
FOREIGN_CELLS = ["a1", "h8", "a0", "c9", "i4", "aa7"]


def begin(tags: dict[str, str]) -> Position:
    setup = GAME.setup(tags)
    assert isinstance(setup, Setup)
    return GAME.start(setup)


def after(position: Position, word: str) -> Position:
    """The position after a word that must be legal."""
    move = GAME.parse(word, position.setup)
    assert not isinstance(move, Rejected), move
    new = GAME.play(position, move)
    assert not isinstance(new, Rejected), new
    return new


def random_game(
    seed: int, tags: dict[str, str], most: int = 160
) -> Iterator[tuple[Position, str, Position]]:
    """The plies of a random game: the position before, the word, the position after."""
    rng = random.Random(seed)
    position = begin(tags)
    while position.to_move is not None and position.plies < most:
        moves = list(GAME.legal_moves(position))
        word = GAME.format(rng.choice(moves), position.setup)
        new = after(position, word)
        yield position, word, new
        position = new


def verdict(movetext: str, tags: str = "") -> dict[str, Any]:
    return judge(read(Source("x", f'[Game "Focus"]\n{tags}\n{movetext}'))).as_json("x", 1)


# -- handed data -------------------------------------------------------------------------------------------------------


def test_shared_verdicts(shared: Path) -> None:
    wanted = [
        json.loads(line)
        for line in (shared / "data/cases/focus.expected.jsonl").read_text("utf-8").splitlines()
    ]
    path = shared / "data/cases/focus.moves"
    with path.open(encoding="utf-8-sig", newline="") as lines:
        said = [
            judge(read(s)).as_json(path.name, i) for i, s in enumerate(split(lines, path.name), 1)
        ]
    assert len(said) == len(wanted) == 100
    for got, want in zip(said, wanted, strict=True):
        fault, expected = got.pop("error"), want.pop("error")
        assert {key: got[key] for key in want if key != "file"} == {
            key: value for key, value in want.items() if key != "file"
        }
        assert (fault is None) == (expected is None)
        if expected is not None:
            assert isinstance(fault, dict)
            compared = [key for key in expected if expected[key] is not None]
            assert {key: fault[key] for key in compared} == {k: expected[k] for k in compared}


# -- perft -------------------------------------------------------------------------------------------------------------


def perft(position: Position, depth: int) -> int:
    moves = list(GAME.legal_moves(position))
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.play(position, move), depth - 1) for move in moves)  # type: ignore[arg-type]


def perft_start(case: dict[str, Any]) -> Position:
    start = begin({key.capitalize(): case[key] for key in ("setup", "drops") if key in case})
    if "position" not in case:
        return start
    shown = GAME.parse_position(case["position"])
    assert isinstance(shown, Position)
    shown.setup = start.setup
    return shown


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    start = perft_start(PERFT[name])
    counts = PERFT[name]["counts"]
    assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PERFT if "long" in PERFT[name]])
def test_long_perft(name: str) -> None:
    assert perft(perft_start(PERFT[name]), len(PERFT[name]["counts"]) + 1) == PERFT[name]["long"]


# -- laws --------------------------------------------------------------------------------------------------------------


def code(slow: Slow, origin: str | None, target: str, count: int | None) -> str | None:
    """The code that a pile move, or a drop (no origin), gets by the order of the codes; None where it is legal."""
    if slow.over:
        return "game-over"
    owner = slow.piles[target][-1] if slow.piles.get(target) else None
    if origin is None:
        if target not in LABELS:
            return "off-board"
        if not slow.dropping and not slow.reserve[slow.mover]:
            return "no-reserve"
        if (slow.dropping or slow.own_drops) and owner not in (None, slow.mover):
            return "drop-enemy"
        return "too-high" if slow.dropping and len(slow.piles[target]) == 5 else None
    if slow.dropping:
        return "setup"
    if origin not in LABELS or target not in LABELS:
        return "off-board"
    if not slow.piles[origin]:
        return "empty-cell"
    if slow.piles[origin][-1] != slow.mover:
        return "not-yours"
    across, along = abs(ord(origin[0]) - ord(target[0])), abs(int(origin[1]) - int(target[1]))
    if (across == 0) == (along == 0):
        return "not-straight"
    if count not in (None, across + along):
        return "count"
    return "too-far" if across + along > len(slow.piles[origin]) else None


def syntactic() -> Iterator[tuple[str, str | None, str, int | None]]:
    """All drops and moves in good form, and moves with a count, right or wrong: word, origin, target, count."""
    cells = LABELS + FOREIGN_CELLS
    for target in cells:
        yield f"+{target}", None, target, None
        for origin in cells:
            yield f"{origin}-{target}", origin, target, None
            yield f"{origin}-{target}:2", origin, target, 2


SYNTACTIC = list(syntactic())
WITHOUT = [case for case in SYNTACTIC if case[3] is None]


@pytest.mark.parametrize("tags", OPTIONS[:3], ids=str)
def test_legal_moves_are_exactly_what_play_accepts(tags: dict[str, str]) -> None:
    slow = Slow(tags)
    rng = random.Random(7)
    for position, word, _ in random_game(5, tags, 90):
        legal = [GAME.format(move, position.setup) for move in GAME.legal_moves(position)]
        assert len(set(legal)) == len(legal)
        every = position.plies == 70
        accepted = set()
        for text, origin, target, count in WITHOUT if every else rng.sample(SYNTACTIC, 30):
            move = GAME.parse(text, position.setup)
            assert not isinstance(move, Rejected)
            played = GAME.play(position, move)
            said = played.code if isinstance(played, Rejected) else None
            assert said == code(slow, origin, target, count), text
            if said is None:
                accepted.add(GAME.format(move, position.setup))
        assert accepted == set(legal) if every else accepted <= set(legal)
        slow.play(word)


@pytest.mark.parametrize("tags", OPTIONS, ids=str)
def test_pieces_are_conserved(tags: dict[str, str]) -> None:
    for seed in range(3):
        captured = [0, 0]
        for before, _, now in random_game(seed, tags):
            mover = before.to_move
            assert mover is not None
            lost = decode(now.trimmed)
            captured[1 - mover] += lost.count("wb"[1 - mover])
            board = "".join(now.pile(cell) for cell in range(CELLS))
            unplaced = (now.to_place // 2, (now.to_place + 1) // 2)
            for player, letter in enumerate("wb"):
                here = board.count(letter) + now.reserve[player] + captured[player]
                assert here + unplaced[player] == 18
            assert max(HEIGHTS[pile] for pile in now.cells) <= 5
            owners = [pile[-1] for cell in range(CELLS) if (pile := now.pile(cell))]
            assert now.piles == (owners.count("w"), owners.count("b"))


@pytest.mark.parametrize("tags", OPTIONS, ids=str)
def test_position_text_is_read_back(tags: dict[str, str]) -> None:
    for seed in range(2):
        for before, _, now in random_game(seed, tags):
            for position in (before, now, GAME.close(now, "1-0", "resign")):
                text = GAME.position_text(position)
                again = GAME.parse_position(text)
                assert isinstance(again, Position)
                assert GAME.position_text(again) == text
                assert (again.cells, again.reserve, again.piles, again.to_move) == (
                    position.cells,
                    position.reserve,
                    position.piles,
                    position.to_move,
                )


@pytest.mark.parametrize("tags", OPTIONS, ids=str)
def test_refusals_name_legal_moves_and_change_nothing(tags: dict[str, str]) -> None:
    rng = random.Random(3)
    for position, _, _ in random_game(2, tags, 90):
        text = GAME.position_text(position)
        for word, *_ in rng.sample(SYNTACTIC, 10):
            move = GAME.parse(word, position.setup)
            assert not isinstance(move, Rejected)
            refused = GAME.play(position, move)
            if not isinstance(refused, Rejected):
                continue
            assert 1 <= len(refused.would) <= 5
            for would in refused.would:
                after(position, would)
        assert GAME.position_text(position) == text


@pytest.mark.parametrize("tags", OPTIONS, ids=str)
def test_words_and_moves_agree(tags: dict[str, str]) -> None:
    for position, word, _ in random_game(9, tags, 80):
        move = GAME.parse(word, position.setup)
        assert not isinstance(move, Rejected)
        assert GAME.format(move, position.setup) == word
        if "-" in word:
            steps = sum(abs(ord(a) - ord(b)) for a, b in zip(*word.split("-"), strict=True))
            forms = [word.upper(), f"{word}:{steps}", f"{steps}{word}", f"{word}:0{steps}"]
        else:
            forms = [word.upper(), f"r:{word[1:]}", f"*{word[1:]}", f"R:{word[1:].upper()}"]
        assert all(GAME.parse(form, position.setup) == move for form in forms)


@given(st.text(alphabet="abcdefgh0123456789-:+*r. claim", max_size=12) | st.text(max_size=8))
def test_any_word_has_an_answer(word: str) -> None:
    start = begin({})
    move = GAME.parse(word, start.setup)
    if isinstance(move, Rejected):
        assert move.code == "syntax"
        assert move.message
    else:
        played = GAME.play(start, move)
        assert isinstance(played, Rejected) or played.plies == 1


# -- the nearest legal moves -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("c7-c5", "c7-c6"),  # as far as one piece goes
        ("c7-c8:3", "c7-c8"),  # the count left out
        ("c6-c8", "c7-c8"),  # the own pile beside
        ("b7-a7", "b7-c7"),  # another way from the same cell
    ],
)
def test_the_nearest_comes_first(word: str, first: str) -> None:
    start = begin({})
    move = GAME.parse(word, start.setup)
    assert not isinstance(move, Rejected)
    refused = GAME.play(start, move)
    assert isinstance(refused, Rejected)
    assert refused.would[0] == first


# -- rows --------------------------------------------------------------------------------------------------------------


def flipped(word: str) -> str:
    return "".join(str(9 - int(char)) if char.isdigit() else char for char in word)


def test_rows_top_only_renames_cells() -> None:
    top = begin({"Rows": "top"})
    for before, word, now in random_game(11, {}):
        assert GAME.position_text(top) == GAME.position_text(before)
        top = after(top, flipped(word))
        assert GAME.format(top.last, top.setup) == flipped(word)  # type: ignore[arg-type]
        assert GAME.position_text(top) == GAME.position_text(now)


# -- repetition --------------------------------------------------------------------------------------------------------

ROUND = ("c7-c8", "d7-d8", "c8-c7", "d8-d7")


def shuffled(plies: int) -> Position:
    position = begin({})
    for ply in range(plies):
        position = after(position, ROUND[ply % 4])
    return position


def test_a_position_counts_its_times() -> None:
    for plies, stood in ((0, 1), (3, 1), (4, 2), (7, 2), (8, 3), (11, 3), (12, 4)):
        position = shuffled(plies)
        assert times(position) == stood
        assert may_claim(position) == (stood >= 3)


def test_a_long_game_is_claimed_copied_and_pickled() -> None:
    position = shuffled(20_000)
    assert times(position) == 5_001
    for again in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert again == position
        assert times(again) == 5_001
        assert after(again, "claim").reason == "repetition"


def test_a_capture_ends_the_past_but_a_trimmed_own_piece_does_not() -> None:
    cells = bytearray(begin({}).cells)
    labels = [*LABELS]
    for label, pile in (("c5", "wwwww"), ("c4", "w"), ("c7", "bwwww"), ("b7", "w")):
        cells[labels.index(label)] = encode(pile)
    start = arranged(Setup(), bytes(cells), (0, 0), 0)
    assert after(start, "c4-c5").past is not None
    assert after(start, "c4-c5").reserve == (1, 0)
    assert after(start, "b7-c7").past is None
    assert after(start, "b7-c7").reserve == (0, 0)


def test_claims_are_no_legal_moves_of_the_list() -> None:
    words = [GAME.format(move, Setup()) for move in GAME.legal_moves(shuffled(8))]
    assert len(words) == 68
    assert "claim" not in words


# -- options and positions as text -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [("Setup", "Standard"), ("Drops", ""), ("Draw", "half "), ("Rows", "1")],
)
def test_unknown_values_are_bad_tags(name: str, value: str) -> None:
    bad = GAME.setup({"Game": "Focus", name: value})
    assert isinstance(bad, BadTag)
    assert (bad.name, bad.code) == (name, "tag")
    assert value in bad.message


def test_options_are_read() -> None:
    assert GAME.setup({"Size": "no option of Focus"}) == Setup()
    tags = {"Setup": "drop", "Drops": "own", "Draw": "first", "Rows": "bottom"}
    assert GAME.setup(tags) == Setup(drop=True, own_drops=True, first_wins_draws=True)


EMPTY_ROWS = ",".join("----"), ",".join("------"), ",".join("--------")
BARE = "/".join(EMPTY_ROWS[i] for i in (0, 1, 2, 2, 2, 2, 1, 0))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "8 rows"),
        (BARE.removesuffix("/-,-,-,-"), "8 rows"),
        (BARE.replace("-", "-,-", 1), "row 1 from the top has 5 cells"),
        (BARE.replace("-", "x", 1), "'x'"),
        (BARE.replace("-", "", 1), "''"),
        (BARE.replace("-", "wwwbbw", 1), "6 high"),
        (BARE.replace("-", "w", 1) + " w w18 b0", "19 white"),
        (BARE.replace("-", "w", 1) + " w w1 w1", "'w1'"),
        (BARE.replace("-", "w", 1) + " w w1 b0 more", "'more'"),
        (BARE + " b w0 b0", "Black"),
    ],
)
def test_broken_positions_are_told(text: str, part: str) -> None:
    refused = GAME.parse_position(text)
    assert isinstance(refused, Rejected)
    assert refused.code == "syntax"
    assert part in refused.message


def test_a_text_without_its_tail_is_read() -> None:
    black = GAME.parse_position(BARE.replace("-", "wb,w", 1).replace(",-", "", 1), "black")
    assert isinstance(black, Position)
    assert GAME.colour_to_move(black) == "black"
    assert black.reserve == (0, 0)


def test_the_helpless_player_to_move_has_lost() -> None:
    lost = GAME.parse_position(BARE.replace("-", "bw", 1) + " b w0 b0")
    assert isinstance(lost, Position)
    assert (lost.to_move, lost.result, lost.reason) == (None, "1-0", "no-move")
    held = GAME.parse_position(BARE.replace("-", "bw", 1) + " b w0 b1")
    assert isinstance(held, Position)
    assert held.to_move == 1


@given(st.text(alphabet="wb-,/ 018", max_size=120))
def test_any_position_text_has_an_answer(text: str) -> None:
    shown = GAME.parse_position(text)
    assert isinstance(shown, (Position, Rejected))


# -- the judge and Focus together --------------------------------------------------------------------------------------


def test_a_hundred_thousand_plies_are_judged_in_one_go() -> None:
    said = verdict(" ".join(ROUND * 25_000) + " claim 1/2-1/2")
    assert (said["plies"], said["result"], said["reason"]) == (100_001, "1/2-1/2", "repetition")


def test_an_offer_stands_after_the_last_placing() -> None:
    placed = [word for _, word, _ in random_game(1, {"Setup": "drop"}, 36)]
    said = verdict(" ".join(placed) + " draw? draw!", '[Setup "drop"]\n')
    assert (said["plies"], said["result"], said["reason"]) == (37, "1/2-1/2", "agreement")
