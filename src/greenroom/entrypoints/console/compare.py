"""Two streams of one family side by side: what they share, and what each did after they parted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nicegui import ui

from greenroom.entrypoints.console.frame import Console, Query
from greenroom.journal.records import Stream
from greenroom.kernel.asks import Json
from greenroom.kernel.errors import Refused
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.console import addresses, branches, parts
from greenroom.kit.console.outline import changes, event_words, outline
from greenroom.kit.console.wording import clock
from greenroom.services.house import House, Look, ShownEvent
from greenroom.text.counting import plural

#: Versions of each that are told, from the parting on.
MOST = 200


async def build(console: Console, query: Query) -> None:
    house = console.house
    left, right = await house.stream(query.needed("left")), await house.stream(query.needed("right"))
    parted = shared(await house.lineage(left.name), await house.lineage(right.name))
    parts.title("Side by side", f"Both have versions 1 to {parted} in common; from there each goes its own way.")
    await _choose(house, left, right)
    views = [await house.view(row.name, seat=OPERATOR) for row in (left, right)]
    with parts.box("side-by-side"):
        for row, view, other in zip((left, right), views, reversed(views), strict=True):
            with parts.section(row.name, f"{plural(row.version - parted, 'version')} since they parted"):
                parts.link("Behind the scene", addresses.stream(row.name), "link")
                _told(row, await _since(house, row, parted))
                _state(row.name, view, other)


def shared(left: Sequence[Stream], right: Sequence[Stream]) -> int:
    """The newest version that two lineages have in common.

    Raises:
        Refused: they have no beginning in common.
    """
    ends = {row.name: _kept(left, i) for i, row in enumerate(left)}
    for i, row in enumerate(right):
        if row.name in ends:
            return min(ends[row.name], _kept(right, i))
    raise Refused(f"{left[0].name} and {right[0].name} do not come from the same stream; choose two of one family")


def _kept(lineage: Sequence[Stream], i: int) -> int:
    """Up to which version a stream of a lineage belongs to its youngest."""
    return lineage[0].version if i == 0 else lineage[i - 1].forked_at


async def _since(house: House, row: Stream, parted: int) -> Sequence[ShownEvent]:
    upto = min(row.version, parted + MOST)
    first = max(parted, row.mark)
    return [event async for event in house.events(row.name, seat=OPERATOR, after=first, upto=upto)]


async def _choose(house: House, left: Stream, right: Stream) -> None:
    names = {name: name for name in branches.names(await branches.tree(house, left.name))}
    with parts.box("card filters"):
        parts.choice("left", "Left", names, left.name, lambda name: _go(name, right.name))
        parts.choice("right", "Right", names, right.name, lambda name: _go(left.name, name))


def _go(left: str, right: str) -> None:
    ui.navigate.to(addresses.compare(left, right))


def _told(row: Stream, events: Sequence[ShownEvent]) -> None:
    with parts.tag("ol", "card history", tabindex=0, aria_label=f"What happened in {row.name}"):
        if not events:
            parts.text("Nothing has happened here since.", "empty", kind="li")
        for event in events:
            with parts.tag("li", "moment-row"):
                parts.tag("span", "moment-number none", str(event.version))
                with parts.box("moment-words"):
                    parts.tag("time", "when", clock(event.at), datetime=event.at.isoformat())
                    with parts.text("", "event"):
                        parts.tag("b", "", event.kind.replace("_", " "))
                        parts.tag("span", "", f" {event_words(event.body)}")


def _state(name: str, view: Look, other: Look) -> None:
    differing = changes(other.body, view.body)
    differing.pop("/at", None)
    parts.text("How it stands", "part-title", kind="h3")
    with parts.box("card state", tabindex=0, role="group", aria_label=f"How {name} stands"):
        parts.text(_verdict(differing, changes(view.body, other.body)), "note")
        outline(view.body, differing, before="there:")


def _verdict(here: Mapping[str, Json], there: Mapping[str, Json]) -> str:
    """How many things are otherwise here; what only the other one has cannot be marked here."""
    there = {path: value for path, value in there.items() if path != "/at"}
    if here:
        return f"{plural(len(here), 'thing')} differ{'s' if len(here) == 1 else ''} from the other, marked below."
    return "The other has more; nothing here differs from it." if there else "Both stand the same."
