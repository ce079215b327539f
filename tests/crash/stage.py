"""A house that can be broken at any call of any port, and a client that goes on afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from greenroom.adapters.channels import RecordingChannel
from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.scripted import NoTools, ScriptedModels
from greenroom.bootstrap import backend as open_backend
from greenroom.bootstrap import worker_of
from greenroom.journal.records import Claim, Settlement
from greenroom.kernel.asks import AskModel
from greenroom.kernel.codec import codecs
from greenroom.kernel.errors import GreenroomError
from greenroom.kernel.script import Answer
from greenroom.kernel.worlds import World
from greenroom.ports import Asked, Backend, Tools
from greenroom.services.asking import Outside
from greenroom.services.driver import Driver
from greenroom.services.house import House
from greenroom.services.runner import Runner
from tests.crash.world import WORLDS

HOUR = 3_600_000_000
START = 1_800_000_000_000_000

When: TypeAlias = Literal["before", "after"]
Place: TypeAlias = tuple[str, int, int]
Worlds: TypeAlias = Sequence[World[Any, Any, Any]]


class Crash(BaseException):
    """The process is gone."""


@dataclass(slots=True)
class Provider:
    """What the model's side remembers of us: it outlives every crash."""

    asked: Counter[Place] = field(default_factory=Counter)
    #: Answers that the journal acknowledged.
    stored: set[Place] = field(default_factory=set)
    asked_again: list[Place] = field(default_factory=list)
    #: Answers given in this life, and those that were not stored when something else was asked in the same attempt.
    answered: set[Place] = field(default_factory=set)
    left_behind: list[Place] = field(default_factory=list)
    #: Asks begun and not stored when the process died, summed over all crashes.
    in_flight: int = 0
    #: What it answers.
    says: Callable[[AskModel], Any] = lambda ask: f"<{ask.role}:{ask.sections[0].texts[0]}>"
    tools: Tools = field(default_factory=NoTools)

    async def speak(self, ask: AskModel, asked: Asked) -> Any:
        place = (asked.stream, asked.n, asked.i)
        self.asked[place] += 1
        if place in self.stored:
            self.asked_again.append(place)
        self.left_behind += [other for other in self.answered - self.stored if other[:2] == place[:2]]
        await asyncio.sleep(0)
        self.answered.add(place)
        return self.says(ask)

    def crashed(self) -> None:
        self.in_flight += len({place for place in self.asked if place not in self.stored})
        self.answered.clear()

    @property
    def repeats(self) -> int:
        return sum(count - 1 for count in self.asked.values())


@dataclass(slots=True)
class Breaker:
    """Dies at the n-th call."""

    provider: Provider
    n: int | None = None
    when: When = "before"
    calls: int = 0
    names: list[str] = field(default_factory=list)
    died: asyncio.Event = field(default_factory=asyncio.Event)

    async def call(self, name: str, inner: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        self._alive()
        self.calls += 1
        self.names.append(name)
        mine = self.calls == self.n
        if mine and self.when == "before":
            self._die()
        result = await inner(*args, **kwargs)
        self._note(name, args)
        self._alive()
        if mine:
            self._die()
        return result

    def _note(self, name: str, args: Any) -> None:
        if name == "attempts.answer":
            claim, answers = args[0], args[1]
            self._stored(claim, answers)
        if name == "history.settle":
            settlement: Settlement = args[0]
            place = (settlement.claim.stream.name, settlement.claim.attempt.n)
            self.provider.stored.update(key for key in self.provider.asked if key[:2] == place)

    def _stored(self, claim: Claim, answers: Sequence[Answer]) -> None:
        self.provider.stored.update((claim.stream.name, claim.attempt.n, answer.n) for answer in answers)

    def _alive(self) -> None:
        if self.died.is_set():
            raise Crash

    def _die(self) -> None:
        self.died.set()
        raise Crash


class Fragile:
    """A port behind a breaker."""

    def __init__(self, name: str, port: Any, breaker: Breaker) -> None:
        self._name, self._port, self._breaker = name, port, breaker

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._port, name)
        if not inspect.iscoroutinefunction(inner):
            return inner

        async def call(*args: Any, **kwargs: Any) -> Any:
            return await self._breaker.call(f"{self._name}.{name}", inner, args, kwargs)

        return call


PORTS = ("attempts", "history", "streams", "outbox", "bank")

Step: TypeAlias = Callable[["Stage"], Any]


@dataclass(slots=True)
class Stage:
    """One life of the process."""

    house: House
    clock: VirtualClock
    channel: RecordingChannel
    close: Callable[[], Any]

    async def start(self, name: str, world: str = "inn", config: Any = None) -> None:
        await self._settled(self.house.start(world, config or {}, name=name, owner=f"owner of {name}", seed=7))

    async def send(self, stream: str, key: str, command: Any, seat: str = "guest") -> None:
        await self._settled(self.house.send(stream, command, seat=seat, key=key))

    async def quiet(self) -> None:
        """Wait until nobody has anything to do."""
        while self.house.runner.busy:  # an earlier worker's; the one below would look again and again
            await self.house.runner.resting()
        await worker_of(self.house, channels={"inbox": self.channel}).quiet()

    async def until_minute(self, minute: int) -> None:
        worker = worker_of(self.house, channels={"inbox": self.channel})
        await worker.advance(self.clock, START + minute * 60_000_000)

    async def _settled(self, doing: Any) -> None:
        task = asyncio.create_task(doing, name="drive for a caller")
        worker = worker_of(self.house, channels={"inbox": self.channel})
        while not task.done():
            await worker.quiet()
            await asyncio.wait([task], timeout=0.02)
        with contextlib.suppress(GreenroomError, Crash):
            task.result()


def stage(
    where: Path | str | Shelf,
    *,
    breaker: Breaker,
    now: int,
    wall: int,
    channel: RecordingChannel,
    worlds: Worlds = WORLDS,
) -> Stage:
    real = open_backend(where, worlds)
    fragile: dict[str, Any] = {name: Fragile(name, getattr(real, name), breaker) for name in PORTS}
    backend: Backend = replace(real, **fragile)
    clock = VirtualClock(now)
    outside = Outside(models=ScriptedModels(breaker.provider.speak), tools=breaker.provider.tools, clock=clock)
    known = codecs(worlds)
    driver = Driver(backend=backend, codecs=known, outside=outside, worker="w", wall=lambda: wall)
    return Stage(House(backend, known, outside, driver, Runner(backend, driver)), clock, channel, real.close)


async def live(
    where: Path | str | Shelf,
    script: Sequence[Step],
    provider: Provider,
    *,
    crash_at: int | None,
    when: When = "before",
    worlds: Worlds = WORLDS,
) -> tuple[Breaker, RecordingChannel]:
    """Play a script, dying once at a call and coming back as a new process that goes on."""
    channel, now, wall, first = RecordingChannel(), START, START, 0
    breaker = Breaker(provider, crash_at, when)
    while True:
        life = stage(where, breaker=breaker, now=now, wall=wall, channel=channel, worlds=worlds)
        at = await _play(life, script, first, breaker)
        await _drop(life)
        if at is None:
            return breaker, channel
        provider.crashed()
        first, now, wall = at, life.clock.now(), wall + HOUR
        breaker = Breaker(provider)


async def _play(life: Stage, script: Sequence[Step], first: int, breaker: Breaker) -> int | None:
    """The index of the step the process died in, or None at the end."""
    for index in range(first, len(script)):
        doing = asyncio.ensure_future(script[index](life))
        death = asyncio.ensure_future(breaker.died.wait())
        await asyncio.wait([doing, death], return_when=asyncio.FIRST_COMPLETED)
        if breaker.died.is_set():
            doing.cancel()
            await asyncio.gather(doing, death, return_exceptions=True)
            return index
        death.cancel()
        doing.result()
    return None


async def _drop(life: Stage) -> None:
    """Everything in memory is gone; nothing is handed back."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    mine = [task for task in others if task.get_name().startswith("drive ")]
    for task in mine:
        task.cancel()
    await asyncio.gather(*mine, return_exceptions=True)
    await life.close()


#: Of a stream's row: all but who holds it.
_ROW = ("world", "owner", "seed", "version", "recorded", "open", "last_at", "wake_at", "outcome")
#: Of an attempt: what tells of the way and not of the end.
_PASSING = ("tries", "digest")


async def dump(where: Path | str | Shelf, worlds: Worlds = WORLDS) -> dict[str, Any]:
    """All that a crash must not change."""
    backend = open_backend(where, worlds)
    found: dict[str, Any] = {}
    try:
        for stream in await backend.streams.list(limit=10_000):
            found[stream.name] = await _dump_stream(backend, stream.name, worlds)
    finally:
        await backend.close()
    return found


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """What is not the same, named so that a person can look."""
    found = [f"only in one: {name}" for name in one.keys() ^ other.keys()]
    for name in one.keys() & other.keys():
        for part in one[name]:
            if one[name][part] != other[name][part]:
                found.append(f"{name} {part}: {one[name][part]} != {other[name][part]}")
    return found


async def _dump_stream(backend: Backend, name: str, worlds: Worlds) -> dict[str, Any]:
    stream = await backend.streams.get(name)
    tables = [table for world in worlds if world.name == stream.world for table in world.tables]
    return {
        "stream": {part: getattr(stream, part) for part in _ROW},
        "attempts": [
            {part: getattr(a, part) for part in a.__struct_fields__ if part not in _PASSING}
            for a in await backend.streams.attempts(name)
        ],
        "steps": [step async for step in backend.history.steps(name, 0, stream.version)],
        "memories": sorted(
            (s.memory.id, s.memory.text, s.memory.agent, s.version) for s in await backend.bank.of_stream(name)
        ),
        "letters": [(x.key, x.due_at, x.status, x.words) for x in await backend.outbox.list(stream=name)],
        "rows": {table.name: await backend.tables.rows(name, table) for table in tables},
    }
