"""The pages that worlds bring. A world that brings none gets the plain one."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

from greenroom.entrypoints.console import anything
from greenroom.kit.console.stage import WorldPage
from greenroom.plugins import FAULTS, Found, Installed, face_of, told
from greenroom.services.house import House

log = logging.getLogger("greenroom")


def pages_of(house: House, more: Sequence[WorldPage] = ()) -> Mapping[str, WorldPage]:
    """A page for every world of the house, those with a page of their own first."""
    own = {page.world: page for page in (*_brought(house.installed), *more) if page.world in house.worlds}
    # A plug-in that brings a page shows its worlds by it: another world of its is begun by that one only.
    behind = {
        world.name
        for worlds in house.installed.worlds.values()
        if any(world.name in own for world in worlds)
        for world in worlds
    }
    return own | {name: anything.page_of(name, card=name not in behind) for name in house.worlds if name not in own}


def _brought(installed: Installed) -> Iterator[WorldPage]:
    for one, page, fault in tried(installed):
        if page is not None:
            yield page
        else:
            log.warning("the page of %s (%s %s) is left out: %s", one.name, one.package, one.version, fault)


def tried(installed: Installed) -> Iterator[tuple[Found, WorldPage | None, str]]:
    """Every plug-in with a page: the page, or why it cannot be shown."""
    for one in sorted(installed.used, key=lambda one: one.plugin.rank if one.plugin else 0):
        if one.plugin is None or one.plugin.console is None:
            continue
        try:
            page = face_of(one, "console", WorldPage)
            if page.world not in {world.name for world in installed.worlds[one.name]}:
                raise ValueError(f"its page is for {page.world}, which is no world of its own")
            if page.static is not None and not page.static.is_dir():
                raise ValueError(f"its style sheets should be in {page.static}, and there is no such folder")
        except FAULTS as error:
            yield one, None, told(error)
        else:
            yield one, page, ""
