"""Cursors of followers.

A settlement upserts its stream's row in ``followed``. On PostgreSQL, what is told skips rows that a settlement holds at
that moment: a turn waits for a follower no longer than one statement takes, and a follower never waits for a turn. The
row it skipped is told again, which followers must bear anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.store import Reader, SqlPort, Transaction
from greenroom.journal.records import Lease
from greenroom.kernel.codec import canonical, parse
from greenroom.kernel.errors import LeaseLost, Unknown
from greenroom.ports import Behind, Cursor, Hold
from greenroom.ports.following import FIRST

#: Who follows which worlds.
FOLLOWERS = "SELECT name, worlds FROM cursors ORDER BY name"

_KEPT_FROM = "greatest(s.mark - 1, 0)"
_ENROL = """
INSERT INTO cursors (name, worlds, token, busy_until, tries, rebuilding) VALUES ($1, $2, 0, 0, 0, FALSE)
ON CONFLICT (name) DO UPDATE SET worlds = excluded.worlds
"""
#: Streams that a cursor has not heard of, or not far enough; sandboxes are nobody's to follow.
_UNSEEN = f"""
SELECT c.name, s.sid, {_KEPT_FROM}, s.version FROM cursors c CROSS JOIN streams s
LEFT JOIN followed f ON f.follower = c.name AND f.sid = s.sid
WHERE c.name = $1 AND s.world = ANY($2::text[]) AND s.parent IS NULL AND s.clock_at IS NULL AND s.version > 0
AND (f.sid IS NULL OR f.version < s.version)
"""
_SWEEP = f"""
INSERT INTO followed (follower, sid, told, version) {_UNSEEN}
ON CONFLICT (follower, sid) DO UPDATE SET version = greatest(followed.version, excluded.version)
"""
#: A cursor, and how many streams it has, how many of them are behind and by how much.
_LISTED = """
SELECT c.name, c.worlds, c.holder, c.busy_until, c.rebuilding, c.tries, c.error, count(f.sid),
    coalesce(sum(CASE WHEN f.told < f.version THEN 1 ELSE 0 END), 0),
    coalesce(sum(f.version - f.told), 0), (SELECT count(*) FROM forgotten g WHERE g.follower = c.name)
FROM cursors c LEFT JOIN followed f ON f.follower = c.name
GROUP BY c.name, c.worlds, c.holder, c.busy_until, c.rebuilding, c.tries, c.error ORDER BY c.name
"""
#: What a follower has to be told: removed streams first, then those that moved, in order of their places.
_BEHIND = """
SELECT * FROM (
    SELECT -g.id AS place, g.stream, 0 AS told, 0 AS version, 1 AS gone FROM forgotten g
    WHERE g.follower = $1 AND g.id < -CAST($2 AS bigint) ORDER BY g.id DESC LIMIT $3
) gone UNION ALL SELECT * FROM (
    SELECT f.sid AS place, s.name, f.told, f.version, 0 FROM followed f JOIN streams s ON s.sid = f.sid
    WHERE f.follower = $1 AND f.told < f.version AND f.sid > $2 ORDER BY f.sid LIMIT $3
) moved ORDER BY place LIMIT $3
"""
#: Nobody else holds it, and there is something to tell.
_FREE = """
name = $1 AND (busy_until <= $2 OR holder = $3)
AND (rebuilding OR EXISTS (SELECT 1 FROM followed f WHERE f.follower = $1 AND f.told < f.version)
    OR EXISTS (SELECT 1 FROM forgotten g WHERE g.follower = $1))
"""
_HELD = "SELECT 1 FROM cursors WHERE name = $1 AND token = $2 AND holder IS NOT NULL FOR UPDATE"
#: The number of a removed stream may be another's by now, so its name is compared too.
_TOLD = """
UPDATE followed SET told = least($1, version) WHERE follower = $2 AND sid = (
    SELECT f.sid FROM followed f JOIN streams s ON s.sid = f.sid
    WHERE f.follower = $2 AND f.sid = $3 AND s.name = $4 FOR UPDATE OF f SKIP LOCKED
)
"""
_AHEAD = f"""
SELECT f.sid FROM followed f JOIN streams s ON s.sid = f.sid WHERE f.follower = $1 AND f.told > {_KEPT_FROM}
"""
#: Rows are set back some at a time, so that no settlement waits for all of them.
_BACK = f"""
UPDATE followed SET told = (SELECT {_KEPT_FROM} FROM streams s WHERE s.sid = followed.sid)
WHERE follower = $1 AND sid IN ({_AHEAD} LIMIT $2 FOR UPDATE OF f SKIP LOCKED)
"""
_RELEASE = """
UPDATE cursors SET holder = NULL, busy_until = $2, error = coalesce($3::text, error),
tries = tries + CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END WHERE name = $1
"""
_PAUSE_SECONDS = 0.05


class SqlCursors(SqlPort):
    async def enrol(self, name: str, worlds: Collection[str]) -> None:
        wanted = canonical(sorted(worlds)).decode()
        found = await self._store.glance(lambda reader: _worlds(reader, name))
        if found != wanted:
            await self._store.act(lambda unit: unit.run(_ENROL, name, wanted))
        await self._watch()

    async def _watch(self) -> None:
        self._store.watched = watched(await self._store.glance(lambda reader: reader.all(FOLLOWERS)))

    async def sweep(self, name: str) -> int:
        worlds = await self._store.glance(lambda reader: _worlds(reader, name))
        if worlds is None:
            raise _unknown(name)
        among = list(parse(worlds))
        if not await self._store.value(f"{_UNSEEN} LIMIT 1", name, among):
            return 0
        return await self._store.act(lambda unit: unit.run(_SWEEP, name, among), heavy=True)

    # telling

    async def take(self, name: str, lease: Lease) -> Hold | None:
        free = (name, lease.wall, lease.worker)

        async def look(reader: Reader) -> bool:
            if await reader.one(f"SELECT 1 FROM cursors WHERE {_FREE}", *free):
                return True
            if await _worlds(reader, name) is None:
                raise _unknown(name)
            return False

        async def act(unit: Transaction) -> Hold | None:
            take = f"UPDATE cursors SET token = token + 1, holder = $3, busy_until = $4 WHERE {_FREE}"
            if not await unit.run(take, *free, lease.until):
                return None
            row = await unit.one("SELECT token, tries, rebuilding FROM cursors WHERE name = $1", name)
            assert row is not None
            token, tries, rebuilding = row
            return Hold(name=name, token=token, tries=tries, rebuilding=bool(rebuilding))

        return await self._store.act(act, quiet=True) if await self._store.glance(look) else None

    async def renew(self, hold: Hold, lease: Lease) -> None:
        await self._fenced(hold, "UPDATE cursors SET busy_until = $2 WHERE name = $1", lease.until)

    async def begun(self, hold: Hold) -> None:
        async def act(unit: Transaction) -> int | None:
            await _fence(unit, hold)
            moved = await unit.run(_BACK, hold.name, self._store.most_held)
            if await unit.one(f"{_AHEAD} LIMIT 1", hold.name):
                return moved
            await unit.run("DELETE FROM forgotten WHERE follower = $1", hold.name)
            await unit.run("UPDATE cursors SET rebuilding = FALSE WHERE name = $1", hold.name)
            return None

        while (moved := await self._store.act(act, heavy=True, quiet=True)) is not None:
            if not moved:
                await asyncio.sleep(_PAUSE_SECONDS)  # those that are left are being written

    async def behind(self, name: str, *, after: int = FIRST, limit: int = 100) -> Sequence[Behind]:
        return [
            Behind(place=place, stream=stream, told=told, version=version, gone=bool(gone))
            for place, stream, told, version, gone in await self._store.all(_BEHIND, name, after, limit)
        ]

    async def told(self, hold: Hold, upto: Sequence[Behind]) -> None:
        gone = [(hold.name, -one.place) for one in upto if one.gone]
        moved = [(one.version, hold.name, one.place, one.stream) for one in upto if not one.gone]

        async def act(unit: Transaction) -> None:
            await _fence(unit, hold)
            await unit.run_all("DELETE FROM forgotten WHERE follower = $1 AND id = $2", gone)
            await unit.run_all(_TOLD, moved)
            await unit.run("UPDATE cursors SET tries = 0, error = NULL WHERE name = $1 AND tries > 0", hold.name)

        await self._store.act(act, quiet=True)

    async def release(self, hold: Hold, *, until: int = 0, error: str | None = None) -> None:
        await self._fenced(hold, _RELEASE, until, error)

    async def _fenced(self, hold: Hold, statement: str, *values: Any) -> None:
        async def act(unit: Transaction) -> None:
            await _fence(unit, hold)
            await unit.run(statement, hold.name, *values)

        await self._store.act(act, quiet=True)

    # whoever runs the house

    async def rewind(self, name: str) -> None:
        rewind = "UPDATE cursors SET rebuilding = TRUE, token = token + 1 WHERE name = $1"
        if not await self._store.act(lambda unit: unit.run(rewind, name)):
            raise _unknown(name)

    async def list(self) -> Sequence[Cursor]:
        return [_cursor(row) for row in await self._store.all(_LISTED)]

    async def drop(self, name: str) -> bool:
        async def act(unit: Transaction) -> int:
            for table in ("followed", "forgotten"):
                await unit.run(f"DELETE FROM {table} WHERE follower = $1", name)
            return await unit.run("DELETE FROM cursors WHERE name = $1", name)

        there = await self._store.act(act, heavy=True)
        await self._watch()
        return there > 0


def watched(found: Iterable[Row]) -> Watched:
    """Names of followers by world, from rows of name and worlds."""
    by_world: dict[str, list[str]] = {}
    for name, worlds in found:
        for world in parse(worlds):
            by_world.setdefault(world, []).append(name)
    return by_world


def _cursor(row: Row) -> Cursor:
    name, worlds, holder, until, rebuilding, tries, error, streams, behind, steps, gone = row
    return Cursor(
        name=name, worlds=tuple(parse(worlds)), holder=holder, until=until, streams=streams, behind=int(behind),
        steps=int(steps), gone=gone, rebuilding=bool(rebuilding), tries=tries, error=error,
    )  # fmt: skip


async def _worlds(reader: Reader, name: str) -> str | None:
    found: str | None = await reader.value("SELECT worlds FROM cursors WHERE name = $1", name)
    return found


async def _fence(unit: Transaction, hold: Hold) -> None:
    if await unit.one(_HELD, hold.name, hold.token) is None:
        raise LeaseLost(f"follower {hold.name} is no longer told by this worker; nothing was written")


def _unknown(name: str) -> Unknown:
    return Unknown(f"there is no follower {name}; greenroom db follow lists them")
