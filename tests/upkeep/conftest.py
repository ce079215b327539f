"""A house for each back-end, and ways to damage what it stored."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.adapters.postgres import postgres_backend
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.bootstrap import assemble
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import World
from greenroom.ports import Backend
from greenroom.services.house import House
from greenroom.services.tables import rebuild_stale
from tests.conftest import NewDatabase, Template, copied
from tests.counts import SOAK
from tests.postgres.databases import asked
from tests.upkeep.world import GUESTS, Invite, Register, Say, tale

START = 1_700_000_000_000_000
DAY = 86_400_000_000


@dataclass(slots=True)
class Place:
    """One house of a test, with what is behind it."""

    house: House
    clock: VirtualClock
    #: None in memory and on a server.
    path: Path | None
    #: None on a file and on a server.
    shelf: Shelf | None
    #: The address of the database; None in memory and on a file.
    url: str | None = None

    @property
    def backend(self) -> Backend:
        return self.house.backend

    @property
    def codecs(self) -> Any:
        return self.house.codecs

    def pass_time(self, days: float) -> None:
        self.clock.move(self.clock.now() + int(days * DAY))

    def sql(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a statement with ``$1``, ``$2``, … behind the back of the house."""
        if self.url is not None:
            return asked(self.url, statement, *values)
        assert self.path is not None
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return connection.execute(statement.replace("$", "?"), values).fetchall()

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
    kind: str,
    folder: Path,
    *,
    name: str = "house.db",
    world: World[Any, Any, Any] | None = None,
    new_database: NewDatabase | None = None,
    template: Template | None = None,
) -> AsyncIterator[Place]:
    """A house; on a file it is made, or copied from a template where there is one."""
    world = world or tale()
    path = folder / name if kind == "sqlite" else None
    if path is not None and template is not None:
        copied(template(world.tables), path)
    shelf = Shelf(tables={t.name: t for t in world.tables}) if kind == "memory" else None
    url = new_database(world.tables) if kind == "postgres" and new_database is not None else None
    if url is not None:
        backend = postgres_backend(url, world.tables)
    else:
        backend = sqlite_backend(path, world.tables) if path else inmem_backend(shelf or Shelf(), secret=name.encode())
    clock = VirtualClock(START)
    models = ScriptedModels(lambda ask, _: f"yes, {ask.sections[0].texts[0]}")
    house = assemble(backend, [world], models=models, clock=clock)
    try:
        await rebuild_stale(backend, house.codecs)
        yield Place(house, clock, path, shelf, url)
    finally:
        await house.close()


#: On PostgreSQL with large counts only: what is said there is the same, and takes longer.
KINDS = ["memory", "sqlite", *(["postgres"] if SOAK else [])]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def open_place(
    kind: str, tmp_path: Path, _templates: Template, request: pytest.FixtureRequest
) -> AsyncIterator[Open]:
    """Opens houses of one back-end, as many as a test wants."""
    new_database = request.getfixturevalue("new_database") if kind == "postgres" else None
    async with AsyncExitStack() as stack:

        async def opened(name: str = "house.db", world: World[Any, Any, Any] | None = None) -> Place:
            template = None if (tmp_path / name).exists() else _templates
            opening = a_place(kind, tmp_path, name=name, world=world, new_database=new_database, template=template)
            return await stack.enter_async_context(opening)

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
            self._run(f"UPDATE tale_guests SET {column} = $1 WHERE {_OF.format(2)} RETURNING 1", value, stream)

    def line_lost(self, stream: str, version: int) -> None:
        if self.place.shelf is not None:
            del self.place.shelf.rows["tale_lines"][stream, version, 0]
        else:
            self._run(f"DELETE FROM tale_lines WHERE {_OF.format(1)} AND n = $2 RETURNING 1", stream, version)

    def counter(self, stream: str, column: str, value: Any) -> None:
        if self.place.shelf is not None:
            setattr(self.place.shelf.streams[stream], column, value)
        else:
            self._run(f"UPDATE streams SET {column} = $1 WHERE name = $2 RETURNING 1", value, stream)

    def _flip(self, table: str, column: str, stream: str, version: int) -> None:
        where = f"{_OF.format(1)} AND version = $2"
        ((data,),) = self.place.sql(f"SELECT {column} FROM {table} WHERE {where}", stream, version)
        set_ = f"UPDATE {table} SET {column} = $3 WHERE {where} RETURNING 1"
        self._run(set_, stream, version, flipped(data))

    def _run(self, statement: str, *values: Any) -> None:
        assert len(self.place.sql(statement, *values)) == 1


#: The rows of a stream by its name.
_OF = "sid = (SELECT sid FROM streams WHERE name = ${})"


@pytest.fixture
def damage(place: Place) -> Damage:
    return Damage(place)
