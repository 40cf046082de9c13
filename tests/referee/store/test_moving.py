"""A club moves to another database and back: every row and every game, broken off anywhere, never twice open."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from referee import match as m
from referee.club import fingerprint, init, load, load_key
from referee.match import Done, Proposal
from referee.store import KeyMismatchError, LockedError, Store, StoreError
from referee.store.copying import TABLES
from referee.store.moving import move
from referee.store.postgres import HAZARDS, hazards_of
from tests.conftest import ROOT
from tests.referee.cli.run import referee
from tests.referee.matches import moved
from tests.referee.store import databases
from tests.referee.store.conftest import DAY, HOUR, KEY, START, new_game

ODD = "Žluťoučký \U0001f3b2 ß İ ﬁ \u202e\u200b 'quo\"te\\ \t"
"""Text that a database may change: case, width, signs beyond the basic plane, what SQL quotes."""


def _lived_in(store: Store) -> None:
    """Fill a club with something in every table: all games, odd text, large mail, lone surrogates, moments far off."""
    rng = random.Random(8)
    for name in ("Hex", "Focus", "Lightning", "Spiral", "Hex"):
        with store.begin(START) as unit:
            kept = new_game(unit, name)
        match = kept.match
        for _ in range(6):
            match = moved(match, rng) if match.to_move is not None else match
        with store.begin(START + HOUR) as unit:
            kept = unit.save_game(kept, match, kept.clock)
            done = m.resign(match, 0)
            if name == "Focus" and isinstance(done, Done):
                unit.save_game(kept, done.match, kept.clock, done.events)
            unit.log_add(
                kept.id, 1, "chat", {"text": ODD, "n": 1.5, "none": None, "deep": [{"a": True}]}
            )
            unit.pause(kept.id)
            unit.digest_add(1, kept.id)
    with store.begin(START) as unit:
        unit.spool_add(bytes(range(256)) * 9000, START, f"x\ud800\0{ODD}@club.example", "test")
        unit.spool_add(b"", START - 9000 * DAY, None)
        unit.outbox_add(
            "notice", ODD, "<1@x>", bytes(1_500_000), player_id=1, game="hex-1", event=3
        )
        unit.mark_handled("k" * 1000 + ODD, ODD, "hash", "hex-1")
        unit.mark_handled("K", "r", "hash", None)
        unit.mark_handled("k", "r", "hash", None)
        unit.code_add("d", "a@x.example", "h", "join", {"name": ODD, "lone": "\ud800", "nul": "\0"})
        unit.budget("address", ODD, 20, HOUR)
        unit.invite("new@x.example", 1)
        unit.add_vacation(1, START.date(), START.date())
        unit.credit(START, START + HOUR)
        unit.bounced("ann@x.example")
        proposal = Proposal("Lightning", "lightning-99", {"A": ODD}, "word", "0" * 64, "1" * 64)
        unit.add_challenge(proposal, 1, START + DAY, None, opponent_id=2)


def _rows(url: str) -> dict[str, list[str]]:
    """Everything that stands in a database, as this program reads it."""
    store = Store(url)
    with store.connected(read_only=True) as connection:
        found = {
            table.name: sorted(repr(tuple(row)) for row in connection.execute(table.select()))
            for table in TABLES
        }
    store.close()
    found["meta"] = [row for row in found["meta"] if "moved to" not in row]
    return found


@pytest.fixture
def club(tmp_path: Path, founded: Path) -> str:
    """The URL of a file with a club that was lived in."""
    path = tmp_path / "old.db"
    path.write_bytes(founded.read_bytes())
    store = Store.open(f"sqlite:///{path}", KEY, START)
    _lived_in(store)
    store.close()
    return f"sqlite:///{path}"


@pytest.fixture
def empty() -> Iterator[str]:
    """The URL of a server's database with nothing in it."""
    with databases.made() as url:
        yield url


def test_there_and_back_again_every_row_is_the_same(club: str, empty: str, tmp_path: Path) -> None:
    before = _rows(club)
    assert all(before[table.name] for table in TABLES), "every table has something in it"
    seen: list[tuple[int, int]] = []
    there = move(club, empty, KEY, START + DAY, lambda done, whole: seen.append((done, whole)))
    assert there.games == 5
    assert not there.damaged
    assert seen[-1][0] == seen[-1][1] == there.rows
    assert _rows(empty) == before
    back = f"sqlite:///{tmp_path / 'back.db'}"
    move(empty, back, KEY, START + DAY)
    assert _rows(back) == before
    assert stat.S_IMODE((tmp_path / "back.db").stat().st_mode) == 0o600


def test_the_old_one_is_closed_and_the_new_one_goes_on(club: str, empty: str) -> None:
    move(club, empty, KEY, START)
    with pytest.raises(StoreError, match="has moved to database"):
        Store.open(club, KEY, START)
    store = Store.open(empty, KEY, START)
    with store.begin(START) as unit:
        assert unit.spool_add(b"x", START, None) == 3, "numbers go on above those that came along"
        new_game(unit)
        assert unit.outbox_add("notice", "a", "<2@x>", b"x") == 2
    assert store.replay_all(START) == []
    store.close()
    with pytest.raises(StoreError, match="holds this club already"):
        move(club, empty, KEY, START)
    with pytest.raises(StoreError, match="before it moved; name another"):
        move(empty, club, KEY, START)


def test_a_worker_keeps_it_from_moving_and_a_move_keeps_workers_out(club: str, empty: str) -> None:
    worker = Store.open(club, KEY, START)
    with pytest.raises(LockedError, match="at work"):
        move(club, empty, KEY, START)
    worker.close()

    def look(done: int, whole: int) -> None:
        with pytest.raises(LockedError, match="being moved"):
            Store.open(club, KEY, START, patience=0.05)

    move(club, empty, KEY, START, look)


@pytest.mark.parametrize(
    "where",
    [
        18,
        *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 40) if n != 18),
    ],
)
def test_broken_off_at_a_commit_it_is_run_again(club: str, empty: str, where: int) -> None:
    before = _rows(club)
    code = (
        "from datetime import datetime, UTC\nfrom referee.store.moving import move\n"
        f"move({club!r}, {empty!r}, {KEY!r}, datetime(2025, 3, 28, 12, tzinfo=UTC))"
    )
    armed = os.environ | {"REFEREE_FAULT": f"*:{where}"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=armed)
    assert done.returncode == 137
    for url in (club, empty):
        try:
            Store.open(url, KEY, START).close()
        except StoreError:
            continue
        assert url == club, "the new one opens only when all is there"
        # somebody works on with the old one meanwhile
        store = Store.open(club, KEY, START)
        with store.begin(START) as unit:
            unit.beat()
            assert unit.spool_done(1)
            unit.add_player("Cleo", "cleo", "cleo@x.example")
            unit.spool_add(b"later", START, None)
        store.close()
        before = _rows(club)
    move(club, empty, KEY, START)
    assert _rows(empty) == before
    Store.open(empty, KEY, START).close()


def test_what_is_somebody_elses_is_left_alone(club: str, empty: str, tmp_path: Path) -> None:
    with pytest.raises(KeyMismatchError):
        move(club, empty, "other", START)
    databases.sql(empty, "CREATE TABLE alembic_version (version_num TEXT)")
    with pytest.raises(StoreError):
        move(club, empty, KEY, START)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    Store.create(other, "another club", START).close()
    with pytest.raises(StoreError, match="holds another club"):
        move(club, other, KEY, START)
    with pytest.raises(StoreError, match="where the club is already"):
        move(club, club, KEY, START)
    Store.open(club, KEY, START).close()


def test_a_database_that_is_not_empty_or_not_ours_to_fill_is_told(club: str, empty: str) -> None:
    databases.sql(empty, "CREATE TABLE players (name TEXT)")
    with pytest.raises(StoreError, match="is not empty"):
        move(club, empty, KEY, START)
    databases.sql(empty, "DROP TABLE players", "DROP SCHEMA public")
    with pytest.raises(StoreError, match="may not make tables"):
        move(club, empty, KEY, START)
    Store.open(club, KEY, START).close()


def test_a_damaged_game_comes_along_and_is_named(club: str, empty: str) -> None:
    databases.sql(club, "UPDATE games SET words = 'z99' WHERE id = 'hex-1'")
    assert move(club, empty, KEY, START).damaged == ("hex-1",)


def test_one_line_in_club_toml_moves_a_club(tmp_path: Path, empty: str) -> None:
    folder = tmp_path / "club"
    assert referee("init", folder, "--name", "Town").exit_code == 0
    assert referee("invite", "ann@x.example", "--club", folder).exit_code == 0
    secret = tmp_path / "url"
    secret.write_text(empty)
    secret.chmod(0o600)
    done = referee("move-store", secret, "--url-file", "--club", folder)
    assert done.exit_code == 0, done.output
    assert "replayed, and the same on both sides" in done.output
    refused = referee("players", "--club", folder)
    assert refused.exit_code != 0
    assert "club.toml" in refused.stderr
    config = folder / "club.toml"
    config.write_text(config.read_text().replace("sqlite:///club.db", empty))
    assert referee("serve", "--once", "--club", folder).exit_code == 0
    found = referee("doctor", "--club", folder).stdout
    assert "ok    database" in found
    server = create_engine(empty)
    with server.connect() as connection:
        safe = connection.scalar(text("SHOW fsync")) == "on"
    server.dispose()
    assert ("ok    durability" if safe else "WRONG durability: fsync is off") in found
    club = load(folder)
    store = Store.open(club.database, fingerprint(load_key(folder)), START)
    with store.read(START) as unit:
        assert unit.outbox_counts()["sent"] == 1
    store.close()


def test_settings_that_may_lose_what_was_acknowledged_are_told() -> None:
    assert hazards_of({name: right for name, (right, _) in HAZARDS.items()}) == []
    assert hazards_of({}) == [], "an older server has not all of them"
    found = hazards_of({"fsync": "off", "full_page_writes": "on", "in_hot_standby": "on"})
    assert [told.split()[0] for told in found] == ["fsync", "this"]


def test_another_key_and_an_upgrade_want_the_club_for_themselves(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    assert referee("init", folder).exit_code == 0
    club = load(folder)
    worker = Store.open(club.database, fingerprint(load_key(folder)), START)
    for command in ("rotate-key", "upgrade"):
        refused = referee(command, "--club", folder)
        assert refused.exit_code == 75
        assert "stop `referee serve` first" in refused.stderr
    worker.close()
    assert referee("rotate-key", "--club", folder).exit_code == 0
    assert "nothing is to do" in referee("upgrade", "--club", folder).stdout


def test_a_password_is_never_shown() -> None:
    with pytest.raises(StoreError) as info:
        Store.open("postgresql+psycopg://u:geheim@127.0.0.1:1/d?connect_timeout=1", KEY, START)
    assert "geheim" not in str(info.value)
    assert info.value.retryable
    assert "away" in str(info.value)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("u:ge@heim@127.0.0.1/d", "written %40"),
        ("u:heim@127.0.0.1:heim/d", "cannot be read"),
        ("u:heim@[::heim/d", "cannot be read"),
        ("u:heim@/d?host=a:heim,b:1", "cannot be read"),
        ("u:heim@127.0.0.1:1/d?passwrd=heim", "cannot be used"),
        ("u:heim@127.0.0.1:1/d?connect_timeout=x", "cannot be used"),
    ],
)
def test_a_url_that_cannot_be_used_is_told_without_what_may_be_a_password(
    after: str, told: str
) -> None:
    with pytest.raises(StoreError) as info:
        Store.open(f"postgresql+psycopg://{after}", KEY, START)
    assert told in str(info.value)
    assert "heim" not in str(info.value)
    assert not info.value.retryable


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"database": "nowhere"}, "there is no such database"),
        ({"username": "nobody"}, "does not know this user"),
    ],
)
def test_a_server_that_lets_nobody_in_says_what_to_look_at(
    empty: str, change: dict[str, str], told: str
) -> None:
    url = make_url(empty).set(**change).render_as_string(hide_password=False)
    with pytest.raises(StoreError, match=told) as info:
        Store.open(url, KEY, START)
    assert info.value.exit_status == 75, "a mail server tries again; nothing bounces"


def test_without_the_driver_it_says_what_to_install(tmp_path: Path) -> None:
    init(tmp_path / "c", name="C", address="r@c.example", zone="UTC", operators=(), key=bytes(32))
    code = (
        "import sys; sys.modules['psycopg'] = None\nfrom referee.store import Store\n"
        "try: Store('postgresql+psycopg://h/d')\nexcept Exception as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "pip install 'pnp-referee[postgres]'" in done.stdout


def test_the_url_may_name_several_servers() -> None:
    url = "postgresql+psycopg://u@/db?host=a:1,b:2&target_session_attrs=read-write"
    store = Store(url)
    assert store.backend.name == "database db at a:1,b:2"
    engine = store.backend.engine
    _, arguments = engine.dialect.create_connect_args(engine.url)
    assert (arguments["host"], arguments["port"]) == ("a,b", "1,2")
    assert arguments["target_session_attrs"] == "read-write"
    store.close()
