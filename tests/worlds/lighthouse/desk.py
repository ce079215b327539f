"""The visits whose answers were written by hand (see ``tests.desk``), on a virtual clock."""

from __future__ import annotations

import asyncio
import re
import sys
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
#: The page that shows the second visit with its prompts; ``--keep`` renews it.
PAGE = Path(__file__).parents[3] / "docs" / "a-visit.md"
_BLOCK = re.compile(r"```text\n(.*?)\n```", re.DOTALL)
_SYSTEM = re.compile(r"^## system\n")
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


def shown(page: str, prompts: list[str]) -> str:
    """The page of the second visit with its prompts as they are: the system message, then some of the last ones."""
    parts = _BLOCK.split(page)
    for i in range(1, len(parts), 2):
        _, visitor, rest = parts[i - 1].rpartition("**Visitor:** ")
        said = rest.split("\n", 1)[0] if visitor else ""
        fits = (one for one in reversed(prompts) if not said or f"] {said}\n" in one.partition("## last")[2])
        system, _, last = next(fits).partition("## last\n")
        parts[i] = last if said else _SYSTEM.sub("", system.partition("\n\n## ")[0])
    return "".join(f"```text\n{part.strip()}\n```" if i % 2 else part for i, part in enumerate(parts))


def main() -> None:
    visits, desk = read()
    asyncio.run(play(desk, visits))
    desks.tell(desk, files())
    if "--keep" in sys.argv:
        PAGE.write_text(
            shown(PAGE.read_text(encoding="utf-8"), [sheet for role, sheet in desk.prompts if role == "quality"]),
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
