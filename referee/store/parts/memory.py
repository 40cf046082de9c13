"""What a unit of work has read is at hand until it is written to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, CursorResult, Executable, ScalarResult

from referee.store.rows import Kept, Player
from referee.store.schema import addresses, games, players, stops, vacations

_OF_GAMES: Final = frozenset((games, stops, vacations))
_OF_PLAYERS: Final = frozenset((players, addresses))

Values = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class Rows:
    """The connection of a unit, and what was read in it: a mail asks for the same games and players again and again.

    `bounces` holds those of the addresses of the players that were read, and of others that were asked for.

    Whatever is written to a table that they come from, by whichever method, lets go of them.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.games: dict[str, Kept] = {}
        self.players: dict[int, Player] = {}
        self.bounces: dict[str, int] = {}

    def execute(self, statement: Executable, values: Values = None) -> CursorResult[Any]:
        """Run a statement."""
        done = self.connection.execute(statement, values)
        table = getattr(statement, "table", None)
        if table in _OF_GAMES and done.rowcount:
            self.games.clear()
        elif table in _OF_PLAYERS and done.rowcount:
            self.players.clear()
            self.bounces.clear()
        return done

    def scalar(self, statement: Executable, values: Mapping[str, Any] | None = None) -> Any:
        """Run a select and return the first value that it finds, None where there is none."""
        return self.connection.scalar(statement, values)

    def scalars(
        self, statement: Executable, values: Mapping[str, Any] | None = None
    ) -> ScalarResult[Any]:
        """Run a select and return the first values of its rows."""
        return self.connection.scalars(statement, values)
