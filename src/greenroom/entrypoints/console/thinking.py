"""A sign on the page of a stream while a turn of it goes on: somebody is thinking, and nothing is stuck."""

from __future__ import annotations

from nicegui import ui

from greenroom.entrypoints.console.frame import Console
from greenroom.kernel.errors import UsageError
from greenroom.kit.console import parts
from greenroom.kit.console.shelf import StoryShelf


def watch(console: Console, stream: str) -> None:
    """Show it here, and follow the stream."""
    with parts.box("", role="status"):
        shelf = StoryShelf[bool]("", _draw)

    async def look() -> None:
        try:
            shelf.show((await console.house.stream(stream)).open > 0)
        except UsageError:  # removed meanwhile
            shelf.show(False)

    watching = console.live.watch(stream, look)
    ui.context.client.on_delete(lambda: console.live.leave(watching))


def _draw(thinking: bool) -> None:
    if thinking:
        parts.tag("span", "chip busy is-thinking", "Somebody is thinking")
