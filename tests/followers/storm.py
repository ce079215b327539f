"""A follower's process killed again and again while eight others write.

Run as ``python -m tests.followers.storm BACKEND FOLDER KILLS``; prints one JSON object with what was found. Processes
are forked from a parent that has imported everything. On PostgreSQL one settlement takes five seconds to commit, long
after others that began later.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from greenroom.bootstrap import open_house
from greenroom.ports import Cursor
from greenroom.services.tables import every_stream
from greenroom.services.turns import engine
from tests.counts import count
from tests.crash.world import WORLDS, Dice
from tests.crash.zygote import fork, kill, read, wait_ready
from tests.followers.copies import Diary
from tests.postgres.databases import execute
from tests.postgres.local import LocalServer

WRITERS = count(4, soak=8)
STREAMS = 5
#: A dead process's cursor waits this long; ten seconds in a house.
LEASE_SECONDS = 0.5
#: The stream whose third step is committed late.
LATE = "w0-late"
LATE_SECONDS = count(2, soak=5)
_SLOW = (
    "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"IF NEW.version = 3 AND (SELECT name FROM streams WHERE sid = NEW.sid) = '{LATE}' "
    f"THEN PERFORM pg_sleep({LATE_SECONDS}); END IF; RETURN NEW; END $$",
    "CREATE TRIGGER dawdles BEFORE INSERT ON steps FOR EACH ROW EXECUTE FUNCTION dawdle()",
)


def follower(place: str, folder: Path) -> Callable[[int], Awaitable[None]]:
    async def run(tell: int) -> None:
        engine.LEASE_SECONDS = LEASE_SECONDS
        diary = Diary(folder / "diary", "inn")
        async with open_house(place, worlds=WORLDS, followers=[diary], plugins=()):
            os.write(tell, b"r")
            await asyncio.sleep(3600)

    return run


def writer(place: str, folder: Path, number: int) -> Callable[[int], Awaitable[None]]:
    """Plays in streams of its own until a file says stop."""

    async def run(tell: int) -> None:
        async with open_house(place, worlds=WORLDS, plugins=(), work=False) as house:
            names = [f"w{number}-{i}" for i in range(STREAMS)]
            for name in names:
                await house.start("inn", name=name)
            os.write(tell, b"r")
            late = asyncio.create_task(_dawdle(house)) if number == 0 else None
            while not (folder / "stop").exists():
                await house.send(random.choice(names), Dice(sides=6), seat="guest")
                await asyncio.sleep(random.uniform(0, 0.02))
            if late is not None:
                await late

    return run


async def _dawdle(house: Any) -> None:
    await house.start("inn", name=LATE)
    for _ in range(3):
        await house.send(LATE, Dice(sides=6), seat="guest")


async def _prepare(place: str) -> None:
    async with open_house(place, worlds=WORLDS, plugins=(), followers=[Diary(Path(os.devnull), "inn")], work=False):
        pass
    if "://" in place:
        for statement in _SLOW:
            await execute(place, statement)


async def _cursor(place: str) -> Cursor:
    async with open_house(place, worlds=WORLDS, plugins=(), work=False) as house:
        (cursor,) = await house.following.list()
    return cursor


async def _versions(place: str) -> dict[str, int]:
    async with open_house(place, worlds=WORLDS, plugins=(), work=False) as house:
        return {stream.name: stream.version async for stream in every_stream(house.backend, "inn")}


def rage(place: str, folder: Path, kills: int) -> dict[str, Any]:
    asyncio.run(_prepare(place))
    writers = [fork(writer(place, folder, number)) for number in range(WRITERS)]
    for _, ready in writers:
        wait_ready(ready)
    began = time.monotonic()
    for _ in range(kills):
        pid, ready = fork(follower(place, folder))
        wait_ready(ready)
        time.sleep(random.uniform(0.05, 1.5))
        kill(pid)
    (folder / "stop").touch()
    for pid, _ in writers:
        assert os.waitpid(pid, 0)[1] == 0, "a writer died"
    seconds = time.monotonic() - began
    last, ready = fork(follower(place, folder))
    wait_ready(ready)
    deadline = time.monotonic() + 120
    while (cursor := asyncio.run(_cursor(place))).behind and time.monotonic() < deadline:
        time.sleep(0.2)
    kill(last)
    return verdict(asyncio.run(_versions(place)), read(folder / "diary"), cursor) | {
        "kills": kills,
        "seconds": round(seconds, 1),
    }


def verdict(versions: dict[str, int], diary: list[list[Any]], cursor: Cursor) -> dict[str, Any]:
    """What was told against what was settled."""
    reached: dict[str, int] = {}
    skipped = again = 0
    for stream, version in diary:
        before = reached.get(stream, 0)
        skipped += version > before + 1
        again += version <= before
        reached[stream] = max(before, version)
    return {
        "streams": len(versions),
        "steps": sum(versions.values()),
        "late": versions.get(LATE, 0),
        "missing": sum(version - reached.get(stream, 0) for stream, version in versions.items()),
        "skipped": skipped,
        "again": again,
        "behind": cursor.behind,
    }


def main() -> None:
    backend, folder, kills = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if backend == "sqlite":
        print(json.dumps(rage(str(folder / "house.db"), folder, kills)))
        return
    server = LocalServer()
    try:
        print(json.dumps(rage(server.url(), folder, kills)))
    finally:
        server.close()


if __name__ == "__main__":
    main()
