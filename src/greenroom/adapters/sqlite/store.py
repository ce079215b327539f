"""The open file: its writer, its readers, and what is done with a file as a whole."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from array import array
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.removal import OF_PERSON
from greenroom.adapters.sql.store import Act, Clash, Job, Look, Reader, SqlStore, T, Transaction
from greenroom.adapters.sqlite import witness
from greenroom.adapters.sqlite.backup import BACKUPS
from greenroom.adapters.sqlite.connection import connect, our_errors
from greenroom.adapters.sqlite.dialect import MISFITS, SqliteExecutor, clash_of, straight
from greenroom.adapters.sqlite.file import LOCK_SECONDS, file_lock, reading
from greenroom.adapters.sqlite.notifier import SqliteNotifier
from greenroom.adapters.sqlite.writer import SqliteWriter
from greenroom.kernel.errors import BackendError, Locked, ReadOnly

#: Threads that read; each with a connection of its own.
READERS = 2
#: How often the log is cut anew when a reader is in the way; SQLite itself waits some seconds each time.
_CHECKPOINTS = 3
_MOST_FOUND = 20


class SqliteStore(SqlStore):
    """One SQLite file in use."""

    world_tables = (
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
        "WHERE m.type = 'table' AND c.name IN ('sid', 'version', 'root') "
        "GROUP BY m.name HAVING count(*) = 3 ORDER BY m.name"
    )
    most_held = 2**62
    most_loaded = 30_000
    threaded = True

    def __init__(self, path: Path, projections: Mapping[str, Projection], secret: bytes, watched: Watched) -> None:
        super().__init__(str(path), projections, secret, watched)
        self.path = path
        self.writer = SqliteWriter(path, projections, secret)
        self.notifier: SqliteNotifier = SqliteNotifier(path)
        self._closed = False
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="greenroom reader")

    # reading

    async def read(self, look: Look[T]) -> T:
        """Run a look on a reader's thread, all of it at one moment."""
        if self._closed:
            raise BackendError(f"{self.path}: the house is closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, look)

    async def glance(self, look: Look[T]) -> T:
        """Run a look here and now: a thread would take five times as long to be asked."""
        if self._closed:
            raise BackendError(f"{self.path}: the house is closed")
        try:
            return self._read(look, patience=0)
        except Locked:
            return await self.read(look)  # which has the time to wait

    def _read(self, look: Look[T], patience: int | None = None) -> T:
        with our_errors(self.path):
            reader = self._reader(patience)
            reader.connection.execute("BEGIN")
            try:
                return straight(look(reader))
            finally:
                reader.connection.execute("COMMIT")

    def _reader(self, patience: int | None) -> SqliteExecutor:
        """Those of this thread."""
        reader: SqliteExecutor | None = getattr(self._local, "reader", None)
        if reader is None:
            connection = connect(self.path, writes=False)
            if patience is not None:
                connection.execute(f"PRAGMA busy_timeout = {patience}")
            reader = self._local.reader = SqliteExecutor(connection)
            self._opened.append(connection)
        return reader

    # writing

    def write(self, job: Job) -> asyncio.Future[Any]:
        return self.writer.write(job)

    async def act(
        self,
        act: Act[T],
        streams: Sequence[str] = (),
        keys: Mapping[str, str] | None = None,
        *,
        heavy: bool = False,
        patient: bool = False,
        quiet: bool = False,
    ) -> T:
        def decide(unit: Any) -> T:
            return straight(act(unit))

        done: T = await self.writer.write(Job(decide, streams, keys or {}, patient=patient, alone=True, heavy=heavy))
        return done

    def clash(self, error: BackendError) -> Clash | None:
        return clash_of(error.__cause__) if isinstance(error.__cause__, MISFITS) else None

    def constraint(self, table: str, columns: Sequence[str]) -> str:
        return ", ".join(f"{table}.{column}" for column in columns)

    def to_vector(self, floats: Sequence[float]) -> bytes:
        return array("f", floats).tobytes()

    def from_vector(self, stored: Any) -> bytes:
        return bytes(stored)

    # looking after it

    async def touch(self) -> None:
        async def act(_: Transaction) -> None:
            pass

        await self.act(act)

    async def damage(self) -> tuple[Sequence[str], bool]:
        async def look(reader: Reader) -> tuple[Sequence[str], Sequence[str]]:
            assert isinstance(reader, SqliteExecutor)
            pages = witness.page_problems(self.path, reader.connection)
            found = [str(row[0]) for row in await reader.all(f"PRAGMA integrity_check({_MOST_FOUND})")]
            return pages, [] if found == ["ok"] else [f"the file is damaged: {line}" for line in found]

        pages, damaged = await self.read(look)
        if damaged:  # rows cannot be counted on pages that cannot be read
            return [*damaged, *pages], False
        return [*self.writer.anchor.lost, *pages], True

    async def scrub(self) -> None:
        await self.writer.alone(self._scrub)

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
            f"{self.path}: the person is removed, but another program still reads the old log; "
            "close it and forget again"
        )

    async def backups_with(self, owner: str) -> Sequence[str]:
        folder = self.path.parent / BACKUPS

        async def look(_: Reader) -> Sequence[str]:
            return [str(path) for path in sorted(folder.glob("*.db")) if _holds(path, owner)]

        return await self.read(look)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.notifier.close()
        await self.writer.close()
        self._readers.shutdown(wait=True)
        for connection in self._opened:
            connection.close()
        with suppress(ReadOnly, Locked), file_lock(self.path, seconds=LOCK_SECONDS):
            witness.write_sums(self.path)


def _holds(path: Path, owner: str) -> bool:
    """Whether a backup holds something of a person; one that cannot be read might."""
    try:
        with reading(path) as connection:
            there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            kept = {"streams": "owner", "memories": "owner"} | {t: "user_id" for t in OF_PERSON if t in there}
            held = [f"SELECT 1 FROM {table} WHERE {column} = ?" for table, column in kept.items()]
            found = connection.execute(f"{' UNION ALL '.join(held)} LIMIT 1", [owner] * len(held))
            return found.fetchone() is not None
    except sqlite3.Error:
        return True
