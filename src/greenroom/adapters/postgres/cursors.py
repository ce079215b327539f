"""Cursors of followers in PostgreSQL.

A settlement upserts its stream's row in ``followed``. What is told skips rows that a settlement holds at that moment: a
turn waits for a follower no longer than one statement takes, and a follower never waits for a turn. The row it skipped
is told again, which followers must bear anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from greenroom.adapters.postgres.connection import Link
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.sql import cursors
from greenroom.journal.records import Lease
from greenroom.ports import Behind, Cursor, Hold
from greenroom.ports.following import FIRST

_KEPT_FROM = "greatest(s.mark - 1, 0)"
_SWEEP = f"""
INSERT INTO followed (follower, sid, told, version)
SELECT c.name, s.sid, {_KEPT_FROM}, s.version
FROM cursors c CROSS JOIN LATERAL jsonb_array_elements_text(c.worlds::jsonb) w (world)
JOIN streams s ON s.world = w.world AND {cursors.FOLLOWABLE}
LEFT JOIN followed f ON f.follower = c.name AND f.sid = s.sid
WHERE c.name = $1 AND (f.sid IS NULL OR f.version < s.version)
ON CONFLICT (follower, sid) DO UPDATE SET version = greatest(followed.version, excluded.version)
RETURNING 1
"""
#: Nobody else holds it, and there is something to tell.
_TAKE = """
UPDATE cursors SET token = token + 1, holder = $2, busy_until = $4
WHERE name = $1 AND (busy_until <= $3 OR holder = $2)
AND (rebuilding OR EXISTS (SELECT 1 FROM followed f WHERE f.follower = $1 AND f.told < f.version)
    OR EXISTS (SELECT 1 FROM forgotten g WHERE g.follower = $1))
RETURNING token, tries, rebuilding
"""
_HELD = "held AS (SELECT name FROM cursors WHERE name = $1 AND token = $2 AND holder IS NOT NULL FOR UPDATE)"
_TOLD = f"""
WITH {_HELD},
upto AS (SELECT * FROM unnest($3::bigint[], $4::bigint[]) u (place, version)),
free AS (
    SELECT f.follower, f.sid, u.version FROM held h CROSS JOIN upto u
    JOIN followed f ON f.follower = h.name AND f.sid = u.place FOR UPDATE OF f SKIP LOCKED
),
moved AS (
    UPDATE followed f SET told = least(r.version, f.version) FROM free r
    WHERE f.follower = r.follower AND f.sid = r.sid
),
removed AS (DELETE FROM forgotten g USING held h, upto u WHERE g.follower = h.name AND g.id = -u.place),
well AS (UPDATE cursors c SET tries = 0, error = NULL FROM held h WHERE c.name = h.name AND c.tries > 0)
SELECT 1 FROM held
"""
#: Rows are set back some at a time, so that no settlement waits for all of them.
_BACK = f"""
WITH {_HELD}, free AS (
    SELECT f.follower, f.sid, {_KEPT_FROM} AS told FROM held h JOIN followed f ON f.follower = h.name
    JOIN streams s ON s.sid = f.sid WHERE f.told > {_KEPT_FROM} LIMIT $3 FOR UPDATE OF f SKIP LOCKED
),
moved AS (
    UPDATE followed f SET told = r.told FROM free r WHERE f.follower = r.follower AND f.sid = r.sid RETURNING 1
)
SELECT count(*) FROM moved
"""
_AHEAD = f"""
SELECT 1 FROM followed f JOIN streams s ON s.sid = f.sid WHERE f.follower = $1 AND f.told > {_KEPT_FROM} LIMIT 1
"""
_PART = 1000
_PAUSE_SECONDS = 0.05


class PostgresCursors:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def enrol(self, name: str, worlds: Collection[str]) -> None:
        wanted = cursors.worlds_text(worlds)
        if await self._store.links.value("SELECT worlds FROM cursors WHERE name = $1", name) != wanted:
            async with self._store.act() as act:
                await act.link.run(
                    "INSERT INTO cursors (name, worlds, token, busy_until, tries, rebuilding) "
                    "VALUES ($1, $2, 0, 0, 0, false) ON CONFLICT (name) DO UPDATE SET worlds = excluded.worlds",
                    name,
                    wanted,
                )
        await self._watch()

    async def _watch(self) -> None:
        found = await self._store.links.fetch(cursors.FOLLOWERS)
        self._store.watched = cursors.watched(found)

    async def sweep(self, name: str) -> int:
        await self._known(name)
        async with self._store.act() as act:
            return len(await act.link.fetch(_SWEEP, name))

    # telling

    async def take(self, name: str, lease: Lease) -> Hold | None:
        async with self._store.links.transaction() as link:
            row = await link.row(_TAKE, name, lease.worker, lease.wall, lease.until)
        if row is None:
            await self._known(name)
            return None
        token, tries, rebuilding = row
        return Hold(name=name, token=token, tries=tries, rebuilding=rebuilding)

    async def renew(self, hold: Hold, lease: Lease) -> None:
        await self._fenced(hold, "busy_until = $3", lease.until)

    async def begun(self, hold: Hold) -> None:
        while True:
            async with self._store.links.transaction() as link:
                moved = await link.value(_BACK, hold.name, hold.token, _PART)
                left = await link.value(_AHEAD, hold.name)
                if left is None:
                    await self._begin(link, hold)
                    return
                await _fence(link, hold)
            if not moved:
                await asyncio.sleep(_PAUSE_SECONDS)  # those that are left are being written

    @staticmethod
    async def _begin(link: Link, hold: Hold) -> None:
        await _fence(link, hold)
        await link.run("DELETE FROM forgotten WHERE follower = $1", hold.name)
        await link.run("UPDATE cursors SET rebuilding = false WHERE name = $1", hold.name)

    async def behind(self, name: str, *, after: int = FIRST, limit: int = 100) -> Sequence[Behind]:
        return list(map(cursors.to_behind, await self._store.links.fetch(cursors.BEHIND, name, after, limit)))

    async def told(self, hold: Hold, upto: Sequence[Behind]) -> None:
        places, versions = [one.place for one in upto], [one.version for one in upto]
        async with self._store.links.transaction() as link:
            if await link.value(_TOLD, hold.name, hold.token, places, versions) is None:
                raise cursors.lost(hold)

    async def release(self, hold: Hold, *, until: int = 0, error: str | None = None) -> None:
        await self._fenced(
            hold,
            "holder = NULL, busy_until = $3, error = coalesce($4::text, error), "
            "tries = tries + ($4::text IS NOT NULL)::int",
            *(until, error),
        )

    async def _fenced(self, hold: Hold, changes: str, *values: Any) -> None:
        async with self._store.links.transaction() as link:
            statement = (
                f"UPDATE cursors SET {changes} WHERE name = $1 AND token = $2 AND holder IS NOT NULL RETURNING 1"
            )
            if await link.value(statement, hold.name, hold.token, *values) is None:
                raise cursors.lost(hold)

    # whoever runs the house

    async def rewind(self, name: str) -> None:
        async with self._store.act() as act:
            found = await act.link.value(
                "UPDATE cursors SET rebuilding = true, token = token + 1 WHERE name = $1 RETURNING 1", name
            )
            if found is None:
                raise cursors.unknown(name)

    async def list(self) -> Sequence[Cursor]:
        return list(map(cursors.to_cursor, await self._store.links.fetch(cursors.LISTED)))

    async def drop(self, name: str) -> bool:
        async with self._store.act() as act:
            found = await act.link.value("DELETE FROM cursors WHERE name = $1 RETURNING 1", name)
            for table in ("followed", "forgotten"):
                await act.link.run(f"DELETE FROM {table} WHERE follower = $1", name)
        await self._watch()
        return found is not None

    async def _known(self, name: str) -> None:
        if await self._store.links.value("SELECT 1 FROM cursors WHERE name = $1", name) is None:
            raise cursors.unknown(name)


async def _fence(link: Link, hold: Hold) -> None:
    if await link.value(f"WITH {_HELD} SELECT 1 FROM held", hold.name, hold.token) is None:
        raise cursors.lost(hold)
