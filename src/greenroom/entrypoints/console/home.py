"""Home: the worlds one can play, what is going on, who speaks, and what today has cost."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from nicegui import ui

from greenroom.entrypoints.console.frame import Console, Query
from greenroom.entrypoints.console.listing import LOOKED_THROUGH, listed, recent
from greenroom.entrypoints.console.play import go
from greenroom.journal.records import Stream
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.shelf import StoryShelf
from greenroom.kit.console.stage import WorldPage
from greenroom.kit.console.wording import dollars
from greenroom.services import operations
from greenroom.services.house import House
from greenroom.text.counting import plural

UNDERSTUDY = "understudy"
StreamLines: TypeAlias = tuple[tuple[str, str, str], ...]


async def build(console: Console, query: Query) -> None:
    with parts.box("home"):
        with parts.box("hello"):
            parts.text("Stories that remember", "page-title hero", kind="h1")
            parts.text(
                "Each card is a world with a cast of its own. Press play and you are in it. Everything that happens is "
                "kept: you can stop at any time, come back, look behind the scene, and go on differently from any "
                "moment.",
                "lead",
            )
        facts = StoryShelf[StreamLines]("card home-facts", _draw_facts)
        cards = [page for page in console.worlds.values() if page.card]
        with parts.box("worlds", style=f"--columns: {columns(len(cards))}"):
            for page in cards:
                _card(console, page)
        with parts.section("What is going on", await _which(console)):
            going_on = StoryShelf[tuple[Stream, ...]]("", partial(listed, console=console))

    async def look() -> None:
        facts.show(await _facts(console))
        going_on.show(tuple(await recent(console.house, limit=8)))

    await look()
    watch = console.live.watch(None, look, rest=1.0)
    ui.context.client.on_delete(lambda: console.live.leave(watch))


def columns(cards: int) -> int:
    """How many cards stand in a row where there is room: rows are even, or only the last one lacks some."""
    return next((wide for wide in (3, 4, 2) if cards % wide == 0), 3)


async def _which(console: Console) -> str:
    """Which streams are listed; honest where there are more than one looks through."""
    there = (await operations.counts(console.house))["streams"]
    of = "" if there <= LOOKED_THROUGH else f", of the first {LOOKED_THROUGH} by name"
    return f"Streams that moved last{of}. Each is one story, with its whole history."


def _card(console: Console, page: WorldPage) -> None:
    with parts.tag("article", "world-card", aria_label=page.title):
        parts.picture(page.picture, "world-picture")
        with parts.box("world-words"):
            parts.text(page.title, "world-title", kind="h2")
            parts.text(page.sentence, "world-sentence")
            with parts.box("world-foot"):
                label = f"Play {page.title}"
                if page.lobby is None:
                    parts.button("Play", partial(go, console, page), look="main", label=label)
                else:
                    parts.link("Play", addresses.play(page.world), "button main", aria_label=label)
                parts.text(_speaks(console.house, page), "note")


def _speaks(house: House, page: WorldPage) -> str:
    """Who plays the roles of a world, in a few words."""
    players = dict.fromkeys(house.plays(role) or "somebody unnamed" for role in house.installed.roles_of(page.world))
    if not players:
        return ""
    if list(players) == [UNDERSTUDY]:
        return "Played by the understudy"
    return f"Played by {', '.join(players)}"


async def _facts(console: Console) -> StreamLines:
    """Name, value and a sentence for each thing worth knowing at once."""
    house = console.house
    counts = await operations.counts(house)
    waiting = plural(counts["open"], "command") + " under way." if counts["open"] else "Nothing is waiting."
    return (
        _who_speaks(console),
        await _spent(house),
        ("Running", plural(counts["streams"], "stream"), waiting),
    )


async def _spent(house: House) -> tuple[str, str, str]:
    lines = await operations.spent(house, days=1)
    unknown = any(line.input_tokens + line.output_tokens and not line.cost for line in lines)
    known = sum(line.cost for line in lines)
    told = "unknown" if unknown and not known else dollars(known)
    more = " The price of some is not known." if unknown else ""
    return "Spent today", told, f"What models cost since midnight, UTC.{more}"


def _draw_facts(facts: StreamLines) -> None:
    for name, value, sentence in facts:
        with parts.box("home-fact"):
            parts.text(name, "tile-name", kind="h2")
            parts.text(value, "tile-value")
            parts.text(sentence, "note")


def _who_speaks(console: Console) -> tuple[str, str, str]:
    roles = dict.fromkeys(role for world in console.worlds for role in console.house.installed.roles_of(world))
    players = list(dict.fromkeys(console.house.plays(role) or "not told" for role in roles)) or [UNDERSTUDY]
    if players == [UNDERSTUDY]:
        return (
            "Who speaks",
            "The understudy",
            "No model is configured, so the built-in understudy plays from a script, at no cost. "
            "Models says how to let one speak.",
        )
    return "Who speaks", ", ".join(players), "Where a model fails, the understudy steps in, and Why says so."
