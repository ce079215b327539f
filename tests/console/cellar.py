"""A bar served from a thread of this process, on a clock that the test moves: hours of silence take no time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from greenroom.bootstrap import open_house
from greenroom.entrypoints.http import create
from greenroom.entrypoints.http.serving import address_of, listening, serve
from greenroom.kernel.times import moment
from greenroom.services.house import House
from greenroom.settings import read_settings

T = TypeVar("T")
PATIENCE = 60


class Cellar:
    """A house with its server; everything is asked of it in its own thread."""

    def __init__(self, home: Path, at: datetime) -> None:
        self._home, self._at = home, at
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._house: House
        self.address = ""
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the cellar did not open"
        if self._failed is not None:
            raise self._failed

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:  # noqa: BLE001  told to whoever waits
            self._failed = error
            self._ready.set()
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        settings = read_settings(host="127.0.0.1", port=0)
        async with open_house(self._home / "house.db", clock=self._at) as house, listening(settings) as opened:
            self._house, self.address = house, address_of(opened, settings)
            await serve(create(house, settings), settings, opened, self._stop, ready=self._ready.set)

    def ask(self, use: Callable[[House], Awaitable[T]]) -> T:
        async def used() -> T:
            return await use(self._house)

        return asyncio.run_coroutine_threadsafe(used(), self._loop).result(PATIENCE)

    def advance(self, time: timedelta) -> None:
        """Let time pass; whatever falls due in it happens."""

        async def passed(house: House) -> None:
            await house.advance(moment(house.now()) + time)

        self.ask(passed)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the cellar does not close"
