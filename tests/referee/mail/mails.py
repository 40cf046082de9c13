"""Mails made by hand for the tests of reading, and short ways to read them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from referee.games import load
from referee.mail import commands, inbound, moves
from referee.mail.submission import GameReader, Reading, Submission, Trust

NOW: Final = datetime(2025, 1, 6, 12, 0, tzinfo=UTC)
CLUB: Final = "referee@club.example"
TAG: Final = "abcdefghijklmnopqrstuvwxyz"
TOKEN: Final = f"hex-42.1.17.{TAG}"
TRUST: Final = Trust("mx.club.example", frozenset({"mx.club.example", "imap.club.example"}), CLUB)


def game_reader(name: str, **tags: str) -> GameReader:
    """Return the reader of a game's moves, without a position."""
    game = load(name)
    assert game is not None
    return moves.reader(game, game.setup(tags))


HEX: Final = game_reader("Hex")


def mail(body: str | bytes, *headers: str, subject: str = "Re: [hex-42] Ann – Bob") -> bytes:
    """Return a mail; its Content-Type is UTF-8 plain text unless the headers say another."""
    fields = ["From: Ann <ann@mail.example>", f"To: {CLUB}", f"Subject: {subject}", *headers]
    if not any(field.lower().startswith("content-type") for field in headers):
        fields.append("Content-Type: text/plain; charset=utf-8")
    head = "".join(f"{field}\n" for field in fields) + "\n"
    return head.encode() + (body.encode() if isinstance(body, str) else body)


def read(raw: bytes, recipient: str | None = None, trust: Trust = TRUST) -> Submission:
    """Read a mail; one that only the last safety net could read fails the test."""
    found = inbound.read(raw, recipient=recipient, received=NOW, trust=trust)
    assert inbound.UNREADABLE not in found.notes
    return found


def text(found: Submission) -> list[str]:
    """Return the new text's lines without the blank ones."""
    return [line.text for line in found.lines if line.text]


def reading(raw: bytes, reader: GameReader = HEX) -> Reading:
    """Read a mail's commands."""
    return commands.parse(read(raw), reader)


def done(raw: bytes, reader: GameReader = HEX) -> list[tuple[str, tuple[str, ...]]]:
    """Return what may be carried out of a mail: nothing where a paragraph is mixed."""
    found = reading(raw, reader)
    return [] if found.mixed else [(c.name, c.args) for c in found.commands]


F6: Final = [("move", ("f6",))]
