"""Players: signing up, proving addresses, starting; the inbox on the page, writing, and stopping."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from greenroom.kernel import errors
from greenroom.kernel.errors import Forbidden, Malformed, Refused, Unknown
from greenroom.kit.http.access import Anybody, Entered, EnteredStream, Name, TheHouse
from greenroom.kit.http.problems import ALWAYS, CHANGE, STREAM, documented
from greenroom.kit.http.records import MOST, Key, Recorded, ReplyTold, RequestBody, ResponseBody, answer
from greenroom.kit.http.turns import Patience, give, stood_in
from greenroom.services.house import House
from greenroom.worlds.phantom.faces.http import stories
from greenroom.worlds.phantom.faces.http.stories import PAGE, correspondence, shown
from greenroom.worlds.phantom.rules.commands import CODE, MESSAGE, OptOut, Register, ShowLetter
from greenroom.worlds.phantom.rules.scene import NAME
from greenroom.worlds.phantom.rules.state import PLAYER

routes = APIRouter(prefix="/phantom")

Kind = Literal["email", "phone"]


# pages


@routes.get("", responses=ALWAYS | PAGE, response_class=Response)
async def sign_up_page() -> Response:
    """The page on which players sign up."""
    return shown("sign_up")


@routes.get("/inbox", responses=ALWAYS | PAGE, response_class=Response)
async def inbox_page() -> Response:
    """The page with the mail and the phone of the player who signed up in this browser."""
    return shown("inbox")


# signing up


class SignUp(RequestBody):
    email: Annotated[str, Field(min_length=3, max_length=254)] | None = None
    phone: Annotated[str, Field(min_length=3, max_length=40)] | None = None
    timezone: Annotated[str, Field(min_length=1, max_length=60)] = "UTC"
    web_only: Annotated[
        bool,
        Field(description="Everything stays on the inbox page: nothing is sent, no address is needed or kept."),
    ] = False


class ContactTold(ResponseBody):
    address: str
    verified: bool


class PlayerTold(ResponseBody):
    email: ContactTold | None
    phone: ContactTold | None
    may_start: bool
    started_at: str | None
    opted_out: bool


class SignedUp(ResponseBody):
    stream: str
    owner: str
    ticket: str = Field(description="Shown as `Authorization: Bearer …`; opens this story, and is told only now.")
    player: PlayerTold


@routes.post("/players", responses={**CHANGE, 201: {"model": SignedUp}}, status_code=201)
async def sign_up(request: Request, house: TheHouse, caller: Anybody, body: SignUp) -> Response:
    """Sign up. Codes go to the addresses; until they come back, nothing else does. Nobody is told who plays."""
    request.app.state.door.begins(request, caller)
    return answer(await ticket_to(house, await stories.sign_up(house, await asyncio.to_thread(_config, body))), 201)


def _config(body: SignUp) -> Register:
    zone = stories.timezone(body.timezone)
    if body.web_only:
        return Register(timezone=zone, delivery="page")
    if body.email is None:
        raise Malformed("body.email: an e-mail address is needed, unless everything stays on the page (web_only)")
    phone = None if body.phone is None else stories.phone(body.phone)
    return Register(email=stories.email(body.email), phone=phone, timezone=zone)


async def ticket_to(house: House, stream: str) -> dict[str, Any]:
    """Issue a ticket to a player's own story; the one time it is told."""
    owner = (await house.stream(stream)).owner
    issued = await house.access.issue_player(owner=owner, seat=PLAYER, stream=stream, label="a story")
    return {"stream": stream, "owner": owner, "ticket": issued.text, "player": await player_told(house, stream)}


async def player_told(house: House, stream: str) -> dict[str, Any]:
    seen: Any = (await house.view(stream, seat=PLAYER)).body
    unproven = seen["unproven"]
    return {
        "email": {"address": seen["email"], "verified": "email" not in unproven} if seen["email"] else None,
        "phone": {"address": seen["phone"], "verified": "phone" not in unproven} if seen["phone"] else None,
        "may_start": seen["may_start"],
        "started_at": seen["started_at"],
        "opted_out": seen["opted_out"],
    }


class Code(RequestBody):
    kind: Kind
    code: Annotated[str, Field(min_length=CODE.least, max_length=CODE.most)]


class Wanted(RequestBody):
    kind: Kind


_PLAYER = {**CHANGE, 200: {"model": PlayerTold}}
_TURN = {**CHANGE, 200: {"model": ReplyTold}, 202: {"model": Recorded}}


@routes.post("/players/{name}/verify", responses=_PLAYER)
async def verify(request: Request, house: TheHouse, place: Entered, body: Code) -> Response:
    """Prove an address with the code that was sent to it."""
    _, told = await _give(request, house, place, "verify", body.model_dump())
    if told.get("reply", {}).get("verified") is False:
        raise Refused("that is not the code; look again, or ask for a new one")
    return answer(await player_told(house, place.name))


@routes.post("/players/{name}/codes", responses=_PLAYER)
async def resend(request: Request, house: TheHouse, place: Entered, body: Wanted) -> Response:
    """Send a new code; the one before it is worth nothing any more."""
    await _give(request, house, place, "resend", body.model_dump())
    return answer(await player_told(house, place.name))


@routes.post("/players/{name}/start", responses=_PLAYER)
async def start(request: Request, house: TheHouse, place: Entered) -> Response:
    """Press the button: the first mail goes out at once."""
    await _give(request, house, place, "start", {})
    return answer(await player_told(house, place.name))


@routes.post("/players/{name}/opt-out", responses=_PLAYER)
async def opt_out(request: Request, house: TheHouse, place: Entered) -> Response:
    """Stop all sending, at once."""
    await _give(request, house, place, "opt_out", {})
    return answer(await player_told(house, place.name))


# the inbox


class MessageTold(ResponseBody):
    letter: str = Field(description="Name of the letter; empty for what the player wrote.")
    by: str
    at: str
    subject: str
    text: str
    read: bool


class ConversationTold(ResponseBody):
    channel: str
    medium: Literal["email", "sms"]
    with_: str = Field(alias="with")
    open: bool = Field(description="Whether an answer can be given there.")
    expected: str | None = Field(description="When an answer that is under way will be there.")
    messages: list[MessageTold]


class Inbox(ResponseBody):
    version: int
    same: bool = Field(description="Nothing has happened since the version named; then the rest is left out.")
    player: PlayerTold | None = None
    conversations: list[ConversationTold] = Field(default_factory=list)
    note: str | None = Field(default=None, description="That somebody stood in, where whoever writes here could not.")


@routes.get("/players/{name}/inbox", responses={**STREAM, 200: {"model": Inbox}})
async def inbox(
    house: TheHouse,
    place: Entered,
    known: Annotated[int, Query(ge=0, le=MOST, description="The version that the caller has.")] = 0,
) -> Response:
    """Mail and phone as the player has them."""
    _check(place)
    version = place.stream.version
    if known == version:
        return answer({"version": version, "same": True})
    seen: Any = (await house.view(place.name, seat=PLAYER)).body
    expected = seen["expected"]
    told = [{**one, "expected": expected.get(one["channel"])} for one in await correspondence(house, place.name)]
    player = await player_told(house, place.name)
    note = await stood_in(house, place.name)
    return answer({"version": version, "same": False, "player": player, "conversations": told, "note": note})


class Written(RequestBody):
    channel: Annotated[str, Field(min_length=1, max_length=60)]
    text: Annotated[str, Field(min_length=MESSAGE.least, max_length=MESSAGE.most)]


@routes.post("/players/{name}/messages", responses=_TURN)
async def write(request: Request, house: TheHouse, place: Entered, body: Written, key: Key = None) -> Response:
    """Write to whoever is on a channel. STOP alone ends all sending."""
    status, told = await _give(request, house, place, "receive", body.model_dump(), key=key)
    return answer(told, status)


class Shown(RequestBody):
    letters: Annotated[list[Annotated[str, Field(min_length=1, max_length=80)]], Field(max_length=50)]


@routes.post("/players/{name}/shown", responses=_PLAYER)
async def show(house: TheHouse, place: Entered, body: Shown) -> Response:
    """Say which letters the page has shown; those that are no news are passed over."""
    _check(place)
    for letter in body.letters:
        try:
            await house.send(place.name, ShowLetter(letter=letter), seat=PLAYER, key=f"shown/{letter}")
        except Refused:
            continue
    return answer(await player_told(house, place.name))


async def _give(
    request: Request, house: House, place: EnteredStream, kind: str, fields: dict[str, Any], *, key: str | None = None
) -> tuple[int, dict[str, Any]]:
    _check(place)
    patience: Patience = request.app.state.patience
    return await give(house, patience, place, kind, fields, seat=PLAYER, key=key)


def _check(place: EnteredStream) -> None:
    if place.stream.world != NAME:
        raise Unknown(f"there is no story {place.name}")


# the link in every mail that ends all letters: a page with one button, and one click for mail programs

Signature = Annotated[str, Path(min_length=1, max_length=64, description="As it stands in the letter.")]
_LINK = {**ALWAYS, **documented(errors.Forbidden, errors.Unknown, errors.Forgotten), **PAGE}
_ASK_STOP = (
    "<h1>Stop everything?</h1><p>Nobody in the story will write to you again, by mail or by message.</p>"
    '<form method="post"><button class="main">Stop</button></form>'
)
_STOPPED = (
    "<h1>It has stopped.</h1><p>You will hear nothing more. If you change your mind some day, answer any of the "
    "letters with the one word START.</p>"
)


@routes.get("/stop/{name}/{signature}", responses=_LINK, response_class=Response)
async def ask_stop(house: TheHouse, name: Name, signature: Signature) -> Response:
    """A page with a button. Following the link alone changes nothing: mail programs look at links by themselves."""
    _check_link(house, name, signature)
    return shown("stop", stop=_ASK_STOP)


@routes.post("/stop/{name}/{signature}", responses=_LINK, response_class=Response)
async def stop(house: TheHouse, name: Name, signature: Signature) -> Response:
    """Stop everything; asking twice does it once."""
    _check_link(house, name, signature)
    with suppress(Refused):  # nothing is being sent, which is what was asked for
        await house.send(name, OptOut(), seat=PLAYER)
    return shown("stop", stop=_STOPPED)


def _check_link(house: House, name: str, signature: str) -> None:
    if not house.is_signed("stop", name, signature):
        raise Forbidden("this link is not whole; copy all of it, or answer a letter with the word STOP")
