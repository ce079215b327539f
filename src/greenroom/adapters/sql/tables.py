"""World tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.store import SqlStore, Transaction
from greenroom.kernel.errors import Conflict
from greenroom.kernel.tables import Change, Table

_FITTED = "INSERT INTO projections (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET digest = $2"


class SqlTables:
    def __init__(self, store: SqlStore, stale: Sequence[str]) -> None:
        self._store = store
        self._stale = list(stale)

    @property
    def stale(self) -> Sequence[str]:
        return tuple(self._stale)

    async def rebuilt(self, table: str) -> None:
        digest = self._store.projections[table].digest
        await self._store.act(lambda unit: unit.run(_FITTED, table, digest), quiet=True)
        self._stale.remove(table)

    async def rows(self, stream: str, table: Table) -> Sequence[Mapping[str, Any]]:
        projection = self._store.projections[table.name]
        columns = ", ".join(f'"{name}"' for name in projection.columns)
        statement = f"SELECT version, {columns} FROM {table.name} WHERE sid = $1 ORDER BY {_order(projection)}"
        return [projection.from_sql(row) for row in await self._store.of_stream(stream, statement)]

    async def holder(self, table: Table, column: str, value: str) -> str | None:
        where = f'FROM {table.name} t JOIN streams s ON s.sid = t.sid WHERE t.root AND t."{column}" = $1'
        holder: str | None = await self._store.value(f"SELECT s.name {where}", value)
        return holder

    async def rebuild(self, stream: str, changes: Sequence[tuple[int, Change]], *, since: int, upto: int) -> None:
        async def act(unit: Transaction) -> None:
            row = unit.stream(stream)
            if row.version != upto:
                raise Conflict(f"stream {stream} moved on to version {row.version}; work its rows out again")
            for name in self._store.projections:
                # A rebuilt table holds the whole past that can still be told.
                await unit.run(f"DELETE FROM {name} WHERE sid = $1 AND version > $2", unit.sid(stream), since)
            unit.change_all(row, changes)

        await self._store.act(act, (stream,), heavy=True)


def _order(projection: Projection) -> str:
    """The key's columns, text by its bytes as every back-end orders it."""
    kinds = {column.name: column.kind for column in projection.table.columns}
    plain = ("integer", "real", "boolean")
    parts = [f'"{name}"' if kinds[name] in plain else f'"{name}" COLLATE "C"' for name in projection.table.key]
    return ", ".join(parts) or "sid"
