"""World tables in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.adapters.postgres.opening import fitted
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.postgres.text import findable
from greenroom.adapters.sql.projections import Projection
from greenroom.kernel.errors import Conflict
from greenroom.kernel.tables import Change, Table


class PostgresTables:
    def __init__(self, store: Store, stale: Sequence[str]) -> None:
        self._store = store
        self._stale = list(stale)

    @property
    def stale(self) -> Sequence[str]:
        return tuple(self._stale)

    async def rebuilt(self, table: str) -> None:
        async with self._store.links.one() as link:
            await fitted(link.raw, self._store.projections[table])
        self._stale.remove(table)

    async def rows(self, stream: str, table: Table) -> Sequence[Mapping[str, Any]]:
        projection = self._store.projections[table.name]
        sid, _ = await self._store.stream(stream)
        columns = ", ".join(f'"{name}"' for name in projection.columns)
        found = await self._store.links.fetch(
            f"SELECT version, {columns} FROM {table.name} WHERE sid = $1 ORDER BY {_order(projection)}", sid
        )
        return [projection.from_sql(row) for row in found]

    async def holder(self, table: Table, column: str, value: str) -> str | None:
        where = f'FROM {table.name} t JOIN streams s ON s.sid = t.sid WHERE t.root AND t."{column}" = $1'
        row = await self._store.links.row(f"SELECT s.name {where}", findable(value))
        return None if row is None else str(row[0])

    async def rebuild(self, stream: str, changes: Sequence[tuple[int, Change]], *, since: int, upto: int) -> None:
        async with self._store.act((stream,)) as act:
            row = act.page.stream(stream)
            if row.version != upto:
                raise Conflict(f"stream {stream} moved on to version {row.version}; work its rows out again")
            sid = act.page.sid(stream)
            for name in self._store.projections:
                # A rebuilt table holds the whole past that can still be told.
                await act.link.run(f"DELETE FROM {name} WHERE sid = $1 AND version > $2", sid, since)
            act.page.change_all(row, changes)


def _order(projection: Projection) -> str:
    """The key's columns, text by its bytes as every back-end orders it."""
    kinds = {column.name: column.kind for column in projection.table.columns}
    plain = ("integer", "real", "boolean")
    parts = [f'"{name}"' if kinds[name] in plain else f'"{name}" COLLATE "C"' for name in projection.table.key]
    return ", ".join(parts) or "sid"
