"""What only the operator may do with a stream: branch it, check it, carry it, ask why, look into its memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime, Field

from greenroom.entrypoints.http.streams import After, Number, Version
from greenroom.kernel.errors import Malformed
from greenroom.kernel.times import moment
from greenroom.kit.http.access import Operator, OperatorEntered, TheHouse
from greenroom.kit.http.problems import CHANGE, STREAM
from greenroom.kit.http.records import (
    MOST,
    AttemptTold,
    Limit,
    ReplyTold,
    RequestBody,
    ResponseBody,
    StreamFacts,
    Text,
    answer,
    attempt_told,
    reply_told,
    stream_facts,
)
from greenroom.kit.http.turns import Patience, sent
from greenroom.services import operations

routes = APIRouter(tags=["streams, for the operator"])

NDJSON = "application/x-ndjson"
#: Every day that passes may hold turns; a caller waits for all of them.
MOST_TIME = timedelta(days=60)
FIRST_YEAR, LAST_YEAR = 1970, 9000
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "One JSON object a line; the last one is a footer that proves the file whole.",
        "content": {NDJSON: {"schema": {"type": "string"}}},
    }
}


# branches


class Branch(RequestBody):
    at: Annotated[int, Field(ge=0, le=MOST)] | None = None
    name: Text | None = None
    awake: bool = False


@routes.post("/streams/{name:path}/branches", responses={**CHANGE, 201: {"model": StreamFacts}}, status_code=201)
async def branch(house: TheHouse, place: OperatorEntered, body: Branch) -> Response:
    """Continue a stream elsewhere from any version; the stream itself never changes."""
    made = await house.branch(place.name, body.at, name=body.name, awake=body.awake)
    return answer(stream_facts(made), 201)


class Again(ResponseBody):
    """The branch on which the last command was given again, and its reply; no reply yet when the turn takes long."""

    branch: str
    attempt: ReplyTold | None


@routes.post("/streams/{name:path}/again", responses={**CHANGE, 200: {"model": Again}, 202: {"model": Again}})
async def again(request: Request, house: TheHouse, place: OperatorEntered) -> Response:
    """Say that again: a branch before the last command, on which the same command is given."""
    patience: Patience = request.app.state.patience
    branch, command, seat = await house.before_last(place.name)
    status, told = await sent(house, patience, branch.name, command, seat=seat)
    return answer({"branch": branch.name, "attempt": told if status == 200 else None}, status)


class ClockGiven(RequestBody):
    """A moment to which the standing clock of a branch is moved; written as ISO 8601 with its offset."""

    until: Annotated[AwareDatetime, Field(strict=False)]


@routes.post("/streams/{name:path}/clock", responses={**CHANGE, 200: {"model": StreamFacts}})
async def clock(house: TheHouse, place: OperatorEntered, body: ClockGiven) -> Response:
    """Let time pass on a branch; what comes due on the way is handled at its own moment."""
    if not FIRST_YEAR <= body.until.year <= LAST_YEAR:
        raise Malformed(f"a clock shows years from {FIRST_YEAR} to {LAST_YEAR}")
    stands = place.stream.clock_at
    if stands is not None and body.until - moment(stands) > MOST_TIME:
        raise Malformed(f"at most {MOST_TIME.days} days pass at once; the clock stands at {moment(stands).isoformat()}")
    await house.advance(body.until.astimezone(UTC), stream=place.name)
    return answer(stream_facts(await house.stream(place.name)))


# attempts


@routes.post("/streams/{name:path}/attempts/{n}/cancel", responses={**CHANGE, 200: {"model": AttemptTold}})
async def cancel(house: TheHouse, place: OperatorEntered, n: Number) -> Response:
    """Take back an attempt that is not settled yet; a settled one stays as it is."""
    return answer(attempt_told(await house.cancel(place.name, n)))


@routes.post("/streams/{name:path}/attempts/{n}/retry", responses={**CHANGE, 200: {"model": ReplyTold}})
async def retry(house: TheHouse, place: OperatorEntered, n: Number) -> Response:
    """Give a failed command again; asking twice does it once."""
    return answer(reply_told(await operations.retry(house, place.name, n)))


# checking and explaining


class Verified(ResponseBody):
    stream: str
    versions: int
    problems: list[str]
    missing: str | None = Field(description="Which package is missing; only history sums were checked then.")


class RawStepTold(ResponseBody):
    version: int
    at: datetime
    attempt: int
    events: list[Any] = Field(description="Kind and fields of each event; words are ids.")


class RawTold(ResponseBody):
    stream: str
    world: str
    steps: list[RawStepTold]
    upto: int
    newest: int
    missing: str | None


@routes.get("/streams/{name:path}/raw", responses={**STREAM, 200: {"model": RawTold}})
async def raw(house: TheHouse, place: OperatorEntered, after: After = 0, limit: Limit = 100) -> Response:
    """Steps as they are stored, words as ids: also of a stream whose world is not installed here."""
    row = place.stream
    upto = max(after, min(after + limit, row.version))
    steps = [
        {"version": step.version, "at": step.at, "attempt": step.n, "events": step.events}
        async for step in house.raw(place.name, after=after, upto=upto)
    ]
    told = {"stream": row.name, "world": row.world, "steps": steps, "upto": upto, "newest": row.version}
    return answer({**told, "missing": house.missing(row.world)})


@routes.get("/streams/{name:path}/verify", responses={**STREAM, 200: {"model": Verified}})
async def verify(house: TheHouse, place: OperatorEntered) -> Response:
    """Check sums, folds, snapshots and tables of one stream."""
    return answer(asdict(await house.verify(place.name)))


class WhyTold(ResponseBody):
    """The account of the turn that made a version."""

    stream: str
    version: int
    of: str
    attempt: int
    at: datetime
    by: str | None
    events: list[str]
    asks: list[dict[str, Any]]


@routes.get("/streams/{name:path}/why", responses={**STREAM, 200: {"model": WhyTold}})
async def why(house: TheHouse, place: OperatorEntered, version: Annotated[int, Query(ge=1, le=MOST)]) -> Response:
    """What the models of a version's turn were given, and what they cost; read from the ledger."""
    return answer(asdict(await house.why(place.name, version)))


class RecallTold(ResponseBody):
    world: str
    owner: str
    agent: str | None
    memories: int
    lacking: int | None
    found: list[dict[str, Any]]


@routes.get("/streams/{name:path}/recall", responses={**STREAM, 200: {"model": RecallTold}})
async def recall(
    house: TheHouse,
    place: OperatorEntered,
    query: Annotated[str, Query(min_length=1, max_length=2000)],
    *,
    agent: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    version: Version = None,
) -> Response:
    """Search what the cast of a stream remembers, with scores."""
    known = await house.recall(place.name, query, agent=agent, limit=limit, version=version)
    scope = known.scope
    told = {
        "world": scope.world,
        "owner": scope.owner,
        "agent": scope.agent,
        "memories": known.memories,
        "lacking": known.lacking,
        "found": known.found,
    }
    return answer(told)


# carrying


@routes.get("/streams/{name:path}/export", responses=CHANGE | _FILE, response_class=StreamingResponse)
async def export(house: TheHouse, place: OperatorEntered) -> StreamingResponse:
    """One stream as a file; a branch comes with its shared past."""
    return await as_file(house.export(place.name))


async def as_file(lines: AsyncIterator[bytes]) -> StreamingResponse:
    """An answer of lines; what cannot be told is refused before it begins."""
    first = await anext(lines)

    async def all_of_them() -> AsyncIterator[bytes]:
        yield first
        async for line in lines:
            yield line

    headers = {"Content-Disposition": 'attachment; filename="stream.jsonl"'}
    return StreamingResponse(all_of_them(), media_type=NDJSON, headers=headers)


_IMPORT = {
    "requestBody": {
        "required": True,
        "description": "The file as it was exported.",
        "content": {NDJSON: {"schema": {"type": "string"}}},
    }
}


@routes.post(
    "/streams/import", responses={**CHANGE, 201: {"model": StreamFacts}}, status_code=201, openapi_extra=_IMPORT
)
async def import_(request: Request, house: TheHouse, caller: Operator) -> Response:
    """Take in a stream that was exported, here or elsewhere; every sum is checked first."""
    lines = (await request.body()).splitlines(keepends=True)
    made = await asyncio.shield(house.import_(lines))
    return answer(stream_facts(made), 201)
