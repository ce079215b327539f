"""Realms over HTTP: the operator links; whoever has a ticket for a realm looks and commands there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response, WebSocket
from pydantic import Field

from greenroom.kernel.errors import Unknown
from greenroom.kit.http.access import Acting, Entered, EnteredStream, Operator, OperatorEntered, TheHouse
from greenroom.kit.http.problems import ADMITTED, CHANGE, STREAM
from greenroom.kit.http.records import Key, Recorded, ReplyTold, RequestBody, ResponseBody, answer
from greenroom.kit.http.turns import Patience, give
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app, live
from greenroom.worlds.realms.rules import NAME
from greenroom.worlds.realms.rules.commands import ACTION, PROBLEM, SECONDS, SPEECH
from greenroom.worlds.realms.rules.state import PLAYER, Autonomy, Permission

WORLD = NAME

routes = APIRouter(prefix="/realms", tags=[WORLD])


def _realm(place: EnteredStream) -> EnteredStream:
    if place.stream.world != NAME:
        raise Unknown(f"there is no realm {place.name}")
    return place


async def _entered(place: Entered) -> EnteredStream:
    return _realm(place)


async def _acting(place: Acting) -> EnteredStream:
    return _realm(place)


async def _operated(place: OperatorEntered) -> EnteredStream:
    return _realm(place)


Seen = Annotated[EnteredStream, Depends(_entered)]
Seated = Annotated[EnteredStream, Depends(_acting)]
Operated = Annotated[EnteredStream, Depends(_operated)]


# realms


class NewRealm(RequestBody):
    path: Annotated[
        str, Field(min_length=1, max_length=4_000, description="A folder, or an https, ssh or file address.")
    ]


class RealmTold(ResponseBody):
    stream: str
    new: bool
    kin: list[str] = Field(description="Realms that go back to the same first commit.")


class RealmList(ResponseBody):
    realms: list[dict[str, Any]]


@routes.post("", responses={**CHANGE, 201: {"model": RealmTold}}, status_code=201)
async def link(house: TheHouse, caller: Operator, body: NewRealm) -> Response:
    """Link a repository; one that is known is visited again. Only the operator may."""
    found = await app.link(house, body.path)
    return answer({"stream": found.stream, "new": found.is_new, "kin": list(found.kin)}, 201)


@routes.get("", responses={**ADMITTED, 200: {"model": RealmList}})
async def realms(house: TheHouse, caller: Operator) -> Response:
    """All realms: when they were visited, how many commits came since, and what is in them."""
    return answer({"realms": await app.listed(house)})


@routes.delete("/{name}", responses={**CHANGE, 204: {"description": "It is off the list."}}, status_code=204)
async def remove(house: TheHouse, place: Operated) -> Response:
    """Take a realm off the list; its memory stays."""
    await app.remove(house, place.name)
    return Response(status_code=204)


# looking


class Report(ResponseBody):
    realm: str
    stream: str
    name: str
    path: str
    visit: int
    digest: str
    counts: dict[str, Any]
    rules: dict[str, int]
    findings: list[dict[str, Any]]
    entries: list[dict[str, Any]]
    notes: list[str]
    since_last_visit: dict[str, Any] | None


class Map(ResponseBody):
    rooms: list[dict[str, Any]]
    doors: list[dict[str, Any]]


class RoomTold(ResponseBody):
    room: str
    names: list[str]
    left_out: int


class Board(ResponseBody):
    findings: list[dict[str, Any]]


class Exported(ResponseBody):
    markdown: str


@routes.get("/{name}/report", responses={**STREAM, 200: {"model": Report}})
async def report(house: TheHouse, place: Operated) -> Response:
    """The ranked report of the last visit, and what changed since the one before."""
    return answer(await app.report(house, place.name))


@routes.get("/{name}/map", responses={**STREAM, 200: {"model": Map}})
async def map_(house: TheHouse, place: Operated) -> Response:
    """Rooms and doors."""
    found = await app.words(house, place.name, "map")
    return answer({"rooms": found.get("rooms", []), "doors": found.get("doors", [])})


@routes.get("/{name}/room", responses={**CHANGE, 200: {"model": RoomTold}})
async def room(house: TheHouse, place: Operated, path: Annotated[str, Query(max_length=500)] = "") -> Response:
    """What stands in a room."""
    return answer(await app.room(house, place.name, path))


@routes.get("/{name}/board", responses={**STREAM, 200: {"model": Board}})
async def board(house: TheHouse, place: Seen) -> Response:
    """The board, as far as the seat may see it; the newest finding last."""
    body: Any = (await house.view(place.name, seat=place.seat)).body
    return answer({"findings": body.get("board", [])})


@routes.get("/{name}/export", responses={**STREAM, 200: {"model": Exported}})
async def export(house: TheHouse, place: Operated) -> Response:
    """What came of a realm, as Markdown."""
    return answer({"markdown": await app.exported(house, place.name)})


# commanding


class ProcessGiven(RequestBody):
    template: Annotated[str, Field(min_length=1, max_length=40)]
    problem: Annotated[str, Field(min_length=PROBLEM.least, max_length=PROBLEM.most)]
    autonomy: Autonomy | None = None


class Steering(RequestBody):
    """Approve, skip or restart; inject and redirect need a text."""

    command: Literal["approve", "skip", "restart", "inject", "redirect"]
    text: Annotated[str, Field(min_length=1, max_length=PROBLEM.most)] | None = None


class TaskGiven(RequestBody):
    agent: Annotated[str, Field(min_length=1, max_length=80)]
    text: Annotated[str, Field(min_length=SPEECH.least, max_length=SPEECH.most)]


class SettingsGiven(RequestBody):
    max_agents: Annotated[int, Field(ge=1, le=5)]
    budget_cents: Annotated[int, Field(ge=0, le=100_000)]
    permission: Permission
    autonomy: Autonomy


class SeatGiven(RequestBody):
    """Somebody outside who is to play an agent."""

    agent: Annotated[str, Field(min_length=1, max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=80)]
    role: Annotated[str, Field(min_length=1, max_length=40)]
    seconds: Annotated[int, Field(ge=SECONDS.least, le=SECONDS.most, description="For one action.")] = 5


class Decision(RequestBody):
    """Whether an agent from outside may do what it asks for."""

    allowed: bool


class Inheriting(RequestBody):
    origin: Annotated[str, Field(min_length=1, max_length=100, description="Another realm of the same repository.")]


class Inherited(ResponseBody):
    vaults: int
    findings: int


class SeatTold(ResponseBody):
    agent: str
    ticket: str = Field(description="Opens this seat on the live line and nothing else; told only now.")


class ActionGiven(RequestBody):
    action: Annotated[str, Field(min_length=ACTION.least, max_length=ACTION.most, description="An action as JSON.")]


_TURN = {**CHANGE, 200: {"model": ReplyTold}, 202: {"model": Recorded}}


@routes.post("/{name}/explore", responses=_TURN)
async def explore(request: Request, place: Seated, key: Key = None) -> Response:
    """Look at the repository anew and send the agents round."""
    return await _give(request, place, "explore", {}, key=key)


@routes.post("/{name}/process", responses=_TURN)
async def process(request: Request, place: Seated, body: ProcessGiven, key: Key = None) -> Response:
    """Let agents think about a question."""
    return await _give(request, place, "start_process", body.model_dump(), key=key)


@routes.post("/{name}/steer", responses=_TURN)
async def steer(request: Request, place: Seated, body: Steering, key: Key = None) -> Response:
    """Say how a process goes on."""
    named = {"inject": "text", "redirect": "goal"}.get(body.command)
    fields = {} if named is None else {named: body.text or ""}
    return await _give(request, place, body.command, fields, key=key)


@routes.post("/{name}/task", responses=_TURN)
async def task(request: Request, place: Seated, body: TaskGiven, key: Key = None) -> Response:
    """Tell an agent what to do."""
    return await _give(request, place, "direct", body.model_dump(), key=key)


@routes.put("/{name}/settings", responses=_TURN)
async def settings(request: Request, place: Seated, body: SettingsGiven, key: Key = None) -> Response:
    """Change what agents may do here."""
    return await _give(request, place, "update_settings", body.model_dump(), key=key)


@routes.post("/{name}/seats", responses={**CHANGE, 201: {"model": SeatTold}}, status_code=201)
async def seat(house: TheHouse, place: Operated, body: SeatGiven) -> Response:
    """Give an agent's seat to somebody outside."""
    command = house.codec(NAME).command_from("seat_agent", body.model_dump())
    await house.send(place.name, command, seat=PLAYER)
    issued = await house.access.issue_player(
        owner=place.stream.owner, seat=body.agent, stream=place.name, label=f"{body.agent} of a realm"
    )
    return answer({"agent": body.agent, "ticket": issued.text}, 201)


@routes.put("/{name}/requests/{request_id}", responses=_TURN)
async def decide(request: Request, place: Seated, request_id: str, body: Decision, key: Key = None) -> Response:
    """Allow or refuse what an agent from outside asks permission for."""
    kind = "allow" if body.allowed else "deny"
    return await _give(request, place, kind, {"request": request_id}, key=key)


@routes.post("/{name}/inherit", responses={**CHANGE, 200: {"model": Inherited}})
async def inherit(house: TheHouse, place: Operated, body: Inheriting) -> Response:
    """Take over what the agents of another copy of the same repository know."""
    vaults, findings = await app.inherit(house, place.name, await app.find(house, body.origin))
    return answer({"vaults": vaults, "findings": findings})


@routes.post("/{name}/act", responses=_TURN)
async def act(request: Request, place: Seated, body: ActionGiven, key: Key = None) -> Response:
    """Act from an agent's seat, in its turn."""
    return await _give(request, place, "act", body.model_dump(), key=key)


async def _give(
    request: Request, place: EnteredStream, kind: str, fields: dict[str, Any], *, key: str | None
) -> Response:
    house: House = request.app.state.house
    patience: Patience = request.app.state.patience
    seat = PLAYER if place.caller.kind == "operator" else place.seat
    status, told = await give(house, patience, place, kind, fields, seat=seat, key=key)
    return answer(told, status)


@routes.websocket("/live")
async def line(socket: WebSocket) -> None:
    """The live line; see the page about realms for its messages."""
    await live.serve(socket)
