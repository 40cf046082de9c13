"""The walk of the README, in one process: each game to its end by answering mails."""

from __future__ import annotations

import hashlib
import re

from referee.core.source import Source
from referee.files.chance import verify
from referee.judge import judge
from referee.notation import moves
from tests.referee.service.house import ADDRESS, House, plain, record, tag_of


def joined(house: House, name: str, address: str) -> str:
    """Let somebody join by the operator's invitation."""
    from referee.service.operator import invite

    invite(house.desk, house.now, address, name)
    house.send()
    assert house.answer(house.last(address), "yes").kind == "joined"
    assert f"Welcome to Test Club, {name}" in plain(house.last(address))
    return address


def begun(
    house: House, first: str, second: str, game: str, word: str = ""
) -> tuple[str, list[str]]:
    """Let one challenge the other, who accepts; return the game and the addresses by seat."""
    said = f"challenge Bob {game}" + (f" word {word}" if word else "")
    assert house.write(first, said).kind == "done"
    assert house.answer(house.last(second), "accept word sesame", proved=True).kind == "done"
    game_id = tag_of(house.last(second))
    match = house.match(game_id)
    seats = [f"{match.player(seat).lower()}@x.example" for seat in (0, 1)]
    return game_id, seats


def two(house: House) -> tuple[str, str]:
    return joined(house, "Ann", "ann@x.example"), joined(house, "Bob", "bob@x.example")


def test_a_game_of_hex_to_its_end(house: House) -> None:
    ann, bob = two(house)
    game, (first, second) = begun(house, ann, bob, "hex size=4 swap=sides days=5")
    opening = house.last(first)
    assert house.answer(opening, "b2").kind == "done"
    # an illegal move: nothing changes, the answer names the rule and what would be legal
    assert house.answer(house.last(second), "b9").kind == "nothing done"
    told = plain(house.last(second))
    assert "b9" in told
    assert "[off-board]" in told
    assert "Rule hex-board" in told
    assert house.match(game).words == ("b2",)
    assert house.answer(house.last(second), "swap").kind == "done"
    # a late duplicate: the opening's answer once more, as a new mail, hits nothing
    before = house.count(first)
    assert house.answer(opening, "b2").kind == "stale"
    assert house.count(first) == before + 1
    assert "older mail" in plain(house.last(first))
    assert house.match(game).words == ("b2", "swap")
    # after the swap the first player is Blue and moves next; Red has b2
    for address, move in [(first, "c1"), (second, "b1"), (first, "d4"), (second, "b3")]:
        assert house.answer(house.last(address), f"Hi!\n\n{move}\n\nCheers").kind == "done"
    assert house.answer(house.last(first), "d3").kind == "done"
    assert house.answer(house.last(second), "b4").kind == "done"
    for address in (first, second):
        told = plain(house.last(address))
        assert "The game is over" in told
        assert "joined both own edges" in told
    verdict = judge(moves.read(Source("mail", record(house.last(first)))))
    assert verdict.legal
    assert verdict.reason == "connection"
    assert verdict.result == "0-1"


def test_a_game_of_lightning_with_orders_and_a_proof(house: House) -> None:
    ann, bob = two(house)
    assert house.write(ann, "challenge Bob lightning word open").kind == "done"
    promised = re.search(r"\b[0-9a-f]{64}\b", plain(house.last(bob)))
    assert promised is not None
    assert promised[0] in plain(house.last(ann))
    assert "“open”" in plain(house.last(bob))
    assert house.answer(house.last(bob), "accept word sesame", proved=True).kind == "done"
    game = tag_of(house.last(bob))
    match = house.match(game)
    seats = [f"{match.player(seat).lower()}@x.example" for seat in (0, 1)]
    seed = match.seed
    # an order that is illegal refuses the whole mail, and nothing is drawn
    house.answer(house.last(seats[0]), "draw; I@d1:s-n; II@d1:s-n")
    assert house.match(game).words == ()
    assert "nothing was drawn" in plain(house.last(seats[0]))
    for turn in range(12):
        mover = house.match(game).to_move
        address = seats[mover]
        house.answer(house.last(address), "draw" if turn % 2 else "draw; I@pool; II@pool; III@pool")
        assert seed not in house.last(address).as_string()
        assert "Seed" not in record(house.last(address))
        words = house.match(game).words
        if words[-1].endswith("@?"):
            again = house.answer(house.last(address), "draw")
            assert again.kind == "done"
            assert house.match(game).words == words
            assert house.answer(house.last(address), f"{words[-1][:-2]}@pool").kind == "done"
    assert house.match(game).plies == 12
    assert house.answer(house.last(seats[0]), "resign").kind == "done"
    for address in seats:
        letter = house.last(address)
        assert seed in plain(letter)
        text = f"commit\n{game}\n{seed}\n"
        assert hashlib.sha256(text.encode()).hexdigest() == promised[0]
        agrees, _ = verify(moves.read(Source("mail", record(letter))))
        assert agrees
    assert house.write(ann, f"verify {game}").kind == "done"
    assert "agree" in plain(house.last(ann))


def test_a_game_of_focus_with_a_takeback(house: House) -> None:
    from referee.service.operator import takeback

    ann, bob = two(house)
    game, (first, second) = begun(house, ann, bob, "focus")
    assert house.answer(house.last(first), "c3–c4:1").kind == "done"  # smart punctuation (M10)
    assert house.match(game).words == ("c3-c4",)
    stale = house.last(second)
    takeback(house.desk, house.now, game, 0, "typed in haste")
    house.send()
    for address in (first, second):
        assert "typed in haste" in plain(house.last(address))
    assert house.answer(stale, "e5-e4").kind == "stale"
    assert house.answer(house.last(first), "c3-d3").kind == "done"
    with house.desk.store.read(house.now) as unit:
        kinds = [entry.kind for entry in unit.log_of(game)]
    assert kinds == ["started", "played", "undone", "played"]
    assert house.answer(house.last(second), "b6-b5 draw?").kind == "done"
    assert "offers a draw" in plain(house.last(first))
    assert house.answer(house.last(first), "draw!").kind == "done"
    assert house.match(game).result == "1/2-1/2"


def test_a_game_of_spiral(house: House) -> None:
    ann = joined(house, "Ann", "ann@x.example")
    assert house.write(ann, "new spiral").kind == "done"
    letter = house.last(ann)
    commit = re.search(r"\b[0-9a-f]{64}\b", plain(letter))
    assert commit is not None
    game = tag_of(letter)
    assert house.answer(letter, "start word by the sea").kind == "done"
    match = house.match(game)
    assert match.tags["Word1"] == "by the sea"
    seed = match.seed
    while house.match(game).status == "on" and house.match(game).plies < 40:
        match = house.match(game)
        move = next(iter(match.rules.legal_moves(match.position)))
        typed = match.rules.format(move, match.setup).replace("+", " ")  # with a blank, in mails
        assert house.answer(house.last(ann), typed).kind == "done"
        assert house.match(game).plies == match.plies + 1
        if house.match(game).status == "on":
            assert seed not in house.last(ann).as_string()
            assert "Seed" not in record(house.last(ann))
    assert house.match(game).status == "over"
    text = record(house.last(ann))
    assert f'[Seed "{seed}"]' in text
    assert "Deal1" not in text
    agrees, _ = verify(moves.read(Source("mail", text)))
    assert agrees


def test_mail_to_the_club_alone_needs_no_token_for_help(house: House) -> None:
    ann = joined(house, "Ann", "ann@x.example")
    assert house.write(ann, "help hex", proved=False, to=ADDRESS).kind == "unproved"
    assert "pie" in plain(house.last(ann)) or "Swap" in plain(house.last(ann))
