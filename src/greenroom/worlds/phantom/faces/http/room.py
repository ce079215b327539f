"""The room behind the key. Each look at its page turns the key once; what is read inside costs nothing more."""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Request, Response

from greenroom.kernel import errors
from greenroom.kernel.errors import Forbidden, Refused, TryLater
from greenroom.kit.http.access import Door, TheHouse, address
from greenroom.kit.http.problems import ALWAYS, documented
from greenroom.kit.http.records import ResponseBody, answer
from greenroom.worlds.phantom.faces.http.stories import PAGE, content_of, door_stream, shown
from greenroom.worlds.phantom.rules.commands import KEY, Knock, ReadDocument, UseKey
from greenroom.worlds.phantom.rules.content import Content, Document
from greenroom.worlds.phantom.rules.rules import DOOR
from greenroom.worlds.phantom.rules.state import PLAYER
from greenroom.worlds.phantom.rules.tables import KEYS

routes = APIRouter(prefix="/phantom")

GivenKey = Annotated[str, Path(min_length=1, max_length=KEY.most, description="Four groups of four characters.")]
DocumentName = Annotated[str, Path(min_length=1, max_length=40)]
Agent = Annotated[str | None, Header(alias="User-Agent")]
_CLOSED: dict[int | str, dict[str, Any]] = {
    403: {"description": "The key opens nothing.", "content": {"text/html": {"schema": {"type": "string"}}}}
}
_VISIT = "visit"


@routes.get("/access/{key}", responses={**ALWAYS, **PAGE, **_CLOSED}, response_class=Response)
async def open_room(request: Request, house: TheHouse, key: GivenKey, agent: Agent = None) -> Response:
    """Turn the key: a page with the papers, or a closed door. Either is written down.

    A browser that loads the page before anybody asked for it turns nothing.
    """
    if "prefetch" in request.headers.get("sec-purpose", ""):
        raise TryLater("the room is not shown ahead of time; open it when you mean to")
    door: Door = request.app.state.door
    content, value = content_of(house), _normal(key)
    stream = await house.holder(KEYS, "key_value", value)
    origin = {"ip_address": address(request)[:300], "user_agent": (agent or "")[:300]}
    if stream is None:
        door.rates.stranger(address(request))
        await house.send(await door_stream(house), Knock(**origin), seat=DOOR)
        return _closed(content.story.unknown_key)
    body: Any = (await house.send(stream, UseKey(key=value, **origin), seat=PLAYER)).body
    if not body["granted"]:
        return _closed(content.story.exhausted_key)
    visit = house.sign(_VISIT, stream)
    return shown("room", room=_room(content, value, visit, body["left"]))


class ReadGiven(ResponseBody):
    document: str
    html: str


@routes.post(
    "/access/{key}/documents/{document}",
    responses={**ALWAYS, **documented(errors.Forbidden, errors.Refused), 200: {"model": ReadGiven}},
)
async def read(
    house: TheHouse,
    key: GivenKey,
    document: DocumentName,
    visit: Annotated[str, Header(alias="X-Visit", max_length=64)] = "",
) -> Response:
    """Take up one of the papers, from a page that was opened with the key."""
    stream = await house.holder(KEYS, "key_value", _normal(key))
    if stream is None or not house.is_signed(_VISIT, stream, visit):
        raise Forbidden("papers are read in the room; open it with the key")
    found = content_of(house).documents.documents.get(document)
    if found is None:
        raise Refused("there is no such paper in this room")
    await house.send(stream, ReadDocument(document=document), seat=PLAYER)
    return answer({"document": document, "html": paper(found)})


def _normal(key: str) -> str:
    """A key as it is stored, however it was typed."""
    bare = re.sub(r"[^0-9A-Za-z]", "", key).upper()
    return "-".join(bare[i : i + 4] for i in range(0, len(bare), 4))


# how it looks


def _closed(why: str) -> Response:
    said = f'<p class="stamp">Closed</p><p class="refusal">{escape(why)}</p>'
    return shown("room", 403, room=said)


def _room(content: Content, key: str, visit: str, left: int) -> str:
    papers = content.documents.documents
    turns = "This was the last turn of the key." if not left else f"Turns of the key that are left: {left}."
    title, _, welcome = content.documents.welcome.partition(". ")
    folders = "".join(_folder(name, document) for name, document in papers.items())
    return (
        f'<h1>{escape(title.rstrip("."))}</h1><p class="welcome">{escape(welcome)}</p><p class="turns">{turns} '
        f'Do not reload this page.</p><div id="room" data-key="{escape(key)}" data-visit="{escape(visit)}">'
        f"{folders}</div><script>{_SCRIPT}</script>"
    )


def _folder(name: str, document: Document) -> str:
    heading = f"<span>{escape(document.heading)}</span>" if document.heading else ""
    return (
        f'<details data-document="{escape(name)}"><summary><b>{escape(document.title)}</b>{heading}</summary>'
        '<div class="paper"></div></details>'
    )


def paper(document: Document) -> str:
    """The body of a paper: prose as it is, columns in a type that keeps them, page numbers as rules."""
    return "".join(_part(part) for part in re.split(r"\n{2,}", document.body) if part.strip())


def _part(part: str) -> str:
    lines = part.split("\n")
    if re.fullmatch(r"page \d of \d", part.strip()):
        return f'<span class="page-no">{escape(part.strip())}</span>'
    if any(re.search(r"\S {2,}\S", line) for line in lines):
        rows = "\n".join(map(_row, lines))
        return f'<pre class="body table" tabindex="0">{rows}</pre>'
    return f'<p class="body">{escape(" ".join(lines))}</p>'


def _row(line: str) -> str:
    """One line of a table, struck through where it says so."""
    return f'<span class="struck">{escape(line)}</span>' if "(struck out)" in line else escape(line)


_SCRIPT = """
const room = document.getElementById("room");
room.querySelectorAll("details").forEach((folder) => folder.addEventListener("toggle", async () => {
  const paper = folder.querySelector(".paper");
  if (!folder.open || paper.dataset.read) return;
  paper.dataset.read = "yes";
  const path = `/phantom/access/${room.dataset.key}/documents/${folder.dataset.document}`;
  try {
    const answer = await fetch(path, {method: "POST", headers: {"X-Visit": room.dataset.visit}});
    if (!answer.ok) throw new Error();
    paper.innerHTML = (await answer.json()).html;
  } catch {
    paper.textContent = "The folder will not open. Try it again in a moment.";
    delete paper.dataset.read;
  }
}));
"""
