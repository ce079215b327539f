"""A bell within one process."""

from __future__ import annotations

import asyncio
import contextlib


class LocalNotifier:
    """Rung by every write of this process."""

    def __init__(self) -> None:
        self._count = 0
        self._rung = asyncio.Event()

    def notify(self) -> None:
        self._count += 1
        self._rung.set()
        self._rung = asyncio.Event()

    async def wait(self, seconds: float, since: int) -> int:
        if self._count == since:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._rung.wait()
        return self._count
