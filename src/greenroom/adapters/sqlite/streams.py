"""Streams in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Entry, Stream


class SqliteStreams:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, stream: str) -> Stream:
        return await self._store.glance(lambda connection: self._store.stream(connection, stream)[1])

    async def list(
        self,
        *,
        world: str | None = None,
        owner: str | None = None,
        parent: str | None = None,
        limit: int = 100,
        after: str = "",
    ) -> Sequence[Stream]:
        wanted = {"world": world, "owner": owner, "parent": parent}
        chosen = {column: value for column, value in wanted.items() if value is not None}
        where = "".join(f" AND {column} = ?" for column in chosen)
        found = await self._store.read(
            lambda connection: connection.execute(
                f"SELECT {rows.STREAM} FROM streams WHERE name > ?{where} ORDER BY name LIMIT ?",
                (after, *chosen.values(), limit),
            ).fetchall()
        )
        return [rows.to_stream(row) for row in found]

    async def attempts(self, stream: str, *, after: int = 0, limit: int = 1000) -> Sequence[Attempt]:
        def look(connection: sqlite3.Connection) -> Sequence[Attempt]:
            sid, _ = self._store.stream(connection, stream)
            found = connection.execute(
                f"SELECT {rows.ATTEMPT} FROM attempts WHERE sid = ? AND n > ? ORDER BY n LIMIT ?",
                (sid, after, limit),
            )
            return [rows.to_attempt(stream, row) for row in found]

        return await self._store.read(look)

    async def lineage(self, stream: str) -> Sequence[Stream]:
        chain = await self._store.read(lambda connection: self._store.chain(connection, stream))
        return [row for _, row in chain.values()]

    async def advance(self, stream: str, clock_at: int) -> Stream:
        def act(sheet: Sheet) -> Stream:
            row = sheet.stream(stream)
            transitions.advance(row, clock_at)
            sheet.put_stream(row)
            return row

        advanced: Stream = await self._store.write(Writing(act, (stream,)))
        return advanced

    async def ledger(self, stream: str) -> Sequence[tuple[int, Entry]]:
        def look(connection: sqlite3.Connection) -> Sequence[tuple[int, Entry]]:
            sid, _ = self._store.stream(connection, stream)
            found = connection.execute(f"SELECT {rows.LEDGER} FROM ledger WHERE sid = ? ORDER BY id", (sid,))
            return [rows.to_entry(row) for row in found]

        return await self._store.read(look)
