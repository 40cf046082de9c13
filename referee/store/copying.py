"""A store's tables copied into another store, row by row, so that a copy that broke off can be gone on with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    inspect,
    select,
    tuple_,
    update,
)

from referee.store.schema import meta, metadata

Progress = Callable[[int, int], None]
Row = Mapping[str, Any]

TABLES: Final = tuple(metadata.sorted_tables)
"""Every table, those that others point to before them."""
_PAGE: Final = 500
_PAGE_OF_LARGE: Final = 20
"""Rows copied together: fewer where each may hold a whole mail."""


class Copy:
    """A copy from one connection, which sees one state, into another database.

    begin     begins a transaction of the target; what it did is kept when it ends
    unwanted  names of notes that stay where they are
    """

    def __init__(
        self,
        source: Connection,
        begin: Callable[[], Any],
        unwanted: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> None:
        self._source = source
        self._begin = begin
        self._unwanted = tuple(unwanted)
        self._progress = progress
        self._columns = {table: _there(source, table) for table in TABLES}
        self._whole = sum(self._count(table) for table in TABLES)
        self.rows = 0

    def run(self) -> None:
        """Copy all tables: what is missing is added, what differs is mended, what is too much goes."""
        for table in TABLES:
            for page in self._pages(table):
                with self._begin() as target:
                    self._put(target, table, page)
                self.rows += len(page)
                if self._progress is not None:
                    self._progress(self.rows, self._whole)
        for table in reversed(TABLES):
            self._drop_others(table)

    def differences(self, target: Connection) -> Iterator[str]:
        """Yield a line for each table that is not the same on both sides, row by row."""
        for table in TABLES:
            here = self._digest(self._source, table)
            there = self._digest(target, table)
            if here != there:
                yield f"{table.name}: {here[0]} rows here, {there[0]} there, and they differ"

    # -- parts ---------------------------------------------------------------------------------------------------

    def _wanted(self, table: Table) -> ColumnElement[bool] | None:
        return meta.c.name.not_in(self._unwanted) if table is meta and self._unwanted else None

    def _select(self, table: Table) -> Any:
        statement = select(*self._columns[table])
        wanted = self._wanted(table)
        return statement if wanted is None else statement.where(wanted)

    def _count(self, table: Table, connection: Connection | None = None) -> int:
        rows = self._select(table).subquery()
        counted = select(func.count()).select_from(rows)
        return (connection or self._source).scalar(counted) or 0

    def _pages(self, table: Table) -> Iterator[list[Row]]:
        large = any(isinstance(column.type, LargeBinary) for column in table.c)
        size = _PAGE_OF_LARGE if large else _PAGE
        found = self._source.execute(self._select(table), execution_options={"yield_per": size})
        for page in found.mappings().partitions():
            yield [dict(row) for row in page]

    def _put(self, target: Connection, table: Table, page: list[Row]) -> None:
        keys = [_key(table, row) for row in page]
        known = target.execute(self._select(table).where(_in(table, keys))).mappings()
        there = {_key(table, row): row for row in map(dict, known)}
        new = [row for row, key in zip(page, keys, strict=True) if key not in there]
        other = [row for row, key in zip(page, keys, strict=True) if there.get(key, row) != row]
        if new:
            target.execute(insert(table), new)
        if other:
            names = [column.name for column in table.primary_key]
            mine = and_(*(table.c[name] == bindparam(f"{name}_") for name in names))
            target.execute(
                update(table).where(mine),
                [{**row, **{f"{name}_": row[name] for name in names}} for row in other],
            )

    def _drop_others(self, table: Table) -> None:
        """Drop rows that the source no longer has: somebody worked there since a copy broke off."""
        with self._begin() as target:
            if self._count(table, target) == self._count(table):
                return
            keys = select(*table.primary_key)
            here = {tuple(row) for row in self._source.execute(keys)}
            wanted = self._wanted(table)
            theirs = target.execute(keys if wanted is None else keys.where(wanted)).all()
            gone = [tuple(row) for row in theirs if tuple(row) not in here]
            for at in range(0, len(gone), _PAGE):
                target.execute(delete(table).where(_in(table, gone[at : at + _PAGE])))

    def _digest(self, connection: Connection, table: Table) -> tuple[int, int]:
        """Return how many rows there are, and a number that says what stands in them, whatever their order."""
        rows = total = 0
        found = connection.execute(self._select(table), execution_options={"yield_per": _PAGE})
        for row in found:
            rows += 1
            total += int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest(), "big")
        return rows, total % 2**256


def _there(connection: Connection, table: Table) -> list[Any]:
    """Return a table's columns as far as a database has them: an older one may lack some."""
    known = {column["name"] for column in inspect(connection).get_columns(table.name)}
    return [column for column in table.c if column.name in known]


def _key(table: Table, row: Row) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in table.primary_key)


def _in(table: Table, keys: Sequence[tuple[Any, ...]]) -> ColumnElement[bool]:
    columns = list(table.primary_key)
    if len(columns) == 1:
        return columns[0].in_([key[0] for key in keys])
    return tuple_(*columns).in_(keys)
