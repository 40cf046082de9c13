"""Hex-Lightning's study: geometry, the rules as its page says them, distances against a plain way, the page."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pnp import tiles
from referee.errors import RefereeError
from referee.study.core import Chart, Row
from referee.study.estimates import Estimate
from referee.study.hexlightning import STUDY
from referee.study.hexlightning.board import bits, rhombus, turns, ways_on
from referee.study.hexlightning.game import RULES, Move, Table, play_game
from referee.study.hexlightning.players import NONE, PLAYERS, distance, distances_after
from referee.study.hexlightning.report import works
from referee.study.hexlightning.study import BEST, BEST_SIZE, SETS, each
from tests.pnp.printed import built
from tests.referee.cli.run import referee

CORNERS = SETS["corners"][0]
ALL = SETS["all"][0]


def table_of(seed: int, n: int, kinds: tuple[str, ...], moves: int, rules: str = "ends") -> Table:
    """A table after so many random moves."""
    rng = random.Random(seed)
    table = Table(n, kinds, RULES[rules])
    for _ in range(moves):
        found = list(table.moves(rng.choice(kinds)))
        if found:
            table.lay(rng.choice(found))
    return table


# -- the board ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 7])
def test_cells_share_the_points_of_their_common_sides(n: int) -> None:
    board = rhombus(n)
    sides = 3 * n * n + 4 * n - 1  # of a rhombus: each cell has six, inner ones are shared by two
    corners = 2 * n * n + 4 * n
    assert len(board.touch) == sides + corners
    assert sum(mask.bit_count() for mask in board.masks) == 12 * n * n
    assert {touch.bit_count() for touch in board.touch} == {1, 2, 3} if n > 2 else True


def test_a_corner_cell_belongs_to_both_its_edges() -> None:
    board = rhombus(4)
    (top, bottom), (left, right) = board.goals
    assert board.masks[0] & top == board.masks[0] & left != 0
    assert board.masks[15] & bottom == board.masks[15] & right != 0
    middle = board.masks[5] | board.masks[6] | board.masks[9] | board.masks[10]
    assert not any(edge & middle for edge in (top, bottom, left, right))


def test_turns_are_those_of_the_printed_tiles() -> None:
    for kind, mark in tiles.kinds(6).items():
        assert {point for pair in turns(kind) for point in pair} == {
            point
            for steps in range(6)
            for turned in [tiles.turned(mark, steps)]
            for point in (turned.start, turned.end)
        }
        assert len(turns(kind)) == (3 if kind in ("VV3", "MM3") else 6)
    assert all(point % 2 == 0 for kind in CORNERS for pair in turns(kind) for point in pair)
    assert all(p in ways_on(ALL)[q] for p in range(12) for q in ways_on(ALL)[p])


# -- the rules ---------------------------------------------------------------------------------------------------------


def test_a_tile_takes_up_a_loose_end_that_its_cell_touches() -> None:
    for seed in range(20):
        table = table_of(seed, 4, ALL, 5)
        for kind in ALL:
            found = set(table.moves(kind))
            for cell in bits(table.empty):
                points = table.board.cells[cell]
                loose = {p for p in points if table.loose >> p & 1}
                for p, q in turns(kind):
                    legal = not loose or points[p] in loose or points[q] in loose
                    assert (Move(cell, points[p], points[q]) in found) == legal


def test_without_that_rule_a_tile_goes_anywhere() -> None:
    table = table_of(1, 4, ALL, 6, "free")
    assert len(list(table.moves("VV2"))) == 6 * table.empty.bit_count()


def test_loose_ends_are_points_where_one_mark_ends() -> None:
    rng = random.Random(8)
    table = Table(4, ALL, RULES["free"])
    met: dict[int, int] = {}
    while table.empty:
        move = rng.choice(list(table.moves(rng.choice(ALL))))
        table.lay(move)
        for point in move[1:]:
            met[point] = met.get(point, 0) + 1
        assert set(bits(table.loose)) == {point for point, times in met.items() if times == 1}


def test_marks_that_meet_are_joined() -> None:
    for seed in range(10):
        rng = random.Random(seed)
        table = Table(4, ALL, RULES["free"])
        laid: list[Move] = []
        for _ in range(12):
            laid.append(rng.choice(list(table.moves(rng.choice(ALL)))))
            table.lay(laid[-1])
        start = laid[0].start
        reached, grown = {start}, True
        while grown:
            more = {p for m in laid if {m.start, m.end} & reached for p in (m.start, m.end)}
            grown = not more <= reached
            reached |= more
        assert set(bits(table.joined[start])) == reached


def test_a_game_ends_with_a_connection_or_with_nothing_to_lay() -> None:
    players = (PLAYERS["runner"], PLAYERS["random"])
    winners = set()
    for seed in range(12):
        rng = random.Random(seed)
        pile = [kind for kind in CORNERS for _ in range(each(4, CORNERS))]
        rng.shuffle(pile)
        table = Table(4, CORNERS, RULES["ends"])
        game = play_game(players, table, pile, rng)
        joined = [table.connected(player) for player in (0, 1)]
        if game.winner is None:
            assert joined == [False, False]
            assert not table.empty or game.plies == len(pile)
        else:
            assert joined[game.winner]
            assert game.own == ((game.plies - 1) % 2 == game.winner)
        winners.add(game.winner)
    assert 0 in winners


def test_by_the_whole_rules_first_joins_and_second_wins_a_full_board() -> None:
    winners = []
    for seed in range(30):
        rng = random.Random(seed)
        pile = [kind for kind in CORNERS for _ in range(each(4, CORNERS))]
        rng.shuffle(pile)
        table = Table(4, CORNERS, RULES["sides"])
        pair = (PLAYERS["random"], PLAYERS["random"])
        game = play_game(pair, table, pile, rng)
        assert game.winner == (0 if table.connected(0) else 1)
        if game.winner == 1:
            assert not table.empty or game.plies == len(pile)
            assert not game.own
        winners.append(game.winner)
    assert set(winners) == {0, 1}


def test_a_tile_that_fits_nowhere_is_out_of_the_game() -> None:
    table = Table(2, ("VV3", "MM3"), RULES["ends"])
    table.lay(next(table.moves("VV3")))
    table.loose = sum(1 << p for p in {p for cell in table.board.cells for p in cell[::2]})
    assert list(table.moves("MM3")) == []
    empty = table.empty
    pair = (PLAYERS["random"], PLAYERS["random"])
    game = play_game(pair, table, ["MM3"], random.Random(1))
    assert (game.winner, game.plies, game.choices) == (None, 1, 0)
    assert table.empty == empty


# -- players -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [CORNERS, ALL], ids=["corners", "all"])
def test_the_distance_after_a_move_is_the_distance_after_the_move(kinds: tuple[str, ...]) -> None:
    for seed in range(6):
        table = table_of(seed, 4, kinds, 5 + seed)
        for goal in table.board.goals:
            after = distances_after(table, goal)
            rng = random.Random(seed)
            for kind in kinds:
                moves = list(table.moves(kind))
                for move in rng.sample(moves, min(8, len(moves))):
                    told = after(move)
                    copy = Table(4, kinds, RULES["ends"])
                    copy.joined, copy.empty = list(table.joined), table.empty
                    copy.loose, copy.met = table.loose, table.met
                    copy.lay(move)
                    assert told == distance(copy, goal, copy.empty)


def test_on_an_empty_board_the_distance_is_the_breadth() -> None:
    for n in (3, 5):
        table = Table(n, CORNERS, RULES["ends"])
        found = distance(table, table.board.goals[0], table.empty)
        assert n - 2 <= found <= n
    assert distance(table, table.board.goals[0], 0) == NONE


@pytest.mark.parametrize("name", ["runner", "fighter"])
def test_whoever_can_win_does(name: str) -> None:
    wins = 0
    for seed in range(25):
        table = table_of(seed, 4, CORNERS, 4)
        if any(table.connected(player) for player in (0, 1)):
            continue
        for player in (0, 1):
            moves = list(table.moves("VV3"))
            after = distances_after(table, table.board.goals[player])
            if any(after(move) == 0 for move in moves):
                move = PLAYERS[name].choose(table, moves, player, random.Random(seed))
                assert after(move) == 0
                wins += 1
    assert wins


def test_players_stand_in_the_order_of_their_strength() -> None:
    won = 0
    for seed in range(12):
        rng = random.Random(seed)
        pile = [kind for kind in CORNERS for _ in range(each(5, CORNERS))]
        rng.shuffle(pile)
        pair = (PLAYERS["random"], PLAYERS["fighter"])
        won += play_game(pair, Table(5, CORNERS, RULES["ends"]), pile, rng).winner == 1
    assert won >= 11  # of 12: by luck alone three times in 1,000


# -- the study, its page, its preset -----------------------------------------------------------------------------------


def test_every_ruling_that_is_cited_stands_on_the_page(root: Path) -> None:
    page = (root / "templates" / "rules" / "hex-lightning.md").read_text(encoding="utf-8")
    told = set(re.findall(r"\((hex-lightning-[a-z]+)\)", page))
    assert len(told) == 8, told
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in (root / "referee" / "study" / "hexlightning").glob("*.py")
    )
    cited = set(re.findall(r"\bhex-lightning-[a-z]+(?=[ ,.):]|\b)", code))
    assert cited - {"hex-lightning-md"} <= told


def test_help_shows_the_page() -> None:
    result = referee("help", "Hex-Lightning")
    assert result.exit_code == 0
    assert "(hex-lightning-end)" in result.stdout


def test_the_preset_prints_the_set_and_board_that_were_studied(tmp_path: Path) -> None:
    path = built("hex-lightning", tmp_path / "x.pdf", "--preset", "hex-lightning-shared")
    table = path.with_suffix(".csv").read_text(encoding="utf-8").splitlines()
    counts = {row.split(",")[0]: int(row.split(",")[-2]) for row in table[1:]}
    assert {kind: number for kind, number in counts.items() if number} == dict.fromkeys(
        SETS[BEST][0], each(BEST_SIZE, SETS[BEST][0])
    )


def test_options_that_make_no_sense_are_refused() -> None:
    for option, word in (
        ("set", "x"),
        ("rules", "x"),
        ("player", "x"),
        ("size", "2"),
        ("size", "²"),
    ):
        with pytest.raises(RefereeError, match=f"--{option} {word}"):
            STUDY.cells({option: (word,)})
    settings = [cell.settings for cell in STUDY.cells({})]
    assert len(set(settings)) == len(settings)
    assert len(STUDY.cells({"size": ("4", "5"), "player": ("runner", "fighter")})) == 8


def test_the_study_runs_and_its_page_tells_what_was_found(tmp_path: Path) -> None:
    words = ("--size", "4", "--rules", "ends", "--rules", "free", "--games", "5")
    result = referee("study", "hex-lightning", *words, "--output", tmp_path)
    assert result.exit_code == 0
    assert "With tiles placed anywhere and no more" in result.stdout
    table = (tmp_path / "hex-lightning.csv").read_text().splitlines()
    assert table[0].startswith("rules,set,size,first,second,games,first player,")
    assert len(table) == 3


def _row(rules: str, drawn: Estimate, first: Estimate, size: str = "6") -> Row:
    still = Estimate(10.0, 9.0, 11.0)
    return Row(
        (rules, "corners", size, "fighter", "fighter"), 99, (first, drawn, still, still, first)
    )


def test_a_setting_works_if_it_is_decided_and_fair() -> None:
    fair, seldom = Estimate(0.5, 0.45, 0.55), Estimate(0.02, 0.0, 0.05)
    assert works(_row("ends", seldom, fair))
    assert not works(_row("ends", Estimate(0.08, 0.05, 0.12), fair))
    assert not works(_row("ends", seldom, Estimate(0.62, 0.58, 0.66)))


def test_the_page_says_which_setting_works_or_that_none_does() -> None:
    fair, seldom = Estimate(0.5, 0.45, 0.55), Estimate(0.02, 0.0, 0.05)
    drawn = Estimate(0.9, 0.85, 0.94)
    rows = [
        _row("ends", seldom, fair, "5"),
        _row("ends", drawn, fair, "7"),
        _row("free", drawn, fair),
    ]
    report = STUDY.report(rows)
    assert "it works best with the set corners on 5 × 5" in report.answer
    assert "90.0 % (85.0 to 94.0) with the set corners on 6 × 6: no game." in report.answer
    whole = STUDY.report([*rows, _row("sides", seldom, fair)])
    charts = [block for block in whole.blocks if isinstance(block, Chart)]
    assert len({chart.name for chart in charts}) == len(charts) == 5
    assert "No setting that was played" in STUDY.report(rows[1:]).answer
    rough = STUDY.report([_row("ends", Estimate(0.0, 0.0, 0.79), Estimate(1.0, 0.2, 1.0))]).answer
    assert "no game that so few games can show" in rough
    assert "more games might show one" in rough
