"""The contract: sessions under ``/bar``. A guest is an anonymous id in a cookie; a session id opens its session."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from greenroom.kernel.errors import Conflict, Forbidden, KeyReused, Refused, TooMany, Unknown
from greenroom.kit.http.access import Anybody, Door, TheHouse
from greenroom.kit.http.problems import ALWAYS, MEDIA, documented, request_id
from greenroom.kit.http.records import Key, RequestBody, ResponseBody, answer
from greenroom.services.house import House
from greenroom.worlds.bar.faces.app import visits
from greenroom.worlds.bar.rules import NAME, refusals
from greenroom.worlds.bar.rules.ids import is_uuid
from greenroom.worlds.bar.rules.state import OVER

WORLD = NAME
#: Carries the anonymous id of a guest for a year.
COOKIE = "bar_guest"
_YEAR = 365 * 24 * 3600

routes = APIRouter(prefix="/bar")

Status = Literal["active", "warning_15min", "kicked", "ended"]
SessionId = Annotated[str, Path(min_length=1, max_length=64, description="The id that `session/start` gave.")]


class LineTold(ResponseBody):
    id: str
    agent: str
    kind: str
    message: str
    timestamp: datetime


class AnswerTold(ResponseBody):
    """What the bar says, with the session as it stands afterwards."""

    session_id: str
    agent: str = Field(description="Who answers; may differ from the one who was selected.")
    message: str
    timestamp: datetime | None
    agents_available: list[str]
    agents_muted: list[str]
    session_status: Status
    message_count: int
    message_limit: int
    last_call: bool = Field(description="Whether this answer was the last call.")
    messages: list[LineTold] = Field(description="Every line that was said, each with its speaker.")
    model: str | None = Field(description="Who speaks for the cast.")
    help: bool = Field(description="Whether places to turn to should be in view.")
    may_take_back: bool = Field(description="Whether there is an alarm that the guest may take back.")


class Started(AnswerTold):
    anonymous_id: str = Field(description="The guest; also in the cookie. Keep it secret.")


class Standing(ResponseBody):
    session_id: str
    session_status: Status
    started_at: datetime
    ended_at: datetime | None
    message_count: int
    message_limit: int
    last_call: bool
    weather: Any
    agents_available: list[str]
    agents_muted: list[str]
    help: bool
    may_take_back: bool


class Message(ResponseBody):
    id: str
    agent: str
    content: str
    timestamp: datetime
    is_user_message: bool
    kind: str


class Messages(ResponseBody):
    session_id: str
    messages: list[Message]


class Over(ResponseBody):
    """A problem that also says how the session stands."""

    type: str
    title: str
    status: int
    detail: str
    request: str
    session_status: Status


class Start(RequestBody):
    invite_code: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    anonymous_id: Annotated[str, Field(min_length=36, max_length=36)] | None = Field(
        default=None, description="For callers without cookies; a new guest is made up otherwise."
    )


class SaidGiven(RequestBody):
    session_id: Annotated[str, Field(min_length=1, max_length=64)]
    #: Its length is judged by the rules: somebody in danger is answered first.
    content: str
    selected_agent: Annotated[str, Field(max_length=64)] | None = None


class End(RequestBody):
    session_id: Annotated[str, Field(min_length=1, max_length=64)]


class MuteGiven(RequestBody):
    session_id: Annotated[str, Field(min_length=1, max_length=64)]
    agent: Annotated[str, Field(min_length=1, max_length=64)]
    muted: bool


_TURN: dict[int | str, dict[str, Any]] = {
    **ALWAYS,
    **documented(Forbidden, Unknown, Conflict, KeyReused, Refused),
    403: {"model": Over, "description": "The session is over, or the door stays closed."},
}


@routes.post("/session/start", responses={**_TURN, 200: {"model": Started}})
async def start(
    request: Request, house: TheHouse, caller: Anybody, body: Start | None = None, key: Key = None
) -> Response:
    """Knock: begin a session, as whoever the cookie says, or as somebody new."""
    door: Door = request.app.state.door
    wanted = body or Start()
    anonymous_id = cookie(request) or wanted.anonymous_id or visits.new_guest()
    door.begins(request, caller, owner=anonymous_id)
    try:
        reply = await visits.enter(house, anonymous_id, wanted.invite_code, key=key or _new_key(request))
    except Refused as refusal:
        return _refused(request, refusal, "ended", seconds=visits.until_midnight(house))
    told = answer({**visits.told(house, reply), "anonymous_id": anonymous_id})
    secure = request.url.scheme == "https" or (door.settings.public_url or "").startswith("https:")
    told.set_cookie(COOKIE, anonymous_id, max_age=_YEAR, httponly=True, samesite="strict", secure=secure, path="/bar")
    return told


@routes.post("/message", responses={**_TURN, 200: {"model": AnswerTold}})
async def message(request: Request, house: TheHouse, caller: Anybody, body: SaidGiven, key: Key = None) -> Response:
    """Say something. Whoever is in danger is answered whatever the limits."""
    await _theirs(request, house, body.session_id)
    try:
        reply = await visits.say(
            house, body.session_id, body.content, body.selected_agent, key=key or _new_key(request)
        )
    except Refused as refusal:
        return await _refused_in(request, house, body.session_id, refusal)
    told = visits.told(house, reply)
    if told["session_status"] in OVER:
        told["session_status"] = (await visits.status(house, body.session_id))["session_status"]
    return answer(told)


@routes.get("/session/{id}/status", responses={**_TURN, 200: {"model": Standing}})
async def status(request: Request, house: TheHouse, caller: Anybody, id: SessionId) -> Response:
    """How a session stands by the clock."""
    await _theirs(request, house, id)
    return answer(await visits.status(house, id))


@routes.get("/session/{id}/messages", responses={**_TURN, 200: {"model": Messages}})
async def messages(request: Request, house: TheHouse, caller: Anybody, id: SessionId) -> Response:
    """Every message of a session."""
    await _theirs(request, house, id)
    return answer({"session_id": id, "messages": await visits.messages(house, id)})


@routes.post("/session/end", responses={**_TURN, 200: {"model": AnswerTold}})
async def end(request: Request, house: TheHouse, caller: Anybody, body: End, key: Key = None) -> Response:
    """Leave properly."""
    await _theirs(request, house, body.session_id)
    try:
        reply = await visits.leave(house, body.session_id, key=key or _new_key(request))
    except Refused as refusal:
        return await _refused_in(request, house, body.session_id, refusal)
    return answer(visits.told(house, reply))


@routes.post("/session/take_back", responses={**_TURN, 200: {"model": AnswerTold}})
async def take_back(request: Request, house: TheHouse, caller: Anybody, body: End, key: Key = None) -> Response:
    """Say that an alarm was none: nobody is gentle any longer; places to turn to stay in view."""
    await _theirs(request, house, body.session_id)
    try:
        reply = await visits.take_back(house, body.session_id, key=key or _new_key(request))
    except Refused as refusal:
        return await _refused_in(request, house, body.session_id, refusal)
    return answer(visits.told(house, reply))


@routes.post("/mute", responses={**_TURN, 200: {"model": AnswerTold}})
async def mute(request: Request, house: TheHouse, caller: Anybody, body: MuteGiven, key: Key = None) -> Response:
    """Silence one of the cast, or let them speak again; it holds for later sessions too."""
    await _theirs(request, house, body.session_id)
    try:
        reply = await visits.mute(house, body.session_id, body.agent, muted=body.muted, key=key or _new_key(request))
    except Refused as refusal:
        return await _refused_in(request, house, body.session_id, refusal)
    return answer(visits.told(house, reply))


def cookie(request: Request) -> str | None:
    """The guest that this browser is, if it was here before."""
    given = request.cookies.get(COOKIE, "")
    return given if is_uuid(given) else None


def _new_key(request: Request) -> str:
    patience = request.app.state.patience
    return str(patience.new_key())


async def _theirs(request: Request, house: House, session_id: str) -> None:
    """The session id is the bearer; with another guest's cookie it opens nothing.

    Raises:
        Unknown: there is no such session, or it is not this guest's.
    """
    found = await visits.guest_of(house, session_id)
    shown = cookie(request)
    if shown is not None and shown != found.anonymous_id:
        raise Unknown(refusals.NO_SESSION)


async def _refused_in(request: Request, house: House, session_id: str, refusal: Refused) -> Response:
    standing = await visits.status(house, session_id)
    return _refused(request, refusal, standing["session_status"])


def _refused(request: Request, refusal: Refused, session_status: str, *, seconds: int = 3600) -> Response:
    """The refusal with the status that the rulings give it.

    Raises:
        Refused, Unknown, TooMany, Forbidden: all but a session that is over.
    """
    sentence = str(refusal)
    match refusals.reason(sentence):
        case "unknown":
            raise Unknown(sentence) from None
        case "too_many":
            raise TooMany(sentence, seconds=seconds) from None
        case "no_entry":
            raise Forbidden(sentence) from None
        case "over":
            return _over(request, sentence, session_status)
        case _:
            raise refusal


def _over(request: Request, sentence: str, session_status: str) -> Response:
    body = {
        "type": "urn:greenroom:SessionOver",
        "title": "Forbidden",
        "status": 403,
        "detail": sentence,
        "request": request_id(request),
        "session_status": session_status,
    }
    return Response(msgspec.json.encode(body), 403, media_type=MEDIA)
