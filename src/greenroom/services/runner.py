"""Runs turns in this process, and tells whoever waits for one when it is settled, here or elsewhere."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, TypeAlias

from greenroom.journal.records import Attempt, Claim, Receipt, Recording
from greenroom.kernel.errors import BackendError, Conflict, GreenroomError
from greenroom.ports import Backend
from greenroom.services.asking import Drafted, Parked
from greenroom.services.driver import Driver, Turned

log = logging.getLogger("greenroom")

#: How long a caller waits for a turn that it does not hear of before it looks by itself.
LOOK_AGAIN_SECONDS = 0.25
#: How long turns in progress may take to end when the house closes; whoever waits for a model is then cut off.
GRACE_SECONDS = 0.25

_Waiting: TypeAlias = asyncio.Future[Turned | None]


class Runner:
    """The turns of one process: each stream one at a time, any number of streams at once."""

    def __init__(self, backend: Backend, driver: Driver) -> None:
        self._backend = backend
        self._driver = driver
        self._driving: set[str] = set()
        #: Commands on their way into the back-end that may come back with a stream to drive.
        self._taking = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._awaited: dict[tuple[str, int], _Waiting] = {}
        self._resting: list[asyncio.Future[None]] = []
        self._leaving = False
        self._closed = False

    def drives(self, stream: str) -> bool:
        """Whether a turn of this stream is under way in this process."""
        return stream in self._driving

    @property
    def busy(self) -> bool:
        return bool(self._driving or self._taking)

    # recording

    async def record(self, recording: Recording) -> Receipt:
        """Record a command, and drive its stream if nobody does.

        The stream is held in the back-end before we hear of it; nobody must think meanwhile that all is quiet.
        """
        if self.drives(recording.stream):
            return await self._backend.attempts.record(recording, None)
        self._taking += 1
        try:
            receipt = await self._backend.attempts.record(recording, self._driver.lease())
            if receipt.claim is not None:
                self.go_on(receipt.claim)
            return receipt
        finally:
            self._taking -= 1
            self._tell_resting()

    # driving

    async def draft(self, claim: Claim, command: Any) -> Turned:
        """Run a turn that is recorded by its own settlement, if it asks nothing.

        Raises:
            Conflict: it has to be recorded the ordinary way.
            Parked: it is recorded, and waits.
        """
        stream = claim.stream.name
        self._driving.add(stream)
        try:
            turned = await self._driver.turn(claim, command)
        except BaseException as error:
            self._done_with(stream)
            if isinstance(error, Drafted) and error.claim is not None:
                self.go_on(error.claim)  # it is leased to us: nobody else will drive it
            raise
        if turned.settled.next is None:
            self._done_with(stream)
        else:
            self.go_on(turned.settled.next)
        return turned

    def go_on(self, claim: Claim) -> None:
        """Drive a claim in the background."""
        self._driving.add(claim.stream.name)
        task = asyncio.create_task(self.drive(claim), name=f"drive {claim.stream.name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drive(self, claim: Claim) -> None:
        """Drive a claim and whatever follows it in the same lease."""
        stream, following = claim.stream.name, claim
        self._driving.add(stream)
        try:
            while not self._leaving:
                turned = await self._driver.turn(following)
                self._tell(following.attempt, turned)
                if turned.settled.next is None:
                    return
                following = turned.settled.next
            await self._driver.hand_back(following)
        except Parked:
            pass
        except Conflict as lost:
            log.info("%s", lost)
            self._driver.states.drop(stream)
        except GreenroomError as error:
            self._fail(following.attempt, error)
        finally:
            self._done_with(stream)

    # waiting

    async def settled(self, recording: Recording, attempt: Attempt) -> Turned | None:
        """Wait for a recorded attempt, whoever drives it; None when it was another process."""
        place = (attempt.stream, attempt.n)
        waiting = self._awaited.setdefault(place, asyncio.get_running_loop().create_future())
        watching = asyncio.create_task(self._watch(recording, attempt))
        try:
            await _either(watching, waiting)
            return waiting.result() if waiting.done() else watching.result()
        finally:
            watching.cancel()
            if not waiting.done():
                self._awaited.pop(place, None)

    async def _watch(self, recording: Recording, attempt: Attempt) -> None:
        """Return when the stored attempt is settled. If nobody drives it, take it up: recording it again is no harm."""
        rung = -1
        while not self._closed:
            rung = await self._backend.notifier.wait(LOOK_AGAIN_SECONDS, rung)
            if self.drives(attempt.stream):
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
                continue
            found = await self._backend.attempts.find(attempt.stream, attempt.n)
            if found.status is not None:
                return
            await self.record(recording)
        raise self._gone()

    def _gone(self) -> BackendError:
        return BackendError(f"{self._backend.name}: the house is closed")

    def cancelled(self, attempt: Attempt) -> None:
        """An attempt was taken back: whoever waits for it looks at what is stored."""
        self._tell(attempt, None)

    def _tell(self, attempt: Attempt, turned: Turned | None) -> None:
        waiting = self._awaited.pop((attempt.stream, attempt.n), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(turned)

    def _fail(self, attempt: Attempt, error: GreenroomError) -> None:
        log.error("stream %s, attempt %d: %s", attempt.stream, attempt.n, error)
        waiting = self._awaited.pop((attempt.stream, attempt.n), None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(error)

    # resting

    async def resting(self) -> None:
        """Wait until a stream that is driven here has come to rest."""
        if not self.busy:
            await asyncio.sleep(0)
            return
        rest: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._resting.append(rest)
        await rest

    def _done_with(self, stream: str) -> None:
        self._driving.discard(stream)
        self._tell_resting()

    def _tell_resting(self) -> None:
        resting, self._resting = self._resting, []
        for rest in resting:
            if not rest.done():
                rest.set_result(None)

    def leave(self) -> None:
        """Begin no turn any more: what is claimed after one that is under way goes back."""
        self._leaving = True

    async def close(self) -> None:
        """Hand back what is being driven; whoever waits hears that the house is closed."""
        self._leaving = self._closed = True
        if self._tasks:
            # A turn that is being settled has claimed the next one: cut off now, nobody would know of that lease.
            await asyncio.wait(self._tasks, timeout=GRACE_SECONDS)
        while self._tasks:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.wait(self._tasks)
        await self._driver.hand_back_all()
        for waiting in self._awaited.values():
            if not waiting.done():
                waiting.set_exception(self._gone())
        self._awaited.clear()


async def _either(first: asyncio.Future[Any], second: asyncio.Future[Any]) -> None:
    await asyncio.wait([first, second], return_when=asyncio.FIRST_COMPLETED)
