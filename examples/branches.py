"""The same arrival, two evenings: a branch shares the past and never changes it."""

from __future__ import annotations

import asyncio

import greenroom
from greenroom.worlds.lighthouse.rules.commands import Say


async def main() -> None:
    async with greenroom.open(":memory:") as house:
        first = (await house.start("lighthouse", owner="ada", seed=7)).stream
        await house.send(first, Say(text=greenroom.Words("Good evening.")), seat="visitor")
        before = (await house.stream(first)).version

        other = (await house.branch(first, at=1)).name
        reply = await house.send(other, Say(text=greenroom.Words("I want your lamp.")), seat="visitor")
        print(f"{other}: {reply.body['line']}")

        for name in (first, other):
            told = [event.kind async for event in house.events(name, seat="operator", after=0)]
            print(f"{name}: {' → '.join(told)}")

        verdict = await house.verify(first)
        print(f"{first} is still at version {before}, with {len(verdict.problems)} problems.")
        assert (await house.stream(first)).version == before
        assert not verdict.problems


asyncio.run(main())
