"""The store as a whole: made, opened, refused; units of work; migrations; upgrade; backup; faults of the disk."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event as sa_event

from referee import faults
from referee import match as m
from referee.match import Done
from referee.store import (
    SCHEMA,
    DamagedError,
    DiskError,
    FullError,
    Kept,
    KeyMismatchError,
    LockedError,
    StaleError,
    Store,
    StoreError,
    Unit,
    VersionError,
)
from tests.conftest import ROOT
from tests.referee.faults.club import KILLED, ended, forked
from tests.referee.store.conftest import HOUR, KEY, START
from tests.referee.store.databases import ON_A_FILE, sql

# -- making and opening --------------------------------------------------------------------------------------------


@ON_A_FILE
def test_the_file_is_for_its_owner_alone(store: Store, tmp_path: Path) -> None:
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@ON_A_FILE
def test_sqlite_is_set_as_the_specification_says(store: Store) -> None:
    with store._engine.connect() as connection:
        got = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert got == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
    }


@ON_A_FILE
def test_a_unit_that_writes_holds_the_database_from_its_beginning(store: Store, url: str) -> None:
    """BEGIN IMMEDIATE: nobody can slip in between reading and writing."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=0, isolation_level=None)
    with store.begin(START) as unit:
        unit.player(1)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")
    other.close()


def test_opening_again(store: Store, url: str) -> None:
    again = Store.open(url, KEY, START)
    with again.read(START) as unit:
        assert unit.player(1) is not None
        assert unit.last_beat() == START
    again.close()


def test_another_key_is_refused(store: Store, url: str) -> None:
    with pytest.raises(KeyMismatchError, match="another key"):
        Store.open(url, "other", START)
    store.rekey("other", START)
    Store.open(url, "other", START).close()


def test_a_club_is_never_made_over_another(store: Store, url: str) -> None:
    with pytest.raises(StoreError, match="there already"):
        Store.create(url, KEY, START)


@ON_A_FILE
def test_a_missing_database(url: str) -> None:
    with pytest.raises(StoreError, match="referee init"):
        Store.open(url, KEY, START)


def test_a_database_of_another_kind_is_named() -> None:
    with pytest.raises(StoreError, match="mysql is no database"):
        Store("mysql://u:geheim@h/d")


@ON_A_FILE
@pytest.mark.parametrize("content", [b"no database at all" * 100, b"\0" * 4096])
def test_a_file_that_is_no_database(url: str, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "club.db").write_bytes(content)
    with pytest.raises(DamagedError):
        Store.open(url, KEY, START)


@ON_A_FILE
def test_a_foreign_database(url: str, tmp_path: Path) -> None:
    sql(url, "CREATE TABLE x (y INTEGER)")
    with pytest.raises(DamagedError, match="no club's database"):
        Store.open(url, KEY, START)


@pytest.mark.parametrize(
    ("version", "says"), [("0000", "referee upgrade"), ("9999", "newer version")]
)
def test_another_schema_is_refused(
    store: Store, url: str, tmp_path: Path, version: str, says: str
) -> None:
    store.close()
    sql(url, f"UPDATE alembic_version SET version_num = '{version}'")
    with pytest.raises(VersionError, match=says):
        Store.open(url, KEY, START)


def test_other_rules_are_refused_until_the_upgrade(
    store: Store,
    url: str,
    game: Callable[..., Kept],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = game("Hex")
    store.close()
    from referee.store import store as module
    from referee.store.parts import games, lists

    newer = {**m.RULES_VERSION, "Hex": 2}
    monkeypatch.setattr(module, "RULES_VERSION", newer)
    monkeypatch.setattr(games, "RULES_VERSION", newer)
    monkeypatch.setattr(lists, "RULES_VERSION", newer)
    with pytest.raises(VersionError, match="referee upgrade"):
        Store.open(url, KEY, START)
    raw = Store(url)
    seen: list[tuple[int, int]] = []
    assert raw.upgrade(START, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 1)]
    raw.close()
    opened = Store.open(url, KEY, START)
    with opened.read(START) as unit:
        again = unit.game(kept.id)
        assert again is not None
        assert again.rules_version == 2
    assert not opened.upgrade(START)
    opened.close()


def test_m107_an_upgrade_that_would_change_a_game_changes_nothing(
    store: Store, url: str, game: Callable[..., Kept], tmp_path: Path
) -> None:
    good, moved, broken = game("Hex"), game("Hex"), game("Focus")
    sql(
        url,
        f"UPDATE games SET fingerprint = 'x' WHERE id = '{moved.id}'",
        f"UPDATE games SET words = 'c3-c9' WHERE id = '{broken.id}'",
        "UPDATE meta SET value = '{}' WHERE name = 'rules'",
    )
    assert len(store.replay_all(START)) == 2
    with pytest.raises(VersionError) as info:
        store.upgrade(START)
    text = str(info.value)
    assert moved.id in text
    assert broken.id in text
    assert good.id not in text
    with store.read(START) as unit:
        assert unit.note("rules") == "{}"


# -- migrations ----------------------------------------------------------------------------------------------------


def test_the_migrations_make_the_very_tables_of_the_schema(store: Store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from referee.store.schema import metadata

    with store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_newest_migration_is_the_one_that_is_asked_for() -> None:
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(ROOT / "referee" / "store" / "migrations"))
    assert scripts.get_current_head() == SCHEMA


def test_a_club_of_the_first_schema_is_upgraded(store: Store, url: str) -> None:
    with store.begin(START) as unit:
        number = unit.spool_add(b"mail", START, None)
    store.close()
    sql(
        url,
        "ALTER TABLE spool DROP COLUMN lanes",
        "UPDATE alembic_version SET version_num = '0001'",
    )
    with pytest.raises(VersionError, match="referee upgrade"):
        Store.open(url, KEY, START)
    old = Store(url)
    assert old.behind(START)
    assert old.upgrade(START)
    assert not old.behind(START)
    old.close()
    opened = Store.open(url, KEY, START)
    mail = opened.take_mail(START)
    assert mail is not None
    assert (mail.id, mail.lanes) == (number, None)
    opened.close()


# -- units ---------------------------------------------------------------------------------------------------------


def test_a_unit_is_kept_whole_or_not_at_all(store: Store) -> None:
    def fail(unit: Unit) -> None:
        unit.spool_add(b"x", START, None)
        unit.add_player("Cleo", "cleo", "cleo@x.example")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"), store.begin(START) as unit:
        fail(unit)
    with store.read(START) as unit:
        assert unit.spool_counts()["waiting"] == 0
        assert unit.player_named("cleo") is None


def test_m38_a_unit_that_reads_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError), store.read(START) as unit:
        unit.spool_add(b"x", START, None)
    with store.begin(START) as unit:
        assert unit.spool_counts()["waiting"] == 0
        unit.spool_add(b"x", START, None)


def test_readers_see_one_state_and_hold_nobody_up(store: Store, url: str) -> None:
    with store.read(START) as unit:
        assert unit.player_count() == 2
        with store.begin(START) as writing:
            writing.add_player("Cleo", "cleo", "cleo@x.example")
        assert unit.player_count() == 2
    with store.read(START) as unit:
        assert unit.player_count() == 3


# -- faults --------------------------------------------------------------------------------------------------------


@ON_A_FILE
def test_a_locked_database_can_be_tried_again(store: Store, url: str) -> None:
    impatient = Store(url, patience=0.05)
    with store.begin(START), pytest.raises(LockedError) as info, impatient.begin(START):
        pytest.fail("two units wrote at once")
    assert info.value.retryable
    assert info.value.exit_status == 75
    with impatient.begin(START) as unit:
        unit.beat()
    impatient.close()


def _filled(store: Store) -> None:
    """Let the database grow no further."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    sa_event.listen(store._engine, "connect", limit)
    store._engine.dispose()


@ON_A_FILE
def test_a_full_disk_can_be_tried_again_and_nothing_is_kept(store: Store) -> None:
    _filled(store)

    def fill() -> None:
        with store.begin(START + HOUR) as unit:
            unit.beat()
            unit.spool_add(b"x" * 1_000_000, START, None)

    with pytest.raises(FullError) as info:
        fill()
    assert info.value.retryable
    assert info.value.exit_status == 75
    assert "no space" in str(info.value)
    with store.begin(START) as unit:
        assert unit.last_beat() == START
        assert unit.spool_counts()["waiting"] == 0


def test_an_attempt_that_a_full_disk_spoilt_does_not_count(store: Store) -> None:
    with store.begin(START) as unit:
        number = unit.spool_add(b"x", START, None)
    for _ in range(5):
        mail = store.take_mail(START)
        assert mail is not None
        assert not mail.quarantined
        assert mail.attempts == 1
        store.excuse(mail, START)
    with store.read(START) as unit:
        kept = unit.spool_get(number)
        assert kept is not None
        assert kept.attempts == 0


@ON_A_FILE
def test_an_excuse_that_cannot_be_written_is_made_up_for(store: Store, url: str) -> None:
    impatient = Store(url, patience=0.05)
    with store.begin(START) as unit:
        unit.spool_add(b"x", START, None)
    for _ in range(5):
        mail = impatient.take_mail(START)
        assert mail is not None
        assert mail.attempts == 1
        with store.begin(START):
            impatient.excuse(mail, START)
    impatient.close()


@ON_A_FILE
def test_a_damaged_database_is_not_tried_again(store: Store, url: str, tmp_path: Path) -> None:
    store.close()
    path = tmp_path / "club.db"
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data)):
        data[at] = 0xA5
    path.write_bytes(bytes(data))
    with pytest.raises(DamagedError) as info:
        Store.open(url, KEY, START)
    assert not info.value.retryable


def test_a_folder_that_has_gone_away_can_be_tried_again(tmp_path: Path) -> None:
    with pytest.raises(DiskError) as info, Store(f"sqlite:///{tmp_path}/gone/club.db").begin(START):
        pytest.fail("a unit began in a folder that is not there")
    assert info.value.retryable


def test_a_bug_is_not_taken_for_a_fault_of_the_disk(store: Store) -> None:
    from sqlalchemy import text
    from sqlalchemy.exc import DBAPIError

    with pytest.raises(DBAPIError, match="no_table"), store.begin(START) as unit:
        unit._db.execute(text("SELECT * FROM no_table"))


# -- several at once -----------------------------------------------------------------------------------------------


def test_m72_of_two_saves_of_one_game_the_second_is_refused(
    store: Store, game: Callable[..., Kept]
) -> None:
    kept = game("Hex")
    first, second = m.play(kept.match, 0, "f6"), m.play(kept.match, 0, "e7")
    assert isinstance(first, Done)
    assert isinstance(second, Done)
    with store.begin(START) as unit:
        unit.save_game(kept, first.match, kept.clock, first.events)
    with pytest.raises(StaleError), store.begin(START) as unit:
        unit.save_game(kept, second.match, kept.clock, second.events)
    with store.read(START) as unit:
        again = unit.game(kept.id)
        assert again is not None
        assert again.match.words == ("f6",)
        assert [entry.kind for entry in unit.log_of(kept.id)] == ["started", "played"]


def test_many_workers_at_one_game_lose_no_update(store: Store, game: Callable[..., Kept]) -> None:
    kept = game("Hex")
    played: list[str] = []
    lock = threading.Lock()

    def work(number: int) -> None:
        mine = Store(str(store._engine.url))
        for _ in range(6):
            with mine.begin(START) as unit:
                now = unit.game(kept.id)
                assert now is not None
                position = now.match.position
                if now.match.to_move is None:
                    return
                move = next(iter(now.match.rules.legal_moves(position)))
                word = now.match.rules.format(move, now.match.setup)
                result = m.play(now.match, now.match.to_move, word)
                assert isinstance(result, Done)
                unit.save_game(now, result.match, now.clock, result.events)
            with lock:
                played.append(word)
        mine.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read(START) as unit:
        final = unit.game(kept.id)
        assert final is not None
        assert final.match.plies == len(played) == 24
        assert sorted(final.match.words) == sorted(played)
        assert final.version == 25


@ON_A_FILE
def test_one_process_reads_at_a_time_and_a_dead_one_holds_nothing(store: Store, url: str) -> None:
    impatient = Store(url, patience=0.1)
    code = f"""
import sys
from referee.store import Store
with Store({url!r}).reading():
    print("held", flush=True)
    sys.stdin.read()
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    with pytest.raises(LockedError) as info, impatient.reading():
        pytest.fail("two read at once")
    assert info.value.retryable
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    with impatient.reading():
        pass
    impatient.close()


@pytest.mark.parametrize(("place", "kept"), [("commit:before", False), ("commit:after", True)])
def test_a_process_killed_at_a_commit_leaves_all_or_nothing(
    store: Store, url: str, place: str, kept: bool
) -> None:
    def work() -> None:
        faults.arm(f"{place}:1")
        with Store(url).begin(START) as unit:
            unit.spool_add(b"mail", unit.now, None)
            unit.mark_handled("key", "to", "hash", None)

    assert ended(forked(work)) == KILLED
    with store.read(START) as unit:
        assert bool(unit.spool_counts()["waiting"]) == kept
        assert bool(unit.handled("key", "to")) == kept


def test_every_commit_passes_its_points(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(faults, "_hook", seen.append)
    with store.begin(START) as unit:
        unit.beat()
    with store.read(START) as unit:
        unit.last_beat()
    assert seen == ["commit:before", "commit:after"]


# -- backup --------------------------------------------------------------------------------------------------------


def test_a_backup_is_a_whole_store_while_others_write(
    store: Store, game: Callable[..., Kept], tmp_path: Path
) -> None:
    kept = game("Lightning")
    seen: list[tuple[int, int]] = []
    target = tmp_path / "copy.db"
    with store.begin(START):
        store.backup(target, lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("copy.db*part*"))
    copy = Store.open(f"sqlite:///{target}", KEY, START)
    with copy.read(START) as unit:
        again = unit.game(kept.id)
        assert again is not None
        assert again.match == kept.match
    copy.close()


def test_a_backup_that_cannot_be_written_leaves_nothing(store: Store, tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="could not be written"):
        store.backup(tmp_path / "nowhere" / "copy.db")
    assert not list(tmp_path.glob("*copy*"))
