"""A club in a temporary folder, with players who answer its mails: for tests of the whole way in one process."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from referee.club import Club, fingerprint, init
from referee.mail.transport import Failed, Parcel
from referee.service.desk import Desk, writer_for
from referee.service.pipeline import Outcome
from referee.service.sending import send_due
from referee.service.spool import receive, work
from referee.service.ticking import run_clocks
from referee.store import Store
from tests.referee.store import databases

ADDRESS = "referee@club.example"
AUTHSERV = "mx.club.example"
DOT = bytes.fromhex("89504e470d0a1a0a")
"""What stands for a picture: drawing real ones is tested elsewhere."""


class Remembered(HeaderRegistry):
    """Fields as they were read before: the library reads one anew dozens of times a mail."""

    def __init__(self) -> None:
        super().__init__()
        self._read = lru_cache(4096)(super().__call__)

    def __call__(self, name: str, value: str) -> BaseHeader:
        return self._read(name, value)


POLICY = default.clone(header_factory=Remembered())
BEGIN = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)


_FRESH: list[bytes] = []
"""A new club's database, made once: migrations take longer than most tests."""


def _fresh_store(folder: Path, url: str, known: str) -> Store:
    if not url.startswith("sqlite"):
        empty = Store(url)
        if not empty.backend.exists():
            Store.create(url, known, BEGIN).close()
        empty.close()
        return Store.open(url, known, BEGIN)
    file = folder / "club.db"
    if not _FRESH:
        Store.create(url, known, BEGIN).close()
        _FRESH.append(file.read_bytes())
    file.write_bytes(_FRESH[0])
    return Store.open(url, known, BEGIN)


def _founded(url: str, known: str) -> None:
    Store.create(url, known, BEGIN).close()


@dataclass
class Sent:
    """A mail that went out; it is parsed when somebody reads it. Unpacks into parcel and message."""

    parcel: Parcel

    @cached_property
    def message(self) -> EmailMessage:
        message = message_from_bytes(self.parcel.data, policy=POLICY)
        assert isinstance(message, EmailMessage)
        return message

    def __iter__(self) -> Iterator[Any]:
        return iter((self.parcel, self.message))


@dataclass
class Box:
    """A way out that keeps what it is given; `fails` answers for an address instead."""

    sent: list[Sent] = field(default_factory=list)
    fails: dict[str, Failed] = field(default_factory=dict)

    def send(self, parcel: Parcel) -> Failed | None:
        failed = self.fails.get(parcel.recipient)
        if failed is None:
            self.sent.append(Sent(parcel))
        return failed

    def close(self) -> None:
        pass


class House:
    """The club. Time stands until it is moved; chance comes from a fixed seed."""

    def __init__(
        self,
        folder: Path,
        *,
        dmarc: bool = True,
        settings: str = "",
        seed: int = 1,
        database: str | None = None,
    ) -> None:
        """Make it. `database` is a file's URL or an empty database's; without it the environment may choose."""
        key = bytes(range(32))
        database = database or databases.for_a_house(partial(_founded, known=fingerprint(key)))
        init(
            folder,
            name="Test Club",
            address=ADDRESS,
            zone="Europe/Berlin",
            operators=("op@club.example",),
            key=key,
        )
        text = (folder / "club.toml").read_text()
        if dmarc:
            text = text.replace(
                "[mail.out]",
                f'authserv_id = "{AUTHSERV}"\ntrusted_hosts = ["{AUTHSERV}"]\n\n[mail.out]',
            )
        text = text.replace("sqlite:///club.db", database)
        (folder / "club.toml").write_text(text + settings)
        from referee.club import load

        self.folder = folder
        self.club: Club = load(folder)
        self.now = BEGIN
        self.chance = random.Random(seed)
        store = _fresh_store(folder, self.club.database, fingerprint(key))
        self.complaints: list[str] = []
        self.desk = Desk(
            self.club,
            key,
            store,
            writer_for(self.club, self.complaints.append),
            random=self.chance.randbytes,
            complain=self.complaints.append,
        )
        self.box = Box()
        self.numbers = 0

    # -- players -----------------------------------------------------------------------------------------------------

    def player(self, name: str) -> str:
        """Let somebody be a player already; return his address."""
        from referee.mail.identity import name_key

        address = f"{name.lower()}@{name.lower()}.example"
        with self.desk.store.begin(self.now) as unit:
            assert unit.add_player(name, name_key(name), address) is not None
        return address

    # -- mails in ----------------------------------------------------------------------------------------------------

    def mail(
        self,
        sender: str,
        text: str,
        *,
        to: str = ADDRESS,
        subject: str = "",
        proved: bool = False,
        headers: dict[str, str] | None = None,
        message_id: str | None = None,
    ) -> bytes:
        """Return a mail as it would arrive."""
        self.numbers += 1
        message = EmailMessage(POLICY)
        domain = sender.rpartition("@")[2].rstrip(">")
        if proved:
            message["Authentication-Results"] = (
                f"{AUTHSERV}; dmarc=pass (p=none) header.from={domain}"
            )
        message["Received"] = (
            f"from out.{domain} by {AUTHSERV} with ESMTP; Mon, 3 Mar 2025 09:00:00 +0000"
        )
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = "Mon, 3 Mar 2025 09:00:00 +0000"
        message["Message-ID"] = message_id or f"<m{self.numbers}@{domain}>"
        for name, value in (headers or {}).items():
            message[name] = value
        message.set_content(text)
        return message.as_bytes()

    def give(self, raw: bytes, *, to: str = ADDRESS, received: datetime | None = None) -> Outcome:
        """Let a mail arrive, be handled and the answers go out; return what became of it."""
        receive(self.desk, raw, to, self.now, received=received)
        outcomes = work(self.desk, lambda: self.now)
        assert len(outcomes) == 1
        self.send()
        return outcomes[0]

    def write(
        self, sender: str, text: str, *, subject: str = "", proved: bool = True, **more: str
    ) -> Outcome:
        """Write to the club, with DMARC unless told otherwise."""
        return self.give(self.mail(sender, text, subject=subject, proved=proved, **more))

    def answer(
        self,
        letter: EmailMessage,
        text: str,
        *,
        sender: str | None = None,
        proved: bool = False,
        message_id: str | None = None,
    ) -> Outcome:
        """Answer a letter as a mail program does: to its Reply-To, its text quoted below."""
        to = str(letter["Reply-To"] or letter["From"])
        to = to.rpartition("<")[2].rstrip(">")
        quoted = "\n".join(f"> {line}" for line in plain(letter).splitlines())
        body = f"{text}\n\nOn Monday, 3 March 2025 at 09:00 Club <{ADDRESS}> wrote:\n{quoted}\n"
        writer = sender or str(letter["To"]).rpartition("<")[2].rstrip(">")
        raw = self.mail(
            writer,
            body,
            to=to,
            subject=f"Re: {letter['Subject']}",
            proved=proved,
            headers={"In-Reply-To": str(letter["Message-ID"])},
            message_id=message_id,
        )
        return self.give(raw, to=to)

    # -- mails out ---------------------------------------------------------------------------------------------------

    def send(self) -> None:
        """Send what is due."""
        send_due(
            self.desk,
            self.box,
            lambda: self.now,
            draw=lambda letter: DOT if letter.picture else None,
        )

    def last(self, address: str, game: str = "") -> EmailMessage:
        """Return the last letter to an address, or the last one that has a game's token."""
        return next(
            sent.message
            for sent in reversed(self.box.sent)
            if sent.parcel.recipient == address
            and (not game or f"+{game}.".encode() in sent.parcel.data)
        )

    def parcel(self, address: str) -> Parcel:
        """Return the last parcel to an address."""
        return next(s.parcel for s in reversed(self.box.sent) if s.parcel.recipient == address)

    def count(self, address: str | None = None) -> int:
        """Return how many letters went out, to an address or to all."""
        return sum(1 for sent in self.box.sent if address in (None, sent.parcel.recipient))

    # -- time --------------------------------------------------------------------------------------------------------

    def later(self, **span: float) -> None:
        """Let time pass; the clocks do what is due, and it is sent."""
        self.now += timedelta(**span)
        run_clocks(self.desk, self.now)
        self.send()

    def begun(self, game: str = "hex", *options: str) -> tuple[str, list[str]]:
        """Let Ann and Bob be players with a game under way; return its id and the addresses by seat."""
        ann, bob = self.player("Ann"), self.player("Bob")
        self.write(ann, " ".join(("challenge Bob", game, *options)))
        self.answer(self.last(bob), "accept", proved=True)
        game_id = tag_of(self.last(bob))
        match = self.match(game_id)
        return game_id, [{"Ann": ann, "Bob": bob}[match.player(seat)] for seat in (0, 1)]

    # -- looking -----------------------------------------------------------------------------------------------------

    def match(self, game: str):  # type: ignore[no-untyped-def]
        """Return a game as it is kept."""
        with self.desk.store.read(self.now) as unit:
            kept = unit.game(game)
        assert kept is not None
        return kept.match


def plain(letter: EmailMessage) -> str:
    """Return a letter's plain part."""
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def html(letter: EmailMessage) -> str:
    """Return a letter's page."""
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def record(letter: EmailMessage) -> str:
    """Return the attached record."""
    return next(
        part.get_content()
        for part in letter.iter_attachments()
        if part.get_filename("").endswith(".moves")
    )


def tag_of(letter: EmailMessage) -> str:
    """Return the game's id in a letter's subject."""
    match = re.search(r"\[([a-z]+-[0-9]+)\]", str(letter["Subject"]))
    assert match is not None
    return match[1]
