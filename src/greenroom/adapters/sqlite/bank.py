"""The memory bank in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.store import Store
from greenroom.kernel.journal import Stored
from greenroom.kernel.words import Scope

_COLUMNS = ", ".join(f"m.{name.strip()}" for name in rows.MEMORY.split(","))
_FROM = "memories m JOIN streams s ON s.sid = m.sid"
_SCOPE = "m.version IS NOT NULL AND m.owner = ? AND m.world = ? AND (?3 IS NULL OR m.agent = ?3)"


class SqliteBank:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        if not ids:
            return {}

        def look(connection: sqlite3.Connection) -> Mapping[str, str]:
            found: dict[str, str] = {}
            for start in range(0, len(ids), 500):
                part = ids[start : start + 500]
                marks = ", ".join("?" * len(part))
                found.update(connection.execute(f"SELECT id, text FROM memories WHERE id IN ({marks})", part))
            return found

        return await self._store.read(look)

    async def of_stream(self, stream: str) -> Sequence[Stored]:
        def look(connection: sqlite3.Connection) -> Sequence[Stored]:
            sid, _ = self._store.stream(connection, stream)
            found = connection.execute(f"SELECT {rows.MEMORY} FROM memories WHERE sid = ?", (sid,))
            return [rows.to_stored(stream, row) for row in found]

        return await self._store.read(look)

    async def count(self, scope: Scope) -> int:
        def look(connection: sqlite3.Connection) -> int:
            (count,) = connection.execute(
                f"SELECT count(*) FROM memories m WHERE {_SCOPE}", (scope.owner, scope.world, scope.agent)
            ).fetchone()
            return int(count)

        return await self._store.read(look)

    async def all(self, scope: Scope) -> Sequence[Stored]:
        def look(connection: sqlite3.Connection) -> Sequence[Stored]:
            found = connection.execute(
                f"SELECT s.name, {_COLUMNS} FROM {_FROM} WHERE {_SCOPE} ORDER BY m.at, m.id",
                (scope.owner, scope.world, scope.agent),
            )
            return [rows.to_stored(name, row) for name, *row in found]

        return await self._store.read(look)
