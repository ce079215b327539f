"""Run as a program: several processes open each of the named files at the same moment and start a stream in it.

They are forked from one that has imported everything, so that they do arrive together. Exits with 0 if all succeed.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import traceback
from pathlib import Path

from greenroom.bootstrap import open_house
from tests.crash.zygote import warm

OPENERS = 4


async def begin(path: Path, name: str) -> None:
    async with open_house(path, work=False) as house:
        await house.start("lighthouse", {}, name=name, seed=1)


def opener(path: Path, name: str, starting: int) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.read(starting, 1)
        asyncio.run(begin(path, name))
        code = 0
    except BaseException:  # noqa: BLE001  the parent only sees the code; the reason goes to standard error
        traceback.print_exc()
    finally:
        os._exit(code)


def together(path: Path) -> int:
    """How many did not succeed."""
    starting, start = os.pipe()
    openers = [opener(path, f"evening-{i}", starting) for i in range(OPENERS)]
    os.write(start, b"!" * OPENERS)
    return sum(os.waitpid(child, 0)[1] != 0 for child in openers)


if __name__ == "__main__":
    importlib.import_module("greenroom.adapters.sql.migrate")
    importlib.import_module("greenroom.adapters.sqlite")
    warm(open_house(":memory:", work=False))
    sys.exit(sum(together(Path(path)) for path in sys.argv[1:]))
