"""What requests bring and answers hold, checked strictly and written into OpenAPI."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Header, Query, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from greenroom.journal.records import Attempt, Stream
from greenroom.kernel.codec import parse
from greenroom.kernel.times import moment
from greenroom.services.house import Look, Reply, ShownEvent

#: SQLite, PostgreSQL and JavaScript agree on numbers up to here.
MOST = 2**53 - 1

#: Fields that are not known are named up to here, then counted.
_MOST_UNKNOWN = 10

Text = Annotated[str, Field(min_length=1, max_length=200)]
Limit = Annotated[int, Query(ge=1, le=500, description="How many at most.")]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Name of this request: sent again it changes nothing and gives the first reply.",
    ),
]


class RequestBody(BaseModel):
    """A body: nothing missing, nothing that is not known, nothing of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _all_known(cls, given: Any) -> Any:
        """One error for all that is not known: told one by one, a body full of it would keep everybody waiting."""
        unknown = given.keys() - cls.model_fields if isinstance(given, dict) else ()
        if len(unknown) > _MOST_UNKNOWN:
            raise ValueError(f"{len(unknown)} fields are not known here")
        return given


class ResponseBody(BaseModel):
    """An answer."""

    model_config = ConfigDict(frozen=True)


class StreamFacts(ResponseBody):
    """What may be known of a stream without looking inside."""

    stream: str
    world: str
    owner: str
    version: int
    parent: str | None
    forked_at: int | None
    awake: bool
    open: int
    pruned_to: int | None
    born_at: datetime
    last_at: datetime | None
    wake_at: datetime | None
    ended: bool
    outcome: Any = Field(default=None, description="For the operator only.")


class StreamPage(ResponseBody):
    streams: list[StreamFacts]
    after: str | None = Field(description="Give this as `after` for the next page; null when there is none.")


class ReplyTold(ResponseBody):
    """What the giver of a command is told."""

    stream: str
    attempt: int
    version: int
    at: datetime
    new: bool = Field(description="False when the key was used before and this is the earlier reply.")
    key: str | None = None
    reply: Any
    note: str | None = Field(default=None, description="What a player should know of how it came about, if anything.")


class Recorded(ResponseBody):
    """The command is recorded and will be carried out; its attempt tells when it was."""

    stream: str
    attempt: int
    key: str | None = None
    status: Literal["open"] = "open"


class AttemptTold(ResponseBody):
    stream: str
    attempt: int
    at: datetime
    seat: str
    status: Literal["open", "settled", "refused", "failed", "cancelled"]
    base: int | None
    version: int | None
    tries: int
    error: str | None
    reply: Any = Field(default=None, description="What the giver was told; only of one attempt, once it is settled.")


class LookTold(ResponseBody):
    """A stream at one version, as one seat may see it."""

    stream: str
    world: str
    version: int
    newest: int
    at: datetime
    seat: str
    view: Any


class EventTold(ResponseBody):
    id: str = Field(description="`version.ordinal`; live updates have the same ids.")
    version: int
    ordinal: int
    at: datetime
    attempt: int
    kind: str
    shown: Any


class EventPage(ResponseBody):
    stream: str
    seat: str
    events: list[EventTold]
    upto: int = Field(description="The last version looked at; give it as `after` for what comes then.")
    newest: int


def answer(value: Any, status: int = 200) -> Response:
    """Plain data as JSON; faster than a model, which only documents it."""
    return Response(encode(value), status, media_type="application/json")


encode = msgspec.json.Encoder(enc_hook=str).encode


def stream_facts(stream: Stream, *, operator: bool = True) -> dict[str, Any]:
    facts = {
        "stream": stream.name,
        "world": stream.world,
        "owner": stream.owner,
        "version": stream.version,
        "parent": stream.parent,
        "forked_at": stream.forked_at if stream.parent else None,
        "awake": stream.awake,
        "open": stream.open,
        "pruned_to": stream.mark or None,
        "born_at": moment(stream.born_at),
        "last_at": moment(stream.last_at) if stream.version else None,
        "wake_at": moment(stream.wake_at) if operator and stream.wake_at is not None else None,
        "ended": stream.outcome is not None,
    }
    if operator and stream.outcome is not None:
        facts["outcome"] = parse(stream.outcome)
    return facts


def reply_told(reply: Reply, key: str | None = None, *, note: str | None = None) -> dict[str, Any]:
    return {
        "stream": reply.stream,
        "attempt": reply.n,
        "version": reply.version,
        "at": reply.at,
        "new": reply.new,
        "key": key,
        "reply": reply.body,
        "note": note,
    }


def attempt_told(attempt: Attempt, reply: Any = None) -> dict[str, Any]:
    return {
        "stream": attempt.stream,
        "attempt": attempt.n,
        "at": moment(attempt.at),
        "seat": attempt.seat,
        "status": attempt.status or "open",
        "base": attempt.base,
        "version": attempt.version,
        "tries": attempt.tries,
        "error": attempt.error,
        "reply": reply,
    }


def look_told(look: Look) -> dict[str, Any]:
    told = asdict(look)
    told["view"] = told.pop("body")
    return told


def event_id(version: int, ordinal: int) -> str:
    return f"{version}.{ordinal}"


def event_told(event: ShownEvent) -> dict[str, Any]:
    return {
        "id": event_id(event.version, event.ordinal),
        "version": event.version,
        "ordinal": event.ordinal,
        "at": event.at,
        "attempt": event.n,
        "kind": event.kind,
        "shown": event.body,
    }
