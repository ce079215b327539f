"""Streams in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.postgres.store import Store
from greenroom.adapters.postgres.text import findable
from greenroom.adapters.sql import rows
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Entry, Stream


class PostgresStreams:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, stream: str) -> Stream:
        return (await self._store.stream(stream))[1]

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
        where = "".join(f" AND {column} = ${n}" for n, column in enumerate(chosen, start=3))
        found = await self._store.links.fetch(
            f"SELECT {rows.STREAM} FROM streams WHERE name > $1{where} ORDER BY name LIMIT $2",
            *(findable(after), limit, *map(findable, chosen.values())),
        )
        return [rows.to_stream(row) for row in found]

    async def attempts(self, stream: str, *, after: int = 0, limit: int = 1000) -> Sequence[Attempt]:
        sid, _ = await self._store.stream(stream)
        found = await self._store.links.fetch(
            f"SELECT {rows.ATTEMPT} FROM attempts WHERE sid = $1 AND n > $2 ORDER BY n LIMIT $3", sid, after, limit
        )
        return [rows.to_attempt(stream, row) for row in found]

    async def lineage(self, stream: str) -> Sequence[Stream]:
        return [row for _, row in (await self._store.chain(stream)).values()]

    async def advance(self, stream: str, clock_at: int) -> Stream:
        async with self._store.act((stream,)) as act:
            row = act.page.stream(stream)
            transitions.advance(row, clock_at)
            act.page.put_stream(row)
        return row

    async def ledger(self, stream: str) -> Sequence[tuple[int, Entry]]:
        sid, _ = await self._store.stream(stream)
        found = await self._store.links.fetch(f"SELECT {rows.LEDGER} FROM ledger WHERE sid = $1 ORDER BY id", sid)
        return [rows.to_entry(row) for row in found]
