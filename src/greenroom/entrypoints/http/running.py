"""What only the operator may do with the house: see how it stands, decide about letters, tickets and people."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from greenroom.entrypoints.http.operating import NDJSON, as_file
from greenroom.kernel.errors import Unknown
from greenroom.kernel.letters import Letter, LetterStatus
from greenroom.kernel.times import moment
from greenroom.kit.http.access import Operator, TheHouse
from greenroom.kit.http.problems import ADMITTED, CHANGE, STREAM
from greenroom.kit.http.records import (
    AttemptTold,
    RequestBody,
    ResponseBody,
    StreamFacts,
    Text,
    answer,
    attempt_told,
    stream_facts,
)
from greenroom.ports import Ticket
from greenroom.services import operations

routes = APIRouter(tags=["the house, for the operator"])

Limit = Annotated[int, Query(ge=1, le=500)]
Owner = Annotated[str, Query(min_length=1, max_length=200)]


# how it stands


class Holding(ResponseBody):
    stream: str
    world: str
    worker: str
    until: datetime
    open: int


class StandingTold(ResponseBody):
    at: datetime
    counts: dict[str, int]
    queue: list[StreamFacts]
    due: list[StreamFacts]
    held: list[Holding]


@routes.get("/house", responses={**ADMITTED, 200: {"model": StandingTold}})
async def standing(house: TheHouse, caller: Operator, limit: Limit = 50) -> Response:
    """What waits, what is due, and who holds what."""
    found = await operations.overlook(house, limit=limit)
    told = {
        "at": found.at,
        "counts": found.counts,
        "queue": [stream_facts(stream) for stream in found.queue],
        "due": [stream_facts(stream) for stream in found.due],
        "held": [asdict(held) for held in found.held],
    }
    return answer(told)


class BudgetTold(ResponseBody):
    kind: str
    of: str
    most: int
    taken: int
    refused: int


class BudgetsTold(ResponseBody):
    budgets: list[BudgetTold]


@routes.get("/house/budgets", responses={**ADMITTED, 200: {"model": BudgetsTold}})
async def budgets(house: TheHouse, caller: Operator) -> Response:
    """What a day may take, what it took so far, and how often somebody was refused in this process."""
    return answer({"budgets": [asdict(one) for one in house.budgets.standing()]})


class Failures(ResponseBody):
    attempts: list[AttemptTold]


@routes.get("/house/failed", responses={**ADMITTED, 200: {"model": Failures}})
async def failed(house: TheHouse, caller: Operator, limit: Limit = 50) -> Response:
    """Attempts that were given up, the newest first."""
    found = await operations.failed(house, limit=limit)
    return answer({"attempts": [attempt_told(attempt) for attempt in found]})


class SpendingTold(ResponseBody):
    day: datetime
    world: str
    model: str
    asks: int
    input_tokens: int
    output_tokens: int
    cost: int = Field(description="Micro-dollars.")


class SpentTold(ResponseBody):
    spent: list[SpendingTold]


@routes.get("/house/spent", responses={**ADMITTED, 200: {"model": SpentTold}})
async def spent(house: TheHouse, caller: Operator, days: Annotated[int, Query(ge=1, le=3660)] = 30) -> Response:
    """What models cost, by day, world and model."""
    found = await operations.spent(house, days=days)
    return answer({"spent": [{**asdict(line), "day": moment(line.day)} for line in found]})


class Checked(ResponseBody):
    streams: int
    versions: int
    problems: list[str]
    missing: list[str] = Field(description="Worlds whose packages are not installed; that is no damage.")


@routes.get("/house/check", responses={**ADMITTED, 200: {"model": Checked}})
async def check(house: TheHouse, caller: Operator) -> Response:
    """Check the storage and every stream; takes as long as there is history."""
    return answer(asdict(await house.check()))


# letters


class LetterTold(ResponseBody):
    stream: str
    key: str
    due_at: datetime
    channel: str
    to: str
    subject: str
    status: Literal["due", "held", "sent", "cancelled", "failed"]
    tries: int
    error: str | None


class Letters(ResponseBody):
    letters: list[LetterTold]


@routes.get("/letters", responses={**ADMITTED, 200: {"model": Letters}})
async def letters(
    house: TheHouse,
    caller: Operator,
    *,
    status: LetterStatus | None = None,
    stream: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    limit: Limit = 100,
) -> Response:
    """Letters, the earliest due first."""
    found = await operations.letters(house, status=status, stream=stream, limit=limit)
    return answer({"letters": [_letter(letter) for letter in found]})


class DecisionGiven(RequestBody):
    stream: Text
    key: Annotated[str, Field(min_length=1, max_length=400)]
    decision: Literal["hold", "approve", "cancel"]


@routes.post("/letters", responses={**CHANGE, 200: {"model": LetterTold}})
async def decide(house: TheHouse, caller: Operator, body: DecisionGiven) -> Response:
    """Hold an unsent letter, let it go, or cancel it."""
    return answer(_letter(await operations.decide(house, body.stream, body.key, body.decision)))


def _letter(letter: Letter) -> dict[str, Any]:
    names = ("stream", "key", "due_at", "channel", "to", "subject", "status", "tries", "error")
    return {name: getattr(letter, name) for name in names}


# tickets


class TicketTold(ResponseBody):
    id: str
    kind: Literal["operator", "player"]
    owner: str | None
    seat: str | None
    world: str | None
    stream: str | None
    label: str
    made_at: datetime
    ends_at: datetime | None


class TicketIssued(TicketTold):
    ticket: str = Field(description="The text to show; told this once.")


class TicketsTold(ResponseBody):
    tickets: list[TicketTold]


@routes.get("/tickets", responses={**ADMITTED, 200: {"model": TicketsTold}})
async def tickets(
    house: TheHouse, caller: Operator, owner: Annotated[str | None, Query(min_length=1, max_length=200)] = None
) -> Response:
    """Who may come in."""
    found = await house.access.tickets(owner=owner)
    return answer({"tickets": [_ticket(ticket) for ticket in found]})


class Invite(RequestBody):
    """A ticket to issue: for a player with owner and seat, for another operator without."""

    owner: Text | None = None
    seat: Text | None = None
    world: Text | None = None
    stream: Text | None = None
    label: Annotated[str, Field(max_length=200)] = ""
    hours: Annotated[int, Field(ge=1, le=100_000)] | None = None


@routes.post("/tickets", responses={**CHANGE, 201: {"model": TicketIssued}}, status_code=201)
async def invite(house: TheHouse, caller: Operator, body: Invite) -> Response:
    """Issue a ticket."""
    if body.owner is None and body.seat is None:
        issued = await house.access.issue_operator(label=body.label)
    else:
        issued = await house.access.issue_player(
            owner=body.owner or "",
            seat=body.seat or "",
            world=body.world,
            stream=body.stream,
            label=body.label,
            lasts=None if body.hours is None else timedelta(hours=body.hours),
        )
    return answer({**_ticket(issued.ticket), "ticket": issued.text}, 201)


@routes.delete("/tickets/{id}", responses={**STREAM, 200: {"model": TicketsTold}})
async def take_back(house: TheHouse, caller: Operator, id: Annotated[str, Path(pattern="^[0-9a-f]{64}$")]) -> Response:
    """Take a ticket back."""
    if not await house.access.revoke(bytes.fromhex(id)):
        raise Unknown("there is no such ticket")
    return answer({"tickets": []})


def _ticket(ticket: Ticket) -> dict[str, Any]:
    names = ("kind", "owner", "seat", "world", "stream", "label")
    return {
        "id": ticket.digest.hex(),
        **{name: getattr(ticket, name) for name in names},
        "made_at": moment(ticket.made_at),
        "ends_at": None if ticket.ends_at is None else moment(ticket.ends_at),
    }


# people


class Belongings(ResponseBody):
    """What forgetting a person would remove."""

    owner: str
    streams: list[str]
    counts: dict[str, int]


class ForgottenTold(Belongings):
    backups: list[str] = Field(description="Backups that still hold the person.")


class Person(RequestBody):
    owner: Text


@routes.get("/people/belongings", responses={**ADMITTED, 200: {"model": Belongings}})
async def belong(house: TheHouse, caller: Operator, owner: Owner) -> Response:
    """What forgetting a person would remove."""
    found = await house.belongings(owner)
    return answer({"owner": owner, "streams": found.streams, "counts": found.counts})


_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "One JSON object a line.", "content": {NDJSON: {"schema": {"type": "string"}}}}
}


@routes.get("/people/export", responses=ADMITTED | _FILE, response_class=StreamingResponse)
async def carry(house: TheHouse, caller: Operator, owner: Owner) -> StreamingResponse:
    """Everything that forgetting a person would remove, for the person to read."""
    return await as_file(house.export_person(owner))


@routes.post("/people/forget", responses={**CHANGE, 200: {"model": ForgottenTold}})
async def forget(house: TheHouse, caller: Operator, body: Person) -> Response:
    """Remove a person for good: their words everywhere, their tickets, and every stream they own."""
    gone = await house.forget(body.owner)
    told = {"owner": body.owner, "streams": gone.streams, "counts": gone.counts, "backups": gone.backups}
    return answer(told)
