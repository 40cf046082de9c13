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
        taken = now()
        with desk.store.begin(taken) as unit:
            rows = unit.outbox_take(AT_ONCE)
        if not rows:
            break
        for at, row in enumerate(rows):
            if now() - taken > LEASE / 2:
                break  # servers are slow; the rest comes again before another process may think us dead
            failed = _send(desk, way, row, draw or picture)
            _noted(desk, now, row, failed, tally, rows[at + 1 :])
            if failed is not None and failed.everything:
                tally.trouble = failed.reason
                desk.complain(f"no mail goes out ({failed.trouble}): {failed.reason}")
                break
    way.close()
    return tally


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
    row: Row,
    failed: Failed | None,
    tally: Tally,
    rest: Sequence[Row],
) -> None:
    """Note what came of a letter, in a transaction of its own; a database that is away is waited for.

    What is not noted is sent once more, so this process, which knows, goes on trying while the letter is still its own.
    """
    began = time.monotonic()
    while True:
        try:
            with desk.store.begin(now()) as unit:
                _settle(desk, unit, row, failed, tally)
                if failed is not None and failed.everything:
                    wait = _wait(failed, row)
                    for other in rest:
                        unit.outbox_retry(other.id, unit.now + wait, failed.reason)
                        tally.put_off += 1
        except (AwayError, ContendedError):
            if time.monotonic() - began > LEASE.total_seconds() / 2:
                raise
            time.sleep(NOTED_AGAIN)
        else:
            return


def _settle(desk: Desk, unit: Unit, row: Row, failed: Failed | None, tally: Tally) -> None:
    unit.hold_games(_games(row))
    if failed is None:
        tally.sent += 1
        first = unit.outbox_sent(row.id)
        if first is not None:
            _arrived(unit, first)
        return
    over = unit.now - row.created >= GIVEN_UP and failed.trouble == "temporary"
    if failed.trouble == "permanent" or over:
        tally.failed += 1
        unit.outbox_failed(row.id, failed.reason)
        undeliverable(Post(desk, unit, unit.now), row, failed.reason, hard=True)
        return
    tally.put_off += 1
    unit.outbox_retry(row.id, unit.now + _wait(failed, row), failed.reason)


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


def _arrived(unit: Unit, row: Row) -> None:
    """Start the clocks whose notice has had its first 250."""
    if row.player_id is None:
        return
    if row.kind in TURNS and row.game is not None:
        _start(unit, row.game, row.event, row.player_id)
    elif row.kind == "digest":
        for game, event in loaded(row.raw).covers:
            _start(unit, game, event, row.player_id)


def _start(unit: Unit, game: str, event: int | None, player_id: int) -> None:
    kept = unit.game(game)
    if kept is None or kept.match.event != event:
        return
    seat = kept.seat_of(player_id)
    if seat is not None:
        start_clock(unit, kept, seat, unit.now)
