"""Spending in SQLite. The mark is the last id of the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from greenroom.adapters.sqlite.store import Store
from greenroom.ports.spending import Spent

_SINCE = """
    SELECT coalesce(s.name, ''), coalesce(s.owner, ''), l.n, l.i, l.at, l.cost
    FROM ledger l LEFT JOIN streams s ON s.sid = l.sid
    WHERE l.id > ? AND l.id <= ? AND l.status <> 'removed' ORDER BY l.id
"""
#: For each thing that may be asked for, the condition; rows are found by index first and summed after.
_STREAM = "sid = (SELECT sid FROM streams WHERE name = ?)"
_OWNER = "sid IN (SELECT sid FROM streams WHERE owner = ?)"
_DAY = "at >= ? AND at < ?"


class SqliteSpending:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def since(self, mark: int | None) -> tuple[int, Sequence[Spent]]:
        def look(connection: sqlite3.Connection) -> tuple[int, Sequence[Spent]]:
            (end,) = connection.execute("SELECT coalesce(max(id), 0) FROM ledger").fetchone()
            if mark is None or end <= mark:
                return end, ()
            found = connection.execute(_SINCE, (mark, end)).fetchall()
            return end, [
                Spent(stream=stream, owner=owner, n=n, i=i, at=at, cost=cost) for stream, owner, n, i, at, cost in found
            ]

        return await self._store.glance(look)

    async def total(
        self, upto: int, *, stream: str | None = None, owner: str | None = None, day: tuple[int, int] | None = None
    ) -> int:
        named = ((_STREAM, stream), (_OWNER, owner))
        wanted = [*((condition, None if name is None else (name,)) for condition, name in named), (_DAY, day)]
        chosen = [(condition, given) for condition, given in wanted if given is not None]
        where = "".join(f" AND {condition}" for condition, _ in chosen)
        values = [value for _, given in chosen for value in given]

        def look(connection: sqlite3.Connection) -> int:
            (spent,) = connection.execute(
                f"SELECT coalesce(sum(cost), 0) FROM ledger WHERE id <= ?{where}", (upto, *values)
            ).fetchone()
            return int(spent)

        return await self._store.read(look)
