"""A full disk, a locked database, a club that is not right: exit status and words; no mail is lost by it."""

from __future__ import annotations

import contextlib
import resource
import signal
import smtplib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from referee.club import MailIn
from referee.mail.lmtp import Listener
from referee.mail.transport import Failed
from referee.service.desk import open_desk
from referee.service.serving import Every, Server
from referee.store.sqlite import Sqlite
from tests.referee.faults.club import CLEAN, Play, command, finish, play, quiet
from tests.referee.service.house import Box

TEMPFAIL = 75


@pytest.fixture
def club(tmp_path: Path) -> Play:
    return play(tmp_path / "club")


def brought(club: Play, number: int, first: Any = quiet) -> tuple[int, str]:
    raw, to = club.mails[number]
    return command("mail", "--recipient", to, "--club", str(club.folder), stdin=raw, first=first)


def all_brought(club: Play) -> None:
    for number in range(len(club.mails)):
        status, told = brought(club, number)
        assert status == CLEAN, told


def one_line(told: str) -> str:
    """Return what was said: one line, and no traceback."""
    assert "Traceback" not in told
    (line,) = told.strip().splitlines()
    assert line.startswith("referee: ")
    return line


def full(pages: int) -> Any:
    """Return what a child does first so that its database has room for so many pages more."""

    def first() -> None:
        quiet()
        connected = Sqlite._connected

        def narrow(self: Sqlite, connection: sqlite3.Connection, record: object) -> None:
            connected(self, connection, record)
            (now,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {now + pages}")

        Sqlite._connected = narrow  # type: ignore[method-assign]

    return first


def test_a_full_disk_is_for_later(club: Play) -> None:
    status, told = brought(club, 0, full(0))
    if status == CLEAN:  # the mail found room in a free page: then answering it finds none
        assert "no space is left" in told
    else:
        assert status == TEMPFAIL
        assert "no space is left; make some, nothing was lost" in one_line(told)
    all_brought(club)
    finish(club.folder)


@pytest.mark.parametrize(
    "pages", [0, 2, 8, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 4))]
)
def test_wherever_the_disk_becomes_full_nothing_is_lost(club: Play, pages: int) -> None:
    """Full while it is stored, counted, handled or sent: the mail is the sender's again, or is ours and kept."""
    large = b"\nX-Large: " + b"x" * 20_000
    raw, to = club.mails[0]
    club.mails[0] = raw.replace(b"\nX-", b"\nX-", 1).replace(b"\nFrom:", large + b"\nFrom:", 1), to
    for number in range(len(club.mails)):
        status, told = brought(club, number, full(pages))
        assert "Traceback" not in told
        assert status in (CLEAN, TEMPFAIL)
        if status == TEMPFAIL:
            assert "no space is left" in told
            assert brought(club, number)[0] == CLEAN
    finish(club.folder)


def test_a_file_that_may_not_grow_is_a_fault_of_the_disk(club: Play) -> None:
    """The system itself refuses to write (a quota, a limit)."""

    def first() -> None:
        quiet()
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = (club.folder / "club.db").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 8, size // 8))

    status, told = brought(club, 0, first)
    assert status == TEMPFAIL
    assert "look at the disk" in one_line(told) or "no space" in told
    all_brought(club)
    finish(club.folder)


@contextlib.contextmanager
def locked(folder: Path) -> Any:
    """Hold the database as another program does."""
    with contextlib.closing(sqlite3.connect(folder / "club.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_a_locked_database_is_for_later(club: Play) -> None:
    with locked(club.folder):
        status, told = brought(club, 0)
    assert status == TEMPFAIL
    assert "another process holds the database; it will be tried again" in one_line(told)
    all_brought(club)
    finish(club.folder)


def test_lmtp_says_later_while_the_database_is_locked(club: Play, tmp_path: Path) -> None:
    desk = open_desk(club.folder, datetime.now(UTC), patience=0.2)
    server = Server(desk, Box(), None)
    listener = Listener(MailIn(kind="lmtp", path=tmp_path / "l"), desk.club.address, server.keep)
    raw, to = club.mails[0]
    try:
        with locked(club.folder), smtplib.LMTP(str(tmp_path / "l"), timeout=10) as mta:
            with pytest.raises(smtplib.SMTPDataError) as caught:
                mta.sendmail("x@x.example", [to], raw)
            assert caught.value.smtp_code == 451
            assert b"another process holds the database" in bytes(caught.value.smtp_error)
        with smtplib.LMTP(str(tmp_path / "l"), timeout=10) as mta:
            assert mta.sendmail("x@x.example", [to], raw) == {}
    finally:
        listener.close()
        desk.store.close()
    all_brought(club)
    finish(club.folder)


def test_serve_goes_on_through_trouble_and_says_it(club: Play) -> None:
    """Locked, then free; mail away, then back: each is told in a line, each thing is done when it can be."""
    told: list[str] = []
    desk = open_desk(club.folder, datetime.now(UTC), patience=0.1, complain=told.append)

    class Away:
        """A mailbox whose server is away, then throttles, then is back."""

        def __init__(self) -> None:
            self.answers = [
                "IMAP x:993: Connection refused",
                "IMAP x:993: the login was refused: [LIMIT]",
            ]

        def mails(self) -> Any:
            from referee.mail.maildir import Found
            from referee.mail.transport import TransportError

            answer = self.answers.pop(0) if self.answers else ""
            if answer:
                raise TransportError(answer)
            yield from (Found(raw) for raw, _ in club.mails[:1])

        def close(self) -> None:
            pass

    box = Box()
    server = Server(desk, box, Away())
    server.polls = Every(0.0)
    with locked(club.folder):
        server.round()
    assert any("another process holds the database" in line for line in told)
    for each in (server.beats, server.works, server.clocks, server.sends, server.polls):
        each.next = 0.0
    told.clear()
    server.round()
    assert any("[LIMIT]" in line for line in told)
    for each in (server.beats, server.works, server.clocks, server.sends, server.polls):
        each.next = 0.0
    box.fails = {
        "ann@ann.example": Failed("temporary", "421 closing", True),
        "bob@bob.example": Failed("temporary", "421 closing", True),
    }
    server.round()
    assert any("no mail goes out (temporary): 421 closing" in line for line in told)
    with desk.store.read(datetime.now(UTC)) as unit:
        kept = unit.game("hex-1")
        assert kept is not None
        assert kept.match.words == ("b2",)  # the move is kept in every case
        assert unit.outbox_counts()["due"] == 2
    desk.store.close()


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda f: (f / "club.toml").unlink(), "no club.toml"),
        (lambda f: (f / "referee.key").unlink(), "referee.key"),
        (lambda f: (f / "referee.key").chmod(0o644), "referee.key"),
        (lambda f: (f / "club.db").unlink(), "club.db"),
        (lambda f: (f / "club.db").write_bytes(b"no database " * 1000), "club.db"),
        (lambda f: (f / "club.toml").write_text("name = "), "club.toml"),
    ],
)
def test_a_club_that_is_not_right_keeps_the_mail_waiting(club: Play, harm: Any, says: str) -> None:
    """75: the mail server keeps it until the operator has mended what the line names."""
    for side in ("club.db-wal", "club.db-shm"):
        (club.folder / side).unlink(missing_ok=True)
    harm(club.folder)
    status, told = brought(club, 0)
    assert status == TEMPFAIL
    assert says in one_line(told)


def test_a_damaged_game_keeps_no_other_from_its_deadline(tmp_path: Path) -> None:
    """One record that the rules no longer take: its clock stands and is named, all others run."""
    from sqlalchemy import update

    from referee.store.schema import games
    from tests.referee.service.house import House

    house = House(tmp_path / "club")
    bad, _ = house.begun("hex", "size=5", "days=2")
    house.write("ann@ann.example", "challenge Bob hex size=5 days=3")
    house.answer(house.last("bob@bob.example"), "accept", proved=True)
    with house.desk.store.begin(house.now) as unit:
        unit._db.execute(update(games).where(games.c.id == bad).values(words="z99"))
    house.later(days=4)
    assert house.match("hex-2").status == "over"
    assert any(bad in line and "is left out" in line for line in house.complaints)
    # and a mail for it is put aside, while others are handled
    house.write("ann@ann.example", "next")
    assert house.write("ann@ann.example", "standings").kind == "done"


def test_a_fault_of_ours_in_one_thing_ends_no_other(
    club: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    desk = open_desk(club.folder, datetime.now(UTC), complain=told.append)
    server = Server(desk, Box(), None)

    def broken(server: Server) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(Server, "_run_clocks", broken)
    raw, to = club.mails[0]
    server.keep(raw, to)
    server.round()
    assert told == ["a fault: ZeroDivisionError: by zero"]
    with desk.store.read(datetime.now(UTC)) as unit:
        assert unit.outbox_counts()["due"] == 0
        assert unit.spool_counts()["waiting"] == 0
    desk.store.close()
