"""Spiral's rules against the handed verdicts, against the plain second implementation, and against their laws."""

from __future__ import annotations

import json
import random
import tomllib
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.spiral_layout import WAY
from referee.games import spiral
from referee.games.spiral import GAME, Position, Setup, Turn
from referee.games.spiral.board import FULL, groups_of, joins
from referee.games.spiral.cards import CARDS, NUMBERS
from referee.judge import judge
from referee.notation.moves import read, split
from tests.referee.games.spiral_plainly import (
    DECK,
    SPIRAL,
    Plainly,
    chain_of,
    what_joins,
)

DATA = Path(__file__).parents[2] / "data/spiral"
PERFT = tomllib.loads((DATA / "perft.toml").read_text(encoding="utf-8"))

Deal = list[list[str]]
deals = st.permutations(DECK).map(
    lambda cards: [list(cards[at : at + 8]) for at in range(0, 32, 8)]
)


def tags_of(
    deal_list: list[Deal], same_column: bool = False, cycle: bool = False
) -> dict[str, str]:
    """The tags of a record with these deals and variants."""
    tags = {
        f"Deal{n}": " / ".join(" ".join(c) for c in deal) for n, deal in enumerate(deal_list, 1)
    }
    tags |= {"SameColumn": "yes"} if same_column else {}
    return tags | ({"Cycle": "yes"} if cycle else {})


def begin(tags: dict[str, str]) -> Position:
    setup = GAME.setup(tags)
    assert isinstance(setup, Setup)
    return GAME.start(setup)


# -- the handed records ------------------------------------------------------------------------------------------------


def test_judged_records(shared: Path) -> None:
    lines = (shared / "data/cases/spiral.expected.jsonl").read_text(encoding="utf-8").splitlines()
    with open(shared / "data/cases/spiral.moves", encoding="utf-8-sig", newline="") as file:
        sources = list(split(file, "spiral.moves"))
    assert len(sources) == len(lines) == 100
    for index, (source, line) in enumerate(zip(sources, lines, strict=True), 1):
        wanted = json.loads(line)
        given_ = judge(read(source)).as_json("spiral.moves", index)
        error, due = given_.pop("error"), wanted.pop("error")
        assert {name: given_[name] for name in wanted} == wanted, index
        assert (error is None) == (due is None), index
        if isinstance(error, dict):
            assert (error["code"], error["ply"]) == (due["code"], due["ply"]), index
            assert due["token"] in (None, error["token"]), index


def test_the_cases_cover_every_ruling_and_every_fault() -> None:
    cases = tomllib.loads((DATA / "cases.toml").read_text(encoding="utf-8")).values()
    rulings = {case["rule"] for case in cases if case["rule"].startswith("spiral-")}
    names = ["board", "layout", "deal", "turn", "occupied", "redeal", "win", "same-column", "cycle"]
    assert rulings == {f"spiral-{name}" for name in names}
    codes = [
        "syntax",
        "tag",
        "move-number",
        "result",
        "game-over",
        "column",
        "card",
        "deal",
        "draw",
        "claim",
    ]
    assert {case["code"] for case in cases if not case["legal"]} == set(codes)


# -- against the plain rules -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("same_column", [False, True])
@pytest.mark.parametrize("cycle", [False, True])
@settings(max_examples=30)
@given(first=deals, more=st.lists(deals, max_size=3), seed=st.integers(0, 2**32))
def test_random_games_agree_with_the_plain_rules(
    first: Deal, more: list[Deal], seed: int, same_column: bool, cycle: bool
) -> None:
    given_deals = [first] if cycle else [first, *more]
    plain = Plainly(given_deals, same_column=same_column, cycle=cycle)
    position = begin(tags_of(given_deals, same_column, cycle))
    rng = random.Random(seed)
    while position.to_move is not None and position.needs is None:
        one, other = rng.choice(
            [(CARDS[m.one], CARDS[m.other]) for m in GAME.legal_moves(position)]
        )
        if rng.random() < 0.5:
            one, other = other, one
        assert plain.may_take(one, other)
        before = len(plain.events)
        plain.turn(one, other)
        after = GAME.play(position, Turn(NUMBERS[one], NUMBERS[other]))
        assert isinstance(after, Position)
        position = after
        assert GAME.position_text(position) == plain.text()
        assert (position.result, position.reason, position.needs) == (
            plain.result,
            plain.reason,
            plain.needs,
        )
        assert position.plies == plain.turns
        placed = [("b" if p.brooks else "p", WAY[p.named], WAY[p.cell]) for p in position.last]
        assert placed == [(who, named, cell) for who, named, cell, _ in plain.events[before:]]
    assert position.plies <= 13, "37 cells are full after 13 turns"
    if position.to_move is None:
        hold_proof(position, plain)


def hold_proof(position: Position, plain: Plainly) -> None:
    """The proof is one chain of the maker's pieces, is what ended the game, and has no cell to spare."""
    proof = set(GAME.proof(position))
    whose = plain.events[-1][0]
    assert proof <= {cell for cell, who in plain.pieces.items() if who == whose}
    assert chain_of(proof, min(proof)) == proof
    assert position.reason in what_joins(proof)
    for cell in proof:
        rest = proof - {cell}
        whole = chain_of(rest, min(rest)) == rest
        assert not (whole and position.reason in what_joins(rest)), "a cell too many"


@pytest.mark.parametrize(
    "tags", [{}, {"SameColumn": "yes"}, {"Cycle": "yes"}, {"SameColumn": "yes", "Cycle": "yes"}]
)
@settings(max_examples=12)
@given(seed=st.binary(min_size=32, max_size=32), rng=st.randoms(use_true_random=False))
def test_legal_moves_are_what_play_accepts(
    tags: dict[str, str], seed: bytes, rng: random.Random
) -> None:
    position = begin({**tags, "Seed": seed.hex()})
    for _ in range(rng.randrange(14)):
        moves = list(GAME.legal_moves(position))
        if moves:
            position = GAME.play(position, rng.choice(moves))  # type: ignore[assignment]
    accepted = {pair for pair in permutations(range(32), 2) if takes(position, Turn(*pair))}
    listed = [(move.one, move.other) for move in GAME.legal_moves(position)]
    assert {*listed, *(pair[::-1] for pair in listed)} == accepted, "in either order"
    assert 2 * len(listed) == len(accepted), "each once"
    assert not any(takes(position, Turn(card, card)) for card in range(32))
    for move in GAME.legal_moves(position):
        assert GAME.parse(GAME.format(move, position.setup), position.setup) == move


def takes(position: Position, move: Turn) -> bool:
    return isinstance(GAME.play(position, move), Position)


def test_a_refusal_changes_nothing() -> None:
    position = begin({"Seed": "ab" * 32})
    before = position.copy()
    for pair in permutations(range(32), 2):
        GAME.play(position, Turn(*pair))
        GAME.play(position, spiral.Shown(*pair))
    assert position == before


@given(
    seed=st.binary(min_size=32, max_size=32),
    rng=st.randoms(use_true_random=False),
    cycle=st.booleans(),
)
def test_a_deal_keeps_its_cards(seed: bytes, rng: random.Random, cycle: bool) -> None:
    """Cards on the table and cards used since the deal are the 32; with Cycle all are always on the table."""
    position = begin({"Seed": seed.hex(), "Cycle": "yes" if cycle else "no"})
    used: list[int] = []
    while position.to_move is not None:
        after = GAME.play(position, rng.choice(list(GAME.legal_moves(position))))
        assert isinstance(after, Position)
        table = [card for column in after.columns for card in column]
        if after.deals > position.deals:  # what she took after it comes from the new deal
            used = [c for p in after.last if p.brooks and len(table) < 32 for c in (p.one, p.other)]
        else:
            used += [c for p in after.last for c in (p.one, p.other)]
        assert sorted(table if cycle else table + used) == list(range(32))
        position = after


@given(deal=deals, rng=st.randoms(use_true_random=False))
def test_cycle_restores_a_column_after_eight_cards(deal: Deal, rng: random.Random) -> None:
    """A column is its first order turned by the cards used so far: after eight it stands as it was dealt."""
    position = begin(tags_of([deal], cycle=True))
    used = [0, 0, 0, 0]
    while position.to_move is not None:
        move = rng.choice(list(GAME.legal_moves(position)))
        bottoms = [column[-1] for column in position.columns]
        position = GAME.play(position, move)  # type: ignore[assignment]
        pairs = len([piece for piece in position.last if piece.brooks])
        for at in range(4):
            used[at] += (bottoms[at] in (move.one, move.other)) + (at // 2 < pairs)
            first = [NUMBERS[card] for card in deal[at]]
            turned = 8 - used[at] % 8
            assert list(position.columns[at]) == first[turned:] + first[:turned]


# -- the board ---------------------------------------------------------------------------------------------------------


@given(own=st.integers(0, FULL))
def test_a_full_board_has_a_fork_or_a_bridge(own: int) -> None:
    made = {joins(sides) for cells in (own, FULL & ~own) for _, sides in groups_of(cells)}
    assert made & {"fork", "bridge"}


@given(own=st.integers(0, FULL))
def test_groups_and_joins_agree_with_the_plain_board(own: int) -> None:
    cells = {label for at, label in enumerate(SPIRAL) if own >> at & 1}
    for mask, sides in groups_of(own):
        group = {label for at, label in enumerate(SPIRAL) if mask >> at & 1}
        assert chain_of(cells, min(group)) == group
        made = what_joins(group)
        assert joins(sides) == ("fork" if "fork" in made else "bridge" if made else None)


def test_the_way_is_the_dictionary_of_pairs() -> None:
    in_order = sorted(SPIRAL[:-1], key=lambda pair: [*map("789TJQKA".index, pair)])
    assert list(WAY) == SPIRAL == [*in_order, "()"]


# -- perft -------------------------------------------------------------------------------------------------------------


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = list(GAME.legal_moves(position))
    if depth == 1:
        return len(moves)
    return sum(perft(GAME.play(position, move), depth - 1) for move in moves)  # type: ignore[arg-type]


def plain_perft(game: Plainly, depth: int) -> int:
    """The number of games of so many turns, all pairs of cards tried one by one by the plain rules."""
    pairs = [
        pair
        for pair in combinations([c for column in game.columns for c in column], 2)
        if game.may_take(*pair)
    ]
    if depth == 1:
        return len(pairs)
    total = 0
    for pair in pairs:
        after = game.copy()
        after.turn(*pair)
        total += plain_perft(after, depth - 1)
    return total


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    entry = PERFT[name]
    given_deals = [[column.split() for column in deal.split("/")] for deal in entry["deals"]]
    variants = {"same_column": entry.get("same_column", False), "cycle": entry.get("cycle", False)}
    position = begin(tags_of(given_deals, **variants))
    counts = entry["counts"]
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts
    plain = Plainly(given_deals, **variants)
    assert [plain_perft(plain, depth) for depth in range(1, 4)] == counts[:3]


def test_perft_of_one_deal_by_counting() -> None:
    """Within one deal 6 ways a turn, as nobody can join sides before turn 4 (a bridge needs 7 cells).

    Turn 5 needs a card in every column: of the 6⁴ ways those where no column was chosen four times. Chosen by column
    A in all four turns: 3⁴; by two columns: 1; so 6⁴ − 4·3⁴ + 6·1 = 978 ways go on, and none goes on after turn 5,
    as ten choices on four columns cannot keep to two a column.
    """
    counts = PERFT["one-deal"]["counts"]
    assert counts[:4] == [6, 36, 216, 1296]
    assert counts[4] == 6 * (6**4 - 4 * 3**4 + 6)
    assert counts[5] == 0
