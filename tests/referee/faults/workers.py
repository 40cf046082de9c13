"""A club at PostgreSQL with many games and mails, several processes at work on it, and what came of it."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from functools import partial
from pathlib import Path

from sqlalchemy import create_engine, text

from referee.clock import Settings, new_clock, turn
from referee.errors import RefereeError
from referee.mail.identity import plus, token
from referee.mail.ways import way_out
from referee.service import desk as desks
from referee.service import sending
from referee.service.desk import open_desk, utc_now
from referee.service.sending import send_due
from referee.service.spool import receive, work
from referee.store import AwayError
from tests.referee.faults.club import ended, forked
from tests.referee.matches import begun
from tests.referee.service.house import ADDRESS, House

PLAYERS = 20
CELLS = ("b2", "c3", "a1", "d4", "a4", "d1", "b4", "c1")
"""Plies that may be played in this order on a 4 × 4 board, and end no game."""


@dataclass
class Town:
    """A club's folder; the plies that each game must have in the end."""

    folder: Path
    url: str
    expected: dict[str, tuple[str, ...]]

    def worker(self, name: str) -> Path:
        """Return a folder for a process on another machine: the same club, a Maildir of its own."""
        mine = self.folder.with_name(f"{self.folder.name}-{name}")
        shutil.copytree(self.folder, mine)
        return mine


def town(folder: Path, url: str, games: int, plies: int, seed: int = 1) -> Town:
    """Make a club of so many games, and a mail for each of their plies, all received in order but mixed.

    Every third ply comes without its token, by DMARC; some come twice, and for some another move comes in the same
    microsecond just behind.
    """
    house = House(folder, database=url)
    config = folder / "club.toml"
    patient = config.read_text().replace("[policy]", "[policy]\nattempts = 99")
    config.write_text(patient)  # whoever is killed often must not put mails aside
    chance = random.Random(seed)
    house.now = datetime.now(UTC) - timedelta(minutes=4)
    names = [f"P{chr(65 + n)}" for n in range(PLAYERS)]
    seats = {name: house.player(name) for name in names}
    desk, expected = house.desk, {}
    with desk.store.begin(house.now) as unit:
        unit.beat()
        ids = {name: unit.player_by_address(seats[name]) for name in names}
    queue: list[list[tuple[bytes, str]]] = []
    for _ in range(games):
        first, second = chance.sample(names, 2)
        with desk.store.begin(house.now) as unit:
            match = begun("Hex", number=unit.next_number(), Size="4")
            match = replace(match, tags={**match.tags, "First": first, "Second": second})
            one, two = ids[first], ids[second]
            assert one is not None
            assert two is not None
            unit.add_game(match, one.id, two.id, turn(new_clock(Settings()), 0))
        mails = [
            _mail(house, desk.key, match.id, ply, seats[(first, second)[ply % 2]], chance)
            for ply in range(plies)
        ]
        queue.append(mails)
        expected[match.id] = CELLS[:plies]
    _stored(house, queue, chance)
    desk.store.close()
    return Town(folder, url, expected)


def _mail(
    house: House, key: bytes, game: str, ply: int, sender: str, chance: random.Random
) -> tuple[bytes, str]:
    if ply % 3 == 2:
        said = f"move {ply + 1} {CELLS[ply]}"
        return house.mail(sender, said, subject=f"Re: [{game}]", proved=True), ADDRESS
    to = plus(ADDRESS, token(key, game, ply % 2, ply))
    return house.mail(sender, CELLS[ply], to=to), to


def _stored(house: House, queue: list[list[tuple[bytes, str]]], chance: random.Random) -> None:
    """Put the mails into the spool, each game's in their order."""
    moment = house.now
    while queue:
        at = chance.randrange(len(queue))
        mails = queue[at]
        raw, to = mails.pop(0)
        moment += timedelta(microseconds=chance.choice((0, 1, 1000)))
        receive(house.desk, raw, to, moment)
        if chance.random() < 0.1:
            receive(house.desk, raw, to, moment)
        if chance.random() < 0.1 and to != ADDRESS:
            other = raw.replace(b"Message-ID: <", b"Message-ID: <other-")
            receive(house.desk, other.replace(_said(raw), b"\n\na2\n"), to, moment)
        if not mails:
            queue.pop(at)


def _said(raw: bytes) -> bytes:
    return b"\n\n" + raw.split(b"\n\n", 1)[1]


def at_work(folder: Path, *, ahead: timedelta = timedelta(), clock_off: float = 0.0) -> None:
    """In a child: handle and send whatever there is, until nothing is left. Trouble is for the next round.

    `ahead` is how much later it is, for all machines; `clock_off` by how much this one's clock is wrong.
    """
    if clock_off:
        from referee.store import postgres

        real = time.time
        postgres._wall = lambda: real() + clock_off  # type: ignore[assignment]
        desks.datetime = _Shifted(clock_off)  # type: ignore[assignment]
    sending.picture = lambda letter: None  # type: ignore[assignment]
    sending.NOTED_AGAIN = 0.02  # type: ignore[misc]

    def now() -> datetime:
        return utc_now() + ahead

    end = time.monotonic() + 120
    desk = None
    while time.monotonic() < end:
        try:
            desk = desk or open_desk(folder, now(), complain=lambda text: None)
            work(desk, now)
            send_due(desk, way_out(desk.club, {}), now)
            with desk.store.read(now()) as unit:
                left = unit.spool_counts()["waiting"]
                due = unit.outbox_next()
            if not left and (due is None or due > now()):
                break
            time.sleep(0.02)
        except AwayError:
            time.sleep(0.05)
        except RefereeError:
            time.sleep(0.01)
    else:
        os._exit(98)
    desk.store.close()


class _Shifted:
    """A clock that is wrong."""

    def __init__(self, off: float) -> None:
        self.off = timedelta(seconds=off)

    def now(self, zone: object) -> datetime:
        return datetime.now(UTC) + self.off


def several(town: Town, number: int, meanwhile: Callable[[], object] = lambda: None) -> list[int]:
    """Let several processes work; return how each ended."""
    folders = [town.worker(f"w{n}") for n in range(number)]
    children = [forked(partial(at_work, folder)) for folder in folders]
    meanwhile()
    return [ended(child) for child in children]


def finish(town: Town) -> None:
    """Let one more process do what a crash left for later."""
    folder = town.worker("last")
    assert ended(forked(partial(at_work, folder, ahead=timedelta(hours=2)))) == 0


SKIPPED = 500
"""Numbers of letters that nothing has: PostgreSQL leaves out up to 32 at each crash, and one for each undone insert."""


def check(town: Town) -> Counter[str]:
    """Check that nothing was lost and nothing played twice; return how often each letter went out."""
    desk = open_desk(town.folder, datetime.now(UTC), complain=lambda text: None)
    with desk.store.read(datetime.now(UTC)) as unit:
        assert unit.frozen() is None
        assert unit.spool_counts() == {"waiting": 0, "quarantined": 0}
        counts = unit.outbox_counts()
        assert counts["due"] == counts["failed"] == 0, counts
        for game, words in town.expected.items():
            kept = unit.game(game)
            assert kept is not None
            assert kept.match.words == words, game
            kinds = [entry.kind for entry in unit.log_of(game, everything=True)]
            assert kinds.count("played") == len(words)
        total = sum(counts.values())
        sent = {
            row.message_id
            for row in map(unit.outbox_get, range(1, total + SKIPPED))
            if row is not None and row.state == "sent"
        }
    assert desk.store.replay_all(datetime.now(UTC)) == []
    desk.store.close()
    copies: Counter[str] = Counter()
    bodies: dict[str, bytes] = {}
    for data in _letters(town):
        key = str(message_from_bytes(data)["Message-ID"])
        copies[key] += 1
        assert bodies.setdefault(key, data) == data, "a second sending is the same mail"
    assert sent == set(copies)
    return copies


def _letters(town: Town) -> Iterator[bytes]:
    for folder in town.folder.parent.glob(f"{town.folder.name}-*"):
        for path in (folder / "spool" / "out" / "new").iterdir():
            yield path.read_bytes()


def deadlocks(url: str) -> int:
    """Return how often processes waited for each other at a database."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.scalar(
            text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        )
    engine.dispose()
    return int(found or 0)
