"""The pages of the worlds. A world that is not listed gets the plain page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from greenroom.entrypoints.console import agi, anything, bar, lighthouse, phantom
from greenroom.kit.console.stage import WorldPage
from greenroom.services.house import House

#: Add the page of your world here.
PAGES: tuple[WorldPage, ...] = (lighthouse.PAGE, agi.PAGE, bar.PAGE, phantom.PAGE)

#: Worlds that only another world begins: they have the plain page, and no card on home.
BEHIND = frozenset({"bar_door"})


def pages_of(house: House, more: Sequence[WorldPage] = ()) -> Mapping[str, WorldPage]:
    """A page for every world of the house, those with a page of their own first."""
    own = {page.world: page for page in (*PAGES, *more) if page.world in house.worlds}
    return own | {name: anything.page_of(name, card=name not in BEHIND) for name in house.worlds if name not in own}
