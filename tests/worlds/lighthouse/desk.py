"""The visits whose answers were written by hand (see ``tests.desk``), on a virtual clock."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.understudy import Understudy
from greenroom.bootstrap import open_house
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.lighthouse.rules.commands import Leave, Say
from greenroom.worlds.lighthouse.rules.state import VISITOR
from tests import desk as desks
from tests.desk import Desk

FOLDER = Path(__file__).parent / "visits"
OWNER, SEED = "jonah", 7
PAUSE = timedelta(minutes=1)
ROLES, LABELS = ("quality", "facts"), ("keeper", "visitor")


@dataclass(slots=True)
class Played:
    """What came of the visits."""

    replies: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)


async def play(desk: Desk, visits: list[dict[str, Any]], where: str | Path = ":memory:") -> Played:
    """Play the visits on days of their own; stops where nobody at the desk answered."""
    clock = VirtualClock(micros(datetime.fromisoformat(visits[0]["at"])))
    models = desks.models(desk, clock, ROLES, Understudy())
    played = Played()
    async with open_house(where, clock=clock, models=models, recall="words") as house:
        for number, visit in enumerate(visits, 1):
            await house.advance(datetime.fromisoformat(visit["at"]))
            name = f"visit-{number}"
            await house.start("lighthouse", {}, owner=OWNER, name=name, seat=VISITOR, seed=SEED)
            for said in visit["said"]:
                reply = await house.send(name, Say(text=Words(said)), seat=VISITOR)
                played.replies.append({"visit": number, "said": said, **reply.body})
                if desk.unanswered:
                    return played
                await house.advance(_now(house) + PAUSE)
            await house.send(name, Leave(), seat=VISITOR)
            await house.advance(_now(house) + PAUSE)
            played.statuses += [entry.status for _, entry in await house.ledger(name)]
    return played


def _now(house: House) -> datetime:
    return moment(house.now())


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def read() -> tuple[list[dict[str, Any]], Desk]:
    return desks.read(files(), LABELS)


def main() -> None:
    visits, desk = read()
    asyncio.run(play(desk, visits))
    desks.tell(desk, files())


if __name__ == "__main__":
    main()
