"""Streams as people see them in a list."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.entrypoints.console.frame import Console
from greenroom.journal.records import Stream
from greenroom.kernel.times import moment
from greenroom.kit.console import addresses, parts
from greenroom.kit.console.wording import ago
from greenroom.services import operations
from greenroom.services.house import House
from greenroom.text.counting import plural

#: Streams looked through for the ones that moved last.
LOOKED_THROUGH = 500


async def recent(house: House, *, world: str | None = None, limit: int) -> Sequence[Stream]:
    """Streams with something to do, at most half of the list, then those that moved last.

    Streams that others play are found on the page of whoever plays them: one run has thousands. Of many streams only
    the first ones by name are looked through. A branch whose time was moved ahead counts by when
    it was made: in weeks that have not happened it would stand above whatever is done today.
    """
    now = house.now()
    queue = await operations.queue(house, limit=limit)
    waiting = [row for row in queue if world in (None, row.world) and row.player is None]
    found = await house.streams(world=world, children=False, limit=LOOKED_THROUGH)
    moved = sorted(found, key=lambda row: _moved_at(row, now), reverse=True)
    return list({row.name: row for row in (*waiting[: limit // 2], *moved)}.values())[:limit]


def _moved_at(row: Stream, now: int) -> int:
    return max((at for at in (row.last_at, row.recorded_at) if at <= now), default=row.born_at)


def listed(rows: Sequence[Stream], console: Console) -> None:
    if not rows:
        parts.empty("Nothing has begun yet.")
        return
    with parts.tag("ul", "streams"):
        for row in rows:
            _row(row, console)


def _row(row: Stream, console: Console) -> None:
    page = console.worlds.get(row.world)
    with parts.tag("li", "stream-row"):
        with parts.box("stream-name"):
            parts.link(row.name, addresses.stream(row.name), "link strong")
            parts.text(_where(row, page.title if page else row.world), "note")
        with parts.box("stream-chips"):
            if console.house.missing(row.world) is not None:
                parts.chip("package missing", "bad")
            for words, tone in _chips(row):
                parts.chip(words, tone)
        parts.text(ago(moment(max(row.last_at, row.born_at)), moment(console.house.now())), "note when")
        if page is not None and row.outcome is None:
            label = f"Play {row.name}"
            parts.link("Play", addresses.play(row.world, row.name), "button small", aria_label=label)


def _where(row: Stream, title: str) -> str:
    version = f"version {row.version}"
    return f"{title}, {version}" if row.owner == "local" else f"{title}, {version}, of {row.owner}"


def _chips(row: Stream) -> list[tuple[str, str]]:
    chips = []
    if row.parent is not None:
        chips.append((f"branch of {row.parent} at {row.forked_at}", "branch"))
    if row.open:
        chips.append((f"{plural(row.open, 'attempt')} open", "busy"))
    if row.outcome is not None:
        chips.append(("ended", "quiet"))
    return chips
