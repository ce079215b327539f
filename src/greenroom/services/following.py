"""Tells followers what was settled: lease a cursor, read the steps, have them copied, move on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from greenroom.journal.records import Lease, Stream
from greenroom.kernel.errors import CorruptHistory, Forgotten, GreenroomError, LeaseLost, TryLater, Unknown
from greenroom.kernel.times import moment
from greenroom.ports import Backend, Behind, Cursor, Followed, Follower, Hold
from greenroom.ports.following import FIRST
from greenroom.services.states import Codecs, StateCache, check_history, codec_of, folded, told

log = logging.getLogger("greenroom")

#: Steps told at once at most, and streams looked at for them.
STEPS = 64
STREAMS = 32
#: A follower that fails rests, twice as long each time.
LONGEST_SECONDS = 300.0
#: How long a follower is left alone at most when nothing was heard, and at least between two looks.
LOOK_SECONDS = 1.0
LULL_SECONDS = 0.05
#: How often streams are looked for that a process moved which did not know of a follower.
SWEEP_SECONDS = 3600.0


@dataclass(slots=True)
class _Batch:
    """What a follower is told at once, and how far that brings it."""

    steps: list[Followed] = field(default_factory=list)
    upto: list[Behind] = field(default_factory=list)


class Following:
    """The followers of one house."""

    def __init__(
        self,
        backend: Backend,
        codecs: Codecs,
        states: StateCache,
        followers: Sequence[Follower],
        lease: Callable[[], Lease],
    ) -> None:
        self._backend = backend
        self._codecs = codecs
        self._heads = states
        self._lease = lease
        #: By name.
        self.followers = {follower.name: follower for follower in followers}
        self._alone = {name: asyncio.Lock() for name in self.followers}
        #: On the machine's clock, by follower: when its lease wants to be renewed.
        self._renew_at: dict[str, int] = {}
        #: Streams that cannot be read, by follower: said once, and left behind.
        self._damaged: set[tuple[str, str]] = set()

    async def enrol(self) -> None:
        """Have settlements noted for every follower of this house."""
        for follower in self.followers.values():
            await self._backend.cursors.enrol(follower.name, follower.worlds)

    # driving

    async def run(self, stop: asyncio.Event) -> None:
        """Tell every follower, each at its own pace, until asked to stop."""
        await asyncio.gather(*(self._run(name, stop) for name in self.followers))

    async def _run(self, name: str, stop: asyncio.Event) -> None:
        clock, rung, sweep_at = asyncio.get_running_loop().time, -1, 0.0
        while not stop.is_set():
            try:
                if clock() >= sweep_at:
                    await self._backend.cursors.sweep(name)
                    sweep_at = clock() + SWEEP_SECONDS
                while not stop.is_set() and await self.round(name):
                    pass
            except GreenroomError as error:  # the database: turns say so too
                log.warning("follower %s: %s", name, error)
                rung = -1
            rung = await self._rest(stop, rung)

    async def _rest(self, stop: asyncio.Event, rung: int) -> int:
        ring = asyncio.create_task(self._backend.notifier.wait(LOOK_SECONDS, rung))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({ring, stopping}, return_when=asyncio.FIRST_COMPLETED)
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(stopping), LULL_SECONDS)
        finally:
            for task in (ring, stopping):
                task.cancel()
            await asyncio.gather(ring, stopping, return_exceptions=True)
        return rung if ring.cancelled() or ring.exception() else ring.result()

    async def catch_up(self, name: str | None = None) -> None:
        """Tell a follower, or all of this house, everything there is to tell, if nobody else does so already.

        Raises:
            Unknown: this house has no such follower.
        """
        for one in self.followers if name is None else (name,):
            self._of(one)
            await self._backend.cursors.sweep(one)
            while await self.round(one):
                pass

    def _of(self, name: str) -> Follower:
        try:
            return self.followers[name]
        except KeyError:
            known = ", ".join(sorted(self.followers)) or "none"
            raise Unknown(f"no plug-in of this house brings a follower {name}; it has {known}") from None

    async def round(self, name: str) -> bool:
        """Tell one follower of what is behind; whether it was told of anything."""
        follower = self._of(name)
        async with self._alone[name]:  # a lease tells processes apart, not whoever tells within one
            return await self._round(follower, name)

    async def _round(self, follower: Follower, name: str) -> bool:
        lease = self._lease()
        hold = await self._backend.cursors.take(name, lease)
        if hold is None:
            return False
        self._renew_at[name] = _third(lease)
        try:
            moved = await self._tell(follower, hold)
            await self._backend.cursors.release(hold)
        except LeaseLost as lost:
            log.info("%s", lost)
            return False
        except asyncio.CancelledError:
            with suppress(GreenroomError):
                await asyncio.shield(self._backend.cursors.release(hold))
            raise
        except Exception as error:  # noqa: BLE001  whatever a copy's code raises: it is recorded, and tried again
            await self._failed(hold, error)
            return False
        return moved

    async def _tell(self, follower: Follower, hold: Hold) -> bool:
        cursors = self._backend.cursors
        if hold.rebuilding:
            await self._while_held(hold, follower.reset)
            await cursors.begun(hold)
            await cursors.sweep(hold.name)
        after, moved = FIRST, False
        while page := await cursors.behind(hold.name, after=after, limit=STREAMS):
            after = page[-1].place
            gone = [one for one in page if one.gone]
            for one in gone:
                await self._while_held(hold, lambda stream=one.stream: follower.forgotten(stream))  # type: ignore[misc]
            async for batch in self._batches(hold.name, [one for one in page if not one.gone]):
                await self._while_held(hold, lambda steps=tuple(batch.steps): follower.follow(steps, self._texts))  # type: ignore[misc]
                await cursors.told(hold, batch.upto)
                moved = True
            if gone:
                await cursors.told(hold, gone)
                moved = True
        return moved

    async def _texts(self, ids: Sequence[str]) -> Any:
        return await self._backend.bank.get(ids)

    async def _while_held(self, hold: Hold, act: Callable[[], Awaitable[None]]) -> None:
        """Have the follower do something, and keep the lease meanwhile; who has lost it is stopped."""
        if self._lease().wall > self._renew_at[hold.name]:
            await self._renew(hold)
        doing = asyncio.ensure_future(act())
        try:
            while not (await asyncio.wait([doing], timeout=LOOK_SECONDS))[0]:
                await self._renew(hold)
        except BaseException:
            doing.cancel()
            await asyncio.gather(doing, return_exceptions=True)
            raise
        doing.result()

    async def _renew(self, hold: Hold) -> None:
        lease = self._lease()
        await self._backend.cursors.renew(hold, lease)
        self._renew_at[hold.name] = _third(lease)

    async def _failed(self, hold: Hold, error: Exception) -> None:
        """Let it rest; errors of ours never quote words, others might."""
        said = str(error) if isinstance(error, GreenroomError) else f"{type(error).__name__} in follower {hold.name}"
        pause = error.seconds if isinstance(error, TryLater) else min(0.5 * 2**hold.tries, LONGEST_SECONDS)
        log.warning("follower %s: %s; told again in %.1f seconds", hold.name, said, pause)
        until = self._lease().wall + int(pause * 1_000_000)
        with suppress(LeaseLost):
            await self._backend.cursors.release(hold, until=until, error=said)

    # reading

    async def _batches(self, name: str, page: Sequence[Behind]) -> AsyncIterator[_Batch]:
        """The steps of these streams, some at a time; each batch with how far it brings the follower."""
        batch = _Batch()
        for one in page:
            reached = one.told
            async for step in self._steps(name, one):
                batch.steps.append(step)
                reached = step.version
                if len(batch.steps) == STEPS:
                    batch.upto.append(_upto(one, reached))
                    yield batch
                    batch, one = _Batch(), _upto(one, reached)  # noqa: PLW2901
            if reached > one.told:
                batch.upto.append(_upto(one, reached))
        if batch.steps:
            yield batch

    async def _steps(self, name: str, one: Behind) -> AsyncIterator[Followed]:
        """What happened in a stream since; one that cannot be read is said, and stays behind."""
        try:
            async for step in self._read(await self._backend.streams.get(one.stream), one.told):
                yield step
            self._damaged.discard((name, one.stream))
        except Forgotten:
            return  # it was removed meanwhile: that is told next
        except (CorruptHistory, Unknown) as damage:
            if (name, one.stream) not in self._damaged:
                self._damaged.add((name, one.stream))
                log.error("follower %s: %s; the stream is left behind", name, damage)

    async def _read(self, stream: Stream, after: int) -> AsyncIterator[Followed]:
        codec, name = codec_of(self._codecs, stream.world), stream.name
        kept = self._heads.cached(name)
        if after < stream.mark:  # the state at the mark is known, and the step that led to it
            head = await self._heads.at(name, stream.mark)
            async for step in self._backend.history.steps(name, stream.mark - 1, stream.mark):
                yield self._followed(stream, step.version, step.at, told(codec, name, step), head.state)
            after = stream.mark
        else:
            head = kept if kept is not None and kept.version == after else await self._heads.at(name, after)
        state, history = head.state, head.history
        async for step in self._backend.history.steps(name, after, stream.version):
            check_history(name, history, step)
            state, history = folded(codec, state, name, step), step.history
            yield self._followed(stream, step.version, step.at, told(codec, name, step), state)

    @staticmethod
    def _followed(stream: Stream, version: int, at: int, events: Sequence[Any], state: Any) -> Followed:
        return Followed(
            stream=stream.name,
            world=stream.world,
            owner=stream.owner,
            version=version,
            at=moment(at),
            events=tuple(each.event for each in events),
            state=state,
        )

    # whoever runs the house

    async def list(self) -> Sequence[Cursor]:
        """How far each follower is, whether a plug-in of this house brings it or not."""
        return await self._backend.cursors.list()

    async def rebuild(self, name: str) -> None:
        """Have a follower throw its copy away and be told everything again; whoever drives it does that.

        Raises:
            Unknown: there is no such follower, or this house does not have it.
        """
        self._of(name)
        await self._backend.cursors.rewind(name)

    async def drop(self, name: str) -> None:
        """Forget a follower that no plug-in brings any more; its copy stays where it is.

        Raises:
            Unknown: there is no such follower.
        """
        if not await self._backend.cursors.drop(name):
            raise Unknown(f"there is no follower {name}; greenroom db follow lists them")


def _third(lease: Lease) -> int:
    """When a third of a lease is over."""
    return lease.wall + (lease.until - lease.wall) // 3


def _upto(one: Behind, version: int) -> Behind:
    return Behind(place=one.place, stream=one.stream, told=version, version=version)
