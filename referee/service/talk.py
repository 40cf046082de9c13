"""Words between players, and who does not wish to hear them (mail.md, Commands: `chat … end`, `mute`)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from referee.mail.reply import note
from referee.mail.submission import Command
from referee.service.run import Run

LONGEST: Final = 5000
"""Characters of one chat."""
AN_HOUR: Final = 20
"""Chats an hour of a player in a game."""


def chat(run: Run, command: Command) -> bool:
    """Pass words on to the other player of a game."""
    found = run.game_of(command)
    if found is None:
        return False
    kept, seat = found
    match = kept.match
    if match.solo:
        return run.refuse("Dr. Brooks does not read chat; nothing was sent", command)
    if not command.body.strip():
        return run.refuse("nothing stands between chat and end", command)
    if len(command.body) > LONGEST:
        return run.refuse(f"a chat has at most {LONGEST} characters; nothing was sent", command)
    other = match.player(1 - seat)
    if kept.muted[1 - seat]:
        return run.say("chat-sent", muted=True, other=other)
    if not run.unit.budget("chat", f"{kept.id}.{seat}", AN_HOUR, timedelta(hours=1)):
        return run.refuse(f"{AN_HOUR} chats an hour are the most; nothing was sent", command)
    run.unit.log_add(kept.id, match.event, "chat", {"seat": seat})
    words = note("chat", who=run.player.name, text=command.body)
    run.said.setdefault((kept.id, 1 - seat), []).append(words)
    run.changed = True
    return run.say("chat-sent", muted=False, other=other)


def mute(run: Run, command: Command) -> bool:
    """Hear no more chat in a game, or hear it again."""
    found = run.game_of(command)
    if found is None:
        return False
    kept, seat = found
    on = command.args[0] == "on" if command.args else not kept.muted[seat]
    first, second = kept.muted
    muted = (on, second) if seat == 0 else (first, on)
    run.games[kept.id] = run.unit.save_game(kept, kept.match, kept.clock, muted=muted)
    run.changed = True
    return run.say("mute", on=on)
