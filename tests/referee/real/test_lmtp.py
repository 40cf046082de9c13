"""Mail in by LMTP: a real client on the Unix socket, and Exim's own LMTP transport (mail.md, Mail in)."""

from __future__ import annotations

import contextlib
import os
import smtplib
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.club import MailIn
from referee.errors import RefereeError
from referee.mail.lmtp import Listener
from referee.mail.transport import TransportError
from tests.referee.real import servers
from tests.referee.real.servers import Exim, free_ports

CLUB = "referee@club.example"
TOKEN = "referee+hex-1.1.0.abcdefghijklmnopqrstuvwxyz@club.example"
MAIL = b"From: ann@ann.example\r\nSubject: Re: [hex-1]\r\n\r\nf6\r\n"

Listen = Callable[..., Listener]


@pytest.fixture
def kept() -> list[tuple[bytes, str]]:
    """What was stored."""
    return []


@pytest.fixture
def listen(kept: list[tuple[bytes, str]]) -> Iterator[Listen]:
    """Listeners, closed at the end; `keep` may be another than one that remembers."""
    with contextlib.ExitStack() as stack:

        def made(
            path: Path, *, port: int = 0, keep: Callable[[bytes, str], None] | None = None
        ) -> Listener:
            source = MailIn(
                kind="lmtp", path=path, host="127.0.0.1" if port else "", port=port or 1
            )
            listener = Listener(source, CLUB, keep or (lambda raw, to: kept.append((raw, to))))
            stack.callback(listener.close)
            return listener

        yield made


@pytest.fixture
def path() -> Iterator[Path]:
    """Where the socket lies: a short path."""
    with servers.folder("lmtp-") as folder:
        yield folder / "lmtp.sock"


def client(path: Path) -> smtplib.LMTP:
    return smtplib.LMTP(str(path), timeout=10)


def test_a_mail_is_stored_for_each_recipient(
    path: Path, listen: Listen, kept: list[tuple[bytes, str]]
) -> None:
    listen(path)
    with client(path) as mta:
        assert mta.sendmail("ann@ann.example", [CLUB], MAIL) == {}
        assert mta.sendmail("ann@ann.example", [TOKEN], MAIL) == {}
    assert [to for _, to in kept] == [CLUB, TOKEN]
    assert all(raw.endswith(b"\r\n\r\nf6\r\n") for raw, _ in kept)


def test_the_socket_is_for_owner_and_group_alone(path: Path, listen: Listen) -> None:
    listen(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    assert stat.S_ISSOCK(path.stat().st_mode)


def answers(path: Path, recipients: list[str], mail: bytes) -> list[str]:
    """Speak LMTP by hand and return the lines that answer the text."""
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(10)
        wire.connect(str(path))
        stream = wire.makefile("rwb")

        def line() -> str:
            while True:
                text = stream.readline().decode()
                if text[3:4] != "-":
                    return text.strip()

        def say(text: bytes) -> str:
            stream.write(text + b"\r\n")
            stream.flush()
            return line()

        line()
        say(b"LHLO mx")
        say(b"MAIL FROM:<>")
        taken = sum(say(b"RCPT TO:<%s>" % to.encode()).startswith("250") for to in recipients)
        assert say(b"DATA").startswith("354")
        stream.write(mail + b"\r\n.\r\n")
        stream.flush()
        return [line() for _ in range(taken)]


def test_one_answer_for_each_accepted_recipient_each_after_its_commit(
    path: Path, listen: Listen
) -> None:
    """The second cannot be stored: the first stays stored, the second comes again."""
    stored: list[str] = []

    def keep(raw: bytes, to: str) -> None:
        if to.startswith("referee+hex"):
            raise RefereeError("no space is left; make some, nothing was lost")
        stored.append(to)

    listen(path, keep=keep)
    third = "REFEREE+hex-2.1.0.abcdefghijklmnopqrstuvwxyz@CLUB.example"
    lines = answers(path, [CLUB, "stranger@club.example", TOKEN, third], MAIL)
    assert [line[:3] for line in lines] == ["250", "451", "250"]
    assert "no space is left" in lines[1]
    assert stored == [CLUB, third]


def test_an_answer_waits_for_its_commit(path: Path, listen: Listen) -> None:
    free = threading.Event()

    def keep(raw: bytes, to: str) -> None:
        free.wait(10)

    listen(path, keep=keep)
    got: list[str] = []
    thread = threading.Thread(target=lambda: got.extend(answers(path, [CLUB], MAIL)))
    thread.start()
    time.sleep(0.3)
    assert got == []
    free.set()
    thread.join(10)
    assert [line[:3] for line in got] == ["250"]


def test_whatever_goes_wrong_the_mail_stays_with_its_server(path: Path, listen: Listen) -> None:
    def keep(raw: bytes, to: str) -> None:
        raise ZeroDivisionError

    listen(path, keep=keep)
    assert [line[:3] for line in answers(path, [CLUB], MAIL)] == ["451"]


def test_only_the_clubs_own_address_is_known(path: Path, listen: Listen) -> None:
    listen(path)
    with client(path) as mta, pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
        mta.sendmail("ann@ann.example", ["root@club.example", "referee@elsewhere.example"], MAIL)
    assert {code for code, _ in caught.value.recipients.values()} == {550}


def test_m14_long_lines_keep_their_ends(
    path: Path, listen: Listen, kept: list[tuple[bytes, str]]
) -> None:
    """M14: no buffer is too short; dots at the beginning of a line, bytes above 127 and lone LFs arrive."""
    listen(path)
    text = b"Subject: x\r\n\r\n" + b"y" * 300_000 + b" end\r\n.dot\r\n..\r\n\xff\xfe\r\n"
    with client(path) as mta:
        mta.sendmail("", [CLUB], text)
    assert kept[0][0] == text


def test_a_mail_larger_than_what_is_kept_is_refused_once_for_each(
    path: Path, listen: Listen, kept: list[tuple[bytes, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.mail.lmtp.FILE_MOST", 100_000)
    listen(path)
    lines = answers(path, [CLUB, TOKEN], b"Subject: x\r\n\r\n" + b"many words\r\n" * 20_000)
    assert [line[:3] for line in lines] == ["552", "552"]
    assert kept == []
    assert [line[:3] for line in answers(path, [CLUB], MAIL)] == ["250"]


def test_a_client_that_breaks_off_stores_nothing(
    path: Path, listen: Listen, kept: list[tuple[bytes, str]]
) -> None:
    listen(path)
    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(str(path))
        wire.recv(100)
        for line in (b"LHLO mx", b"MAIL FROM:<>", b"RCPT TO:<%s>" % CLUB.encode(), b"DATA"):
            wire.sendall(line + b"\r\n")
            wire.recv(1000)
        wire.sendall(MAIL)  # and no dot
    assert [line[:3] for line in answers(path, [CLUB], MAIL)] == ["250"]
    assert len(kept) == 1


def test_a_socket_left_behind_is_taken_over_a_live_one_is_not(path: Path, listen: Listen) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()
    listen(path)
    with pytest.raises(TransportError) as caught:
        listen(path)
    assert "another process listens there" in str(caught.value)
    assert [line[:3] for line in answers(path, [CLUB], MAIL)] == ["250"]


def test_tcp_on_request(listen: Listen, path: Path, kept: list[tuple[bytes, str]]) -> None:
    (port,) = free_ports(1)
    listen(path, port=port)
    assert not path.exists()
    with smtplib.LMTP("127.0.0.1", port, timeout=10) as mta:
        mta.sendmail("", [CLUB], MAIL)
    assert len(kept) == 1
    with pytest.raises(TransportError):
        listen(path, port=port)


def test_exim_hands_over_by_lmtp(smtp: Exim, listen: Listen, kept: list[tuple[bytes, str]]) -> None:
    """A real mail server's transport; what could not be stored at first comes again and is stored then."""
    socket_path = smtp.home / "club" / "lmtp.sock"
    switch = smtp.home / "lmtp"
    full = True

    def keep(raw: bytes, to: str) -> None:
        if full:
            raise RefereeError("no space is left")
        kept.append((raw, to))

    listen(socket_path, keep=keep)
    if os.geteuid() == 0:  # as the operator does: the mail server belongs to the socket's group
        os.chown(socket_path, -1, servers.unprivileged().gid)
    switch.touch()
    try:
        with smtplib.SMTP("localhost", smtp.plain, timeout=10) as mta:
            mta.sendmail("ann@ann.example", [TOKEN], MAIL)
        time.sleep(0.3)
        assert kept == []
        full = False
        end = time.monotonic() + 20
        while not kept and time.monotonic() < end:
            smtp.queue()
            time.sleep(0.1)
    finally:
        switch.unlink()
    ((raw, to),) = kept
    assert to == TOKEN
    assert b"Received: from" in raw
    assert b"Delivered-To: " + TOKEN.encode() in raw
