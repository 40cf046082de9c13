"""One mail being carried out: whose it is, the games it touches, what is said to whom at the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from referee.clock import deadline
from referee.core.verdict import Rejected
from referee.mail.reply import Note, harmless, note
from referee.mail.submission import Command, Submission
from referee.mail.view import Board
from referee.match import Done, Event
from referee.service import tell
from referee.service.desk import Desk
from referee.service.games import late, settle
from referee.service.post import Post
from referee.service.who import Who, thread_game
from referee.store import Kept, Player, Unit


@dataclass(frozen=True, slots=True)
class Shown:
    """A look at a game that was asked for: a letter of its own if it is not the game at hand."""

    kept: Kept
    seat: int
    says: tuple[Note, ...]
    board: Board | None = None


@dataclass(slots=True)
class Run:
    """A mail on its way through its commands.

    at        when the club's server got it: that counts on the clocks
    player    who wrote it; `proved` whether more than a token's game is open to him (DMARC, or a code)
    game      the id of the game that the mail is about, "" without one
    bound     games whose present position the writer has before him: a current token; a move needs no ply there
    says      what the answer says, in order
    looks     positions asked for
    said      what else goes to the players of other seats: (game, seat) → notes
    changed   whether anything was done that is no mere question
    confirmed the mail answers a code; gone: its writer was forgotten with it
    """

    desk: Desk
    unit: Unit
    now: datetime
    mail: Submission
    who: Who
    player: Player
    proved: bool
    game: str
    bound: frozenset[str]
    post: Post
    says: list[Note] = field(default_factory=list)
    looks: list[Shown] = field(default_factory=list)
    said: dict[tuple[str, int], list[Note]] = field(default_factory=dict)
    games: dict[str, Kept] = field(default_factory=dict)
    events: dict[str, list[Event]] = field(default_factory=dict)
    deals: dict[str, int] = field(default_factory=dict)
    changed: bool = False
    confirmed: bool = False
    gone: bool = False

    @property
    def at(self) -> datetime:
        """When the mail was received: never later than now, whatever a server's clock says."""
        return min(self.mail.received, self.now)

    # -- games -------------------------------------------------------------------------------------------------------

    def find(self, game_id: str) -> tuple[Kept, int] | None:
        """Return a game of the writer's and his seat, None where it is not his."""
        kept = self.games.get(game_id) or self.unit.game(game_id)
        if kept is None:
            return None
        seat = self.who.seat if self.who.token_game == game_id else kept.seat_of(self.player.id)
        if seat is None or kept.player_id(seat) != self.player.id:
            return None
        self.games[game_id] = kept
        if kept.match.solo:
            self.deals.setdefault(game_id, kept.match.position.deals)
        return kept, seat

    def game_of(self, command: Command) -> tuple[Kept, int] | None:
        """Return the game that a command is for and the writer's seat; says what is missing where there is none."""
        game_id = command.game or self.game
        if not game_id:
            return self._only_game(command)
        found = self.find(game_id)
        if found is None:
            self.says.append(note("no-game", id=game_id))
        elif not self.game:
            self.game = game_id  # the answer is about this game, with its board and token
        return found

    def _only_game(self, command: Command) -> tuple[Kept, int] | None:
        """Ask which game is meant. Even an only one is not taken for granted: nothing is guessed (M31).

        A move's answer gives the line to send, if the thread or an only game says which is likely.
        """
        mine = [game.id for game in self.unit.games_of(self.player.id, limit=20)]
        likely = thread_game(self.mail, self.desk.club.host)
        if likely not in mine:
            likely = mine[0] if len(mine) == 1 else ""
        if command.name == "move" and likely:
            kept = self.unit.game(likely)
            assert kept is not None
            ply, move = kept.match.plies + 1, command.args[0]
            self.says.append(note("need-ply", id=likely, ply=ply, move=move))
        else:
            self.says.append(note("which-game", games=", ".join(mine)))
        return None

    def apply(self, kept: Kept, seat: int, done: Done | Rejected, command: Command) -> bool:
        """Save what a command did to a game and remember it for the letters; say why where it did nothing."""
        if isinstance(done, Rejected):
            self.refuse(done, command)
            return False
        self.keep(kept, done)
        self.says += tell.notes(done.match, done.events, seat, kept.clock)
        return True

    def keep(self, kept: Kept, done: Done) -> Kept:
        """Save what was done to a game."""
        saved = settle(self.unit, kept, done, self.at)
        self.games[kept.id] = saved
        self.events.setdefault(kept.id, []).extend(done.events)
        self.changed = True
        return saved

    def in_time(self, kept: Kept, seat: int, command: Command) -> bool:
        """Whether the game's clock still lets anybody act; a deadline that has passed ends the game here and now."""
        lost = late(kept, self.at)
        if lost is None or self.waits(kept):
            return True
        self.keep(kept, lost)
        refused = Rejected("over", None, "the deadline passed before this mail was received")
        self.refuse(refused, command)
        self.says += tell.notes(lost.match, lost.events, seat)
        return False

    def waits(self, kept: Kept) -> bool:
        """Whether the deadline waits: a mail that came before it could not be read yet (mail.md, Mail in)."""
        seat, clock = kept.match.to_move, kept.clock
        player_id = None if seat is None else kept.player_id(seat)
        end = None if clock is None else deadline(clock, kept.calendar)
        return player_id is not None and end is not None and self.unit.held(kept.id, player_id, end)

    # -- saying ------------------------------------------------------------------------------------------------------

    def refuse(self, refused: Rejected | str, command: Command) -> bool:
        """Say that a command was not carried out, with its line; return False, for handlers to pass on."""
        if isinstance(refused, str):
            refused = Rejected("", None, refused)
        self.says.append(tell.refusal(refused, command.text, command.line))
        return False

    def say(self, name: str, /, **values: object) -> bool:
        """Add a note to the answer; return True, for handlers to pass on."""
        self.says.append(note(name, **values))
        return True


def listed(command: Command) -> str:
    """Return a command as the answer lists it, with its line."""
    where = f"line {command.line}" if command.line else "subject"
    return f"{where}: {harmless(command.text)}"
