"""House clocks: the machine's, and one that moves only when told."""

from __future__ import annotations

import asyncio
import time


class MachineClock:
    """The house lives in real time."""

    def now(self) -> int:
        return time.time_ns() // 1000

    async def until(self, moment: int) -> None:
        await asyncio.sleep(max(0.0, (moment - self.now()) / 1_000_000))


class VirtualClock:
    """The house lives in a time of its own, moved by an operator or a simulation."""

    def __init__(self, now: int) -> None:
        self._now = now
        self._moved = asyncio.Event()

    def now(self) -> int:
        return self._now

    async def until(self, moment: int) -> None:
        while self._now < moment:
            await self._moved.wait()

    def move(self, moment: int) -> None:
        """Show a later moment; time never goes back."""
        self._now = max(self._now, moment)
        self._moved.set()
        self._moved = asyncio.Event()
