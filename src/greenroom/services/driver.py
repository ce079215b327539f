"""Drives an attempt to its settlement: runs the turn as far as it goes, has its asks answered, settles once."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from greenroom.journal import transitions
from greenroom.journal.records import Claim, Lease, Settled, Settlement, Status
from greenroom.kernel.codec import Codec, canonical
from greenroom.kernel.errors import BackendError, Conflict, GreenroomError, Refused, TryLater
from greenroom.kernel.script import Script
from greenroom.kernel.times import moment
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import CommandContext, Done, EventContext, Turn, World
from greenroom.ports import Backend
from greenroom.services import turns
from greenroom.services.asking import Asking, Outside, Parked, Ride
from greenroom.services.states import Codecs, StateCache, StreamState, codec_of

log = logging.getLogger("greenroom")

#: How long a stream is held without renewal. A dead worker's streams wait this long.
LEASE_SECONDS = 10.0
#: How long a stream rests after something outside failed in its turn.
OUTSIDE_SECONDS = 1.0


def wall() -> int:
    """The machine's clock, for leases and back-off only."""
    return time.time_ns() // 1000


class Turned(msgspec.Struct, frozen=True):
    """A settled attempt, with what its giver is to be told of."""

    settled: Settled
    head: StreamState
    told: tuple[EventContext[Any], ...] = ()
    #: Words spoken in this turn, by id.
    texts: Mapping[str, str] = {}


class Driver:
    """Performs turns for one worker."""

    def __init__(
        self,
        *,
        backend: Backend,
        codecs: Codecs,
        outside: Outside,
        worker: str,
        wall: Callable[[], int] = wall,
    ) -> None:
        self._backend = backend
        self._codecs = codecs
        self._outside = outside
        self._worker = worker
        self._wall = wall
        #: What it can drive: the streams of other worlds wait for somebody who has these.
        self.worlds = tuple(sorted(codecs))
        self.states = StateCache(backend, codecs)
        self._held: dict[str, Claim] = {}
        #: Held by the one suspect that is being driven.
        self._alone = asyncio.Lock()
        self._asking = Asking(backend, codecs, outside, lease=self.lease, hold=self._hold)

    def lease(self) -> Lease:
        now = self._wall()
        return Lease(worker=self._worker, wall=now, until=now + int(LEASE_SECONDS * 1_000_000), worlds=self.worlds)

    # one turn

    async def turn(self, claim: Claim, command: Any = None) -> Turned:
        """Drive one claimed attempt, or a draft, until it is settled.

        Raises:
            Parked: the attempt waits, for a child stream or for better times; nothing is lost.
            LeaseLost: another worker has it.
            Conflict: a draft no longer fits; record it the ordinary way.
        """
        if transitions.suspect(claim.attempt) and claim.attempt.tries <= transitions.MOST_TRIES:
            return await self._turn_alone(claim)
        return await self._turn(claim, command)

    async def _turn_alone(self, claim: Claim) -> Turned:
        """One suspect at a time: the worker's death is then no neighbour's fault, and each can finish."""
        self._hold(claim)
        try:
            async with self._alone:
                await self._backend.attempts.begin(claim)
                return await self._turn(claim, None)
        except asyncio.CancelledError:
            if claim.stream.name in self._held:  # it was still waiting
                await self.hand_back(claim)
            raise
        finally:
            self._held.pop(claim.stream.name, None)

    async def _turn(self, claim: Claim, command: Any) -> Turned:
        try:
            codec = codec_of(self._codecs, claim.stream.world)
            if claim.attempt.tries > transitions.MOST_TRIES:
                return await self._give_up(claim)
            ride = await self._start(codec, claim, command)
        except GreenroomError:
            # The stored stream cannot be read by this house; another one, or a repair, may go on with it.
            await self.hand_back(claim, LEASE_SECONDS)
            raise
        self._hold(ride.claim)
        try:
            return await self._finish(ride)
        finally:
            ride.script.close()
            self._held.pop(claim.stream.name, None)
            if self._outside.aloud is not None:
                self._outside.aloud.hush(claim.stream.name)

    async def _finish(self, ride: Ride) -> Turned:
        try:
            return await self._settle(ride, ride.script.run() or await self._drive(ride))
        except Refused as refusal:
            return await self._settle(ride, Done(), status="refused", error=str(refusal))
        except TryLater as later:
            await self.hand_back(ride.claim, later.seconds)
            raise Parked from later
        except (Conflict, Parked):
            raise
        except BackendError:
            await self.hand_back(ride.claim, OUTSIDE_SECONDS)
            raise
        except asyncio.CancelledError:
            await self.hand_back(ride.claim)
            raise
        except Exception as error:  # noqa: BLE001  whatever a world's code raises is an outcome, recorded as one
            return await self._stumble(ride, error)

    def _hold(self, claim: Claim) -> None:
        if claim.token is not None:
            self._held[claim.stream.name] = claim

    async def keep_leases(self, stop: asyncio.Event) -> None:
        """Renew the leases of everything being driven, until asked to stop."""
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEASE_SECONDS / 3):
                    await stop.wait()
            if self._held:
                with contextlib.suppress(GreenroomError):
                    await self._backend.attempts.renew(tuple(self._held.values()), self.lease())

    async def _start(self, codec: Codec[Any, Any, Any], claim: Claim, command: Any) -> Ride:
        head = self.states.fitting(claim.stream) or await self.states.of(claim.stream)
        if command is None:
            command = await self._reread(codec, claim)
        given = CommandContext(
            stream=claim.stream.name,
            n=claim.attempt.n,
            version=claim.stream.version + 1,
            at=moment(claim.attempt.at),
            seat=claim.attempt.seat,
            owner=claim.stream.owner,
            command=command,
        )
        opens = claim.attempt.key == transitions.OPEN_KEY and claim.attempt.n == 1
        turn = _turn(codec.world, given, head.state, opens=opens)
        return Ride(claim, codec, head, command, Script(turn, claim.answers), answered=bool(claim.answers))

    async def _reread(self, codec: Codec[Any, Any, Any], claim: Claim) -> Any:
        """The command as it was given: its words read back from the bank."""
        where = f"stream {claim.stream.name}, attempt {claim.attempt.n}"
        command = codec.read_command(claim.attempt.command, where)
        count = len(codec.words_of(command))
        if not count:
            return command
        ids = [transitions.command_memory(claim.stream.name, claim.attempt.n, i) for i in range(count)]
        texts = await self._backend.bank.get(ids)
        return codec.with_words(command, [Words(texts.get(id), id=id) for id in ids])

    async def _drive(self, ride: Ride) -> Done[Any]:
        """Go on from where the turn asks."""
        done = None
        while done is None:
            if ride.script.stale_from is not None and ride.claim.answers:
                await self._backend.attempts.discard(ride.claim, ride.script.stale_from)
                ride.claim = replace(ride.claim, answers=())
            await self._asking.perform(ride)
            done = ride.script.run()
        return done

    # endings

    async def _settle(
        self, ride: Ride, done: Done[Any], *, status: Status = "settled", error: str | None = None
    ) -> Turned:
        claim, codec = ride.claim, ride.codec
        written = turns.write(codec, ride.head, claim, done)
        raw = turns.raw_memories(claim, ride.raw, written) if ride.raw else ()
        memories = turns.placed(claim, (*done.memories, *raw) if raw else done.memories, written)
        if claim.attempt.rank == 0 and not written.steps and status == "settled":
            status, error = (
                "failed",
                "the stream was woken and nothing changed; wake_at still names the same moment",
            )
        wake_at, outcome = claim.stream.wake_at, claim.stream.outcome
        if written.steps:
            wake_at, outcome = turns.due(codec, written.head.state), turns.ended(codec, written.head.state)
        settlement = Settlement(
            claim=claim,
            status=status,
            error=error,
            steps=tuple(written.steps),
            snapshots=tuple(written.snapshots),
            changes=tuple(written.changes),
            letters=tuple(written.letters.values()),
            memories=memories,
            kept=canonical(ride.script.kept) if ride.script.kept else None,
            ledger=tuple(ride.ledger),
            wake_at=wake_at,
            outcome=outcome,
            answered=ride.answered,
            releases=done.releases,
            now=self._outside.clock.now(),
            lease=self.lease(),
        )
        settled = await self._backend.history.settle(settlement)
        if settled.attempt.status != status:  # a unique column refused it
            return Turned(settled, ride.head)
        for gone in done.releases:
            self.states.drop(gone)
        head = written.head.at(settled.stream)
        self.states.keep(head)
        texts = {m.id: m.text for _, m in memories if m.text is not None}
        texts |= {w.id: w.text for w in codec.words_of(ride.command) if w.text is not None}
        return Turned(settled, head, tuple(written.told), texts)

    async def _stumble(self, ride: Ride, error: Exception) -> Turned:
        """A bug in a world: try again later, five times in all, then let the stream go on without it."""
        claim = ride.claim
        if claim.draft is not None:
            raise Conflict("the turn failed before it was recorded; record it the ordinary way") from error
        reason = f"{type(error).__name__} in world {ride.codec.world.name}" + _public(error)
        log.warning(
            "stream %s, attempt %d, try %d: %s",
            claim.stream.name,
            claim.attempt.n,
            claim.attempt.tries,
            reason,
        )
        if claim.attempt.tries >= transitions.MOST_TRIES:
            return await self._give_up(claim, reason)
        pause = int(0.05 * 2**claim.attempt.tries * 1_000_000)
        await self._backend.attempts.release(claim, until=self._wall() + pause, error=reason)
        raise Parked

    async def _give_up(self, claim: Claim, reason: str | None = None) -> Turned:
        reason = reason or claim.attempt.error or "the worker died each time"
        settlement = Settlement(
            claim=claim,
            status="failed",
            error=f"given up after {transitions.MOST_TRIES} tries: {reason}",
            answered=True,
            wake_at=claim.stream.wake_at,
            outcome=claim.stream.outcome,
            now=self._outside.clock.now(),
            lease=self.lease(),
        )
        settled = await self._backend.history.settle(settlement)
        head = await self.states.of(settled.stream)
        return Turned(settled, head)

    async def hand_back_all(self) -> None:
        """Give up everything that is held, also for callers who are still waiting for a model."""
        for claim in tuple(self._held.values()):
            await self.hand_back(claim)
        # And what a settlement claims that ends after its turn was cut off: nobody hears of that lease any more.
        with contextlib.suppress(GreenroomError):
            await self._backend.attempts.leave(self._worker)

    async def hand_back(self, claim: Claim, seconds: float = 0) -> None:
        """Give up the lease; the attempt stays open and may be claimed again after so many seconds."""
        if claim.token is None:
            return
        until = self._wall() + int(seconds * 1_000_000)
        try:
            await asyncio.shield(self._backend.attempts.release(claim, until=until))
        except GreenroomError:
            log.info("stream %s could not be handed back; its lease will run out", claim.stream.name)


def _turn(world: World[Any, Any, Any], given: CommandContext[Any], state: Any, *, opens: bool) -> Turn[Any]:
    """The world's own generator, begun only when it is driven."""
    return (yield from (world.open(given) if opens else world.handle(state, given)))


def _public(error: Exception) -> str:
    """What may be said of an error: ours never quote words, others might."""
    if isinstance(error, GreenroomError):
        return f": {error}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f" at {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
