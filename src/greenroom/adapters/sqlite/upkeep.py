"""Upkeep in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from greenroom.adapters.sql import deciding
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sqlite import inspection, removal, rows, witness
from greenroom.adapters.sqlite.backup import BACKUPS
from greenroom.adapters.sqlite.file import reading
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.journal import lineage, transitions
from greenroom.journal.records import Attempt, Removed, Snapshot, Step, Stored, Stream
from greenroom.kernel.errors import Conflict, Forgotten, Locked
from greenroom.kernel.letters import Letter
from greenroom.kernel.tables import Change

#: How often the log is cut anew when a reader is in the way; SQLite itself waits some seconds each time.
_CHECKPOINTS = 3
_PART = 500


class SqliteUpkeep:
    def __init__(self, store: Store) -> None:
        self._store = store

    # facts about the house

    async def touch(self) -> None:
        await self._store.write(Writing(lambda _: None))

    async def note(self, key: str, value: str) -> None:
        def act(sheet: Sheet) -> None:
            sheet.run(
                "INSERT INTO house (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value.encode()),
            )

        await self._store.write(Writing(act))

    async def notes(self, prefix: str) -> Mapping[str, str]:
        def look(connection: sqlite3.Connection) -> Mapping[str, str]:
            found = connection.execute(
                "SELECT key, value FROM house WHERE substr(key, 1, ?) = ?", (len(prefix), prefix)
            )
            return {key.removeprefix(prefix): bytes(value).decode() for key, value in found}

        return await self._store.read(look)

    # looking

    async def check(self, stream: str | None = None) -> Sequence[str]:
        if stream is not None:
            return await self._store.read(
                lambda connection: inspection.out_of_step(connection, *self._store.stream(connection, stream))
            )
        path, lost = self._store.path, self._store.writer.anchor.lost
        pages = await self._store.read(lambda connection: witness.page_problems(path, connection))
        if damaged := await self._store.read(inspection.damaged_pages):
            return [*damaged, *pages]  # rows cannot be counted on pages that cannot be read
        found = [*lost, *pages, *await self._store.read(inspection.leftovers)]
        after = 0
        while True:
            last, sentences = await self._store.read(lambda connection, a=after: _page(connection, a))  # type: ignore[misc]
            found.extend(sentences)
            if last is None:
                return found
            after = last

    async def snapshots(self, stream: str) -> Sequence[int]:
        def look(connection: sqlite3.Connection) -> Sequence[int]:
            sid, _ = self._store.stream(connection, stream)
            found = connection.execute("SELECT version FROM snapshots WHERE sid = ? ORDER BY version", (sid,))
            return [version for (version,) in found]

        return await self._store.read(look)

    async def backups_with(self, owner: str) -> Sequence[str]:
        folder = self._store.path.parent / BACKUPS
        return await self._store.read(
            lambda _: [str(path) for path in sorted(folder.glob("*.db")) if _holds(path, owner)]
        )

    # taking in

    async def adopt(
        self,
        stream: Stream,
        *,
        attempts: Sequence[Attempt],
        steps: Sequence[Step],
        snapshots: Sequence[Snapshot],
        memories: Sequence[Stored],
        letters: Sequence[Letter],
        changes: Sequence[tuple[int, Change]],
    ) -> None:
        def act(sheet: Sheet) -> None:
            if sheet.knows(stream.name):
                raise Conflict(f"there is a stream {stream.name} already; remove it first or import elsewhere")
            sheet.refuse_removed(stream.name)
            _refuse_shared(sheet.connection, [stored.memory.id for stored in memories])
            sheet.put_stream(stream)
            sheet.check_unique(stream, changes)
            sid = sheet.sid(stream.name)
            sheet.put_all("attempts", (rows.attempt_row(sid, attempt) for attempt in attempts))
            sheet.put_all("steps", (rows.step_row(sid, step) for step in steps))
            sheet.put_all("snapshots", ((sid, s.version, s.shape, s.state) for s in snapshots))
            sheet.put_all(
                "memories", (rows.memory_row(sid, stream.world, s.version, stream.born_at, s.memory) for s in memories)
            )
            sheet.put_all("letters", (rows.letter_row(sid, letter) for letter in letters))
            sheet.change_all(stream, changes)
            deciding.note(sheet, stream, self._store.watched)

        await self._store.write(Writing(act, heavy=True))

    async def replace_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        def act(sheet: Sheet) -> None:
            owner = lineage.fork_point(sheet.chain(stream), snapshot.version)
            sheet.put("snapshots", (sheet.sid(owner.name), snapshot.version, snapshot.shape, snapshot.state))

        await self._store.write(Writing(act))

    # taking out

    async def memories(self, owner: str) -> Sequence[Stored]:
        columns = ", ".join(f"m.{name.strip()}" for name in rows.MEMORY.split(","))
        statement = (
            f"SELECT s.name, {columns} FROM memories m JOIN streams s ON s.sid = m.sid WHERE m.owner = ? ORDER BY m.id"
        )
        found = await self._store.read(lambda connection: connection.execute(statement, (owner,)).fetchall())
        return [rows.to_stored(name, row) for name, *row in found]

    async def belongings(self, owner: str) -> Removed:
        return await self._store.read(lambda c: removal.removed(c, removal.family(c, owner), owner))

    async def forget(self, owner: str, *, now: int) -> Removed:
        def act(sheet: Sheet) -> Removed:
            going = removal.family(sheet.connection, owner)
            removed = removal.removed(sheet.connection, going, owner)
            removal.take_out(sheet, going, now=now, secret=self._store.secret)
            sheet.run("DELETE FROM memories WHERE owner = ?", (owner,))
            sheet.run("DELETE FROM tickets WHERE owner = ?", (owner,))
            return removed

        removed: Removed = await self._store.write(Writing(act, heavy=True))
        await self._store.writer.alone(self._scrub)
        return removed

    def _scrub(self, connection: sqlite3.Connection) -> None:
        """Leave no old copy of a deleted row: in search indexes, in moved or freed pages, in the log."""
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'"
        ).fetchall():
            connection.execute(f'INSERT INTO "{name}" ("{name}") VALUES (\'optimize\')')
        # The copy that VACUUM makes holds only what stays; on disk, because the house may not fit into memory.
        connection.execute("PRAGMA temp_store = FILE")
        try:
            connection.execute("VACUUM")
        finally:
            connection.execute("PRAGMA temp_store = MEMORY")
        for _ in range(_CHECKPOINTS):
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return
        raise Locked(
            f"{self._store.path}: the person is removed, but another program still reads the old log; "
            "close it and forget again"
        )

    async def remove(self, streams: Sequence[str], *, now: int, dry: bool) -> Removed:
        def look(connection: sqlite3.Connection) -> Removed:
            return removal.removed(connection, removal.removable(connection, streams))

        def act(sheet: Sheet) -> Removed:
            going = removal.removable(sheet.connection, streams)
            removed = removal.removed(sheet.connection, going)
            removal.take_out(sheet, going, now=now, secret=self._store.secret)
            return removed

        if dry:
            return await self._store.read(look)
        removed: Removed = await self._store.write(Writing(act, heavy=True))
        return removed

    async def releasable(self, stream: str, names: Sequence[str]) -> Removed:
        def look(connection: sqlite3.Connection) -> Removed:
            _, row = self._store.stream(connection, stream)
            going = transitions.released(row, names, lambda name: self._found(connection, name))
            return removal.removed(connection, removal.with_kin(connection, going))

        return await self._store.read(look)

    def _found(self, connection: sqlite3.Connection, name: str) -> Stream | None:
        try:
            return self._store.stream(connection, name)[1]
        except Forgotten:
            return None

    async def prune(self, stream: str, before: int, *, shape: int, now: int, dry: bool) -> Removed:
        def look(connection: sqlite3.Connection) -> Removed:
            sid, row = self._store.stream(connection, stream)
            return removal.cut(connection, sid, row, self._logs, before=before, shape=shape).removed

        def act(sheet: Sheet) -> Removed:
            row = sheet.stream(stream)
            logs = self._logs
            found = removal.cut(sheet.connection, sheet.sid(stream), row, logs, before=before, shape=shape)
            if found.mark > row.mark:
                removal.cut_off(sheet, found, logs)
            return found.removed

        if dry:
            return await self._store.read(look)
        removed: Removed = await self._store.write(Writing(act, heavy=True))
        return removed

    @property
    def _logs(self) -> Sequence[Projection]:
        return [projection for projection in self._store.projections.values() if projection.table.log]


def _page(connection: sqlite3.Connection, after: int) -> tuple[int | None, Sequence[str]]:
    streams = inspection.page(connection, after)
    sentences = [sentence for sid, stream in streams for sentence in inspection.out_of_step(connection, sid, stream)]
    return (streams[-1][0] if streams else None), sentences


def _refuse_shared(connection: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Memory ids are unique in the house: two streams cannot hold one memory."""
    for start in range(0, len(ids), _PART):
        part = ids[start : start + _PART]
        marks = ", ".join("?" * len(part))
        clash = connection.execute(
            f"SELECT m.id, s.name FROM memories m JOIN streams s ON s.sid = m.sid WHERE m.id IN ({marks}) LIMIT 1", part
        ).fetchone()
        if clash is not None:
            raise Conflict(
                f"memory {clash[0]} is in stream {clash[1]} of this house already; a stream that shares its past "
                "with one that is here cannot be taken in"
            )


def _holds(path: Path, owner: str) -> bool:
    """Whether a backup holds something of a person; one that cannot be read might."""
    try:
        with reading(path) as connection:
            held = "SELECT 1 FROM streams WHERE owner = ? UNION ALL SELECT 1 FROM memories WHERE owner = ? LIMIT 1"
            return connection.execute(held, (owner, owner)).fetchone() is not None
    except sqlite3.Error:
        return True
