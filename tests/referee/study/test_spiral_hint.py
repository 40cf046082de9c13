"""`referee hint`: the best cards, and what they come to; nothing that the player cannot know."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from pnp.spiral_layout import standard
from referee.games.spiral import GAME, brooks_tokens
from referee.games.spiral.rules import Position, Setup, arranged, play, start
from referee.notation.moves import read, split
from referee.study.spiral.hint import Advice, advise, keys_of, opened
from referee.study.spiral.hint_text import as_json, as_text
from referee.study.spiral.needs import needs, spare
from referee.study.spiral.table import CELLS, table
from tests.referee.cli.run import HEX, referee

TABLE = table(standard())
SEED = '[Seed "0707070707070707070707070707070707070707070707070707070707070707"]\n'
OPENING = "1. 7C+KS 2. AS+QS *\n"


def _example(root: Path, turns: int) -> Position:
    """Return the first example record of the product after some turns."""
    text = (root / "templates" / "examples" / "spiral.moves").read_text(encoding="utf-8")
    record = read(next(iter(split(text.splitlines(keepends=True), "spiral.moves"))))
    setup = GAME.setup(record.values())
    assert isinstance(setup, Setup)
    position = start(setup)
    for word in record.words:
        move = GAME.parse(word, setup)
        if position.plies == turns:
            break
        after = play(position, move) if not hasattr(move, "code") else position
        assert isinstance(after, Position)
        position = after
    return position


def test_a_forced_win_is_found_and_its_plan_wins(root: Path) -> None:
    """The example game is won in its last deal; four turns before, by one choice alone."""
    position = _example(root, 9)
    advice = advise(position, games=2)
    best = advice.choices[0]
    assert best.win == 4 == len(best.plan)
    assert best.chance is None
    assert [choice.win for choice in advice.choices[1:]].count(None) == 5
    for token in best.plan:
        move = GAME.parse(token, position.setup)
        after = play(position, move)
        assert isinstance(after, Position)
        position = after
    assert position.result == "1-0"
    assert position.reason == "fork"


def test_what_loses_at_once_or_cannot_win_is_said(root: Path) -> None:
    advice = advise(_example(root, 9), games=2)
    after = {choice.cards: choice for choice in advice.choices}
    for choice in advice.choices[1:]:
        assert choice.lost
        if choice.end == "lost":
            move = GAME.parse(choice.cards, Setup())
            gone = play(_example(root, 9), move)
            assert isinstance(gone, Position)
            assert gone.result == "0-1"
    assert any(choice.end is None for choice in after.values() if choice.win is None)


def _longest(position: Position, token: str) -> int:
    """Return by the referee's rules how many turns Dr. Brooks needs at most after a choice; all ways end in her win."""
    after = play(position, GAME.parse(token, position.setup))
    assert isinstance(after, Position)
    assert after.needs is None
    if after.to_move is None:
        assert after.result == "0-1"
        return 1
    return 1 + max(
        _longest(after, GAME.format(move, after.setup)) for move in GAME.legal_moves(after)
    )


def test_a_loss_by_force_is_one_on_every_way(root: Path) -> None:
    position = _example(root, 9)
    position.setup = Setup(deals=position.setup.deals[: position.deals])
    losses = {c.cards: c.loss for c in advise(position, games=2).choices if c.loss is not None}
    assert max(losses.values()) > 1
    for cards, turns in losses.items():
        assert _longest(position, cards) == turns


def test_dr_brooks_pieces_are_those_of_the_rules(root: Path) -> None:
    position = _example(root, 9)
    for choice in advise(position, games=2).choices:
        after = play(position, GAME.parse(choice.cards, position.setup))
        assert isinstance(after, Position)
        assert tuple(f"~{piece.cards}" for piece in choice.brooks) == brooks_tokens(after)
        free = {
            card
            for move in GAME.legal_moves(after)
            for card in GAME.format(move, after.setup).split("+")
        }
        assert set(choice.frees) <= free


def test_deals_to_come_are_not_looked_at(root: Path) -> None:
    """The same table gives the same hint whatever the record holds of later deals."""
    position = _example(root, 8)
    blind = position.copy()
    blind.setup = Setup(deals=position.setup.deals[: position.deals])
    other = position.copy()
    cards = list(range(32))
    Random(5).shuffle(cards)
    columns = tuple(tuple(cards[at : at + 8]) for at in range(0, 32, 8))
    other.setup = Setup(
        deals=(
            *position.setup.deals[: position.deals],
            (columns[0], columns[1], columns[2], columns[3]),
        )
    )
    hints = [as_json(advise(here, games=3)) for here in (position, blind, other)]
    assert hints[0] == hints[1] == hints[2]


def test_the_chance_is_a_share_of_games_with_its_interval(root: Path) -> None:
    heard: list[int] = []
    advice = advise(_example(root, 7), games=6, hear=heard.append)
    open_ones = [choice for choice in advice.choices if choice.chance is not None]
    assert open_ones
    for choice in open_ones:
        assert choice.chance is not None
        assert choice.chance.low <= choice.chance.value <= choice.chance.high
        assert choice.chance.value * choice.games == pytest.approx(
            round(choice.chance.value * choice.games)
        )
    assert sum(choice.games for choice in advice.choices) == sum(heard)
    ranks = [choice.rank for choice in advice.choices]
    assert ranks == sorted(ranks)


def test_key_spaces_are_cells_that_cost_when_lost(root: Path) -> None:
    position = _example(root, 9)
    rules, _, state = opened(position)
    need = needs(rules.table, [state])[0].forks[0]
    keys = keys_of(rules, state, need)
    assert {key.cell for key in keys if key.need > 4} == {"88", "9K", "KK", "()"}
    assert all(key.need > need for key in keys)


def test_the_last_piece_goes_to_the_centre_whatever_is_picked(root: Path) -> None:
    advice = advise(_example(root, 12), games=2)
    assert {choice.piece.cell for choice in advice.choices} == {"()"}
    assert {choice.win for choice in advice.choices} == {1}


@pytest.mark.parametrize(("options", "choices"), [("", 6), ('[SameColumn "yes"]\n', 10)])
def test_from_a_file_as_json(tmp_path: Path, options: str, choices: int) -> None:
    path = tmp_path / "game.moves"
    path.write_text(f'[Game "Spiral"]\n{options}{SEED}\n{OPENING}', encoding="utf-8")
    result = referee("hint", path, "--games", "1", "--format", "json")
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert found["game"] == "Spiral"
    assert found["ply"] == 2
    assert found["turn"] == 3
    assert len(found["choices"]) == choices
    assert found["best"] == found["choices"][0]["cards"]
    assert found["fork_needs"] == 8


def test_from_a_file_as_text(tmp_path: Path) -> None:
    path = tmp_path / "game.moves"
    path.write_text(f'[Game "Spiral"]\n{SEED}\n{OPENING}', encoding="utf-8")
    said = referee("hint", path, "--games", "1", "--ply", "1")
    assert said.exit_code == 0
    assert "turn 2: 12 pieces to come at most" in said.output
    assert "Deals to come are not looked at" in said.output


def test_a_cycle_game_is_searched_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "game.moves"
    path.write_text(f'[Game "Spiral"]\n[Cycle "yes"]\n{SEED}\n*\n', encoding="utf-8")
    found = json.loads(referee("hint", path, "--format", "json").output)
    assert found["choices"][0]["win_in"] is not None
    assert not found["choices"][0]["searched_whole"]
    assert found["choices"][0]["games"] == 0


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (HEX + "1. a1 *\n", (), "hints are for Spiral; this record is of Hex"),
        ('[Game "Focus"]\n*\n', (), "hints are for Spiral; this record is of Focus"),
        ('[Game "Lightning"]\n*\n', (), "hints are for Spiral; this record is of Lightning"),
        ('[Game "Go"]\n*\n', (), "hints are for Spiral; this record is of Go"),
        ('[Game "Spiral"]\n*\n', (), "add the tag Deal1, or a Seed"),
        (f'[Game "Spiral"]\n{SEED}1. resign 0-1\n', (), "the game is over"),
        (f'[Game "Spiral"]\n{SEED}{OPENING}', ("--ply", "3"), "the record has 2 turns, not 3"),
        (f'[Game "Spiral"]\n{SEED}1. 7C+8H *\n', (), "8H is not free"),
        (f'[Game "Spiral"]\n[Seed "77"]\n{OPENING}', (), "Seed is 64 hex digits"),
        (f'[Game "Spiral"]\n{SEED}{OPENING}', ("--record", "2"), "there is no record 2"),
    ],
)
def test_where_there_is_nothing_to_choose(
    tmp_path: Path, text: str, options: tuple[str, ...], words: str
) -> None:
    path = tmp_path / "game.moves"
    path.write_text(text, encoding="utf-8")
    result = referee("hint", path, *options)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output


def test_a_turn_before_a_fault_has_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "game.moves"
    path.write_text(f'[Game "Spiral"]\n{SEED}1. 7C+KS 2. 7C+8H *\n', encoding="utf-8")
    assert "--ply 0 to 1" in referee("hint", path, "--games", "1").output
    assert referee("hint", path, "--games", "1", "--ply", "1").exit_code == 0


def _hopeless(root: Path) -> Position:
    """Return a moment of the example with two cells more in Dr. Brooks' hands, on which no fork is possible."""
    for turns in range(5, 12):
        position = _example(root, turns)
        empty = [1 << cell for cell in range(CELLS) if not position.filled >> cell & 1]
        for one, other in combinations(empty, 2):
            hers = position.filled & ~position.own | one | other
            lost = arranged(Setup(), position.own, hers, position.columns)
            if lost.to_move is not None and spare(TABLE, [(lost.own, hers, 0, False)])[0] < 0:
                return lost
    raise AssertionError("no such moment")


def test_a_game_that_cannot_be_won_any_more_says_so(root: Path) -> None:
    lost = _hopeless(root)
    advice: Advice = advise(lost, games=1)
    assert all(choice.lost for choice in advice.choices)
    text = as_text(advice, "x")
    assert "No fork can be made any more." in text
    assert "wins about" not in text
    assert "by force" not in text
