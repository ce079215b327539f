"""The overview: whatever is asked for is found by an index of what is open, due or failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.removal import DAY, NOBODY
from greenroom.adapters.sql.store import SqlPort
from greenroom.journal.records import Attempt, Stream
from greenroom.ports import DaySpent

_COUNTS = """
SELECT (SELECT count(*) FROM streams), (SELECT count(*) FROM attempts WHERE status IS NULL),
    (SELECT count(*) FROM attempts WHERE status = 'failed'), (SELECT count(*) FROM letters WHERE status = 'due'),
    (SELECT count(*) FROM letters WHERE status = 'held')
"""
_FAILED = f"""
SELECT s.name, {rows.of("a", rows.ATTEMPT)} FROM attempts a JOIN streams s ON s.sid = a.sid
WHERE a.status = 'failed' ORDER BY a.at DESC, s.name, a.n LIMIT $1
"""
_SPENT = f"""
SELECT l.at / {DAY} * {DAY} AS day, coalesce(s.world, '') COLLATE "C" AS world, l.model COLLATE "C" AS model,
    sum(CASE l.sid WHEN {NOBODY} THEN l.i ELSE 1 END)::bigint, sum(l.input_tokens)::bigint,
    sum(l.output_tokens)::bigint, sum(l.cost)::bigint
FROM ledger l LEFT JOIN streams s ON s.sid = l.sid WHERE l.at >= $1 AND l.at < $2 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


class SqlOverview(SqlPort):
    async def queue(self, *, limit: int) -> Sequence[Stream]:
        open_ = "sid IN (SELECT sid FROM attempts WHERE status IS NULL)"
        return await self._streams(f"{open_} ORDER BY coalesce(head_at, 0), name", limit)

    async def due(self, *, limit: int) -> Sequence[Stream]:
        return await self._streams("ready_at IS NOT NULL ORDER BY ready_at, name", limit)

    async def _streams(self, which: str, limit: int) -> Sequence[Stream]:
        found = await self._store.all(f"SELECT {rows.STREAM} FROM streams WHERE {which} LIMIT $1", limit)
        return [rows.to_stream(row) for row in found]

    async def failed(self, *, limit: int) -> Sequence[Attempt]:
        return [rows.to_attempt(name, row) for name, *row in await self._store.all(_FAILED, limit)]

    async def counts(self) -> Mapping[str, int]:
        (row,) = await self._store.all(_COUNTS)
        return dict(zip(("streams", "open", "failed", "due", "held"), row, strict=True))

    async def spent(self, since: int, until: int) -> Sequence[DaySpent]:
        names = ("day", "world", "model", "asks", "input_tokens", "output_tokens", "cost")
        return [DaySpent(**dict(zip(names, row, strict=True))) for row in await self._store.all(_SPENT, since, until)]
