"""Puts the server together: a house, the routes, and what every request goes through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute

from greenroom.entrypoints.http import entering, health, operating, pages, running, streams, worlds
from greenroom.entrypoints.http.envelope import Envelope
from greenroom.entrypoints.http.metrics import Metrics
from greenroom.kit.http import live, problems
from greenroom.kit.http.access import Door
from greenroom.kit.http.live import Live
from greenroom.kit.http.rates import Rates
from greenroom.kit.http.turns import Patience
from greenroom.kit.http.watchdog import Watchdog
from greenroom.plugins import Found, found
from greenroom.services.house import House
from greenroom.settings import Settings

_ABOUT = (
    "Streams of a Greenroom house: look at any version as any seat may see it, give commands, follow live. Every "
    "problem is application/problem+json with one sentence. A command with an Idempotency-Key may be sent again."
)


def create(house: House, settings: Settings) -> FastAPI:
    """The application that serves an open house; the house is closed by whoever opened it."""
    app = _framed(house.installed.used)
    door = Door(house, settings, Rates(settings, house.budgets))
    app.state.house = house
    app.state.settings = settings
    app.state.door = door
    app.state.metrics = Metrics()
    app.state.watchdog = Watchdog(app.state.metrics.held.observe)
    app.state.metrics.longest.set_function(lambda: app.state.watchdog.longest)
    app.state.patience = Patience(settings.wait)
    app.state.live = Live(house)
    problems.add_to(app)
    app.add_middleware(Envelope, door=door, live=app.state.live, metrics=app.state.metrics)
    return app


def described_api() -> dict[str, Any]:
    """OpenAPI of a house with every shipped world that has routes."""
    return pages.described(_framed(tuple(one for one in found() if one.shipped)))


def _framed(plugins: Sequence[Found]) -> FastAPI:
    app = FastAPI(
        title="Greenroom",
        version=version("greenroom"),
        description=_ABOUT,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    app.openapi = lambda: pages.described(app)  # type: ignore[method-assign]
    ours = own_routes()
    # What is called most often comes first; and a name may hold slashes, so what is more special before what is less.
    # All of them in one list, without a router between: it is looked through for every request.
    for router in worlds.brought(plugins, ours):
        app.router.routes.extend(worlds.flat(router))
    app.router.routes.extend(ours)
    return app


def own_routes() -> list[BaseRoute]:
    """What the server answers without any world."""
    modules = (health, pages, entering, worlds, running, operating, live, streams)
    return [route for module in modules for route in worlds.flat(module.routes)]


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    watchdog: Watchdog = app.state.watchdog
    watchdog.watch(asyncio.get_running_loop())
    following: Live = app.state.live
    #: What worlds make ready for their first visitor.
    app.state.warm = asyncio.create_task(worlds.warm(app.state.house.installed.used), name="warm")
    beside = [
        asyncio.create_task(following.run(), name="live"),
        asyncio.create_task(following.tend(), name="live"),
        app.state.warm,
    ]
    try:
        yield
    finally:
        following.close()
        for task in beside:
            task.cancel()
        for task in beside:
            with suppress(asyncio.CancelledError):
                await task
        await app.state.patience.close()
        asyncio.get_running_loop().set_task_factory(None)


__all__ = ["create"]
