"""What a mail costs does not grow with the games in the store: every statement on its way goes by an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from sqlalchemy import Connection
from sqlalchemy import event as sa_event

from referee import clock as c
from referee import match as m
from referee.match import Done
from referee.store import Kept, Store, Unit
from tests.referee.store.conftest import HOUR, START

SMALL = {"meta", "stops", "digests"}
"""Tables that hold a few rows however many games there are: notes, spans of downtime, today's digests."""


@contextmanager
def _watched(store: Store) -> Iterator[list[str]]:
    """Gather, for every statement, each whole table that it would read."""
    found: list[str] = []

    def before(
        connection: Connection, cursor: object, statement: str, parameters: object, *_: object
    ) -> None:
        if statement.split()[0] not in ("SELECT", "UPDATE", "DELETE"):
            return
        raw = connection.connection.dbapi_connection
        assert raw is not None
        one = parameters[0] if isinstance(parameters, list) else parameters
        cursor = raw.cursor()
        if connection.dialect.name == "sqlite":
            plan = [row[3] for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", one)]
            read = [re.match(r"SCAN (\w+)", step) for step in plan]
        else:
            cursor.execute("SET LOCAL enable_seqscan = off")  # small tables would be read whole
            cursor.execute(f"EXPLAIN {statement}", one)
            plan = [row[0] for row in cursor.fetchall()]
            read = [re.search(r"Seq Scan on (\w+)", step) for step in plan]
        found.extend(f"{plan}: {statement}" for hit in read if hit and hit[1] not in SMALL)

    sa_event.listen(store._engine, "before_cursor_execute", before)
    yield found
    sa_event.remove(store._engine, "before_cursor_execute", before)


def _mail(store: Store, kept: Kept) -> None:
    """All that the store does for one mail with a move, from the spool to the 250 of its notice."""
    with store.begin(START) as unit:
        unit.spool_add(b"mail", START, "to", "test", kept.id)
    mail = store.take_mail(START)
    assert mail is not None
    with store.begin(START) as unit:
        assert not unit.handled("key", "to")
        player = unit.player_by_address("ann@x.example")
        assert player is not None
        now = unit.game(kept.id)
        assert now is not None
        assert now.clock is not None
        result = m.play(now.match, 0, "f6")
        assert isinstance(result, Done)
        clock = c.turn(c.played(now.clock, now.calendar, START), 1)
        unit.save_game(now, result.match, clock, result.events)
        unit.outbox_cancel(kept.id, ("turn",), result.match.event)
        unit.outbox_add("turn", "bob@x.example", "<1>", b"x", player_id=2, game=kept.id, event=1)
        unit.budget("address", "ann@x.example", 20, HOUR)
        unit.mark_handled("key", "to", "hash", kept.id)
        unit.wrote(1)
        unit.spool_done(mail.id)
    with store.begin(START) as unit:
        (letter,) = unit.outbox_take()
    with store.begin(START) as unit:
        unit.outbox_sent(letter.id)
        now = unit.game(kept.id)
        assert now is not None
        assert now.clock is not None
        unit.save_clock(now, c.noticed(now.clock, START))


def _questions(unit: Unit) -> None:
    """What else a mail or a poll may ask."""
    unit.games_waiting(1)
    unit.games_of(1)
    unit.log_of("hex-1", 0)
    unit.player_named("ann")
    unit.challenge("hex-9")
    unit.challenges_at("x@x.example")
    unit.challenges_expired()
    unit.vacations(1)
    unit.due_games()
    unit.next_due()
    unit.outbox_next()
    unit.outbox_last("hex-1", 1, ("turn",))
    unit.code_add("d", "a", "c", "move", {})
    unit.code_use("d", "a")
    unit.bounced("ann@x.example")
    unit.invite("y@x.example", 1)
    unit.games_list("on")
    unit.frozen()
    unit.beat()


def test_no_statement_of_a_mail_reads_a_whole_table(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = game("Hex")
    with _watched(store) as found:
        _mail(store, kept)
        with store.begin(START + timedelta(days=9)) as unit:
            _questions(unit)
    assert found == []


def test_the_watch_sees_a_whole_table_being_read(store: Store) -> None:
    from sqlalchemy import select

    from referee.store.schema import games

    with _watched(store) as found, store.begin(START) as unit:
        unit._db.execute(select(games).where(games.c.plies == 3)).all()
    assert len(found) == 1
