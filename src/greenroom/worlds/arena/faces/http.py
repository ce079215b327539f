"""The arena over HTTP, for the operator: runs, what came of them, and agents that wait for approval."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from greenroom.kernel.errors import Unknown
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.http.access import EnteredStream, Operator, OperatorEntered, TheHouse
from greenroom.kit.http.problems import ADMITTED, CHANGE, STREAM
from greenroom.kit.http.records import Key, Recorded, ReplyTold, RequestBody, ResponseBody, answer
from greenroom.kit.http.turns import Patience, give
from greenroom.services.house import House
from greenroom.worlds.arena.faces.app import plots, runs, searching, telling
from greenroom.worlds.arena.rules import NAME
from greenroom.worlds.arena.rules.run import RunConfig

WORLD = NAME

routes = APIRouter(prefix="/arena", tags=[WORLD])


async def _run(place: OperatorEntered) -> EnteredStream:
    if place.stream.world != NAME:
        raise Unknown(f"{place.name} is no run of the arena")
    return place


Operated = Annotated[EnteredStream, Depends(_run)]


# runs


class NewRun(RequestBody):
    scenario: Annotated[str, Field(min_length=1, max_length=80, description="Shipped, or of your own.")] = "harbour"
    generations: Annotated[int, Field(ge=1, le=1000)] = 30
    seed: Annotated[int, Field(ge=0, le=1 << 53)] = 7
    islands: Annotated[int, Field(ge=1, le=8)] = 2
    auto_approve: Annotated[bool, Field(description="Try designed agents without a person.")] = False


class RunBegun(ResponseBody):
    run: str


class RunTold(ResponseBody):
    run: str
    scenario: str
    seed: int
    rule: str
    generation: int
    generations: int
    phase: str
    episodes: int
    turns: int
    accepted: list[int]
    champions: list[int]
    refusals: dict[str, int]
    waiting: list[int] = Field(description="Numbers of the agents that wait for approval.")
    lineage: str
    proof: dict[str, Any] | None


class RunList(ResponseBody):
    runs: list[RunTold]


@routes.post("/runs", responses={**CHANGE, 201: {"model": RunBegun}}, status_code=201)
async def begin(house: TheHouse, caller: Operator, body: NewRun) -> Response:
    """Begin a run; the house's workers play it. The same one again is the one that is there."""
    runs.content_of(house).scenario(body.scenario)
    return answer({"run": await runs.begin(house, RunConfig(**body.model_dump()))}, 201)


@routes.get("/runs", responses={**ADMITTED, 200: {"model": RunList}})
async def every_run(house: TheHouse, caller: Operator) -> Response:
    """All runs: how far they are, and what they proved."""
    names = [stream.name async for stream in house.every_stream(NAME)]
    found = [(name, await runs.state_of(house, name)) for name in names]
    return answer({"runs": [telling.summary(name, state) for name, state in found if state.config is not None]})


@routes.get("/runs/{name}", responses={**STREAM, 200: {"model": RunTold}})
async def one_run(house: TheHouse, place: Operated) -> Response:
    """How far a run is, and what it proved."""
    return answer(telling.summary(place.name, await runs.state_of(house, place.name)))


# what came of it


class Lineage(ResponseBody):
    run: str
    sum: str
    profiles: list[dict[str, Any]]


class Profiles(ResponseBody):
    run: str
    profiles: list[dict[str, Any]]


class Points(ResponseBody):
    run: str
    points: list[dict[str, Any]]


class SimilarFound(ResponseBody):
    source: str = Field(alias="from", description="house, or chroma where an index is set.")
    found: list[dict[str, Any]]


@routes.get("/runs/{name}/lineage", responses={**STREAM, 200: {"model": Lineage}})
async def lineage(house: TheHouse, place: Operated) -> Response:
    """Which profile came from which, and the sum over all of it."""
    state = await runs.state_of(house, place.name)
    return answer({"run": place.name, "sum": state.lineage, "profiles": telling.family(state)})


@routes.get("/runs/{name}/profiles", responses={**STREAM, 200: {"model": Profiles}})
async def profiles(house: TheHouse, place: Operated) -> Response:
    """Every profile with its numbers and what became of it."""
    return answer({"run": place.name, "profiles": telling.profile_rows(await runs.state_of(house, place.name))})


@routes.get("/runs/{name}/scores", responses={**STREAM, 200: {"model": Points}})
async def scores(house: TheHouse, place: Operated) -> Response:
    """Mean scores by generation with their 95 % intervals, in training and held out."""
    return answer({"run": place.name, "points": plots.points(await runs.state_of(house, place.name))})


@routes.get("/similar", responses={**CHANGE, 200: {"model": SimilarFound}})
async def similar(
    house: TheHouse,
    caller: Operator,
    query: Annotated[str, Query(min_length=1, max_length=500)],
    run: Annotated[str | None, Query(max_length=200, description="Of this run alone.")] = None,
    limit: Annotated[int, Query(ge=1, le=50)] = 5,
) -> Response:
    """Failures of all runs that are nearest to a question."""
    return answer(await searching.similar(house, query, run=run, limit=limit))


# deciding


class Decision(RequestBody):
    agent: Annotated[int, Field(ge=1, le=1000, description="Its number.")]
    approved: bool = True


@routes.post("/runs/{name}/agents", responses={**CHANGE, 200: {"model": ReplyTold}, 202: {"model": Recorded}})
async def decide(request: Request, place: Operated, body: Decision, key: Key = None) -> Response:
    """Approve an agent that the provisioner designed, or turn it away."""
    house: House = request.app.state.house
    patience: Patience = request.app.state.patience
    kind = "approve" if body.approved else "reject"
    status, told = await give(house, patience, place, kind, {"agent": body.agent}, seat=OPERATOR, key=key)
    return answer(told, status)
