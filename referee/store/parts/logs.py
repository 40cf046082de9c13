"""What happened in a game: events and what the operator did, the undone plies with them (M77)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import insert, or_, select

from referee.match import Event, Match
from referee.store.parts.base import Part
from referee.store.rows import Entry
from referee.store.schema import log
from referee.store.text import event_data


class LogsPart(Part):
    """The log of each game."""

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
