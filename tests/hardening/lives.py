"""Workers that live short lives, each a real process forked from a parent that has imported everything.

Run as ``python -m tests.hardening.lives FILE PIECES TOOL...``: one stream for each tool, and as many lives as are
needed until every command is settled. A life ends with SIGKILL after so many pieces of work, however fast the machine
is. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

from greenroom.bootstrap import open_house
from greenroom.kernel.asks import UseTool
from greenroom.services.house import House
from tests.hardening.world import Use, den

MOST_LIVES = 40
#: Pieces of work in one turn.
PIECES = 10


class Workshop:
    """A bell takes ten pieces of work, in turns with all other bells; a bomb kills the worker."""

    def __init__(self, pieces: int) -> None:
        self._left = pieces

    async def use(self, ask: UseTool, key: str) -> str:
        await asyncio.sleep(0.03)  # whoever is driven beside it has begun as well
        for _ in range(PIECES):
            if ask.name == "bomb" or not self._left:
                os.kill(os.getpid(), signal.SIGKILL)
            self._left -= 1
            await asyncio.sleep(0)
        return "done"


def house(path: Path, *, pieces: int = 0, work: bool = False) -> Any:
    return open_house(path, worlds=[den()], tools=Workshop(pieces), work=work)


async def begin(path: Path, tools: list[str]) -> None:
    async with house(path) as opened:
        for i, tool in enumerate(tools):
            await opened.start("den", {}, name=f"{i}-{tool}", owner="ada", seed=i)
            await opened.record(f"{i}-{tool}", Use(tool), seat="guest", key="k")


async def attempts(opened: House) -> list[dict[str, Any]]:
    found = []
    for stream in await opened.backend.streams.list(limit=1000):
        (attempt,) = await opened.backend.streams.attempts(stream.name, after=1)
        found.append({"stream": stream.name, "status": attempt.status, "tries": attempt.tries, "error": attempt.error})
    return found


async def live(path: Path, pieces: int) -> None:
    async with house(path, pieces=pieces, work=True) as opened:
        rung = -1
        while any(one["status"] is None for one in await attempts(opened)):
            rung = await opened.backend.notifier.wait(0.05, rung)


def ended(path: Path, pieces: int) -> bool:
    """Whether a worker in a process of its own finished everything in its life."""
    pid = os.fork()
    if not pid:
        _spend(path, pieces)
    _, status = os.waitpid(pid, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def _spend(path: Path, pieces: int) -> NoReturn:
    try:
        asyncio.run(live(path, pieces))
        os._exit(0)
    except BaseException as error:  # noqa: BLE001  a child never returns into its parent's code
        print(f"worker {os.getpid()}: {error!r}", file=sys.stderr, flush=True)
        os._exit(1)


async def told(path: Path) -> list[dict[str, Any]]:
    async with house(path) as opened:
        return await attempts(opened)


def main(path: Path, pieces: int, tools: list[str]) -> dict[str, Any]:
    asyncio.run(begin(path, tools))
    lives = 1
    while lives < MOST_LIVES and not ended(path, pieces):
        lives += 1
    return {"lives": lives, "attempts": asyncio.run(told(path))}


if __name__ == "__main__":
    where, length, *which = sys.argv[1:]
    print(json.dumps(main(Path(where), int(length), which)))
