"""A world of your own: somebody counts, and a die decides by how much. Rules are pure; the rest is the runtime's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import greenroom
from greenroom.kernel.asks import Roll
from greenroom.kernel.worlds import CommandContext, EventContext, Turn, World, done


@dataclass(frozen=True, slots=True)
class Begin:
    """What a stream is begun with."""

    name: str = "somebody"


@dataclass(frozen=True, slots=True)
class Count:
    """The one command."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The one event."""

    by: int


@dataclass(frozen=True, slots=True)
class State:
    total: int = 0


def begin(given: CommandContext[Any]) -> Turn[Counted]:
    yield from ()
    return done()


def handle(state: State, given: CommandContext[Any]) -> Turn[Counted]:
    (rolled,) = yield Roll((6,))
    return done(Counted(by=rolled + 1))


def evolve(state: State, told: EventContext[Counted]) -> State:
    return replace(state, total=state.total + told.event.by)


def view(state: State, seat: str, now: datetime) -> dict[str, int]:
    return {"total": state.total}


def reply(state: State, told: Sequence[EventContext[Counted]], seat: str) -> dict[str, int]:
    return {"rolled": sum(one.event.by for one in told), "total": state.total}


COUNTER: World[State, Count, Counted] = World(
    name="counter",
    shape=1,
    state=State,
    config=Begin,
    commands={"count": Count},
    events={"counted": Counted},
    blank=State(),
    open=begin,
    handle=handle,
    evolve=evolve,
    legal=lambda state, seat: (Count(),) if seat == "player" else (),
    seats=lambda state: ("player",),
    view=view,
    shows=lambda state, told, seat: {"by": told.event.by},
    reply=reply,
)


async def main() -> None:
    async with greenroom.open(":memory:", worlds=[COUNTER]) as house:
        stream = (await house.start("counter", Begin(name="ada"), seed=3)).stream
        for _ in range(4):
            told = await house.send(stream, Count(), seat="player")
            print(f"version {told.version}: rolled {told.body['rolled']}, {told.body['total']} in all")
        # The dice belong to versions: the same stream from the same version rolls the same again.
        again = await house.branch(stream, at=2)
        assert (await house.send(again.name, Count(), seat="player")).body is not None


asyncio.run(main())
