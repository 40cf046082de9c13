"""Mail in by a real IMAP server, and by one that breaks off, is silent, throttles or is not who it says (M69, M71)."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.club import MailIn
from referee.mail import imap as module
from referee.mail.imap import ImapIn
from referee.mail.maildir import OVERSIZE_HEADER
from referee.mail.transport import TransportError
from tests.referee.real import servers
from tests.referee.real.conftest import outside
from tests.referee.real.middle import impostor, middle, passing, says
from tests.referee.real.servers import PASSWORD, Dovecot, Papers, free_ports, owned

Into = Callable[..., ImapIn]


@pytest.fixture
def into() -> Iterator[Into]:
    """Ways in by IMAP, closed at the end."""
    with contextlib.ExitStack() as stack:

        def made(
            port: int, tls: str = "none", *, user: str = "referee", password: str = PASSWORD
        ) -> ImapIn:
            source = MailIn(kind="imap", host="localhost", port=port, user=user, tls=tls)
            box = ImapIn(source, password)
            stack.callback(box.close)
            return box

        yield made


@pytest.fixture(autouse=True)
def empty(request: pytest.FixtureRequest) -> None:
    """Begin with an empty mailbox."""
    if "imap" in request.fixturenames:
        running: Dovecot = request.getfixturevalue("imap")
        for path in (running.mail / "referee").glob("*/*"):
            path.unlink()


def put(imap: Dovecot, *texts: str, raw: bytes | None = None) -> None:
    """Let mails lie in the mailbox, one minute after another."""
    home = imap.mail / "referee"
    for part in (home, *(home / sub for sub in ("tmp", "new", "cur"))):
        if not part.is_dir():
            owned(part)
            part.chmod(0o700)
    for text in texts:
        put.count += 1  # type: ignore[attr-defined]
        number = put.count  # type: ignore[attr-defined]
        data = raw or f"From: ann@ann.example\r\nSubject: {text}\r\n\r\n{text}\r\n".encode()
        path = home / "new" / f"{1700000000 + number}.{number}.test"
        owned(path, "")
        path.write_bytes(data)
        moment = (MARCH + timedelta(minutes=number)).timestamp()
        os.utime(path, (moment, moment))


put.count = 0  # type: ignore[attr-defined]
MARCH = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)


def subjects(box: ImapIn, *, keep: bool = True) -> list[str]:
    """Return the subjects of the mails that lie there, and keep them."""
    found = []
    for mail in box.mails():
        line = next(x for x in mail.raw.splitlines() if x.startswith(b"Subject: "))
        found.append(line.removeprefix(b"Subject: ").decode())
        if keep:
            mail.keep()
    return found


@pytest.mark.parametrize("tls", ["tls", "starttls", "none"])
def test_mails_come_in_their_order_once(
    tls: str, imap: Dovecot, trusted: Papers, into: Into
) -> None:
    put(imap, "one", "two", "three")
    box = into(imap.tls if tls == "tls" else imap.plain, tls)
    assert subjects(box) == ["one", "two", "three"]
    assert subjects(box) == []
    put(imap, "four")
    assert subjects(box) == ["four"]  # by the same connection
    box.close()
    assert subjects(into(imap.plain)) == []


def test_m69_what_was_not_kept_comes_again(imap: Dovecot, into: Into) -> None:
    """M69: looking sets no flag; only a mail that is stored is seen."""
    put(imap, "one", "two")
    first = into(imap.plain)
    mails = first.mails()
    next(mails).keep()
    next(mails)  # read, and then the process is killed
    first.close()
    assert subjects(into(imap.plain)) == ["two"]


def test_m94_the_time_is_the_servers(imap: Dovecot, into: Into) -> None:
    """M94: a Date of the writer's does not count, INTERNALDATE does."""
    put(imap, "x", raw=b"Date: Mon, 1 Jan 1990 00:00:00 +0000\r\nSubject: old\r\n\r\nf6\r\n")
    (found,) = into(imap.plain).mails()
    assert found.received == MARCH + timedelta(minutes=put.count)  # type: ignore[attr-defined]


def test_of_a_huge_mail_only_the_head_is_fetched(
    imap: Dovecot, into: Into, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FILE_MOST", 5000)
    monkeypatch.setattr("referee.mail.maildir.FILE_MOST", 5000)
    put(imap, "x", raw=b"Subject: huge\r\n\r\n" + b"A line of text.\r\n" * 3000)
    put(imap, "small")
    huge, small = into(imap.plain).mails()
    assert huge.raw.startswith(OVERSIZE_HEADER)
    assert b"Subject: huge" in huge.raw
    assert len(huge.raw) < 200
    assert b"\r\n\r\nsmall" in small.raw


def test_a_mail_that_is_taken_away_meanwhile_is_no_trouble(imap: Dovecot, into: Into) -> None:
    put(imap, "one", "two", "three")
    other = into(imap.plain)
    mails = into(imap.plain).mails()
    next(mails).keep()
    box = other._connected()
    box.delete(box.uids("UNSEEN")[0])
    box.logout()
    assert [b"three" in found.raw for found in mails] == [True]


# -- trouble ---------------------------------------------------------------------------------------------------------


def trouble(box: ImapIn) -> TransportError:
    with pytest.raises(TransportError) as caught:
        subjects(box)
    assert "\n" not in str(caught.value)
    assert PASSWORD not in str(caught.value)
    return caught.value


def test_a_wrong_password_is_for_the_operator_to_mend(imap: Dovecot, into: Into) -> None:
    error = trouble(into(imap.plain, password="wrong"))
    assert error.trouble == "configuration"
    assert "the login was refused" in str(error)


def test_a_folder_that_is_not_there(imap: Dovecot) -> None:
    source = MailIn(kind="imap", host="localhost", port=imap.plain, user="referee", tls="none")
    from dataclasses import replace

    with pytest.raises(TransportError) as caught:
        ImapIn(replace(source, folder="Nowhere"), PASSWORD).check()
    assert "Nowhere" in str(caught.value)


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_an_unknown_authority_is_refused(tls: str, imap: Dovecot, into: Into) -> None:
    error = trouble(into(imap.tls if tls == "tls" else imap.plain, tls))
    assert error.trouble == "configuration"
    assert "certificate" in str(error)


def test_a_man_in_the_middle_hears_no_password(bad: Papers, trusted: Papers, into: Into) -> None:
    meet = impostor(bad)
    with middle(meet) as between:
        error = trouble(into(between.port, "tls"))
    assert "its certificate is not to be trusted" in str(error)
    assert meet.heard == []  # type: ignore[attr-defined]


def test_starttls_that_is_stripped_is_no_reason_to_speak_plainly(
    imap: Dovecot, trusted: Papers, into: Into
) -> None:
    with middle(passing(imap.plain, lambda data: data.replace(b" STARTTLS", b""))) as between:
        error = trouble(into(between.port, "starttls"))
    assert "it offers no STARTTLS" in str(error)
    assert error.trouble == "configuration"


def test_nobody_listens(into: Into) -> None:
    error = trouble(into(free_ports(1)[0]))
    assert error.trouble == "temporary"
    assert "refused" in str(error)


def test_m71_a_silent_server_is_left_and_tried_again(
    imap: Dovecot, into: Into, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M71: nothing hangs: a server that says no more is hung up on, and the next look begins anew."""
    monkeypatch.setattr(module, "TIMEOUT", 0.5)
    put(imap, "one")
    silent = False
    heard = []

    def look(data: bytes) -> bytes:
        heard.append(data)
        if silent:
            time.sleep(2)
        return data

    with middle(passing(imap.plain, look)) as between:
        box = into(between.port)
        assert subjects(box) == ["one"]
        silent = True
        begun = time.monotonic()
        error = trouble(box)
        assert time.monotonic() - begun < 1.9
        assert error.trouble == "temporary"
        silent = False
        put(imap, "two")
        assert subjects(box) == ["two"]


def test_a_server_that_says_nothing_at_all(into: Into, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 0.3)
    with middle(says(b"", hang_up=False)) as server:
        assert trouble(into(server.port)).trouble == "temporary"


@pytest.mark.parametrize("after", range(4, 40, 3))
def test_a_connection_that_breaks_loses_nothing(after: int, imap: Dovecot, into: Into) -> None:
    """Wherever it breaks, every mail comes at least once, and what was kept and flagged comes once."""
    put(imap, *(f"mail {n}" for n in range(5)))
    left = after

    def look(data: bytes) -> bytes | None:
        nonlocal left
        left -= 1
        return data if left > 0 else None

    seen: list[str] = []
    troubles: list[str] = []
    with middle(passing(imap.plain, look)) as between:
        box = into(between.port)
        for _ in range(20):
            try:
                for mail in box.mails():
                    seen.append(mail.raw.split(b"\r\n\r\n")[1].decode().strip())
                    mail.keep()
            except TransportError as error:
                troubles.append(error.trouble)
                left = 1_000_000
            else:
                break
    assert sorted(set(seen)) == [f"mail {n}" for n in range(5)]
    assert set(troubles) <= {"temporary"}
    assert len(seen) <= 6  # the one whose flag was not confirmed may come again


def test_the_server_ends_the_connection(imap: Dovecot, into: Into) -> None:
    """A server that hangs up between two looks costs nothing: the next look begins anew."""
    put(imap, "one")
    with middle(passing(imap.plain, lambda data: data)) as between:
        box = into(between.port)
        assert subjects(box) == ["one"]
        assert box._box is not None
        box._box.client.sock.shutdown(2)
        put(imap, "two")
        assert subjects(box) == ["two"]


def test_a_throttled_server_is_asked_later(place: Path, good: Papers, into: Into) -> None:
    """One connection too many: Dovecot itself refuses the login; that mends itself, so it is temporary."""
    program = outside("dovecot", "/usr/sbin/dovecot")
    with (
        servers.folder("narrow-") as where,
        servers.dovecot(program, where, good, ("referee",), connections=1) as narrow,
    ):
        first, second = into(narrow.plain), into(narrow.plain)
        assert subjects(first) == []
        error = trouble(second)
        assert error.trouble == "temporary"
        assert "connections" in str(error)
        first.close()
        end = time.monotonic() + 5
        while time.monotonic() < end:
            with contextlib.suppress(TransportError):
                assert subjects(second) == []
                return
            time.sleep(0.1)
        raise AssertionError("the server lets nobody in any more")


@pytest.mark.parametrize(
    "answer",
    [
        b"NO [LIMIT] Too many simultaneous connections",
        b"NO [UNAVAILABLE] Temporary authentication failure",
        b"NO [ALERT] Account exceeded command or bandwidth limits",
        b"BAD [THROTTLED] slow down",
    ],
)
def test_throttled_in_other_words(answer: bytes, into: Into) -> None:
    def meet(client, number):  # type: ignore[no-untyped-def]
        client.sendall(b"* OK ready\r\n")
        while data := client.recv(4096):
            tag, verb = data.split()[:2]
            if verb.upper() == b"CAPABILITY":
                client.sendall(b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n")
            else:
                client.sendall(tag + b" " + answer + b"\r\n")

    with middle(meet) as server:
        error = trouble(into(server.port))
    assert error.trouble == "temporary", error


def test_doctor_only_looks(imap: Dovecot, into: Into) -> None:
    put(imap, "one")
    into(imap.plain).check()
    assert subjects(into(imap.plain)) == ["one"]
