"""Workers that live short lives, each a real process forked from a parent that has imported everything.

Run as ``python -m tests.hardening.lives FILE TOOL... SECONDS``: one stream for each tool, and as many lives as are
needed until every command is settled; each is killed after so many seconds. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from greenroom.bootstrap import open_house
from greenroom.kernel.asks import UseTool
from greenroom.services.house import House
from tests.hardening.world import Use, den

MOST_LIVES = 60


class Workshop:
    """A bell takes many small pieces of the worker's time; a bomb kills it."""

    async def use(self, ask: UseTool, key: str) -> str:
        if ask.name == "bomb":
            os.kill(os.getpid(), signal.SIGKILL)
        for _ in range(10):
            time.sleep(0.002)  # the processor is busy, and everybody waits
            await asyncio.sleep(0)
        return "done"


def house(path: Path, *, work: bool) -> Any:
    return open_house(path, worlds=[den()], tools=Workshop(), work=work)


async def begin(path: Path, tools: list[str]) -> None:
    async with house(path, work=False) as opened:
        for i, tool in enumerate(tools):
            await opened.start("den", {}, name=f"{i}-{tool}", owner="ada", seed=i)
            await opened.record(f"{i}-{tool}", Use(tool), seat="guest", key="k")


async def attempts(opened: House) -> list[dict[str, Any]]:
    found = []
    for stream in await opened.backend.streams.list(limit=1000):
        (attempt,) = await opened.backend.streams.attempts(stream.name, after=1)
        found.append({"stream": stream.name, "status": attempt.status, "tries": attempt.tries, "error": attempt.error})
    return found


async def live(path: Path, ready: int) -> None:
    async with house(path, work=True) as opened:
        os.write(ready, b"r")
        while any(one["status"] is None for one in await attempts(opened)):
            await asyncio.sleep(0.02)


def born(path: Path) -> tuple[int, int]:
    """A worker in a process of its own, and the pipe on which it says that it works."""
    heard, ready = os.pipe()
    pid = os.fork()
    if pid:
        os.close(ready)
        return pid, heard
    os.close(heard)
    _die(path, ready)


def _die(path: Path, ready: int) -> NoReturn:
    try:
        asyncio.run(live(path, ready))
        os._exit(0)
    except BaseException as error:  # noqa: BLE001  a child never returns into its parent's code
        print(f"worker {os.getpid()}: {error!r}", file=sys.stderr, flush=True)
        os._exit(1)


def ended(path: Path, seconds: float) -> bool:
    """Whether a worker finished everything in its life."""
    pid, heard = born(path)
    os.read(heard, 1)
    os.close(heard)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        gone, status = os.waitpid(pid, os.WNOHANG)
        if gone:
            return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


async def told(path: Path) -> list[dict[str, Any]]:
    async with house(path, work=False) as opened:
        return await attempts(opened)


def main(path: Path, tools: list[str], seconds: float) -> dict[str, Any]:
    asyncio.run(begin(path, tools))
    lives = 1
    while lives < MOST_LIVES and not ended(path, seconds):
        lives += 1
    return {"lives": lives, "attempts": asyncio.run(told(path))}


if __name__ == "__main__":
    where, *which, length = sys.argv[1:]
    print(json.dumps(main(Path(where), which, float(length))))
