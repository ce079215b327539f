"""A house from its parts, opened for the length of a block."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal

from greenroom.adapters.clocks import MachineClock, VirtualClock
from greenroom.adapters.embeddings import embedded_default
from greenroom.adapters.embeddings.keeping import KeepingEmbedder
from greenroom.adapters.facts import PatternNoticing
from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.configured import ConfiguredModels
from greenroom.adapters.models.understudy import Part, bound
from greenroom.adapters.sql.addresses import is_url
from greenroom.adapters.tools import Toolbox
from greenroom.bootstrap import backends
from greenroom.bootstrap.casting import check_roles
from greenroom.bootstrap.channels import default_channels
from greenroom.bootstrap.models import default_models
from greenroom.bootstrap.worlds import AnyWorld, gathered, warn_of
from greenroom.kernel.codec import codecs
from greenroom.kernel.times import micros
from greenroom.plugins import Found, Installed
from greenroom.ports import Backend, Channel, Clock, Embedder, Follower, Models, Tools
from greenroom.services.aloud import Aloud
from greenroom.services.budgets import Budgets, SharedBudgets
from greenroom.services.following import Following
from greenroom.services.house import House
from greenroom.services.outbox import OutboxRelay
from greenroom.services.states import HouseCodecs
from greenroom.services.tables import rebuild_stale
from greenroom.services.turns import Outside, TurnEngine
from greenroom.services.worker import Worker
from greenroom.settings import Settings, read_settings


def worker_name() -> str:
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(3)}"


def assemble(
    back: Backend,
    worlds: Sequence[AnyWorld],
    *,
    models: Models | None = None,
    tools: Tools | None = None,
    clock: Clock | None = None,
    settings: Settings | None = None,
    parts: Mapping[str, Part] | None = None,
    installed: Installed | None = None,
    followers: Sequence[Follower] = (),
    embedder: Embedder | None = None,
) -> House:
    """A house on an open back-end, with nobody working in it yet."""
    known = HouseCodecs(codecs(worlds))
    clock = clock or MachineClock()
    settings = settings or read_settings()
    models = models or default_models(settings, back, worlds, clock, parts or {})
    noticing = PatternNoticing(embedder)
    outside = Outside(models=models, tools=tools or Toolbox({}), clock=clock, noticing=noticing, aloud=Aloud())
    engine = TurnEngine(backend=back, codecs=known, outside=outside, worker=worker_name())
    return House(
        back,
        known,
        outside,
        engine,
        installed=installed,
        following=Following(back, known, engine.states, followers, engine.lease),
        budgets=Budgets(settings.budgets.of_a_day(), secret=back.secret),
    )


def _keeping(embedder: Embedder | None, home: Path | None, *, patient: bool) -> KeepingEmbedder | None:
    """The encoder for what worlds say, which keeps it in the data directory; a house in memory leaves no file."""
    return KeepingEmbedder(embedder, home and home / "vectors", patient=patient) if embedder else None


def worker_of(
    house: House,
    *,
    channels: Mapping[str, Channel] | None = None,
    concurrency: int = 64,
    settings: Settings | None = None,
) -> Worker:
    carried = default_channels(settings or read_settings(), house.backend.secret) if channels is None else channels
    relay = OutboxRelay(
        backend=house.backend,
        codecs=house.codecs,
        channels=carried,
        clock=house.outside.clock,
        lease=house.engine.lease,
        budgets=house.budgets,
    )
    return Worker(house, relay, concurrency=concurrency)


@asynccontextmanager
async def open_house(
    where: str | Path | Shelf | None = None,
    *,
    worlds: Sequence[AnyWorld] = (),
    plugins: Sequence[Found] | None = None,
    models: Models | None = None,
    tools: Tools | None = None,
    channels: Mapping[str, Channel] | None = None,
    followers: Sequence[Follower] = (),
    clock: Clock | datetime | None = None,
    parts: Mapping[str, Part] | None = None,
    recall: Literal["vectors", "words"] | None = None,
    work: bool = True,
) -> AsyncIterator[House]:
    """Open a house and keep it open for the length of the block.

    Args:
        where: a database file; ``postgresql://…`` for a database on a server; ``:memory:`` for a house that is gone
            afterwards; nothing for ``GREENROOM_DATABASE_URL``, or else the file in ``GREENROOM_HOME``.
        worlds: worlds that no plug-in brings; one of the same name goes before that of a plug-in.
        plugins: those of ``greenroom.plugins.found()`` that this house has; all by default.
        tools: what turns may use, instead of the tools of the plug-ins.
        followers: copies that no plug-in brings.
        clock: a moment puts the house on a virtual clock that starts there.
        parts: lines of your worlds for the understudy: a function from an ask to its answer, by name of the world or
            by ``world/role``. Without one it makes something up that fits the schema.
        recall: what recall goes by; ``GREENROOM_RECALL`` by default.
        work: whether this process also drives what is due; False leaves that to ``greenroom worker``.

    Raises:
        NewerSchema: a newer Greenroom wrote the database.
        BackendError: it cannot be reached, opened or written.
    """
    settings = read_settings()
    company = gathered(plugins)
    warn_of(company.installed)
    if not worlds:  # which roles those of a program ask for, nobody knows
        check_roles(settings, company.installed.used)
    everything = (*(one for one in company.worlds if one.name not in {world.name for world in worlds}), *worlds)
    place = Shelf() if where == ":memory:" else where or settings.place
    timed = VirtualClock(micros(clock)) if isinstance(clock, datetime) else clock
    patient = isinstance(timed, VirtualClock)
    embedder = embedded_default() if (recall or settings.recall) == "vectors" else None
    lines = _keeping(embedder, None if isinstance(place, Shelf) else settings.home, patient=patient)
    open_ = partial(backends.backend, place, everything, embedder=embedder, patient=patient)
    house = assemble(
        # A server may be slow to answer: the loop goes on meanwhile.
        await asyncio.to_thread(open_) if is_url(place) else open_(),
        everything,
        models=models,
        tools=tools or Toolbox(company.tools),
        clock=timed,
        settings=settings,
        parts=bound({**company.parts, **(parts or {})}, lines),
        installed=company.installed,
        followers=(*company.followers, *followers),
        embedder=embedder,
    )
    try:
        await house.remember_packages()
        await house.following.enrol()
        await rebuild_stale(house.backend, house.codecs)
        worker = worker_of(house, channels=channels, concurrency=settings.concurrency, settings=settings)
        house.worker = worker
        shared = SharedBudgets(house.budgets, house.backend.upkeep)
        await shared.sync()
        kept = {
            "leases": house.engine.keep_leases,
            "budgets": shared.run,
            **({"vectors": lines.run} if lines else {}),
            **({"worker": worker.run} if work else {}),
        }
        house.keeping.extend(asyncio.create_task(keep(house.stop), name=name) for name, keep in kept.items())
        yield house
    finally:
        await house.close()
        if isinstance(house.outside.models, ConfiguredModels):
            await house.outside.models.close()
