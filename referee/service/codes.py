"""Confirmation codes: asked for, given out, answered (mail.md, Who may move; M50, M56)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from referee.mail.identity import code_digest, code_part, commands_hash, new_code
from referee.mail.reply import Note, harmless, note
from referee.mail.rows import plain
from referee.mail.submission import Command, Reading, Submission
from referee.service.post import Post
from referee.store import Code, Player

YES: Final = frozenset(
    (
        *("yes", "y", "ok", "okay", "confirm", "confirmed", "agree", "agreed", "accept", "join"),
        *("ja", "oui", "si", "sí", "sim", "tak", "да"),
    )
)
"""Words that confirm, alone in a line."""

BECAUSE: Final = {
    "token": "Somebody answered a mail of yours from another address and asks for this in your name:",
    "unproved": "A mail in your name, which nobody vouches for, asks for this:",
    "forget": "You ask to be forgotten:",
}
"""Why a code is asked for; the text goes before the commands."""


def saved(command: Command) -> dict[str, Any]:
    """Return a command as plain data."""
    return asdict(command)


def restored(data: Mapping[str, Any]) -> Command:
    """Return the command of plain data."""
    values = dict(data)
    values["args"] = tuple(values["args"])
    values["choices"] = tuple(values["choices"])
    values["options"] = tuple((key, value) for key, value in values["options"])
    return Command(**values)


def ask_commands(
    post: Post,
    player: Player,
    commands: Sequence[Command],
    *,
    address: str,
    game: str,
    because: str,
    event: int | None = None,
    purpose: str = "commands",
    before: Sequence[Note] = (),
) -> bool:
    """Send a code for commands to a registered address; false where it had enough of them today.

    `event` is the event counter that the writer had before him, None where he had none. `before` stands above.
    """
    data = {
        "commands": [saved(command) for command in commands],
        "game": game,
        "event": event,
    }
    texts = [command.text for command in commands]
    items = [harmless(text)[:200] for text in texts]
    return give(
        post,
        address,
        player.name,
        purpose=purpose,
        binding=commands_hash(game, texts),
        data=data,
        says=[*before, note("code", because=BECAUSE[because], items=items)],
        player_id=player.id,
    )


def give(
    post: Post,
    address: str,
    name: str,
    *,
    purpose: str,
    binding: str,
    data: Mapping[str, Any],
    says: Sequence[Note],
    player_id: int | None,
    subject: str = "",
) -> bool:
    """Make a code and write the letter that brings it; false where the address had enough of them today."""
    desk = post.desk
    code = new_code(desk.random)
    kept = post.unit.code_add(
        code_digest(desk.key, code),
        address,
        binding,
        purpose,
        data,
        player_id,
        desk.club.policy.codes_day,
    )
    if not kept:
        return False
    asked = post.answering
    post.to_address(
        address,
        name,
        subject or f"{desk.club.name}: please confirm",
        says,
        kind="code",
        player_id=player_id,
        part=code_part(code),
        answer=asked is not None and asked.sender == address,
    )
    return True


def find(post: Post, code: str) -> Code | None:
    """Return what a code was given out for, whatever became of it."""
    return post.unit.code_find(code_digest(post.desk.key, code))


def use(post: Post, code: str, address: str) -> bool:
    """Use a code up; false where it was used before, is old, or another address'."""
    return post.unit.code_use(code_digest(post.desk.key, code), address) is not None


def confirms(mail: Submission, code: str) -> bool:
    """Whether the new text says yes, or repeats the code, in a line of its own; the subject counts too."""
    words = (plain(line.text).strip(" .!,\"'").lower() for line in mail.lines)
    subject = plain(mail.subject).strip(" .!").lower()
    return any(word in YES or word == code for word in (*words, subject))


def same_commands(kept: Code, reading: Reading) -> bool:
    """Whether a mail repeats the very commands that a code was given out for."""
    texts = [command.text for command in reading.commands]
    return (
        bool(texts) and commands_hash(str(kept.data.get("game", "")), texts) == kept.commands_hash
    )


_NAME: Final = re.compile(r"(?:my\s+)?name(?:\s*[:=]|\s+is)?\s+(\S.*)", re.IGNORECASE)


def name_asked(mail: Submission) -> str | None:
    """Return the name that an answer to an invitation gives (`name Ann`), None where it gives none."""
    for line in mail.lines:
        match = _NAME.fullmatch(plain(line.text))
        if match:
            return match[1].strip().rstrip(".")
    return None
