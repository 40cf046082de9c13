"""Games: record, clocks, log (design.md: store the record, not the position)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import bindparam, exists, insert, or_, select, update

from referee.clock import Calendar, Clock, Stop, Vacation, clock_of, next_due, saved
from referee.match import RULES_VERSION, Event, Match
from referee.store.errors import StaleError
from referee.store.parts.lists import ListsPart
from referee.store.parts.logs import LogsPart
from referee.store.parts.scores import ScoresPart
from referee.store.rows import Kept
from referee.store.schema import Moment, games, stops, vacations
from referee.store.text import beside, match_of

_DAY: Final = timedelta(days=1)
_NEXT: Final = "next game"


_GAME: Final = select(
    games,
    exists()
    .where(
        or_(stops.c.game_id == games.c.id, stops.c.game_id.is_(None)),
        or_(stops.c.ends.is_(None), stops.c.ends > games.c.created),
    )
    .label("stopped"),
    exists().where(vacations.c.player_id.in_((games.c.first_id, games.c.second_id))).label("away"),
).where(games.c.id == bindparam("which"))
"""A game, and whether anything may have stopped its clocks: mostly nothing has, and nothing more is to be read."""
_THESE: Final = (
    select(games.c.id)
    .where(games.c.id.in_(bindparam("which", expanding=True)))
    .order_by(games.c.id)
)
_STANDING: Final = select(stops.c.kind, stops.c.begins, stops.c.ends).where(
    or_(stops.c.game_id == bindparam("which"), stops.c.game_id.is_(None)),
    or_(stops.c.ends.is_(None), stops.c.ends > bindparam("since", type_=Moment)),
)
_AWAY: Final = select(vacations).where(
    vacations.c.player_id.in_(bindparam("whose", expanding=True)),
    vacations.c.last >= bindparam("since"),
)
_SAVED: Final = update(games).where(
    games.c.id == bindparam("which"), games.c.version == bindparam("known")
)


class GamesPart(LogsPart, ListsPart, ScoresPart):
    """Reading and saving games; with their lists, logs and scores."""

    def next_number(self) -> int:
        """Return the number of the next game or challenge; none comes twice."""
        self._alone(_NEXT)
        number = int(self.note(_NEXT) or "1")
        self.set_note(_NEXT, str(number + 1))
        return number

    def number_taken(self, number: int) -> None:
        """Let the next number be above one that came with an imported game."""
        self._alone(_NEXT)
        self.set_note(_NEXT, str(max(number + 1, int(self.note(_NEXT) or "1"))))

    # -- one game ------------------------------------------------------------------------------------------------

    def game(self, game_id: str) -> Kept | None:
        """Return a game to look at or to change, None where there is none of that id.

        In a unit that writes it is held until its end: no other process changes it meanwhile.
        """
        known = self._rows.games.get(game_id)
        if known is not None:
            return known
        row = self._db.execute(self._held(_GAME), {"which": game_id}).first()
        if row is None:
            return None
        kept = self._rows.games[game_id] = self._kept(row)
        return kept

    def hold_games(self, game_ids: Iterable[str]) -> None:
        """Hold several games until the unit ends, in one order, so that no two units wait for each other."""
        wanted = sorted(set(game_ids))
        if wanted and self._writing and self._backend.concurrent:
            self._db.execute(self._held(_THESE), {"which": wanted}).all()

    def _kept(self, row: Any) -> Kept:
        clock = None if row.clock is None else clock_of(row.clock)
        return Kept(
            match_of(row),
            clock,
            self._calendar(row, clock),
            row.first_id,
            row.second_id,
            row.version,
            row.rules_version,
            (bool(row.muted & 1), bool(row.muted & 2)),
            row.created,
            row.updated,
            row.ended,
        )

    def _calendar(self, row: Any, clock: Clock | None) -> Calendar:
        """Return what stops the clocks of a game from the beginning of its turn on."""
        if clock is None or row.status != "on" or not (row.stopped or row.away):
            return Calendar()
        since = min(clock.since or self.now, self.now)
        standing = self._db.execute(_STANDING, {"which": row.id, "since": since})
        seats = (row.first_id, row.second_id)
        away = self._db.execute(_AWAY, {"whose": seats, "since": (since - 2 * _DAY).date()})
        taken: tuple[list[Vacation], list[Vacation]] = ([], [])
        for v in away:
            taken[seats.index(v.player_id)].append(Vacation(v.first, v.last, v.declared))
        return Calendar(
            tuple(Stop(s.begins, s.ends, s.kind) for s in standing),
            (tuple(taken[0]), tuple(taken[1])),
        )

    def add_game(
        self,
        match: Match,
        first_id: int,
        second_id: int | None,
        clock: Clock | None,
        events: Sequence[Event] = (),
    ) -> Kept:
        """Store a new game (also an imported one) with its first events, and return it."""
        number = int(match.id.rpartition("-")[2])
        self._db.execute(
            insert(games).values(
                id=match.id,
                number=number,
                game=match.game,
                version=1,
                seed=match.seed,
                first_id=first_id,
                second_id=second_id,
                muted=0,
                rules_version=RULES_VERSION[match.game],
                created=self.now,
                **self._state(match, first_id, second_id, clock, self._stopped_now()),
            )
        )
        self._log(match, events)
        self._score(None, match, (), (first_id, second_id))
        kept = self.game(match.id)
        assert kept is not None
        return kept

    def _stopped_now(self) -> Calendar:
        frozen = select(stops.c.kind, stops.c.begins).where(
            stops.c.game_id.is_(None), stops.c.ends.is_(None)
        )
        return Calendar(tuple(Stop(s.begins, None, s.kind) for s in self._db.execute(frozen)))

    def _state(
        self,
        match: Match,
        first_id: int,
        second_id: int | None,
        clock: Clock | None,
        calendar: Calendar,
    ) -> dict[str, Any]:
        """Return the columns that every save writes."""
        mover = match.to_move
        due = None
        if match.status == "on" and clock is not None:
            due = next_due(clock, calendar)
        return {
            "status": match.status,
            "event": match.event,
            "tags": dict(match.tags),
            "words": " ".join(match.words),
            "result": match.result,
            "reason": match.reason,
            "beside": beside(match),
            "clock": None if clock is None else saved(clock),
            "mover_id": None if mover is None else second_id if mover else first_id,
            "due_at": None if due is None else due.at,
            "fingerprint": match.fingerprint,
            "plies": match.plies,
            "updated": self.now,
            "ended": None if match.status == "on" else self.now,
        }

    def save_game(
        self,
        kept: Kept,
        match: Match,
        clock: Clock | None,
        events: Sequence[Event] = (),
        *,
        players: tuple[int, int | None] | None = None,
        muted: tuple[bool, bool] | None = None,
    ) -> Kept:
        """Save what was made of a game, with its events in the log, and return it as it is kept now.

        `players` are new ones after a substitution. What is due next comes from the clock. Raises StaleError, and
        nothing is changed, where the game is not as it was in `kept`.
        """
        first_id, second_id = players or (kept.first_id, kept.second_id)
        deaf = muted or kept.muted
        values = self._state(match, first_id, second_id, clock, kept.calendar)
        if match.status != "on" and kept.ended is not None and kept.match.status != "on":
            values["ended"] = kept.ended
        done = self._db.execute(
            _SAVED,
            {
                "which": kept.id,
                "known": kept.version,
                "version": kept.version + 1,
                "first_id": first_id,
                "second_id": second_id,
                "muted": deaf[0] + 2 * deaf[1],
                **values,
            },
        )
        if done.rowcount != 1:
            raise StaleError(f"{kept.id} was changed meanwhile; read it again")
        self._log(match, events)
        self._score(kept.match, match, (kept.first_id, kept.second_id), (first_id, second_id))
        return Kept(
            match,
            clock,
            kept.calendar,
            first_id,
            second_id,
            kept.version + 1,
            kept.rules_version,
            deaf,
            kept.created,
            self.now,
            values["ended"],
        )

    def save_clock(self, kept: Kept, clock: Clock) -> Kept:
        """Save a game's clocks alone: a notice was accepted or came back, a reminder went out. Nothing is replayed.

        Raises StaleError as `save_game` does.
        """
        due = next_due(clock, kept.calendar) if kept.match.status == "on" else None
        values = {"clock": saved(clock), "due_at": None if due is None else due.at}
        version = {"which": kept.id, "known": kept.version, "version": kept.version + 1}
        if self._db.execute(_SAVED, {**version, **values}).rowcount != 1:
            raise StaleError(f"{kept.id} was changed meanwhile; read it again")
        return replace(kept, clock=clock, version=kept.version + 1)
