"""The club's time: heartbeat, downtime, freezes, pauses, what is due, vacations (mail.md, Clocks; M88 to M98)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, or_, select, update

from referee.clock import Vacation
from referee.store.parts.base import Part
from referee.store.parts.spool import QUARANTINED, WAITING
from referee.store.rows import Freeze
from referee.store.schema import games, spool, stops, vacations

_BEAT: Final = "heartbeat"
_FROZEN: Final = "frozen"


_HELD: Final = or_(
    spool.c.state == QUARANTINED,
    and_(spool.c.state == WAITING, spool.c.next_at.is_not(None)),
)
"""Mail that cannot be read now, though it came."""


def _of(game: Any, player_id: Any) -> ColumnElement[bool]:
    return or_(spool.c.game_id == game, spool.c.player_id == player_id)


class TimesPart(Part):
    """Heartbeats and what they find, stops, due rows, vacations."""

    # -- heartbeat -----------------------------------------------------------------------------------------------

    def last_beat(self) -> datetime | None:
        """Return when a process last said that it runs, None in a new club."""
        text = self.note(_BEAT)
        return None if text is None else datetime.fromisoformat(text)

    def beating(self) -> datetime | None:
        """Return the last heartbeat, and let nobody else write one until this unit ends."""
        self._alone(_BEAT)
        return self.last_beat()

    def beat(self) -> None:
        """Say that a process runs now."""
        self.set_note(_BEAT, self.now.isoformat())

    def credit(self, begin: datetime, end: datetime) -> None:
        """Let all clocks stand for a span that has passed: nobody ran (M90). Deadlines move when they are looked at."""
        self._db.execute(insert(stops).values(game_id=None, kind="down", begins=begin, ends=end))

    # -- freeze --------------------------------------------------------------------------------------------------

    def freeze(self, since: datetime, why: str) -> bool:
        """Stop all clock actions until `resume`; false where they are frozen already."""
        self._alone(_FROZEN)
        if self.frozen() is not None:
            return False
        self.set_note(_FROZEN, why)
        self._db.execute(insert(stops).values(game_id=None, kind="frozen", begins=since, ends=None))
        return True

    def frozen(self) -> Freeze | None:
        """Return since when and why clock actions are frozen, None where they are not."""
        why = self.note(_FROZEN)
        if why is None:
            return None
        statement = select(stops.c.begins).where(stops.c.kind == "frozen", stops.c.ends.is_(None))
        return Freeze(self._db.scalar(statement) or self.now, why)

    def resume(self) -> bool:
        """End a freeze: the time since it began is nobody's; false where nothing was frozen.

        What a wrong clock wrote into the future is put right: spans end now at the latest, the heartbeat is now's, and
        every running game is looked at anew (`clock.healed`).
        """
        self._alone(_FROZEN)
        if self.frozen() is None:
            return False
        self._hold_running()
        self.set_note(_FROZEN, None)
        self._db.execute(delete(stops).where(stops.c.kind == "frozen", stops.c.begins >= self.now))
        self._db.execute(delete(stops).where(stops.c.kind == "down", stops.c.begins >= self.now))
        self._db.execute(
            update(stops)
            .where(
                or_(and_(stops.c.kind == "frozen", stops.c.ends.is_(None)), stops.c.ends > self.now)
            )
            .values(ends=self.now)
        )
        self._db.execute(update(games).where(games.c.mover_id.is_not(None)).values(due_at=self.now))
        self.beat()
        return True

    def _hold_running(self) -> None:
        """Hold all running games, in the order in which everybody holds games."""
        if self._backend.concurrent:
            running = select(games.c.id).where(games.c.mover_id.is_not(None)).order_by(games.c.id)
            held = self._held(running).subquery()
            self._db.scalar(select(func.count()).select_from(held))

    # -- pauses --------------------------------------------------------------------------------------------------

    def pause(self, game: str) -> bool:
        """Stop a game's clocks until `unpause`; false where they stand already."""
        self._alone(f"pause {game}")
        if self._paused(game):
            return False
        self._db.execute(insert(stops).values(game_id=game, kind="paused", begins=self.now))
        self._db.execute(update(games).where(games.c.id == game).values(due_at=None))
        return True

    def unpause(self, game: str) -> bool:
        """Let a game's clocks run on; false where they were not paused."""
        done = self._db.execute(
            update(stops)
            .where(stops.c.game_id == game, stops.c.kind == "paused", stops.c.ends.is_(None))
            .values(ends=self.now)
        )
        self._db.execute(
            update(games)
            .where(games.c.id == game, games.c.mover_id.is_not(None))
            .values(due_at=self.now)
        )
        return done.rowcount > 0

    def _paused(self, game: str) -> bool:
        open_one = select(stops.c.id).where(
            stops.c.game_id == game, stops.c.kind == "paused", stops.c.ends.is_(None)
        )
        return self._db.execute(open_one).first() is not None

    # -- what is due ---------------------------------------------------------------------------------------------

    def due_games(self, limit: int = 100) -> list[str]:
        """Return the games to be looked at now: a reminder or a deadline may be due, by `clock.next_due`.

        The row says no more than that it is not due earlier. Look at each in a unit of its own and save it, which
        sets the row anew. Nothing is due while clock actions are frozen; a deadline waits for every mail that came
        before it and is not read yet, and for those in quarantine or put off that belong to its game or its player.
        """
        if self.note(_FROZEN) is not None:
            return []
        unread = select(func.min(spool.c.received)).where(
            spool.c.state == WAITING, spool.c.next_at.is_(None)
        )
        oldest = self._db.scalar(unread)
        until = self.now if oldest is None else min(self.now, oldest)
        held = exists().where(
            _HELD, _of(games.c.id, games.c.mover_id), spool.c.received < games.c.due_at
        )
        statement = (
            select(games.c.id)
            .where(games.c.due_at <= until, ~held)
            .order_by(games.c.due_at)
            .limit(limit)
        )
        return list(self._db.scalars(statement))

    def held(self, game: str, player_id: int, before: datetime) -> bool:
        """Whether a deadline waits: a mail of this game or player that came before it is in quarantine or put off."""
        statement = select(spool.c.id).where(_HELD, _of(game, player_id), spool.c.received < before)
        return self._db.execute(statement.limit(1)).first() is not None

    def next_due(self) -> datetime | None:
        """Return when the next game is to be looked at, None where none is."""
        when: datetime | None = self._db.scalar(select(func.min(games.c.due_at)))
        return when

    # -- vacations -----------------------------------------------------------------------------------------------

    def vacations(self, player_id: int) -> list[Vacation]:
        """Return all vacations of a player in order of their first days."""
        statement = (
            select(vacations).where(vacations.c.player_id == player_id).order_by(vacations.c.first)
        )
        return [Vacation(row.first, row.last, row.declared) for row in self._db.execute(statement)]

    def add_vacation(self, player_id: int, first: date, last: date) -> None:
        """Keep a vacation; whether it may be taken says `clock.refusal`. It touches turns that begin later only."""
        self._db.execute(
            insert(vacations).values(player_id=player_id, first=first, last=last, declared=self.now)
        )
