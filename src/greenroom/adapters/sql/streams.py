"""Streams."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.store import SqlPort, Transaction
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Entry, Stream


class SqlStreams(SqlPort):
    async def get(self, stream: str) -> Stream:
        return (await self._store.glance(lambda reader: self._store.stream(reader, stream)))[1]

    async def list(
        self,
        *,
        world: str | None = None,
        owner: str | None = None,
        parent: str | None = None,
        children: bool = True,
        limit: int = 100,
        after: str = "",
    ) -> Sequence[Stream]:
        wanted = {"world": world, "owner": owner, "parent": parent}
        chosen = {column: value for column, value in wanted.items() if value is not None}
        where = "".join(f" AND {column} = ${n}" for n, column in enumerate(chosen, start=3))
        where += "" if children else " AND player IS NULL"
        found = await self._store.all(
            f"SELECT {rows.STREAM} FROM streams WHERE name > $1{where} ORDER BY name LIMIT $2",
            *(after, limit, *chosen.values()),
        )
        return [rows.to_stream(row) for row in found]

    async def attempts(self, stream: str, *, after: int = 0, limit: int = 1000) -> Sequence[Attempt]:
        chosen = f"SELECT {rows.ATTEMPT} FROM attempts WHERE sid = $1 AND n > $2 ORDER BY n LIMIT $3"
        return [rows.to_attempt(stream, row) for row in await self._store.of_stream(stream, chosen, after, limit)]

    async def lineage(self, stream: str) -> Sequence[Stream]:
        chain = await self._store.read(lambda reader: self._store.chain(reader, stream))
        return [row for _, row in chain.values()]

    async def advance(self, stream: str, clock_at: int) -> Stream:
        async def act(unit: Transaction) -> Stream:
            row = unit.stream(stream)
            transitions.advance(row, clock_at)
            unit.put_stream(row)
            return row

        return await self._store.act(act, (stream,))

    async def ledger(self, stream: str) -> Sequence[tuple[int, Entry]]:
        found = await self._store.of_stream(stream, f"SELECT {rows.LEDGER} FROM ledger WHERE sid = $1 ORDER BY id")
        return [rows.to_entry(row) for row in found]
