"""A line on the page of a stream when a model failed and the understudy spoke in its place: with the reason, since the
console is the operator's.
"""

from __future__ import annotations

from nicegui import ui

from greenroom.bootstrap.casting import explained
from greenroom.entrypoints.console.frame import Console
from greenroom.kernel.errors import UsageError
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.shelf import StoryShelf
from greenroom.kit.console.wording import sentence

UNDERSTUDY = "understudy"


async def watch(console: Console, stream: str, roles: tuple[str, ...]) -> None:
    """Show it here, for the last time that a model was asked, and follow the stream; nothing where no model plays."""
    if all(console.house.plays(role) == UNDERSTUDY for role in roles or ("default",)):
        return
    shelf = StoryShelf[str]("stood-in", _draw)

    async def look() -> None:
        shelf.show(await told(console, stream))

    await look()
    watching = console.live.watch(stream, look)
    ui.context.client.on_delete(lambda: console.live.leave(watching))


async def told(console: Console, stream: str) -> str:
    """Who did not speak the last time, and why; nothing where everybody did."""
    try:
        failed = await console.house.stood_in(stream)
    except UsageError:  # removed meanwhile
        return ""
    if failed is None:
        return ""
    reason = explained(failed.role, str(failed.noted.get("why", failed.status)))
    who = console.house.plays(failed.role) or failed.role
    return f"{who} did not answer, so the understudy spoke. {sentence(reason)}"


def _draw(words: str) -> None:
    if words:
        with parts.box("card notice", role="status"):
            parts.text(words, "note")
            parts.link("Models", addresses.MODELS, "link")
