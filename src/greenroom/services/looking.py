"""Looking into streams: what a seat sees now or at any version, which events it is shown, what it may do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from greenroom.kernel.asks import Json
from greenroom.kernel.codec import Codec, filled
from greenroom.kernel.errors import Forgotten, OutOfRange
from greenroom.kernel.journal import Attempt, Step
from greenroom.kernel.ports import Backend, Clock
from greenroom.kernel.sums import GENESIS
from greenroom.kernel.times import moment
from greenroom.kernel.words import REMOVED
from greenroom.kernel.worlds import Seat, Told
from greenroom.services.heads import Codecs, Head, Heads, check_history, codec_of, told


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A stream at one version, as one seat may see it."""

    stream: str
    world: str
    version: int
    #: The newest version there is.
    newest: int
    at: datetime
    seat: Seat
    body: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEvent:
    """One event, as one seat may see it."""

    version: int
    ordinal: int
    at: datetime
    n: int
    kind: str
    body: Json


@dataclass(frozen=True, slots=True)
class Looking:
    """The part of a house that changes nothing."""

    backend: Backend
    codecs: Codecs
    heads: Heads
    clock: Clock

    async def view(self, stream: str, *, seat: Seat, version: int | None = None) -> Look:
        """See :meth:`House.view`."""
        row = await self.backend.streams.get(stream)
        head = await (self.heads.of(row) if version is None else self.heads.at(stream, version))
        codec = codec_of(self.codecs, row.world)
        at = await self._moment_of(head, version)
        return Look(
            stream=stream,
            world=row.world,
            version=head.version,
            newest=row.version,
            at=at,
            seat=seat,
            body=await self.speak(codec.world.view(head.state, seat, at)),
        )

    async def _moment_of(self, head: Head, version: int | None) -> datetime:
        if version is None:
            now = self.clock.now() if head.stream.clock_at is None else head.stream.clock_at
            return moment(max(now, head.stream.last_at))
        async for step in self.backend.history.steps(head.stream.name, version - 1, version):
            return moment(step.at)
        return moment(head.stream.born_at)

    async def events(
        self, stream: str, *, seat: Seat, after: int = 0, upto: int | None = None
    ) -> AsyncIterator[ShownEvent]:
        """See :meth:`House.events`."""
        row = await self.backend.streams.get(stream)
        codec = codec_of(self.codecs, row.world)
        last = row.version if upto is None else upto
        if last > row.version:
            raise OutOfRange(f"stream {stream} holds versions 0 to {row.version}; {last} is not among them")
        head = await self.heads.at(stream, after)
        state, history = head.state, head.history
        async for step in self.backend.history.steps(stream, after, last):
            check_history(stream, history, step)
            history = step.history
            for event in told(codec, stream, step):
                state = codec.world.evolve(state, event)
                shown = codec.world.shows(state, event, seat)
                if shown is not None:
                    yield _shown(codec, step, event, await self.speak(shown))

    async def legal(self, stream: str, seat: Seat) -> Sequence[Any]:
        """See :meth:`House.legal`."""
        head = await self.heads.now(stream)
        return codec_of(self.codecs, head.stream.world).world.legal(head.state, seat)

    async def as_it_was(self, codec: Codec[Any, Any, Any], attempt: Attempt) -> tuple[Head, tuple[Told[Any], ...]]:
        """The state and events right after an attempt."""
        assert attempt.base is not None
        head = await self.heads.at(attempt.stream, attempt.version)
        events: list[Told[Any]] = []
        history = None if attempt.base else GENESIS
        async for step in self.backend.history.steps(attempt.stream, max(attempt.base - 1, 0), attempt.version or 0):
            if step.version > attempt.base:
                if history is not None:
                    check_history(attempt.stream, history, step)
                events.extend(told(codec, attempt.stream, step))
            history = step.history
        return head, tuple(events)

    async def speak(self, value: Any, known: Mapping[str, str] | None = None, *, gone: bool = False) -> Json:
        """Plain data with the words put in; forgotten ones say so.

        Raises:
            Forgotten: some are forgotten, and ``gone`` says that this is not to be glossed over.
        """
        texts, missing = dict(known or {}), []

        def text_of(id: str) -> str:
            if id not in texts:
                missing.append(id)
            return texts.get(id, REMOVED)

        body = filled(value, text_of)
        if not missing:
            return body
        texts |= await self.backend.bank.get(missing)
        if gone and any(id not in texts for id in missing):
            raise Forgotten("the words of this reply have been removed")
        return filled(value, text_of)


def _shown(codec: Codec[Any, Any, Any], step: Step, event: Told[Any], body: Json) -> ShownEvent:
    return ShownEvent(
        version=step.version,
        ordinal=event.ordinal,
        at=event.at,
        n=step.n,
        kind=codec.kind(event.event),
        body=body,
    )
