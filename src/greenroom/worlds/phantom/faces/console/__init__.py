"""Phantom Protocol in the console: the story as the player has it, and the board for whoever directs it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from nicegui import ui

from greenroom.kernel.errors import UsageError
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Lobby, Scene, WorldPage
from greenroom.kit.numbered import newest
from greenroom.services.house import House
from greenroom.worlds.phantom.faces.console.board import BoardPage
from greenroom.worlds.phantom.faces.console.desk import Desk
from greenroom.worlds.phantom.faces.http import stories
from greenroom.worlds.phantom.faces.http.stories import content_of, sign_up
from greenroom.worlds.phantom.rules.commands import Register, Start
from greenroom.worlds.phantom.rules.scene import NAME
from greenroom.worlds.phantom.rules.state import PLAYER


async def find(house: House) -> str:
    """The newest story that was begun here, or a new one: everything stays on the page."""
    last = await newest(house, NAME)
    return last.name if last is not None else await begin(house, 1)


async def begin(house: House, number: int) -> str:
    config = Register(delivery="page")
    stream = (await house.start(NAME, config, name=f"{NAME}-{number}", seat=PLAYER)).stream
    await house.send(stream, Start(), seat=PLAYER)
    return stream


async def play(scene: Scene) -> None:
    content = content_of(scene.house)
    with parts.box("world-phantom"):
        body: Any = (await scene.house.view(scene.stream, seat=PLAYER)).body
        if not body:
            parts.empty("This is the door's own stream: it writes down keys that belong to nobody.")
            return
        _head(scene, body)
        desk, board = Desk(scene, content), BoardPage(scene, content)
    await scene.follow(tell=desk.tell, see=desk.see)
    await board.follow()


def _head(scene: Scene, body: Mapping[str, Any]) -> None:
    with parts.box("others"):
        parts.chip(body["email"] or "on the page alone")
        if body["phone"]:
            parts.chip(body["phone"])
        parts.link("The player's own inbox", f"/phantom/inbox?player={scene.stream}", "button small")
        if body["may_start"]:
            parts.button("Start the story", lambda: _start(scene), look="main small")
        if body["opted_out"]:
            parts.chip("opted out: nothing is sent", "bad")


async def _start(scene: Scene) -> None:
    client = ui.context.client
    if await scene.send("start", {}) is not None:
        with client:
            ui.navigate.to(addresses.play(NAME, scene.stream))


# before a story is chosen


async def lobby(lobby: Lobby) -> None:
    with parts.box("world-phantom lobby"):
        with parts.box("others"):
            parts.button("Play here, now", lambda: _play(lobby), look="main big")
            parts.link("The page on which players sign up", "/phantom", "button")
        with parts.tag("details", "card sign-up"):
            parts.tag("summary", "link", "Sign somebody up")
            with parts.form(lambda fields, _: _sign_up(lobby, fields), name="sign-up", label="Sign somebody up"):
                parts.field("email", "E-mail, if letters are sent", maxlength=254, type="email")
                parts.field("phone", "Phone, with its country", hint="+49 170 1234567", maxlength=40)
                parts.field("timezone", "Time zone", value="UTC", required=True, maxlength=60)
                parts.choice("delivery", "Letters", {"post": "are sent", "page": "stay on the page"}, "post")
                parts.submitter("Sign up")


async def _play(lobby: Lobby) -> None:
    client = ui.context.client
    last = await newest(lobby.house, NAME)
    number = 1 if last is None else int(last.name.rpartition("-")[2]) + 1
    stream = await begin(lobby.house, number)
    with client:
        ui.navigate.to(addresses.play(NAME, stream))


async def _sign_up(lobby: Lobby, fields: Mapping[str, str]) -> bool:
    client = ui.context.client
    try:
        config = Register(
            email=stories.email(fields["email"].strip()) if fields["email"].strip() else "",
            phone=stories.phone(fields["phone"].strip()) if fields["phone"].strip() else None,
            timezone=stories.timezone(fields["timezone"].strip()),
            delivery="page" if fields["delivery"] == "page" else "post",
        )
        stream = await sign_up(lobby.house, config)
    except UsageError as refusal:
        lobby.say(str(refusal))
        return False
    with client:
        ui.navigate.to(addresses.play(NAME, stream))
    return True


# its card

#: A letter with a key in it, and a wall of drawers behind; the colours are variables of the style sheet.
_CARD = (
    '<svg class="drawn-phantom" viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice">'
    '<rect class="vault" width="320" height="160"/>'
    + "".join(
        f'<rect class="drawer" x="{8 + 52 * i}" y="{8 + 30 * j}" width="46" height="24" rx="2"/>'
        f'<circle class="knob" cx="{31 + 52 * i}" cy="{20 + 30 * j}" r="2.200"/>'
        for i in range(6)
        for j in range(5)
    )
    + '<rect class="drawer open" x="216" y="68" width="46" height="24" rx="2"/>'
    '<g transform="rotate(-5 150 88)"><rect class="envelope" x="84" y="44" width="132" height="88" rx="4"/>'
    '<path class="flap" d="M84 48l66 46 66-46"/><g class="key"><circle cx="122" cy="108" r="10"/>'
    '<path d="M132 108h52v9h-7v-5h-8v5h-7v-5h-30z"/></g></g></svg>'
)

PAGE = WorldPage(
    world=NAME,
    title="Phantom Protocol",
    sentence="A mail with a key reaches somebody it was not meant for. Two people want it, and both of them lie.",
    picture=_CARD,
    seat=PLAYER,
    find=find,
    play=play,
    lobby=lobby,
    static=Path(str(files("greenroom.worlds.phantom"))) / "faces" / "static",
)
