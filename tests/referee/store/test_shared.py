"""What several processes share at PostgreSQL: mails claimed and in order, letters, numbers, counts, locks, time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from referee.store import (
    AwayError,
    ContendedError,
    DiskError,
    Kept,
    LockedError,
    Store,
    StoreError,
)
from referee.store.parts.spool import EVERYTHING, may_go
from tests.referee.store.conftest import HOUR, KEY, START, new_game
from tests.referee.store.databases import ON_A_SERVER, sql

pytestmark = ON_A_SERVER


@pytest.fixture
def other(store: Store, url: str) -> Iterator[Store]:
    """Another process' store."""
    opened = Store.open(url, KEY, START, patience=0.3)
    yield opened
    opened.close()


def _add(store: Store, game: str | None, after: int) -> int:
    at = START + timedelta(microseconds=after)
    with store.begin(at) as unit:
        return unit.spool_add(b"x", at, None, game=game)


def _taken(store: Store) -> int | None:
    mail = store.take_mail(START + HOUR)
    return None if mail is None else mail.id


def _done(store: Store, number: int) -> None:
    with store.begin(START) as unit:
        assert unit.spool_done(number)


def test_two_processes_take_two_games_mails_and_each_games_in_order(
    store: Store, other: Store
) -> None:
    one, two, three = _add(store, "hex-1", 0), _add(store, "hex-1", 0), _add(store, "hex-2", 1)
    assert _taken(store) == one
    assert _taken(other) == three, "the second mail of hex-1 waits for the first"
    _done(other, three)
    assert _taken(other) is None
    _done(store, one)
    store.let_go()
    assert _taken(other) == two


def test_mails_go_in_the_order_of_receipt_whichever_was_stored_first(
    store: Store, other: Store
) -> None:
    late, early = _add(store, "hex-1", 9), _add(store, "hex-1", 0)
    assert _taken(store) == early
    assert _taken(other) is None
    _done(store, early)
    store.let_go()
    assert _taken(other) == late


def test_a_long_row_of_one_games_mails_hides_no_other_game(store: Store, other: Store) -> None:
    with store.begin(START) as unit:
        for n in range(201):
            unit.spool_add(b"x", START + timedelta(microseconds=n), None, game="hex-1")
    last = _add(store, "hex-2", 900)
    assert _taken(store) != last
    assert _taken(other) == last


def test_a_mail_that_nobody_has_looked_into_holds_up_all_that_came_after_it(
    store: Store, other: Store
) -> None:
    strange, late, stranger = _add(store, None, 0), _add(store, "hex-2", 1), _add(store, None, 2)
    assert _taken(store) == strange
    assert _taken(other) == stranger, "it may be looked into meanwhile"
    with other.begin(START) as unit:
        assert not unit.spool_sort(stranger, {"hex-3"}), "what the first is about is not known yet"
    with store.begin(START) as unit:
        assert unit.spool_sort(strange, {"hex-1", "@ann@x.example"})
    assert _taken(other) == late
    _done(other, late)
    assert _taken(other) == stranger, "looked into, and in nobody's way"


def test_mails_of_one_writer_keep_their_order(store: Store, other: Store) -> None:
    first, second = _add(store, None, 0), _add(store, None, 1)
    assert _taken(store) == first
    with store.begin(START) as unit:
        assert unit.spool_sort(first, {"hex-1", "@ann@x.example"})
    assert _taken(other) == second
    with other.begin(START) as unit:
        assert not unit.spool_sort(second, {"hex-2", "@ann@x.example"})
    assert _taken(other) is None


def test_what_is_looked_into_between_a_look_and_a_claim_waits_as_it_must(
    store: Store, other: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = _add(store, "hex-1", 0), _add(store, None, 1)
    assert _taken(store) == first
    third = Store.open(url, KEY, START)
    claims = other.backend.claims
    assert claims is not None
    take = claims.take

    def slow(number: int) -> bool:
        if number == second:  # meanwhile somebody finds that it is about hex-1 too, and leaves it
            with third.begin(START) as unit:
                assert not unit.spool_sort(second, {"hex-1"})
        return take(number)

    monkeypatch.setattr(claims, "take", slow)
    assert _taken(other) is None
    monkeypatch.undo()
    third.close()
    _done(store, first)
    store.let_go()
    assert _taken(other) == second


def test_what_is_put_off_or_in_quarantine_holds_up_nobody(store: Store, other: Store) -> None:
    bad, put_off, next_one = (_add(store, "hex-1", n) for n in range(3))
    with store.begin(START) as unit:
        unit.spool_defer(put_off, START + 2 * HOUR, "later")
    for _ in range(3):
        assert _taken(store) == bad
    assert _taken(store) == bad, "to be told of"
    assert _taken(other) == next_one


def test_a_process_that_ends_lets_go_of_its_mail(store: Store, url: str) -> None:
    number = _add(store, "hex-1", 0)
    dying = Store.open(url, KEY, START)
    assert _taken(dying) == number
    assert _taken(store) is None
    dying.close()
    end, mail = time.monotonic() + 10, None
    while mail is None and time.monotonic() < end:  # the server ends the session in its own time
        mail = store.take_mail(START + HOUR)
    assert mail is not None
    assert (mail.id, mail.attempts) == (number, 2)


def test_a_claim_lost_with_its_session_is_found_out_by_the_row(
    store: Store, other: Store, url: str
) -> None:
    number = _add(store, "hex-1", 0)
    assert _taken(store) == number
    sql(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid() "
        "AND objid = (SELECT max(id) FROM spool)",
    )
    assert _taken(other) == number
    _done(other, number)
    with store.begin(START) as unit:
        assert not unit.spool_done(number)


@pytest.mark.parametrize(
    ("lanes", "busy", "may"),
    [
        ("hex-1", set(), True),
        ("hex-1", {"hex-2"}, True),
        ("hex-1 @a", {"@a"}, False),
        ("hex-1", {EVERYTHING}, False),
        (None, {EVERYTHING, "hex-1"}, True),
        ("", {"hex-1"}, True),
        ("", {EVERYTHING}, False),
    ],
)
def test_who_may_go(lanes: str | None, busy: set[str], may: bool, url: str) -> None:
    assert may_go(lanes, busy) == may


def test_letters_are_taken_by_one_process_each(store: Store, other: Store) -> None:
    with store.begin(START) as unit:
        for n in range(6):
            unit.outbox_add("notice", "a", f"<{n}@x>", b"x")
    with store.begin(START) as mine:
        first = {letter.id for letter in mine.outbox_take(3)}
        with other.begin(START) as theirs:
            second = {letter.id for letter in theirs.outbox_take(9)}
    assert len(first) == len(second) == 3
    assert not first & second


def test_a_game_is_held_by_who_may_change_it(
    store: Store, other: Store, game: Callable[..., Kept]
) -> None:
    kept = game("Hex")
    with store.begin(START) as unit:
        unit.game(kept.id)
        with other.read(START) as looking:
            assert looking.game(kept.id) is not None
        with pytest.raises(LockedError) as info, other.begin(START) as late:
            late.game(kept.id)
    assert info.value.retryable


def _many(url: str, work: Callable[[Store, int], object], threads: int = 4, times: int = 5) -> None:
    """Let threads do something at once, each with a store of its own."""
    gate = threading.Barrier(threads)

    def run(number: int) -> None:
        mine = Store(url)
        gate.wait()
        for again in range(times):
            work(mine, number * 100 + again)
        mine.close()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, range(threads)))


def test_what_is_counted_before_it_is_written_is_counted_right(store: Store, url: str) -> None:
    granted: list[bool] = []
    numbers: list[int] = []

    def work(mine: Store, n: int) -> None:
        with mine.begin(START) as unit:
            numbers.append(unit.next_number())
            granted.append(unit.budget("address", "ann", 7, HOUR))
            granted.append(unit.code_add(f"{n}", "a@x.example", "h", "move", {}, a_day=3))
            unit.digest_add(1, "hex-1") if n < 0 else unit.beat()

    _many(url, work)
    assert sorted(numbers) == list(range(1, 21))
    assert sum(granted) == 7 + 3


def test_a_name_an_invitation_and_a_code_are_one_mans(store: Store, url: str) -> None:
    with store.begin(START) as unit:
        assert unit.code_add("digest", "a@x.example", "h", "move", {})
    won: list[str] = []

    def work(mine: Store, n: int) -> None:
        with mine.begin(START) as unit:
            if unit.add_player("Cleo", "cleo", f"cleo{n}@x.example") is not None:
                won.append("player")
            if unit.invite("new@x.example", None):
                won.append("invitation")
            if unit.code_use("digest", "a@x.example") is not None:
                won.append("code")

    _many(url, work, times=2)
    assert sorted(won) == ["code", "invitation", "player"]


def test_games_that_end_at_once_all_count_and_nobody_waits_in_a_circle(
    store: Store, url: str
) -> None:
    from referee import match as m
    from referee.match import Done

    ids = []
    with store.begin(START) as unit:
        ids = [new_game(unit).id for _ in range(16)]

    def work(mine: Store, n: int) -> None:
        mine_two = ids[n // 100 * 4 : n // 100 * 4 + 4][n % 100 * 2 :][:2]
        with mine.begin(START) as unit:
            unit.hold_games(mine_two)
            for game_id in mine_two if n // 100 % 2 else reversed(mine_two):
                kept = unit.game(game_id)
                assert kept is not None
                done = m.resign(kept.match, n // 100 % 2)
                assert isinstance(done, Done)
                unit.save_game(kept, done.match, kept.clock, done.events)

    _many(url, work, times=2)
    with store.read(START) as unit:
        assert sum(row.won for row in unit.standings("Hex")) == 16
        assert sum(row.played for row in unit.standings("Hex")) == 32


def test_two_who_wait_for_each_other_are_told_apart_and_may_begin_anew(
    store: Store, url: str, game: Callable[..., Kept]
) -> None:
    one, two = game("Hex").id, game("Hex").id
    gate, failed = threading.Barrier(2), []

    def work(order: tuple[str, str]) -> None:
        mine = Store(url)
        try:
            with mine.begin(START) as unit:
                unit.game(order[0])
                gate.wait()
                unit.game(order[1])
        except ContendedError as error:
            failed.append(error)
        mine.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, [(one, two), (two, one)]))
    assert len(failed) == 1
    assert failed[0].retryable


def test_a_connection_made_anew_is_seen_at_work_too(store: Store, url: str) -> None:
    """What a cut connection held is gone; the next one says again that a process is at work, or is refused."""
    with store.begin(START) as unit:
        unit.beat()
    name = url.rpartition("/")[2]
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '' AND datname = '{name}'"
    sql(url, f"{cut} AND pid <> pg_backend_pid() AND query NOT LIKE '%kept.%'")
    bare = Store(url)
    with bare.backend.for_itself(), pytest.raises(LockedError, match="moved"):
        store.begin(START).__enter__()
    with store.begin(START) as unit:
        unit.beat()
    with pytest.raises(LockedError, match="at work"):
        bare.backend.for_itself().__enter__()
    bare.close()


def test_what_one_process_does_at_a_time(store: Store, other: Store) -> None:
    with store.if_free("clocks") as mine:
        assert mine
        with other.if_free("clocks") as theirs:
            assert not theirs
        with other.if_free("tidy") as theirs:
            assert theirs
    with other.if_free("clocks") as theirs:
        assert theirs


def test_all_machines_have_the_databases_time(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.store import postgres

    real, off = time.time, 540.0
    monkeypatch.setattr(postgres, "_wall", lambda: real() + off)
    wrong = datetime.now(UTC) + timedelta(seconds=off)
    assert abs(store.moment(wrong) - datetime.now(UTC)) < timedelta(seconds=2)
    off = -3600.0  # the clock is set while the process runs
    wrong = datetime.now(UTC) + timedelta(seconds=off)
    assert abs(store.moment(wrong) - datetime.now(UTC)) < timedelta(seconds=2)


def test_a_server_that_may_only_be_read_says_so(store: Store) -> None:
    """As a standby does that was not promoted."""

    def write() -> None:
        with store.begin(START) as unit:
            unit._db.execute(text("SET TRANSACTION READ ONLY"))
            unit.beat()

    with pytest.raises(DiskError, match="standby") as info:
        write()
    assert info.value.retryable


def test_an_empty_database_is_told_from_one_that_is_away(url: str) -> None:
    base = url.rpartition("/")[0]
    with pytest.raises(AwayError, match="does not exist"):
        Store.open(f"{base}/nowhere", KEY, START)
    with pytest.raises(StoreError, match="move-store"):
        Store.open(f"{base}/postgres", KEY, START)


def test_large_mail_and_long_names_fit(store: Store) -> None:
    large = bytes(range(256)) * 4 * 8192
    with store.begin(START) as unit:
        number = unit.spool_add(large, START, "r" * 100_000)
        assert unit.budget("unknown", "x" * 100_000 + "@x.example", 1, HOUR)
        assert not unit.budget("unknown", "x" * 100_000 + "@x.example", 1, HOUR)
        kept = unit.spool_get(number)
    assert kept is not None
    assert kept.raw == large
