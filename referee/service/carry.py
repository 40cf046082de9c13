"""A mail's commands, read and carried out one after the other, up to the first that fails (M35)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from referee.mail import moves
from referee.mail.commands import parse
from referee.mail.reply import Note, harmless, note
from referee.mail.submission import (
    MAX_COMMANDS,
    SUBJECT_LINE,
    Command,
    Reading,
    Submission,
)
from referee.match import Match, public_position
from referee.service import answers, codes, looks, offers, persons, plays, talk
from referee.service.post import Post
from referee.service.run import Run, listed
from referee.service.who import Who, subject_games, thread_game
from referee.store import Unit

Handler = Callable[[Run, Command], bool]

GAME_COMMANDS: Final[dict[str, Handler]] = {
    "move": plays.move,
    "draw": plays.draw,
    "draw?": plays.offer,
    "draw!": plays.accept_draw,
    "claim": plays.claim,
    "resign": plays.resign,
    "undo?": plays.ask_undo,
    "undo!": plays.grant_undo,
    "queue": plays.queue,
    "start": plays.start,
    "preview": looks.preview,
    "show": looks.show,
    "history": looks.history,
    "verify": looks.verify,
    "chat": talk.chat,
    "mute": talk.mute,
}
"""What a token covers in its own game."""

CLUB_COMMANDS: Final[dict[str, Handler]] = {
    "next": looks.waiting,
    "standings": looks.standings,
    "challenge": offers.challenge,
    "accept": offers.accept,
    "decline": offers.decline,
    "new": offers.new,
    "vacation": persons.vacation,
    "add": persons.add_address,
    "digest": persons.digest,
    "stop": persons.stop,
    "forget me": persons.forget,
}
"""What needs DMARC or a code."""

LOOKS: Final = ("show", "history", "verify")
"""Commands that may name another game than the mail's without disagreeing with it."""

HANDLERS: Final[dict[str, Handler]] = {
    **GAME_COMMANDS,
    **CLUB_COMMANDS,
    "help": looks.explain,
}


def reading_of(unit: Unit, mail: Submission, game: str) -> Reading:
    """Return the commands of a mail, its moves read in the notation of the game it is about, if that is known."""
    kept = unit.game(game) if game else None
    if kept is None:
        return parse(mail, moves.any_game)
    match = kept.match
    return parse(mail, moves.reader(match.rules, match.setup, lambda: legal_tokens(match)))


def legal_tokens(match: Match) -> Iterable[str]:
    """Yield the legal moves of a game as a player may know them, in canonical tokens."""
    for move in match.rules.legal_moves(public_position(match)):
        yield match.rules.format(move, match.setup)


def game_meant(mail: Submission, who: Who) -> str:
    """Return the game that token, subject or text name, the token's first; "" where none or several do."""
    if who.token_game:
        return who.token_game
    return mail.game_hint if len(mail.game_hints) == 1 else ""


def objections(mail: Submission, who: Who, reading: Reading) -> list[Note]:
    """Return why nothing of a mail may be carried out, nothing where it may."""
    if reading.mixed:
        understood = sorted((*reading.commands, *reading.understood), key=lambda c: c.line)
        items = [listed(command) for command in understood]
        return [note("mixed", mixed=reading.mixed, items=items)]
    split = _two_minds(reading)
    if split is not None:
        return [note("two-minds", subject=harmless(split[0].text), text=harmless(split[1].text))]
    if reading.too_many:
        return [note("too-many", most=MAX_COMMANDS)]
    if reading.ambiguous:
        return [
            note(
                "ambiguous",
                text=c.text,
                line=c.line,
                choices=", ".join(c.choices),
                several=len(c.choices) > 1,
            )
            for c in reading.ambiguous
        ]
    named = {c.game for c in reading.commands if c.game and c.name not in LOOKS}
    named |= set(mail.game_hints)
    wanted = {who.token_game} if who.token_game else set(subject_games(mail))
    if (wanted and not named <= wanted) or len(wanted) > 1:
        return [note("disagree", games=", ".join(sorted(named | wanted)))]
    if not wanted and len(named) > 1 and any(_needs_game(c) for c in reading.commands):
        return [note("disagree", games=", ".join(sorted(named)))]
    return []


def _two_minds(reading: Reading) -> tuple[Command, Command] | None:
    """Return a move or resignation of the subject and another one of the text: which of them is meant is not sure."""
    acts = [c for c in reading.commands if c.name in ("move", "resign")]
    if acts and acts[0].line == SUBJECT_LINE and len(acts) > 1:
        return acts[0], acts[1]
    return None


def _needs_game(command: Command) -> bool:
    return command.name in GAME_COMMANDS and not command.game


def carried_out(post: Post, mail: Submission, who: Who, flags: Sequence[Note] = ()) -> str:
    """Carry out the commands of a mail whose writer is known; return a word for what came of it."""
    player = who.player
    assert player is not None
    game = game_meant(mail, who)
    reading = reading_of(post.unit, mail, game)
    current = who.standing == "current"
    run = Run(
        desk=post.desk,
        unit=post.unit,
        now=post.now,
        mail=mail,
        who=who,
        player=player,
        proved=who.proved,
        game=game,
        bound=frozenset({who.token_game}) if current else frozenset(),
        post=post,
    )
    run.says += [*flags, *(note("note", text=text.rstrip(".")) for text in mail.notes)]
    against = objections(mail, who, reading)
    if against:
        run.says += against
        answers.finish(run, reading)
        return "nothing done"
    return carry(run, reading)


def carry(run: Run, reading: Reading) -> str:
    """Carry out commands in their order, and answer; return a word for what came of it."""
    commands = reading.commands
    _looked_for(run, commands)
    done = 0
    for done, command in enumerate(commands):
        if not _covered(run, command):
            _ask_code(run, commands[done:])
            break
        if not HANDLERS[command.name](run, command):
            if len(commands) > 1:
                answers.list_parts(run, commands, done)
            break
    else:
        done = len(commands)
    _notices_again(run, commands)
    answers.finish(run, reading, done)
    return (
        "done" if done == len(commands) and commands else "not all done" if done else "nothing done"
    )


def _looked_for(run: Run, commands: Sequence[Command]) -> None:
    """Where neither token nor text name a game, mere looks go by the thread: it says which, never who."""
    if not run.game and commands and all(c.name in LOOKS for c in commands):
        run.game = thread_game(run.mail, run.desk.club.host)


def _covered(run: Run, command: Command) -> bool:
    """Whether the writer may ask for this: by a token in its own game, else by DMARC or a code."""
    if run.proved or command.name == "help":
        return True
    own = not command.game or command.game == run.who.token_game
    return command.name in GAME_COMMANDS and own and bool(run.bound)


def _ask_code(run: Run, commands: Sequence[Command]) -> None:
    """Ask the writer to confirm what his token does not cover; the code goes to his registered address."""
    player = run.player
    address = run.mail.sender if run.mail.sender in player.addresses else player.address or ""
    kept = run.games.get(run.game)
    given = codes.ask_commands(
        run.post,
        player,
        commands,
        address=address,
        game=run.game,
        because="unproved",
        event=kept.match.event if kept is not None and run.bound else run.who.event,
    )
    if given:
        run.changed = True
        if run.events or run.says:
            run.say("code-coming", items=[listed(command) for command in commands])
    else:
        run.say("code-limit")


def _notices_again(run: Run, commands: Sequence[Command]) -> None:
    """Turn notices on again for one who had stopped them and now asks for something."""
    asks = any(command.name not in ("stop", "help", "forget me") for command in commands)
    if not run.player.notices and asks and not run.gone:
        run.unit.set_player(run.player.id, notices=True)
        run.player = replace(run.player, notices=True)
        run.say("notices-on")
