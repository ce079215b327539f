"""The half of a house that changes nothing: streams and what happened in them, as rows or as a seat may see it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from greenroom.journal.records import Attempt, Entry, Removed, Step, Stream
from greenroom.journal.sums import GENESIS
from greenroom.kernel.asks import Fact, Facts, Json, Recalled
from greenroom.kernel.codec import Codec, filled, raw_events
from greenroom.kernel.errors import Forgotten, OutOfRange, Unknown
from greenroom.kernel.tables import Table
from greenroom.kernel.times import moment
from greenroom.kernel.words import REMOVED, Scope
from greenroom.kernel.worlds import EventContext, Seat, World
from greenroom.ports import Backend, Clock
from greenroom.services import transfer
from greenroom.services.recall import recall
from greenroom.services.states import Codecs, StateCache, StreamState, check_history, codec_of, missing, told
from greenroom.services.tables import every_stream
from greenroom.services.verify import HouseVerdict, Verdict, check_house, verify
from greenroom.services.why import Account, Why, stood_in, why

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RawStep:
    """One step as it is stored."""

    version: int
    at: datetime
    n: int
    #: Kind and fields of each event.
    events: tuple[tuple[str, Json], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What recall found, and how well it could look."""

    scope: Scope
    #: Best first.
    found: tuple[Recalled, ...]
    #: How many memories the scope holds.
    memories: int
    #: How many of them have no vector yet; None where recall goes by words only.
    lacking: int | None


@dataclass(slots=True)
class Queries:
    """What can be asked of a house. Nothing here is written, claimed or sent."""

    backend: Backend
    codecs: Codecs
    states: StateCache
    clock: Clock

    @property
    def name(self) -> str:
        """Where the house is kept, without a password."""
        return self.backend.name

    def now(self) -> int:
        return self.clock.now()

    # worlds

    @property
    def worlds(self) -> Mapping[str, World[Any, Any, Any]]:
        """The worlds of this house by name."""
        return {name: codec.world for name, codec in sorted(self.codecs.items())}

    def codec(self, world: str) -> Codec[Any, Any, Any]:
        """What reads and writes the values of a world.

        Raises:
            Unknown: the house does not have this world.
        """
        return self.codecs.get(world) or codec_of(self.codecs, world)

    def content(self, world: str, kind: type[T]) -> T:
        """The content that this house plays a world with.

        Raises:
            Unknown: the house does not have this world, or plays it with something else.
        """
        found = self.codecs[world].world.content if world in self.codecs else None
        if not isinstance(found, kind):
            raise Unknown(f"this house does not have the world {world}")
        return found

    # rows of the journal

    async def stream(self, name: str) -> Stream:
        """One stream as it stands.

        Raises:
            Unknown: no such stream.
            Forgotten: there was such a stream.
        """
        return await self.backend.streams.get(name)

    async def streams(
        self,
        *,
        world: str | None = None,
        owner: str | None = None,
        parent: str | None = None,
        children: bool = True,
        after: str = "",
        limit: int = 100,
    ) -> Sequence[Stream]:
        """Streams by name, a page at a time; without ``children``, those that no other stream plays."""
        return await self.backend.streams.list(
            world=world, owner=owner, parent=parent, children=children, after=after, limit=limit
        )

    def every_stream(self, world: str | None = None) -> AsyncIterator[Stream]:
        """All streams by name, of one world or of all."""
        return every_stream(self.backend, world)

    async def lineage(self, stream: str) -> Sequence[Stream]:
        """The stream and its ancestors, child to root."""
        return await self.backend.streams.lineage(stream)

    async def attempts(self, stream: str, *, after: int = 0, limit: int = 1000) -> Sequence[Attempt]:
        """The attempts of one stream in order, its own only."""
        return await self.backend.streams.attempts(stream, after=after, limit=limit)

    async def attempt(self, stream: str, n: int) -> Attempt:
        """One attempt as it stands.

        Raises:
            Unknown: no such stream or attempt.
        """
        return await self.backend.attempts.find(stream, n)

    def steps(self, stream: str, after: int, upto: int) -> AsyncIterator[Step]:
        """The steps of a stream and of the past it shares, as they are stored."""
        return self.backend.history.steps(stream, after, upto)

    async def ledger(self, stream: str) -> Sequence[tuple[int, Entry]]:
        """What the asks of one stream used, with the attempt of each."""
        return await self.backend.streams.ledger(stream)

    async def rows(self, stream: str, table: Table) -> Sequence[Mapping[str, Any]]:
        """The rows of one stream in a table of its world, by key."""
        return await self.backend.tables.rows(stream, table)

    async def holder(self, table: Table, column: str, value: Any) -> str | None:
        """The stream whose row holds a value in a unique column; sandboxes do not count."""
        return await self.backend.tables.holder(table, column, value)

    async def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        """Words by id; those that were removed are left out."""
        return await self.backend.bank.get(ids)

    async def changed(self, seconds: float, since: int = -1) -> int:
        """Wait until something was written after ``since``, at most so many seconds; returns what to give next time.

        Without a ``since`` it returns at once: whoever listens takes the mark, then looks, then waits from the mark on.
        """
        return await self.backend.notifier.wait(seconds, since)

    # what a seat sees

    def cached(self, stream: str) -> StreamState | None:
        """Where a stream stood when this process last looked; None if it is not at hand."""
        return self.states.cached(stream)

    async def head(self, stream: str | Stream, version: int | None = None) -> StreamState:
        """A stream with its state, now or at any version; for those who may see everything.

        Raises:
            Unknown: no such stream, or a world that this house does not have.
            OutOfRange: the stream does not hold that version.
        """
        if isinstance(stream, Stream):
            return await self.states.of(stream)
        return await (self.states.now(stream) if version is None else self.states.at(stream, version))

    async def view(self, stream: str, *, seat: Seat, version: int | None = None) -> Look:
        """The stream as one seat may see it, now or at any version.

        Raises:
            Unknown: no such stream.
            OutOfRange: the stream does not hold that version.
        """
        row = await self.backend.streams.get(stream)
        head = await (self.states.of(row) if version is None else self.states.at(stream, version))
        at = await self._moment_of(head, version)
        return Look(
            stream=stream,
            world=row.world,
            version=head.version,
            newest=row.version,
            at=at,
            seat=seat,
            body=await self.speak(head.codec.world.view(head.state, seat, at)),
        )

    async def _moment_of(self, head: StreamState, version: int | None) -> datetime:
        if version is None:
            now = self.clock.now() if head.stream.clock_at is None else head.stream.clock_at
            return moment(max(now, head.stream.last_at))
        async for step in self.backend.history.steps(head.stream.name, version - 1, version):
            return moment(step.at)
        return moment(head.stream.born_at)

    async def events(
        self, stream: str, *, seat: Seat, after: int = 0, upto: int | None = None
    ) -> AsyncIterator[ShownEvent]:
        """The events after a version as one seat may see them, in order.

        Raises:
            Unknown: no such stream.
            OutOfRange: the stream does not hold these versions.
            CorruptHistory: what is stored is not what was written.
        """
        row = await self.backend.streams.get(stream)
        codec = self.codec(row.world)
        last = row.version if upto is None else upto
        if last > row.version:
            raise OutOfRange(f"stream {stream} holds versions 0 to {row.version}; {last} is not among them")
        head = await self.states.at(stream, after)
        state, history = head.state, head.history
        async for step in self.backend.history.steps(stream, after, last):
            check_history(stream, history, step)
            history = step.history
            for event in told(codec, stream, step):
                state = codec.world.evolve(state, event)
                shown = codec.world.shows(state, event, seat)
                if shown is not None:
                    yield _shown(codec, step, event, await self.speak(shown))

    async def raw(self, stream: str, *, after: int = 0, upto: int | None = None) -> AsyncIterator[RawStep]:
        """The steps after a version as they are stored, words as ids: also where the world is not installed.

        Raises:
            Unknown: no such stream.
            CorruptHistory: they cannot be read.
        """
        row = await self.backend.streams.get(stream)
        async for step in self.backend.history.steps(stream, after, row.version if upto is None else upto):
            yield RawStep(version=step.version, at=moment(step.at), n=step.n, events=tuple(raw_events(step.events)))

    def missing(self, world: str) -> str | None:
        """Which package would bring a world that is not installed here; None if it is."""
        return None if world in self.codecs else missing(self.codecs, world)

    async def legal(self, stream: str, seat: Seat) -> Sequence[Any]:
        """What a seat may do now."""
        head = await self.states.now(stream)
        return head.codec.world.legal(head.state, seat)

    async def able(self, stream: str) -> tuple[Sequence[Seat], Sequence[Seat]]:
        """The seats of a stream, and those of them that can act now."""
        head = await self.states.now(stream)
        world = head.codec.world
        seats = tuple(world.seats(head.state))
        return seats, tuple(seat for seat in seats if world.legal(head.state, seat))

    async def as_it_was(self, attempt: Attempt) -> tuple[StreamState, tuple[EventContext[Any], ...]]:
        """The state and events right after an attempt."""
        assert attempt.base is not None
        head = await self.states.at(attempt.stream, attempt.version)
        events: list[EventContext[Any]] = []
        history = None if attempt.base else GENESIS
        async for step in self.backend.history.steps(attempt.stream, max(attempt.base - 1, 0), attempt.version or 0):
            if step.version > attempt.base:
                if history is not None:
                    check_history(attempt.stream, history, step)
                events.extend(told(head.codec, attempt.stream, step))
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

    # knowing

    async def recall(
        self,
        stream: str,
        query: str,
        *,
        agent: str | None = None,
        limit: int = 10,
        where: Mapping[str, Json] | None = None,
        version: int | None = None,
    ) -> Remembered:
        """Search the memories of the stream's owner, as the stream may know them now or at any version.

        Args:
            agent: whose memories; nobody named means every agent of the owner, which is for operators.

        Raises:
            Unknown: no such stream.
            OutOfRange: the stream does not hold that version.
        """
        found = await recall(self.backend, stream, query, agent=agent, version=version, limit=limit, where=where)
        row = await self.backend.streams.get(stream)
        scope = Scope(world=row.world, owner=row.owner, agent=agent)
        memories, lacking = await self.backend.bank.count(scope), await self.lacking(scope)
        return Remembered(scope=scope, found=tuple(found), memories=memories, lacking=lacking)

    async def lacking(self, scope: Scope) -> int | None:
        """How many memories of a scope have no vector yet; None where recall goes by words only."""
        return await self.backend.bank.lacking(scope)

    async def why(self, stream: str, version: int) -> Why:
        """What the models of the turn that made a version were given: the ledger's own account.

        Raises:
            Unknown: no such stream.
            OutOfRange: the stream does not hold that version.
        """
        return await why(self.backend, stream, version)

    async def stood_in(self, stream: str) -> Account | None:
        """Who spoke in the place of a model that failed, the last time that a stream asked one; None if nobody did.

        Raises:
            Unknown: no such stream.
        """
        return await stood_in(self.backend, stream)

    async def facts(self, stream: str, *, agent: str | None = None, limit: int = 400) -> Sequence[Fact]:
        """What is known of a stream's owner, as the stream stands now; for every agent, or for one.

        Raises:
            Unknown: no such stream.
        """
        row = await self.backend.streams.get(stream)
        ask = Facts(scope=Scope(world=row.world, owner=row.owner, agent=agent), limit=limit)
        at = max(row.last_at, row.recorded_at)
        return await self.backend.bank.facts(ask, stream=stream, version=row.version, at=at)

    # proving, carrying

    async def verify(self, stream: str, *, progress: Callable[[int, int], None] | None = None) -> Verdict:
        """Check one stream: sums, folds, snapshots, tables."""
        return await verify(self.backend, self.codecs, stream, progress=progress)

    async def check(self, *, progress: Callable[[int, int], None] | None = None) -> HouseVerdict:
        """Check the storage and every stream; ``progress`` counts streams."""
        return await check_house(self.backend, self.codecs, progress=progress)

    def export(self, stream: str) -> AsyncIterator[bytes]:
        """One stream as the lines of a file; a branch comes with its shared past."""
        return transfer.export(self.backend, self.codecs, stream)

    def export_person(self, owner: str) -> AsyncIterator[bytes]:
        """Everything that forgetting a person would remove, as the lines of a file."""
        return transfer.export_person(self.backend, self.codecs, owner)

    async def belongings(self, owner: str) -> Removed:
        """What forgetting a person would remove."""
        return await self.backend.upkeep.belongings(owner)


def _shown(codec: Codec[Any, Any, Any], step: Step, event: EventContext[Any], body: Json) -> ShownEvent:
    return ShownEvent(
        version=step.version,
        ordinal=event.ordinal,
        at=event.at,
        n=step.n,
        kind=codec.kind(event.event),
        body=body,
    )
