"""Ways out and in at servers of this process: SMTP with and without trust, LMTP, and what each says (M14, M80)."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import ssl
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from referee.club import MailIn, MailOut
from referee.mail.lmtp import Listener
from referee.mail.smtp import SmtpOut
from referee.mail.transport import Parcel, TransportError
from referee.store import FullError
from tests.conftest import need_program

PARCEL = Parcel(
    1, "referee+b.1.x@club.example", "ann@x.example", b"Subject: hi\r\n\r\n.dot\r\nbody\r\n"
)


class Answers:
    """What the server says; `got` is what it took."""

    def __init__(self, rcpt: str = "250 OK", data: str = "250 OK", mail: str = "250 OK") -> None:
        self.rcpt, self.data, self.mail = rcpt, data, mail
        self.got: list[Envelope] = []

    async def handle_MAIL(  # noqa: N802
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        return self.mail

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.got.append(envelope)
        return self.data


@contextmanager
def serving(
    make: Callable[[], asyncio.Protocol], context: ssl.SSLContext | None = None
) -> Iterator[int]:
    """Run a server on loopback and give its port."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    port: list[int] = []

    def run() -> None:
        asyncio.set_event_loop(loop)

        async def listen() -> asyncio.Server:
            return await loop.create_server(make, "127.0.0.1", 0, ssl=context)

        server = loop.run_until_complete(listen())
        port.append(server.sockets[0].getsockname()[1])
        ready.set()
        loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield port[0]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def smtp(answers: Answers, **options: Any) -> Callable[[], SMTP]:
    def make() -> SMTP:
        return SMTP(answers, hostname="localhost", loop=asyncio.get_event_loop(), **options)

    return make


def out(port: int, **changes: Any) -> MailOut:
    base = MailOut(kind="smtp", host="127.0.0.1", port=port, tls="none")
    return replace(base, **changes)


def test_a_mail_goes_out_as_it_is() -> None:
    answers = Answers()
    with serving(smtp(answers)) as port:
        way = SmtpOut(out(port), "", "club.example")
        assert way.send(PARCEL) is None
        assert way.send(PARCEL) is None
        way.close()
    assert len(answers.got) == 2
    envelope = answers.got[0]
    assert envelope.mail_from == PARCEL.sender
    assert envelope.rcpt_tos == [PARCEL.recipient]
    assert envelope.content == PARCEL.data


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        (Answers(rcpt="451 4.7.1 greylisted"), "temporary"),
        (Answers(rcpt="550 5.1.1 no such user"), "permanent"),
        (Answers(data="452 4.3.1 disk full"), "temporary"),
        (Answers(data="554 5.7.1 spam"), "permanent"),
        (Answers(mail="530 5.7.0 authentication required"), "configuration"),
        (Answers(mail="553 5.7.1 not your address"), "configuration"),
        (Answers(rcpt="421 4.3.2 going down"), "temporary"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_m80_what_a_server_says_is_told_apart(answers: Answers, trouble: str) -> None:
    with serving(smtp(answers)) as port:
        way = SmtpOut(out(port), "", "club.example")
        failed = way.send(PARCEL)
        way.close()
    assert failed is not None
    assert failed.trouble == trouble
    assert failed.reason[:3].isdigit() or "refused" in failed.reason


def test_nobody_there_is_temporary_and_holds_all_mail() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    failed = SmtpOut(out(port), "", "club.example").send(PARCEL)
    assert failed is not None
    assert (failed.trouble, failed.everything) == ("temporary", True)
    assert f"127.0.0.1:{port}" in failed.reason


def test_no_tls_to_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that says it is this machine and is not."""
    answers = Answers()
    with serving(smtp(answers)) as port:
        monkeypatch.setattr("referee.mail.smtp.is_here", lambda peer: False)
        failed = SmtpOut(out(port), "", "club.example").send(PARCEL)
    assert failed is not None
    assert failed.trouble == "configuration"
    assert answers.got == []


# -- TLS -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost that nobody vouches for; key and certificate in one file."""
    folder = tmp_path_factory.mktemp("tls")
    command = [
        *(need_program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        *("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")),
    ]
    subprocess.run(command, check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "key.pem").read_text() + (folder / "cert.pem").read_text())
    return both


def server_context(certificate: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return context


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_man_in_the_middle_without_a_certificate_gets_nothing(
    certificate: Path, tls: str
) -> None:
    answers = Answers()
    context = server_context(certificate)
    make = smtp(answers) if tls == "tls" else smtp(answers, tls_context=context)
    with serving(make, context if tls == "tls" else None) as port:
        failed = SmtpOut(out(port, host="localhost", tls=tls), "", "club.example").send(PARCEL)
    assert failed is not None
    assert failed.trouble == "configuration"
    assert "certificate" in failed.reason
    assert answers.got == []


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_with_a_trusted_certificate_mail_goes_out(
    certificate: Path, tls: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Answers()
    context = server_context(certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    make = smtp(answers) if tls == "tls" else smtp(answers, tls_context=context)
    with serving(make, context if tls == "tls" else None) as port:
        way = SmtpOut(out(port, host="localhost", tls=tls), "", "club.example")
        assert way.send(PARCEL) is None
        way.close()
    assert len(answers.got) == 1


def test_a_server_without_starttls_is_refused() -> None:
    answers = Answers()
    with serving(smtp(answers)) as port:
        failed = SmtpOut(out(port, host="localhost", tls="starttls"), "", "club.example").send(
            PARCEL
        )
    assert failed is not None
    assert failed.trouble == "configuration"
    assert answers.got == []


def test_a_wrong_password_is_configuration(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> AuthResult:
        return AuthResult(success=False, handled=False, message="535 5.7.8 bad password")

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    make = smtp(
        Answers(), tls_context=server_context(certificate), authenticator=refuse, auth_required=True
    )
    with serving(make) as port:
        way = SmtpOut(
            out(port, host="localhost", tls="starttls", user="referee"), "wrong", "club.example"
        )
        failed = way.send(PARCEL)
    assert failed is not None
    assert failed.trouble == "configuration"
    assert "535" in failed.reason
    assert "wrong" not in failed.reason


# -- LMTP ------------------------------------------------------------------------------------------------------------

CLUB = "referee@club.example"


class Kept:
    """What was stored; `fails` for one recipient."""

    def __init__(self, fails: str = "") -> None:
        self.mails: list[tuple[bytes, str]] = []
        self.fails = fails

    def __call__(self, raw: bytes, recipient: str) -> None:
        if recipient == self.fails:
            raise FullError("club.db: no space is left")
        self.mails.append((raw, recipient))


@contextmanager
def listening(folder: Path, kept: Kept) -> Iterator[Path]:
    path = folder / "lmtp.sock"
    listener = Listener(MailIn(kind="lmtp", path=path), CLUB, kept)
    try:
        yield path
    finally:
        listener.close()


def test_lmtp_answers_each_recipient_after_its_commit(tmp_path: Path) -> None:
    kept = Kept(fails="referee+full@club.example")
    recipients = ["referee+a@club.example", "referee+full@club.example", "Referee+b@Club.example"]
    with listening(tmp_path, kept) as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        with smtplib.LMTP(str(path)) as client:
            client.ehlo_or_helo_if_needed()
            client.mail("ann@x.example")
            assert client.rcpt("somebody@else.example")[0] == 550
            for recipient in recipients:
                assert client.rcpt(recipient)[0] == 250
            client.putcmd("data")
            assert client.getreply()[0] == 354
            client.send(b"Subject: f6\r\n\r\n..dot\r\n.\r\n")
            codes = [client.getreply() for _ in recipients]
    assert [code for code, _ in codes] == [250, 451, 250]
    assert b"no space" in codes[1][1]
    assert [recipient for _, recipient in kept.mails] == [recipients[0], recipients[2]]
    assert kept.mails[0][0] == b"Subject: f6\r\n\r\n.dot\r\n"
    assert not (tmp_path / "lmtp.sock").exists()


def test_m14_lmtp_cuts_no_long_line(tmp_path: Path) -> None:
    kept = Kept()
    line = b"x" * 200_000
    with listening(tmp_path, kept) as path, smtplib.LMTP(str(path)) as client:
        client.sendmail("ann@x.example", [CLUB], b"Subject: long\r\n\r\n" + line + b"\r\n")
    assert kept.mails[0][0].endswith(line + b"\r\n")


def test_lmtp_takes_over_a_dead_socket_and_no_living_one(tmp_path: Path) -> None:
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "lmtp.sock"))
    dead.close()
    with (
        listening(tmp_path, Kept()) as path,
        pytest.raises(TransportError, match="another process listens"),
    ):
        Listener(MailIn(kind="lmtp", path=path), CLUB, Kept())


def test_lmtp_over_tcp_on_request() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = Kept()
    listener = Listener(MailIn(kind="lmtp", host="127.0.0.1", port=port), CLUB, kept)
    try:
        with smtplib.LMTP("127.0.0.1", port) as client:
            client.sendmail("ann@x.example", [CLUB], b"Subject: hi\r\n\r\n\r\n")
    finally:
        listener.close()
    assert [recipient for _, recipient in kept.mails] == [CLUB]
