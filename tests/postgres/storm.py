"""Real worker processes on one database, killed, cut off and left without a server, while a client records.

Run as ``python -m tests.postgres.storm FOLDER TURNS STREAMS KILLS SLOWEST``; prints one JSON object with what was
found. Processes are forked from a parent that has imported everything.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.kernel.asks import AskModel
from greenroom.kernel.errors import BackendError
from greenroom.ports import Asked
from greenroom.services.house import House
from greenroom.services.turns import engine
from greenroom.services.verify import check_house
from tests.crash.world import WORLDS
from tests.crash.zygote import Log, Place, begin, command, fork, kill, left_behind, read, read_asks, wait_ready, warm
from tests.postgres.databases import execute
from tests.postgres.local import LocalServer

WORKERS = 2
#: A dead worker's streams wait this long; ten seconds in a house.
LEASE_SECONDS = 2.0
ACTS = ("kill", "cut", "kill")


def models(folder: Path, slowest: float) -> ScriptedModels:
    asks = Log(folder / "asks.log")

    async def speak(ask: AskModel, asked: Asked) -> str:
        asks.write(asked.stream, asked.n, asked.i)
        await asyncio.sleep(random.uniform(slowest / 4, slowest))
        return f"<{ask.role}>"

    return ScriptedModels(speak)


def worker(folder: Path, url: str, slowest: float) -> Callable[[int], Awaitable[None]]:
    async def run(tell: int) -> None:
        engine.LEASE_SECONDS = LEASE_SECONDS
        async with open_house(url, worlds=WORLDS, models=models(folder, slowest), work=True):
            os.write(tell, b"r")
            await asyncio.sleep(3600)

    return run


def client(folder: Path, url: str, turns: int, streams: int) -> Callable[[int], Awaitable[None]]:
    """Records so many commands, each until it is acknowledged, and logs that it was."""

    async def run(tell: int) -> None:
        chance, acks = random.Random(streams), Log(folder / "acks.log")
        async with open_house(url, worlds=WORLDS, models=models(folder, 0.01), work=False) as house:
            names = [f"inn-{i}" for i in range(streams)]
            for name in names:
                await begin(house, name)
            os.write(tell, b"r")
            for sent in range(turns):
                name, said = names[sent % streams], command(chance, sent)
                n, wait = await _until_recorded(house, name, said, f"k{sent}")
                acks.write(name, f"k{sent}", n, wait)

    return run


async def _until_recorded(house: House, name: str, said: Any, key: str) -> tuple[int, float]:
    began = time.perf_counter()
    while True:
        try:
            receipt = await house.record(name, said, seat="guest", key=key)
        except BackendError:
            await asyncio.sleep(0.1)  # the same again: recording twice is recording once
        else:
            return receipt.attempt.n, time.perf_counter() - began


@dataclass(slots=True)
class Storm:
    """What is going on, and what was seen of it."""

    folder: Path
    server: LocalServer
    slowest: float
    alive: list[int] = field(default_factory=list)
    asked_again: list[Place] = field(default_factory=list)
    in_flight: int = 0
    left_behind: int = 0
    done: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return self.server.url()

    def more_workers(self) -> None:
        while len(self.alive) < WORKERS:
            pid, ready = fork(worker(self.folder, self.url, self.slowest))
            wait_ready(ready)
            self.alive.append(pid)

    def act(self, what: str) -> None:
        asks, held = read_asks(self.folder), stored(self.folder, self.url)
        self.left_behind += len(left_behind(asks, held))
        before = read_asks(self.folder)
        getattr(self, what)()
        self.done[what] += 1
        # What was asked meanwhile could not be stored either.
        later, asked = stored(self.folder, self.url), read_asks(self.folder)
        self.in_flight += len({p for p in before if p not in held} | {p for p in asked if p not in later})
        self.more_workers()
        self.asked_again += [place for place in read_asks(self.folder)[len(before) :] if place in held]

    def kill(self) -> None:
        kill(self.alive.pop(0))

    def cut(self) -> None:
        """Cut every second connection, whoever has it."""
        asyncio.run(
            execute(
                self.url,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'greenroom' AND pid % 2 = $1",
                random.randrange(2),
            )
        )

    def restart(self) -> None:
        self.server.restart(hard=True)

    def left(self) -> int:
        found = asyncio.run(execute(self.url, "SELECT count(*) FROM attempts WHERE status IS NULL"))
        return int(found[0][0])


def stored(folder: Path, url: str) -> set[Place]:
    """Asks whose answers the journal holds, or whose turn is settled, as of now."""
    answers = asyncio.run(execute(url, "SELECT s.name, a.n, a.i FROM answers a JOIN streams s ON s.sid = a.sid"))
    settled = asyncio.run(
        execute(url, "SELECT s.name, a.n FROM attempts a JOIN streams s ON s.sid = a.sid WHERE a.status IS NOT NULL")
    )
    done = {tuple(row) for row in settled}
    return {tuple(row) for row in answers} | {place for place in read_asks(folder) if place[:2] in done}


def rage(storm: Storm, turns: int, streams: int, kills: int) -> dict[str, Any]:
    asyncio.run(_make(storm))
    speaker, ready = fork(client(storm.folder, storm.url, turns, streams))
    wait_ready(ready)
    storm.more_workers()
    acts = [ACTS[i % len(ACTS)] for i in range(kills)]
    acts.insert(len(acts) // 2, "restart")
    for what in acts:
        time.sleep(random.uniform(0.3, 0.3 + 20 * storm.slowest))
        storm.act(what)
    assert os.waitpid(speaker, 0)[1] == 0, "the client died"
    deadline = time.monotonic() + 300
    while storm.left() and time.monotonic() < deadline:
        time.sleep(0.2)
    for pid in storm.alive:
        kill(pid)
    return asyncio.run(verdict(storm, turns))


async def _make(storm: Storm) -> None:
    async with open_house(storm.url, worlds=WORLDS, work=False):
        pass


async def verdict(storm: Storm, turns: int) -> dict[str, Any]:
    acks = read(storm.folder / "acks.log")
    rows = await execute(
        storm.url,
        "SELECT s.name, a.n, a.key, a.status FROM attempts a JOIN streams s ON s.sid = a.sid ORDER BY s.name, a.n",
    )
    status = {(name, key): state for name, _, key, state in rows}
    steps = await execute(
        storm.url, "SELECT s.name, t.n FROM steps t JOIN streams s USING (sid) ORDER BY t.sid, t.version"
    )
    settled = Counter(tuple(row) for row in steps)
    asks = Counter(read_asks(storm.folder))
    async with open_house(storm.url, worlds=WORLDS, work=False) as house:
        problems = list((await check_house(house.backend, house.codecs)).problems)
    return {
        "acts": dict(storm.done),
        "turns": turns,
        "acknowledged": len(acks),
        "missing": sum((name, key) not in status for name, key, *_ in acks),
        "unsettled": sum(status.get((name, key)) is None for name, key, *_ in acks),
        "failed": sum(state == "failed" for state in status.values()),
        "settled_twice": sum(count > 1 for count in settled.values()),
        "out_of_order": _out_of_order([tuple(row) for row in steps]),
        "asks": len(asks),
        "asked_again": len(storm.asked_again),
        "repeats": sum(count - 1 for count in asks.values()),
        "in_flight": storm.in_flight,
        "left_behind": storm.left_behind,
        "problems": problems,
        "errors": sorted({str(row[0]) for row in await execute(storm.url, _ERRORS)}),
    }


_ERRORS = "SELECT error FROM attempts WHERE status = 'failed'"


def _out_of_order(steps: list[tuple[Any, ...]]) -> int:
    """Steps whose attempt was recorded before that of an earlier step of the stream."""
    return sum(a[0] == b[0] and a[1] > b[1] for a, b in pairwise(steps))


def main() -> None:
    folder, turns, streams, kills, slowest = sys.argv[1:]
    server = LocalServer()
    storm = Storm(Path(folder), server, float(slowest))
    try:
        warm(open_house(storm.url, worlds=WORLDS, work=False))
        print(json.dumps(rage(storm, int(turns), int(streams), int(kills))))
    finally:
        for pid in storm.alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        server.close()


if __name__ == "__main__":
    main()
