"""A club with a game under way, mails for it, processes that are killed at work, and a look at what came of it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

from referee import faults
from referee.mail.identity import plus, token
from referee.service import desk as desks
from referee.service import sending, serving
from referee.service.desk import open_desk
from tests.referee.service.house import ADDRESS, House
from tests.referee.store import databases

CLEAN, KILLED = 0, 137


@dataclass(frozen=True)
class Play:
    """The club's folder, and mails with the recipients of their envelopes, in the order in which they are sent."""

    folder: Path
    mails: list[tuple[bytes, str]]
    url: str = ""

    def copy(self, target: Path) -> Play:
        """Return the same in another folder, with a database of its own."""
        shutil.copytree(self.folder, target)
        if not self.url:
            return Play(target, self.mails)
        base, _, name = self.url.rpartition("/")
        url = f"{base}/{name}_{target.name}"
        databases.sql(self.url.replace(name, "postgres"), *_fresh(url.rpartition("/")[2], name))
        config = target / "club.toml"
        config.write_text(config.read_text().replace(self.url, url))
        return Play(target, self.mails, url)

    def drop(self) -> None:
        """Remove it."""
        shutil.rmtree(self.folder)
        if self.url:
            base, _, name = self.url.rpartition("/")
            gone = f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'
            databases.sql(f"{base}/postgres", gone)


def _fresh(name: str, template: str) -> tuple[str, str]:
    gone = f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'
    return gone, f'CREATE DATABASE "{name}" TEMPLATE "{template}"'


WORDS = ("b2", "swap", "c1", "b1")
EVENTS = ["started", "played", "played", "played", "chat", "played"]


def play(folder: Path, mail_in: str = "", url: str = "") -> Play:
    """Make a club; six mails play four plies, one of them twice, one refused, one with words for the other."""
    house = House(folder, database=url) if url else House(folder)
    house.now = datetime.now(UTC) - timedelta(minutes=4)
    game, seats = house.begun("hex", "size=4")
    with house.desk.store.begin(house.now) as unit:
        unit.beat()
    if mail_in:
        config = folder / "club.toml"
        config.write_text(
            config.read_text().replace('[mail.in]\nkind = "none"', f"[mail.in]\n{mail_in}")
        )
    mails = []
    for seat, event, said, known in (
        (0, 0, "b2", "<first@x.example>"),
        (0, 0, "b2", "<first@x.example>"),
        (1, 1, "swap", None),
        (0, 2, "z9", None),
        (0, 2, "c1\nchat\nhello\nend", None),
        (1, 3, "b1", None),
    ):
        to = plus(ADDRESS, token(house.desk.key, game, seat, event))
        raw = house.mail(seats[seat], said, to=to, message_id=known)
        mails.append((f"Delivered-To: {to}\n".encode() + raw, to))
    house.desk.store.close()
    return Play(folder, mails, url)


def forked(work: Callable[[], object]) -> int:
    """Begin something in a child process and return the child's id. It ends with 0, or what it exits with."""
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
    except SystemExit as status:
        os._exit(status.code if isinstance(status.code, int) else 1)
    except BaseException:
        traceback.print_exc()
        os._exit(99)
    os._exit(CLEAN)


def ended(pid: int) -> int:
    """Return a child's exit status; of one that a signal killed the signal's number, negative."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def quiet() -> None:
    """In a child: draw no pictures, and wait for nobody."""
    sending.picture = lambda letter: None  # type: ignore[assignment]
    assert desks.open_desk.__kwdefaults__ is not None
    desks.open_desk.__kwdefaults__["patience"] = 0.3


def command(
    *words: str, stdin: bytes = b"", order: str | None = None, first: Callable[[], object] = quiet
) -> tuple[int, str]:
    """Run the `referee` command in a child that is killed at the point `order`; return status and standard error."""
    from referee.cli import main

    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as said:
        said.write(stdin)
        said.seek(0)
        sys.stdout.flush()
        sys.stderr.flush()

        def work() -> None:
            os.dup2(said.fileno(), 0)
            os.dup2(told.fileno(), 1)
            os.dup2(told.fileno(), 2)
            sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
            first()
            faults.arm(order)
            try:
                main(list(words))
            finally:
                sys.stdout.flush()
                sys.stderr.flush()

        status = ended(forked(work))
        told.seek(0)
        return status, told.read().decode("utf-8", "replace")


def one_round(folder: Path, order: str | None = None, ahead: timedelta = timedelta()) -> int:
    """Let a child do one round of everything; `ahead` is how much later it is by then."""

    def work() -> None:
        def now() -> datetime:
            return datetime.now(UTC) + ahead

        quiet()
        serving.utc_now = now
        desk = open_desk(folder, now(), complain=lambda text: None)
        faults.arm(order)
        serving.serve(desk, {}, once=True)

    return ended(forked(work))


def finish(folder: Path) -> None:
    """Let another process finish the work, then check that nothing was lost and nothing done twice."""
    assert one_round(folder, ahead=timedelta(hours=2)) == CLEAN
    now = datetime.now(UTC) + timedelta(hours=4)
    desk = open_desk(folder, now)
    with desk.store.read(now) as unit:
        assert unit.spool_counts() == {"waiting": 0, "quarantined": 0}
        counts = unit.outbox_counts()
        assert counts["due"] == counts["failed"] == 0
        kept = unit.game("hex-1")
        assert kept is not None
        assert kept.match.words == WORDS
        assert [entry.kind for entry in unit.log_of("hex-1", everything=True)] == EVENTS
        letters = [unit.outbox_get(row) for row in range(1, sum(counts.values()) + 1)]
    assert desk.store.replay_all(now) == []
    desk.store.close()
    out = folder / "spool" / "out" / "new"
    copies: dict[str, set[tuple[str, bytes]]] = {}
    for path in out.iterdir():
        data = path.read_bytes()
        message = message_from_bytes(data)
        copies.setdefault(str(message["Message-ID"]), set()).add((str(message["Date"]), data))
    sent = {
        row.message_id
        for row in letters
        if row is not None and row.state == "sent" and row.id > BEFORE
    }
    assert sent <= set(copies)
    assert all(len(same) == 1 for same in copies.values())


BEFORE = 4
"""Letters that went out before the mails came, to a box that was not this folder's."""
