"""Mail out by a real SMTP server, and by servers that fail in each way there is (M79, M80)."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from referee.club import MailOut
from referee.mail import smtp as module
from referee.mail.smtp import SmtpOut
from referee.mail.transport import Parcel
from tests.referee.real.middle import impostor, middle, passing, says
from tests.referee.real.servers import PASSWORD, Dovecot, Exim, Papers, free_ports

DATA = b"From: club@club.example\r\nTo: ann@ann.example\r\nSubject: %s\r\n\r\nYour move.\r\n"


def way(
    port: int, tls: str = "starttls", user: str = "referee", host: str = "localhost"
) -> MailOut:
    return MailOut(kind="smtp", host=host, port=port, tls=tls, user=user)


def parcel(to: str = "ann@ann.example", subject: bytes = b"a turn") -> Parcel:
    return Parcel(7, "referee+b.7.tag@club.example", to, DATA % subject)


Out = Callable[..., SmtpOut]


@pytest.fixture
def out() -> Iterator[Out]:
    """Ways out by SMTP, closed at the end."""
    with contextlib.ExitStack() as stack:

        def made(where: MailOut, password: str = PASSWORD) -> SmtpOut:
            way_out = SmtpOut(where, password, "club.example")
            stack.callback(way_out.close)
            return way_out

        yield made


def delivered(box: Path, subject: str) -> bytes:
    """Return the mail of a subject that a Maildir got; wait for it."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for path in [*box.glob("new/*"), *box.glob("cur/*")]:
            raw = path.read_bytes()
            if message_from_bytes(raw, policy=default)["Subject"] == subject:
                return raw
        time.sleep(0.05)
    raise AssertionError(f"{subject} did not arrive in {box}")


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_mail_goes_out_by_tls(
    out: Out, tls: str, smtp: Exim, imap: Dovecot, trusted: Papers
) -> None:
    sender = out(way(smtp.tls if tls == "tls" else smtp.plain, tls))
    assert sender.send(parcel(subject=tls.encode())) is None
    assert sender.send(parcel(subject=b"second by " + tls.encode())) is None  # the same connection
    raw = delivered(imap.mail / "ann", f"second by {tls}")
    assert raw.startswith(b"Return-path: <referee+b.7.tag@club.example>")
    assert b"with esmtpsa" in raw
    assert delivered(imap.mail / "ann", tls)


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_a_server_whose_authority_is_unknown_is_told_nothing(
    out: Out, tls: str, smtp: Exim
) -> None:
    """Without the authority the real server is as good as a man in the middle."""
    failed = out(way(smtp.tls if tls == "tls" else smtp.plain, tls)).send(parcel())
    assert failed is not None
    assert failed.trouble == "configuration"
    assert failed.everything
    assert "its certificate is not to be trusted" in failed.reason


def test_a_man_in_the_middle_hears_no_password(out: Out, bad: Papers, trusted: Papers) -> None:
    meet = impostor(bad)
    with middle(meet) as between:
        failed = out(way(between.port, "tls")).send(parcel())
    assert failed is not None
    assert "certificate" in failed.reason
    assert meet.heard == []  # type: ignore[attr-defined]


def test_another_name_than_the_certificates_is_refused(
    out: Out, smtp: Exim, trusted: Papers
) -> None:
    """The certificate is for localhost and 127.0.0.1; the same server under another name is not trusted."""
    with middle(passing(smtp.tls, lambda data: data), "127.0.0.2") as between:
        failed = out(way(between.port, "tls", host="127.0.0.2")).send(parcel())
    assert failed is not None
    assert failed.everything
    assert "127.0.0.2" in failed.reason
    assert "certificate" in failed.reason


def test_starttls_that_is_stripped_is_no_reason_to_speak_plainly(
    out: Out, smtp: Exim, trusted: Papers
) -> None:
    """A man in the middle hides that the server knows STARTTLS: nothing is sent, least of all the password."""

    def stripped(data: bytes) -> bytes:
        return data.replace(b"250-STARTTLS\r\n", b"")

    with middle(passing(smtp.plain, stripped)) as between:
        failed = out(way(between.port)).send(parcel())
    assert failed is not None
    assert failed.trouble == "configuration"
    assert "STARTTLS" in failed.reason


def test_without_tls_only_to_this_machine(out: Out, smtp: Exim, imap: Dovecot) -> None:
    assert out(way(smtp.plain, "none")).send(parcel(subject=b"plainly")) is None
    assert delivered(imap.mail / "ann", "plainly")


def test_a_wrong_password_is_for_the_operator_to_mend(
    out: Out, smtp: Exim, trusted: Papers
) -> None:
    failed = out(way(smtp.plain), "wrong").send(parcel())
    assert failed is not None
    assert (failed.trouble, failed.everything) == ("configuration", True)
    assert "the login was refused: 535" in failed.reason
    assert "wrong" not in failed.reason


def test_an_unknown_person_concerns_one_letter_only(
    out: Out, smtp: Exim, imap: Dovecot, trusted: Papers
) -> None:
    sender = out(way(smtp.plain))
    failed = sender.send(parcel("nobody@ann.example"))
    assert failed is not None
    assert (failed.trouble, failed.everything) == ("permanent", False)
    assert failed.reason.startswith("550 5.1.1 no such person")
    assert sender.send(parcel(subject=b"after a refusal")) is None
    assert delivered(imap.mail / "ann", "after a refusal")


@pytest.mark.parametrize(("person", "code"), [("later", "451"), ("closing", "421")])
def test_temporary_refusals(out: Out, person: str, code: str, smtp: Exim, trusted: Papers) -> None:
    sender = out(way(smtp.plain))
    failed = sender.send(parcel(f"{person}@ann.example"))
    assert failed is not None
    assert failed.trouble == "temporary"
    assert failed.reason.startswith(code)
    assert sender.send(parcel(subject=b"after " + code.encode())) is None


def test_who_may_not_send_without_a_login(out: Out, smtp: Exim, trusted: Papers) -> None:
    failed = out(way(smtp.plain, user="")).send(parcel("someone@elsewhere.example"))
    assert failed is not None
    assert failed.trouble == "permanent"
    assert failed.reason.startswith("550")


def test_nobody_listens(out: Out) -> None:
    failed = out(way(free_ports(1)[0])).send(parcel())
    assert failed is not None
    assert (failed.trouble, failed.everything) == ("temporary", True)
    assert "Connection refused" in failed.reason


@pytest.mark.parametrize(
    ("greeting", "trouble"),
    [
        (b"421 4.3.2 too busy\r\n", "temporary"),
        (b"554 5.7.1 go away\r\n", "configuration"),
        (b"* OK IMAP ready\r\n", "configuration"),
    ],
)
def test_other_greetings(out: Out, greeting: bytes, trouble: str) -> None:
    with middle(says(greeting)) as server:
        failed = out(way(server.port, "none", user="")).send(parcel())
    assert failed is not None
    assert (failed.trouble, failed.everything) == (trouble, True)
    assert "\n" not in failed.reason


def test_a_server_that_says_nothing_is_left(out: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 0.3)
    begun = time.monotonic()
    with middle(says(b"", hang_up=False)) as server:
        failed = out(way(server.port, "none", user="")).send(parcel())
    assert failed is not None
    assert failed.trouble == "temporary"
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (b"421 4.7.0 rate limited\r\n", "temporary"),
        (b"452 4.2.2 mailbox full\r\n", "temporary"),
        (b"552 5.3.4 too big\r\n", "permanent"),
        (b"554 5.7.1 looks like spam\r\n", "permanent"),
        (b"530 5.7.0 must issue STARTTLS first\r\n", "configuration"),
    ],
)
def test_refused_after_the_text(out: Out, answer: bytes, trouble: str) -> None:
    """The whole letter was said; the answer to it decides what becomes of it."""
    ok = b"250 ok\r\n"
    with middle(
        says(b"220 hi\r\n", ok, ok, ok, b"354 go on\r\n", answer, b"221 bye\r\n")
    ) as server:
        failed = out(way(server.port, "none", user="")).send(parcel())
    assert failed is not None
    assert failed.trouble == trouble
    assert failed.reason.startswith(answer[:3].decode())


def test_a_server_that_breaks_off_before_its_250_is_asked_again(out: Out) -> None:
    """Whether it took the letter nobody knows: it goes once more, recognisable by its Message-ID."""
    ok = b"250 ok\r\n"
    with middle(says(b"220 hi\r\n", ok, ok, ok, b"354 go on\r\n")) as server:
        failed = out(way(server.port, "none", user="")).send(parcel())
    assert failed is not None
    assert failed.trouble == "temporary"


def test_doctor_connects_and_logs_in_only(out: Out, smtp: Exim, trusted: Papers) -> None:
    assert out(way(smtp.plain)).check() is None
    failed = out(way(smtp.plain), "wrong").check()
    assert failed is not None
    assert "535" in failed.reason
