"""Spending in PostgreSQL. The mark is the last id of the ledger that nobody can write below any more."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.postgres.store import Store
from greenroom.ports.spending import Spent

_SINCE = """
    SELECT coalesce(s.name, ''), coalesce(s.owner, ''), l.n, l.i, l.at, l.cost
    FROM ledger l LEFT JOIN streams s ON s.sid = l.sid
    WHERE l.id > $1 AND l.id <= $2 AND l.status <> 'removed' ORDER BY l.id
"""


class PostgresSpending:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def since(self, mark: int | None) -> tuple[int, Sequence[Spent]]:
        end: int = await self._store.links.value("SELECT coalesce(max(id), 0) FROM ledger")
        if mark is None or end <= mark:
            return end, ()
        found = await self._store.links.fetch(_SINCE, mark, end)
        return end, [
            Spent(stream=stream, owner=owner, n=n, i=i, at=at, cost=cost) for stream, owner, n, i, at, cost in found
        ]

    async def total(
        self, upto: int, *, stream: str | None = None, owner: str | None = None, day: tuple[int, int] | None = None
    ) -> int:
        begins, ends = day or (None, None)
        spent = await self._store.links.value(
            "SELECT coalesce(sum(cost), 0) FROM ledger WHERE id <= $1 "
            "AND ($2::text IS NULL OR sid = (SELECT sid FROM streams WHERE name = $2)) "
            "AND ($3::text IS NULL OR sid IN (SELECT sid FROM streams WHERE owner = $3)) "
            "AND ($4::bigint IS NULL OR (at >= $4 AND at < $5))",
            *(upto, stream, owner, begins, ends),
        )
        return int(spent)
