"""Coming in again without a ticket: a code by e-mail, as at registration. Strangers learn nothing of who plays."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field
from starlette.background import BackgroundTask

from greenroom.kernel.errors import GreenroomError, Refused
from greenroom.kit.http.access import Anybody, TheHouse
from greenroom.kit.http.problems import CHANGE
from greenroom.kit.http.records import RequestBody, ResponseBody, answer
from greenroom.services.house import House
from greenroom.worlds.phantom.faces.http import stories
from greenroom.worlds.phantom.faces.http.players import SignedUp, ticket_to
from greenroom.worlds.phantom.rules.commands import CODE, AskEntry, Enter
from greenroom.worlds.phantom.rules.state import PLAYER
from greenroom.worlds.phantom.rules.tables import PLAYERS

routes = APIRouter(prefix="/phantom")

Email = Annotated[str, Field(min_length=3, max_length=254)]
#: How long trying a code takes at least.
TRY_SECONDS = 0.2
#: The same sentence for a wrong code, an old one, and an address that nobody signed up with.
_CLOSED = "that code opens nothing; look again, or ask for a new one"


class Lost(RequestBody):
    email: Email


class Sent(ResponseBody):
    said: str


@routes.post("/entry", responses={**CHANGE, 202: {"model": Sent}}, status_code=202)
async def ask(request: Request, house: TheHouse, caller: Anybody, body: Lost) -> Response:
    """Ask for a code to come in again. The answer is the same whether or not anybody has that address.

    The code is sent after the answer, so that the time it takes tells nothing either.
    """
    request.app.state.door.begins(request, caller)
    told = answer({"said": "if somebody plays under that address, a code is on its way to it"}, 202)
    told.background = BackgroundTask(_send, house, await _address(body.email))
    return told


async def _send(house: House, email: str) -> None:
    stream = await house.holder(PLAYERS, "email", email)
    if stream is not None:
        # Enough codes were sent there today, or nothing may be sent, or nothing can be: whoever asked was answered
        # before, and asks again.
        with suppress(GreenroomError):
            await house.send(stream, AskEntry(), seat=PLAYER)


class CodeGiven(Lost):
    code: Annotated[str, Field(min_length=CODE.least, max_length=CODE.most)]


@routes.post("/entry/code", responses={**CHANGE, 200: {"model": SignedUp}})
async def enter(request: Request, house: TheHouse, caller: Anybody, body: CodeGiven) -> Response:
    """Come in with the code: the answer holds a new ticket, and those given out before are worth nothing any more."""
    request.app.state.door.begins(request, caller)
    # However it ends, it takes as long: whether somebody plays under an address cannot be told by a clock either.
    stream, _ = await asyncio.gather(_opened(house, await _address(body.email), body.code), _pause())
    if stream is None:
        raise Refused(_CLOSED)
    owner = (await house.stream(stream)).owner
    for ticket in await house.access.tickets(owner=owner):
        if ticket.stream == stream:
            await house.access.revoke(ticket.digest)
    return answer(await ticket_to(house, stream))


async def _address(given: str) -> str:
    """Beside the loop: what knows all about addresses is loaded with the first."""
    return (await asyncio.to_thread(stories.email, given)).casefold()


async def _pause() -> None:
    await asyncio.sleep(TRY_SECONDS)


async def _opened(house: House, email: str, code: str) -> str | None:
    """The story that a code opens."""
    stream = await house.holder(PLAYERS, "email", email)
    return stream if stream is not None and await _fits(house, stream, code) else None


async def _fits(house: House, stream: str, code: str) -> bool:
    try:
        told: Any = (await house.send(stream, Enter(code=code), seat=PLAYER)).body
    except Refused:
        return False
    return told["verified"] is True
