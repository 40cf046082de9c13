"""Spiral's players: fair, the same for the same seed, and the stronger ones stronger; what they have learnt."""

from __future__ import annotations

from random import Random

import pytest

from pnp.spiral_layout import standard
from referee.errors import RefereeError
from referee.study.core import Cell, Counts, Row
from referee.study.estimates import Estimate, share
from referee.study.spiral import STUDY
from referee.study.spiral.deal import Rules, State, shuffled, turn
from referee.study.spiral.layouts import layouts
from referee.study.spiral.learn import fit, learn
from referee.study.spiral.needs import needs
from referee.study.spiral.players import PLAYERS, Searcher, play_game, try_out
from referee.study.spiral.report import difference
from referee.study.spiral.table import CELLS, FULL, OWN_MOST, table
from referee.study.spiral.value import LOST, chance, chances, features, order, score, thumb

TABLE = table(standard())
RULES = Rules(TABLE)


def _wins(name: str, games: int, rules: Rules = RULES) -> int:
    return sum(
        play_game(rules, PLAYERS[name], Random(f"deals {n}"), Random(n)).won for n in range(games)
    )


def test_the_stronger_players_win_more() -> None:
    by_chance, greedy, quick = _wins("random", 100), _wins("greedy", 60), _wins("quick", 14)
    assert by_chance <= 3
    assert share(greedy, 60).low > share(by_chance, 100).high
    assert share(quick, 14).low > share(greedy, 60).high


@pytest.mark.long
def test_all_players_stand_in_the_order_of_their_strength() -> None:
    wins = {name: _wins(name, 40) for name in PLAYERS}
    assert wins["random"] < wins["greedy"] < wins["deal"] < wins["quick"] <= wins["trial"]
    assert wins["deal"] <= wins["ahead"]


@pytest.mark.parametrize("name", list(PLAYERS))
def test_a_choice_is_legal_and_the_same_for_the_same_chance(name: str) -> None:
    """Late in a game, where even the slow players are quick."""
    deck = shuffled(Random(5))
    cells = Random(8).sample(range(CELLS - 1), 24)
    state = State(sum(1 << at for at in cells[:8]), sum(1 << at for at in cells[8:]), 0x3333)
    path = PLAYERS[name].choose(RULES, deck, state, Random(1))
    assert path == PLAYERS[name].choose(RULES, deck, state, Random(1))
    for pick in path:
        assert pick in RULES.picks(state.used)
        after = turn(RULES, deck, state, pick)
        state = after.state
    assert len(path) == 1 or after.end is not None or after.dealt


@pytest.mark.parametrize("variant", ["plain", "same-column", "cycle", "both"])
def test_a_game_is_a_pure_function_of_its_seed(variant: str) -> None:
    cell = Cell(("greedy", variant, "1"), 1)
    results = {STUDY.play(cell, 7, 0), STUDY.play(cell, 7, 0)}
    assert len(results) == 1
    won, turns, deals = results.pop()
    assert won in (0, 1)
    assert 4 <= turns <= OWN_MOST
    assert deals == 1 if variant in ("cycle", "both") else deals > 1


def test_all_players_get_the_same_cards() -> None:
    """One stream for all cells: the frame then gives one seed to the games of one number."""
    cells = STUDY.cells({})
    assert {cell.stream for cell in cells} == {"deals"}
    assert len({cell.settings for cell in cells}) == len(cells)


def test_a_win_by_force_is_played_out() -> None:
    """With the cards known a searcher that found a fork needs nothing else: the path ends in it."""
    wins = 0
    for number in range(30):
        deck = shuffled(Random(number))
        cells = Random(number).sample(range(CELLS - 1), 24)
        state = State(sum(1 << at for at in cells[:8]), sum(1 << at for at in cells[8:24]), 0)
        path = Searcher(thumb).choose(RULES, deck, state, Random(1))
        for pick in path:
            after = turn(RULES, deck, state, pick)
            state = after.state
        wins += after.end == "won"
    assert wins


# -- what a board is worth ---------------------------------------------------------------------------------------------


def test_a_board_without_a_fork_is_worth_nothing() -> None:
    ring = TABLE.sides[0] | TABLE.sides[3]
    hers = ring & ~1
    boards = [(0b1 << 25, hers | FULL >> 12 & ~(1 << 25), 0, False)]
    need = needs(TABLE, boards)[0]
    assert need.forks[0] > OWN_MOST
    assert chances(TABLE, boards) == [0.0]
    assert thumb(TABLE, boards)[0] < LOST + OWN_MOST
    assert order(1, need) == thumb(TABLE, boards)[0]


def test_chances_are_kept_in_order_and_between_nothing_and_all() -> None:
    assert chance(0.0) == 0.5
    assert 0.0 < chance(-3.0) < chance(3.0) < 1.0
    assert chance(LOST) == 0.0


def test_the_learnt_chance_tells_good_boards_from_bad_ones() -> None:
    """Of two boards of one size the one that is said to be better wins more of the same deals."""
    rng = Random(2)
    boards = []
    while len(boards) < 30:
        cells = rng.sample(range(CELLS - 1), 27)
        board = (sum(1 << at for at in cells[:9]), sum(1 << at for at in cells[9:]), 0, False)
        if not any(TABLE.made(board[1], 1 << cell) for cell in cells[9:]) and not any(
            TABLE.made(board[0], 1 << cell) for cell in cells[:9]
        ):
            boards.append(board)
    rates = chances(TABLE, boards)
    ranked = sorted(range(len(boards)), key=lambda at: rates[at])
    low, high = ranked[:10], ranked[-10:]
    worths = try_out(RULES, boards, 6, Random(3))
    assert sum(worths[at] for at in high) > sum(worths[at] for at in low) + 0.5


def test_what_is_learnt_fits() -> None:
    """Two features whose chances are known are found, and a third that tells nothing stays near 0."""
    samples = [(("good", "noise"), 0.8)] * 50 + [(("bad", "noise"), 0.2)] * 50
    found = fit(samples)
    assert abs(chance(found["good"] + found["noise"]) - 0.8) < 0.05
    assert abs(chance(found["bad"] + found["noise"]) - 0.2) < 0.05
    assert abs(found["noise"]) < 0.1


@pytest.mark.long
def test_learning_is_the_same_each_time() -> None:
    weights = learn(RULES, late=5, early=5, seed=3)
    assert weights == learn(RULES, late=5, early=5, seed=3)
    need = needs(TABLE, [(0, 0, 0, False)])[0]
    assert set(weights) != set(features(0, False, need))
    assert isinstance(score(0, False, need, weights), float)


# -- the study's words -------------------------------------------------------------------------------------------------


def test_unknown_words_are_refused_kindly() -> None:
    with pytest.raises(RefereeError, match="--player brooks is not known; write one of random"):
        STUDY.cells({"player": ("brooks",)})
    with pytest.raises(RefereeError, match="--layout 9 is not known; write one of 1, 2"):
        STUDY.cells({"layout": ("9",)})


def test_options_are_crossed() -> None:
    cells = STUDY.cells({"player": ("greedy", "quick"), "layout": ("1", "3")})
    assert [cell.settings for cell in cells] == [
        ("greedy", "plain", "1"),
        ("quick", "plain", "1"),
        ("greedy", "plain", "3"),
        ("quick", "plain", "3"),
    ]


def test_the_study_covers_players_variants_and_spirals() -> None:
    cells = [cell.settings for cell in STUDY.cells({})]
    assert {
        player for player, variant, layout in cells if (variant, layout) == ("plain", "1")
    } == set(PLAYERS)
    assert {variant for _, variant, _ in cells} == {"plain", "same-column", "cycle", "both"}
    assert {layout for *_, layout in cells} == {str(number + 1) for number in range(len(layouts()))}


def test_the_report_says_what_was_counted() -> None:
    cells = STUDY.cells({"player": ("random", "quick")})
    counts: list[Counts] = [
        {(0, 9, 3): 90, (1, 13, 3): 10},
        {(1, 12, 3): 60, (1, 13, 4): 20, (0, 13, 3): 20},
    ]
    rows = [
        Row(cell.settings, 100, STUDY.summary(cell, count))
        for cell, count in zip(cells, counts, strict=True)
    ]
    quick = dict(zip(STUDY.measures, rows[1].values, strict=True))
    for name, value in (("wins", 0.8), ("to_the_centre", 0.4), ("won_there", 0.2), ("turns", 12.4)):
        measure = quick[name]
        assert isinstance(measure, Estimate)
        assert measure.value == pytest.approx(value)
    page = STUDY.report(rows)
    assert "80.0 %" in page.answer
    assert "more often than not" in page.answer
    assert "70.0 %" in repr(page.blocks)  # points over random


def test_a_difference_has_newcombe_s_interval() -> None:
    """The example of Newcombe's paper of 1998: 56 of 70 against 48 of 80, 0.0524 to 0.3339."""
    gap = difference(share(56, 70), share(48, 80))
    assert gap.value == pytest.approx(0.2)
    assert gap.low == pytest.approx(0.0524, abs=0.0001)
    assert gap.high == pytest.approx(0.3339, abs=0.0001)
