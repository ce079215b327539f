"""All streams of the house, by name, a page at a time."""

from __future__ import annotations

from greenroom.entrypoints.console.frame import Console, Query
from greenroom.entrypoints.console.listing import listed
from greenroom.kit.console import addresses, parts

PAGE = 50


async def build(console: Console, query: Query) -> None:
    world, owner, after = query.text("world"), query.text("owner"), query.text("after")
    found = await console.house.streams(world=world, owner=owner, after=after or "", limit=PAGE)
    parts.title("Streams", "Every story of this house, by name. A stream's page shows all that ever happened in it.")
    with parts.tag("form", "filters", method="get", action=addresses.STREAMS, role="search"):
        worlds = {"": "every world"} | {name: page.title for name, page in console.worlds.items()}
        parts.choice("world", "World", worlds, world or "")
        parts.field("owner", "Owner", value=owner or "", hint="anybody")
        parts.submitter("Show", look="")
    listed(found, console)
    if len(found) == PAGE:
        more = addresses.streams(world=world, owner=owner, after=found[-1].name)
        parts.link("Further streams", more, "button")
