"""Commands that change a game: moves, draws, offers, claims, undo, queues, resigning (mail.md, Commands)."""

from __future__ import annotations

from datetime import UTC

from referee import match as matches
from referee.core.verdict import Rejected
from referee.mail.commands import ply_of
from referee.mail.reply import note
from referee.mail.submission import Command
from referee.service import tell
from referee.service.games import may_claim_time
from referee.service.run import Run
from referee.store import Kept
from referee.turns import RESULT_OF_LOSS


def _acting(run: Run, command: Command) -> tuple[Kept, int] | None:
    """Return the game and the writer's seat where he may act in it now."""
    found = run.game_of(command)
    return found if found is not None and run.in_time(*found, command) else None


def move(run: Run, command: Command) -> bool:
    """Play a move; without a current token only one that names its ply."""
    found = _acting(run, command)
    if found is None:
        return False
    kept, seat = found
    match, word, ply = kept.match, command.args[0], command.ply
    if command.number:
        named = ply_of(command.number, match.rules.plies_per_number)
        if ply is not None and ply != named:
            return run.refuse(f"{command.number} is ply {named}, not {ply}", command)
        ply = named
    if ply is None and kept.id not in run.bound:
        run.says.append(note("need-ply", id=match.id, ply=match.plies + 1, move=word))
        return False
    deals = run.deals.get(kept.id)
    return run.apply(kept, seat, matches.play(match, seat, word, ply, deals), command)


def draw(run: Run, command: Command) -> bool:
    """Draw a tile, with conditional orders (Lightning)."""
    found = _acting(run, command)
    if found is None:
        return False
    kept, seat = found
    return run.apply(kept, seat, matches.draw(kept.match, seat, command.args), command)


def offer(run: Run, command: Command) -> bool:
    """Offer a draw."""
    found = _acting(run, command)
    return found is not None and run.apply(*found, matches.offer(found[0].match, found[1]), command)


def accept_draw(run: Run, command: Command) -> bool:
    """Accept a draw offer."""
    found = _acting(run, command)
    return found is not None and run.apply(
        *found, matches.accept(found[0].match, found[1]), command
    )


def claim(run: Run, command: Command) -> bool:
    """Claim what is open: a draw by repetition, or the game because the other's time is over."""
    found = _acting(run, command)
    if found is None:
        return False
    kept, seat = found
    match, wanted = kept.match, command.args[0] if command.args else ""
    by_draw = matches.may_claim_draw(match, seat)
    by_time = may_claim_time(kept, seat, run.at) and not run.waits(kept)
    if by_draw and by_time and not wanted:
        return run.refuse("draw and time are both open; write claim draw or claim time", command)
    if wanted == "time" and not by_time:
        return run.refuse(f"the time of {match.player(1 - seat)} cannot be claimed now", command)
    if by_time and wanted != "draw":
        done = matches.end(match, RESULT_OF_LOSS[1 - seat], "time")
        return run.apply(kept, seat, done, command)
    return run.apply(kept, seat, matches.claim(match, seat), command)


def resign(run: Run, command: Command) -> bool:
    """Resign, in turn or out of turn."""
    found = _acting(run, command)
    return found is not None and run.apply(
        *found, matches.resign(found[0].match, found[1]), command
    )


def ask_undo(run: Run, command: Command) -> bool:
    """Ask for the position before one's last ply."""
    found = _acting(run, command)
    return found is not None and run.apply(
        *found, matches.ask_undo(found[0].match, found[1]), command
    )


def grant_undo(run: Run, command: Command) -> bool:
    """Grant what the other asked for."""
    found = _acting(run, command)
    return found is not None and run.apply(
        *found, matches.grant_undo(found[0].match, found[1]), command
    )


def queue(run: Run, command: Command) -> bool:
    """Queue answers to the other's plies; alone, list one's own; `clear`: take them away."""
    found = _acting(run, command)
    if found is None:
        return False
    kept, seat = found
    if command.args in ((), ("clear",)):
        return _own_queue(run, kept, seat, command)
    pairs = list(zip(command.args[::2], command.args[1::2], strict=True))
    return run.apply(kept, seat, matches.queue(kept.match, seat, pairs, command.ply), command)


def _own_queue(run: Run, kept: Kept, seat: int, command: Command) -> bool:
    """List what a player has queued, or take it away."""
    lines = kept.match.queues[seat]
    if not lines:
        return run.say("queue", lines=[])
    if command.args:
        return run.apply(kept, seat, matches.clear_queue(kept.match, seat), command)
    return run.say("queue", lines=[f"ply {line.ply}: {tell.pairs(line)}" for line in lines])


def start(run: Run, command: Command) -> bool:
    """Begin a game of Spiral that waits for the player's word."""
    game_id = command.game or run.game
    waiting = run.unit.challenge(game_id) if game_id else None
    if waiting is None or waiting.challenger_id != run.player.id or waiting.opponent_id is not None:
        return run.refuse("no game of Spiral waits for that; “new spiral” brings one", command)
    word = matches.clean_word(command.word or "")
    if isinstance(word, Rejected):
        return run.refuse(word, command)
    if not run.unit.close_challenge(game_id, "accepted"):
        return run.say("accepted-already", id=game_id)
    day = run.now.astimezone(UTC).date()
    done = matches.begin(waiting.proposal, run.player.name, None, day, word=word)
    run.games[game_id] = run.unit.add_game(done.match, run.player.id, None, None, done.events)
    run.deals[game_id] = 0
    run.events.setdefault(game_id, []).extend(done.events)
    run.changed = True
    run.says += tell.notes(done.match, done.events, 0)
    return True
