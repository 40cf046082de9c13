"""Players with mailboxes at a real server, and the club's process: what happens only ever happens by mail."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import make_msgid
from pathlib import Path

from click.testing import CliRunner

from referee.cli import main
from tests.conftest import ROOT
from tests.referee.real.servers import PASSWORD, PATIENCE, Exim

CLUB = "referee@club.example"


def plain(letter: EmailMessage) -> str:
    """Return a letter's plain part."""
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def record(letter: EmailMessage) -> str:
    """Return the record that a letter brings."""
    for part in letter.iter_attachments():
        if (part.get_filename() or "").endswith(".moves"):
            return str(part.get_content())
    raise AssertionError("no record is attached")


@dataclass
class Person:
    """Somebody with a mailbox. `read` are the letters that he has looked at already."""

    name: str
    box: Path
    smtp: Exim
    vouched: bool = True
    read: set[str] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"{self.name}@{self.name}.example"

    def next(self, patience: float = PATIENCE) -> EmailMessage:
        """Return the next letter, the oldest not yet read; wait for it."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for path in sorted(
                self.box.glob("new/*"), key=lambda p: (p.stat().st_mtime_ns, p.name)
            ):
                if path.name not in self.read:
                    self.read.add(path.name)
                    letter = message_from_bytes(path.read_bytes(), policy=default)
                    assert isinstance(letter, EmailMessage)
                    return letter
            time.sleep(0.05)
        raise AssertionError(f"no letter came to {self.name}")

    def silence(self) -> None:
        """Make sure that no letter lies there unread."""
        unread = {path.name for path in self.box.glob("new/*")} - self.read
        assert not unread, f"{self.name} has {len(unread)} more letters"

    def write(self, text: str, to: str = CLUB, subject: str = "", **headers: str) -> EmailMessage:
        """Send a mail; who is vouched for logs in."""
        message = EmailMessage()
        message["From"] = f"{self.name.title()} <{self.address}>"
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = make_msgid(domain=f"{self.name}.example")
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        self.post(message.as_bytes(), to)
        return message

    def post(self, raw: bytes, to: str) -> None:
        """Hand a mail to the server."""
        with smtplib.SMTP("localhost", self.smtp.plain, timeout=PATIENCE) as server:
            if self.vouched:
                server.login("referee", PASSWORD)
            server.sendmail(self.address, [to], raw)

    def answer(self, letter: EmailMessage, text: str) -> EmailMessage:
        """Answer a letter as a mail program does: to its Reply-To, in its thread, with its text below."""
        quoted = "\n".join(f"> {line}" for line in plain(letter).splitlines())
        body = f"{text}\n\nOn Monday, 3 March 2025 at 09:00, Club <{CLUB}> wrote:\n{quoted}\n"
        thread = [*str(letter["References"] or "").split(), str(letter["Message-ID"])]
        return self.write(
            body,
            str(letter["Reply-To"] or letter["From"]).rpartition("<")[2].rstrip(">"),
            f"Re: {letter['Subject']}",
            In_Reply_To=str(letter["Message-ID"]),
            References=" ".join(thread),
        )


def referee(*arguments: str, environ: Mapping[str, str] | None = None) -> str:
    """Run a command of the referee's in this process and return what it prints."""
    done = CliRunner(env=environ).invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return done.output


@contextlib.contextmanager
def serving(folder: Path, environ: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Let `referee serve` run; it must end in good order, and without a traceback, when it is asked to."""
    log = folder / "serve.log"
    with open(log, "ab") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "serve", "--club", str(folder)],
            cwd=ROOT,
            env={**os.environ, **environ},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
        )
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0, log.read_text()
        assert "Traceback" not in log.read_text()
    except BaseException:
        print(log.read_text())
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def game_of(letter: EmailMessage) -> str:
    """Return the game's id in a subject."""
    match = re.search(r"\[([a-z]+-[0-9]+)\]", str(letter["Subject"]))
    assert match is not None, letter["Subject"]
    return match[1]
