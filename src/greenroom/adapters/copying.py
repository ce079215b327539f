"""A whole house moved from a file to a database or back, row by row, and compared by sums before it counts."""

from __future__ import annotations

import time
from array import array
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from greenroom.adapters.postgres import opening as on_server
from greenroom.adapters.postgres.connection import Pool, PooledConnection
from greenroom.adapters.sql.addresses import is_url, shown
from greenroom.adapters.sql.columns import COLUMNS, declared
from greenroom.adapters.sql.migrations import HEAD
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sqlite import opening as in_file
from greenroom.adapters.sqlite.connection import connect, our_errors
from greenroom.adapters.sqlite.dialect import SqliteExecutor
from greenroom.adapters.sqlite.file import schema_version
from greenroom.kernel.errors import Conflict, CorruptHistory, Locked, Unknown
from greenroom.kernel.tables import Table

CopiedRow: TypeAlias = tuple[Any, ...]
#: Told as rows go over: how many, of how many, and of which table.
CopyProgress: TypeAlias = Callable[[int, int, str], None]

#: Rows that are in hand at once.
PAGE = 1000
#: What the new house has of its own.
_OWN = ("schema_versions", "projections")
_VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class Sort:
    """One table to be copied."""

    name: str
    columns: tuple[str, ...]
    #: Places of the columns that SQLite keeps as 0 and 1.
    flags: frozenset[int] = frozenset()

    @property
    def listed(self) -> str:
        return ", ".join(f'"{name}"' for name in self.columns)


@dataclass(frozen=True, slots=True)
class Copied:
    """What went over: rows by table, and world tables that are left to be rebuilt."""

    rows: Mapping[str, int]
    left: tuple[str, ...]


class End(Protocol):
    """One side of a copy, inside one transaction."""

    async def value(self, statement: str) -> Any: ...

    async def all(self, statement: str) -> list[CopiedRow]: ...

    def pages(self, sort: Sort) -> AsyncIterator[list[CopiedRow]]: ...

    async def put(self, sort: Sort, rows: Sequence[CopiedRow]) -> None: ...

    async def finish(self) -> None:
        """Make ready for new rows after those that were put."""


async def copy_house(source: str | Path, target: str | Path, tables: Sequence[Table], progress: CopyProgress) -> Copied:
    """Copy everything of a house into a place where there is none, in one transaction.

    Raises:
        Unknown: there is no house to copy.
        Conflict: there is one where it should go.
        Locked: somebody works in the house; its sums would be of no moment.
        CorruptHistory: what arrived is not what left; nothing was kept.
    """
    projections = tuple(Projection(table) for table in tables)
    await _check_source(source)
    await _prepare(target, projections)
    async with _end(source) as one, _end(target, writes=True) as other:
        await _refuse(one, other, source, target)
        there = {name: bytes(digest) for name, digest in await one.all("SELECT name, digest FROM projections")}
        alike = [p for p in projections if there.get(p.name) == p.digest]
        copied = await _copy(one, other, [*_house_sorts(), *map(_world_sort, alike)], progress)
        await other.put(_PROJECTIONS, [(p.name, p.digest) for p in alike])
        await other.finish()
    return Copied(copied, tuple(sorted(there.keys() - {p.name for p in alike})))


async def _check_source(source: str | Path) -> None:
    found = await on_server.found_version(str(source)) if is_url(source) else schema_version(Path(source))
    if found is None:
        raise Unknown(f"{_shown(source)}: there is no house here")
    if found != HEAD:
        raise Conflict(f"{_shown(source)}: its schema is {found}; open it once with this Greenroom, then copy it")


async def _prepare(target: str | Path, projections: Sequence[Projection]) -> None:
    if is_url(target):
        await on_server.made_ready(str(target), projections)
    else:
        in_file.prepare(Path(target), projections)


async def _refuse(one: End, other: End, source: str | Path, target: str | Path) -> None:
    if any([await other.value(f"SELECT count(*) FROM {name}") for name in ("streams", "tombstones", "adk_sessions")]):
        raise Conflict(f"{_shown(target)}: there is a house here already; copy to an empty place")
    now = time.time_ns() // 1000
    held = f"SELECT count(*) FROM streams WHERE holder IS NOT NULL AND busy_until > {now}"
    if await one.value(held):
        raise Locked(f"{_shown(source)}: somebody works in this house; stop its servers and workers, then copy it")


def _house_sorts() -> list[Sort]:
    """The house's own tables. World tables that are declared otherwise here are rebuilt when they are opened."""
    return [_sort(table, columns) for table, columns in COLUMNS.items() if table not in _OWN]


_PROJECTIONS = Sort("projections", ("name", "digest"))


def _sort(table: str, columns: str) -> Sort:
    flags = frozenset(i for i, column in enumerate(declared(columns)) if column.type == "boolean")
    return Sort(table, tuple(column.name for column in declared(columns)), flags)


def _world_sort(projection: Projection) -> Sort:
    columns = ("sid", "version", "root", *projection.columns)
    kinds = {column.name: column.kind for column in projection.table.columns}
    flags = frozenset(i for i, name in enumerate(columns) if name == "root" or kinds.get(name) == "boolean")
    return Sort(projection.name, columns, flags)


async def _copy(one: End, other: End, sorts: Sequence[Sort], progress: CopyProgress) -> dict[str, int]:
    counts = {sort.name: int(await one.value(f"SELECT count(*) FROM {sort.name}")) for sort in sorts}
    total, done = sum(counts.values()), 0
    for sort in sorts:
        left = Sum()
        async for page in one.pages(sort):
            left.add(page)
            await other.put(sort, page)
            done += len(page)
            progress(done, total, sort.name)
        arrived = Sum()
        async for page in other.pages(sort):
            arrived.add(page)
        if left != arrived:
            raise CorruptHistory(f"{sort.name}: {arrived.count} rows arrived of {left.count}, or not as they left")
    return counts


@dataclass(slots=True)
class Sum:
    """A sum over rows that does not depend on their order."""

    count: int = 0
    total: int = 0

    def add(self, rows: Sequence[CopiedRow]) -> None:
        self.count += len(rows)
        for row in rows:
            self.total = (self.total + int.from_bytes(sha256(repr(row).encode("utf-8", "surrogatepass")).digest())) % (
                1 << 256
            )


def _shown(place: str | Path) -> str:
    return shown(str(place)) if is_url(place) else str(place)


# both sides


def _end(place: str | Path, *, writes: bool = False) -> AbstractAsyncContextManager[End]:
    return _postgres_end(str(place), writes=writes) if is_url(place) else _sqlite_end(Path(place), writes=writes)


@asynccontextmanager
async def _sqlite_end(path: Path, *, writes: bool) -> AsyncIterator[End]:
    with our_errors(path):
        connection = connect(path, writes=writes)
        try:
            connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
            yield SqliteEnd(connection)
            connection.execute("COMMIT")
        finally:
            connection.close()


class SqliteEnd(SqliteExecutor):
    async def pages(self, sort: Sort) -> AsyncIterator[list[CopiedRow]]:
        found = self.connection.execute(f"SELECT {sort.listed} FROM {sort.name}")
        while page := found.fetchmany(PAGE):
            yield [_flagged(row, sort.flags) for row in page]

    async def put(self, sort: Sort, rows: Sequence[CopiedRow]) -> None:
        marks = ", ".join("?" * len(sort.columns))
        self.connection.executemany(f"INSERT OR REPLACE INTO {sort.name} ({sort.listed}) VALUES ({marks})", rows)

    async def finish(self) -> None:
        """SQLite numbers new rows after the highest by itself."""


def _flagged(row: CopiedRow, flags: frozenset[int]) -> CopiedRow:
    if not flags:
        return row
    return tuple(bool(v) if i in flags and v is not None else v for i, v in enumerate(row))


@asynccontextmanager
async def _postgres_end(url: str, *, writes: bool) -> AsyncIterator[End]:
    pool = Pool(url, most=1)
    try:
        async with pool.transaction() if writes else pool.moment() as connection:
            yield PostgresEnd(connection)
    finally:
        await pool.close()


#: Columns that the server numbers by itself.
_NUMBERED = (("streams", "sid"), ("memories", "mid"), ("snapshots", "id"), ("ledger", "id"))


class PostgresEnd:
    def __init__(self, connection: PooledConnection) -> None:
        self._connection = connection
        self.value, self.all = connection.value, connection.all

    async def pages(self, sort: Sort) -> AsyncIterator[list[CopiedRow]]:
        chosen = "mid, model, vector::real[]" if sort.name == _VECTORS else sort.listed
        page: list[CopiedRow] = []
        async for row in self._connection.cursor(f"SELECT {chosen} FROM {sort.name}", PAGE):
            page.append(_packed(row) if sort.name == _VECTORS else row)
            if len(page) == PAGE:
                yield page
                page = []
        if page:
            yield page

    async def put(self, sort: Sort, rows: Sequence[CopiedRow]) -> None:
        if sort.name == _VECTORS:
            values = "VALUES ($1, $2, $3::real[]::vector)"
            unpacked = [(mid, model, array("f", vector).tolist()) for mid, model, vector in rows]
            await self._connection.raw.executemany(f"INSERT INTO vectors (mid, model, vector) {values}", unpacked)
        else:
            if sort.name == "house":
                await self._connection.run("DELETE FROM house")
            await self._connection.copy(sort.name, sort.columns, rows)

    async def finish(self) -> None:
        for table, column in _NUMBERED:
            await self._connection.run(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), "
                f"(SELECT coalesce(max({column}), 0) + 1 FROM {table}), false)"
            )


def _packed(row: CopiedRow) -> CopiedRow:
    mid, model, vector = row
    return mid, model, array("f", vector).tobytes()
