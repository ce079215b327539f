"""A house on a virtual clock: it stands still until it is told to move, and what is due happens on the way."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import greenroom
from greenroom.worlds.lighthouse.rules.commands import Say

EVENING = datetime(2031, 6, 1, 19, 30, tzinfo=UTC)


async def main() -> None:
    async with greenroom.open(":memory:", clock=EVENING) as house:
        stream = (await house.start("lighthouse", owner="ada", seed=7)).stream
        await house.send(stream, Say(text=greenroom.Words("May I stay the night?")), seat="visitor")
        before = (await house.stream(stream)).version
        await house.advance(EVENING + timedelta(days=2))
        async for event in house.events(stream, seat="operator", after=before):
            print(f"{event.at:%A %H:%M}  {event.kind}")
        assert (await house.stream(stream)).version > before, "two days at a lighthouse are never quiet"


asyncio.run(main())
