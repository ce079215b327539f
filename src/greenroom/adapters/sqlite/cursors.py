"""Cursors of followers in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from typing import Any

from greenroom.adapters.sql import cursors
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.journal.records import Lease
from greenroom.ports import Behind, Cursor, Hold
from greenroom.ports.following import FIRST

_KEPT_FROM = "max(s.mark - 1, 0)"
_UNSEEN = f"""
SELECT c.name, s.sid, {_KEPT_FROM}, s.version FROM cursors c, json_each(c.worlds) w
JOIN streams s ON s.world = w.value AND {cursors.FOLLOWABLE}
LEFT JOIN followed f ON f.follower = c.name AND f.sid = s.sid
WHERE c.name = ? AND (f.sid IS NULL OR f.version < s.version)
"""
_ANY_BEHIND = """
SELECT 1 FROM followed WHERE follower = ?1 AND told < version
UNION ALL SELECT 1 FROM forgotten WHERE follower = ?1 LIMIT 1
"""
_TOLD = """
UPDATE followed SET told = min(?1, version) WHERE follower = ?2 AND sid = ?3
AND EXISTS (SELECT 1 FROM streams s WHERE s.sid = followed.sid AND s.name = ?4)
"""


class SqliteCursors:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def enrol(self, name: str, worlds: Collection[str]) -> None:
        wanted = cursors.worlds_text(worlds)
        found = await self._store.glance(
            lambda c: c.execute("SELECT worlds FROM cursors WHERE name = ?", (name,)).fetchone()
        )
        if found is None or found[0] != wanted:
            await self._store.write(
                _act(
                    "INSERT INTO cursors (name, worlds, token, busy_until, tries, rebuilding) "
                    "VALUES (?, ?, 0, 0, 0, 0) ON CONFLICT (name) DO UPDATE SET worlds = excluded.worlds",
                    (name, wanted),
                )
            )
        await self._watch()

    async def _watch(self) -> None:
        self._store.watched = await self._store.glance(lambda c: cursors.watched(c.execute(cursors.FOLLOWERS)))

    async def sweep(self, name: str) -> int:
        unseen = await self._store.read(lambda c: _known(c, name) and c.execute(_UNSEEN, (name,)).fetchall())
        if unseen:
            await self._store.write(Writing(lambda sheet: sheet.put_all("followed", unseen)))
        return len(unseen)

    # telling

    async def take(self, name: str, lease: Lease) -> Hold | None:
        def look(connection: sqlite3.Connection) -> Hold | None:
            token, holder, until, tries, rebuilding = _known(connection, name)
            if until > lease.wall and holder != lease.worker:
                return None
            if not rebuilding and connection.execute(_ANY_BEHIND, (name,)).fetchone() is None:
                return None
            return Hold(name=name, token=token + 1, tries=tries, rebuilding=bool(rebuilding))

        def act(sheet: Sheet) -> Hold | None:
            hold = look(sheet.connection)
            if hold is not None:
                sheet.run(
                    "UPDATE cursors SET token = ?, holder = ?, busy_until = ? WHERE name = ?",
                    (hold.token, lease.worker, lease.until, name),
                )
            return hold

        if await self._store.glance(look) is None:
            return None
        taken: Hold | None = await self._store.write(Writing(act))
        return taken

    async def renew(self, hold: Hold, lease: Lease) -> None:
        await self._fenced(hold, "UPDATE cursors SET busy_until = ? WHERE name = ?", (lease.until, hold.name))

    async def begun(self, hold: Hold) -> None:
        def act(sheet: Sheet) -> None:
            _fence(sheet.connection, hold)
            sheet.run("DELETE FROM forgotten WHERE follower = ?", (hold.name,))
            sheet.run(
                f"UPDATE followed SET told = {_KEPT_FROM} FROM streams s WHERE s.sid = followed.sid AND follower = ?",
                (hold.name,),
            )
            sheet.run("UPDATE cursors SET rebuilding = 0 WHERE name = ?", (hold.name,))

        await self._store.write(Writing(act, heavy=True))

    async def behind(self, name: str, *, after: int = FIRST, limit: int = 100) -> Sequence[Behind]:
        statement = cursors.BEHIND.replace("$", "?")
        found = await self._store.read(lambda c: c.execute(statement, (name, after, limit)).fetchall())
        return list(map(cursors.to_behind, found))

    async def told(self, hold: Hold, upto: Sequence[Behind]) -> None:
        def act(sheet: Sheet) -> None:
            _fence(sheet.connection, hold)
            for one in upto:
                if one.gone:
                    sheet.run("DELETE FROM forgotten WHERE follower = ? AND id = ?", (hold.name, -one.place))
                else:  # the number of a removed stream may be another's by now
                    sheet.run(_TOLD, (one.version, hold.name, one.place, one.stream))
            sheet.run("UPDATE cursors SET tries = 0, error = NULL WHERE name = ? AND tries > 0", (hold.name,))

        await self._store.write(Writing(act))

    async def release(self, hold: Hold, *, until: int = 0, error: str | None = None) -> None:
        await self._fenced(
            hold,
            "UPDATE cursors SET holder = NULL, busy_until = ?1, error = coalesce(?2, error), "
            "tries = tries + (?2 IS NOT NULL) WHERE name = ?3",
            (until, error, hold.name),
        )

    async def _fenced(self, hold: Hold, statement: str, values: Sequence[Any]) -> None:
        def act(sheet: Sheet) -> None:
            _fence(sheet.connection, hold)
            sheet.run(statement, values)

        await self._store.write(Writing(act))

    # whoever runs the house

    async def rewind(self, name: str) -> None:
        def act(sheet: Sheet) -> None:
            _known(sheet.connection, name)
            sheet.run("UPDATE cursors SET rebuilding = 1, token = token + 1 WHERE name = ?", (name,))

        await self._store.write(Writing(act))

    async def list(self) -> Sequence[Cursor]:
        return list(map(cursors.to_cursor, await self._store.read(lambda c: c.execute(cursors.LISTED).fetchall())))

    async def drop(self, name: str) -> bool:
        def act(sheet: Sheet) -> bool:
            for table in ("followed", "forgotten"):
                sheet.run(f"DELETE FROM {table} WHERE follower = ?", (name,))
            sheet.run("DELETE FROM cursors WHERE name = ?", (name,))
            return sheet.connection.execute("SELECT 1 FROM cursors WHERE name = ?", (name,)).fetchone() is not None

        there: bool = await self._store.write(Writing(act, heavy=True))
        await self._watch()
        return there


def _act(statement: str, values: Sequence[Any]) -> Writing:
    return Writing(lambda sheet: sheet.run(statement, values))


def _known(connection: sqlite3.Connection, name: str) -> Sequence[Any]:
    columns = "token, holder, busy_until, tries, rebuilding"
    row: Sequence[Any] | None = connection.execute(f"SELECT {columns} FROM cursors WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise cursors.unknown(name)
    return row


def _fence(connection: sqlite3.Connection, hold: Hold) -> None:
    held = "SELECT 1 FROM cursors WHERE name = ? AND token = ? AND holder IS NOT NULL"
    if connection.execute(held, (hold.name, hold.token)).fetchone() is None:
        raise cursors.lost(hold)
