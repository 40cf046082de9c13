"""A mail as a value: who sent it, what of it is new text, and the commands that stand there.

Everything that reads mail makes these, everything that answers mail takes these; nothing here has behaviour of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

Dmarc = Literal["pass", "fail", "none", "temperror"]
Kind = Literal["human", "automatic", "bounce", "own", "unreadable"]

MARKER: Final = "Write above this line"
"""What our mails say in a line of their own at their top. Unquoted, everything from it on is ours, never commands."""

TOKEN_WORD: Final = "Token:"
"""Begins the line of our mails that repeats the token for providers that strip the + part of an address."""

LOOP_HEADER: Final = "X-Referee-Loop"
"""In every mail of ours; a mail that has it in its own header is never answered (M42)."""

MAX_BYTES: Final = 1 << 20
"""A mail that is larger than 1 MiB without its attachments is not read (mail.md, Commands)."""

MAX_COMMANDS: Final = 20
"""The commands that one mail may hold (mail.md, Commands)."""

SUBJECT_LINE: Final = 0
"""The line number of what stands in the subject; lines of the text count from 1."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose word on the sender counts.

    authserv_id    the id in our own server's Authentication-Results; None where there is none to believe
    trusted_hosts  the names that our own servers give after `by` in Received, lower case
    club_address   the club's own address, without a + part
    """

    authserv_id: str | None
    trusted_hosts: frozenset[str]
    club_address: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of new text. `number` counts from 1 in the text as sent; SUBJECT_LINE is the subject."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """Text that is not carried out: the first line's number, its text (of a block, the first line), and why."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a delivery report says.

    hard          the server gave up for good (5.x.x): trying again later does not help
    recipient     the address that failed, lower case; None where the report does not say
    reason        the status code and the server's words, in one line
    envelope_tag  the + part of the address that the report was sent to, lower case; None without one
    delayed       the server still tries: nothing has failed yet, and it must not count against the address
    """

    hard: bool
    recipient: str | None
    reason: str
    envelope_tag: str | None
    delayed: bool = False


@dataclass(frozen=True, slots=True)
class Submission:
    """One mail, read.

    message_id   with its angle brackets; "" where there is none
    key          what makes it this mail: its Message-ID, else the SHA-256 of From, Date, Subject and body
    text_hash    SHA-256 (hex) of the new text and subject, to tell a duplicate from a second mail with the same key
    recipient    the envelope's: as told, else the topmost Delivered-To or X-Original-To; lower case; "" if unknown
    sender       the address in From, lower case; "" where there is none or more than one
    sender_name  the name beside it, without control characters
    subject      decoded, control characters collapsed, reply prefixes and the game's tag stripped
    in_reply_to, references   Message-IDs with their angle brackets
    dmarc        what our own server found for the domain in From
    kind         who speaks; only "human" is ever read for commands
    bounce       for kind "bounce"
    token        the + part of the recipient, else the token line of the body; lower case; "" without one
    game_hint    `hex-42` from `[hex-42]` in subject or new text, lower case; "" without one
    game_hints   all that subject and new text name, in order: more than one disagree (M32)
    lines        the new text: no quotes, signature, forwarded or hidden text, none of our own texts
    ignored      what was left out of `lines` and should be told
    notes        plain sentences for the answer
    attachments  their names, without control characters or paths
    received     when our server got it, UTC
    """

    message_id: str
    key: str
    text_hash: str
    recipient: str
    sender: str
    sender_name: str
    subject: str
    in_reply_to: str
    references: tuple[str, ...]
    dmarc: Dmarc
    kind: Kind
    bounce: Bounce | None
    token: str
    game_hint: str
    game_hints: tuple[str, ...]
    lines: tuple[Line, ...]
    ignored: tuple[Ignored, ...]
    notes: tuple[str, ...]
    attachments: tuple[str, ...]
    received: datetime


GameReader = Callable[[str], str | tuple[str, ...] | None]
"""A word's canonical move; the full forms to choose from where it may mean several; None for no move at all."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command as written.

    name     `move`, `draw`, `draw?`, `challenge`, … in mail.md's words
    args     its words in order: the canonical move, a name, a date, the pairs of `queue` as (theirs, mine, theirs, …)
    text     the line as written, with ASCII dashes, quotes and blanks
    line     its number
    game     the game's id that the command itself names (`show hex-42 7`), "" without one
    ply      of `move 12 f6` and `show 12`: the ply; else None
    number   of `6... f6`: the move number with its dots, to be held against the game; else ""
    options  of `challenge` and `new`: (tag name or key as written without dashes, value), in order
    word     the player's word for the draws, "" without one; None where the command takes none
    choices  of an ambiguous move: the full forms to choose from; nothing may be played then
    body     of `chat`: the text
    """

    name: str
    args: tuple[str, ...]
    text: str
    line: int
    game: str = ""
    ply: int | None = None
    number: str = ""
    options: tuple[tuple[str, str], ...] = ()
    word: str | None = None
    choices: tuple[str, ...] = ()
    body: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a submission asks for.

    commands  in order: the subject's, then the text's
    ignored   paragraphs without a command, each with why
    mixed     the paragraphs that hold commands and other text; where there is one, nothing may be played
    understood  the commands that stand in mixed paragraphs, for the answer to show
    too_many  true where more than MAX_COMMANDS stand there; the rest is in `ignored`
    """

    commands: tuple[Command, ...]
    ignored: tuple[Ignored, ...]
    mixed: tuple[Ignored, ...]
    too_many: bool = False
    understood: tuple[Command, ...] = ()

    @property
    def ambiguous(self) -> tuple[Command, ...]:
        """The commands that may mean several moves; where there is one, nothing may be played."""
        return tuple(command for command in self.commands if command.choices)
