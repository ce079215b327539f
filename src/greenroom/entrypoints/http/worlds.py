"""The routes that worlds bring, and what every world takes."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from fastapi import APIRouter, Response
from starlette.routing import BaseRoute

from greenroom.kit.console import addresses
from greenroom.kit.http.access import Guest, TheHouse
from greenroom.kit.http.problems import ADMITTED
from greenroom.kit.http.records import ResponseBody, answer
from greenroom.plugins import FAULTS, Found, face_of, resolved, told

log = logging.getLogger("greenroom")

#: Seconds that a server leaves to its first pages before it makes ready what will be wanted later.
WARM_AFTER = 1.0

routes = APIRouter(tags=["worlds"])

#: Where the console's pages and what they load begin.
PAGES = (
    *(addresses.STREAM, addresses.STREAMS, addresses.COMPARE, addresses.WHY, addresses.MEMORY, addresses.MODELS),
    *(addresses.OPERATIONS, addresses.PLAY),
    *("/console", "/_nicegui", "/favicon.ico"),
)
_PLAIN = re.compile(r"/[A-Za-z0-9_-]+")


class WorldFacts(ResponseBody):
    world: str
    #: Command → its fields.
    commands: dict[str, list[str]]
    config: list[str]


class Worlds(ResponseBody):
    worlds: list[WorldFacts]


@routes.get("/worlds", responses={**ADMITTED, 200: {"model": Worlds}})
async def worlds(house: TheHouse, caller: Guest) -> Response:
    """The worlds of this house, and which commands each takes."""
    found = [
        {
            "world": world.name,
            "commands": {kind: [field.name for field in fields(t)] for kind, t in world.commands.items()},
            "config": [field.name for field in fields(world.config)],
        }
        for world in house.worlds.values()
    ]
    return answer({"worlds": found})


def brought(used: Iterable[Found], ours: Iterable[BaseRoute]) -> Iterator[APIRouter]:
    """The routers of plug-ins. One that cannot be imported, or whose prefix is taken, is named and left out."""
    for one, router, fault in tried(used, ours):
        if router is not None:
            yield router
        else:
            log.warning("the routes of %s (%s %s) are left out: %s", one.name, one.package, one.version, fault)


def tried(used: Iterable[Found], ours: Iterable[BaseRoute]) -> Iterator[tuple[Found, APIRouter | None, str]]:
    """Every plug-in with routes: its router, or why it cannot be served."""
    taken = dict.fromkeys((*PAGES, *map(_prefix, ours)), "the server")
    for one in used:
        if one.plugin is None or one.plugin.http is None:
            continue
        try:
            router = face_of(one, "http", APIRouter)
            prefix = _prefix_of(router)
            if prefix in taken:
                raise ValueError(f"addresses that begin with {prefix} are those of {taken[prefix]}")
        except FAULTS as error:
            yield one, None, told(error)
        else:
            taken[prefix] = one.name
            yield one, router, ""


def taken(used: Iterable[Found], ours: Sequence[BaseRoute]) -> set[str]:
    """What addresses begin with here, without its slash."""
    served = [route for _, router, _ in tried(used, ours) if router is not None for route in flat(router)]
    return {prefix.strip("/") for prefix in (*PAGES, *map(_prefix, (*ours, *served)))}


def _prefix_of(router: APIRouter) -> str:
    """The one prefix of all its routes.

    Raises:
        ValueError: there is none, or there are several, or it would catch what is asked of others.
    """
    prefixes = sorted({_prefix(route) for route in flat(router)})
    if len(prefixes) != 1:
        raise ValueError(f"its addresses begin with {', '.join(prefixes) or 'nothing'}; one prefix is right")
    if not _PLAIN.fullmatch(prefixes[0]):
        raise ValueError(f"its addresses begin with {prefixes[0]}; a word is right")
    return prefixes[0]


async def warm(used: Iterable[Found]) -> None:
    """Make ready what plug-ins will soon want, one after the other, beside everything else."""
    await asyncio.sleep(WARM_AFTER)
    for one in used:
        if one.plugin is None or one.plugin.warm is None:
            continue
        try:
            await asyncio.to_thread(resolved(one.plugin.warm))
        except FAULTS as error:  # what is not ready now is made ready later
            log.warning("%s (%s %s) could not be warmed: %s", one.name, one.package, one.version, told(error))


def flat(router: APIRouter) -> Iterator[BaseRoute]:
    """The routes of a router and of those it includes; each has its whole path."""
    for route in router.routes:
        inner = getattr(route, "original_router", None)
        if inner is None:
            yield route
        else:
            yield from flat(inner)


def _prefix(route: BaseRoute) -> str:
    return "/" + str(getattr(route, "path", "")).strip("/").partition("/")[0]
