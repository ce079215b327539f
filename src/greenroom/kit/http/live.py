"""Live updates: server-sent events whose ids are places in the stream: a lost connection goes on where it was."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from greenroom.kernel.errors import BackendError, GreenroomError, Malformed, UsageError
from greenroom.kit.http.access import Door, Entered, EnteredStream, TheHouse, address
from greenroom.kit.http.problems import STREAM
from greenroom.kit.http.records import MOST, encode, event_id, event_told
from greenroom.services.house import House, ShownEvent

#: How long the bell is waited for before somebody looks unasked.
LISTEN_SECONDS = 1.0
#: Rest between two looks: many commits are one look, and under load the house keeps its time to itself.
REST_SECONDS = 0.05
REST_SHARE = 4.0
#: A line is sent this often when nothing happens, so that a dead connection is noticed.
BEAT_SECONDS = 15.0
#: How often tickets of open connections are looked at again: whoever lost one is out within a second.
TICKET_SECONDS = 0.4
#: Nothing comes after this one; whoever gets it need not come back.
END = b"event: end\ndata: {}\n\n"


@dataclass(slots=True)
class _Watched:
    """One stream that somebody follows."""

    version: int = -1
    watchers: int = 0
    moved: asyncio.Event = field(default_factory=asyncio.Event)


class Live:
    """Hears the bell once for all connections and reads each followed stream once."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._streams: dict[str, _Watched] = {}
        self._wanted = asyncio.Event()
        self._tickets: Counter[bytes] = Counter()
        #: Tickets that were shown for an open connection and have been taken back since.
        self.ended: set[bytes] = set()
        self._taken_back = asyncio.Event()
        self.closed = False

    @contextlib.contextmanager
    def watching(self, stream: str) -> Iterator[_Watched]:
        watched = self._streams.setdefault(stream, _Watched())
        watched.watchers += 1
        self._wanted.set()
        try:
            yield watched
        finally:
            watched.watchers -= 1
            if not watched.watchers:
                self._streams.pop(stream, None)

    async def run(self) -> None:
        """Listen for as long as the server runs."""
        rung = -1
        while True:
            if not self._streams:
                self._wanted.clear()
                await self._wanted.wait()
            rung = await self._house.changed(LISTEN_SECONDS, rung)
            began = time.monotonic()
            for name in list(self._streams):
                await self._look(name)
            await asyncio.sleep(max(REST_SECONDS, REST_SHARE * (time.monotonic() - began)))

    async def tend(self) -> None:
        """See for as long as the server runs that whoever follows may still do so: once for each ticket."""
        while True:
            await asyncio.sleep(TICKET_SECONDS)
            for digest in list(self._tickets):
                try:
                    good = await self._house.access.find(digest) is not None
                except BackendError:
                    continue  # asked again in the next round
                if not good:
                    self.ended.add(digest)
                    self._wake()
                    self._taken_back.set()
                    self._taken_back = asyncio.Event()

    @contextlib.contextmanager
    def shown(self, digest: bytes | None) -> Iterator[None]:
        """Keep an eye on a ticket for the length of a block."""
        if digest is None:
            yield
            return
        self._tickets[digest] += 1
        try:
            yield
        finally:
            self._tickets[digest] -= 1
            if self._tickets[digest] <= 0:
                del self._tickets[digest]
                self.ended.discard(digest)

    async def taken_back(self, digest: bytes) -> None:
        """Wait until a ticket is good no more; call it within :meth:`shown`."""
        while digest not in self.ended:
            await self._taken_back.wait()

    def _wake(self) -> None:
        for watched in self._streams.values():
            watched.moved.set()
            watched.moved = asyncio.Event()

    async def _look(self, name: str) -> None:
        try:
            version = (await self._house.stream(name)).version
        except BackendError:
            return  # looked at again in the next round
        except GreenroomError:
            version = -2  # it is gone: whoever follows finds out
        watched = self._streams.get(name)
        if watched is not None and watched.version != version:
            watched.version = version
            watched.moved.set()
            watched.moved = asyncio.Event()

    def close(self) -> None:
        """Let every connection end, so that the server can."""
        self.closed = True
        for watched in self._streams.values():
            watched.moved.set()


@dataclass(slots=True)
class Position:
    """How far a connection has told: everything up to this event."""

    version: int
    ordinal: int

    @classmethod
    def read(cls, given: str) -> Position:
        """A position from an event's id, or from a version: all of its events are told.

        Raises:
            Malformed: it is neither.
        """
        version, dot, ordinal = given.partition(".")
        if not (_is_number(version) and (_is_number(ordinal) or not dot)):
            raise Malformed("the place to go on from is a version, or version.ordinal as in the ids of events")
        return cls(int(version), int(ordinal) if dot else MOST)

    def before(self, event: ShownEvent) -> bool:
        return (self.version, self.ordinal) < (event.version, event.ordinal)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 15


@dataclass(slots=True)
class LiveConnection:
    """One follower of one stream."""

    house: House
    place: EnteredStream
    live: Live
    position: Position
    #: Rung when somebody says something; and what was told of it last.
    _heard: asyncio.Event = field(default_factory=asyncio.Event)
    _told: str | None = None

    async def lines(self, first: list[ShownEvent]) -> AsyncIterator[bytes]:
        """Everything from the position on, for as long as anybody listens."""
        yield b"retry: 1000\n\n"
        ticket = self.place.caller.ticket
        digest = None if ticket is None else ticket.digest
        with self.live.watching(self.place.name) as watched, self.live.shown(digest), self._listening():
            for event in first:
                yield as_lines(event)
            while not self.live.closed:
                moved = watched.moved
                if digest in self.live.ended:
                    yield END
                    return
                if (saying := self._newly_said()) is not None:
                    yield b"event: saying\ndata: " + encode({"text": saying}) + b"\n\n"
                try:
                    for event in await self.news():
                        yield as_lines(event)
                except UsageError:  # the stream is gone, or what is to be told was pruned
                    yield END
                    return
                if await self._rested(moved):
                    yield b": nothing new\n\n"

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        stop = self.house.listen(self.place.name, self._heard.set)
        try:
            yield
        finally:
            stop()

    def _newly_said(self) -> str | None:
        """A line so far, if there is more of it than was told; nothing is told of a line that is settled."""
        self._heard.clear()
        saying = self.house.saying(self.place.name, self.place.seat)
        if saying == self._told:
            return None
        self._told = saying
        return saying

    async def _rested(self, moved: asyncio.Event) -> bool:
        """Wait until the stream moves or somebody says something; true when neither was for a long while."""
        waiting = [asyncio.ensure_future(moved.wait()), asyncio.ensure_future(self._heard.wait())]
        try:
            done, _ = await asyncio.wait(waiting, timeout=BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
        return not done

    async def news(self) -> list[ShownEvent]:
        """What was shown since the last time; the position moves on."""
        found: list[ShownEvent] = []
        row = await self.house.stream(self.place.name)
        # A version may be told in part: its other events are to come.
        after = max(self.position.version - (self.position.ordinal < MOST), 0)
        if row.version <= after and self.position.version <= row.version:
            return found
        async for event in self.house.events(self.place.name, seat=self.place.seat, after=after, upto=row.version):
            if self.position.before(event):
                found.append(event)
        self.position = Position(row.version, MOST)
        return found


def as_lines(event: ShownEvent) -> bytes:
    id = event_id(event.version, event.ordinal)
    return b"id: " + id.encode() + b"\nevent: told\ndata: " + encode(event_told(event)) + b"\n\n"


routes = APIRouter(tags=["streams"])

After = Annotated[
    str | None,
    Query(max_length=32, pattern=r"^\d{1,15}(\.\d{1,15})?$", description="A version, or the id of an event."),
]
LastId = Annotated[
    str | None, Header(alias="Last-Event-ID", max_length=32, description="Where a lost connection goes on.")
]
#: What following answers, for ``responses=``.
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events named `told` with the id `version.ordinal`, as the seat may see them, in order; then "
        "whatever happens. A lost connection goes on from `Last-Event-ID`. `saying` is a line so far that somebody is "
        "still saying: what is told later is what counts. `end` is the last there is.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@routes.get("/streams/{name:path}/live", responses=STREAM | DESCRIBED, response_class=StreamingResponse)
async def follow(
    request: Request, house: TheHouse, place: Entered, after: After = None, last_event_id: LastId = None
) -> StreamingResponse:
    """Follow a stream as it happens."""
    live: Live = request.app.state.live
    given = last_event_id or after
    position = Position(place.stream.version, MOST) if given is None else Position.read(given)
    connection = LiveConnection(house, place, live, position)
    first = await connection.news()  # whatever cannot be told is refused before the answer begins
    door: Door = request.app.state.door
    place_taken = ExitStack()
    place_taken.enter_context(door.rates.following(address(request), place.caller.person))
    lines = counted(request.app.state.metrics.live, connection.lines(first), place_taken)
    return StreamingResponse(lines, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def counted(gauge: Any, lines: AsyncIterator[bytes], taken: ExitStack) -> AsyncIterator[bytes]:
    with taken:
        gauge.inc()
        try:
            async for line in lines:
                yield line
        finally:
            gauge.dec()
