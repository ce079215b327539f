"""Live updates: server-sent events whose ids are places in the stream: a lost connection goes on where it was."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from greenroom.kernel.errors import BackendError, GreenroomError, Malformed, UsageError
from greenroom.kit.http.access import Door, Entered, Place, TheHouse, address
from greenroom.kit.http.problems import STREAM
from greenroom.kit.http.records import MOST, encode, event_id, event_told
from greenroom.services.access import admits
from greenroom.services.house import House, ShownEvent

#: How long the bell is waited for before somebody looks unasked.
LISTEN_SECONDS = 1.0
#: Rest between two looks: many commits are one look, and under load the house keeps its time to itself.
REST_SECONDS = 0.05
REST_SHARE = 4.0
#: A line is sent this often when nothing happens, so that a dead connection is noticed; the ticket is looked at again.
BEAT_SECONDS = 15.0
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
class Connection:
    """One follower of one stream."""

    house: House
    place: Place
    live: Live
    position: Position

    async def lines(self, first: list[ShownEvent]) -> AsyncIterator[bytes]:
        """Everything from the position on, for as long as anybody listens."""
        yield b"retry: 1000\n\n"
        with self.live.watching(self.place.name) as watched:
            for event in first:
                yield as_lines(event)
            while not self.live.closed:
                moved = watched.moved
                try:
                    for event in await self.news():
                        yield as_lines(event)
                except UsageError:  # the stream is gone, or what is to be told was pruned
                    yield END
                    return
                if await self._rested(moved):
                    yield b": nothing new\n\n"
                    if not await self._still_admitted():
                        yield END
                        return

    async def _rested(self, moved: asyncio.Event) -> bool:
        """Wait until the stream moves; true when it did not for a long while."""
        try:
            await asyncio.wait_for(moved.wait(), BEAT_SECONDS)
        except TimeoutError:
            return True
        return False

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

    async def _still_admitted(self) -> bool:
        ticket = self.place.caller.ticket
        if ticket is None:
            return True
        found = await self.house.access.find(ticket.digest)
        return found is not None and admits(found, self.place.stream)


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
        "whatever happens. A lost connection goes on from `Last-Event-ID`. `end` is the last there is.",
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
    connection = Connection(house, place, live, position)
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
