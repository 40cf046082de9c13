"""A club at real servers: mails by SMTP into Dovecot, fetched by `referee serve`, answered by SMTP, and by LMTP."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.core.source import Source
from referee.judge import judge
from referee.notation import moves
from tests.referee.real import servers
from tests.referee.real.people import CLUB, Person, game_of, plain, record, referee, serving
from tests.referee.real.servers import PASSWORD, Dovecot, Exim, Papers, owned

MAIL_IN = """\
[mail.in]
kind = "imap"
host = "localhost"
port = {imap.tls}
user = "referee"
tls = "tls"
poll = 1
password_file = "imap.password"
authserv_id = "mx.club.example"
trusted_hosts = ["mx.club.example"]
"""
MAIL_OUT = """\
[mail.out]
kind = "smtp"
host = "localhost"
port = {smtp.plain}
user = "referee"
tls = "starttls"
password_env = "CLUB_SMTP"
"""
LMTP = """\
[mail.in]
kind = "lmtp"
path = "{path}"
authserv_id = "mx.club.example"
trusted_hosts = ["mx.club.example"]
"""


@pytest.fixture
def environ(good: Papers) -> dict[str, str]:
    """What the club's processes are told: whom to trust, and a password."""
    return {"SSL_CERT_FILE": str(good.authority), "CLUB_SMTP": PASSWORD}


Club = Callable[[str], Path]


@pytest.fixture
def club(tmp_path: Path, imap: Dovecot, smtp: Exim) -> Club:
    """A function: makes a club with a way in, and returns its folder."""

    def made(mail_in: str) -> Path:
        folder = tmp_path / "club"
        referee(
            *("init", str(folder), "--name", "Real Club", "--address", CLUB),
            *("--zone", "Europe/Berlin", "--operator", "op@club.example"),
        )
        config = folder / "club.toml"
        text = re.sub(r"\[mail\.in\].*?(?=\[policy\])", "", config.read_text(), flags=re.DOTALL)
        path = smtp.home / "club" / "lmtp.sock"
        ways = (mail_in + "\n" + MAIL_OUT).format(imap=imap, smtp=smtp, path=path)
        config.write_text(text + "\n" + ways)
        owned(folder / "imap.password", PASSWORD)
        os.chown(folder / "imap.password", os.geteuid(), os.getegid())
        return folder

    return made


@pytest.fixture
def people(imap: Dovecot, smtp: Exim) -> tuple[Person, Person]:
    """Ann and Bob, and empty boxes."""
    boxes = {name: imap.mail / name for name in ("referee", "ann", "bob")}
    for box in boxes.values():
        for path in box.glob("*/*"):
            path.unlink()
    return Person("ann", boxes["ann"], smtp), Person("bob", boxes["bob"], smtp)


def joined(folder: Path, environ: dict[str, str], *persons: Person) -> None:
    """Let people join: the operator invites them, they say yes."""
    for person in persons:
        referee(
            "invite",
            person.address,
            "--name",
            person.name.title(),
            "--club",
            str(folder),
            environ=environ,
        )
    for person in persons:
        person.answer(person.next(), "yes")
    for person in persons:
        assert f"Welcome to Real Club, {person.name.title()}" in plain(person.next())


def at_once(folder: Path, *persons: Person) -> tuple[str, Person, Person]:
    """Begin a small game of Hex between players who joined at another time; return it, and who plays when."""
    from referee.mail.identity import name_key
    from referee.service.desk import open_desk, utc_now
    from referee.service.operator import new

    desk = open_desk(folder, utc_now())
    with desk.store.begin(utc_now()) as unit:
        for person in persons:
            name = person.name.title()
            assert unit.add_player(name, name_key(name), person.address) is not None
    names = [person.name for person in persons]
    game, _ = new(desk, utc_now(), "hex", (names[0], names[1]), [("size", "2"), ("swap", "none")])
    desk.store.close()
    return game, persons[0], persons[1]


def begun(ann: Person, bob: Person, what: str) -> tuple[str, Person, Person]:
    """Let Ann challenge Bob, who accepts; return the game and who plays first and second."""
    ann.write(f"challenge Bob {what}")
    assert "Bob" in plain(ann.next())
    bob.answer(bob.next(), "accept")
    letters = {ann.name: ann.next(), bob.name: bob.next()}
    game = game_of(letters["ann"])
    first, second = (ann, bob) if "Ann – Bob" in str(letters["ann"]["Subject"]) else (bob, ann)
    assert game_of(letters["bob"]) == game
    first.opening = letters[first.name]  # type: ignore[attr-defined]
    return game, first, second


def test_a_game_of_hex_by_smtp_and_imap(
    club: Club, environ: dict[str, str], people: tuple[Person, Person]
) -> None:
    folder = club(MAIL_IN)
    ann, bob = people
    with serving(folder, environ):
        joined(folder, environ, ann, bob)
        game, first, second = begun(ann, bob, "hex size=2 swap=sides")
        opening = first.opening  # type: ignore[attr-defined]
        first.answer(opening, "Hello!\n\na1\n\nBest wishes")
        answered, notice = first.next(), second.next()
        assert "a1" in plain(answered)
        # an illegal move
        second.answer(notice, "c4")
        refused = second.next()
        assert "off-board" in plain(refused)
        # the swap, out of the first notice: its token is still good, for nothing was played
        second.answer(notice, "swap")
        assert "swap" in plain(second.next())
        turn = first.next()
        # a late duplicate: the very same mail, and the same move in another mail
        again = first.answer(opening, "a1")
        stale = first.next()
        assert f"[{game}] move 3 a1" in plain(stale)
        first.post(again.as_bytes(), str(again["To"]))
        # sides are swapped: who played a1 is Blue now and moves next
        movers = [(first, "b1"), (second, "a2")]
        letter = turn
        for number, (mover, move) in enumerate(movers):
            other = second if mover is first else first
            mover.answer(letter, move)
            mine, letter = mover.next(), other.next()
            assert str(mine["Subject"]) == str(letter["Subject"]) == str(opening["Subject"])
            if number < len(movers) - 1:
                assert "Seed" not in record(letter)
        for last in (mine, letter):
            assert "The game is over" in plain(last)
            verdict = judge(moves.read(Source("mail", record(last))))
            assert (verdict.legal, verdict.result, verdict.reason) == (True, "0-1", "connection")
            assert "\n1. a1 swap 2. b1 a2 " in record(last)
        first.silence()
        second.silence()
    assert referee("games", "--club", str(folder)).count(game) <= 1
    assert "\n1 game" not in referee("games", "--club", str(folder))


def test_a_forged_mail_at_a_real_server(
    club: Club, environ: dict[str, str], people: tuple[Person, Person], smtp: Exim, imap: Dovecot
) -> None:
    """Who writes as Ann without her login, with a result of his own in the head, gets nothing done."""
    folder = club(MAIL_IN)
    ann, bob = people
    game, first, second = at_once(folder, ann, bob)
    with serving(folder, environ):
        opening = first.next()
        second.next()
        mallory = Person(first.name, imap.mail / "cat", smtp, vouched=False)
        mallory.write(
            f"[{game}] move 1 b2\nresign",
            Authentication_Results="mx.club.example; dmarc=pass header.from="
            + first.name
            + ".example",
        )
        asked = first.next()
        assert "nobody vouches for" in plain(asked)
        assert asked["Reply-To"] is not None
        first.answer(opening, "a1")
        assert "a1" in plain(first.next())
        second.next()
        mallory.silence()
    assert "1. a1" in referee("show", game, "--club", str(folder))


def test_a_game_by_lmtp(
    club: Club, environ: dict[str, str], people: tuple[Person, Person], smtp: Exim
) -> None:
    """Exim hands the mails over by LMTP; down for a while, the club loses none."""
    folder = club(LMTP)
    ann, bob = people
    socket_path, switch = smtp.home / "club" / "lmtp.sock", smtp.home / "lmtp"

    def ready() -> None:
        end = time.monotonic() + servers.PATIENCE
        while not socket_path.exists() and time.monotonic() < end:
            time.sleep(0.05)
        if os.geteuid() == 0:
            os.chown(socket_path, -1, servers.unprivileged().gid)

    _, first, second = at_once(folder, ann, bob)
    switch.touch()
    try:
        with serving(folder, environ):
            ready()
            first.answer(first.next(), "a1")
            first.next()
            second.next()
            notice = second.next()
        second.answer(notice, "b1")  # nobody is there; Exim keeps it
        time.sleep(0.5)
        second.silence()
        with serving(folder, environ):
            ready()
            smtp.queue()
            assert "b1" in plain(second.next())
            first.answer(first.next(), "a2")
            for person in (first, second):
                assert "The game is over" in plain(person.next())
    finally:
        switch.unlink()
