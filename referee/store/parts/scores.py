"""Standings, kept up with each save, so that showing them never counts all games (mail.md, Commands: `standings`)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import NamedTuple

from sqlalchemy import select, update

from referee.match import Match
from referee.store.parts.base import Part
from referee.store.rows import Standing
from referee.store.schema import players, standings


class Score(NamedTuple):
    """What one game counts for one player."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


NONE = Score()
WON, DRAWN, LOST = Score(1, 1), Score(1, 0, 1), Score(1, 0, 0, 1)


def scores(match: Match) -> tuple[Score, Score]:
    """Return what a game counts for its first and its second player.

    A game for two counts when it is over; Spiral from its start, as lost until it is won (mail.md, Commands).
    """
    if match.solo:
        return (WON if match.result == "1-0" else LOST, NONE)
    if match.status != "over":
        return (NONE, NONE)
    if match.result == "1/2-1/2":
        return (DRAWN, DRAWN)
    return (WON, LOST) if match.result == "1-0" else (LOST, WON)


class ScoresPart(Part):
    """The table of standings."""

    _counted: dict[tuple[int, str], Score] | None = None

    def _score(
        self,
        before: Match | None,
        after: Match,
        old_players: Sequence[int | None],
        new_players: Sequence[int | None],
    ) -> None:
        """Put what a game counts now in the place of what it counted before."""
        old = scores(before) if before is not None else ()
        new = scores(after)
        if old == new and tuple(old_players) == tuple(new_players):
            return
        for player_id, score in zip(old_players, old, strict=False):
            self._count(player_id, after.game, Score(*(-part for part in score)))
        for player_id, score in zip(new_players, new, strict=True):
            self._count(player_id, after.game, score)

    def _count(self, player_id: int | None, game: str, score: Score) -> None:
        """Remember what is to be added; it is written at the unit's end."""
        if player_id is None or not any(score):
            return
        if self._counted is None:
            self._counted = {}
        before = self._counted.get((player_id, game), NONE)
        self._counted[player_id, game] = Score(*map(add, before, score))

    def finish(self) -> None:
        """Write what was counted, in one order, so that no two units wait for each other's rows."""
        counted, self._counted = self._counted or {}, None
        for (player_id, game), score in sorted(counted.items()):
            if any(score):
                self._add(player_id, game, score)

    def _add(self, player_id: int, game: str, score: Score) -> None:
        mine = (standings.c.player_id == player_id, standings.c.game == game)
        more = {name: standings.c[name] + part for name, part in score._asdict().items()}
        if self._db.execute(update(standings).where(*mine).values(more)).rowcount:
            return
        row = {"player_id": player_id, "game": game, **score._asdict()}
        if not self._db.execute(self._backend.unless_there(standings), row).rowcount:
            self._db.execute(update(standings).where(*mine).values(more))  # just written by others

    def standings(self, game: str | None = None, limit: int = 100) -> list[Standing]:
        """Return the players' scores by game, the most won first; of one game or of all."""
        self.finish()
        c, by_name = standings.c, self._backend.bytewise(players.c.name_key)
        statement = (
            select(c.player_id, players.c.name, c.game, c.played, c.won, c.drawn, c.lost)
            .join(players, players.c.id == c.player_id)
            .where(c.played > 0)
            .order_by(c.game, c.won.desc(), c.drawn.desc(), c.played, by_name)
            .limit(limit)
        )
        if game is not None:
            statement = statement.where(c.game == game)
        return [Standing(*row) for row in self._db.execute(statement)]
