"""Lightning's study: distances against a plain search, players within the rules and in the order of their strength,
sets of tiles, the page and the preset that it recommends.
"""

from __future__ import annotations

import random
import re
from collections import deque
from pathlib import Path

import pytest

from referee.core.verdict import FIRST, Rejected
from referee.errors import RefereeError
from referee.games.lightning.lines import EMPTY, Line, State, grow, placements
from referee.games.lightning.position import Place, Position, Setup, Special, ToPool, pack, start
from referee.games.lightning.rules import legal_moves, play
from referee.games.lightning.tiles import KINDS
from referee.study.core import Chart, Row
from referee.study.estimates import Estimate
from referee.study.lightning import STUDY
from referee.study.lightning.game import OPENING, begin, draw, play_game
from referee.study.lightning.players import PLAYERS
from referee.study.lightning.report import recommended
from referee.study.lightning.sets import SETS, STANDARD, YOURS, counted, read, written
from referee.study.lightning.ways import LOST, distance, reach
from tests.pnp.printed import built, measure
from tests.referee.cli.run import referee

FULL = SETS[STANDARD][0]


def lines(seed: int, tiles: int) -> Line:
    """A line of so many random tiles, or fewer if it ends."""
    rng = random.Random(seed)
    line = EMPTY
    for _ in range(tiles):
        found = [tile for kind in range(5) for tile in placements(line, 0, kind)]
        if not found:
            break
        line = grow(line, rng.choice(found))
    return line


def plain_distance(line: Line, most: int) -> int | None:
    """The least number of tiles that complete a line, tried out by the rules; None above `most`."""
    waiting = deque([(line, 0)])
    seen = {(line.filled, line.joints)}
    while waiting:
        now, used = waiting.popleft()
        if now.state is State.COMPLETE:
            return used
        if used == most:
            continue
        for kind in range(len(KINDS)):
            for tile in placements(now, 0, kind):
                after = grow(now, tile)
                if after.state is State.COMPLETE:
                    return used + 1
                if after.state is State.OPEN and (after.filled, after.joints) not in seen:
                    seen.add((after.filled, after.joints))
                    waiting.append((after, used + 1))
    return None


# -- distances ---------------------------------------------------------------------------------------------------------


def test_an_empty_section_takes_a_tile_a_row() -> None:
    assert distance(EMPTY) == 17


@pytest.mark.parametrize("seed", range(40))
def test_near_the_end_the_distance_is_that_of_a_plain_search(seed: int) -> None:
    rng = random.Random(seed)
    line = EMPTY
    while line.state is State.OPEN and distance(line) > 3:
        found = [tile for kind in range(5) for tile in placements(line, 0, kind)]
        ahead = [tile for tile in found if distance(grow(line, tile)) < distance(line)]
        line = grow(line, rng.choice(ahead if rng.random() < 0.7 and ahead else found))
    if line.state is State.OPEN:
        found = plain_distance(line, 4)
        assert found == distance(line)


@pytest.mark.parametrize("seed", range(30))
def test_no_tile_brings_a_line_more_than_one_nearer_but_by_a_branch(seed: int) -> None:
    line = lines(seed, 5 + seed)
    now = distance(line)
    for kind in range(len(KINDS)):
        for tile in placements(line, 0, kind):
            after = grow(line, tile)
            assert after.state is State.BLOCKED or distance(after) >= now - 1
    if line.state is State.OPEN and now < LOST:
        assert min(reach(line, 0).nearest) <= now - 1


def test_a_line_that_is_over_is_done_or_lost() -> None:
    ended = [line for seed in range(40) if (line := lines(seed, 200)).state is not State.OPEN]
    assert {line.state for line in ended} == {State.COMPLETE, State.DEAD}
    for line in ended:
        assert distance(line) == (0 if line.state is State.COMPLETE else LOST)
        assert reach(line, 0).nearest == (LOST + 1,) * len(KINDS)


# -- players -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_makes_legal_moves_only(name: str) -> None:
    player = PLAYERS[name]
    for seed in range(2 if name == "planner" else 4):
        rng = random.Random(seed)
        position = begin((6, 6, 6, 6, 6))
        while position.to_move is not None:
            move = player.source(position, rng)
            if move is None and position.pile:
                kind = draw(position, rng)
                move = player.place(position, kind, rng)  # type: ignore[assignment]
                assert move == ToPool(kind) or (isinstance(move, Place) and not move.from_pool)
            assert (move or Special.PASS) in set(legal_moves(position))
            after = play(position, move or Special.PASS)
            assert not isinstance(after, Rejected)
            position = after


@pytest.mark.parametrize("name", ["runner", "fighter", "planner"])
def test_whoever_can_win_does(name: str) -> None:
    wins = 0
    for seed in range(50):
        line = lines(seed, 60)
        if line.state is not State.OPEN:
            continue
        position = start(Setup())
        position.lines = (line, EMPTY)
        for kind in range(len(KINDS)):
            if reach(line, 0).nearest[kind] == 0:
                move = PLAYERS[name].place(position, kind, random.Random(seed))
                after = play(position, move)
                assert isinstance(after, Position)
                assert after.result == "1-0"
                wins += 1
                position.pool = pack(tuple(int(k == kind) for k in range(len(KINDS))))
                taken = PLAYERS[name].source(position, random.Random(seed))
                if taken is not None:
                    after = play(position, taken)
                    assert isinstance(after, Position)
                    assert after.result == "1-0"
                position.pool = 0
    assert wins


@pytest.mark.parametrize(("better", "worse"), [("runner", "random"), ("fighter", "runner")])
def test_players_stand_in_the_order_of_their_strength(better: str, worse: str) -> None:
    points = 0
    for seed in range(8):
        one = play_game((PLAYERS[better], PLAYERS[worse]), FULL, random.Random(seed))
        two = play_game((PLAYERS[worse], PLAYERS[better]), FULL, random.Random(seed))
        points += (one.result == "1-0") + (two.result == "0-1")
    assert points >= 14  # of 16: by luck alone twice in 1,000


@pytest.mark.long
def test_the_planner_is_no_weaker_than_the_fighter() -> None:
    points = 0.0
    for seed in range(60):
        for pair, win in ((("planner", "fighter"), "1-0"), (("fighter", "planner"), "0-1")):
            game = play_game((PLAYERS[pair[0]], PLAYERS[pair[1]]), FULL, random.Random(seed))
            points += {win: 1.0, "1/2-1/2": 0.5}.get(game.result, 0.0)
    assert points / 120 > 0.45


# -- games -------------------------------------------------------------------------------------------------------------


def test_a_game_is_what_its_chance_makes_it() -> None:
    pair = (PLAYERS["fighter"], PLAYERS["runner"])
    assert play_game(pair, FULL, random.Random(4)) == play_game(pair, FULL, random.Random(4))


def test_the_first_draws_are_counted_for_each_player() -> None:
    game = play_game((PLAYERS["runner"], PLAYERS["runner"]), FULL, random.Random(1))
    assert [sum(kinds) for kinds in game.opening] == [OPENING, OPENING]
    only = play_game((PLAYERS["runner"], PLAYERS["random"]), (0, 255, 0, 0, 0), random.Random(1))
    assert only.opening[FIRST][1] == sum(only.opening[FIRST]) > 0


def test_without_enough_tiles_nobody_wins() -> None:
    game = play_game((PLAYERS["fighter"], PLAYERS["fighter"]), (4, 4, 4, 4, 4), random.Random(1))
    assert (game.result, game.reason) == ("1/2-1/2", "exhausted")


def test_draws_are_as_likely_as_the_pile_says() -> None:
    position = begin((10, 0, 30, 20, 40))
    rng = random.Random(2)
    drawn = [draw(position, rng) for _ in range(4000)]
    for kind, share in enumerate((0.1, 0.0, 0.3, 0.2, 0.4)):
        assert drawn.count(kind) / 4000 == pytest.approx(share, abs=0.03)


# -- the study ---------------------------------------------------------------------------------------------------------


def test_each_set_has_150_tiles_and_is_read_as_written() -> None:
    for tiles, _ in SETS.values():
        assert sum(tiles) == 150
        assert read(written(tiles)) == tiles


def test_counts_are_taken_as_pnp_takes_them() -> None:
    assert counted(["III=20"]) == (30, 30, 20, 30, 30)
    assert counted(["v=0", "I=7, II=8"]) == (7, 8, 30, 30, 0)
    for wrong in ("III", "VI=3", "I=-1", "I=256", "I=x", "I=²", "I=1,i=2"):
        with pytest.raises(RefereeError, match=f"--count {wrong}"):
            counted([wrong])
    with pytest.raises(RefereeError, match="no tile is left"):
        counted([f"{kind}=0" for kind in KINDS])


def test_cells_of_ones_own() -> None:
    cells = STUDY.cells({"count": ("V=0",), "player": ("runner", "fighter")})
    assert len(cells) == 8
    assert {cell.settings[2] for cell in cells} == {STANDARD, YOURS}
    with pytest.raises(RefereeError, match="--player bob is nobody"):
        STUDY.cells({"player": ("bob",)})
    settings = [cell.settings for cell in STUDY.cells({})]
    assert len(set(settings)) == len(settings)


def test_the_study_runs_and_its_page_tells_what_was_found(tmp_path: Path) -> None:
    result = referee(
        *("study", "lightning", "--count", "V=10", "--games", "3", "--output", tmp_path)
    )
    assert result.exit_code == 0
    table = (tmp_path / "lightning.csv").read_text().splitlines()
    assert table[0].startswith("first,second,set,tiles,games,first player,first player low,")
    assert len(table) == 1 + 8
    assert "Between two equal players" in result.stdout
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".html", ".md", ".svg", ".json"}


def test_the_recommended_preset_prints_its_tiles(tmp_path: Path) -> None:
    words = ("--preset", "lightning-double-power", "--no-board", "--no-mats", "--no-card")
    path = built("lightning", tmp_path / "x.pdf", *words)
    foot = measure(path)[0].text
    told = re.search(r"I (\d+), II (\d+), III (\d+), IV (\d+), V (\d+)", foot)
    assert told is not None
    assert tuple(map(int, told.groups())) == SETS["double-power"][0]


def _row(second: str, name: str, drawn: Estimate, first: float) -> Row:
    values = [Estimate(0.0, 0.0, 0.0)] * len(STUDY.measures)
    values[0] = Estimate(first, first, first)
    values[1] = drawn
    return Row(("fighter", second, name, ""), 100, tuple(values))


def test_the_recommended_set_is_surely_drawn_less_and_rewards_play() -> None:
    plain, seldom, unsure = (Estimate(x, x - 0.02, x + 0.02) for x in (0.09, 0.03, 0.06))
    rows = [
        _row("fighter", STANDARD, plain, 0.5),
        *(_row("fighter", name, seldom, 0.5) for name in ("straight", "no-ii")),
        _row("fighter", "capacity", unsure, 0.5),
        _row("runner", STANDARD, seldom, 0.9),
        _row("runner", "straight", seldom, 0.8),
        _row("runner", "no-ii", seldom, 0.7),
        _row("runner", "capacity", seldom, 0.99),
    ]
    assert recommended(rows) == "straight"
    assert recommended([row for row in rows if row.settings[2] in (STANDARD, "capacity")]) is None
    assert recommended(rows[1:]) is None


def test_every_chart_of_the_page_has_a_text() -> None:
    rows = [
        _row(second, name, Estimate(0.01, 0.0, 0.02), 0.6)
        for second in ("fighter", "runner")
        for name in SETS
    ]
    charts = [block for block in STUDY.report(rows).blocks if isinstance(block, Chart)]
    assert len(charts) >= 5
    assert all(len(chart.text) > 40 and chart.text.endswith(".") for chart in charts)
    assert len({chart.name for chart in charts}) == len(charts)
