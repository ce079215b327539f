"""The composition root: the only module that names concrete classes."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from greenroom.adapters.channels import RecordingChannel
from greenroom.adapters.clocks import MachineClock, VirtualClock
from greenroom.adapters.content import load, packaged
from greenroom.adapters.embeddings import embedded_default
from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.models.caps import Caps
from greenroom.adapters.models.configured import ConfiguredModels, Role
from greenroom.adapters.models.digest import digests
from greenroom.adapters.models.prices import Price
from greenroom.adapters.models.scripted import NoTools
from greenroom.adapters.models.understudy import Part, Understudy
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.kernel.codec import codecs
from greenroom.kernel.ports import Backend, Channel, Clock, Embedder, Models, Tools
from greenroom.kernel.tables import Table
from greenroom.kernel.times import micros
from greenroom.kernel.worlds import World
from greenroom.services.driver import Driver, Outside
from greenroom.services.house import House
from greenroom.services.postman import Postman
from greenroom.services.runner import Runner
from greenroom.services.tables import rebuild_stale
from greenroom.services.worker import Worker
from greenroom.settings import CapSettings, RoleSettings, Settings, read_settings
from greenroom.worlds.lighthouse import Content, lighthouse
from greenroom.worlds.lighthouse.lines import answer
from greenroom.worlds.secret_agi import secret_agi

AnyWorld = World[Any, Any, Any]


def shipped_worlds() -> tuple[AnyWorld, ...]:
    """The worlds that come with Greenroom."""
    return (lighthouse(_lighthouse_content()), secret_agi())


def _lighthouse_content() -> Content:
    return load(packaged("greenroom.worlds.lighthouse", "content/lighthouse.yaml"), Content)


def understudy(digest: Callable[[str], str], parts: Mapping[str, Part] | None = None) -> Understudy:
    """The model that needs nothing, with the lines of the shipped worlds and of others."""
    content = _lighthouse_content()
    return Understudy({"lighthouse": lambda ask, _: answer(content, ask), **(parts or {})}, digest=digest)


def default_models(
    settings: Settings,
    back: Backend,
    worlds: Sequence[AnyWorld],
    clock: Clock,
    parts: Mapping[str, Part] | None = None,
) -> Models:
    """The models of the settings; the understudy where there are none.

    Raises:
        Malformed: a role's model is unknown, or caps are set and a model has no price.
    """
    digest = digests({world.name: getattr(world.handle, "func", world.handle).__module__ for world in worlds})
    if not settings.models:
        return understudy(digest, parts)
    return ConfiguredModels(
        {name: _role(settings, role) for name, role in settings.models.items()},
        understudy=understudy(digest, parts),
        clock=clock,
        caps=_caps(settings.caps),
        spending=back.spending,
        digest=digest,
    )


def _role(settings: Settings, given: RoleSettings) -> Role:
    plain = given.model_dump(exclude={"api_key", "price"})
    provider = given.model.partition(":")[0]
    price = None if given.price is None else Price(input=given.price.input, output=given.price.output)
    return Role(**plain, price=price, api_key=settings.api_key(provider, given))


def _caps(given: CapSettings) -> Caps:
    return Caps(**{kind: None if cap is None else int(cap * 1_000_000) for kind, cap in given.model_dump().items()})


def tables_of(worlds: Sequence[AnyWorld]) -> tuple[Table, ...]:
    return tuple(table for world in worlds for table in world.tables)


def worker_name() -> str:
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(3)}"


def backend(
    where: Path | Shelf, worlds: Sequence[AnyWorld], *, embedder: Embedder | None = None, patient: bool = False
) -> Backend:
    """The back-end behind a path, or a house in memory.

    ``patient`` recall embeds what its scope lacks before it searches, so that it never depends on how far a
    background job got.
    """
    if isinstance(where, Shelf):
        where.tables = {table.name: table for table in tables_of(worlds)}
        return inmem_backend(where, embedder=embedder)
    return sqlite_backend(where, tables_of(worlds), embedder=embedder, patient=patient)


def assemble(
    back: Backend,
    worlds: Sequence[AnyWorld],
    *,
    models: Models | None = None,
    tools: Tools | None = None,
    clock: Clock | None = None,
    settings: Settings | None = None,
    parts: Mapping[str, Part] | None = None,
) -> House:
    """A house on an open back-end, with nobody working in it yet."""
    known = codecs(worlds)
    clock = clock or MachineClock()
    models = models or default_models(settings or read_settings(), back, worlds, clock, parts)
    outside = Outside(models=models, tools=tools or NoTools(), clock=clock)
    driver = Driver(backend=back, codecs=known, outside=outside, worker=worker_name())
    return House(back, known, outside, driver, Runner(back, driver))


def worker_of(house: House, *, channels: Mapping[str, Channel] | None = None, concurrency: int = 64) -> Worker:
    carried = {"inbox": RecordingChannel()} if channels is None else channels
    postman = Postman(
        backend=house.backend,
        codecs=house.codecs,
        channels=carried,
        clock=house.outside.clock,
        lease=house.driver.lease,
    )
    return Worker(house, postman, concurrency=concurrency)


@asynccontextmanager
async def open_house(
    where: str | Path | Shelf | None = None,
    *,
    worlds: Sequence[AnyWorld] = (),
    models: Models | None = None,
    tools: Tools | None = None,
    channels: Mapping[str, Channel] | None = None,
    clock: Clock | datetime | None = None,
    parts: Mapping[str, Part] | None = None,
    work: bool = True,
) -> AsyncIterator[House]:
    """Open a house and keep it open for the length of the block.

    Args:
        where: a database file; ``:memory:`` for a house that is gone afterwards; nothing for the file in
            ``GREENROOM_HOME``.
        worlds: worlds of your own, beside the shipped ones.
        clock: a moment puts the house on a virtual clock that starts there.
        parts: lines of your worlds for the understudy: a function from an ask to its answer, by name of the world or
            by ``world/role``. Without one it makes something up that fits the schema.
        work: whether this process also drives what is due; False leaves that to ``greenroom worker``.

    Raises:
        NewerSchema: a newer Greenroom wrote the file.
        BackendError: the file cannot be opened or written.
    """
    settings = read_settings()
    everything = (*shipped_worlds(), *worlds)
    place: Path | Shelf = (
        Shelf() if where == ":memory:" else where if isinstance(where, Shelf) else Path(where or settings.database)
    )
    timed = VirtualClock(micros(clock)) if isinstance(clock, datetime) else clock
    embedder = embedded_default() if settings.recall == "vectors" else None
    house = assemble(
        backend(place, everything, embedder=embedder, patient=isinstance(timed, VirtualClock)),
        everything,
        models=models,
        tools=tools,
        clock=timed,
        settings=settings,
        parts=parts,
    )
    try:
        await rebuild_stale(house.backend, house.codecs)
        worker = worker_of(house, channels=channels, concurrency=settings.concurrency)
        house.worker = worker
        house.keeping.append(asyncio.create_task(house.driver.keep_leases(house.stop)))
        if work:
            house.keeping.append(asyncio.create_task(worker.run(house.stop)))
        yield house
    finally:
        await house.close()
        if isinstance(house.outside.models, ConfiguredModels):
            await house.outside.models.close()
