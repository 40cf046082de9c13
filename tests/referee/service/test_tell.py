"""Who hears of what, from which side (M85, M86, M98, M103); a game by itself, without mails."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from referee.match import (
    Event,
    Line,
    Match,
    Offered,
    Played,
    Queued,
    QueueDropped,
    Substituted,
    begin,
    propose,
)
from referee.service import operator
from referee.service.tell import listeners, notes
from tests.referee.service.house import House, plain


def hex_game() -> Match:
    return begin(propose("Hex", 1, {}, "", None), "Ann", "Bob", date(2025, 3, 3)).match


@pytest.mark.parametrize(
    ("event", "actor", "told"),
    [
        (Played(0, 1, "f6"), 0, (1,)),
        (Played(1, 2, "f6"), 1, (0,)),
        (Offered(0, waits=True), 0, ()),
        (Offered(0), 0, (1,)),
        (Queued(0, Line(2, (("d4", "e5"),))), 0, ()),
        (QueueDropped(1, 4, "e5", "occupied", "e5 is taken"), 0, (1,)),
        (QueueDropped(0, 4, "e5", "occupied", "e5 is taken"), 0, ()),
        (Substituted(0, "Ann", "Cid"), None, (0, 1)),
    ],
    ids=lambda value: value.kind if isinstance(value, Event) else "",
)
def test_m85_who_gets_a_letter(event: Event, actor: int | None, told: tuple[int, ...]) -> None:
    assert listeners(hex_game(), [event], actor) == told


def test_what_is_private_is_told_to_its_owner_alone() -> None:
    events = [Queued(0, Line(2, (("d4", "e5"),))), Played(0, 1, "f6")]
    assert [said.name for said in notes(hex_game(), events, 0)] == ["queued", "played"]
    assert [said.name for said in notes(hex_game(), events, 1)] == ["played"]
    assert [said.name for said in notes(hex_game(), events, None)] == ["played"]


def test_one_side_is_you_the_other_has_its_name() -> None:
    said = [notes(hex_game(), [Played(0, 1, "f6")], seat)[0].values["who"] for seat in (0, 1)]
    assert said == ["You", "Ann"]


def test_an_offer_that_waits_is_told_to_who_makes_it_alone(house: House) -> None:
    game, (first, second) = house.begun("focus")
    house.answer(house.last(first, game), "draw?\nc3-c4")
    told = " ".join(plain(house.last(second, game)).split())
    assert "Your draw offer" not in told
    assert "offers a draw" in told
    assert "“draw?” offers" not in told  # one offer at a time
    assert "Your draw offer waits" in plain(house.last(first, game))
    house.answer(house.last(second, game), "undo?")
    house.answer(house.last(first, game), "undo?")
    assert "before the first ply" in " ".join(plain(house.last(second, game)).split())


def test_who_has_played_with_dr_brooks_is_told_how_to_play_again(house: House) -> None:
    ann = house.player("Ann")
    house.write(ann, "new spiral")
    house.answer(house.last(ann), "start")
    house.answer(house.last(ann), "resign")
    assert "To play again, write “new spiral”" in " ".join(plain(house.last(ann)).split())


def test_in_a_cancelled_game_nobody_is_said_to_be_to_move(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    house.answer(house.last(first, game), "c3")
    operator.rule(house.desk, house.now, game, "cancel", "the server moves")
    house.send()
    told = " ".join(plain(house.last(first)).split())
    assert "Ply 1: c3; Cancelled; nobody is to move." in told
    assert "(Blue) is to move" not in told


def test_m98_a_substitute_plays_nothing_that_the_other_had_queued(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.player("Cid")
    house.answer(house.last(second, game), "queue c3: d4")
    leaving = house.match(game).player(1)
    operator.substitute(house.desk, house.now, game, leaving, "Cid")
    house.send()
    stale = house.last(second, game)
    house.answer(house.last(first, game), "c3")
    assert house.match(game).words == ("c3",)
    assert house.answer(stale, "d4").kind in ("stale", "code", "silence")
    assert house.match(game).words == ("c3",)
    assert house.answer(house.last("cid@cid.example", game), "d4").kind == "done"
    before = house.count(second)
    house.answer(house.last(first, game), "a1")
    assert house.count(second) == before


def test_m103_a_queued_answer_has_its_increment_too(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5", "bank=10h", "increment=2h", "cap=20h")
    house.answer(house.last(second, game), "queue c3: d4")
    house.now += timedelta(hours=1)
    house.answer(house.last(first, game), "c3")
    with house.desk.store.read(house.now) as unit:
        kept = unit.game(game)
    assert kept is not None
    assert kept.clock is not None
    assert kept.clock.banks == (timedelta(hours=11), timedelta(hours=12))
    assert kept.clock.seat == 0
    assert kept.clock.since == house.now  # the answer to the mail is the notice of the next turn


def test_m86_one_mail_a_day_for_many_games(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.write(
        first, "challenge Ann hex size=5" if first.startswith("bob") else "challenge Bob hex size=5"
    )
    house.answer(house.last(second), "accept", proved=True)
    house.write(second, "digest on")
    before = house.count(second)
    house.answer(house.last(first, game), "c3")
    house.later(minutes=1)
    house.answer(house.last(second, game), "undo?")
    house.later(hours=2)
    told = [plain(sent.message) for sent in house.box.sent if sent.parcel.recipient == second]
    assert sum("game waits" in text or "games wait" in text for text in told[before:]) == 1
    # the address in the digest is a token's: its answer counts
    address = next(word for word in told[before].split() if f"+{game}." in word)
    assert house.give(house.mail(second, "d4", to=address), to=address).kind == "done"
    assert house.match(game).words == ("c3", "d4")


def test_m76_a_record_that_comes_back_is_no_command(house: House) -> None:
    from email.message import EmailMessage

    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = first, to, "<record@x.example>"
    message.set_content("here is the game")
    message.add_attachment("1. c3 *\n", filename="hex-1.moves")
    assert house.give(message.as_bytes(), to=to).kind == "nothing done"
    assert house.match(game).words == ()


def test_m104_m105_what_is_refused_says_what_would_be_legal(house: House) -> None:
    game, (first, second) = house.begun("hex", "size=5")
    house.answer(house.last(first, game), "c3")
    house.answer(house.last(second, game), "c3")
    told = " ".join(plain(house.last(second, game)).split())
    assert "[occupied]" in told
    near = told.partition("Legal, nearest first: ")[2].partition(".")[0].split()
    assert near
    assert house.answer(house.last(second, game), near[0]).kind == "done"
