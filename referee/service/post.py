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
from referee.mail.view import Board, Time, board, time_left, title
from referee.match import Done, Match, ask_undo, may_claim_draw, public_position
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
        below = after_notes(kept, seat, self.now, self.desk.club.address) if hint else []
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
        if self.unit.bounces(player.address or "") >= BOUNCES:
            return False
        if player.digest and kind in DIGESTED:
            self.unit.digest_add(player.id, kept.id)
            return False
        return True

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
        deaf = not player.notices or self.unit.bounces(player.address) >= BOUNCES
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


# -- below the board -------------------------------------------------------------------------------------------------


def after_notes(kept: Kept, seat: int, now: datetime, club_address: str) -> list[Note]:
    """Return what stands below a game's board: the time of the player to move, and what may be answered."""
    notes = []
    match, clock = kept.match, kept.clock
    mover = match.to_move
    if clock is not None and mover is not None and clock.seat == mover:
        time: Time = time_left(clock, kept.calendar, mover, now)
        notes.append(
            note(
                "time",
                time=time,
                yours=mover == seat,
                whose="Your" if mover == seat else f"{match.player(mover)}'s",
                paused=_standing(kept),
            )
        )
    notes.append(answer_note(match, seat, club_address))
    return notes


def _standing(kept: Kept) -> str:
    """Return why a game's clocks stand without an end, "" where they do not."""
    kinds = {stop.kind for stop in kept.calendar.stops if stop.end is None}
    if "paused" in kinds:
        return "the operator has paused the game"
    return "the club's own clock is being looked at" if "frozen" in kinds else ""


def answer_note(match: Match, seat: int, club_address: str) -> Note:
    """Return what a player may answer now."""
    values = {
        "on": match.status == "on",
        "yours": match.to_move == seat,
        "game": match.game,
        "id": match.id,
        "other": match.player(1 - seat),
        "club": club_address,
        "ply": 0,
        "example": "",
        "swap": False,
        "drops": False,
        "claim": False,
        "tile": "",
        "pass": False,
        "pool": "",
        "queue": {"Hex": "d4: e5", "Focus": "c3-c5: e4-e6"}.get(match.game, ""),
        "offer": match.offer is not None and match.offer != seat,
        "undo": match.undo is not None and match.undo.seat != seat,
        "may_undo": match.status == "on" and isinstance(ask_undo(match, seat), Done),
    }
    if match.to_move == seat:
        values |= {"ply": match.plies + 1, **_examples(match, seat)}
    return note("answer", **values)


def _examples(match: Match, seat: int) -> dict[str, object]:
    """Return legal moves to show how moves are written."""
    position = public_position(match)
    found: dict[str, object] = {}
    if match.game == "Lightning" and position.pending is not None:
        from referee.games.lightning.tiles import KINDS

        found["tile"] = KINDS[position.pending]
    elif match.game == "Lightning":
        pool = _pool_move(match, position)
        return {"pool": pool, "example": pool or "pass", "pass": not position.pile}
    tokens = [match.rules.format(move, match.setup) for move in match.rules.legal_moves(position)]
    plain = [token for token in tokens if not token.startswith("swap")] or tokens
    found["example"] = plain[0 if found else len(plain) // 2] if plain else ""
    found["swap"] = len(plain) < len(tokens)
    found["drops"] = match.game == "Focus" and any(token.startswith("+") for token in tokens)
    found["claim"] = may_claim_draw(match, seat)
    return found


def _pool_move(match: Match, position: object) -> str:
    """Return how a tile of the pool may be placed, "" where none can."""
    for move in match.rules.legal_moves(position):
        token = match.rules.format(move, match.setup)
        if token.startswith("pool:"):
            return token
    return ""
