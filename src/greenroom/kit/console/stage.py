"""What a world's page is, and what it is given to play one stream."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from nicegui import ui

from greenroom.kernel.errors import UsageError
from greenroom.kernel.worlds import Seat
from greenroom.kit.console.live import LivePage
from greenroom.kit.console.wording import sentence
from greenroom.services.house import House, Look, Reply, ShownEvent

Tell: TypeAlias = Callable[[ShownEvent], None]
#: Given what the seat sees and what it may do, as the rules say it now.
See: TypeAlias = Callable[[Look, Sequence[Any]], None]

#: Events that a page tells when it opens; older ones are on the stream's own page.
LATEST = 60


@dataclass(slots=True, kw_only=True)
class Scene:
    """One stream on one page in one browser, seen and played from one seat."""

    house: House
    live: LivePage
    stream: str
    seat: Seat
    #: Where refusals are said.
    say: Callable[[str], None]
    #: The newest version that the page has told.
    version: int = 0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def follow(
        self, *, tell: Tell, see: See, latest: int = LATEST, hear: Callable[[str], None] | None = None
    ) -> None:
        """Tell the latest events and then every new one: once each, in order, in whatever process it happened.

        ``see`` is given the stream as the seat sees it and what the seat may do, at the beginning and after all news
        have been told. Both are called within the element that is open when this is called. ``hear`` is given a line
        that is still being said, as far as it goes; nothing when it is settled or was taken back.
        """
        here = ui.context.slot.parent
        row = await self.house.stream(self.stream)
        self.version = max(row.mark, row.version - latest, 0)
        await self._catch_up(here, tell, see, always=True)

        async def look() -> None:
            try:
                await self._catch_up(here, tell, see)
            except UsageError as gone:  # somebody removed the stream
                self.say(sentence(gone))
                self.live.leave(watch)

        watch = self.live.watch(self.stream, look)
        here.client.on_delete(lambda: self.live.leave(watch))
        if hear is not None:

            def ear() -> None:
                with here:
                    hear(self.house.saying(self.stream, self.seat) or "")

            here.client.on_delete(self.house.listen(self.stream, ear))

    async def _catch_up(self, here: ui.element, tell: Tell, see: See, *, always: bool = False) -> None:
        async with self._turn:
            upto = (await self.house.stream(self.stream)).version
            if upto == self.version and not always:
                return
            found = self.house.events(self.stream, seat=self.seat, after=self.version, upto=upto)
            events = [event async for event in found]
            look = await self.house.view(self.stream, seat=self.seat)
            legal = await self.house.legal(self.stream, self.seat)
            self.version = upto  # before anything is told: what is told twice is worse than a gap until the reload
            with here:
                for event in events:
                    tell(event)
                see(look, legal)

    async def send(self, kind: str, fields: Mapping[str, Any], key: str | None = None) -> Reply | None:
        """Give a command; a refusal is said on the page, and then there is no reply.

        The same key again changes nothing. What the command led to comes with :meth:`follow`, as for everybody else.
        """
        row = await self.house.stream(self.stream)
        try:
            command = self.house.codec(row.world).command_from(kind, dict(fields))
            return await self.house.send(self.stream, command, seat=self.seat, key=key)
        except UsageError as refusal:
            self.say(sentence(refusal))
            return None


Build: TypeAlias = Callable[[Scene], Awaitable[None]]
Find: TypeAlias = Callable[[House], Awaitable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """The page of a world before a stream is chosen."""

    house: House
    live: LivePage
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldPage:
    """How people meet one world in the console."""

    #: Name of the world, as the house knows it.
    world: str
    #: What people call it, and one sentence that makes them curious.
    title: str
    sentence: str
    #: The drawing on its card: an SVG of our own, 320 by 160, in colours of the style sheet.
    picture: str
    #: The seat that a person plays from.
    seat: Seat
    #: The stream that one click on "play" leads to: begun just now, or gone on with.
    find: Find
    #: Builds the page of one stream.
    play: Build
    #: Builds what stands in the place of "play at once", where there is something to choose first.
    lobby: Callable[[Lobby], Awaitable[None]] | None = None
    #: Whether home has a card for it; a world that is only ever begun by another needs none.
    card: bool = True
    #: A folder of its own style sheets and scripts; they are served from it and loaded with every page.
    static: Path | None = None
    #: Whether agents and timers play on by themselves in a branch that is taken here.
    branches_awake: bool = False


__all__ = ["Build", "Lobby", "Scene", "WorldPage"]
