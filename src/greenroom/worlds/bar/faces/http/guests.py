"""The page for guests, and what it shows: whoever opens ``/bar`` can knock, with a cookie and without a ticket."""

from __future__ import annotations

from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from greenroom.kernel.times import moment
from greenroom.kit.http.access import Anybody, TheHouse
from greenroom.kit.http.problems import ALWAYS
from greenroom.kit.http.records import ResponseBody, answer
from greenroom.kit.http.turns import stood_in
from greenroom.services.house import House
from greenroom.worlds.bar.faces.app import visits
from greenroom.worlds.bar.faces.app.portraits import CARD, PORTRAITS
from greenroom.worlds.bar.faces.http.pages import PAGE, SCRIPT, STYLE, script, shown, style
from greenroom.worlds.bar.faces.http.sessions import Message, Standing, cookie
from greenroom.worlds.bar.rules.commands import MESSAGE
from greenroom.worlds.bar.rules.content import Content, Resource
from greenroom.worlds.bar.rules.prompts import QUALITY
from greenroom.worlds.bar.rules.state import (
    AGENTS,
    BLANCA,
    LAST_CALL_AT,
    MUTABLE,
    MUTED_AT_FIRST,
    SESSIONS_A_DAY,
    Agent,
)

routes = APIRouter(prefix="/bar")


@routes.get("", responses=ALWAYS | PAGE, response_class=Response)
async def page(house: TheHouse, caller: Anybody) -> Response:
    """The page on which guests knock and talk; whoever looks after the house finds the way back to it here."""
    content = visits.content_of(house)
    return shown(
        name=escape(content.house.name),
        town=escape(content.house.town),
        cast="".join(_person(content, agent) for agent in AGENTS),
        picture=CARD,
        speaks=escape(_speaks(house)),
        places="".join(map(_place, content.resources.of(content.house.country))),
        most=str(MESSAGE.most),
        last_call=str(LAST_CALL_AT),
        back='<a class="back" href="/">All worlds</a>' if caller.kind == "operator" else "",
    )


@routes.get("/page.css", responses=ALWAYS | STYLE, response_class=Response)
async def page_style() -> Response:
    """The look of the page."""
    return style()


@routes.get("/page.js", responses=ALWAYS | SCRIPT, response_class=Response)
async def page_script() -> Response:
    """What the page does."""
    return script()


# what it shows


class Visit(ResponseBody):
    """What the guest of one browser sees."""

    mark: str = Field(description="Give this as `known` the next time.")
    same: bool = Field(description="Nothing changed since `known`; what follows is left out.")
    session: Standing | None = Field(default=None, description="Null for somebody who never came in.")
    messages: list[Message] = Field(default_factory=list)
    sessions_left: int = Field(default=SESSIONS_A_DAY, description="How often the guest may still knock today.")
    wants_code: bool = Field(default=False, description="Whether the next knock needs an invite code.")
    agents_muted: list[str] = Field(default_factory=list)
    note: str | None = Field(default=None, description="That somebody stood in, where whoever speaks here could not.")


Known = Annotated[
    str, Query(max_length=64, description="The `mark` of what was seen last; the same is told as `same`.")
]


@routes.get("/visit", responses={**ALWAYS, 200: {"model": Visit}})
async def visit(request: Request, house: TheHouse, caller: Anybody, known: Known = "") -> Response:
    """The newest session of the guest in the cookie, with every message: all that a page needs after a reload."""
    anonymous_id = cookie(request)
    guest = None if anonymous_id is None else await visits.guest(house, anonymous_id)
    if guest is None:
        return answer(_stranger(wants_code=await visits.any_codes(house), known=known))
    body: Any = guest.look.body
    session, left = body["session"], _sessions_left(house, body)
    mark = f"{guest.look.version}.{session and session['session_status']}.{left}"
    if mark == known:
        return answer({"mark": mark, "same": True})
    wants = guest.invite_code is None and await visits.any_codes(house)
    note = await stood_in(house, guest.stream)
    seen = {"mark": mark, "same": False, "sessions_left": left, "wants_code": wants, "note": note}
    return answer(seen | await _session(house, session))


async def _session(house: House, session: Any) -> dict[str, Any]:
    if session is None:
        return {"session": None, "messages": [], "agents_muted": list(MUTED_AT_FIRST)}
    id = session["session_id"]
    standing, messages = await visits.status(house, id), await visits.messages(house, id)
    return {"session": standing, "messages": messages, "agents_muted": standing["agents_muted"]}


def _stranger(*, wants_code: bool, known: str) -> dict[str, Any]:
    mark = f"nobody.{wants_code}"
    if mark == known:
        return {"mark": mark, "same": True}
    told = {"session": None, "messages": [], "sessions_left": SESSIONS_A_DAY, "agents_muted": list(MUTED_AT_FIRST)}
    return {"mark": mark, "same": False, "wants_code": wants_code, **told}


def _sessions_left(house: House, body: Any) -> int:
    """How often the guest may still knock today, by the bar's calendar."""
    today = visits.content_of(house).house.today(moment(house.now()))
    return SESSIONS_A_DAY - (body["sessions_today"] if str(body["day"]) == today.isoformat() else 0)


# how it looks


def _speaks(house: House) -> str:
    model = house.plays(QUALITY)
    if model == "understudy":
        return "The understudy speaks: lines are scripted, not written for you."
    return f"{model or 'A model that is not named'} speaks for the cast. Nobody here is a person."


def _person(content: Content, agent: Agent) -> str:
    """A portrait to click; whoever has a duty cannot be muted, and Blanca, who has the door, is not picked either."""
    member = content.house.cast[agent]
    name, place = escape(member.name), escape(member.title.partition(";")[0])
    label = f"Talk to {name} {place}" if agent != BLANCA else f"{name} {place}"
    mute = '<button type="button" class="mute quiet" hidden>Mute</button>' if agent in MUTABLE else ""
    return (
        f'<li class="person" data-agent="{agent}" data-name="{name}">'
        f'<button type="button" class="portrait" aria-pressed="false" aria-label="{label}" disabled '
        f'title="{escape(member.title)}">{PORTRAITS[agent]}<span class="name">{name}</span> '
        f'<span class="place">{place}</span></button>{mute}</li>'
    )


def _place(one: Resource) -> str:
    note = f' <span class="faint">({escape(one.note)})</span>' if one.note else ""
    return f'<li><b>{escape(one.name)}</b>: <span class="contact">{escape(one.contact)}</span>{note}</li>'
