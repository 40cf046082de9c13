"""Due letters are composed and sent; the first 250 starts a turn's clock (mail.md, Mail out; M79, M80)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from pnp.errors import PnpError
from referee.core.source import Source
from referee.errors import RefereeError
from referee.faults import point
from referee.mail.compose import Letter, compose, loaded
from referee.mail.identity import envelope_part, plus
from referee.mail.transport import Failed, Parcel, Way
from referee.service.bounces import undeliverable
from referee.service.desk import Desk
from referee.service.games import start_clock
from referee.service.post import TURNS, Post
from referee.store import LEASE, AwayError, ContendedError, Unit
from referee.store import Letter as Row

AT_ONCE: Final = 10
"""Letters taken from the outbox together."""
FIRST_WAIT: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(hours=4)
CONFIGURATION_WAIT: Final = timedelta(minutes=5)
TOGETHER: Final = 0.5
"""Seconds: letters that go meanwhile are noted in one transaction. After a crash they go again, as the same mails."""
GIVEN_UP: Final = timedelta(days=5)
"""A letter that no server takes for so long will not be taken (RFC 5321, 4.5.4.1)."""
NOTED_AGAIN: Final = 0.25
"""Seconds between two tries to note what was sent."""
PICTURE_DPI: Final = 96.0


@dataclass(slots=True)
class Tally:
    """What a round of sending came to; `trouble` is what stopped it, if anything did."""

    sent: int = 0
    put_off: int = 0
    failed: int = 0
    trouble: str = ""

    def add(self, other: Tally) -> None:
        """Count another round in."""
        self.sent += other.sent
        self.put_off += other.put_off
        self.failed += other.failed


def send_due(
    desk: Desk,
    way: Way,
    now: Callable[[], datetime],
    stop: Callable[[], bool] = lambda: False,
    draw: Draw | None = None,
) -> Tally:
    """Send the letters that are due; what cannot go now is put off."""
    tally = Tally()
    while not stop() and not tally.trouble:
        lost, taken = tally.failed, now()
        with desk.store.begin(taken) as unit:
            rows = unit.outbox_take(AT_ONCE)
        if rows:
            _send_all(desk, way, now, rows, draw or picture, tally)
        if len(rows) < AT_ONCE and tally.failed == lost:
            break  # a letter that is lost is told to others, and that goes now
    way.close()
    return tally


@dataclass(slots=True)
class Went:
    """What became of a letter, and when."""

    row: Row
    failed: Failed | None
    at: datetime


def _send_all(
    desk: Desk,
    way: Way,
    now: Callable[[], datetime],
    rows: Sequence[Row],
    draw: Draw,
    tally: Tally,
) -> None:
    """Send letters one after the other; those that go within a moment are noted together."""
    taken, began = now(), time.monotonic()
    done: list[Went] = []
    rest: Sequence[Row] = ()
    try:
        for at, row in enumerate(rows):
            if now() - taken > LEASE / 2:
                break  # servers are slow; the rest comes again before another process may think us dead
            failed = _send(desk, way, row, draw)
            done.append(Went(row, failed, now()))
            if failed is not None and failed.everything:
                tally.trouble = failed.reason
                desk.complain(f"no mail goes out ({failed.trouble}): {failed.reason}")
                rest = rows[at + 1 :]
                break
            if time.monotonic() - began > TOGETHER:
                _noted(desk, now, done, tally)
                done, began = [], time.monotonic()
    finally:
        _noted(desk, now, done, tally, rest)


Draw = Callable[[Letter], "bytes | None"]
"""Draws a letter's picture."""


def parcel_of(desk: Desk, row: Row, draw: Draw) -> Parcel:
    """Return a letter of the outbox ready to go: the same bytes each time."""
    letter = loaded(row.raw)
    club = desk.club
    data = compose(letter, club.name, club.address, draw(letter))
    sender = plus(club.address, envelope_part(desk.key, row.id))
    return Parcel(row.id, sender, row.recipient, data)


def _send(desk: Desk, way: Way, row: Row, draw: Draw) -> Failed | None:
    try:
        parcel = parcel_of(desk, row, draw)
    except Exception as error:  # whatever it is, one letter must not keep the others from going
        return Failed("permanent", f"the mail cannot be composed: {error}")
    point("send:before")
    failed = way.send(parcel)
    point("send:after")
    return failed


def picture(letter: Letter) -> bytes | None:
    """Return a letter's picture as PNG; None where it has none, or it cannot be drawn: the text is complete."""
    if not letter.picture:
        return None
    try:
        return _drawn(letter.picture, letter.ply)
    except (PnpError, RefereeError, OSError, ImportError):
        return None


@lru_cache(maxsize=8)
def _drawn(record: str, ply: int | None) -> bytes:
    """Draw a position; both players' letters show the same."""
    from pnp import themes
    from pnp.backends import png
    from referee import diagram
    from referee.diagram.frames import frame_of
    from referee.notation import moves

    frame = frame_of(moves.read(Source("game", record)), ply)
    return png.render(diagram.scene(frame, themes.load("colour")), PICTURE_DPI)


# -- what came of it -------------------------------------------------------------------------------------------------


def _noted(
    desk: Desk,
    now: Callable[[], datetime],
    done: Sequence[Went],
    tally: Tally,
    rest: Sequence[Row] = (),
) -> None:
    """Note what came of letters, in one transaction; a database that is away is waited for.

    `rest` are letters that were not tried after the last of them failed. What is not noted is sent once more, so this
    process, which knows, goes on trying while the letters are still its own.
    """
    if not done:
        return
    began = time.monotonic()
    games = [game for went in done for game in _games(went.row)]
    last = done[-1]
    while True:
        try:
            with desk.store.begin(now()) as unit:
                unit.hold_games(games)
                noted = Tally()
                for went in done:
                    _settle(desk, unit, went, noted)
                for other in rest:
                    _put_off(unit, other, last, noted)
        except (AwayError, ContendedError):
            if time.monotonic() - began > LEASE.total_seconds() / 2:
                raise
            time.sleep(NOTED_AGAIN)
        else:
            tally.add(noted)
            return


def _settle(desk: Desk, unit: Unit, went: Went, tally: Tally) -> None:
    row, failed = went.row, went.failed
    if failed is None:
        tally.sent += 1
        if unit.outbox_sent(row.id, went.at):
            _arrived(unit, row, went.at)
        return
    over = unit.now - row.created >= GIVEN_UP and failed.trouble == "temporary"
    if failed.trouble == "permanent" or over:
        tally.failed += 1
        unit.outbox_failed(row.id, failed.reason)
        undeliverable(Post(desk, unit, unit.now), row, failed.reason, hard=True)
        return
    _put_off(unit, row, went, tally)


def _put_off(unit: Unit, row: Row, went: Went, tally: Tally) -> None:
    """Put a letter off as long as the one that failed."""
    assert went.failed is not None
    unit.outbox_retry(row.id, unit.now + _wait(went.failed, went.row), went.failed.reason)
    tally.put_off += 1


def _wait(failed: Failed, row: Row) -> timedelta:
    """Return how long a letter is put off: longer each time (M80)."""
    if failed.trouble == "configuration":
        return CONFIGURATION_WAIT
    doubled: timedelta = FIRST_WAIT * 2 ** max(0, min(row.attempts - 1, 10))
    return min(LONGEST_WAIT, doubled)


def _games(row: Row) -> list[str]:
    """Return the games whose clocks a letter may start or stop: they are held before the letter's row is."""
    if row.kind == "digest":
        return [game for game, _ in loaded(row.raw).covers]
    return [row.game] if row.game is not None else []


def _arrived(unit: Unit, row: Row, at: datetime) -> None:
    """Start the clocks whose notice has had its first 250."""
    if row.player_id is None:
        return
    if row.kind in TURNS and row.game is not None:
        _start(unit, row.game, row.event, row.player_id, at)
    elif row.kind == "digest":
        for game, event in loaded(row.raw).covers:
            _start(unit, game, event, row.player_id, at)


def _start(unit: Unit, game: str, event: int | None, player_id: int, at: datetime) -> None:
    kept = unit.game(game)
    if kept is None or kept.match.event != event:
        return
    seat = kept.seat_of(player_id)
    if seat is not None:
        start_clock(unit, kept, seat, at)
