"""World tables in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.adapters.sqlite.opening import fitted
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.kernel.errors import Conflict
from greenroom.kernel.tables import Change, Table


class SqliteTables:
    def __init__(self, store: Store, stale: Sequence[str]) -> None:
        self._store = store
        self._stale = list(stale)

    @property
    def stale(self) -> Sequence[str]:
        return tuple(self._stale)

    async def rebuilt(self, table: str) -> None:
        projection = self._store.projections[table]
        await self._store.write(Writing(lambda sheet: fitted(sheet.connection, projection)))
        self._stale.remove(table)

    async def rows(self, stream: str, table: Table) -> Sequence[Mapping[str, Any]]:
        projection = self._store.projections[table.name]
        columns = ", ".join(f'"{name}"' for name in projection.columns)
        key = ", ".join(f'"{name}"' for name in table.key) or "sid"

        def look(connection: sqlite3.Connection) -> Sequence[Mapping[str, Any]]:
            sid, _ = self._store.stream(connection, stream)
            found = connection.execute(
                f"SELECT version, {columns} FROM {table.name} WHERE sid = ? ORDER BY {key}", (sid,)
            )
            return [projection.from_sql(row) for row in found]

        return await self._store.read(look)

    async def holder(self, table: Table, column: str, value: str) -> str | None:
        where = f'FROM {table.name} t JOIN streams s ON s.sid = t.sid WHERE t.root = 1 AND t."{column}" = ?'

        def look(connection: sqlite3.Connection) -> str | None:
            try:
                row = connection.execute(f"SELECT s.name {where}", (value,)).fetchone()
            except UnicodeEncodeError:  # half a character: no row can hold it
                return None
            return None if row is None else str(row[0])

        return await self._store.read(look)

    async def rebuild(self, stream: str, changes: Sequence[tuple[int, Change]], *, since: int, upto: int) -> None:
        def act(sheet: Sheet) -> None:
            row = sheet.stream(stream)
            if row.version != upto:
                raise Conflict(f"stream {stream} moved on to version {row.version}; work its rows out again")
            for name in self._store.projections:
                # A rebuilt table holds the whole past that can still be told.
                sheet.run(f"DELETE FROM {name} WHERE sid = ? AND version > ?", (sheet.sid(stream), since))
            sheet.change_all(row, changes)

        await self._store.write(Writing(act, (stream,), heavy=True))
