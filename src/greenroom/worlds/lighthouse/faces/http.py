"""The lighthouse over HTTP: the pattern of a world's routes. Anybody may come; the answer is a ticket to one visit."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from greenroom.kernel.errors import Unknown
from greenroom.kit.http.access import Acting, Anybody, Door, EnteredStream, TheHouse
from greenroom.kit.http.problems import ALWAYS, CHANGE
from greenroom.kit.http.records import Key, Recorded, ReplyTold, RequestBody, ResponseBody, answer
from greenroom.kit.http.turns import Patience, give
from greenroom.services.house import House
from greenroom.worlds.lighthouse.rules.commands import ADDRESS, LETTER, SPEECH
from greenroom.worlds.lighthouse.rules.state import VISITOR

WORLD = "lighthouse"

routes = APIRouter(prefix="/lighthouse", tags=[WORLD])


class VisitTold(ResponseBody):
    """A visit that has begun."""

    stream: str
    owner: str
    ticket: str = Field(description="Shown as `Authorization: Bearer …`; opens this visit, and is told only now.")
    keeper: str
    weather: str


@routes.post("/visits", responses={**ALWAYS, 201: {"model": VisitTold}}, status_code=201)
async def arrive(request: Request, house: TheHouse, caller: Anybody) -> Response:
    """Begin a visit. Its visitor is somebody new; whoever runs the house forgets them by the name of the owner."""
    door: Door = request.app.state.door
    door.begins(request, caller)
    visitor = f"visitor:{secrets.token_hex(8)}"
    reply = await house.start(WORLD, {}, owner=visitor, seat=VISITOR)
    issued = await house.access.issue_player(owner=visitor, seat=VISITOR, stream=reply.stream, label="a visit")
    seen = reply.body
    visit = {
        "stream": reply.stream,
        "owner": visitor,
        "ticket": issued.text,
        "keeper": seen["keeper"],
        "weather": seen["weather"],
    }
    return answer(visit, 201)


class Speech(RequestBody):
    text: Annotated[str, Field(min_length=SPEECH.least, max_length=SPEECH.most)]


class Mail(RequestBody):
    to: Annotated[str, Field(min_length=ADDRESS.least, max_length=ADDRESS.most)]
    text: Annotated[str, Field(min_length=LETTER.least, max_length=LETTER.most)]


_TURN = {**CHANGE, 200: {"model": ReplyTold}, 202: {"model": Recorded}}


@routes.post("/visits/{name}/say", responses=_TURN)
async def say(request: Request, place: Acting, body: Speech, key: Key = None) -> Response:
    """Say something to the keeper."""
    return await _act(request, place, "say", body.model_dump(), key=key)


@routes.post("/visits/{name}/climb", responses=_TURN)
async def climb(request: Request, place: Acting, key: Key = None) -> Response:
    """Try the stairs to the lamp room."""
    return await _act(request, place, "climb", {}, key=key)


@routes.post("/visits/{name}/write", responses=_TURN)
async def write(request: Request, place: Acting, body: Mail, key: Key = None) -> Response:
    """Give the keeper a letter for the next mail boat."""
    return await _act(request, place, "write", body.model_dump(), key=key)


@routes.post("/visits/{name}/leave", responses=_TURN)
async def leave(request: Request, place: Acting, key: Key = None) -> Response:
    """Go home; the visit is over."""
    return await _act(request, place, "leave", {}, key=key)


async def _act(
    request: Request, place: EnteredStream, kind: str, fields: dict[str, str], *, key: str | None
) -> Response:
    if place.stream.world != WORLD:
        raise Unknown(f"there is no visit {place.name}")
    # Not asked for by each route: the framework takes its time for every dependency.
    house: House = request.app.state.house
    patience: Patience = request.app.state.patience
    status, told = await give(house, patience, place, kind, fields, seat=VISITOR, key=key)
    return answer(told, status)
