"""Challenges and their answers, and Spiral games that wait for `start` (mail.md, Who may move, Chance; M75)."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Final

from referee import clock as clocks
from referee import match as matches
from referee.clock import Settings
from referee.core.verdict import Rejected
from referee.mail.auth import deliverable
from referee.mail.identity import name_key, token
from referee.mail.reply import harmless, note
from referee.mail.submission import Command
from referee.match import CHANCE, Cancelled, Proposal
from referee.service import tell
from referee.service.challenges import challengers_copy, in_words, tell_challenge
from referee.service.post import Post
from referee.service.run import Run
from referee.service.who import thread_game
from referee.store import Challenge, Player, Unit

DAY: Final = timedelta(days=1)
CHALLENGES_DAY: Final = 40
"""Challenges that a player may send in a day, those taken back again too."""


def challenge(run: Run, command: Command) -> bool:
    """Challenge a player by his name, or an address that is not known yet."""
    name, game = command.args
    called = matches.game_called(game)
    if isinstance(called, Rejected):
        return run.refuse(called, command)
    if called == "Spiral":
        return run.refuse("Spiral has no opponent; write new spiral", command)
    made = _proposal(run, command, called)
    if isinstance(made, Rejected):
        return run.refuse(made, command)
    address = deliverable(name, run.desk.club.address) or ""
    if "@" in name:
        if not address:
            return run.refuse(f"{harmless(name)} is no address that mail can be sent to", command)
        opponent = run.unit.player_by_address(address)
    else:
        opponent = run.unit.player_named(name_key(name))
        if opponent is None or opponent.gone:
            return run.refuse(f"there is no player called {harmless(name)} here", command)
    wrong = _may_not(run, called, opponent)
    if wrong:
        return run.refuse(wrong, command)
    if opponent is None:
        return _to_stranger(run, command, address, made)
    if not run.unit.budget("challenge", str(run.player.id), CHALLENGES_DAY, DAY):
        return run.refuse(f"{CHALLENGES_DAY} challenges a day are the most", command)
    proposal, settings = made
    kept = _keep(run, proposal, settings, opponent_id=opponent.id)
    tell_challenge(run.post, kept, run.player, opponent)
    run.says.append(
        challengers_copy(kept, opponent.name if "@" not in name else name, run.desk.club.zone)
    )
    run.changed = True
    return True


def _may_not(run: Run, game: str, opponent: Player | None) -> str:
    """Return why a challenge cannot be, "" where it can."""
    if opponent is not None and opponent.id == run.player.id:
        return "you cannot challenge yourself"
    if opponent is not None and not opponent.notices:
        return "this player gets no mail from the club at present"
    if game in CHANCE and any(is_operator(run.post, p) for p in (run.player, opponent) if p):
        return f"an operator knows the seeds and cannot play {game}"
    mine = [c for c in run.unit.challenges_of(run.player.id) if c.challenger_id == run.player.id]
    most = run.desk.club.policy.challenges
    if len(mine) >= most:
        return f"{most} open challenges are the most; wait for an answer, or decline one of yours"
    return ""


def is_operator(post: Post, player: Player) -> bool:
    """Whether one of a player's addresses is listed as an operator's."""
    return any(address in post.desk.club.operators for address in player.addresses)


def _proposal(run: Run, command: Command, game: str) -> tuple[Proposal, Settings] | Rejected:
    """Return the game that a command proposes, with its clocks."""
    chosen = clocks.chosen(run.desk.club.clock, command.options)
    if isinstance(chosen, str):
        return Rejected("option", None, chosen)
    settings, rest = chosen
    options = matches.options_of(game, rest)
    if isinstance(options, Rejected):
        return options
    word = matches.clean_word(command.word or "")
    if isinstance(word, Rejected):
        return word
    seed = run.desk.random(32) if game in CHANCE else None
    number = run.unit.next_number()
    return matches.propose(game, number, options, word, seed), settings


def _keep(
    run: Run,
    proposal: Proposal,
    settings: Settings | None,
    *,
    opponent_id: int | None = None,
    opponent_address: str | None = None,
) -> Challenge:
    until = run.now + run.desk.club.policy.challenge_days * DAY
    return run.unit.add_challenge(
        proposal,
        run.player.id,
        until,
        settings,
        opponent_id=opponent_id,
        opponent_address=opponent_address,
    )


def _to_stranger(run: Run, command: Command, address: str, made: tuple[Proposal, Settings]) -> bool:
    """Keep a challenge for an address that is not known yet; it gets one invitation of a fixed text."""
    from referee.service.joining import invite

    proposal, settings = made
    says = "already-invited"
    if not run.unit.invited(address):
        most = run.desk.club.policy.invitations_day
        if not run.unit.budget("invitation", str(run.player.id), most, DAY):
            return run.refuse(f"{most} invitations a day are the most", command)
        if not invite(run.post, address, inviter=run.player.id):
            return run.refuse(f"{address} had several mails today; try again tomorrow", command)
        run.unit.invite(address, run.player.id)
        says = "held"
    _keep(run, proposal, settings, opponent_address=address)
    run.changed = True
    return run.say(says, address=address, game=proposal.game, id=proposal.id)


def _asked_for(run: Run, command: Command) -> Challenge | None:
    """Return the challenge that `accept` or `decline` is for: the one named, else the only open one."""
    named = command.game or run.game or thread_game(run.mail, run.desk.club.host)
    me = run.player.id
    if named:
        found = run.unit.challenge(named)
        if found is not None and me in (found.challenger_id, found.opponent_id):
            return found
        run.say("no-game", id=named)
        return None
    mine = [
        c for c in run.unit.challenges_of(me) if command.name == "decline" or c.opponent_id == me
    ]
    if len(mine) == 1:
        return mine[0]
    ids = ", ".join(c.id for c in mine)
    run.refuse(
        f"say which challenge, as in “{command.name} {mine[0].id}”; open are {ids}"
        if mine
        else "no challenge waits for your answer",
        command,
    )
    return None


def accept(run: Run, command: Command) -> bool:
    """Accept a challenge; in games with chance the word comes with it. Twice is once (M75)."""
    kept = _asked_for(run, command)
    if kept is None:
        return False
    if kept.status == "accepted":
        return run.say("accepted-already", id=kept.id)
    if kept.opponent_id != run.player.id:
        return run.refuse("only the one who is challenged can accept", command)
    if kept.status != "open":
        return run.refuse(f"the challenge {kept.id} is {kept.status}", command)
    challenger = run.unit.player(kept.challenger_id)
    if challenger is None or challenger.gone:
        return run.refuse("the one who challenged you has left the club", command)
    proposal = kept.proposal
    if proposal.game in CHANCE and is_operator(run.post, run.player):
        return run.refuse(f"an operator knows the seeds and cannot play {proposal.game}", command)
    word = matches.clean_word(command.word or "")
    if isinstance(word, Rejected):
        return run.refuse(word, command)
    run.unit.close_challenge(kept.id, "accepted")
    _begin(run, kept, challenger, word)
    return True


def _begin(run: Run, kept: Challenge, challenger: Player, word: str) -> None:
    """Begin the game: the lot says who plays first (all-first)."""
    first = bool(run.desk.random(1)[0] & 1)
    day = run.now.astimezone(UTC).date()
    me = run.player
    done = matches.begin(
        kept.proposal, challenger.name, me.name, day, word=word, challenger_first=first
    )
    seats = (challenger.id, me.id) if first else (me.id, challenger.id)
    settings = kept.clock or run.desk.club.clock
    clock = clocks.turn(clocks.new_clock(settings), done.match.to_move)
    game = run.unit.add_game(done.match, *seats, clock, done.events)
    run.games[game.id] = game
    run.game = game.id
    run.events.setdefault(game.id, []).extend(done.events)
    run.changed = True
    run.says += tell.notes(done.match, done.events, game.seat_of(me.id), clock)


def decline(run: Run, command: Command) -> bool:
    """Decline a challenge, or take one's own back; its seed is told."""
    kept = _asked_for(run, command)
    if kept is None:
        return False
    if kept.status != "open":
        return run.refuse(f"the challenge {kept.id} is {kept.status} already", command)
    own = kept.challenger_id == run.player.id
    close(run.post, kept, "withdrawn" if own else "declined")
    seed = kept.proposal.seed
    other_id = kept.opponent_id if own else kept.challenger_id
    other = run.unit.player(other_id) if other_id is not None else None
    run.changed = True
    name = other.name if other is not None else kept.opponent_address or "Dr. Brooks"
    return run.say(
        "declined", yours=True, withdrawn=own, expired=False, id=kept.id, other=name, seed=seed
    )


def close(post: Post, kept: Challenge, status: str) -> None:
    """Close an open challenge that is not accepted, and tell the other of it."""
    unit = post.unit
    how = {"declined": "declined", "withdrawn": "withdrawn"}.get(status, "expired")
    unit.close_challenge(kept.id, how)  # type: ignore[arg-type]
    done = matches.withdrawn(kept.proposal, post.now.date(), status)
    cancelled = done.events[0]
    assert isinstance(cancelled, Cancelled)
    challenger = unit.player(kept.challenger_id)
    opponent = unit.player(kept.opponent_id) if kept.opponent_id is not None else None
    told = {"declined": [challenger], "withdrawn": [opponent]}.get(status, [challenger, opponent])
    for reader in told:
        if reader is None:
            continue
        other = opponent if reader is challenger else challenger
        says = note(
            "declined",
            yours=False,
            withdrawn=status == "withdrawn",
            expired=status == "expired",
            id=kept.id,
            other=other.name if other is not None else kept.opponent_address or "Dr. Brooks",
            seed=cancelled.seed,
        )
        post.to_player(reader, f"[{kept.id}] challenge closed", [says], kind="result", game=kept.id)


def new(run: Run, command: Command) -> bool:
    """Bring a game of Spiral with its commitment; it begins with `start`."""
    called = matches.game_called(command.args[0])
    if isinstance(called, Rejected):
        return run.refuse(called, command)
    if called != "Spiral":
        return run.refuse(f"{called} needs an opponent; write challenge NAME {called}", command)
    if is_operator(run.post, run.player):
        return run.refuse("an operator knows the seeds and cannot play Spiral", command)
    options = matches.options_of(called, command.options)
    if isinstance(options, Rejected):
        return run.refuse(options, command)
    wrong = _may_not(run, "", None)
    if wrong:
        return run.refuse(wrong, command)
    proposal = matches.propose(called, run.unit.next_number(), options, "", run.desk.random(32))
    kept = _keep(run, proposal, None)
    values = in_words(kept, run.desk.club.zone)
    says = [note("new-spiral", **values)]
    run.post.to_address(
        run.mail.sender if run.mail.sender in run.player.addresses else run.player.address or "",
        run.player.name,
        f"[{kept.id}] {run.player.name} – Dr. Brooks",
        says,
        kind="answer",
        player_id=run.player.id,
        part=token(run.desk.key, kept.id, 0, 0),
        answer=True,
        game=kept.id,
    )
    run.changed = True
    return True


def expire(post: Post, unit: Unit) -> int:
    """Close challenges that nobody answered in time; return how many."""
    found = unit.challenges_expired()
    for kept in found:
        close(post, kept, "expired")
    return len(found)
