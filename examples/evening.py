"""An evening at the lighthouse, in memory: nothing is left behind."""

from __future__ import annotations

import asyncio

import greenroom
from greenroom.worlds.lighthouse.rules.commands import Climb, Say


async def main() -> None:
    async with greenroom.open(":memory:") as house:
        visit = await house.start("lighthouse", owner="ada", seed=7)
        for words in ("Good evening.", "Who was aboard the Marigold?"):
            reply = await house.send(visit.stream, Say(text=greenroom.Words(words)), seat="visitor")
            print(f"You:    {words}\nKeeper: {reply.body['line']}")
        await house.send(visit.stream, Climb(), seat="visitor")

        look = await house.view(visit.stream, seat="visitor")
        print(f"After version {look.version} the visitor knows: {', '.join(look.body)}")

        remembered = await house.recall(visit.stream, "Marigold")
        print(f"The keeper remembers {len(remembered.found)} things about the Marigold.")


asyncio.run(main())
