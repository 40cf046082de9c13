"""One line of new text to commands: mail.md's Commands section as a grammar. Whole lines only; nothing is guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from referee.mail.forms import FORMS, FREE, MOVE_WORDS, WRAPPED, command, move
from referee.mail.rows import plain
from referee.mail.submission import TOKEN_WORD, Command, GameReader

_NAMED: Final = re.compile(
    r"(?:\[([a-z][a-z0-9]*-[0-9]{1,9})\]|([a-z]+-[0-9]{1,9}):?(?=\s))\s*", re.IGNORECASE
)
_BULLET: Final = re.compile(r"[-•·▪◦‣]\s+")
_NUMBERED: Final = re.compile(r"([0-9]{1,6})(\.\.\.|\.)\s*(\S.*)")
_MOVE: Final = re.compile(
    r"(?:move|play)(?:\s*:\s*|\s+)(?:([0-9]{1,6})(?:(\.\.\.|\.)?\s+|\s*:\s*))?(\S.*)", re.IGNORECASE
)
_OFFER: Final = re.compile(r"(.*[^\s,;])[\s,;]+draw\s?\?", re.IGNORECASE)
_ORDERS: Final = re.compile(r"draw\s?;", re.IGNORECASE)
_MARKED: Final = re.compile(r"(draw|undo)\s?([?!])", re.IGNORECASE)
_TOKEN: Final = re.compile(rf"{TOKEN_WORD}\s*[a-z0-9.-]{{16,80}}", re.IGNORECASE)
_ALONE: Final = "a command stands alone in its line"
_MOST: Final = 2000
"""Characters of a line that may still be a command."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that begins as a command and goes on as something else. `sure` where no prose begins so."""

    hint: str
    sure: bool = False


Line = tuple[Command, ...] | Broken | None
"""What a line is: commands (none where it only names a game), a command gone wrong, or text."""


def read_line(text: str, number: int, reader: GameReader) -> Line:
    """Return the commands of one whole line; a line with only a game's tag or a token is neither command nor text."""
    whole = plain(text)
    if not whole or len(whole) > _MOST:
        return None
    game, rest = _named(_BULLET.sub("", whole, count=1) if _BULLET.match(whole) else whole)
    if not rest or _TOKEN.fullmatch(rest):
        return ()
    found = _commands(rest, reader)
    wrapped = WRAPPED.fullmatch(rest)
    if wrapped and not isinstance(found, list) and wrapped[2].strip():
        found = _commands(wrapped[2].strip(), reader)
    if isinstance(found, list):
        return tuple(
            replace(command, text=whole, line=number, game=command.game or game)
            for command in found
        )
    return found


def _named(text: str) -> tuple[str, str]:
    """Return the game that stands before a command (`[hex-42] f6`), lower case, and the rest."""
    match = _NAMED.match(text)
    if match is None:
        return "", text
    return (match[1] or match[2]).lower(), text[match.end() :]


def _commands(text: str, reader: GameReader) -> list[Command] | Broken | None:
    bare = text.rstrip(".,; ") or text
    words = bare.split()
    head = words[0].lower()
    marked = _MARKED.fullmatch(bare)
    if marked:
        return [command(marked[1].lower() + marked[2])]
    if head in FORMS:
        form, read = FORMS[head]
        found = read(words, bare if head not in FREE else text, reader)
        if found is not None:
            return [found]
        if head not in MOVE_WORDS:
            sure = (head == "queue" and ":" in bare) or _ORDERS.match(bare) is not None
            return Broken(f"{head.strip(';')} is written so: {form}", sure)
    moved = _moved(bare, reader)
    if moved is not None:
        return moved
    return _half(words, reader)


# -- moves ---------------------------------------------------------------------------------------------------------


def _moved(text: str, reader: GameReader) -> list[Command] | None:
    """Return a move, with its ply or number and the offer that goes with it; None for no such line."""
    offer = _OFFER.fullmatch(text)
    body = offer[1] if offer else text
    ply, number = None, ""
    match = _MOVE.fullmatch(body)
    if match:
        if match[2]:
            number = match[1] + match[2]
        elif match[1]:
            ply = int(match[1])
        body = match[3]
    else:
        match = _NUMBERED.fullmatch(body)
        if match:
            number, body = match[1] + match[2], match[3]
    found = move(body, reader)
    if found is None:
        return None
    moved = [replace(found, ply=ply, number=number)]
    return [*moved, command("draw?")] if offer else moved


def _half(words: list[str], reader: GameReader) -> Broken | None:
    """Say whether a line begins with what only a command begins with."""
    text = " ".join(words)
    if _MARKED.match(text):
        return Broken(_ALONE, True)
    if words[0].lower() in ("move", "play") and len(words) > 1 and words[1].rstrip(".").isdecimal():
        return Broken("a move with its ply is written so: move 12 f6", True)
    numbered = _NUMBERED.fullmatch(text)
    head = (numbered[3].split()[0] if numbered else words[0]).rstrip(".,;:!?")
    if len(words) > 1 and any(char.isdecimal() for char in head) and reader(head) is not None:
        return Broken(_ALONE, True)
    return None
