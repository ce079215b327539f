"""A bell that every process on the database hears: NOTIFY after a commit, LISTEN on a connection of its own.

Notices are sent after the commit they tell of and at most once in a few milliseconds, not inside the transaction: a
transaction that notifies makes every other one wait for its commit. One that is lost costs a moment: whoever listens
looks by himself after a while.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from greenroom.adapters.postgres.connection import LOST, Connection, connect
from greenroom.kernel.errors import GreenroomError

CHANNEL = "greenroom"
#: How long notices are gathered: whoever listens asks the server four things each time.
GATHER_SECONDS = 0.01
#: How long nobody tries again after the server was away.
AGAIN_SECONDS = 0.5


class PostgresNotifier:
    """Rung by every write to the database, of this process or another."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._count = 0
        self._rung: asyncio.Event | None = None
        self._connection: Connection | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._to_tell = asyncio.Event()
        self._closed = False

    def notify(self) -> None:
        """This process wrote something: told at once, and then a few milliseconds later for all that followed."""
        self._to_tell.set()
        self._keep()

    def _ring(self, *_: Any) -> None:
        self._count += 1
        if self._rung is not None:
            self._rung.set()
            self._rung = None

    async def wait(self, seconds: float, since: int) -> int:
        self._keep()
        if self._count == since:
            self._rung = self._rung or asyncio.Event()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._rung.wait()
        return self._count

    def _keep(self) -> None:
        if self._keeping is None and not self._closed:
            self._keeping = asyncio.get_running_loop().create_task(self._listen(), name="greenroom bell")

    async def _listen(self) -> None:
        """Listen, and tell the others, for as long as the house is open."""
        while not self._closed:
            try:
                await self._tell()
            except (GreenroomError, *LOST):
                self._drop()
                await asyncio.sleep(AGAIN_SECONDS)

    async def _tell(self) -> None:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url, purpose="greenroom bell")
            await self._connection.add_listener(CHANNEL, self._heard)
            self._ring()  # something may have been written while nobody listened
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(AGAIN_SECONDS):
                await self._to_tell.wait()
        if self._to_tell.is_set():
            self._to_tell.clear()
            self._ring()
            await self._connection.execute(f"NOTIFY {CHANNEL}")
            await asyncio.sleep(GATHER_SECONDS)

    def _heard(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        """Somebody wrote; what this process wrote it has heard already."""
        if self._connection is None or pid != self._connection.get_server_pid():
            self._ring()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def close(self) -> None:
        self._closed = True
        if self._keeping is not None:
            if self._to_tell.is_set() and self._connection is not None:
                with contextlib.suppress(GreenroomError, *LOST):
                    await asyncio.sleep(2 * GATHER_SECONDS)  # the last word is sent before the house closes
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        self._drop()
