"""A house for each back-end, and ways to damage what it stored."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.bootstrap import assemble
from greenroom.kernel.ports import Backend
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import World
from greenroom.services.house import House
from greenroom.services.tables import rebuild_stale
from tests.upkeep.world import GUESTS, Invite, Register, Say, tale

START = 1_700_000_000_000_000
DAY = 86_400_000_000


@dataclass(slots=True)
class Place:
    """One house of a test, with what is behind it."""

    house: House
    clock: VirtualClock
    #: None in memory.
    path: Path | None
    #: None on a file.
    shelf: Shelf | None

    @property
    def backend(self) -> Backend:
        return self.house.backend

    @property
    def codecs(self) -> Any:
        return self.house.codecs

    def pass_time(self, days: float) -> None:
        self.clock.move(self.clock.now() + int(days * DAY))

    async def play(self, name: str, *, owner: str = "ada", lines: int = 20, tag: str = "line", ask: bool = True) -> str:
        """A stream with a registration, lines with dice and models, and two letters."""
        await self.house.start("tale", {"title": f"{tag} title"}, owner=owner, name=name)
        await self.house.send(name, Register(f"{tag}@example.org", f"{tag} note"), seat="guest", key="register")
        await self.say(name, lines, tag=tag, ask=ask)
        await self.house.send(name, Invite("first", f"{tag}-to@example.org", Words(f"{tag} letter")), seat="guest")
        await self.house.send(name, Invite("last", f"{tag}-to@example.org", Words(f"{tag} other"), 9), seat="guest")
        return name

    async def say(self, name: str, lines: int, *, tag: str = "line", ask: bool = False, first: int = 0) -> None:
        for i in range(first, first + lines):
            command = Say(Words(f"{tag} says {i}"), ask and i % 3 == 0)
            await self.house.send(name, command, seat="guest", key=f"{tag[:99]}{i}")


Open = Callable[..., Awaitable[Place]]


@asynccontextmanager
async def a_place(
    kind: str, folder: Path, *, name: str = "house.db", world: World[Any, Any, Any] | None = None
) -> AsyncIterator[Place]:
    world = world or tale()
    path, shelf = (folder / name, None) if kind == "sqlite" else (None, Shelf(tables={t.name: t for t in world.tables}))
    backend = sqlite_backend(path, world.tables) if path else inmem_backend(shelf or Shelf(), secret=name.encode())
    clock = VirtualClock(START)
    models = ScriptedModels(lambda ask, _: f"yes, {ask.sections[0].texts[0]}")
    house = assemble(backend, [world], models=models, clock=clock)
    try:
        await rebuild_stale(backend, house.codecs)
        yield Place(house, clock, path, shelf)
    finally:
        await house.close()


@pytest.fixture(params=["memory", "sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def open_place(kind: str, tmp_path: Path) -> AsyncIterator[Open]:
    """Opens houses of one back-end, as many as a test wants."""
    async with AsyncExitStack() as stack:

        async def opened(name: str = "house.db", world: World[Any, Any, Any] | None = None) -> Place:
            return await stack.enter_async_context(a_place(kind, tmp_path, name=name, world=world))

        yield opened


@pytest.fixture
async def place(open_place: Open) -> Place:
    return await open_place()


# damage


def flipped(data: bytes, at: int = -3) -> bytes:
    damaged = bytearray(data)
    damaged[at] ^= 1
    return bytes(damaged)


@dataclass(slots=True)
class Damage:
    """Alters one stored thing behind the back of the house."""

    place: Place
    _done: list[str] = field(default_factory=list)

    def step(self, stream: str, version: int, column: str) -> None:
        if self.place.shelf is not None:
            steps = self.place.shelf.steps[stream]
            steps[version] = replace(steps[version], **{column: flipped(getattr(steps[version], column))})
        else:
            self._flip("steps", column, stream, version)

    def snapshot(self, stream: str, version: int) -> None:
        if self.place.shelf is not None:
            kept = self.place.shelf.snapshots[stream]
            kept[version] = replace(kept[version], state=flipped(kept[version].state))
        else:
            self._flip("snapshots", "state", stream, version)

    def guest(self, stream: str, **values: Any) -> None:
        if self.place.shelf is not None:
            self.place.shelf.rows[GUESTS.name][stream, 1].update(values)
            return
        for column, value in values.items():
            self._run(
                f"UPDATE tale_guests SET {column} = ? WHERE sid = (SELECT sid FROM streams WHERE name = ?)",
                value,
                stream,
            )

    def line_lost(self, stream: str, version: int) -> None:
        if self.place.shelf is not None:
            del self.place.shelf.rows["tale_lines"][stream, version, 0]
        else:
            self._run(
                "DELETE FROM tale_lines WHERE sid = (SELECT sid FROM streams WHERE name = ?) AND n = ?", stream, version
            )

    def counter(self, stream: str, column: str, value: Any) -> None:
        if self.place.shelf is not None:
            setattr(self.place.shelf.streams[stream], column, value)
        else:
            self._run(f"UPDATE streams SET {column} = ? WHERE name = ?", value, stream)

    def _flip(self, table: str, column: str, stream: str, version: int) -> None:
        where = "sid = (SELECT sid FROM streams WHERE name = ?) AND version = ?"
        with sqlite3.connect(self._path) as connection:
            (data,) = connection.execute(f"SELECT {column} FROM {table} WHERE {where}", (stream, version)).fetchone()
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (flipped(data), stream, version))
        connection.close()

    def _run(self, statement: str, *values: Any) -> None:
        with sqlite3.connect(self._path) as connection:
            assert connection.execute(statement, values).rowcount == 1
        connection.close()

    @property
    def _path(self) -> Path:
        assert self.place.path is not None
        return self.place.path


@pytest.fixture
def damage(place: Place) -> Damage:
    return Damage(place)
