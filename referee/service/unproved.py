"""A mail in a player's name that nobody vouches for: at most a code, to the registered address (M50, M56)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from referee.mail.reply import Note, note
from referee.mail.submission import Reading, Submission
from referee.service import codes, looks
from referee.service.answers import nothing
from referee.service.carry import game_meant, objections, reading_of
from referee.service.post import Post
from referee.service.who import Who
from referee.store import Player

DAY: Final = timedelta(days=1)


def unproved(post: Post, mail: Submission, who: Who) -> str:
    """Do nothing of what such a mail asks; ask its player, by a code, whether it is his."""
    player = who.player
    assert player is not None
    game = game_meant(mail, who)
    reading = reading_of(post.unit, mail, game)
    if who.standing == "stranger":
        return _stranger(post, mail, who, player, reading)
    if reading.commands and all(command.name == "help" for command in reading.commands):
        says = [looks.help_note(c.args[0] if c.args else "") for c in reading.commands[:1]]
        return _answer(post, player, says)
    against = objections(mail, who, reading)
    if against or not reading.commands:
        return _answer(post, player, against or [nothing(mail)])
    missing = _missing(post, reading, game)
    if missing:
        return _answer(post, player, missing)
    given = codes.ask_commands(
        post,
        player,
        reading.commands,
        address=mail.sender,
        game=game,
        because="unproved",
    )
    return "code" if given else "silence"


def _stranger(post: Post, mail: Submission, who: Who, player: Player, reading: Reading) -> str:
    """A right token from an address that is not registered: a code goes to the registered one."""
    if not reading.commands or objections(mail, who, reading) or player.address is None:
        return "silence"
    given = codes.ask_commands(
        post,
        player,
        reading.commands,
        address=player.address,
        game=who.token_game,
        because="token",
        event=who.event,
    )
    return "code" if given else "silence"


def _missing(post: Post, reading: Reading, game: str) -> list[Note]:
    """Return what a move needs that came without a token: its game and its ply."""
    for command in reading.commands:
        if command.name != "move" or command.ply is not None or command.number:
            continue
        kept = post.unit.game(command.game or game)
        if kept is None:
            return [note("which-game", games="")]
        move = command.args[0]
        return [note("need-ply", id=kept.id, ply=kept.match.plies + 1, move=move)]
    return []


def _answer(post: Post, player: Player, says: list[Note]) -> str:
    """Answer within the small budget of such mail."""
    if not post.unit.budget("unproved", "", post.desk.club.policy.unproved_day, DAY):
        return "silence"
    post.to_player(player, "", says, kind="answer", answer=True)
    return "unproved"
