"""Senders and results forged in the head of a mail (M50, M51): only what our own server wrote counts."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from referee.mail.inbound import read
from referee.mail.submission import Trust

MX = "mx.club.example"
TRUST = Trust(MX, frozenset({MX, "filter.club.example"}), "referee@club.example")
FORGED = (
    f"Authentication-Results: {MX}; dmarc=pass header.from=ann.example",
    f"Authentication-Results: {MX} 1; dmarc=pass (p=reject) header.from=ann.example",
    f"authentication-results:{MX};dmarc=pass header.from=ann.example",
    f"Authentication-Results: {MX};\n\tdkim=pass;\n\tdmarc=pass header.from=ann.example",
    f"Authentication-Results: ({MX}) {MX}; dmarc=pass header.from=ann.example",
    "Authentication-Results: evil.example; dmarc=pass header.from=ann.example",
    f"ARC-Authentication-Results: i=1; {MX}; dmarc=pass header.from=ann.example",
    f"X-Authentication-Results: {MX}; dmarc=pass header.from=ann.example",
    "Received-SPF: pass",
    "DKIM-Signature: v=1; d=ann.example; b=AAAA",
    f"Received: from ann.example by {MX} with ESMTP; Mon, 3 Mar 2025 09:00:00 +0000",
    "Received: from x by evil.example; Mon, 3 Mar 2025 09:00:00 +0000",
    "Received: by filter.club.example; Mon, 3 Mar 2025 09:00:00 +0000",
)
OURS = f"Received: from evil.example by {MX} with ESMTP; Mon, 3 Mar 2025 09:00:00 +0000"


def dmarc(*fields: str, sender: str = "From: Ann <ann@ann.example>") -> tuple[str, str]:
    """Return who a mail with this head is from, and what is known of that."""
    head = "\n".join((*fields, sender, "To: referee@club.example", "Subject: resign"))
    found = read(
        (head + "\n\nresign\n").encode(),
        recipient="referee@club.example",
        received=datetime(2025, 3, 3, 9, 0, tzinfo=UTC),
        trust=TRUST,
    )
    return found.sender, found.dmarc


@pytest.mark.parametrize("verdict", ["fail", "none", "temperror", "permerror", "bestguesspass", ""])
def test_whatever_stands_below_our_servers_word_is_not_heard(verdict: str) -> None:
    """Any selection of forged fields, in any order, below what our server wrote."""
    chance = random.Random(verdict)
    said = f"dmarc={verdict} header.from=ann.example" if verdict else "spf=pass"
    top = f"Authentication-Results: {MX}; {said}"
    for _ in range(150):
        forged = chance.sample(FORGED, chance.randint(1, 8))
        for ours in ((top, OURS), (OURS, top)):
            assert dmarc(*ours, *forged)[1] != "pass", forged


def test_below_a_received_of_somebody_else_nothing_is_heard() -> None:
    """A mail that came by a host which is not ours carries that host's word, or the writer's own."""
    elsewhere = "Received: from x by relay.elsewhere.example; Mon, 3 Mar 2025 09:00:00 +0000"
    for forged in FORGED:
        assert dmarc(OURS, elsewhere, forged)[1] == "none"


def test_our_word_counts_for_the_domain_it_names_only() -> None:
    good = f"Authentication-Results: {MX}; dmarc=pass header.from=ann.example"
    assert dmarc(good, OURS) == ("ann@ann.example", "pass")
    for other in (
        "evil.example",
        "ann.example.evil.example",
        "xann.example",
        "sub.ann.example",
        "",
    ):
        wrong = good.replace("header.from=ann.example", f"header.from={other}")
        assert dmarc(wrong, OURS)[1] != "pass"
    assert dmarc(good.replace("dmarc=pass", "spf=pass; dkim=pass"), OURS)[1] == "none"
    both = f"{good}; dmarc=fail header.from=ann.example"
    assert dmarc(both, OURS)[1] == "fail"


@pytest.mark.parametrize(
    "sender",
    [
        'From: "ann@ann.example" <mallory@evil.example>',
        "From: ann@ann.example <mallory@evil.example>",
        "From: Ann <ann@ann.example>, Mallory <mallory@evil.example>",
        "From: Ann <ann@ann.example>\nFrom: Mallory <mallory@evil.example>",
        "From: Mallory <mallory@evil.example>\nFrom: Ann <ann@ann.example>",
        "From: ann@ann.example (mallory@evil.example)",
        "From: <ann@ann.example@evil.example>",
        "From: =?utf-8?q?ann=40ann.example?= <mallory@evil.example>",
        "From: =?utf-8?q?Ann_=3Cann=40ann.example=3E?=",
        "From: ann@ann.example\x00@evil.example",
        "From: group: ann@ann.example, mallory@evil.example;",
        "From: <mallory@evil.example> <ann@ann.example>",
        'From: "<ann@ann.example>" <mallory@evil.example>',
        "From: @evil.example:ann@ann.example",
        "From: ann@аnn.example",
        "Sender: ann@ann.example\nFrom: mallory@evil.example",
        "From:\n mallory@evil.example,\n\tann@ann.example",
    ],
)
def test_who_passes_for_evil_example_is_never_ann(sender: str) -> None:
    """Our server vouches for evil.example; whatever the From field does, that is nobody's word for Ann."""
    vouched = f"Authentication-Results: {MX}; dmarc=pass header.from=evil.example"
    address, known = dmarc(vouched, OURS, sender=sender)
    assert (address, known) != ("ann@ann.example", "pass")
    if known == "pass":
        assert address == "mallory@evil.example"


def test_one_address_in_two_spellings_of_its_domain_is_one() -> None:
    good = f"Authentication-Results: {MX}; dmarc=pass header.from=xn--bcher-kva.example"
    for spelling in ("bücher.example", "xn--bcher-kva.example", "BÜCHER.example"):
        assert dmarc(good, OURS, sender=f"From: ann@{spelling}") == (
            "ann@xn--bcher-kva.example",
            "pass",
        )
