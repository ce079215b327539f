"""Plays visitors against a house on a virtual clock, and keeps every reply with all that is needed to score it."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from greenroom.kernel.chance import Chance
from greenroom.kernel.times import moment
from greenroom.kernel.worlds import OPERATOR
from greenroom.kit.judging.probes import Probe, Probes, Visitor
from greenroom.services.house import House

#: How long a visitor thinks before saying the next thing.
PAUSE = timedelta(seconds=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """How a world is judged: what its plug-in's ``judge`` refers to."""

    world: str
    seat: str
    #: Development probes and sealed ones, by name.
    probes: Callable[[], Mapping[str, Probes]]
    #: The command that says something: its kind and its fields.
    say: Callable[[str], tuple[str, Mapping[str, Any]]]
    #: The character's line in what the giver of the command is told; empty if there was none.
    line: Callable[[Mapping[str, Any]], str]
    #: Whether a line gives away what the visitor must not know: from what the operator sees after the turn.
    leaks: Callable[[Mapping[str, Any], str], bool]
    #: The command that ends a visit, if there is one.
    leave: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    #: The role that speaks, to say who played it.
    role: str = "quality"
    #: Begins a visit where that is more than a new stream: from the visitor's name and the visit's number, the stream.
    enter: Callable[[House, str, int], Awaitable[str]] | None = None
    #: Waits for a line that does not come at once.
    later: Callable[[House, str], Awaitable[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedReply:
    """What was said, and what came back."""

    visitor: str
    voice: str
    visit: int
    probe: Probe
    line: str
    leaked: bool
    milliseconds: float
    #: Whether the character had said these very words to this visitor before.
    repeated: bool


async def play(house: House, judge: Judge, probes: Probes, *, start: datetime) -> list[JudgedReply]:
    """Let every visitor come, one after the other, each visit on a day of its own."""
    replies: list[JudgedReply] = []
    for name, visitor in probes.visitors.items():
        replies += await _visits(house, judge, name, visitor)
    return replies


async def _visits(house: House, judge: Judge, name: str, visitor: Visitor) -> Sequence[JudgedReply]:
    found: list[JudgedReply] = []
    said: set[str] = set()
    for number, visit in enumerate(visitor.visits, 1):
        stream = await (judge.enter or partial(_entered, judge))(house, name, number)
        for probe in visit:
            reply = await _turn(house, judge, stream, probe)
            line = reply[0]
            found.append(
                JudgedReply(
                    visitor=name,
                    voice=visitor.voice,
                    visit=number,
                    probe=probe,
                    line=line,
                    leaked=reply[1],
                    milliseconds=reply[2],
                    repeated=bool(line) and _even(line) in said and not probe.again,
                )
            )
            said.add(_even(line))
        await _end(house, judge, stream)
    return found


async def _entered(judge: Judge, house: House, name: str, number: int) -> str:
    """A visit as a stream of its own."""
    stream = f"probe-{name}-{number}"
    await house.start(
        judge.world, dict(judge.config), owner=f"probe:{name}", name=stream, seat=judge.seat, seed=_seed(name)
    )
    return stream


async def _turn(house: House, judge: Judge, stream: str, probe: Probe) -> tuple[str, bool, float]:
    kind, fields = judge.say(probe.say)
    command = house.codec(judge.world).command_from(kind, dict(fields))
    started = time.perf_counter()
    reply = await house.send(stream, command, seat=judge.seat)
    milliseconds = 1000 * (time.perf_counter() - started)
    line = judge.line(reply.body) if judge.later is None else await judge.later(house, stream)
    seen = (await house.view(stream, seat=OPERATOR)).body
    await house.advance(_now(house) + PAUSE)
    return line, judge.leaks(seen, line), milliseconds


async def _end(house: House, judge: Judge, stream: str) -> None:
    if judge.leave is not None:
        await house.send(stream, house.codec(judge.world).command_from(judge.leave, {}), seat=judge.seat)
    await house.advance(_now(house) + timedelta(days=1))


def _now(house: House) -> datetime:
    return moment(house.now())


def _seed(name: str) -> int:
    return Chance("probe", name).below(1 << 60)


def _even(line: str) -> str:
    return " ".join(re.findall(r"\w+", line.casefold()))
