"""Spiral's quick board and its search, held against the rules and against plainer ways."""

from __future__ import annotations

from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.boards import hexhex
from pnp.spiral_layout import ROWS, WAY, parse, standard
from referee.games.spiral import rules as judged
from referee.games.spiral.board import add, groups_of, joins, shortest, target
from referee.games.spiral.cards import Columns
from referee.study.spiral.deal import WON, Board, Rules, State, brooks, turn
from referee.study.spiral.hint import opened
from referee.study.spiral.lanes import shapes
from referee.study.spiral.layouts import layouts
from referee.study.spiral.needs import NEVER, needs, spare
from referee.study.spiral.search import explore
from referee.study.spiral.table import CELLS, FULL, LINE, OWN_MOST, Table, landing, table

TABLE = table(standard())
SETS = st.integers(0, FULL)
VARIANTS = [(False, False), (True, False), (False, True), (True, True)]


def _dealt(rng: Random) -> Columns:
    cards = list(range(32))
    rng.shuffle(cards)
    a, b, c, d = (tuple(cards[at : at + 8]) for at in range(0, 32, 8))
    return (a, b, c, d)


def _names(made: str | None) -> int:
    return {None: 0, "bridge": 1, "fork": 2}[made]


# -- the board ---------------------------------------------------------------------------------------------------------


@given(SETS, SETS, st.integers(0, CELLS - 1))
def test_a_piece_makes_what_the_rules_say(one: int, other: int, cell: int) -> None:
    pieces = (one & other | 1 << cell) & FULL
    _, sides = add(groups_of(pieces & ~(1 << cell)), cell)
    assert TABLE.made(pieces, 1 << cell) == _names(joins(sides))


@given(SETS.filter(lambda cells: cells != FULL), st.integers(0, CELLS - 2))
def test_a_piece_lands_where_the_rules_say(filled: int, named: int) -> None:
    assert landing(filled, named) == target(filled, named)


@given(SETS.filter(lambda cells: cells != FULL), st.integers(0, CELLS - 2))
def test_the_centre_is_filled_last(filled: int, named: int) -> None:
    """No pair names it, and a piece goes inwards only when all outwards and all between are filled."""
    centre = CELLS - 1
    if landing(filled & ~(1 << centre), named) == centre:
        assert filled | 1 << centre == FULL
    assert landing(FULL & ~(1 << centre), named) == centre


@given(st.lists(SETS, min_size=1, max_size=40), st.integers(LINE, 20))
def test_many_boards_at_once_are_judged_like_one(sets: list[int], size: int) -> None:
    boards = [_first(cells, size) for cells in sets]
    expected = []
    for pieces in boards:
        made = {joins(sides) for _, sides in groups_of(pieces)}
        expected.append(2 if "fork" in made else 1 if "bridge" in made else 0)
    assert shapes(TABLE, boards) == expected


def _first(cells: int, size: int) -> int:
    """Return a set of exactly so many cells: some of `cells`, filled up from the outer end."""
    chosen = [at for at in range(CELLS) if cells >> at & 1][:size]
    chosen += [at for at in range(CELLS) if at not in chosen][: size - len(chosen)]
    return sum(1 << at for at in chosen)


def _fewest(own: int, empty: int, wanted: set[int]) -> int:
    """Return by trial of all sets of empty cells how many pieces make a group of a wanted shape."""
    cells = [1 << at for at in range(CELLS) if empty >> at & 1]
    for number in range(len(cells) + 1):
        for more in combinations(cells, number):
            pieces = own | sum(more)
            for group, sides in groups_of(pieces):
                if group and _names(joins(sides)) in wanted:
                    return number
    return NEVER


def test_needs_are_the_fewest_pieces_by_trial() -> None:
    rng = Random(3)
    boards: list[Board] = []
    while len(boards) < 15:
        cells = rng.sample(range(CELLS), CELLS)
        own = sum(1 << at for at in cells[:9])
        hers = sum(1 << at for at in cells[9 : 9 + 19])
        if not any(shapes(TABLE, [hers])) and not any(shapes(TABLE, [own])):
            boards.append((own, hers, 0, False))
    found = needs(TABLE, boards)
    possible = 0
    for (own, hers, _, _), need, left in zip(boards, found, spare(TABLE, boards), strict=True):
        empty = FULL & ~(own | hers)
        fork = _fewest(own, empty, {2})
        if fork <= OWN_MOST - own.bit_count():
            possible += 1
            assert need.forks[0] == fork
            assert left == OWN_MOST - own.bit_count() - fork
        else:
            assert need.forks[0] == NEVER
            assert left < 0
    assert possible >= 3


def test_needs_on_the_empty_board() -> None:
    need = needs(TABLE, [(0, 0, 0, False)])[0]
    assert need.forks == (10, 10)
    assert need.own_bridge == LINE
    assert need.bridges == (LINE, LINE, LINE)


def test_her_bridges_by_trial() -> None:
    rng = Random(4)
    seen = set()
    for _ in range(20):
        cells = rng.sample(range(CELLS), CELLS)
        own, hers = (sum(1 << at for at in part) for part in (cells[:9], cells[9:23]))
        if any(shapes(TABLE, [hers])):
            continue
        empty = FULL & ~(own | hers)
        need = needs(TABLE, [(own, hers, 0, False)])[0]
        fewest = NEVER
        for number in range(4):
            for more in combinations([at for at in range(CELLS) if empty >> at & 1], number):
                groups = groups_of(hers | sum(1 << at for at in more))
                if any(sides & sides >> 3 & 7 for _, sides in groups):
                    fewest = min(fewest, number)
        if fewest < NEVER:
            assert need.bridges[0] == fewest
            seen.add(fewest)
    assert len(seen) > 1


# -- the layouts -------------------------------------------------------------------------------------------------------


def test_there_are_eight_spirals() -> None:
    all_eight = layouts()
    assert len(all_eight) == 8
    assert all_eight[0] is standard()
    for layout in all_eight:
        rows, at = [], 0
        for length in ROWS:
            rows.append(" ".join(layout.labels[at : at + length]))
            at += length
        text = "rows = [" + ", ".join(f'"{row}"' for row in rows) + "]"
        assert parse(text).way == layout.way


def test_no_two_spirals_are_images_of_each_other() -> None:
    """By distances alone: an image keeps all distances between cells, so it touches the same pairs of names."""
    board = hexhex(4)
    kinds = set()
    for layout in layouts():
        name = dict(zip(layout.way, WAY, strict=True))
        touching = frozenset(
            frozenset((name[cell], name[near]))
            for cell in range(CELLS)
            for near in board.neighbours[cell]
        )
        kinds.add(touching)
    assert len(kinds) == 8


# -- turns and the search ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("same_column", "cycle"), VARIANTS)
def test_whole_games_go_as_the_rules_have_them(same_column: bool, cycle: bool) -> None:
    rng = Random(f"{same_column} {cycle}")
    ends = set()
    for _ in range(40):
        deals = tuple(_dealt(rng) for _ in range(1 if cycle else 7))
        position = judged.start(judged.Setup(same_column, cycle, deals))
        rules, deck, state = opened(position)
        while True:
            picks = rules.picks(state.used)
            moves = list(judged.legal_moves(position))
            assert len(picks) == len(moves)
            one, other = rng.choice(picks)
            cards = position.columns[one][-1], position.columns[other][-2 if one == other else -1]
            after = judged.play(position, judged.Turn(*cards))
            assert isinstance(after, judged.Position)
            state, end, dealt = turn(rules, deck, state, (one, other))
            if dealt:
                assert after.deals == position.deals + 1
                _, deck, _ = opened(judged.start(judged.Setup(deals=(deals[after.deals - 1],))))
                if state.due:
                    state, end, _ = brooks(rules, deck, State(state.own, state.hers))
            position = after
            assert state.own == position.own
            if position.to_move is None:
                assert end is not None
                assert (end == WON) == (position.result == "1-0")
                ends.add((end, position.reason))
                break
            assert end is None
            assert state.own | state.hers == position.filled
            assert opened(position)[2].used == state.used or cycle
    assert len(ends) > 1


def _plain(position: judged.Position) -> tuple[int | None, set[tuple[int, int, bool]], int]:
    """Search a deal with the referee's rules alone: turns to the quickest win, boards with which the deal can end,
    the most turns on any way.
    """
    quickest: int | None = None
    ends: set[tuple[int, int, bool]] = set()
    longest = 0
    for move in judged.legal_moves(position):
        after = judged.play(position, move)
        assert isinstance(after, judged.Position)
        turns = 1
        if after.result == "1-0":
            quickest = 1
        elif after.to_move is not None and after.needs is not None:
            placed = sum(piece.brooks for piece in after.last)
            ends.add((after.own, after.filled & ~after.own, placed == 0))
        elif after.to_move is not None:
            win, more, most = _plain(after)
            ends |= more
            turns += most
            if win is not None:
                quickest = min(quickest or 99, win + 1)
        longest = max(longest, turns)
    return quickest, ends, longest


def _nearly(rng: Random) -> tuple[int, int]:
    """Return a board on which a few cells are missing to a fork of the player, and how many pieces are his."""
    while True:
        cells = sum(1 << at for at in rng.sample(range(CELLS), 24))
        forks = [group for group in groups_of(cells) if joins(group[1]) == "fork"]
        if forks:
            tree = [WAY.index(label) for label in shortest(forks[0])]
            if len(tree) <= OWN_MOST and CELLS - 1 not in tree:
                break
    rng.shuffle(tree)
    pieces = min(len(tree) - rng.choice((1, 2, 3)), 10)
    rest = [at for at in range(CELLS - 1) if at not in tree]
    own = sum(1 << at for at in tree[:pieces])
    return own, sum(1 << at for at in rng.sample(rest, 2 * pieces))


def _late(rng: Random, same_column: bool, turns: int) -> judged.Position | None:
    """Return a position with some turns of a deal behind it, on a board that is not over."""
    if rng.random() < 0.6:
        own, hers = _nearly(rng)
    else:
        cells = rng.sample(range(CELLS - 1), CELLS - 1)
        pieces = rng.choice((2, 5, 8))
        own = sum(1 << at for at in cells[:pieces])
        hers = sum(1 << at for at in cells[pieces : 3 * pieces])
    columns = tuple(
        column[: 8 - turns - more]
        for column, more in zip(
            _dealt(rng), rng.choice(((turns, turns, 0, 0), (1, 0, turns, turns - 1))), strict=True
        )
    )
    a, b, c, d = columns
    position = judged.arranged(judged.Setup(same_column), own, hers, (a, b, c, d))
    return None if position.to_move is None or position.needs is not None else position


@pytest.mark.parametrize(("same_column", "turns"), [(False, 2), (False, 3), (True, 3)])
def test_the_search_finds_what_a_plain_one_finds(same_column: bool, turns: int) -> None:
    rng = Random(turns)
    cases = wins = ended = 0
    while cases < 8 or not wins or not ended:
        position = _late(rng, same_column, turns)
        if position is None:
            continue
        cases += 1
        win, ends, longest = _plain(position)
        rules, deck, state = opened(position)
        found = explore(rules, deck, state)
        assert (len(found.win) if found.win else None) == win
        if win is not None:
            wins += 1
            continue
        boards = [(own, hers, 0, due) for own, hers, due in ends]
        hopeful = {
            board[:2] + board[3:]
            for board, left in zip(boards, spare(TABLE, boards), strict=True)
            if left >= 0
        }
        leaves = {(own, hers, due) for own, hers, _, due in found.leaves}
        assert hopeful <= leaves <= ends  # boards without hope may have been left on the way
        ended += bool(leaves)
        if not leaves:
            assert len(found.last) <= longest


def test_a_win_for_a_first_choice_is_that_choice_s() -> None:
    rng = Random(11)
    wins = 0
    while wins < 4:
        position = _late(rng, False, 3)
        if position is None:
            continue
        rules, deck, state = opened(position)
        whole = explore(rules, deck, state)
        each = [explore(rules, deck, state, pick) for pick in rules.picks(state.used)]
        quickest = [len(found.win) for found in each if found.win]
        assert (min(quickest) if quickest else None) == (len(whole.win) if whole.win else None)
        for pick, found in zip(rules.picks(state.used), each, strict=True):
            assert not found.win or found.win[0] == pick
        wins += bool(quickest)


def test_what_is_left_out_is_owned_up_to() -> None:
    rng = Random(12)
    position = judged.start(judged.Setup(deals=(_dealt(rng),)))
    rules, deck, state = opened(position)
    assert explore(rules, deck, state).whole
    assert not explore(rules, deck, state, keep=lambda boards: boards[:5]).whole


def test_other_layouts_have_tables_of_their_own() -> None:
    tables: list[Table] = [table(layout) for layout in layouts()]
    assert len({tuple(t.near) for t in tables}) == 8
    for each in tables:
        assert needs(each, [(0, 0, 0, False)])[0].forks == (10, 10)
        assert Rules(each).table is each


@pytest.mark.parametrize("same_column", [False, True])
def test_a_whole_deal_is_searched_in_less_than_a_second(same_column: bool) -> None:
    position = judged.start(judged.Setup(same_column, deals=(_dealt(Random(21)),)))
    rules, deck, state = opened(position)
    began = process_time()
    found = explore(rules, deck, state)
    assert process_time() - began < 1.0
    assert found.whole
    assert found.nodes > 7000
