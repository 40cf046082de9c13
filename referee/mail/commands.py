"""New text to commands, by paragraphs: all commands, none, or mixed (mail.md, Commands; M26, M30, M37).

Pure: moves are recognised through the game's reader, which the caller makes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from referee.mail.grammar import Broken, read_line
from referee.mail.rows import plain
from referee.mail.submission import (
    MAX_COMMANDS,
    SUBJECT_LINE,
    Command,
    GameReader,
    Ignored,
    Line,
    Reading,
    Submission,
)

NO_COMMAND: Final = "no command stands in this paragraph"
MIXED: Final = "commands and other text stand in one paragraph; put a blank line between them"
TOO_MANY: Final = f"a mail may hold {MAX_COMMANDS} commands; this one is not carried out"

_CHAT: Final = re.compile(r"chat(?:\s*:)?(?:\s+(.*))?", re.IGNORECASE)
_END: Final = re.compile(r"end\s*[.!]?", re.IGNORECASE)
_ENDS: Final = re.compile(r"(.*\S)\s+end\s*\.?", re.IGNORECASE)
_CONTINUES: Final = re.compile(r"(?:draw\s*;|queue\s).*[;:,]\s*", re.IGNORECASE)


def parse(submission: Submission, reader: GameReader) -> Reading:
    """Return the commands of a submission: the subject's first, then the new text's.

    A command that stands in the subject and again in the text counts once. Nothing is read of a mail that no person
    wrote. A subject that is no command as a whole is a subject, and no paragraph.
    """
    if submission.kind != "human":
        return Reading((), (), ())
    found = read_line(submission.subject, SUBJECT_LINE, reader)
    subject = list(found) if isinstance(found, tuple) else []
    text = _Text(submission.lines, reader)
    commands = [c for c in subject if not any(_same(c, other) for other in text.commands)]
    commands += [_merged(c, subject) for c in text.commands]
    over = [Ignored(c.line, c.text, TOO_MANY) for c in commands[MAX_COMMANDS:]]
    return Reading(
        tuple(commands[:MAX_COMMANDS]),
        (*submission.ignored, *text.ignored, *over),
        tuple(text.mixed),
        too_many=bool(over),
        understood=tuple(text.understood),
    )


def ply_of(number: str, plies_per_number: int) -> int:
    """Return the ply that a move number with its dots names: `6.` is ply 11, `6...` ply 12, in Spiral `6.` ply 6."""
    count = int(number.rstrip("."))
    if plies_per_number == 1:
        return count
    return 2 * count - (0 if number.endswith("...") else 1)


def _same(one: Command, other: Command) -> bool:
    """Whether two commands ask for the same, apart from where they stand and for which ply."""
    placed = replace(
        other, line=one.line, text=one.text, ply=one.ply, number=one.number, game=one.game
    )
    return one == placed


def _merged(command: Command, subject: Sequence[Command]) -> Command:
    """Return a command of the text with the ply and game that the subject gives for the same one."""
    for other in subject:
        if _same(other, command):
            ply = command.ply if command.ply is not None else other.ply
            number = command.number or other.number
            return replace(command, ply=ply, number=number, game=command.game or other.game)
    return command


class _Text:
    """New text, read paragraph by paragraph."""

    def __init__(self, lines: Sequence[Line], reader: GameReader) -> None:
        self.reader = reader
        self.commands: list[Command] = []
        self.ignored: list[Ignored] = []
        self.mixed: list[Ignored] = []
        self.understood: list[Command] = []
        self._begin()
        at = 0
        while at < len(lines):
            if not lines[at].text:
                self._close()
                at += 1
            elif not self.prose and _CHAT.fullmatch(plain(lines[at].text)):
                at = self._chat(lines, at)
            else:
                at = self._line(lines, at)
        self._close()

    def _begin(self) -> None:
        self.first: Line | None = None
        self.found: list[Command] = []
        self.prose = self.broken = False
        self.hint = ""

    def _close(self) -> None:
        """End the paragraph: carry it out, ignore it or find it mixed."""
        if self.first is not None:
            text = plain(self.first.text)[:200]
            if self.broken or (self.prose and self.found):
                self.mixed.append(Ignored(self.first.number, text, self.hint or MIXED))
                self.understood += self.found
            elif self.prose:
                why = self.hint or NO_COMMAND
                self.ignored.append(Ignored(self.first.number, text, why))
            else:
                self.commands += self.found
        self._begin()

    def _line(self, lines: Sequence[Line], at: int) -> int:
        """Read one line, or the several that a list of orders was broken into; return the next."""
        line = lines[at]
        text, at = line.text, at + 1
        while at < len(lines) and lines[at].text and _CONTINUES.fullmatch(plain(text)):
            text, at = f"{text} {lines[at].text}", at + 1
        found = read_line(text, line.number, self.reader)
        if isinstance(found, tuple):
            self.found += found
        else:
            self.prose = True
            if isinstance(found, Broken):
                self.broken |= found.sure and self.first is None
                self.hint = self.hint or found.hint
        self.first = self.first or line
        return at

    def _chat(self, lines: Sequence[Line], at: int) -> int:
        """Read from `chat` to `end` or the end of the mail; nothing between is carried out (M30). Return the next."""
        line = lines[at]
        match = _CHAT.fullmatch(line.text.strip()) or _CHAT.fullmatch(plain(line.text))
        said = [(match[1] or "") if match else ""]
        below = at + 1
        while below < len(lines) and not _END.fullmatch(plain(lines[below].text)):
            below += 1
        ended = _ENDS.fullmatch(said[0])
        if below == len(lines) and ended:
            said, below = [ended[1]], at
        else:
            said += [other.text for other in lines[at + 1 : below]]
        body = "\n".join(said).strip()
        self.found.append(Command("chat", (), plain(line.text)[:200], line.number, body=body))
        self.first = self.first or line
        return below + 1
