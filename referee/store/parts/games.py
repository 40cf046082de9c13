"""Games: record, clocks, log (design.md: store the record, not the position)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Select, func, insert, or_, select, update

from referee.clock import Calendar, Clock, Stop, Vacation, clock_of, next_due, saved
from referee.match import RULES_VERSION, Event, Match
from referee.store.errors import StaleError
from referee.store.parts.base import Part
from referee.store.parts.scores import ScoresPart
from referee.store.rows import Entry, Kept, Summary
from referee.store.schema import games, log, stops, vacations
from referee.store.text import beside, event_data, match_of

_DAY: Final = timedelta(days=1)
_NEXT: Final = "next game"


class GamesPart(ScoresPart, Part):
    """Reading and saving games, their lists, their logs."""

    def next_number(self) -> int:
        """Return the number of the next game or challenge; none comes twice."""
        number = int(self.note(_NEXT) or "1")
        self.set_note(_NEXT, str(number + 1))
        return number

    def number_taken(self, number: int) -> None:
        """Let the next number be above one that came with an imported game."""
        self.set_note(_NEXT, str(max(number + 1, int(self.note(_NEXT) or "1"))))

    # -- one game ------------------------------------------------------------------------------------------------

    def game(self, game_id: str) -> Kept | None:
        """Return a game to look at or to change, None where there is none of that id.

        In a unit that writes it is held until its end: no other process changes it meanwhile.
        """
        row = self._db.execute(
            self._backend.locked_row(select(games).where(games.c.id == game_id))
        ).first()
        return None if row is None else self._kept(row)

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
        if clock is None or row.status != "on":
            return Calendar()
        since = min(clock.since or self.now, self.now)
        standing = select(stops.c.kind, stops.c.begins, stops.c.ends).where(
            or_(stops.c.game_id == row.id, stops.c.game_id.is_(None)),
            or_(stops.c.ends.is_(None), stops.c.ends > since),
        )
        seats = (row.first_id, row.second_id)
        away = select(vacations).where(
            vacations.c.player_id.in_(seats), vacations.c.last >= (since - 2 * _DAY).date()
        )
        taken: tuple[list[Vacation], list[Vacation]] = ([], [])
        for v in self._db.execute(away):
            taken[seats.index(v.player_id)].append(Vacation(v.first, v.last, v.declared))
        return Calendar(
            tuple(Stop(s.begins, s.ends, s.kind) for s in self._db.execute(standing)),
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
            update(games)
            .where(games.c.id == kept.id, games.c.version == kept.version)
            .values(
                version=kept.version + 1,
                first_id=first_id,
                second_id=second_id,
                muted=deaf[0] + 2 * deaf[1],
                **values,
            )
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

    # -- lists ---------------------------------------------------------------------------------------------------

    def games_waiting(self, player_id: int, limit: int = 100) -> list[Summary]:
        """Return the games in which a player is to move, the longest waiting first (`next`)."""
        statement = _summaries().where(games.c.mover_id == player_id).order_by(games.c.updated)
        return self._listed(statement.limit(limit))

    def games_of(
        self, player_id: int, status: str = "on", limit: int = 100, after: int = 0
    ) -> list[Summary]:
        """Return a player's games of a status in order of their numbers, from those above `after` on."""
        found: list[Summary] = []
        for seat in (games.c.first_id, games.c.second_id):
            statement = _summaries().where(
                seat == player_id, games.c.status == status, games.c.number > after
            )
            found += self._listed(statement.order_by(games.c.number).limit(limit))
        found.sort(key=lambda game: int(game.id.rpartition("-")[2]))
        return found[:limit]

    def games_list(
        self, status: str | None = None, after: int = 0, limit: int = 100
    ) -> list[Summary]:
        """Return games in order of their numbers, a page at a time: those above number `after`."""
        statement = _summaries().where(games.c.number > after).order_by(games.c.number).limit(limit)
        if status is not None:
            statement = statement.where(games.c.status == status)
        return self._listed(statement)

    def _listed(self, statement: Select[Any]) -> list[Summary]:
        return [Summary(*row) for row in self._db.execute(statement)]

    # -- all open games ------------------------------------------------------------------------------------------

    def open_count(self) -> int:
        """Return how many games are on."""
        statement = select(func.count()).select_from(games).where(games.c.status == "on")
        return self._db.scalar(statement) or 0

    def open_matches(self) -> Iterator[tuple[str, Match, str]]:
        """Yield every game that is on: its id, its match, and the fingerprint of its position when it was saved."""
        after = 0
        while True:
            page = (
                select(games)
                .where(games.c.status == "on", games.c.number > after)
                .order_by(games.c.number)
                .limit(500)
            )
            rows = self._db.execute(page).all()
            for row in rows:
                yield row.id, match_of(row), row.fingerprint
            if not rows:
                return
            after = rows[-1].number

    def set_rules(self) -> None:
        """Note in every open game that it is played under this program's rules from now on."""
        for game, version in RULES_VERSION.items():
            self._db.execute(
                update(games)
                .where(games.c.status == "on", games.c.game == game)
                .values(rules_version=version)
            )

    # -- the log -------------------------------------------------------------------------------------------------

    def _log(self, match: Match, events: Sequence[Event]) -> None:
        if events:
            self._db.execute(
                insert(log),
                [
                    {
                        "game_id": match.id,
                        "at": self.now,
                        "event": match.event,
                        "kind": event.kind,
                        "private": event.private,
                        "data": event_data(event),
                    }
                    for event in events
                ],
            )

    def log_add(
        self, game_id: str, event: int, kind: str, data: dict[str, Any], private: int | None = None
    ) -> None:
        """Note something in a game's log that is no event of the match: a reminder, a bounce, chat, a pause."""
        self._db.execute(
            insert(log).values(
                game_id=game_id, at=self.now, event=event, kind=kind, private=private, data=data
            )
        )

    def log_of(
        self, game_id: str, seat: int | None = None, *, everything: bool = False
    ) -> list[Entry]:
        """Return a game's log as a seat may see it (None: a stranger), or `everything` for the operator."""
        statement = select(log).where(log.c.game_id == game_id).order_by(log.c.id)
        if not everything:
            mine = log.c.private.is_(None)
            statement = statement.where(mine if seat is None else or_(mine, log.c.private == seat))
        return [Entry(row.at, row.event, row.kind, row.data) for row in self._db.execute(statement)]


def _summaries() -> Select[Any]:
    c = games.c
    return select(
        c.id,
        c.game,
        c.status,
        c.result,
        c.plies,
        c.first_id,
        c.second_id,
        c.mover_id,
        c.due_at,
        c.updated,
    )
