"""Coming in with a browser: a ticket becomes a cookie that scripts cannot read and other sites cannot use."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from greenroom.kernel.errors import Forbidden, NotAdmitted
from greenroom.kit.http.access import COOKIE, Anybody, Door, TheHouse, address
from greenroom.kit.http.problems import ALWAYS, documented
from greenroom.kit.http.records import RequestBody, ResponseBody, answer
from greenroom.services.access import MOST_TEXT

routes = APIRouter(tags=["coming in"])

_MONTH = 30 * 24 * 3600
_ENTER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Greenroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {
  color-scheme: light dark; --paper: #f5f2ea; --card: #fffdf7; --ink: #1e2a25; --line: #8c8674; --green: #2c5a4a;
  --on-green: #fbf8ee; --red: #96352a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #111715; --card: #19211e; --ink: #e7ebe3; --line: #6d7b74; --green: #8ec9af; --on-green: #10201a;
    --red: #ec9a8a;
  }
}
body {
  font: 17px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 15vh auto; padding: 0 1.25rem;
  background: var(--paper); color: var(--ink);
}
h1 { font: 400 1.9rem/1.2 "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; }
input, button {
  font: inherit; width: 100%; box-sizing: border-box; padding: .6rem .8rem; margin: .4rem 0;
  border: 1px solid var(--line); border-radius: 10px; background: var(--card); color: var(--ink);
}
button { border-radius: 999px; background: var(--green); color: var(--on-green); font-weight: 500; cursor: pointer; }
:focus-visible { outline: 2px solid var(--green); outline-offset: 2px; }
#said { color: var(--red); }
</style>
<main>
<h1>Greenroom</h1>
<p>This house wants to know who you are. Show your ticket; the operator's was printed at the first start.</p>
<form id="enter"><label>Ticket <input id="ticket" type="password" autocomplete="current-password" required></label>
<button>Come in</button></form><p id="said" role="status"></p>
</main>
<script>
document.getElementById("enter").addEventListener("submit", async (event) => {
  event.preventDefault();
  const ticket = document.getElementById("ticket").value.trim();
  const headers = {"Content-Type": "application/json"};
  const answer = await fetch("/enter", {method: "POST", headers, body: JSON.stringify({ticket})});
  if (answer.ok) { location.href = "/"; }
  else { document.getElementById("said").textContent = (await answer.json()).detail; }
});
</script></html>"""


class EnteredTold(ResponseBody):
    kind: Literal["operator", "player", "stranger"]
    owner: str | None = None
    seat: str | None = None
    stream: str | None = None


class TicketGiven(RequestBody):
    ticket: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]


_PAGE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A page.", "content": {"text/html": {"schema": {"type": "string"}}}}
}


@routes.get("/enter", responses=ALWAYS | _PAGE, response_class=Response)
async def page() -> Response:
    """A page that takes a ticket."""
    return Response(_ENTER, media_type="text/html")


@routes.post("/enter", responses={**ALWAYS, **documented(NotAdmitted, Forbidden), 200: {"model": EnteredTold}})
async def enter(request: Request, house: TheHouse, body: TicketGiven) -> Response:
    """Turn a ticket into a cookie."""
    door: Door = request.app.state.door
    ticket = await house.access.shown(body.ticket)
    if ticket is None:
        door.rates.stranger(address(request))
        raise NotAdmitted("this house does not know that ticket; it may have ended or been taken back")
    told = answer({"kind": ticket.kind, "owner": ticket.owner, "seat": ticket.seat, "stream": ticket.stream})
    secure = request.url.scheme == "https" or (door.settings.public_url or "").startswith("https:")
    told.set_cookie(COOKIE, body.ticket, max_age=_MONTH, httponly=True, samesite="strict", secure=secure)
    return told


@routes.post("/leave", responses={**ALWAYS, **documented(NotAdmitted, Forbidden), 200: {"model": EnteredTold}})
async def leave(caller: Anybody) -> Response:
    """Put the cookie away; the ticket stays good."""
    told = answer({"kind": "stranger"})
    told.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return told


@routes.get("/me", responses={**ALWAYS, **documented(NotAdmitted), 200: {"model": EnteredTold}})
async def me(caller: Anybody) -> Response:
    """Who asks, as far as this house knows."""
    ticket = caller.ticket
    names = ("owner", "seat", "stream")
    return answer({"kind": caller.kind, **{name: getattr(ticket, name, None) for name in names}})
