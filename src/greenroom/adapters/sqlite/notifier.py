"""A bell that also hears other processes: it watches the number SQLite raises with every commit."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from pathlib import Path

from greenroom.adapters.sqlite.connection import connect
from greenroom.kernel.errors import GreenroomError

#: How often the file is looked at while somebody listens.
LOOK_SECONDS = 0.01


class SqliteNotifier:
    """Rung by every commit to the file, of this process or another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = 0
        self._listeners: set[asyncio.Future[None]] = set()
        self._lock = threading.Lock()
        self._listening = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="greenroom notifier", daemon=True)
        self._thread.start()

    async def wait(self, seconds: float, since: int) -> int:
        if self._count != since:
            return self._count
        ring: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._listeners.add(ring)
            self._listening.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await ring
        with self._lock:
            self._listeners.discard(ring)
        return self._count

    def _watch(self) -> None:
        connection: sqlite3.Connection | None = None
        seen = None
        while not self._closing.is_set():
            try:
                connection = connection or connect(self._path, writes=False)
                (now,) = connection.execute("PRAGMA data_version").fetchone()
            except (sqlite3.Error, GreenroomError):
                now = seen  # whoever listens looks by himself after a while
            if now != seen:
                seen = now
                self._ring()
            with self._lock:
                if not self._listeners and not self._closing.is_set():
                    self._listening.clear()
            if not self._listening.wait(timeout=0.5):
                continue
            self._closing.wait(LOOK_SECONDS)
        if connection is not None:
            connection.close()

    def _ring(self) -> None:
        self._count += 1
        with self._lock:
            listeners, self._listeners = self._listeners, set()
        for ring in listeners:
            loop = ring.get_loop()
            if not loop.is_closed():
                loop.call_soon_threadsafe(_set, ring)

    def close(self) -> None:
        with self._lock:  # or the thread, about to rest, would miss it for half a second
            self._closing.set()
            self._listening.set()
        self._thread.join()


def _set(ring: asyncio.Future[None]) -> None:
    if not ring.done():
        ring.set_result(None)
