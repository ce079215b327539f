"""The evenings whose answers were written by hand (see ``tests.desk``), on a virtual clock."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.models.understudy import Understudy
from greenroom.adapters.tools import Toolbox
from greenroom.bootstrap import open_house
from greenroom.kernel.asks import Json, UseTool
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.worlds.bar.outside import tools as bar_tools
from greenroom.worlds.bar.outside import understudies
from greenroom.worlds.bar.rules import prompts
from greenroom.worlds.bar.rules.commands import Enter, Guest, Leave, Say
from greenroom.worlds.bar.rules.ids import stream_of
from greenroom.worlds.bar.rules.state import GUEST
from greenroom.worlds.bar.settings import BarSettings
from tests import desk as desks
from tests.desk import Desk

FOLDER = Path(__file__).parent / "evenings"
OWNER, ANONYMOUS = "noor", "5d0c9a42-7b1e-4f63-9a08-2c6e1d4b7f90"
PAUSE = timedelta(minutes=1)
ROLES, LABELS = ("quality", "facts"), ("own", "heard")


@dataclass(slots=True)
class Played:
    """What came of the evenings."""

    greetings: list[str] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)


async def _meaning(ask: UseTool, _: str) -> Json:
    """With the encoder none of these lines is an alarm in its exchange; it is left out for its cost."""
    return -4.0


async def play(desk: Desk, visits: list[dict[str, Any]], where: str | Path = ":memory:") -> Played:
    """Play the evenings on days of their own; stops where nobody at the desk answered."""
    clock = VirtualClock(micros(datetime.fromisoformat(visits[0]["at"])))
    models = desks.models(desk, clock, ROLES, Understudy({"bar": understudies(), "bar/fast": understudies()}))
    tools = Toolbox({**bar_tools(BarSettings(recall="words")), prompts.MEANING: _meaning})
    played = Played()
    async with open_house(where, clock=clock, models=models, tools=tools, recall="words") as house:
        stream = stream_of(ANONYMOUS)
        await house.start("bar", Guest(anonymous_id=ANONYMOUS), owner=OWNER, name=stream, seat=GUEST)
        for number, visit in enumerate(visits, 1):
            await house.advance(datetime.fromisoformat(visit["at"]))
            entered = await house.send(stream, Enter(), seat=GUEST)
            session = str(entered.body["session_id"])
            played.greetings.append(entered.body["messages"][0]["message"])
            for said in visit["said"]:
                reply = await house.send(stream, Say(session_id=session, text=Words(said)), seat=GUEST)
                first = reply.body["messages"][0]
                played.replies.append(
                    {"evening": number, "said": said, "agent": first["agent"], "line": first["message"]}
                )
                if desk.unanswered:
                    return played
                await house.advance(_now(house) + PAUSE)
            await house.send(stream, Leave(session_id=session), seat=GUEST)
            await house.advance(_now(house) + PAUSE)
        played.statuses += [entry.status for _, entry in await house.ledger(stream) if entry.role in ROLES]
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
