"""The worlds that have routes of their own, each in a module of its name; and what every world takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from fastapi import APIRouter, Response

from greenroom.entrypoints.http import agi, bar, lighthouse, phantom
from greenroom.kit.http.access import Guest, TheHouse
from greenroom.kit.http.problems import ADMITTED
from greenroom.kit.http.records import Told, answer

#: World → its routes. A world that is not in the house gets none.
WORLDS: Mapping[str, APIRouter] = {
    lighthouse.WORLD: lighthouse.routes,
    agi.WORLD: agi.routes,
    bar.WORLD: bar.routes,
    phantom.WORLD: phantom.routes,
}

routes = APIRouter(tags=["worlds"])


class WorldFacts(Told):
    world: str
    #: Command → its fields.
    commands: dict[str, list[str]]
    config: list[str]


class Worlds(Told):
    worlds: list[WorldFacts]


@routes.get("/worlds", responses={**ADMITTED, 200: {"model": Worlds}})
async def worlds(house: TheHouse, caller: Guest) -> Response:
    """The worlds of this house, and which commands each takes."""
    found = house.worlds.values()
    told = [
        {
            "world": world.name,
            "commands": {kind: [field.name for field in fields(t)] for kind, t in world.commands.items()},
            "config": [field.name for field in fields(world.config)],
        }
        for world in found
    ]
    return answer({"worlds": told})
