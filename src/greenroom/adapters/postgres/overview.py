"""The overview in PostgreSQL: whatever is asked for is found by an index of what is open, due or failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from greenroom.adapters.postgres.lookup import of
from greenroom.adapters.postgres.removal import NOBODY
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.sql import rows
from greenroom.journal.records import Attempt, Stream
from greenroom.ports import DaySpent

_DAY = 86_400_000_000
_OPEN = "SELECT DISTINCT sid FROM attempts WHERE status IS NULL"
_COUNTS = """
SELECT (SELECT count(*) FROM streams) AS streams, (SELECT count(*) FROM attempts WHERE status IS NULL) AS open,
    (SELECT count(*) FROM attempts WHERE status = 'failed') AS failed,
    (SELECT count(*) FROM letters WHERE status = 'due') AS due,
    (SELECT count(*) FROM letters WHERE status = 'held') AS held
"""
_SPENT = f"""
SELECT l.at / {_DAY} * {_DAY} AS day, coalesce(s.world, '') COLLATE "C" AS world, l.model COLLATE "C" AS model,
    sum(CASE l.sid WHEN {NOBODY} THEN l.i ELSE 1 END)::bigint, sum(l.input_tokens)::bigint,
    sum(l.output_tokens)::bigint, sum(l.cost)::bigint
FROM ledger l LEFT JOIN streams s ON s.sid = l.sid
WHERE l.at >= $1 AND l.at < $2 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


class PostgresOverview:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def queue(self, *, limit: int) -> Sequence[Stream]:
        return await self._streams(f"sid IN ({_OPEN}) ORDER BY coalesce(head_at, 0), name", limit)

    async def due(self, *, limit: int) -> Sequence[Stream]:
        return await self._streams("ready_at IS NOT NULL ORDER BY ready_at, name", limit)

    async def _streams(self, which: str, limit: int) -> Sequence[Stream]:
        found = await self._store.links.fetch(f"SELECT {rows.STREAM} FROM streams WHERE {which} LIMIT $1", limit)
        return [rows.to_stream(row) for row in found]

    async def failed(self, *, limit: int) -> Sequence[Attempt]:
        found = await self._store.links.fetch(
            f"SELECT s.name, {of('a', rows.ATTEMPT)} FROM attempts a JOIN streams s ON s.sid = a.sid "
            "WHERE a.status = 'failed' ORDER BY a.at DESC, s.name, a.n LIMIT $1",
            limit,
        )
        return [rows.to_attempt(row[0], row[1:]) for row in found]

    async def counts(self) -> Mapping[str, int]:
        row = await self._store.links.row(_COUNTS)
        assert row is not None
        return dict(zip(("streams", "open", "failed", "due", "held"), row, strict=True))

    async def spent(self, since: int, until: int) -> Sequence[DaySpent]:
        found = await self._store.links.fetch(_SPENT, since, until)
        names = ("day", "world", "model", "asks", "input_tokens", "output_tokens", "cost")
        return [DaySpent(**dict(zip(names, row, strict=True))) for row in found]
