"""What the operator does to games and players; each act is noted in the game's log and told to the players."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

from referee import clock as clocks
from referee import match as matches
from referee.core.verdict import Rejected
from referee.errors import RefereeError
from referee.mail.auth import deliverable
from referee.mail.identity import NAME_RULE, clean_name, name_key
from referee.mail.reply import Note, note
from referee.match import CHANCE, Done
from referee.service.challenges import tell_challenge
from referee.service.desk import Desk
from referee.service.games import settle
from referee.service.joining import invite as send_invitation
from referee.service.offers import DAY, is_operator
from referee.service.post import Post
from referee.service.ticking import tell_all
from referee.store import Kept, Player, Unit

Result = Literal["1-0", "0-1", "1/2-1/2", "cancel"]


class RefusedError(RefereeError):
    """What the operator asked for cannot be; nothing was changed."""

    exit_status = 1


def game_of(unit: Unit, game_id: str) -> Kept:
    """Return a game. Raises RefusedError where there is none of that id."""
    kept = unit.game(game_id.strip().strip("[]").lower())
    if kept is None:
        raise RefusedError(f"there is no game {game_id!r}; `referee games` lists all")
    return kept


def player_of(unit: Unit, name: str) -> Player:
    """Return the player of a name or an address. Raises RefusedError where there is none."""
    found = unit.player_by_address(name) if "@" in name else unit.player_named(name_key(name))
    if found is None or found.gone:
        raise RefusedError(f"there is no player {name!r}; `referee players` lists all")
    return found


def done_or_refused(done: Done | Rejected) -> Done:
    """Return what was done. Raises RefusedError with the reason where it could not be."""
    if isinstance(done, Rejected):
        raise RefusedError(done.message)
    return done


def _act(desk: Desk, unit: Unit, kept: Kept, done: Done, *more: Note) -> Kept:
    """Save an act of the operator's, and tell both players."""
    saved = settle(unit, kept, done, unit.now)
    tell_all(Post(desk, unit, unit.now), saved, done, more)
    return saved


# -- games -----------------------------------------------------------------------------------------------------------


def new(
    desk: Desk,
    now: datetime,
    game: str,
    players: tuple[str, ...],
    options: list[tuple[str, str]],
) -> tuple[str, str]:
    """Begin a game between players; return its id and what has been done.

    A game with chance waits for its last word: the second player accepts, in Spiral the player starts.
    """
    called = matches.game_called(game)
    if isinstance(called, Rejected):
        raise RefusedError(called.message)
    if len(players) != (1 if called == "Spiral" else 2):
        raise RefusedError(f"{called} has {'one player' if called == 'Spiral' else 'two players'}")
    chosen = clocks.chosen(desk.club.clock, options)
    if isinstance(chosen, str):
        raise RefusedError(chosen)
    settings, rest = chosen
    wanted = matches.options_of(called, rest)
    if isinstance(wanted, Rejected):
        raise RefusedError(wanted.message)
    with desk.store.begin(now) as unit:
        post = Post(desk, unit, now)
        seated = [player_of(unit, name) for name in players]
        if len({player.id for player in seated}) < len(seated):
            raise RefusedError("a game needs two different players")
        if called in CHANCE and any(is_operator(post, player) for player in seated):
            raise RefusedError(f"an operator knows the seeds and cannot play {called}")
        seed = desk.random(32) if called in CHANCE else None
        proposal = matches.propose(called, unit.next_number(), wanted, "", seed)
        if called in CHANCE:
            return proposal.id, _offered(post, proposal, seated, settings)
        first, second = seated
        done = matches.begin(proposal, first.name, second.name, now.astimezone(UTC).date())
        clock = clocks.turn(clocks.new_clock(settings), done.match.to_move)
        kept = unit.add_game(done.match, first.id, second.id, clock, done.events)
        tell_all(post, kept, done)
        return kept.id, f"{first.name} plays first; both are told"


def _offered(
    post: Post, proposal: matches.Proposal, seated: list[Player], settings: clocks.Settings
) -> str:
    from referee.mail.identity import token

    until = post.now + post.desk.club.policy.challenge_days * DAY
    solo = len(seated) == 1
    challenge = post.unit.add_challenge(
        proposal,
        seated[0].id,
        until,
        None if solo else settings,
        opponent_id=None if solo else seated[1].id,
    )
    if not solo:
        tell_challenge(post, challenge, seated[0], seated[1])
        return f"{seated[1].name} is asked to accept, for the last word comes after the commitment"
    player = seated[0]
    says = note(
        "new-spiral",
        id=proposal.id,
        options=", ".join(f"{k}={v}" for k, v in proposal.options.items()),
        commit=proposal.commit,
    )
    post.to_address(
        player.address or "",
        player.name,
        f"[{proposal.id}] {player.name} – Dr. Brooks",
        [says],
        kind="notice",
        player_id=player.id,
        part=token(post.desk.key, proposal.id, 0, 0),
        game=proposal.id,
    )
    return f"{player.name} is asked to start, for the word comes after the commitment"


def takeback(desk: Desk, now: datetime, game_id: str, plies: int, why: str) -> Kept:
    """Go back to the position after `plies` plies; what is taken back stays in the log, both are told."""
    with desk.store.begin(now) as unit:
        kept = game_of(unit, game_id)
        return _act(desk, unit, kept, done_or_refused(matches.takeback(kept.match, plies, why)))


def rule(desk: Desk, now: datetime, game_id: str, result: Result, why: str) -> Kept:
    """End a game by ruling, or cancel it."""
    with desk.store.begin(now) as unit:
        kept = game_of(unit, game_id)
        if result == "cancel":
            done = matches.cancel(kept.match, why)
        else:
            done = matches.end(kept.match, result, "adjudication", why)
        return _act(desk, unit, kept, done_or_refused(done))


def substitute(desk: Desk, now: datetime, game_id: str, old: str, new_name: str) -> Kept:
    """Put another player in a seat (M98)."""
    with desk.store.begin(now) as unit:
        kept = game_of(unit, game_id)
        leaving, coming = player_of(unit, old), player_of(unit, new_name)
        seat = kept.seat_of(leaving.id)
        if seat is None:
            raise RefusedError(f"{leaving.name} does not play in {kept.id}")
        if kept.seat_of(coming.id) is not None:
            raise RefusedError(f"{coming.name} plays in {kept.id} already")
        if kept.match.game in CHANCE and is_operator(Post(desk, unit, now), coming):
            raise RefusedError(f"an operator knows the seeds and cannot play {kept.match.game}")
        done = done_or_refused(matches.substitute(kept.match, seat, coming.name))
        players = (coming.id, kept.second_id) if seat == 0 else (kept.first_id, coming.id)
        saved = settle(unit, kept, done, now, players)
        post = Post(desk, unit, now)
        tell_all(post, saved, done)
        says = [note("substituted", old=leaving.name, new=coming.name)]
        post.to_player(leaving, f"[{kept.id}] {coming.name} plays on", says, kind="result")
        return saved


def pause(desk: Desk, now: datetime, game_id: str | None, *, on: bool, why: str = "") -> str:
    """Stop the clocks of a game, or of all (None), or let them run on; return what was done."""
    with desk.store.begin(now) as unit:
        if game_id is None:
            return _pause_all(unit, now, on=on, why=why)
        kept = game_of(unit, game_id)
        if kept.match.status != "on":
            raise RefusedError(f"{kept.id} is not on")
        changed = unit.pause(kept.id) if on else unit.unpause(kept.id)
        if not changed:
            raise RefusedError(f"{kept.id} {'is paused already' if on else 'is not paused'}")
        unit.log_add(kept.id, kept.match.event, "paused" if on else "unpaused", {"why": why})
        again = game_of(unit, kept.id)
        for seat in (0,) if kept.match.solo else (0, 1):
            Post(desk, unit, now).game(again, seat, [note("paused", on=on)])
    return f"{kept.id} is paused" if on else f"{kept.id} goes on"


def _pause_all(unit: Unit, now: datetime, *, on: bool, why: str) -> str:
    if on:
        if not unit.freeze(now, why or "the operator has stopped all clocks"):
            raise RefusedError("all clocks stand already")
        return "all clocks stand; `referee resume` lets them run on"
    if not unit.resume():
        raise RefusedError("the clocks were not frozen; name a game to end its pause")
    return "the clocks run on; the time since they stood is nobody's"


def resend(desk: Desk, now: datetime, game_id: str, name: str | None) -> list[str]:
    """Send a game's present position to its players again, with valid tokens; return to whom (M79)."""
    with desk.store.begin(now) as unit:
        kept = game_of(unit, game_id)
        post = Post(desk, unit, now)
        wanted = player_of(unit, name).id if name is not None else None
        told = []
        for seat in (0,) if kept.match.solo else (0, 1):
            player_id = kept.player_id(seat)
            if player_id is None or wanted not in (None, player_id):
                continue
            before = post.written
            post.game(kept, seat, [note("resent")], kind="answer", answer=True)
            if post.written > before:
                told.append(kept.match.player(seat))
        if not told:
            raise RefusedError(f"nobody of {kept.id} can be written to")
        return told


def resend_all(desk: Desk, now: datetime) -> int:
    """Send every open game's position again: after the key was changed all tokens are new."""
    count = 0
    with desk.store.read(now) as unit:
        open_games = [game_id for game_id, _, _ in unit.open_matches()]
    for game_id in open_games:
        try:
            count += len(resend(desk, now, game_id, None))
        except RefusedError:
            continue
    return count


# -- players ---------------------------------------------------------------------------------------------------------


def invite(desk: Desk, now: datetime, address: str, name: str) -> str:
    """Send an invitation to an address."""
    wanted = deliverable(address, desk.club.address)
    if wanted is None:
        raise RefusedError(f"{address!r} is no address; write one such as ann@example.org")
    address = wanted
    if name and clean_name(name) is None:
        raise RefusedError(f"{name!r} cannot be a name here; a name is {NAME_RULE}")
    with desk.store.begin(now) as unit:
        if unit.address_owner(address) is not None:
            raise RefusedError(f"{address} belongs to a player already")
        if name and unit.player_named(name_key(name)) is not None:
            raise RefusedError(f"there is a player called {name} already")
        if not send_invitation(Post(desk, unit, now), address, inviter=None, name=name):
            raise RefusedError(f"{address} had as many codes today as it may have")
        unit.invite(address, None)
    return address


def message(desk: Desk, now: datetime, text: str, to: str | None, game_id: str | None) -> int:
    """Write to a player, to the players of a game, or to all; return how many letters were written."""
    with desk.store.begin(now) as unit:
        post = Post(desk, unit, now)
        says = [note("message", text=text)]
        if game_id is not None:
            kept = game_of(unit, game_id)
            for seat in (0,) if kept.match.solo else (0, 1):
                post.game(kept, seat, says, kind="message")
            return post.written
        found = [player_of(unit, to)] if to is not None else list(all_players(unit))
        for player in found:
            if not player.gone:
                post.to_player(player, f"{desk.club.name}: from the operator", says, kind="notice")
        return post.written


def all_players(unit: Unit) -> Iterator[Player]:
    """Yield all players, page by page."""
    after = 0
    while True:
        page = unit.players(after)
        yield from page
        if not page:
            return
        after = page[-1].id


def release(desk: Desk, now: datetime, number: int) -> None:
    """Let a mail out of quarantine; it is played with its first receipt time."""
    with desk.store.begin(now) as unit:
        _quarantined(unit, number)
        unit.spool_release(number)


def drop(desk: Desk, now: datetime, number: int) -> None:
    """Give up a mail in quarantine that can never be read: no deadline waits for it any more."""
    with desk.store.begin(now) as unit:
        _quarantined(unit, number)
        unit.spool_done(number)


def _quarantined(unit: Unit, number: int) -> None:
    """Refuse a number that no mail in quarantine has."""
    mail = unit.spool_get(number)
    if mail is None or not mail.quarantined:
        there = ", ".join(str(other.id) for other in unit.quarantine()) or "none"
        raise RefusedError(f"no mail {number} is in quarantine; there are: {there}")
