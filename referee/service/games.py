"""A game changed: its clocks charged and started, its record saved, stale notices taken back (M72, M77, M103)."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from referee import clock as clocks
from referee.clock import Clock
from referee.match import Done, Played, Started, Substituted, Undone, end
from referee.store import Kept, Unit
from referee.turns import RESULT_OF_LOSS

STALE_KINDS: Final = ("turn", "reminder")
"""Letters that say what is asked of somebody now; a later event takes them back while they are not yet sent."""


def settle(
    unit: Unit, kept: Kept, done: Done, at: datetime, players: tuple[int, int | None] | None = None
) -> Kept:
    """Save what was made of a game by an act received at `at`, and return it as it is kept now.

    `players` are the new ones after a substitution.
    """
    clock = clock_after(kept, done, at)
    saved = unit.save_game(kept, done.match, clock, done.events, players=players)
    if done.match.event > kept.match.event or done.match.status != "on":
        unit.outbox_cancel(kept.id, STALE_KINDS, done.match.event + (done.match.status != "on"))
    return saved


def clock_after(kept: Kept, done: Done, at: datetime) -> Clock | None:
    """Return the clocks after what was done: each ply is charged, the next player's turn waits for its notice."""
    clock = kept.clock
    if clock is None:
        return None
    moved = False
    for event in done.events:
        if isinstance(event, Played):
            if clock.seat != event.seat:
                clock = clocks.turn(clock, event.seat)  # a queued answer: a turn of no time (M103)
            clock = clocks.played(clock, kept.calendar, at)
            moved = True
        elif isinstance(event, Undone | Substituted):
            clock = clocks.halted(clock, kept.calendar, at)
            moved = True
        elif isinstance(event, Started):
            moved = True
    if moved or done.match.to_move is None:
        clock = clocks.turn(clock, done.match.to_move)
    return clock


def late(kept: Kept, at: datetime) -> Done | None:
    """Return the game lost on time if what was received at `at` came after the deadline, in a game of `auto`.

    Whoever looks first finds it: the clocks' own round or the late mail itself (M91).
    """
    clock = kept.clock
    if clock is None or clock.settings.timeout != "auto" or clock.seat is None:
        return None
    if kept.match.status != "on" or not clocks.expired(clock, kept.calendar, at):
        return None
    done = end(kept.match, RESULT_OF_LOSS[clock.seat], "time")
    return done if isinstance(done, Done) else None


def may_claim_time(kept: Kept, seat: int, at: datetime) -> bool:
    """Whether a player may claim now that the other's time is over."""
    clock = kept.clock
    return (
        clock is not None
        and clock.settings.timeout == "claim"
        and clock.seat == 1 - seat
        and kept.match.status == "on"
        and clocks.expired(clock, kept.calendar, at)
    )


def start_clock(unit: Unit, kept: Kept, seat: int, at: datetime) -> Kept:
    """Start the clock of the player to move: his notice was accepted, or he wants none."""
    clock = kept.clock
    if clock is None or clock.seat != seat or clock.since is not None or kept.match.status != "on":
        return kept
    return unit.save_clock(kept, clocks.noticed(clock, at))


def stop_clock(unit: Unit, kept: Kept, seat: int, at: datetime) -> Kept:
    """Stop the clock of the player to move: his notice came back. It runs on with the next one."""
    clock = kept.clock
    if clock is None or clock.seat != seat or clock.since is None or kept.match.status != "on":
        return kept
    return unit.save_clock(kept, clocks.halted(clock, kept.calendar, at))
