"""A letter that cannot be written, an address that nothing reaches: they fail alone (M79, M80, M84)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from referee.mail.auth import addresses, deliverable
from referee.mail.compose import Letter
from tests.referee.service.house import ADDRESS as CLUB
from tests.referee.service.house import House, plain

NOWHERE = (
    *(
        "bob@a..b",
        "x@]",
        "x@[",
        "jörg@x.example",
        'a"b@x.example',
        "x@-",
        "x@-a.example",
        "a..b@x.example",
    ),
    *(
        "...@x.example",
        "x" * 65 + "@x.example",
        "x@" + "y" * 250 + ".example",
        "x@y@z",
        "x@a_b.example",
    ),
    *(
        "@x.example",
        "x@",
        "x@exa mple.example",
        "x@\x00.example",
        "(x)@x.example",
        "x@[127.0.0.1]",
        CLUB,
        "Referee+x@CLUB.example",
    ),
)


@pytest.mark.parametrize("address", NOWHERE)
def test_an_address_that_nothing_reaches_is_refused(house: House, address: str) -> None:
    from referee.service.operator import RefusedError, invite

    ann = house.player("Ann")
    assert deliverable(address, CLUB) is None
    for text in (f"challenge {address} hex", f"add {address}"):
        before = house.count()
        house.write(ann, text)
        assert house.count() == before + 1  # the answer; nothing to the address
    with pytest.raises(RefusedError):
        invite(house.desk, house.now, address, "")
    with house.desk.store.read(house.now) as unit:
        assert unit.outbox_counts()["due"] == unit.outbox_counts()["failed"] == 0


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Ann@X.Example", "ann@x.example"),
        (" ann@x.example ", "ann@x.example"),
        ("o'neil+chess@x.example", "o'neil+chess@x.example"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        ("a.b.c@localhost", "a.b.c@localhost"),
    ],
)
def test_addresses_that_mail_reaches(written: str, meant: str) -> None:
    assert deliverable(written, CLUB) == meant
    assert deliverable(meant, CLUB) == meant


def test_one_poisoned_letter_keeps_no_other_from_going(house: House) -> None:
    """Whatever lies in the outbox: it is given up by itself, and all after it go."""
    game, (first, second) = house.begun("hex", "size=5")
    poison = Letter("x@[", "", "x", "x", "x", "<p@x.example>", datetime(2025, 1, 1, tzinfo=UTC))
    with house.desk.store.begin(house.now) as unit:
        for number, raw in enumerate((poison.saved(), b"{}", b"\xff", b"[]", b'{"to": 1}', b"")):
            unit.outbox_add("notice", first, f"<p{number}@x.example>", raw)
    assert house.answer(house.last(first, game), "c3").kind == "done"
    assert "c3" in plain(house.last(second, game))
    with house.desk.store.read(house.now) as unit:
        counts = unit.outbox_counts()
    assert (counts["due"], counts["failed"]) == (0, 6)


def test_a_vouched_stranger_with_an_odd_address_stops_nothing(house: House) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    odd = ("x@a..b", "jörg@x.example", '"a b"@x.example', "x@[1.2.3.4]", "=?utf-8?q?x?=@y.example")
    for address in odd:
        raw = house.mail("x@y.example", "hello", proved=True)
        raw = raw.replace(b"From: x@y.example", f"From: {address}".encode())
        domain = (
            addresses(address)[0].address.rpartition("@")[2] if addresses(address) else "y.example"
        )
        raw = raw.replace(b"header.from=y.example", f"header.from={domain}".encode())
        house.give(raw)
    assert house.answer(house.last(first, game), "c3").kind == "done"
    with house.desk.store.read(house.now) as unit:
        assert unit.outbox_counts()["due"] == 0
