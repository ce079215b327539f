"""The overview in SQLite: whatever is asked for is found by an index of what is open, due or failed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.removal import NOBODY
from greenroom.adapters.sqlite.store import Store
from greenroom.journal.records import Attempt, Stream
from greenroom.ports import DaySpent

_DAY = 86_400_000_000
#: The partial index on open attempts is as long as the queue.
_OPEN = "SELECT DISTINCT sid FROM attempts INDEXED BY ix_attempts_open WHERE status IS NULL"
_ATTEMPT = ", ".join(f"a.{name.strip()}" for name in rows.ATTEMPT.split(","))
_COUNTS = {
    "streams": "streams",
    "open": "attempts WHERE status IS NULL",
    "failed": "attempts WHERE status = 'failed'",
    "due": "letters WHERE status = 'due'",
    "held": "letters WHERE status = 'held'",
}
_SPENT = f"""
    SELECT l.at / {_DAY} * {_DAY} AS day, coalesce(s.world, '') AS world, l.model,
        sum(CASE l.sid WHEN {NOBODY} THEN l.i ELSE 1 END), sum(l.input_tokens), sum(l.output_tokens), sum(l.cost)
    FROM ledger l LEFT JOIN streams s ON s.sid = l.sid
    WHERE l.at >= ? AND l.at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


class SqliteOverview:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def queue(self, *, limit: int) -> Sequence[Stream]:
        return await self._streams(f"sid IN ({_OPEN}) ORDER BY coalesce(head_at, 0), name", limit)

    async def due(self, *, limit: int) -> Sequence[Stream]:
        return await self._streams("ready_at IS NOT NULL ORDER BY ready_at, name", limit)

    async def _streams(self, which: str, limit: int) -> Sequence[Stream]:
        statement = f"SELECT {rows.STREAM} FROM streams WHERE {which} LIMIT ?"
        found = await self._store.read(lambda connection: connection.execute(statement, (limit,)).fetchall())
        return [rows.to_stream(row) for row in found]

    async def failed(self, *, limit: int) -> Sequence[Attempt]:
        statement = (
            f"SELECT s.name, {_ATTEMPT} FROM attempts a JOIN streams s ON s.sid = a.sid "
            "WHERE a.status = 'failed' ORDER BY a.at DESC, s.name, a.n LIMIT ?"
        )
        found = await self._store.read(lambda connection: connection.execute(statement, (limit,)).fetchall())
        return [rows.to_attempt(name, row) for name, *row in found]

    async def counts(self) -> Mapping[str, int]:
        def look(connection: sqlite3.Connection) -> Mapping[str, int]:
            counted = {name: connection.execute(f"SELECT count(*) FROM {what}") for name, what in _COUNTS.items()}
            return {name: int(found.fetchone()[0]) for name, found in counted.items()}

        return await self._store.read(look)

    async def spent(self, since: int, until: int) -> Sequence[DaySpent]:
        found = await self._store.read(lambda connection: connection.execute(_SPENT, (since, until)).fetchall())
        return [_spent(row) for row in found]


def _spent(row: Sequence[Any]) -> DaySpent:
    day, world, model, asks, input_tokens, output_tokens, cost = row
    return DaySpent(
        day=day,
        world=world,
        model=model,
        asks=asks,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=cost,
    )
