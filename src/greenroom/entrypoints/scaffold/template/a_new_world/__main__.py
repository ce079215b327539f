"""Play it in the terminal: ``python -m a_new_world``."""

from __future__ import annotations

import asyncio
from typing import Any

import greenroom
from greenroom.services.house import House

from . import NAME, part, shipped, world
from .commands import Beg, Guess, Leave, Say
from .prompts import ROLE
from .state import GUEST

HELP = "say ..., beg, guess ..., leave"


def command(line: str) -> Any:
    verb, _, rest = line.strip().partition(" ")
    match verb.lower():
        case "say":
            return Say(text=greenroom.Words(rest))
        case "guess":
            return Guess(answer=greenroom.Words(rest))
        case "beg":
            return Beg()
        case "leave":
            return Leave()
        case _:
            return None


async def typed() -> str:
    try:
        return await asyncio.to_thread(input, "> ")
    except EOFError:
        return "leave"


async def main() -> None:
    content = shipped()
    async with greenroom.open(":memory:", worlds=[world(content)], parts={NAME: part(content)}) as house:
        stream = (await house.start(NAME, owner=GUEST, seat=GUEST)).stream
        view: Any = (await house.view(stream, seat=GUEST)).body
        print(f"{view['host']}: {view['question']}\n({house.plays(ROLE)} speaks for the host. You may: {HELP})")
        while view["ended_at"] is None:
            await turn(house, stream, command(await typed()))
            view = (await house.view(stream, seat=GUEST)).body
        print(f"The answer was: {view['answer']}.")


async def turn(house: House, stream: str, given: Any) -> None:
    if given is None:
        return print(f"You may: {HELP}")
    try:
        told: Any = (await house.send(stream, given, seat=GUEST)).body
    except greenroom.Refused as refusal:
        return print(f"({refusal})")
    return print(told.get("line") or told.get("hint") or {True: "Right!", False: "No."}.get(told.get("right"), "..."))


if __name__ == "__main__":
    asyncio.run(main())
