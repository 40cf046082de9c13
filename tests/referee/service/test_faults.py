"""Nothing lost, nothing twice: the process is killed at every commit, sending and rename in turn, and at random.

A child of this process takes the mails of a Maildir in, handles them and sends the answers into another; it is killed
at a point, then others finish its work. In the end every mail is handled exactly once, every position equals a replay,
and every letter went out at least once, always the same.
"""

from __future__ import annotations

import os
import random
import shutil
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from referee import faults
from referee.mail.identity import plus, token
from referee.service import sending, serving
from referee.service.desk import open_desk
from tests.referee.faults.club import Play
from tests.referee.service.house import ADDRESS, House
from tests.referee.store import databases

SETTINGS = '\n[mail.in]\nkind = "maildir"\npath = "in"\n'
CLEAN, KILLED = 0, 137


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """A club with a game under way, and six mails that wait in its Maildir."""
    folder = _with_mails(tmp_path_factory.mktemp("faults") / "club", "sqlite:///club.db")
    warmed = tmp_path_factory.mktemp("faults") / "warm"
    shutil.copytree(folder, warmed)
    desk = open_desk(warmed, datetime.now(UTC))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sending, "picture", lambda letter: None)
        serving.serve(desk, {}, once=True)  # what this compiles its children need not
    desk.store.close()
    return Play(folder, [])


@pytest.fixture(scope="module")
def club_on_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """The like at PostgreSQL."""
    with databases.made() as url:
        yield Play(_with_mails(tmp_path_factory.mktemp("faults") / "club", url), [], url)


def _with_mails(folder: Path, database: str) -> Path:
    house = House(folder, database=database)
    house.now = datetime.now(UTC) - timedelta(minutes=4)
    game, seats = house.begun("hex", "size=4")
    with house.desk.store.begin(house.now) as unit:
        unit.beat()
    text = (folder / "club.toml").read_text()
    text = text.replace('[mail.in]\nkind = "none"', '[mail.in]\nkind = "maildir"\npath = "in"')
    (folder / "club.toml").write_text(text)
    new = folder / "in" / "new"
    new.mkdir(parents=True)
    key, number = house.desk.key, 0

    def put(seat: int, event: int, said: str, *, message_id: str | None = None) -> bytes:
        nonlocal number
        to = plus(ADDRESS, token(key, game, seat, event))
        raw = house.mail(seats[seat], said, to=to, message_id=message_id)
        raw = f"Delivered-To: {to}\n".encode() + raw
        number += 1
        (new / f"{number:03}.mail").write_bytes(raw)
        moment = (house.now + timedelta(seconds=number)).timestamp()
        os.utime(new / f"{number:03}.mail", (moment, moment))
        return raw

    put(0, 0, "b2", message_id="<first@x.example>")
    put(0, 0, "b2", message_id="<first@x.example>")
    put(1, 1, "swap")
    put(1, 2, "queue c1: d4\nchat\nhello\nend")
    put(0, 2, "c1")
    put(0, 4, "undo?")
    house.desk.store.close()
    return folder


WORDS = ("b2", "swap", "c1", "d4")
"""What stands in the end; d4 was queued."""


def in_child(work: Callable[[], None]) -> int:
    """Do something in a child process; return its exit status, 137 where a point killed it."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(CLEAN)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def round_of(folder: Path, order: str | None, ahead: timedelta = timedelta()) -> int:
    """Let a process do one round, killed at the point that `order` names; `ahead` is how late it is by then."""

    def work() -> None:
        def now() -> datetime:
            return datetime.now(UTC) + ahead

        serving.utc_now = now
        sending.picture = lambda letter: None  # type: ignore[assignment]
        desk = open_desk(folder, now(), complain=lambda text: None)
        faults.arm(order)
        serving.serve(desk, {}, once=True)

    return in_child(work)


def finished(folder: Path) -> None:
    """Let another finish the work, then check that nothing was lost and nothing done twice."""
    assert round_of(folder, None, timedelta(hours=2)) == CLEAN
    desk = open_desk(folder, datetime.now(UTC) + timedelta(hours=4))
    with desk.store.read(datetime.now(UTC)) as unit:
        assert unit.spool_counts() == {"waiting": 0, "quarantined": 0}
        counts = unit.outbox_counts()
        assert counts["due"] == counts["failed"] == 0
        kept = unit.game("hex-1")
        assert kept is not None
        assert kept.match.words == WORDS
        kinds = [entry.kind for entry in unit.log_of("hex-1", everything=True)]
        letters = [unit.outbox_get(row) for row in range(1, sum(counts.values()) + 1)]
    assert kinds == EVENTS
    assert desk.store.replay_all(datetime.now(UTC)) == []
    desk.store.close()
    assert not list((folder / "in" / "new").iterdir())
    assert len(list((folder / "in" / "cur").iterdir())) == 6
    seen: dict[str, set[bytes]] = {}
    for file in (folder / "spool" / "out" / "new").iterdir():
        data = file.read_bytes()
        seen.setdefault(str(message_from_bytes(data)["Message-ID"]), set()).add(data)
    wanted = {
        x.message_id for x in letters if x is not None and x.state == "sent" and x.id > BEFORE
    }
    assert wanted <= set(seen)
    assert all(len(copies) == 1 for copies in seen.values())


EVENTS = ["started", "played", "played", "queued", "chat", "played", "played", "undoasked"]
"""The log: each act once, in its order."""
BEFORE = 4
"""Letters that went out before the mails came."""


def test_once_clean(club: Play, ram: Path) -> None:
    mine = club.copy(ram / "0")
    assert round_of(mine.folder, None) == CLEAN
    finished(mine.folder)


PARTS = 4
"""All points are shared out among so many tests, which can run side by side."""
ALL = [pytest.param(part, PARTS, marks=pytest.mark.long) for part in range(1, PARTS + 1)]


@pytest.mark.parametrize(("part", "step"), [(1, 9), *ALL])
def test_killed_at_points_in_turn(club: Play, ram: Path, part: int, step: int) -> None:
    """An odd step: points come in pairs, before and after a thing is done."""
    _killed_in_turn(club, ram, part, step)


@pytest.mark.parametrize(("part", "step"), [(7, 60), *ALL])
def test_killed_at_points_beside_postgresql(
    club_on_server: Play, ram: Path, part: int, step: int
) -> None:
    _killed_in_turn(club_on_server, ram, part, step)


def _killed_in_turn(club: Play, place: Path, first: int, step: int) -> None:
    number = first
    while True:
        mine = club.copy(place / str(number))
        status = round_of(mine.folder, f"*:{number}")
        finished(mine.folder)
        mine.drop()
        if status == CLEAN:
            break
        assert status == KILLED
        number += step
    assert number > 80


@pytest.mark.parametrize(
    "times", [10, pytest.param(1000, marks=pytest.mark.long)], ids=["ten", "thousand"]
)
def test_killed_at_random(club: Play, ram: Path, times: int) -> None:
    """Killed again and again, in the recovery too."""
    _killed_at_random(club, ram, times)


@pytest.mark.parametrize(
    "times", [2, pytest.param(300, marks=pytest.mark.long)], ids=["two", "three hundred"]
)
def test_killed_at_random_beside_postgresql(club_on_server: Play, ram: Path, times: int) -> None:
    _killed_at_random(club_on_server, ram, times)


def _killed_at_random(club: Play, place: Path, times: int) -> None:
    chance = random.Random(times)
    for number in range(times):
        mine = club.copy(place / f"r{number}")
        for again in range(chance.randint(1, 3)):
            late = timedelta(minutes=11 * again)
            round_of(mine.folder, f"*:{chance.randint(1, 80)}", late)
        finished(mine.folder)
        mine.drop()
