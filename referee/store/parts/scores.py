"""Standings, kept up with each save, so that showing them never counts all games (mail.md, Commands: `standings`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import insert, select, update

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
        if player_id is None or not any(score):
            return
        mine = (standings.c.player_id == player_id, standings.c.game == game)
        more = {name: standings.c[name] + part for name, part in score._asdict().items()}
        if not self._db.execute(update(standings).where(*mine).values(more)).rowcount:
            self._db.execute(
                insert(standings).values(player_id=player_id, game=game, **score._asdict())
            )

    def standings(self, game: str | None = None, limit: int = 100) -> list[Standing]:
        """Return the players' scores by game, the most won first; of one game or of all."""
        c = standings.c
        statement = (
            select(c.player_id, players.c.name, c.game, c.played, c.won, c.drawn, c.lost)
            .join(players, players.c.id == c.player_id)
            .where(c.played > 0)
            .order_by(c.game, c.won.desc(), c.drawn.desc(), c.played, players.c.name_key)
            .limit(limit)
        )
        if game is not None:
            statement = statement.where(c.game == game)
        return [Standing(*row) for row in self._db.execute(statement)]
