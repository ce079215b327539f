"""One life of a house with a realm in it: it goes on where the last one ended, and may be killed at any ask.

    python -m tests.worlds.realms.lives HOUSE REPOSITORY TEMPLATE ASKS DIES

``ASKS`` is a file to which every ask of a model is written before it is answered. The process kills itself at the ask
of that number, counted over all lives; 0 lets it live.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

import greenroom
from greenroom.kernel.asks import AskModel, Json
from greenroom.kernel.words import Words
from greenroom.ports import Asked
from greenroom.worlds.realms.outside import content
from greenroom.worlds.realms.outside.understudy import answer
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER, Settings

STREAM = "realm"
AT = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)


async def live(house_file: Path, repository: Path, template: str, asks: Path, dies: int) -> None:
    def voice(ask: AskModel, asked: Asked) -> Json:
        with asks.open("a") as file:
            file.write(f"{asked.stream}/{asked.n}.{asked.i} {ask.seat}\n")
            file.flush()
            os.fsync(file.fileno())
        if dies and len(asks.read_text().splitlines()) == dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(content(), ask)

    async with greenroom.open(house_file, clock=AT, parts={"realms": voice}) as house:
        config = c.Link(path=str(repository), settings=Settings(max_agents=4))
        await house.start("realms", config, owner="realm:1", name=STREAM, seed=1)
        start = c.StartProcess(template=template, problem=Words("What first?"), autonomy="autonomous")
        await house.send(STREAM, start, seat=PLAYER, key="start")
        await house.quiet()
        await house.following.catch_up()


if __name__ == "__main__":
    house_, repository_, template_, asks_, dies_ = sys.argv[1:]
    asyncio.run(live(Path(house_), Path(repository_), template_, Path(asks_), int(dies_)))
