"""Letters of one unit of work: who gets one, as what kind, with which token and thread (mail.md, Mail out, Answers)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from referee.mail.compose import Letter, one_line, thread
from referee.mail.grammar import read_line
from referee.mail.identity import message_id, plus, token
from referee.mail.moves import any_game
from referee.mail.reply import Note, Page, harmless, note
from referee.mail.submission import SUBJECT_LINE, Submission
from referee.mail.view import Board, board, title
from referee.match import Match
from referee.service.below import after_notes, standing
from referee.service.desk import Desk
from referee.service.games import start_clock
from referee.store import Kept, Player, Unit

BOUNCES: Final = 3
"""After so many bounces an address gets no notices until its player writes."""

UNASKED: Final = ("turn", "news", "notice", "reminder", "result", "digest")
"""Kinds that come by themselves; `stop` ends them."""

TURNS: Final = ("turn", "news")
"""Kinds whose first 250 starts the clock of their reader. `news` tells of more than a ply, and is never taken back."""

DIGESTED: Final = ("turn", "news", "notice")
"""Kinds that a digest gathers."""


@dataclass(slots=True)
class Post:
    """What one unit writes to people. `answering` is the mail that is answered, if one is."""

    desk: Desk
    unit: Unit
    now: datetime
    answering: Submission | None = None
    written: int = field(default=0)
    _boards: dict[str, tuple[Match, Board]] = field(default_factory=dict)
    _bounces: dict[str, int] = field(default_factory=dict)

    # -- letters of a game -------------------------------------------------------------------------------------------

    def game(
        self,
        kept: Kept,
        seat: int,
        says: Sequence[Note],
        *,
        kind: str = "notice",
        shown: Board | None = None,
        with_board: bool = True,
        answer: bool = False,
        hint: bool = True,
    ) -> None:
        """Write to the player of a seat about his game, with the board as it stands, or `shown`.

        A letter to the player to move whose clock waits for its notice is that notice, whatever else it says. With
        `answer` it answers the mail at hand and is written whatever he wants to hear.
        """
        player_id = kept.player_id(seat)
        player = self.unit.player(player_id) if player_id is not None else None
        if player is None or player.address is None:
            return
        if kind in ("notice", "answer") and waits_for_notice(kept, seat):
            kind = "turn"
        if not answer and not self._wanted(player, kind, kept, seat):
            return
        present = self._board(kept.match) if with_board else None
        stands = standing(kept) or self._unreached(kept, seat)
        below = after_notes(kept, seat, self.now, self.desk.club.address, stands) if hint else []
        part = token(self.desk.key, kept.id, seat, kept.match.event)
        self._write(
            self._where(player, answer),
            player.name,
            Page(one_line(title(kept.match)), says, shown or present, below, part),
            kind=kind,
            player_id=player.id,
            game=kept.id,
            event=kept.match.event,
            part=part,
            answer=answer,
            record=present.record if present is not None else "",
        )

    def _board(self, match: Match) -> Board:
        """Return a game's present position; both players' letters show the same."""
        known = self._boards.get(match.id)
        if known is None or known[0] is not match:
            known = (match, board(match))
            self._boards[match.id] = known
        return known[1]

    def _wanted(self, player: Player, kind: str, kept: Kept, seat: int) -> bool:
        """Whether a letter that nobody asked for is sent now; notes what happens instead."""
        if not player.notices:
            if kind in TURNS:
                start_clock(self.unit, kept, seat, self.now)
            return False
        if self._refused(player.address or ""):
            return False
        if player.digest and kind in DIGESTED:
            self.unit.digest_add(player.id, kept.id)
            return False
        return True

    def _refused(self, address: str) -> bool:
        """Whether so much mail to an address came back that it gets no notices."""
        if address not in self._bounces:
            self._bounces[address] = self.unit.bounces(address)
        return self._bounces[address] >= BOUNCES

    def _unreached(self, kept: Kept, seat: int) -> str:
        """Return why the clock of the player to move stands where no notice reaches him, "" where one does."""
        mover = kept.match.to_move
        if mover is None or mover == seat or not waits_for_notice(kept, mover):
            return ""
        player_id = kept.player_id(mover)
        player = self.unit.player(player_id) if player_id is not None else None
        if player is None or not player.notices or not self._refused(player.address or ""):
            return ""
        return f"mail to {player.name} comes back; the clock goes on when he writes"

    # -- other letters -----------------------------------------------------------------------------------------------

    def to_player(
        self,
        player: Player,
        subject: str,
        says: Sequence[Note],
        *,
        kind: str,
        answer: bool = False,
        game: str = "",
    ) -> None:
        """Write to a player about something else than a game under way."""
        if player.address is None:
            return
        deaf = not player.notices or self._refused(player.address)
        if deaf and not answer and kind in UNASKED:
            return
        self.to_address(
            self._where(player, answer),
            player.name,
            subject,
            says,
            kind=kind,
            player_id=player.id,
            answer=answer,
            game=game,
        )

    def to_address(
        self,
        address: str,
        name: str,
        subject: str,
        says: Sequence[Note],
        *,
        kind: str,
        player_id: int | None = None,
        part: str = "",
        answer: bool = False,
        game: str = "",
        covers: tuple[tuple[str, int], ...] = (),
    ) -> None:
        """Write to an address. `part` is the + part that an answer goes to; `covers` as in a Letter."""
        self._write(
            address,
            name,
            Page(one_line(subject), says, token=part),
            kind=kind,
            player_id=player_id,
            game=game,
            event=None,
            part=part,
            answer=answer,
            record="",
            covers=covers,
        )

    def operator(self, text: str, subject: str = "") -> None:
        """Write to the operators."""
        subject = subject or f"{self.desk.club.name}: for the operator"
        for address in self.desk.club.operators:
            self.to_address(address, "", subject, [note("operator", text=text)], kind="operator")

    def _where(self, player: Player, answer: bool) -> str:
        """Return where a letter to a player goes: an answer to the address he wrote from, if it is his."""
        asked = self.answering
        if answer and asked is not None and asked.sender in player.addresses:
            return asked.sender
        assert player.address is not None
        return player.address

    # -- writing -----------------------------------------------------------------------------------------------------

    def _write(
        self,
        address: str,
        name: str,
        page: Page,
        *,
        kind: str,
        player_id: int | None,
        game: str,
        event: int | None,
        part: str,
        answer: bool,
        record: str,
        covers: tuple[tuple[str, int], ...] = (),
    ) -> None:
        club = self.desk.club
        mine = message_id(game, club.host, self.desk.random)
        parent, chain = self._thread(game, answer)
        texts = self.desk.writer.texts(page)
        picture = page.board
        letter = Letter(
            to=address,
            to_name=harmless(name),
            subject=self._subject(page.subject, answer, game),
            plain=texts.plain,
            html=texts.html,
            message_id=mine,
            date=self.now,
            reply_to=plus(club.address, part) if part else "",
            automatic="auto-replied" if answer else "auto-generated",
            notice=kind in UNASKED and not answer,
            picture=picture.record if picture else "",
            ply=picture.ply if picture else None,
            alt=picture.alt if picture else "",
            record=record,
            game=game,
            in_reply_to=parent,
            references=chain,
            covers=covers,
        )
        self.unit.outbox_add(
            kind, address, mine, letter.saved(), player_id=player_id, game=game or None, event=event
        )
        self.written += 1

    def _subject(self, subject: str, answer: bool, game: str) -> str:
        """A game's subject never changes; another answer says what it answers, with one Re: (M33)."""
        asked = self.answering
        if not answer or game or subject or asked is None:
            return subject
        name = self.desk.club.name
        if not asked.subject:
            return f"{name}: your mail"
        about = harmless(asked.subject)
        # a command in our subject would be sent again with the next answer
        return (
            f"Re: [{name}] {about}" if read_line(about, SUBJECT_LINE, any_game) else f"Re: {about}"
        )

    def _thread(self, game: str, answer: bool) -> tuple[str, tuple[str, ...]]:
        """Return In-Reply-To and References: all mails of a game belong to one thread."""
        root = (f"<{game}@{self.desk.club.host}>",) if game else ()
        asked = self.answering
        if answer and asked is not None:
            return thread(asked.message_id, (*root, *asked.references))
        return (root[0], root) if root else ("", ())


def waits_for_notice(kept: Kept, seat: int) -> bool:
    """Whether a player is to move and his clock waits for the notice of it."""
    clock = kept.clock
    return (
        kept.match.status == "on"
        and clock is not None
        and clock.seat == seat
        and clock.since is None
    )
