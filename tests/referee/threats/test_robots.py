"""Robots without any header that tells them, floods, and our own texts coming back as new ones (M23, M40 to M42)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from referee.mail.grammar import read_line
from referee.mail.moves import any_game
from referee.mail.subjects import read_subject
from tests.referee.service.house import ADDRESS, House, html, plain

State = Callable[[House], dict[str, list[tuple[Any, ...]]]]


def answered(house: House, letter: Any, text: str, sender: str, *, proved: bool) -> None:
    """Answer as a robot does: to the Reply-To, without quote marks or any header of a machine."""
    to = str(letter["Reply-To"] or letter["From"]).rpartition("<")[2].rstrip(">")
    house.give(
        house.mail(sender, text, to=to, subject=f"Re: {letter['Subject']}", proved=proved), to=to
    )


@pytest.mark.parametrize("proved", [True, False])
def test_a_player_who_is_a_robot_gets_no_more_than_the_budget(
    house: House, unmoved: State, proved: bool
) -> None:
    """His out-of-office answers each of our letters, without saying what it is, with our text unquoted below."""
    game, (first, second) = house.begun("hex", "size=5")
    before, sent = unmoved(house), house.count()
    letter = house.last(first, game)
    for _ in range(200):
        text = f"I am away until Monday.\n\nKind regards\n\n{plain(letter)}"
        count = house.count(first)
        answered(house, letter, text, first, proved=proved)
        if house.count(first) == count:
            break
        letter = house.last(first)
    assert unmoved(house) == before
    assert house.count() - sent <= 20
    assert house.count(second) + house.count("op@club.example") > 0
    # an hour later he is himself again, and everything goes on
    house.now += timedelta(hours=1)
    assert house.answer(house.last(first, game), "c3").kind == "done"


def test_a_robot_that_is_no_player_gets_one_answer_a_day(house: House) -> None:
    for number in range(50):
        house.give(house.mail("robot@shop.example", f"Your ticket is {number}", proved=True))
    assert house.count("robot@shop.example") == 1
    house.give(house.mail("other@shop.example", "Your ticket is 51"))
    assert house.count("other@shop.example") == 0


def test_m41_a_robot_with_a_new_address_each_time_meets_the_common_budget(house: House) -> None:
    for number in range(60):
        house.give(house.mail(f"ticket{number}@shop.example", "We got your mail", proved=True))
    assert house.count() == 20


def test_m41_a_robot_that_says_the_same_again_and_again_is_left_alone(house: House) -> None:
    """M41: after so many equal texts of which nothing can be carried out it gets no answer; the operator is told."""
    game, (first, _) = house.begun("hex", "size=5")
    letter, before = house.last(first, game), house.count(first)
    for _ in range(4):
        for _ in range(20):  # the budget of an hour
            house.answer(letter, "Your ticket is being looked at.")
        house.now += timedelta(hours=1)
    assert house.count(first) - before == 60
    assert house.count("op@club.example") == 1
    assert first in plain(house.last("op@club.example"))
    assert house.answer(letter, "c3").kind == "done"


def letters_of_a_club(house: House) -> list[tuple[str, Any]]:
    """Let letters of many kinds go out and return them with their readers."""
    ann, bob = house.player("Ann"), house.player("Bob")
    house.write(ann, "challenge Bob lightning word open")
    house.write(ann, "challenge Bob focus")
    house.write(ann, "challenge Bob hex size=4")
    for letter in [m for p, m in house.box.sent if p.recipient == bob]:
        house.answer(letter, "accept", proved=True)
    house.write(ann, "new spiral")
    house.answer(house.last(ann), "start")
    for address in (ann, bob):
        house.write(
            address, "help hex\n\nhelp\n\nnext\n\nstandings\n\nvacation 2025-07-01 2025-07-03"
        )
        house.write(address, "history hex-3\n\nhistory focus-2\n\nverify lightning-1")
        house.write(address, "show hex-3\n\nshow lightning-1\n\nshow focus-2")
    match = house.match("hex-3")
    mover = f"{match.player(0).lower()}@{match.player(0).lower()}.example"
    house.answer(house.last(mover, "hex-3"), "z9")
    house.answer(house.last(mover, "hex-3"), "b2\n\nchat\nresign\nend")
    house.write(ann, "resign", subject="[hex-3]", proved=False)
    house.write(ann, "digest on")
    return [(parcel.recipient, message) for parcel, message in house.box.sent]


def test_m23_our_own_texts_are_no_commands(house: House, unmoved: State) -> None:
    """M23: every letter of ours, sent back by its reader as if he had written it: nothing of it is carried out."""
    letters = letters_of_a_club(house)
    assert len(letters) > 25
    house.now += timedelta(days=1)
    before = unmoved(house)
    for reader, letter in letters:
        for text in (plain(letter), html_text(letter)):
            answered(house, letter, text, reader, proved=True)
            assert unmoved(house) == before, text


def test_no_subject_of_ours_is_a_command(house: House) -> None:
    """An answer keeps the subject: with a command in it, any thanks would give the command again."""
    for reader, letter in letters_of_a_club(house):
        del reader
        subject = read_subject(str(letter["Subject"])).text
        assert not read_line(subject, 0, any_game), subject
    ann = house.player("Cleo")
    for subject in ("next", "Re: standings hex", "help", "decline", "f6", "[hex-3] show", "", "hi"):
        house.write(ann, "", subject=subject)
        answer = str(house.last(ann)["Subject"])
        assert not read_line(read_subject(answer).text, 0, any_game), answer
        count = house.count(ann)
        assert house.answer(house.last(ann), "Thank you!", proved=True).kind == "nothing done"
        assert house.count(ann) == count + 1


def html_text(letter: Any) -> str:
    """Return what a mail program makes of the page when somebody copies it."""
    import re

    page = html(letter).partition("<body>")[2]
    page = re.sub(r"<(br|/p|/li|/div|/h1|/pre|/blockquote)[^>]*>", "\n", page)
    from html import unescape

    return unescape(re.sub(r"<[^>]+>", "", page))


def test_m42_two_clubs_that_write_to_each_other(house: House) -> None:
    """M42: a letter of another club of this program is known by its header, in the head alone."""
    ann = house.player("Ann")
    house.write(ann, "help")
    for header in (ADDRESS, "referee@other.example"):
        raw = house.mail(ann, "next", proved=True, headers={"X-Referee-Loop": header})
        count = house.count()
        assert house.give(raw).kind == "own"
        assert house.count() == count
    body = house.mail(ann, "next\n\nX-Referee-Loop: referee@club.example\n", proved=True)
    assert house.give(body).kind == "done"


def test_a_flood_in_anothers_name_costs_him_no_deadline(house: House) -> None:
    """A thousand forged mails: his clock, his budget, his codes for things in his name, his moves are as before."""
    game, (first, second) = house.begun("hex", "size=5", "days=3")
    letter = house.last(first, game)
    house.later(days=2, hours=23)
    before = house.count(first)
    for number in range(80):
        house.give(house.mail(first, f"[{game}] move 1 a{number % 5 + 1}", subject=f"[{game}]"))
    assert house.count(first) - before <= 20 + 3
    assert house.answer(letter, "c3").kind == "done"
    house.later(days=2)
    assert house.match(game).status == "on"
    assert house.answer(house.last(second, game), "c4").kind == "done"


def test_a_player_cannot_be_flooded_by_another(house: House) -> None:
    """Challenges, undo requests, offers, chat: each has its bound."""
    game, (first, second) = house.begun("focus")
    house.answer(house.last(first, game), "c3-c4")
    before = house.count(second)
    name = house.match(game).player(1)
    for _ in range(44):
        house.write(first, f"challenge {name} hex")
        house.write(first, "decline")
    for _ in range(23):
        house.write(first, "undo?\n\ndraw?\n\npreview c3-c4\n\nchat\nhey\nend", subject=f"[{game}]")
        house.write(first, "chat\nhey\nend", subject=f"[{game}]")
    assert house.count(second) - before <= 40 + 40 + 1 + 20
