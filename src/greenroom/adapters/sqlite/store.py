"""The open file: its writer, its readers and what every port needs of them."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.connection import connect, our_errors
from greenroom.adapters.sqlite.file import LOCK_SECONDS, file_lock
from greenroom.adapters.sqlite.filling import Job
from greenroom.adapters.sqlite.sheet import Sheet, tombstone
from greenroom.adapters.sqlite.witness import write_sums
from greenroom.adapters.sqlite.writer import Writer
from greenroom.journal.records import Stream
from greenroom.kernel.errors import BackendError, Forgotten, Locked, ReadOnly, Unknown

T = TypeVar("T")

#: Threads that read; each with a connection of its own.
READERS = 2


@dataclass(frozen=True, slots=True)
class Writing:
    """A job made of a function: for what is rare enough not to share a statement with others."""

    act: Callable[[Sheet], Any]
    streams: Sequence[str] = ()
    keys: Sequence[tuple[str, str]] = ()
    heavy: bool = False
    patient = False

    def decide(self, sheet: Sheet) -> Any:
        return self.act(sheet)

    def instead(self, clash: str) -> Job | None:
        return None


class Store:
    """One SQLite file in use."""

    def __init__(self, path: Path, projections: Mapping[str, Projection], secret: bytes) -> None:
        self.path = path
        self.projections = projections
        self.secret = secret
        #: Who follows which world, as far as this process knows.
        self.watched: Watched = {}
        self.writer = Writer(path, lambda connection, known: Sheet(connection, projections, secret, known))
        self._closed = False
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="greenroom reader")

    def write(self, job: Job) -> asyncio.Future[Any]:
        return self.writer.write(job)

    async def read(self, look: Callable[[sqlite3.Connection], T]) -> T:
        """Run a short look at the file on a reader's connection, all of it at one moment."""
        if self._closed:
            raise BackendError(f"{self.path}: the house is closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, look)

    async def glance(self, look: Callable[[sqlite3.Connection], T]) -> T:
        """Find a row or two by their key, here and now: a thread would take five times as long to be asked."""
        if self._closed:
            raise BackendError(f"{self.path}: the house is closed")
        try:
            return self._read(look, patience=0)
        except Locked:
            return await self.read(look)  # which has the time to wait

    def _read(self, look: Callable[[sqlite3.Connection], T], patience: int | None = None) -> T:
        with our_errors(self.path):
            connection = self._connection(patience)
            connection.execute("BEGIN")
            try:
                return look(connection)
            finally:
                connection.execute("COMMIT")

    def _connection(self, patience: int | None) -> sqlite3.Connection:
        """The connection of this thread."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self.path, writes=False)
            if patience is not None:
                connection.execute(f"PRAGMA busy_timeout = {patience}")
            self._local.connection = connection
            self._opened.append(connection)
        return connection

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self.writer.close()
        self._readers.shutdown(wait=True)
        for connection in self._opened:
            connection.close()
        with suppress(ReadOnly, Locked), file_lock(self.path, seconds=LOCK_SECONDS):
            write_sums(self.path)

    # look-ups for readers

    def stream(self, connection: sqlite3.Connection, name: str) -> tuple[int, Stream]:
        try:
            row = connection.execute(f"SELECT {rows.STREAM} FROM streams WHERE name = ?", (name,)).fetchone()
        except UnicodeEncodeError:  # half a character: no stream can have such a name
            raise Unknown(f"there is no stream {name!a}") from None
        if row is not None:
            return row[0], rows.to_stream(row)
        digest = tombstone(self.secret, name)
        if connection.execute("SELECT 1 FROM tombstones WHERE digest = ?", (digest,)).fetchone():
            raise Forgotten(f"stream {name} was removed")
        raise Unknown(f"there is no stream {name}")

    def chain(self, connection: sqlite3.Connection, name: str) -> dict[str, tuple[int, Stream]]:
        """The stream and its ancestors by name, child to root."""
        sid, stream = self.stream(connection, name)
        found = {name: (sid, stream)}
        while stream.parent is not None:
            sid, stream = self.stream(connection, stream.parent)
            found[stream.name] = (sid, stream)
        return found
