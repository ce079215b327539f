"""Run as a program: many turns at once on a disk that fills up, and then has room again.

The limit is on the size of any file this process writes: it binds root too. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.services.turns import engine
from greenroom.services.verify import check_house
from tests.hardening.conftest import opened
from tests.hardening.world import Ask, Say

DENS = 24
ROUNDS = 8


def limit(size: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most if size < 0 else size, most))


def command(i: int, round_: int) -> Any:
    text = Words(f"{i} {round_} " + "x" * 2000)
    return Ask(text) if i % 2 else Say(text)


async def play(house: House, i: int, acknowledged: list[Any], refused: list[Any]) -> None:
    for round_ in range(ROUNDS):
        try:
            reply = await house.send(f"den-{i}", command(i, round_), seat="guest", key=f"k{round_}")
        except Exception as error:  # noqa: BLE001  whatever it is, the test wants to know
            refused.append((i, round_, type(error).__name__, str(error)))
        else:
            acknowledged.append((i, round_, reply.version))


async def main(path: Path) -> None:
    engine.LEASE_SECONDS = 1.0
    acknowledged: list[Any] = []
    refused: list[Any] = []
    again: list[Any] = []
    async with opened(path, work=True) as house, asyncio.timeout(40):
        await asyncio.gather(*(house.start("den", {}, name=f"den-{i}", owner="ada", seed=i) for i in range(DENS)))
        limit(os.stat(f"{path}-wal").st_size + 300_000)
        await asyncio.gather(*(play(house, i, acknowledged, refused) for i in range(DENS)))
        while_full = [(i, r, v, await settled(house, i, r)) for i, r, v in acknowledged]
        limit(-1)
        sends = (house.send(f"den-{i}", command(i, r), seat="guest", key=f"k{r}") for i, r, _, _ in refused)
        again = [reply.version for reply in await asyncio.gather(*sends)]
        problems = (await check_house(house.backend, house.codecs)).problems
    print(json.dumps({"acknowledged": while_full, "refused": refused, "again": again, "problems": problems}))


async def settled(house: House, i: int, round_: int) -> int | None:
    """The version that a key was settled at, as the file says it."""
    stored = await house.backend.streams.attempts(f"den-{i}")
    return next((a.version for a in stored if a.key == f"k{round_}" and a.status == "settled"), None)


if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    asyncio.run(main(Path(sys.argv[1])))
