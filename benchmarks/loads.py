"""How long it takes to know a stream as it was at any version."""

from __future__ import annotations

import random
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.loop import centile
from benchmarks.stage import open_bench
from benchmarks.world import GUEST, TALK, Say, words
from greenroom.services.house import House

SHORT = 100
_WARM_LOADS = 50
_LEAST_LOADS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Loads of random versions of one stream; milliseconds."""

    events: int
    loads: int
    p50_ms: float
    p99_ms: float


async def load_any(path: Path, *, seconds: float) -> tuple[Load, Load]:
    """Loads in a new stream of 100 events and in the longest stream of the file, by turns."""
    connection = sqlite3.connect(path)
    (long,) = connection.execute("SELECT name FROM streams ORDER BY version DESC LIMIT 1").fetchone()
    connection.close()
    chance = random.Random(7)
    async with open_bench(path) as house:
        short = (await house.start(TALK.name)).stream
        for i in range(SHORT - 1):
            await house.send(short, Say(words(i)), seat=GUEST)
        last = {name: (await house.backend.streams.get(name)).version for name in (short, long)}
        took: dict[str, list[float]] = {short: [], long: []}
        begun = time.perf_counter()
        while len(took[long]) < _WARM_LOADS + _LEAST_LOADS or time.perf_counter() - begun < seconds:
            for name, times in took.items():
                times.append(await _once(house, name, chance.randint(1, last[name])))
    return _load(last[short], took[short]), _load(last[long], took[long])


async def _once(house: House, stream: str, version: int) -> float:
    house.states.drop(stream)
    begun = time.perf_counter()
    await house.states.at(stream, version)
    return (time.perf_counter() - begun) * 1000


def _load(events: int, took: list[float]) -> Load:
    ordered = sorted(took[_WARM_LOADS:])
    return Load(events=events, loads=len(ordered), p50_ms=centile(ordered, 0.5), p99_ms=centile(ordered, 0.99))
