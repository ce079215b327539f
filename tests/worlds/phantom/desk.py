"""A story whose letters were written by hand (see ``tests.desk``), on a virtual clock."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import open_house
from greenroom.kernel.times import micros
from greenroom.kernel.words import Words
from greenroom.worlds.phantom.outside.understudy import CastPart
from greenroom.worlds.phantom.rules import commands as c
from greenroom.worlds.phantom.rules.state import PLAYER
from tests import desk as desks
from tests.desk import Desk
from tests.worlds.phantom.trial import CONTENT

FILE = Path(__file__).parent / "story.json"
START = datetime(2031, 3, 3, 8, 0, tzinfo=UTC)
ROLES, LABELS = ("quality",), ("agent", "player")


@dataclass(slots=True)
class Played:
    letters: list[tuple[str, str]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    days: int = 0


async def play(desk: Desk, script: list[dict[str, Any]]) -> Played:
    """Play the script; where nobody at the desk answered, the understudy writes, and the story goes on."""
    clock = VirtualClock(micros(START))
    models = desks.models(desk, clock, ROLES, Understudy({"phantom": CastPart(CONTENT)}))
    played = Played()
    async with open_house(":memory:", clock=clock, models=models, recall="words") as house:
        await house.start("phantom", c.Register(delivery="page"), owner="nora", name="story", seat=PLAYER, seed=11)
        await house.send("story", c.Start(), seat=PLAYER)
        for step in script:
            await house.advance(START + timedelta(hours=step["hours"]))
            await house.send("story", _command(step, (await house.head("story")).state.key.value), seat=PLAYER)
        await house.advance(START + timedelta(hours=script[-1]["hours"] + 24))
        body: Any = (await house.view("story", seat=PLAYER)).body
        mails = [(mail["at"], mail["by"], mail["words"]) for one in body["threads"] for mail in one["messages"]]
        played.letters = [(by, words) for _, by, words in sorted(mails)]
        played.statuses = [entry.status for _, entry in await house.ledger("story") if entry.role == "quality"]
        played.days = int(script[-1]["hours"] // 24) + 1
    return played


def _command(step: dict[str, Any], key: str) -> Any:
    if "read" in step:
        return c.ReadDocument(document=step["read"])
    return c.UseKey(key=key) if "use" in step else c.Receive(channel=step["to"], text=Words(step["say"]))


def read() -> tuple[list[dict[str, Any]], Desk]:
    (story,), desk = desks.read([FILE], LABELS)
    return story["script"], desk


def main() -> None:
    script, desk = read()
    asyncio.run(play(desk, script))
    desks.tell(desk, [FILE])


if __name__ == "__main__":
    main()
