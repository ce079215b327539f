"""A New World over HTTP. Anybody may come; the answer is a ticket to one evening."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from greenroom.kernel.errors import Unknown
from greenroom.kit.http.access import Acting, Anybody, EnteredStream, TheHouse
from greenroom.kit.http.problems import ALWAYS, CHANGE
from greenroom.kit.http.records import Key, Recorded, ReplyTold, RequestBody, ResponseBody, answer
from greenroom.kit.http.turns import give
from pydantic import Field

from ..rules import NAME
from ..rules.commands import GUESS, SPEECH
from ..rules.state import GUEST

routes = APIRouter(prefix="/a_new_world", tags=[NAME])


class EveningTold(ResponseBody):
    """An evening that has begun."""

    stream: str
    ticket: str = Field(description="Shown as `Authorization: Bearer …`; opens this evening, and is told only now.")
    question: str


@routes.post("/evenings", responses={**ALWAYS, 201: {"model": EveningTold}}, status_code=201)
async def begin(request: Request, house: TheHouse, caller: Anybody) -> Response:
    """Begin an evening. Its guest is somebody new."""
    request.app.state.door.begins(request, caller)
    guest = f"guest:{secrets.token_hex(8)}"
    begun = await house.start(NAME, {}, owner=guest, seat=GUEST)
    issued = await house.access.issue_player(owner=guest, seat=GUEST, stream=begun.stream, label="an evening")
    return answer({"stream": begun.stream, "ticket": issued.text, "question": begun.body["question"]}, 201)


class Speech(RequestBody):
    text: Annotated[str, Field(min_length=SPEECH.least, max_length=SPEECH.most)]


class GuessGiven(RequestBody):
    answer: Annotated[str, Field(min_length=GUESS.least, max_length=GUESS.most)]


_TURN: dict[int | str, dict[str, Any]] = {**CHANGE, 200: {"model": ReplyTold}, 202: {"model": Recorded}}


@routes.post("/evenings/{name}/say", responses=_TURN)
async def say(request: Request, place: Acting, body: Speech, key: Key = None) -> Response:
    """Say something to the host."""
    return await _act(request, place, "say", body.model_dump(), key)


@routes.post("/evenings/{name}/beg", responses=_TURN)
async def beg(request: Request, place: Acting, key: Key = None) -> Response:
    """Ask for a hint."""
    return await _act(request, place, "beg", {}, key)


@routes.post("/evenings/{name}/guess", responses=_TURN)
async def guess(request: Request, place: Acting, body: GuessGiven, key: Key = None) -> Response:
    """Guess the answer."""
    return await _act(request, place, "guess", body.model_dump(), key)


@routes.post("/evenings/{name}/leave", responses=_TURN)
async def leave(request: Request, place: Acting, key: Key = None) -> Response:
    """Go home; the evening is over."""
    return await _act(request, place, "leave", {}, key)


async def _act(request: Request, place: EnteredStream, kind: str, fields: dict[str, str], key: str | None) -> Response:
    if place.stream.world != NAME:
        raise Unknown(f"there is no evening {place.name}")
    given = request.app.state
    status, told = await give(given.house, given.patience, place, kind, fields, seat=GUEST, key=key)
    return answer(told, status)
