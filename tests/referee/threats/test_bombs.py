"""Mail bombs through the whole way: nesting, size, archives, endless heads. The move above them is played."""

from __future__ import annotations

import base64
import io
import time
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.referee.service.house import House

State = Callable[[House], dict[str, list[tuple[Any, ...]]]]
MOST = 3.0
"""Seconds of this process' time for one mail on a slow machine; a bomb that goes off takes minutes."""


def zipped() -> bytes:
    """Return an archive of 10 KB that unpacks to 10 MB."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("move.txt", b"resign\n" * 1_500_000)
    return data.getvalue()


def attached(content: bytes, kind: str, name: str) -> bytes:
    return (
        f'--x\nContent-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n'
        "Content-Transfer-Encoding: base64\n\n"
    ).encode() + base64.encodebytes(content)


MIXED = b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain\n\nc3\n\n'


def bombs() -> Iterator[tuple[str, bytes]]:
    """Yield bodies, with their head fields, that begin with the move c3 and then go off."""
    yield "zip", MIXED + attached(zipped(), "application/zip", "a.zip") + b"--x--\n"
    yield "zip as text", MIXED + attached(zipped(), "text/plain", "resign.txt") + b"--x--\n"
    yield (
        "many attachments",
        MIXED + attached(b"resign", "text/plain", "../../r") * 20_000 + b"--x--\n",
    )
    yield "path names", MIXED + attached(b"resign", "text/plain", "/etc/passwd\\..\\x") + b"--x--\n"
    deep = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(5000)
    )
    yield "nested parts", MIXED + b"--x\n" + deep + b"Content-Type: text/plain\n\nresign\n"
    inner = b"Content-Type: message/rfc822\n\n" * 3000 + b"\nresign\n"
    yield "nested mails", MIXED + b"--x\n" + inner + b"\n--x--\n"
    page = b"<div>" * 200_000 + b"resign" + b"</div>" * 200_000
    html = (
        b'MIME-Version: 1.0\nContent-Type: text/html\n\n<p>c3</p><br><p></p><div style="display:none">'
        + page
    )
    yield "nested html", html
    yield (
        "html attributes",
        b"Content-Type: text/html\n\n<p>c3</p><p></p><p " + b"a='b' " * 100_000 + b">",
    )
    yield "html entities", b"Content-Type: text/html\n\n<p>c3</p><p></p>" + b"&amp;" * 200_000
    yield "empty lines", b"\nc3\n\n" + b"\n" * 500_000
    yield "quote marks", b"\nc3\n\n" + b">" * 500_000 + b" resign\n"
    yield "quoted lines", b"\nc3\n\n" + b"> > > resign\n" * 50_000
    yield "one long line", b"\nc3\n\n> " + b"resign " * 100_000
    yield "head fields", b"".join(b"X-Field-%d: resign\n" % n for n in range(50_000)) + b"\nc3\n"
    yield "a long field", b"X-Long: " + b"a (b" * 100_000 + b"\n\nc3\n"
    yield "references", b"References: " + b"<a@b> " * 50_000 + b"\n\nc3\n"
    yield "folded", b"X-Fold: a\n" + b" b\n" * 100_000 + b"\nc3\n"
    yield "boundaries", MIXED + b"--x\n\n" * 100_000
    yield "charset", b"Content-Type: text/plain; charset=" + b"x" * 100_000 + b"\n\nc3\n"
    yield "parameters", b"Content-Type: text/plain" + b"; a*0*=b" * 20_000 + b"\n\nc3\n"
    yield "words", b"X-Word: " + b"=?utf-8?q?=41?= " * 20_000 + b"\n\nc3\n"
    yield (
        "quoted-printable",
        b"Content-Transfer-Encoding: quoted-printable\n\nc3\n\n" + b"=\n" * 200_000,
    )


@pytest.mark.parametrize(("name", "rest"), [pytest.param(*b, id=b[0]) for b in bombs()])
def test_a_bomb_costs_little_and_the_move_above_it_counts(
    house: House, name: str, rest: bytes
) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    head = f"From: {first}\nTo: {to}\nSubject: Re: [{game}]\nMessage-ID: <{len(rest)}@x.example>\n"
    begun = time.process_time()
    outcome = house.give(head.encode() + rest, to=to)
    assert time.process_time() - begun < MOST
    assert house.match(game).status == "on"
    assert house.match(game).words in (("c3",), ())
    # what could not be read for sure is answered, nothing else is left out
    assert (outcome.kind == "done") == (house.match(game).words == ("c3",))
    assert outcome.kind in ("done", "nothing done", "unreadable", "too large")
    assert outcome.letters >= 1


HARMLESS = ("zip", "zip as text", "many attachments", "path names", "quoted lines")


def test_what_is_attached_or_quoted_does_not_even_hide_the_move(house: House) -> None:
    for name, rest in bombs():
        if name in HARMLESS:
            club = House(house.folder.with_name(name.replace(" ", "-")))
            game, (first, _) = club.begun("hex", "size=5")
            to = str(club.last(first, game)["Reply-To"])
            head = f"From: {first}\nTo: {to}\nSubject: Re: [{game}]\nMessage-ID: <1@x.example>\n"
            assert club.give(head.encode() + rest, to=to).kind == "done", name
            assert club.match(game).words == ("c3",), name


@pytest.mark.parametrize("size", [2_000_000, 41 << 20])
def test_size_is_the_only_limit_and_is_said(house: House, size: int) -> None:
    game, (first, _) = house.begun("hex", "size=5")
    to = str(house.last(first, game)["Reply-To"])
    raw = house.mail(first, "c3\n", to=to) + b"x" * 70 + b"\n" + (b"y" * 70 + b"\n") * (size // 71)
    begun = time.process_time()
    outcome = house.give(raw, to=to)
    assert time.process_time() - begun < MOST
    assert outcome.kind in ("unreadable", "too large")
    assert "MiB" in house.last(first).as_string()
    assert house.match(game).words == ()


def test_a_bomb_of_a_stranger_is_not_answered_and_leaves_nothing(
    house: House, unmoved: State
) -> None:
    before = unmoved(house)
    for name, rest in bombs():
        if name in ("zip", "nested parts", "head fields"):
            head = b"From: eve@evil.example\nTo: referee@club.example\nSubject: hi\n"
            assert house.give(head + rest).kind in ("silence", "automatic")
    assert house.count() == 0
    assert unmoved(house) == before
