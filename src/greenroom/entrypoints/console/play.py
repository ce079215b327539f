"""The pages on which worlds are played: one for each world, and one for each of its streams."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import Client, ui

from greenroom.entrypoints.console import standing_in, thinking
from greenroom.entrypoints.console.frame import Builder, Console, Query, say
from greenroom.entrypoints.console.listing import listed, recent
from greenroom.journal.records import Stream
from greenroom.kernel.errors import Unknown
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.stage import Lobby, Scene, WorldPage


def builder(page: WorldPage) -> Builder:
    """The page of one world; with a stream in the address, that stream's."""

    async def build(console: Console, query: Query) -> None:
        stream = query.text("stream")
        if stream is None:
            await _lobby(console, page)
        else:
            await _stage(console, page, stream, query.text("seat") or page.seat)

    return build


async def _stage(console: Console, page: WorldPage, stream: str, seat: str) -> None:
    row = await console.house.stream(stream)
    if row.world != page.world:
        raise Unknown(f"stream {stream} is not of this world but of {row.world}")
    seats, _ = await console.house.able(stream)
    if seat not in (page.seat, OPERATOR, *seats):
        raise Unknown(f"stream {stream} has no seat {seat!r}; it has {', '.join(seats) or 'none'}")
    _head(console, page, row)
    await standing_in.watch(console, stream, console.house.installed.roles_of(page.world))
    client = ui.context.client
    scene = Scene(house=console.house, live=console.live, stream=stream, seat=seat, say=_sayer(client))
    await page.play(scene)


def _sayer(client: Client) -> Callable[[str], None]:
    def said(words: str) -> None:
        with client:
            say(words, tone="bad")

    return said


def _head(console: Console, page: WorldPage, row: Stream) -> None:
    with parts.box("play-head"):
        with parts.box("play-title"):
            parts.text(page.title, "page-title", kind="h1")
            with parts.box("play-where"):
                parts.tag("span", "mono", row.name)
                if row.parent is not None:
                    href = addresses.stream(row.parent, at=row.forked_at)
                    parts.link(f"branch of {row.parent} from version {row.forked_at}", href, "chip branch")
                thinking.watch(console, row.name)
        with parts.box("play-links"):
            parts.link("Behind the scene", addresses.stream(row.name), "button quiet")
            parts.link("What they remember", addresses.memory(row.name), "button quiet")


async def _lobby(console: Console, page: WorldPage) -> None:
    with parts.box("lobby-top"):
        with parts.box("lobby-head"):
            parts.text(page.title, "page-title", kind="h1")
            parts.text(page.sentence, "lead")
        parts.picture(page.picture, "lobby-picture")
    if page.lobby is not None:
        await page.lobby(Lobby(house=console.house, live=console.live, say=_sayer(ui.context.client)))
    else:
        parts.button("Play", partial(go, console, page), look="main big")
    with parts.section("Stories so far"):
        listed(await recent(console.house, world=page.world, limit=50), console)


async def go(console: Console, page: WorldPage) -> None:
    """One click: find or begin the stream to play, and go there."""
    client = ui.context.client
    found = await page.find(console.house)
    with client:
        ui.navigate.to(addresses.play(page.world, found))
