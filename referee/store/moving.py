"""A club moves from one database to another (`referee move-store`), or is copied into a file (`referee backup`).

The order of the last steps makes a break harmless: first the old database says that the club has moved, then the new
one opens. In between neither is worked with, and running it again ends the move.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete
from sqlalchemy.exc import IntegrityError

from referee.match import Match, ReplayError
from referee.store import migrations
from referee.store.backend import Backend
from referee.store.copying import TABLES, Copy, Progress
from referee.store.errors import DiskError, KeyMismatchError, StoreError, VersionError
from referee.store.schema import meta
from referee.store.sqlite import Sqlite, synced
from referee.store.store import KEY, MOVED, MOVING, RULES, SCHEMA, Store, rules_noted
from referee.store.unit import Unit


class Moved(NamedTuple):
    """What a move came to: rows and games that are there now, and games that replay wrongly on both sides alike."""

    rows: int
    games: int
    damaged: tuple[str, ...]
    name: str


def move(
    source_url: str,
    target_url: str,
    fingerprint: str,
    now: datetime,
    progress: Progress | None = None,
) -> Moved:
    """Copy a club into another database, check every row and every game on both sides, and close the old one.

    Broken off, it can be run again. Raises StoreError, with the old database as it was, where a process of the club is
    at work, the other database is somebody else's, or the two are not the same in the end.
    """
    source, target = Store(source_url), Store(target_url)
    try:
        if source.backend.name == target.backend.name:
            raise StoreError(f"{source.backend.name} is where the club is already")
        source.check_schema()
        with source.backend.for_itself():
            _check_source(source, target, fingerprint, now)
            _make_target(target, fingerprint, now)
            with target.backend.for_itself():
                return _moved(source, target, now, progress)
    finally:
        source.close()
        target.close()


def _check_source(source: Store, target: Store, fingerprint: str, now: datetime) -> None:
    name = source.backend.name
    with source.read(now) as unit:
        known, rules, moved = unit.note(KEY), unit.note(RULES), unit.note(MOVED)
        half = unit.note(MOVING)
    if known != fingerprint:
        raise KeyMismatchError(f"{name} belongs to another key: put the right referee.key back")
    if rules != rules_noted():
        raise VersionError(f"{name} was played under other rules; run `referee upgrade` first")
    if half is not None:
        raise StoreError(f"{name} is only half filled itself")
    if moved not in (None, target.backend.name):
        raise StoreError(f"{name}: the club has moved to {moved} already")


def _make_target(target: Store, fingerprint: str, now: datetime) -> None:
    """Make the tables of the new database, marked as half filled; or see that they wait for this very club."""
    name = target.backend.name
    if not target.backend.exists():
        target.backend.make()
        with target.connected() as connection:
            migrations.upgrade(connection)
            Unit(connection, now, target.backend).set_note(MOVING, fingerprint)
        return
    if target.schema() is None:
        raise StoreError(f"{name} is no club's database, and not empty; name another")
    target.check_schema()
    with target.read(now) as unit:
        waits, known, left = unit.note(MOVING), unit.note(KEY), unit.note(MOVED)
    if waits is None and known != fingerprint:
        raise StoreError(f"{name} holds another club; name an empty database")
    if left is not None:
        raise StoreError(f"{name} is where the club was before it moved; name another")
    if waits is None:
        raise StoreError(f"{name} holds this club already; club.toml can say so")
    if waits != fingerprint:
        raise StoreError(f"{name} is half filled with another club; name an empty database")


def _moved(source: Store, target: Store, now: datetime, progress: Progress | None) -> Moved:
    with source.connected(read_only=True) as old:
        try:
            copy = Copy(old, target.connected, (MOVED, MOVING), progress)
            copy.run()
        except (
            IntegrityError
        ):  # somebody worked with the old one since a break; rows stand in each other's way
            _emptied(target)
            copy = Copy(old, target.connected, (MOVED, MOVING), progress)
            copy.run()
        with target.connected(read_only=True) as new:
            wrong = list(copy.differences(new))
            if not wrong:
                here, there = (
                    Unit(connection, now, store.backend, writing=False)
                    for connection, store in ((old, source), (new, target))
                )
                games, damaged, wrong = _replayed(here, there)
    if wrong:
        raise StoreError("the two databases differ, and the old one stands:\n" + "\n".join(wrong))
    with target.connected() as connection:
        target.backend.count_on(connection, TABLES)
    with source.begin(now) as unit:
        unit.set_note(MOVED, target.backend.name)
    with target.begin(now) as unit:
        unit.set_note(MOVING, None)
    return Moved(copy.rows, games, tuple(damaged), target.backend.name)


def _emptied(target: Store) -> None:
    """Begin anew: all goes, but the mark that it is half filled."""
    with target.connected() as connection:
        for table in reversed(TABLES):
            gone = delete(table)
            connection.execute(gone.where(meta.c.name != MOVING) if table is meta else gone)


def _replayed(here: Unit, there: Unit) -> tuple[int, list[str], list[str]]:
    """Replay every game on both sides; return how many, those that are damaged alike, and those that differ."""
    games, damaged, wrong = 0, [], []
    for (game_id, match, stored), (other_id, other, _) in zip(
        here.all_matches(), there.all_matches(), strict=True
    ):
        games += 1
        ours, theirs = _end(match), _end(other)
        if game_id != other_id or ours != theirs or match != other:
            wrong.append(f"{game_id}: the game is another one there")
        elif ours != stored and match.status == "on":
            damaged.append(game_id)
    return games, damaged, wrong


def _end(match: Match) -> str:
    """Return the fingerprint of a game's last position; of one that cannot be replayed what is wrong with it."""
    try:
        return match.fingerprint
    except ReplayError as error:
        return str(error)


# -- into a file -----------------------------------------------------------------------------------------------------


def to_file(source: Backend, target: Path, progress: Progress | None) -> None:
    """Copy a club as it stands at one moment into a new SQLite file, whole or not at all. Raises DiskError."""
    part = target.with_name(target.name + ".part")
    with contextlib.suppress(OSError):
        os.unlink(part)
    copy = Sqlite(f"sqlite:///{part.absolute()}", 10.0)
    try:
        _fill(source, copy, progress)
        synced(part)
        os.replace(part, target)
    except OSError as error:
        raise DiskError(f"{target} could not be written: {error.strerror}") from error
    finally:
        copy.close()
        for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm"))):
            with contextlib.suppress(OSError):
                os.unlink(left)


def _fill(source: Backend, copy: Sqlite, progress: Progress | None) -> None:
    """Fill an SQLite file and put its log into it."""
    try:
        copy.make()
    except DiskError as error:
        raise DiskError(f"a backup could not be written: {error}") from None

    @contextlib.contextmanager
    def begin() -> Iterator[Connection]:
        with copy.transaction(read_only=False) as new:
            yield new
            new.commit()

    with source.transaction(read_only=True) as old:
        with begin() as new:
            migrations.upgrade(new, migrations.current(old) or SCHEMA)
        told = None if progress is None else lambda done, whole: progress(whole - done, whole)
        Copy(old, begin, progress=told).run()
    copy.fold()
