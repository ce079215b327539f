"""The worker: claims what is ready, sends what is due, lets go of what is old, and stops politely."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from greenroom.kernel.errors import GreenroomError
from greenroom.kernel.worlds import Retention
from greenroom.ports import MovableClock
from greenroom.services import retention
from greenroom.services.house import House
from greenroom.services.outbox import OutboxRelay

log = logging.getLogger("greenroom")

#: How long an idle worker sleeps at most before it looks by itself.
LOOK_SECONDS = 1.0
#: A bell that rings for others' work again and again is heard so much later at most.
LULL_SECONDS = 0.04
#: How long turns in progress may take to finish when the worker is asked to stop.
GRACE_SECONDS = 5.0
#: How often retention is applied.
TIDY_SECONDS = 3600.0


class Worker:
    """Drives the streams of one house, any number at once, each one turn at a time."""

    def __init__(self, house: House, postman: OutboxRelay, *, concurrency: int = 64) -> None:
        self._house = house
        self._postman = postman
        self._concurrency = concurrency
        self._driving: set[asyncio.Task[None]] = set()
        self._rounds = asyncio.Lock()
        self._tidy_at = 0.0

    async def run(self, stop: asyncio.Event) -> None:
        """Work until asked to stop; then finish or hand back what is in progress."""
        following = asyncio.create_task(self._house.following.run(stop), name="followers")
        try:
            await self._loop(stop)
        finally:
            await self._wind_up()
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def _loop(self, stop: asyncio.Event) -> None:
        rung, pause, lull = -1, 0.05, 0.0
        while not stop.is_set():
            try:
                await self._tidy()
                if await self.round():
                    lull = 0.0
                else:
                    await asyncio.sleep(lull)
                    rung = await self._rest(stop, rung)
                    lull = min(lull + LULL_SECONDS / 4, LULL_SECONDS)
                pause = 0.05
            except GreenroomError as error:  # the worker outlives whatever the database or a letter's world says
                pause = min(pause * 2, 5.0)
                log.warning("%s; trying again in %.1f seconds", error, pause)
                await _either(stop, asyncio.create_task(asyncio.sleep(pause)))

    async def _tidy(self) -> None:
        """Apply what the worlds say of retention, now and then."""
        if time.monotonic() < self._tidy_at:
            return
        self._tidy_at = time.monotonic() + TIDY_SECONDS
        house = self._house
        if any(codec.world.retention != Retention() for codec in house.codecs.values()):
            pruned = await retention.prune(house.backend, house.codecs, now=house.now(), dry=False)
            for stream in pruned.removed:
                house.states.drop(stream)

    async def round(self) -> bool:
        """Claim and send once; whether there was anything.

        One round at a time: whoever waits for quiet beside a running worker must not miss the letter it is carrying.
        """
        async with self._rounds:
            sent = await self._postman.round()
            return bool(await self._claim()) or bool(sent)

    async def _claim(self) -> int:
        room = self._concurrency - len(self._driving)
        if room <= 0:
            await asyncio.wait(self._driving, return_when=asyncio.FIRST_COMPLETED)
            return 1
        attempts = self._house.backend.attempts
        claims = await attempts.claim(self._house.engine.lease(), now=self._house.now(), limit=room)
        for claim in claims:
            task = asyncio.create_task(self._house.engine.drive(claim), name=f"drive {claim.stream.name}")
            self._driving.add(task)
            task.add_done_callback(self._driving.discard)
        return len(claims)

    async def quiet(self) -> None:
        """Work until nothing can be claimed and nothing is in progress."""
        while await self.round() or self._driving or self._house.engine.busy:
            if self._driving:
                await asyncio.wait(self._driving)
            elif self._house.engine.busy:
                await self._house.engine.resting()

    async def advance(self, clock: MovableClock, until: int) -> None:
        """Let virtual time pass, stopping at every moment something is due and moving on only when all is quiet."""
        while True:
            await self.quiet()
            following = await self._next_at(clock.now())
            if following is None or following > until:
                break
            clock.move(following)
        clock.move(until)
        await self.quiet()

    async def _next_at(self, after: int) -> int | None:
        """The next moment at which a stream or a letter is due."""
        backend, worlds = self._house.backend, self._house.engine.worlds
        due = (await backend.attempts.next_at(after, worlds), await backend.outbox.next_at(after, worlds))
        return min((moment for moment in due if moment is not None), default=None)

    async def _rest(self, stop: asyncio.Event, rung: int) -> int:
        """Sleep until something is written, comes due, or a second is over."""
        house = self._house
        following = await self._next_at(house.now())
        ring = asyncio.create_task(house.backend.notifier.wait(LOOK_SECONDS, rung))
        waits: list[asyncio.Task[Any]] = [ring]
        if following is not None:
            waits.append(asyncio.create_task(house.outside.clock.until(following)))
        await _either(stop, *waits)
        return ring.result() if ring.done() and not ring.cancelled() else rung

    async def _wind_up(self) -> None:
        if self._driving:
            await asyncio.wait(self._driving, timeout=GRACE_SECONDS)
        for task in list(self._driving):
            task.cancel()
        if self._driving:
            await asyncio.wait(self._driving)


async def _either(stop: asyncio.Event, *waits: asyncio.Task[Any]) -> None:
    stopping = asyncio.create_task(stop.wait())
    everything: set[asyncio.Task[Any]] = {stopping, *waits}
    try:
        await asyncio.wait(everything, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in everything:
            task.cancel()
        await asyncio.gather(*everything, return_exceptions=True)
