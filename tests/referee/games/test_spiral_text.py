"""Spiral's words: positions, deals, tokens and tags as text, and the deals that a seed gives."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.chance import Chance
from referee.core.verdict import Rejected
from referee.games import spiral
from referee.games.spiral import GAME, Position, Setup, Turn
from referee.games.spiral.cards import CARDS, NUMBERS, deal_text, parse_deal
from referee.judge import judge
from referee.notation.moves import read, split
from tests.referee.games.spiral_plainly import DECK, deal_by_seed

Deal = list[list[str]]
deals = st.permutations(DECK).map(
    lambda cards: [list(cards[at : at + 8]) for at in range(0, 32, 8)]
)


def begin(tags: dict[str, str]) -> Position:
    """The position before ply 1 of a record with these tags."""
    setup = GAME.setup(tags)
    assert isinstance(setup, Setup)
    return GAME.start(setup)


def verdict_of(text: str) -> dict[str, object]:
    """The JSON of a record given as text."""
    source = next(split(text.splitlines(keepends=True), "x.moves"))
    return judge(read(source)).as_json("x.moves", 1)


# -- text both ways ----------------------------------------------------------------------------------------------------


@given(seed=st.binary(min_size=32, max_size=32), rng=st.randoms(use_true_random=False))
def test_position_text_round_trip(seed: bytes, rng: random.Random) -> None:
    position = begin({"Seed": seed.hex()})
    for _ in range(rng.randrange(14)):
        if position.to_move is not None:
            position = GAME.play(position, rng.choice(list(GAME.legal_moves(position))))  # type: ignore[assignment]
    text = GAME.position_text(position)
    again = GAME.parse_position(text)
    assert isinstance(again, Position)
    assert GAME.position_text(again) == text
    assert (again.to_move, again.result, again.reason) == (
        position.to_move,
        position.result,
        position.reason,
    )
    assert {*again.groups} == {*position.groups}
    assert {*again.her_groups} == {*position.her_groups}


EMPTY = "." * 37


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "37 characters"),
        (f"{EMPTY} 7S/8S/9S/TS more", "37 characters"),
        (f"{EMPTY}. ///", "37 cells, not 38"),
        (f"{EMPTY[1:]}x ///", "character 37"),
        (f"{EMPTY} 7S/8S/9S", "four columns"),
        (f"{EMPTY} 7S/8S/9S/T", "T in column 4 is no card"),
        (f"{EMPTY} 7S/8S/9S/6S", "6S in column 4"),
        (f"{EMPTY} 7S/8S/9S/7S", "7S lies on the table twice"),
        (f"{EMPTY} 7S8S9STSJSQSKSAS7H/8H/9H/TH", "column 1 has 9 cards"),
    ],
)
def test_a_bad_position_says_what_is_wrong(text: str, says: str) -> None:
    refused = GAME.parse_position(text)
    assert isinstance(refused, Rejected)
    assert refused.code == "syntax"
    assert says in refused.message


def test_a_position_without_cards_waits_for_a_deal() -> None:
    for text in (EMPTY, f"{EMPTY} ///", f"{EMPTY} 7S/8S//9S"):
        position = GAME.parse_position(text)
        assert isinstance(position, Position)
        assert (position.needs, position.to_move) == ("deal", 0)
    assert GAME.position_text(begin({})) == f"{EMPTY} ///"


@given(deal=deals)
def test_deal_text_round_trip(deal: Deal) -> None:
    value = " / ".join(" ".join(column) for column in deal)
    columns = parse_deal("Deal1", value)
    assert isinstance(columns, tuple)
    assert deal_text(columns) == value
    assert parse_deal("Deal1", value.replace(" / ", "/")) == columns


FORMS = ["9S+QC", "9s+qc", "♠9♣Q", "♠️9♣️Q", "S9CQ", "9SQC", "s9cq", "9♠Q♣", "S9+CQ"]


@pytest.mark.parametrize("word", FORMS)
def test_forms_of_two_cards(word: str) -> None:
    pair = (NUMBERS["9S"], NUMBERS["QC"])
    assert GAME.parse(word, Setup()) == Turn(*pair)
    assert GAME.parse("~" + word, Setup()) == spiral.Shown(*pair)
    assert GAME.format(GAME.parse(word, Setup()), Setup()) == "9S+QC"  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["10S+qc", "TS+QC", "S10CQ", "10SQC", "♠10♣Q", "tsqc", "STCQ"])
def test_forms_of_ten(word: str) -> None:
    assert GAME.parse(word, Setup()) == Turn(NUMBERS["TS"], NUMBERS["QC"])


@pytest.mark.parametrize(
    "word",
    [
        "9S",
        "~9S",
        "~",
        "6S+QC",
        "9S+QX",
        "9S+QC+7H",
        "9S-QC",
        "+9SQC",
        "9S++QC",
        "100S+QC",
        "f6",
        "swap",
        "pass",
        "9S+",
    ],
)
def test_what_is_no_form_is_syntax(word: str) -> None:
    refused = GAME.parse(word, Setup())
    assert isinstance(refused, Rejected)
    assert refused.code == "syntax"


def test_blanks_are_for_mails_only() -> None:
    assert isinstance(GAME.parse("9S QC", Setup()), Rejected)
    assert spiral.mail_token(" 9s + q c ") == "9S+QC"
    assert spiral.mail_token("~ ♠10 ♣Q") == "~TS+QC"
    assert spiral.mail_token("9S and QC") is None


# -- deals and chance --------------------------------------------------------------------------------------------------


@given(
    seed=st.binary(min_size=32, max_size=32),
    game=st.text("abc-9", max_size=8),
    word=st.text(max_size=12),
)
def test_deals_of_a_seed(seed: bytes, game: str, word: str) -> None:
    tags = {"Seed": seed.hex(), "GameId": game, "Word1": word}
    position = begin(tags)
    assert [[CARDS[c] for c in column] for column in position.columns] == deal_by_seed(
        seed.hex(), 1, game, word
    )
    coming = spiral.next_deal(position)
    assert coming is not None
    number, columns = coming
    assert number == 2
    assert [[CARDS[c] for c in column] for column in columns] == deal_by_seed(
        seed.hex(), 2, game, word
    )
    assert spiral.deal_tag(*coming)[0] == "Deal2"


@given(seed=st.binary(min_size=32, max_size=32), rng=st.randoms(use_true_random=False))
def test_a_seed_and_its_deals_are_one_game(seed: bytes, rng: random.Random) -> None:
    """What a club writes while the game is on (the deals) and at its end (the seed) is judged alike."""
    position = begin({"Seed": seed.hex()})
    words = []
    while position.to_move is not None:
        move = rng.choice(list(GAME.legal_moves(position)))
        words.append(GAME.format(move, position.setup))
        position = GAME.play(position, move)  # type: ignore[assignment]
        words += spiral.brooks_tokens(position)
    chance = Chance(seed)
    given_deals = [
        spiral.deal_tag(n, Setup(chance=chance).deal(n)) for n in range(1, position.deals + 1)
    ]  # type: ignore[arg-type]
    movetext = " ".join(words)
    by_seed = verdict_of(f'[Game "Spiral"]\n[Seed "{seed.hex()}"]\n\n{movetext}\n')
    tags = "".join(f'[{name} "{value}"]\n' for name, value in given_deals)
    assert by_seed == verdict_of(f'[Game "Spiral"]\n{tags}\n{movetext}\n')
    assert by_seed["legal"]
    assert by_seed["position"] == GAME.position_text(position)


def test_no_next_deal_without_seed_or_with_cycle() -> None:
    assert spiral.next_deal(begin({})) is None
    assert spiral.next_deal(begin({"Seed": "00" * 32, "Cycle": "yes"})) is None


def test_a_club_deals_from_a_seed_that_the_record_does_not_show() -> None:
    """The record grows by a Deal tag whenever a deal is needed, and is then judged on."""
    chance = Chance(bytes(range(32)), "spiral-1", "word")
    tags: dict[str, str] = {"GameId": "spiral-1"}
    position = begin(tags)
    for number in (1, 2, 3):
        assert position.needs == "deal"
        coming = spiral.next_deal(position, chance)
        assert coming is not None
        assert coming[0] == number
        tags |= [spiral.deal_tag(*coming)]
        position = begin(tags)
        while position.needs is None and position.to_move is not None:
            position = GAME.play(position, next(iter(GAME.legal_moves(position))))  # type: ignore[assignment]
    again = begin({"Seed": bytes(range(32)).hex(), "GameId": "spiral-1", "Word1": "word"})
    assert again.columns == parse_deal("Deal1", tags["Deal1"])


GOOD = "7S 8S 9S TS JS QS KS AS / 7H 8H 9H TH JH QH KH AH / 7D 8D 9D TD JD QD KD AD / 7C 8C 9C TC JC QC KC AC"


@pytest.mark.parametrize(
    ("value", "marked", "says"),
    [
        (GOOD.replace("9H", "9S"), "9S", "column 1 already"),
        (GOOD.replace("9H", "6H"), "6H", "no card"),
        (GOOD.replace("9H", "9h"), "9h", "written 9H"),
        (GOOD.replace("TD", "10D"), "10D", "written TD"),
        (GOOD.replace("QS KS AS / ", "QS KS / AS "), "7S 8S 9S TS JS QS KS ", "7 cards"),
        (GOOD.replace("AS / ", "AS 7H / ").replace("/ 7H", "/"), "7H", "eight cards already"),
        (GOOD[: GOOD.rindex(" /")], GOOD[: GOOD.rindex(" /")], "not 3 columns"),
        (GOOD + " / 7S", "/ 7S", "fifth"),
        ("", "", "0 cards"),
    ],
)
def test_a_bad_deal_points_at_its_fault(value: str, marked: str, says: str) -> None:
    record = f'[Game "Spiral"]\n[Deal1 "{value}"]\n\n7S+8H\n'
    source = next(split(record.splitlines(keepends=True), "x.moves"))
    fault = judge(read(source)).error
    assert fault is not None
    assert (fault.code, fault.rule, fault.ply, fault.token) == ("deal", "spiral-deal", None, None)
    assert source.text[fault.span.start : fault.span.end] == marked
    assert says in fault.message


@pytest.mark.parametrize(
    ("tags", "place"),
    [
        ({"SameColumn": "Yes"}, "SameColumn"),
        ({"Cycle": ""}, "Cycle"),
        ({"Seed": "12"}, "Seed"),
        ({"Deal2": GOOD}, "Deal2"),
        ({"Deal1": GOOD, "Deal3": GOOD}, "Deal3"),
        ({"Deal3": GOOD, "Deal1": GOOD}, "Deal3"),
        ({"Deal0": GOOD}, "Deal0"),
        ({"Deal01": GOOD}, "Deal01"),
        ({"Deal1": GOOD, "Deal99999999999999999999": GOOD}, "Deal99999999999999999999"),
        ({"Cycle": "yes", "Deal1": GOOD, "Deal2": GOOD}, "Deal2"),
        ({"Deal1": GOOD, "Deal2": GOOD, "Cycle": "yes"}, "Cycle"),
        ({"Seed": "00" * 32, "Deal1": GOOD}, "Deal1"),
        ({"Deal1": GOOD, "Seed": "00" * 32}, "Seed"),
    ],
)
def test_bad_tags(tags: dict[str, str], place: str) -> None:
    bad = GAME.setup(tags)
    assert not isinstance(bad, Setup)
    assert (bad.name, bad.code, bad.rule) == (place, "tag", None)
