"""Lists of games: nothing of them is replayed but where all open games are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, update

from referee.match import RULES_VERSION, Match
from referee.store.parts.base import Part
from referee.store.rows import Summary
from referee.store.schema import games
from referee.store.text import match_of


class ListsPart(Part):
    """Games that wait, a player's games, all games a page at a time."""

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
        return self._matches(games.c.status == "on")

    def all_matches(self) -> Iterator[tuple[str, Match, str]]:
        """Yield the like of every game, in order of their numbers."""
        return self._matches()

    def _matches(self, *conditions: ColumnElement[bool]) -> Iterator[tuple[str, Match, str]]:
        after = 0
        while True:
            page = (
                select(games)
                .where(*conditions, games.c.number > after)
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
