"""Streams over HTTP: find, look, give commands. Players reach their own, the operator all of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from greenroom.journal.records import Stream
from greenroom.kernel.asks import Json
from greenroom.kernel.codec import filled
from greenroom.kernel.errors import Forgotten, Refused, Unknown
from greenroom.kernel.worlds import HOUSE, OPERATOR, Pattern, Range
from greenroom.kit.http.access import Acting, Entered, Guest, Operator, TheHouse
from greenroom.kit.http.problems import ADMITTED, CHANGE, STREAM
from greenroom.kit.http.records import (
    MOST,
    AttemptTold,
    EventPage,
    Key,
    Limit,
    LookTold,
    Recorded,
    ReplyTold,
    RequestBody,
    ResponseBody,
    StreamPage,
    Text,
    answer,
    attempt_told,
    event_told,
    look_told,
    reply_told,
    stream_facts,
)
from greenroom.kit.http.turns import Patience, give, giver
from greenroom.ports import Ticket
from greenroom.services.access import admits
from greenroom.services.house import House, new_name

routes = APIRouter(tags=["streams"])

Wanted = Annotated[str | None, Query(min_length=1, max_length=200)]
Version = Annotated[int | None, Query(ge=0, le=MOST, description="Which version; the newest by default.")]
After = Annotated[int, Query(ge=0, le=MOST)]
Number = Annotated[int, Path(ge=1, le=MOST, description="Number of the attempt.")]


# finding


@routes.get("/streams", responses={**ADMITTED, 200: {"model": StreamPage}})
async def list_streams(
    house: TheHouse,
    caller: Guest,
    *,
    world: Wanted = None,
    owner: Wanted = None,
    branches_of: Wanted = None,
    after: Annotated[str, Query(max_length=200, description="Go on behind this name.")] = "",
    limit: Limit = 100,
) -> Response:
    """Streams by name, a page at a time; a player's own only."""
    if caller.ticket is not None and caller.kind == "player":
        found = await _own(house, caller.ticket, after, limit)
        found = [s for s in found if world in (None, s.world) and branches_of in (None, s.parent)]
    else:
        found = list(await house.streams(world=world, owner=owner, parent=branches_of, after=after, limit=limit))
    operator = caller.kind == "operator"
    more = found[-1].name if len(found) == limit else None
    return answer({"streams": [stream_facts(s, operator=operator) for s in found], "after": more})


async def _own(house: House, ticket: Ticket, after: str, limit: int) -> list[Stream]:
    """The streams that a ticket opens."""
    if ticket.stream is None:
        return list(await house.streams(world=ticket.world, owner=ticket.owner, after=after, limit=limit))
    try:
        only = await house.stream(ticket.stream)
    except (Unknown, Forgotten):
        return []
    return [only] if admits(ticket, only) and only.name > after else []


# beginning and giving commands


class Start(RequestBody):
    """A stream to begin."""

    world: Text
    config: Json = None
    owner: Text = "local"
    name: Text | None = None
    seed: int | None = None
    seat: Text = OPERATOR


@routes.post("/streams", responses={**CHANGE, 200: {"model": ReplyTold}, 202: {"model": Recorded}})
async def start(request: Request, house: TheHouse, caller: Operator, body: Start) -> Response:
    """Begin a stream. The same name, config and owner again give the stream that is there."""
    patience: Patience = request.app.state.patience
    wanted: dict[str, Any] = {"owner": body.owner, "name": body.name or new_name(), "seed": body.seed}
    reply = await patience.within(house.start(body.world, body.config, **wanted, seat=body.seat))
    if reply is not None:
        return answer(reply_told(reply))
    # Recording it again finds the stream, or records it if that is what took so long.
    receipt = await house.record_start(body.world, body.config, **wanted)
    return answer({"stream": wanted["name"], "attempt": receipt.attempt.n, "status": "open"}, 202)


class CommandGiven(RequestBody):
    """A command as the world names it, with its fields."""

    kind: Text
    fields: dict[str, Json] = Field(default_factory=dict)
    seat: Text | None = None


@routes.post("/streams/{name:path}/commands", responses={**CHANGE, 200: {"model": ReplyTold}, 202: {"model": Recorded}})
async def command(request: Request, house: TheHouse, place: Acting, body: CommandGiven, key: Key = None) -> Response:
    """Give a command: 200 with the reply, or 202 with the attempt when its turn takes long. Both mean: recorded."""
    patience: Patience = request.app.state.patience
    seat = await giver(house, place, body.seat)
    status, told = await give(house, patience, place, body.kind, body.fields, seat=seat, key=key)
    return answer(told, status)


# looking


class AttemptPage(ResponseBody):
    stream: str
    attempts: list[AttemptTold]
    after: int | None


@routes.get("/streams/{name:path}/attempts", responses={**STREAM, 200: {"model": AttemptPage}})
async def attempts(house: TheHouse, place: Entered, after: After = 0, limit: Limit = 100) -> Response:
    """Attempts in order; a player sees those of the player's own seat."""
    found = await house.attempts(place.name, after=after, limit=limit)
    mine = [a for a in found if place.caller.kind == "operator" or a.seat == place.seat]
    more = found[-1].n if len(found) == limit else None
    return answer({"stream": place.name, "attempts": [attempt_told(a) for a in mine], "after": more})


@routes.get("/streams/{name:path}/attempts/{n}", responses={**STREAM, 200: {"model": AttemptTold}})
async def attempt(house: TheHouse, place: Entered, n: Number) -> Response:
    """One attempt, with the reply once it is settled."""
    found = await house.attempt(place.name, n)
    if place.caller.kind == "player" and found.seat != place.seat:
        raise Unknown(f"stream {place.name} has no attempt {n}")
    body = None
    if found.status == "settled":
        seat = place.seat if place.caller.kind == "player" or found.seat == HOUSE else found.seat
        try:
            reply = await house.replied(place.name, n, seat=seat)
        except Refused:
            reply = None
        body = None if reply is None else reply.body
    return answer(attempt_told(found, body))


@routes.get("/streams/{name:path}/events", responses={**STREAM, 200: {"model": EventPage}})
async def events(house: TheHouse, place: Entered, after: After = 0, limit: Limit = 100) -> Response:
    """What happened after a version, as the seat may see it; `limit` counts versions."""
    upto = max(after, min(after + limit, place.stream.version))
    found = [e async for e in house.events(place.name, seat=place.seat, after=after, upto=upto)]
    return answer(
        {
            "stream": place.name,
            "seat": place.seat,
            "events": [event_told(event) for event in found],
            "upto": upto,
            "newest": place.stream.version,
        }
    )


class Legal(ResponseBody):
    """What a seat may do now: commands with their fields, free ones with what may stand in them."""

    stream: str
    seat: str
    legal: list[Any]


@routes.get("/streams/{name:path}/legal", responses={**STREAM, 200: {"model": Legal}})
async def legal(house: TheHouse, place: Entered) -> Response:
    """What a seat may do now."""
    codec = house.codec(place.stream.world)
    found = [_choice(codec, choice) for choice in await house.legal(place.name, place.seat)]
    return answer({"stream": place.name, "seat": place.seat, "legal": found})


def _choice(codec: Any, choice: Any) -> dict[str, Any]:
    example = choice.example if isinstance(choice, Pattern) else choice
    told = {"kind": codec.kind(example), "fields": filled(example, lambda _: "")}
    if isinstance(choice, Pattern):
        told["free"] = {name: _free(what) for name, what in choice.free.items()}
    return told


def _free(what: Any) -> dict[str, Any]:
    kind = "number" if isinstance(what, Range) else "text"
    return {"kind": kind, "least": what.least, "most": what.most}


@routes.get("/streams/{name:path}", responses={**STREAM, 200: {"model": LookTold}})
async def look(house: TheHouse, place: Entered, version: Version = None) -> Response:
    """A stream as one seat may see it, now or at any version."""
    return answer(look_told(await house.view(place.name, seat=place.seat, version=version)))
