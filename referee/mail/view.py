"""A game as a mail shows it: picture and text, the last plies, who is to move, how long he has (M81, M83, M97)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from referee import clock as clocks
from referee import diagram
from referee.clock import Calendar, Clock
from referee.core.picture import Frame
from referee.core.source import Source
from referee.diagram import words
from referee.diagram.frames import frame_of
from referee.files.edit import is_ply, numbered
from referee.match import Match, public_position, record_text
from referee.notation import moves

LAST: Final = 12
"""Plies that a mail repeats; `history` has all."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position for a mail.

    state    what the last ply was and who is to move, or how the game ended
    drawing  the board in characters, lines as they are
    listing  the position as a list, for fonts in which the drawing falls apart
    plies    the last plies with their numbers, "" before the first
    record   the record that the picture is drawn from, as `.moves` text; `ply` as in a Letter
    title    the game and its players with their sides, in one line
    """

    title: str
    state: str
    drawing: str
    listing: str
    plies: str
    record: str
    ply: int | None = None

    @property
    def alt(self) -> str:
        """The picture in words."""
        return f"{self.state}\n{self.drawing}\n{self.listing}"


def board(match: Match, ply: int | None = None) -> Board:
    """Return a game's public position after `ply` plies, or as it stands."""
    text = record_text(match)
    if ply is None and match.status == "on":
        return _shown(_frame(match), text, match.words)
    frame = frame_of(moves.read(Source(match.id, text)), ply)
    shown = match.words if ply is None else first_plies(match.words, ply)
    return _shown(frame, text, shown, ply)


def board_of(text: str) -> Board:
    """Return the position at the end of a record that the rules take."""
    frame = frame_of(moves.read(Source("preview", text)))
    return _shown(frame, text, frame.moves)


def _frame(match: Match) -> Frame:
    """Return the moment at which a game under way stands: what its public record, played through, would come to."""
    return Frame(
        game=match.rules,
        position=public_position(match),
        moves=tuple(word for word in match.words if is_ply(word)),
        first=match.tags.get("First"),
        second=match.tags.get("Second"),
    )


def _shown(frame: Frame, text: str, shown: Sequence[str], ply: int | None = None) -> Board:
    look = diagram.picture(frame)
    return Board(
        title=words.title(frame, look),
        state=_state(frame),
        drawing=look.text(frame).rstrip("\n"),
        listing=look.listing(frame).rstrip("\n"),
        plies=last_plies(shown, frame.game.plies_per_number),
        record=text,
        ply=ply,
    )


def _state(frame: Frame) -> str:
    look = diagram.picture(frame)
    standing = words.standing(frame, look)
    return "; ".join(part for part in (words.last(frame, look), standing) if part)


def first_plies(moves_: Sequence[str], plies: int) -> tuple[str, ...]:
    """Return a record's words up to ply `plies`, with what belongs to it (offers, cards turned up)."""
    count = 0
    for index, word in enumerate(moves_):
        if is_ply(word):
            if count == plies:
                return tuple(moves_[:index])
            count += 1
    return tuple(moves_)


def last_plies(moves_: Sequence[str], per_number: int, most: int = LAST) -> str:
    """Return the last plies of a record with their numbers, beginning at a number where there is one."""
    plies = [index for index, word in enumerate(moves_) if is_ply(word)]
    skipped = max(0, len(plies) - most)
    skipped -= skipped % per_number
    start = plies[skipped] if skipped else 0
    line = " ".join(numbered(moves_[start:], skipped, per_number))
    return f"… {line}" if start else line


@dataclass(frozen=True, slots=True)
class Time:
    """A player's time in words.

    left      what he has left, "3 days 4 hours"
    deadline  when it ends, "" while his clock does not run
    waits     his clock waits for the notice of his turn: the deadline is that of a notice delivered now
    over      nothing is left: the deadline has passed
    """

    left: str
    deadline: str
    waits: bool = False
    over: bool = False


def time_left(clock: Clock, calendar: Calendar, seat: int, now: datetime) -> Time:
    """Return a player's time; what is shown is what is enforced."""
    settings = clock.settings
    waits = clock.seat == seat and clock.since is None
    if waits:
        clock = clocks.noticed(clock, now)
    rest = clocks.left(clock, calendar, seat, now)
    end = clocks.deadline(clock, calendar) if clock.seat == seat else None
    shown = clocks.written(end, settings.zone) if end is not None else ""
    return Time(clocks.duration(rest), shown, waits, rest <= timedelta())


def title(match: Match) -> str:
    """Return the stable subject of a game's mails, `[hex-42] Ann – Bob`."""
    if match.solo:
        return f"[{match.id}] {match.player(0)} – Dr. Brooks"
    return f"[{match.id}] {match.player(0)} – {match.player(1)}"
