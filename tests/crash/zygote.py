"""Real processes killed with SIGKILL: forks clients and workers from a parent that has imported everything.

Run as ``python -m tests.crash.zygote FOLDER KILLS WORKERS SEED``; prints one JSON object with what was found.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.journal.records import Birth
from greenroom.kernel.asks import AskModel
from greenroom.kernel.words import Words
from greenroom.ports import Asked
from greenroom.services.house import House
from greenroom.services.requests import opening
from greenroom.services.turns import engine
from greenroom.services.verify import check_house
from tests.counts import count
from tests.crash.world import FIRST, THEN, WORLDS, Dice, Say, Tournament

STREAMS = 24
#: Seconds between two records of a client: with large counts it does not let anybody rest.
PAUSE = count(20, soak=2) / 1000
MOST_QUEUED = 200
#: A dead worker's streams wait this long; ten seconds in a house.
LEASE_SECONDS = 2.0

Place = tuple[str, int, int]


class Log:
    """A file that several processes append whole lines to; what is in it survives a kill."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def write(self, *parts: object) -> None:
        os.write(self._handle, (json.dumps(parts) + "\n").encode())


def read(path: Path) -> list[list[Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def fork(run: Callable[[int], Awaitable[None]]) -> tuple[int, int]:
    """A child that runs to its end; returns its id and the pipe it says it is ready on."""
    ready, tell = os.pipe()
    pid = os.fork()
    if pid:
        os.close(tell)
        return pid, ready
    os.close(ready)
    try:
        asyncio.run(run(tell))  # type: ignore[arg-type]
        os._exit(0)
    except BaseException as error:  # noqa: BLE001  a child never returns into its parent's code
        print(f"child {os.getpid()}: {error!r}", file=sys.stderr, flush=True)
        os._exit(1)


def wait_ready(ready: int) -> None:
    assert os.read(ready, 1) == b"r", "the child died before it was ready"
    os.close(ready)


def warm(opened: AbstractAsyncContextManager[House]) -> None:
    """Open a house once before anybody is forked: what that imports, each child would import anew."""

    async def open_and_close() -> None:
        async with opened:
            pass

    asyncio.run(open_and_close())


def models(folder: Path) -> ScriptedModels:
    asks = Log(folder / "asks.log")

    async def speak(ask: AskModel, asked: Asked) -> str:
        asks.write(asked.stream, asked.n, asked.i)
        await asyncio.sleep(random.uniform(0.001, 0.02))
        return f"<{ask.role}>"

    return ScriptedModels(speak)


def house(folder: Path, *, work: bool) -> Any:
    return open_house(folder / "house.db", worlds=WORLDS, models=models(folder), work=work)


def worker(folder: Path) -> Callable[[int], Awaitable[None]]:
    async def run(tell: int) -> None:
        engine.LEASE_SECONDS = LEASE_SECONDS
        async with house(folder, work=True):
            os.write(tell, b"r")
            await asyncio.sleep(600)

    return run


def client(folder: Path, seed: int) -> Callable[[int], Awaitable[None]]:
    """Records commands as fast as the queue lets it until a file says stop; logs what was acknowledged."""

    async def run(tell: int) -> None:
        chance, acks = random.Random(seed), Log(folder / "acks.log")
        async with house(folder, work=False) as open_:
            names = [f"inn-{seed}-{i}" for i in range(STREAMS)]
            for name in names:
                await begin(open_, name)
            os.write(tell, b"r")
            sent = 0
            while not (folder / "stop").exists():
                name = chance.choice(names)
                began = time.perf_counter()
                receipt = await open_.record(name, command(chance, sent), seat="guest", key=f"k{sent}")
                acks.write(name, f"k{sent}", receipt.attempt.n, time.perf_counter() - began)
                sent += 1
                await asyncio.sleep(PAUSE if sent % 20 else 0.02)

    return run


async def begin(open_: House, name: str) -> None:
    codec = open_.codecs["inn"]
    birth = Birth(world="inn", owner=f"owner of {name}", seed=len(name))
    recording = opening(codec, codec.config_from({}), name, birth, now=open_.now(), secret=open_.backend.secret)
    await open_.backend.attempts.record(recording)


def command(chance: random.Random, sent: int) -> Any:
    which = chance.random()
    if which < 0.5:
        return Say(text=Words(f"word {sent}"))
    return Tournament(games=2) if which > 0.97 else Dice(sides=chance.choice([1, 6, 20]))


def stored(folder: Path) -> set[Place]:
    """Asks whose answers the journal holds, or whose turn is settled, as of now."""
    connection = sqlite3.connect(folder / "house.db", timeout=30)
    try:
        names = dict(connection.execute("SELECT sid, name FROM streams"))
        found = {(names[sid], n, i) for sid, n, i in connection.execute("SELECT sid, n, i FROM answers")}
        done = {
            (names[sid], n) for sid, n in connection.execute("SELECT sid, n FROM attempts WHERE status IS NOT NULL")
        }
    finally:
        connection.close()
    return found | {(name, n, i) for name, n, i in read_asks(folder) if (name, n) in done}


def read_asks(folder: Path) -> list[Place]:
    return [(name, n, i) for name, n, i in read(folder / "asks.log")]


def left_behind(asks: Sequence[Place], held: Set[Place]) -> set[Place]:
    """Asks that were answered, since more was asked after them, and are not stored."""
    return {(name, n, FIRST) for name, n, i in asks if i in THEN} - held


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def storm(folder: Path, kills: int, workers: int, seed: int) -> dict[str, Any]:
    """Kill workers at random moments while a client records; then let the last ones finish."""
    chance = random.Random(seed)
    warm(house(folder, work=False))
    speaker, ready = fork(client(folder, seed))
    wait_ready(ready)
    alive = [fork(worker(folder)) for _ in range(workers)]
    for _, told in alive:
        wait_ready(told)
    asked_again, in_flight, behind = [], 0, 0
    for _ in range(kills):
        time.sleep(chance.uniform(0.02, 0.5))
        kill(alive.pop(0)[0])
        asks, held = read_asks(folder), stored(folder)  # in this order: whoever lives goes on meanwhile
        behind += len(left_behind(asks, held))
        before = read_asks(folder)
        in_flight += sum(1 for place in set(before) if place not in held)
        newcomer, told = fork(worker(folder))
        wait_ready(told)
        alive.append((newcomer, told))
        asked_again += [place for place in read_asks(folder)[len(before) :] if place in held]
    (folder / "stop").touch()
    os.waitpid(speaker, 0)
    finish(folder)
    for pid, _ in alive:
        kill(pid)
    return {**verdict(folder, kills, asked_again, in_flight), "left_behind": behind}


def finish(folder: Path) -> None:
    """Wait until nothing is open; leases of the dead run out by themselves."""
    deadline = time.monotonic() + 120
    connection = sqlite3.connect(folder / "house.db", timeout=30)
    while time.monotonic() < deadline:
        (left,) = connection.execute("SELECT count(*) FROM attempts WHERE status IS NULL").fetchone()
        if not left:
            break
        time.sleep(0.1)
    connection.close()


def verdict(folder: Path, kills: int, asked_again: list[Place], in_flight: int) -> dict[str, Any]:
    acks = read(folder / "acks.log")
    connection = sqlite3.connect(folder / "house.db", timeout=30)
    names = dict(connection.execute("SELECT sid, name FROM streams"))
    status = {(names[sid], n): s for sid, n, s in connection.execute("SELECT sid, n, status FROM attempts")}
    turns = Counter((names[sid], n) for sid, n in connection.execute("SELECT sid, n FROM steps"))
    connection.close()
    waits = sorted(wait for *_, wait in acks)
    asks = Counter(read_asks(folder))
    return {
        "kills": kills,
        "acknowledged": len(acks),
        "missing": sum((name, n) not in status for name, _, n, _ in acks),
        "unsettled": sum(status.get((name, n)) is None for name, _, n, _ in acks),
        "failed": sum(s == "failed" for s in status.values()),
        "settled_twice": sum(times > 1 for times in turns.values()),
        "asks": len(asks),
        "asked_again": len(asked_again),
        "repeats": sum(times - 1 for times in asks.values()),
        "in_flight": in_flight,
        "record_p50_ms": round(waits[len(waits) // 2] * 1000, 2),
        "record_p99_ms": round(waits[int(len(waits) * 0.99)] * 1000, 2),
        "problems": asyncio.run(problems(folder)),
    }


async def problems(folder: Path) -> list[str]:
    async with house(folder, work=False) as open_:
        found = await check_house(open_.backend, open_.codecs)
        return list(found.problems)


# One process that writes as much as it can, another that records now and then.


def saturator(folder: Path) -> Callable[[int], Awaitable[None]]:
    async def run(tell: int) -> None:
        turns = Log(folder / "turns.log")
        async with house(folder, work=False) as open_:
            names = [(await open_.start("inn", {}, name=f"busy-{i}", seed=i)).stream for i in range(64)]
            os.write(tell, b"r")

            async def play(name: str) -> int:
                done = 0
                while not (folder / "stop").exists():
                    for _ in range(20):
                        await open_.send(name, Dice(sides=6), seat="guest")
                    done += 20
                return done

            turns.write(sum(await asyncio.gather(*map(play, names))))

    return run


def neighbours(folder: Path, records: int) -> dict[str, Any]:
    """How long a record takes beside a saturating writer, and whether the writer still gets on."""
    warm(house(folder, work=False))
    busy, ready = fork(saturator(folder))
    wait_ready(ready)
    began = time.perf_counter()
    waits = sorted(asyncio.run(record_now_and_then(folder, records)))
    took = time.perf_counter() - began
    (folder / "stop").touch()
    os.waitpid(busy, 0)
    ((turns,),) = read(folder / "turns.log")
    return {
        "records": records,
        "record_p50_ms": round(waits[len(waits) // 2] * 1000, 2),
        "record_p99_ms": round(waits[int(len(waits) * 0.99)] * 1000, 2),
        "writer_turns_per_second": round(turns / took),
    }


async def record_now_and_then(folder: Path, records: int) -> list[float]:
    waits = []
    async with house(folder, work=False) as open_:
        await begin(open_, "quiet")
        for i in range(records):
            began = time.perf_counter()
            await open_.record("quiet", Dice(sides=6), seat="guest", key=f"k{i}")
            waits.append(time.perf_counter() - began)
            await asyncio.sleep(0.005)
    return waits


if __name__ == "__main__":
    if sys.argv[1] == "neighbours":
        print(json.dumps(neighbours(Path(sys.argv[2]), int(sys.argv[3]))))
    else:
        where, how_many, beside, luck = sys.argv[1:]
        print(json.dumps(storm(Path(where), int(how_many), int(beside), int(luck))))
