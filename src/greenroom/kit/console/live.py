"""One pair of ears for all browsers: hears the house's bell once and tells whoever watches what has moved."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from greenroom.kernel.errors import BackendError, GreenroomError
from greenroom.services.house import House

log = logging.getLogger("greenroom")

#: A page's way to look again; it works out by itself what is new.
LookAgain: TypeAlias = Callable[[], Awaitable[None]]

#: How long to wait for the bell before looking unasked.
LISTEN_SECONDS = 1.0
#: Rest between two rounds, and its share of what a round takes: under load the ears leave the house its time.
REST_SECONDS = 0.05
REST_SHARE = 4.0


class PageWatch:
    """One page that wants to know. Rings that come while it looks are one ring."""

    def __init__(self, look: LookAgain, rest: float) -> None:
        self._look = look
        self._rest = rest
        self._rung = asyncio.Event()
        self.task = asyncio.create_task(self._run(), name="console watch")

    def ring(self) -> None:
        self._rung.set()

    async def _run(self) -> None:
        while True:
            await self._rung.wait()
            self._rung.clear()
            try:
                await self._look()
            except GreenroomError as error:  # the page stays as it is and looks again at the next ring
                log.warning("console: %s", error)
            await asyncio.sleep(self._rest)


class LivePage:
    """Tells pages when their stream, or anything in the house, has moved.

    However many browsers watch, the bell has one listener here and a stream that moved is read once.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._of_stream: dict[str, set[PageWatch]] = {}
        self._of_house: set[PageWatch] = set()
        self._seen: dict[str, object] = {}
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="console ears")

    async def close(self) -> None:
        watches = [*self._of_house, *(watch for some in self._of_stream.values() for watch in some)]
        tasks = [watch.task for watch in watches] + ([self._task] if self._task else [])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def watch(self, stream: str | None, look: LookAgain, *, rest: float = 0.0) -> PageWatch:
        """Have ``look`` called whenever the stream moves; with no stream named, whenever anything was written.

        After each look there is a rest of so many seconds.

        It is called once at the beginning: what happened before somebody watched is not missed.
        """
        watch = PageWatch(look, rest)
        (self._of_house if stream is None else self._of_stream.setdefault(stream, set())).add(watch)
        self._wanted.set()
        watch.ring()
        return watch

    def leave(self, watch: PageWatch) -> None:
        """Call no more."""
        watch.task.cancel()
        self._of_house.discard(watch)
        for stream, watches in list(self._of_stream.items()):
            watches.discard(watch)
            if not watches:
                del self._of_stream[stream]
                self._seen.pop(stream, None)

    @property
    def watched(self) -> int:
        """How many pages watch."""
        return len(self._of_house) + sum(map(len, self._of_stream.values()))

    async def _run(self) -> None:
        rung = -1
        while True:
            if not self.watched:
                self._wanted.clear()
                await self._wanted.wait()
            heard = await self._house.changed(LISTEN_SECONDS, rung)
            began = time.monotonic()
            for watch in self._of_house if heard != rung else ():
                watch.ring()
            rung = heard
            for stream in list(self._of_stream):
                await self._listen_to(stream)
            await asyncio.sleep(max(REST_SECONDS, REST_SHARE * (time.monotonic() - began)))

    async def _listen_to(self, stream: str) -> None:
        try:
            row = await self._house.stream(stream)
            mark: object = (row.version, row.recorded, row.open, row.clock_at)
        except BackendError as error:  # looked at again in the next round
            log.warning("console: %s", error)
            return
        except GreenroomError as error:  # it is gone: the page finds out when it looks, and says so
            mark = type(error)
        if self._seen.get(stream) != mark:
            self._seen[stream] = mark
            for watch in self._of_stream.get(stream, ()):
                watch.ring()
