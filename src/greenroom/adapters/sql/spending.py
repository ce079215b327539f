"""Spending. The mark is the last id of the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.sql.store import Reader, SqlPort
from greenroom.ports.spending import Spent

_SINCE = """
SELECT coalesce(s.name, ''), coalesce(s.owner, ''), l.n, l.i, l.at, l.cost
FROM ledger l LEFT JOIN streams s ON s.sid = l.sid
WHERE l.id > $1 AND l.id <= $2 AND l.status <> 'removed' ORDER BY l.id
"""


class SqlSpending(SqlPort):
    async def since(self, mark: int | None) -> tuple[int, Sequence[Spent]]:
        async def look(reader: Reader) -> tuple[int, Sequence[Spent]]:
            end: int = await reader.value("SELECT coalesce(max(id), 0) FROM ledger")
            found = () if mark is None or end <= mark else await reader.all(_SINCE, mark, end)
            return end, [
                Spent(stream=stream, owner=owner, n=n, i=i, at=at, cost=cost) for stream, owner, n, i, at, cost in found
            ]

        return await self._store.glance(look)

    async def total(
        self, upto: int, *, stream: str | None = None, owner: str | None = None, day: tuple[int, int] | None = None
    ) -> int:
        where = "id <= $1"
        values: list[int | str] = [upto]
        wanted = (
            ("sid = (SELECT sid FROM streams WHERE name = ${})", None if stream is None else (stream,)),
            ("sid IN (SELECT sid FROM streams WHERE owner = ${})", None if owner is None else (owner,)),
            ("at >= ${} AND at < ${}", day),
        )
        for condition, given in wanted:
            if given is not None:
                where += " AND " + condition.format(*range(len(values) + 1, len(values) + 3))
                values += given
        return int(await self._store.value(f"SELECT coalesce(sum(cost), 0) FROM ledger WHERE {where}", *values))
