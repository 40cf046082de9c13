"""The club's clocks: heartbeat, downtime, jumps; reminders and deadlines; digests; what may go (mail.md, Clocks)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee import clock as clocks
from referee.clock import Beat, Pulse, pulse, written
from referee.mail.identity import plus, token
from referee.mail.reply import Note, note
from referee.match import Done, ReplayError, end
from referee.service import tell
from referee.service.answers import kind_of
from referee.service.desk import Desk
from referee.service.games import settle
from referee.service.offers import expire
from referee.service.post import Post
from referee.store import Kept, Unit
from referee.turns import RESULT_OF_LOSS

LOOKS: Final = 3
"""Looks at what is due in one round: what was a reminder may be a deadline by now."""
KEPT: Final = timedelta(days=60)
"""For so long a settled letter stays in the outbox, for `resend` and for bounces that come late."""


def beat(
    desk: Desk, mine: Beat | None, now: Beat, again: Callable[[], Beat] | None = None
) -> Pulse:
    """Say that a process runs, and look at the club's own clock: credit a gap, freeze after a jump (M89, M90).

    `again` reads the clocks anew once the database is ours: while this process waited for it, another one may have
    written a later heartbeat, which is no jump.
    """
    with desk.store.begin(now.at) as unit:
        if again is not None:
            now = again()
            unit.now = now.at
        found = pulse(unit.beating(), mine, now)
        if found.kind == "down":
            unit.credit(found.begin, found.end)
            desk.complain(
                f"nobody ran for {clocks.duration(found.end - found.begin)}; all clocks get it back"
            )
        elif found.kind == "jump" and unit.freeze(found.begin, "the clock of this machine jumped"):
            _tell_jump(desk, unit, now.at)
        unit.beat()
    return found


def _tell_jump(desk: Desk, unit: Unit, now: datetime) -> None:
    text = (
        f"The clock of the club's machine jumped; it says {written(now, desk.club.zone)} now. "
        "All clock actions are frozen: no deadline passes, no reminder goes out. Look at the machine's time, "
        "then let the clocks run by “referee resume”."
    )
    Post(desk, unit, now).operator(text, f"{desk.club.name}: the clock jumped")
    desk.complain("the machine's clock jumped; clock actions are frozen until `referee resume`")


def run_clocks(desk: Desk, now: datetime) -> int:
    """Do what is due: reminders, deadlines, challenges that ran out, digests; return how many games were looked at."""
    looked = 0
    broken: set[str] = set()
    for _ in range(LOOKS):
        with desk.store.read(now) as unit:
            due = [game_id for game_id in unit.due_games() if game_id not in broken]
        for game_id in due:
            if not _apart(desk, now, f"the clock of {game_id}", partial(_look, game_id=game_id)):
                broken.add(game_id)
        looked += len(due)
        if not due:
            break
    with desk.store.read(now) as unit:
        digests, expired = unit.digests_due(), bool(unit.challenges_expired(1))
    if expired:
        with desk.store.begin(now) as unit:
            expire(Post(desk, unit, now), unit)
    for player_id in digests:
        _apart(desk, now, "a digest", partial(_digest, player_id=player_id))
    return looked


def _apart(desk: Desk, now: datetime, what: str, act: Callable[[Post], None]) -> bool:
    """Do one thing in a unit of its own; a game whose record is damaged keeps no other from its due."""
    try:
        with desk.store.begin(now) as unit:
            act(Post(desk, unit, now))
    except ReplayError as error:
        desk.complain(f"{what} is left out: {error}")
        return False
    return True


def tidy(desk: Desk, now: datetime) -> None:
    """Drop what is too old to matter."""
    with desk.store.begin(now) as unit:
        unit.purge_limits()
        unit.outbox_purge(now - KEPT)


def _look(post: Post, game_id: str) -> None:
    """Look at one game: the next reminder, or the deadline."""
    unit, now = post.unit, post.now
    kept = unit.game(game_id)
    if kept is None or kept.clock is None or unit.frozen() is not None:
        return
    clock = clocks.healed(kept.clock, now)
    if clock is not kept.clock:
        kept = unit.save_clock(kept, clock)
    due = clocks.next_due(clock, kept.calendar) if kept.match.status == "on" else None
    if due is None or due.at > now:
        unit.save_clock(kept, clock)
    elif due.kind == "reminder":
        _remind(post, kept)
    elif clock.settings.timeout == "auto":
        _time_out(post, kept)
    else:
        _claimable(post, kept)


def _remind(post: Post, kept: Kept) -> None:
    """Remind the player to move; several reminders that are due at once are one mail."""
    clock, seat = kept.clock, kept.match.to_move
    assert clock is not None
    if seat is None:
        return
    while True:
        clock = clocks.reminded(clock)
        due = clocks.next_due(clock, kept.calendar)
        if due is None or due.kind != "reminder" or due.at > post.now:
            break
    if due is not None and due.at <= post.now:
        # too late to remind anybody; whether the deadline stands is for the next look, which waits for older mail
        post.unit.save_clock(kept, clock)
        return
    kept = post.unit.save_clock(kept, clock)
    post.unit.log_add(kept.id, kept.match.event, "reminder", {"seat": seat}, seat)
    post.game(kept, seat, [note("reminder")], kind="reminder")


def _time_out(post: Post, kept: Kept) -> None:
    """End a game whose player to move has no time left; both are told (M91)."""
    seat = kept.match.to_move
    if seat is None:
        return
    done = end(kept.match, RESULT_OF_LOSS[seat], "time")
    if isinstance(done, Done):
        tell_all(post, settle(post.unit, kept, done, post.now), done)


def tell_all(post: Post, kept: Kept, done: Done, more: tuple[Note, ...] = ()) -> None:
    """Tell both players of what nobody of them did."""
    for seat in tell.listeners(done.match, done.events, None):
        says = [*tell.notes(done.match, done.events, seat, kept.clock), *more]
        post.game(kept, seat, says, kind=kind_of(done.events))


def _claimable(post: Post, kept: Kept) -> None:
    """Tell the opponent that he may claim, and the late player that he may."""
    from dataclasses import replace

    clock, seat = kept.clock, kept.match.to_move
    if clock is None or seat is None:
        return
    kept = post.unit.save_game(kept, kept.match, replace(clock, told=True))
    post.unit.log_add(kept.id, kept.match.event, "told", {"seat": seat})
    match = kept.match
    post.game(kept, 1 - seat, [note("timeout-claim", other=match.player(seat))], kind="reminder")
    post.game(kept, seat, [note("late-claim", other=match.player(1 - seat))], kind="reminder")


def _digest(post: Post, player_id: int) -> None:
    """Write a player's digest: every game that still waits for him, each with the address that answers go to."""
    unit, desk = post.unit, post.desk
    games = unit.digest_take(player_id)
    unit.hold_games(games)
    player = unit.player(player_id)
    if player is None or player.address is None:
        return
    lines, covers = [], []
    for game_id in games:
        kept = unit.game(game_id)
        seat = kept.seat_of(player_id) if kept is not None else None
        if kept is None or seat is None or kept.match.status != "on":
            continue
        part = token(desk.key, kept.id, seat, kept.match.event)
        if kept.match.to_move == seat:
            covers.append((kept.id, kept.match.event))
        lines.append(
            {"id": kept.id, "text": _line(kept, seat), "answer": plus(desk.club.address, part)}
        )
    if not lines or not player.notices:
        return
    waiting = len(covers)
    subject = (
        f"{desk.club.name}: {waiting} {'game waits' if waiting == 1 else 'games wait'} for you"
    )
    post.to_address(
        player.address,
        player.name,
        subject,
        [note("digest-mail", games=lines, waiting=waiting)],
        kind="digest",
        player_id=player.id,
        covers=tuple(covers),
    )


def _line(kept: Kept, seat: int) -> str:
    match = kept.match
    last = next((word for word in reversed(match.words) if word != "draw?"), "")
    state = "your move" if match.to_move == seat else f"{match.player(1 - seat)}'s move"
    played = f", after {last}" if last else ""
    return f"{match.game} with {match.player(1 - seat)}: {state}, ply {match.plies + 1}{played}"
