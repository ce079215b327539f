"""Realms in the console: link a repository, watch its agents walk, steer what they think about."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from nicegui import ui

from greenroom.kernel.errors import Refused, UsageError
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Lobby, Scene, WorldPage
from greenroom.kit.console.wording import full, sentence
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.faces.console.drawing import CARD
from greenroom.worlds.realms.faces.console.place import Visit
from greenroom.worlds.realms.rules import NAME
from greenroom.worlds.realms.rules.state import PLAYER

#: Events that the transcript begins with.
LATEST = 40


async def play(scene: Scene) -> None:
    """The page of one realm."""
    scene.seat = PLAYER
    visit = Visit(scene, await app.words(scene.house, scene.stream, "map"))
    await visit.build()
    await scene.follow(tell=visit.tell, see=visit.see, latest=LATEST)


async def find(house: House) -> str:
    """The realm that was visited last."""
    realms = await app.listed(house)
    if not realms:
        raise Refused("no realm is linked yet; name the folder of a repository first")
    return str(max(realms, key=lambda one: (one["last_explored"], one["id"]))["stream"])


async def lobby(given: Lobby) -> None:
    """All realms, and a place to link another."""

    async def linked(fields: Mapping[str, str], key: str) -> bool:
        try:
            entered = await app.link(given.house, fields["path"].strip())
        except UsageError as refusal:
            given.say(sentence(refusal))
            return False
        ui.navigate.to(addresses.play(NAME, entered.stream))
        return True

    with parts.box("world-realms lobby"):
        with parts.tag("section", "card", aria_label="Link a repository"):
            with parts.form(linked, name="link", classes="link-form", label="Link a repository"):
                hint = "/home/you/project"
                parts.field("path", "Folder on this machine, or an address", hint=hint, required=True, maxlength=4000)
                parts.submitter("Link it")
                parts.text("Reading it: seconds for a small repository, a minute for a large one.", "note sending")
            parts.text("Its files are read, never changed, unless you allow an agent to propose an edit.", "note")
        with parts.section("Realms"):
            await _list(given)


async def _list(given: Lobby) -> None:
    realms = await app.listed(given.house)
    if not realms:
        parts.empty("None yet.")
    for one in sorted(realms, key=lambda one: str(one["last_explored"]), reverse=True):
        _realm(one)


def _realm(one: Mapping[str, Any]) -> None:
    since = one["commits_since"]
    with parts.tag("article", "card realm-row", aria_label=one["name"]):
        parts.link(one["name"], addresses.play(NAME, one["stream"]), "link strong")
        parts.text(one["path"], "note mono")
        parts.facts(
            (
                ("Findings", str(one["findings"])),
                ("Files", str(one["files"])),
                ("Last visit", full(one["last_explored"])),
                *(() if since is None else (("Commits since", str(since)),)),
            )
        )


PAGE = WorldPage(
    world=NAME,
    title="Realms",
    sentence="A repository becomes a place. Agents walk through it, pin up what is true of it, and remember it.",
    picture=CARD,
    seat=PLAYER,
    find=find,
    play=play,
    lobby=lobby,
    branches_awake=True,
    static=Path(str(files("greenroom.worlds.realms"))) / "faces" / "static",
)
