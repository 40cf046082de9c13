"""`referee serve`: looks for mail, handles it, runs the clocks, sends what is due, until it is told to stop."""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import FrameType
from typing import Final, Protocol

from referee.clock import Beat
from referee.club import secret
from referee.errors import RefereeError
from referee.mail.maildir import Found, maildir
from referee.mail.transport import Way
from referee.mail.ways import way_out
from referee.service.desk import Desk, utc_now
from referee.service.sending import send_due
from referee.service.spool import receive, take_in, work
from referee.service.ticking import beat, run_clocks, tidy

BEAT_EVERY: Final = 30.0
CLOCKS_EVERY: Final = 15.0
SEND_EVERY: Final = 5.0
TIDY_EVERY: Final = 3600.0
LONGEST_PAUSE: Final = 900.0
"""Seconds between two tries where a mail server is away; it begins with the poll and doubles."""


class Source(Protocol):
    """Something that mail is fetched from by looking."""

    def mails(self) -> Iterator[Found]:
        """Yield the mails that lie there; each is kept only after it was stored."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class MaildirIn:
    """A Maildir that is looked into."""

    def __init__(self, desk: Desk) -> None:
        self._path = desk.club.mail_in.path

    def mails(self) -> Iterator[Found]:
        """Yield its new mails."""
        return maildir(self._path)

    def close(self) -> None:
        """Nothing is held open."""


def source_of(desk: Desk, environ: Mapping[str, str]) -> Source | None:
    """Return what `club.toml` says to look into, None where nothing is."""
    source = desk.club.mail_in
    if source.kind == "maildir":
        return MaildirIn(desk)
    if source.kind == "imap":
        from referee.mail.imap import ImapIn

        password = secret(
            source.password_file, source.password_env, environ, "the password for IMAP"
        )
        return ImapIn(source, password)
    return None


@dataclass(slots=True)
class Every:
    """Something to be done again and again; `span` in seconds grows after failures."""

    span: float
    next: float = 0.0
    failures: int = 0

    def due(self, now: float) -> bool:
        """Whether it is time."""
        return now >= self.next

    def done(self, now: float) -> None:
        """Note that it was done."""
        self.failures = 0
        self.next = now + self.span

    def failed(self, now: float) -> None:
        """Note that it could not be done: the next try comes later (M71)."""
        self.failures += 1
        self.next = now + min(LONGEST_PAUSE, self.span * 2.0**self.failures)


@dataclass(slots=True)
class Server:
    """One process of the club."""

    desk: Desk
    way: Way
    source: Source | None
    wake: threading.Event = field(default_factory=threading.Event)
    stopping: bool = False
    mine: Beat | None = None
    beats: Every = field(default_factory=lambda: Every(BEAT_EVERY))
    clocks: Every = field(default_factory=lambda: Every(CLOCKS_EVERY))
    sends: Every = field(default_factory=lambda: Every(SEND_EVERY))
    tidies: Every = field(default_factory=lambda: Every(TIDY_EVERY))
    polls: Every = field(default_factory=lambda: Every(60.0))
    works: Every = field(default_factory=lambda: Every(SEND_EVERY))

    def stop(self) -> None:
        """Ask the process to end after what it has at hand."""
        self.stopping = True
        self.wake.set()

    def keep(self, raw: bytes, recipient: str) -> None:
        """Store a mail that LMTP brings. Raises RefereeError where it cannot be stored."""
        receive(self.desk, raw, recipient, utc_now(), source="lmtp")
        self.works.next = 0.0
        self.wake.set()

    def round(self) -> None:
        """Do all that is due now, each thing apart: one that fails keeps no other from being done."""
        self._try(self.beats, self._beat)
        self._try(self.polls, self._poll)
        self._try(self.works, self._work)
        self._try(self.clocks, self._run_clocks)
        self._try(self.sends, self._send)
        self._try(self.tidies, self._tidy)

    def run(self) -> None:
        """Work until told to stop."""
        while not self.stopping:
            self.round()
            self.wake.wait(1.0)
            self.wake.clear()

    def _try(self, every: Every, what: Callable[[], None]) -> None:
        if self.stopping or not every.due(time.monotonic()):
            return
        try:
            what()
        except Exception as error:  # a fault of ours in one thing must not end all others
            if every.failures < 3 or every.failures % 20 == 0:
                known = isinstance(error, RefereeError | OSError)
                self.desk.complain(
                    str(error) if known else f"a fault: {type(error).__name__}: {error}"
                )
            every.failed(time.monotonic())
            return
        every.done(time.monotonic())

    def _beat(self) -> None:
        now = _clocks()
        beat(self.desk, self.mine, now, _clocks)
        self.mine = now

    def _poll(self) -> None:
        if self.source is None:
            return
        where = self.desk.club.mail_in
        what = (where.host, where.user, where.folder) if where.kind == "imap" else (where.path,)
        with self.desk.store.if_free(f"mail in {where.kind} {what}") as free:
            if free:
                self._fetch(self.source)

    def _fetch(self, source: Source) -> None:
        for found in source.mails():
            take_in(self.desk, found, utc_now(), self.desk.club.mail_in.kind)
            self.works.next = 0.0
            if self.stopping:
                return

    def _work(self) -> None:
        if work(self.desk, utc_now, lambda: self.stopping):
            self.sends.next = 0.0

    def _run_clocks(self) -> None:
        with self.desk.store.if_free("clocks") as free:
            if free:
                run_clocks(self.desk, utc_now())

    def _tidy(self) -> None:
        with self.desk.store.if_free("tidy") as free:
            if free:
                tidy(self.desk, utc_now())

    def _send(self) -> None:
        send_due(self.desk, self.way, utc_now, lambda: self.stopping)


def settled() -> None:
    """Leave what is there after the start, which stays, out of the collector's rounds: a tenth of a mail's time."""
    gc.collect()
    gc.freeze()


def serve(desk: Desk, environ: Mapping[str, str], *, once: bool = False) -> None:
    """Run the club, or do one round of all. Raises TransportError where LMTP cannot listen."""
    source = source_of(desk, environ)
    server = Server(desk, way_out(desk.club, environ), source)
    server.polls = Every(float(desk.club.mail_in.poll))
    if once:
        _one_round(server)
        return
    settled()
    with _listening(server), _signals(server):
        server.run()
    server.way.close()
    if source is not None:
        source.close()


def _one_round(server: Server) -> None:
    """Do one round; what fails in it ends it, so that its exit status tells."""
    server._beat()
    server._poll()
    server._work()
    server._run_clocks()
    server._send()
    if server.source is not None:
        server.source.close()


@contextmanager
def _listening(server: Server) -> Iterator[None]:
    club = server.desk.club
    if club.mail_in.kind != "lmtp":
        yield
        return
    from referee.mail.lmtp import Listener

    listener = Listener(club.mail_in, club.address, server.keep)
    try:
        yield
    finally:
        listener.close()


@contextmanager
def _signals(server: Server) -> Iterator[None]:
    """End in good order when the system asks for it."""

    def ask(number: int, frame: FrameType | None) -> None:
        server.stop()

    before = {n: signal.signal(n, ask) for n in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def awake(desk: Desk, now: datetime) -> None:
    """Say that a process runs, if none has for a while: what nobody could answer is credited first."""
    with desk.store.read(now) as unit:
        last = unit.last_beat()
    if last is None or not timedelta() <= now - last < timedelta(seconds=BEAT_EVERY):
        beat(desk, None, _clocks(), _clocks)


def _clocks() -> Beat:
    """Read the wall clock and the monotonic clock together."""
    return Beat(utc_now(), time.monotonic())
