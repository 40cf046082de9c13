"""Tokens stolen, old, bent, of other games and seats: nobody but their owner gets anything out of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from referee.mail.identity import code_of, token
from tests.referee.service.house import ADDRESS, House, plain, tag_of

State = Callable[[House], dict[str, list[tuple[Any, ...]]]]
TOKEN = re.compile(r"\b([a-z]+-[0-9]+)\.([12])\.([0-9]+)\.([a-z2-7]{26})\b")


def tokens(house: House) -> dict[str, str]:
    """Return every token that ever went out, and whom it went to."""
    found = {}
    for parcel, letter in house.box.sent:
        match = TOKEN.search(str(letter["Reply-To"] or ""))
        if match:
            found[match[0]] = parcel.recipient
    return found


def at_play(house: House) -> tuple[list[str], dict[str, list[str]]]:
    """Let three players have two games under way, some plies old; return their addresses, and the games' seats."""
    people = [house.player(name) for name in ("Ann", "Bob", "Cat")]
    games = {}
    for challenger, opponent in ((0, 1), (0, 2)):
        name = ("Ann", "Bob", "Cat")[opponent]
        house.write(people[challenger], f"challenge {name} hex size=5 swap=none")
        house.answer(house.last(people[opponent]), "accept", proved=True)
        game = tag_of(house.last(people[opponent]))
        match = house.match(game)
        seats = [
            f"{match.player(seat).lower()}@{match.player(seat).lower()}.example" for seat in (0, 1)
        ]
        games[game] = seats
        for ply, move in enumerate(("a1", "b2", "c3")):
            assert house.answer(house.last(seats[ply % 2], game), move).kind == "done"
    return people, games


@pytest.mark.parametrize("where", ["address", "body"])
@pytest.mark.parametrize("proved", [True, False])
def test_every_token_from_everybody(house: House, unmoved: State, proved: bool, where: str) -> None:
    """Each token that ever went out, sent back by everybody with the gravest command: only its owner is heard.

    And he only while it is current, or where DMARC says that it is he.
    """
    people, games = at_play(house)
    strangers = [*people, "mallory@evil.example"]
    given = tokens(house)
    assert len(given) > 10
    current = {
        token(house.desk.key, game, seat, house.match(game).event): address
        for game, seats in games.items()
        for seat, address in enumerate(seats)
    }
    assert set(current) <= set(given)
    before = unmoved(house)
    for each, owner in given.items():
        for sender in strangers:
            if sender == owner and (proved or each in current):
                continue
            to = f"referee+{each}@club.example" if where == "address" else ADDRESS
            body = "resign" if where == "address" else f"resign\n\n> Token: {each}\n"
            house.give(house.mail(sender, body, to=to, proved=proved), to=to)
            assert unmoved(house) == before, (each, owner, sender)
    for each, owner in current.items():
        to = f"referee+{each}@club.example"
        assert house.give(house.mail(owner, "show", to=to), to=to).kind == "done"


def test_a_bent_token_is_none(house: House, unmoved: State) -> None:
    """One character more, less or other in any part, and it is worth nothing."""
    _, games = at_play(house)
    chance = random.Random(3)
    game, seats = next(iter(games.items()))
    match = house.match(game)
    good = token(house.desk.key, game, match.to_move, match.event)
    owner = seats[match.to_move]
    before = unmoved(house)
    for _ in range(80):
        at = chance.randrange(len(good))
        other = chance.choice("abcdefghijklmnopqrstuvwxyz234567.-0189%")
        bent = chance.choice(
            (good[:at] + other + good[at + 1 :], good[:at] + good[at + 1 :], good + other)
        )
        if bent.lower() == good:
            continue
        to = f"referee+{bent}@club.example"
        house.give(house.mail(owner, "d4", to=to), to=to)
        assert unmoved(house) == before, bent


def test_no_token_but_in_reply_to_and_the_token_line(house: House) -> None:
    """M55, M58: each letter holds its own reader's token, in two places, and no other secret of anybody."""
    at_play(house)
    house.write("ann@ann.example", "next\n\nstandings\n\nhistory hex-1\n\nhelp")
    seen = 0
    for parcel, letter in house.box.sent:
        own = TOKEN.search(str(letter["Reply-To"] or ""))
        text = parcel.data.decode().replace("=\r\n", "")
        found = {match[0] for match in TOKEN.finditer(text)}
        assert found == ({own[0]} if own else set())
        if own:
            seen += 1
            for name in ("Subject", "Message-ID", "References", "In-Reply-To", "From", "List-Id"):
                assert own[0] not in str(letter[name])
        codes = set(re.findall(r"c\.[a-z2-7]{16}", text))
        assert codes <= {
            f"c.{code_of(str(letter['Reply-To']).partition('+')[2].partition('@')[0])}"
        }
    assert seen > 10


def test_a_code_is_worth_nothing_to_anybody_else(house: House, unmoved: State) -> None:
    """A forged mail brings its player a code; whoever else has it, and says yes, is not heard."""
    people, games = at_play(house)
    game = next(iter(games))
    ann = people[0]
    house.write(ann, f"[{game}] resign", subject=f"[{game}]", proved=False)
    letter = house.last(ann)
    code_address = str(letter["Reply-To"])
    before = unmoved(house)
    for sender in ("bob@bob.example", "cat@cat.example", "mallory@evil.example"):
        for proved in (True, False):
            raw = house.mail(sender, "yes", to=code_address, proved=proved)
            assert house.give(raw, to=code_address).kind == "silence"
    # and her own yes to other commands than the code's is asked about, not carried out
    raw = house.mail(ann, "yes\n\nforget me", to=code_address)
    house.give(raw, to=code_address)
    assert unmoved(house) == before
    raw = house.mail(ann, "yes", to=code_address)
    house.give(raw, to=code_address)
    assert house.match(game).status == "over"
    # it was for once
    state = unmoved(house)
    raw = house.mail(ann, "yes", to=code_address)
    house.give(raw, to=code_address)
    assert unmoved(house) == state


def test_a_whole_letter_forwarded_with_its_token(house: House, unmoved: State) -> None:
    """A player forwards a letter to a friend, who answers it from his own account, or lets a program do so."""
    people, games = at_play(house)
    game, seats = next(iter(games.items()))
    letter = house.last(seats[house.match(game).to_move], game)
    before = unmoved(house)
    for proved in (True, False):
        house.answer(letter, "d4", sender="friend@elsewhere.example", proved=proved)
    assert unmoved(house) == before
    assert not [p for p, _ in house.box.sent if p.recipient == "friend@elsewhere.example"]
    asked = plain(house.last(seats[house.match(game).to_move]))
    assert "another address" in asked
    assert "d4" in asked
    assert people[1] != people[2]


def test_tokens_are_cut_out_of_whatever_is_echoed(house: House) -> None:
    """M58: in any place of a mail, whole, in capitals, encoded or broken over lines: no letter to anybody shows it."""
    people, games = at_play(house)
    secret = token(house.desk.key, "hex-2", 1, 7)
    code = "c." + "a2b3c4d5e6f7g2h3"
    start = house.count()
    game, seats = next(iter(games.items()))
    for word in (
        secret,
        secret.upper(),
        secret.replace("hex", "h\u00adex"),
        f"referee+{secret}@club.example",
        code,
    ):
        texts = (
            f"c4 {word}", f"{word}", f"c4\nand {word}", f"preview {word}", f"challenge {word} hex",
            f"challenge Bob {word}", f"challenge Bob hex word={word}", f"show {word}", f"help {word}", f"add {word}",
            f"move 4 {word}", f"queue a1: {word}", f"chat\n{word}\n{word[:30]}\n{word[30:]}\nend",
            f"vacation {word} {word}",
            f"accept word {word[:64]}", f"new spiral {word}", f"start word {word[:60]}", f"> {word}\n> {word}",
            f"name {word}",
        )  # fmt: skip
        for text in texts:
            house.write(people[0], text, subject=f"[{game}]")
        plain_word = word.replace("\u00ad", "")
        house.write(people[0], "blah", subject=f"about {word} and so on")
        house.write(people[0], "blah", message_id=f"<{plain_word}@x.example>")
        house.give(house.mail(f'"{plain_word}" <{people[0]}>', "blah", proved=True))
        house.give(
            house.mail(
                people[0], "blah", proved=True, headers={"References": f"<{plain_word}@x.example>"}
            )
        )
        house.now += timedelta(hours=1)
    house.give(house.mail(f'"{secret}" <new@x.example>', "hello", proved=True, subject=secret))
    house.send()
    assert house.count() > start + 60
    for parcel, letter in list(house.box.sent)[start:]:
        text = parcel.data.decode().replace("=\r\n", "") + plain(letter) + str(letter["Subject"])
        text += str(letter["To"]) + str(letter["In-Reply-To"]) + str(letter["References"])
        assert secret.partition(".")[2] not in text.lower().replace("\u00ad", ""), letter["Subject"]
        assert code not in text.lower()
    assert seats
