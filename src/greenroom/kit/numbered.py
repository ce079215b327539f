"""Streams that a person begins with one click or one word: ``<world>-1``, ``<world>-2``, …"""

from __future__ import annotations

from typing import Any

from greenroom.journal.records import Stream
from greenroom.kernel.worlds import Seat
from greenroom.services.house import House


async def newest(house: House, world: str) -> Stream | None:
    """The numbered stream of a world with the highest number."""
    found: list[Stream] = []
    after = prefix = f"{world}-"
    while page := await house.streams(world=world, after=after, limit=500):
        found += [row for row in page if row.name.startswith(prefix)]
        after = page[-1].name
        if not after.startswith(prefix):
            break
    return max((row for row in found if _number(row)), key=_number, default=None)


def _number(row: Stream) -> int:
    """Anything that is not numbered is somebody else's."""
    head, _, number = row.name.rpartition("-")
    return int(number) if head == row.world and number.isascii() and number.isdigit() else 0


async def go_on_or_begin(house: House, world: str, *, seat: Seat, config: Any = None, new: bool = False) -> str:
    """The newest numbered stream of a world if it has not ended; otherwise, or if wanted, the next one, begun now."""
    last = await newest(house, world)
    if last is not None and last.outcome is None and not new:
        return last.name
    number = 1 if last is None else _number(last) + 1
    return (await house.start(world, config or {}, name=f"{world}-{number}", seat=seat)).stream


__all__ = ["go_on_or_begin", "newest"]
