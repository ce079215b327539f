"""Workers that die again and again: whoever kills them is given up, and nobody else."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from greenroom.kernel.asks import UseTool
from tests.hardening.conftest import assert_sound, execute, furnish, opened
from tests.hardening.world import Add, Use


def lives(path: Path, *tools: str, pieces: int) -> tuple[int, dict[str, dict[str, Any]]]:
    """How many processes it took to settle a command of each tool, and how each ended."""
    command = [sys.executable, "-m", "tests.hardening.lives", str(path), str(pieces), *tools]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    return found["lives"], {one["stream"]: one for one in found["attempts"]}


def test_an_attempt_that_kills_its_worker_is_given_up_after_five_deaths_and_its_neighbours_are_not(path: Path) -> None:
    taken, attempts = lives(path, *["bell"] * 5, "bomb", *["bell"] * 6, pieces=10_000)
    bomb = attempts.pop("5-bomb")
    assert (bomb["status"], bomb["error"]) == ("failed", "given up after 5 tries: the worker died each time")
    assert {one["status"] for one in attempts.values()} == {"settled"}
    assert taken == 6


def test_attempts_that_only_shared_short_lives_with_others_are_all_settled(path: Path) -> None:
    """Together they need twice as long as any worker lives, and each gets the same share of it."""
    taken, attempts = lives(path, *["bell"] * 40, pieces=200)
    assert {one["status"] for one in attempts.values()} == {"settled"}, "an innocent attempt was given up"
    most = max(one["tries"] for one in attempts.values())
    assert most <= 4, "from the third try on each has its turn alone"
    assert most >= 2, "nothing was interrupted"  # a busy machine lets some finish before the others begin
    assert taken <= 6


class Slow:
    """A tool that tells how many use it at once."""

    def __init__(self) -> None:
        self.now, self.most = 0, 0

    async def use(self, ask: UseTool, key: str) -> str:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.02)
        self.now -= 1
        return "done"


class Gathering:
    """A tool that lets nobody go before so many use it at once."""

    def __init__(self, many: int) -> None:
        self.missing, self.whole = many, asyncio.Event()

    async def use(self, ask: UseTool, key: str) -> str:
        self.missing -= 1
        if self.missing == 0:
            self.whole.set()
        await self.whole.wait()
        return "done"


async def interrupted(path: Path, tries: int) -> None:
    """Eight streams whose attempt was tried so often."""
    async with opened(path) as house:
        for i in range(8):
            await furnish(house, f"den{i}", adds=0)
            await house.record(f"den{i}", Use("bell"), seat="guest", key="k")
    execute(path, f"UPDATE attempts SET tries = {tries} WHERE key = 'k'")


async def test_suspects_are_driven_one_at_a_time_and_all_come_to_their_end(path: Path) -> None:
    await interrupted(path, 2)
    slow = Slow()
    async with opened(path, work=True, tools=slow) as house, asyncio.timeout(20):
        for i in range(8):
            assert (await house.send(f"den{i}", Use("bell"), seat="guest", key="k")).body["total"] == 1
        assert slow.most == 1
        await assert_sound(house)


async def test_what_was_interrupted_once_is_taken_up_all_at_once(path: Path) -> None:
    await interrupted(path, 1)
    gathering = Gathering(8)
    async with opened(path, work=True, tools=gathering) as house, asyncio.timeout(20):
        for i in range(8):
            await house.send(f"den{i}", Use("bell"), seat="guest", key="k")
    assert gathering.missing == 0


async def test_other_streams_go_on_beside_a_suspect(path: Path) -> None:
    await interrupted(path, 2)
    waiting = asyncio.Event()

    class Stuck:
        async def use(self, ask: UseTool, key: str) -> str:
            await waiting.wait()
            return "done"

    async with opened(path, work=True, tools=Stuck()) as house, asyncio.timeout(20):
        await furnish(house, "other", adds=0)
        assert (await house.send("other", Add(4), seat="guest")).body["total"] == 4
        waiting.set()
        assert (await house.send("den7", Use("bell"), seat="guest", key="k")).body["total"] == 1


async def test_a_suspect_that_waits_in_line_when_its_house_closes_is_given_back(path: Path) -> None:
    await interrupted(path, 2)

    class Stuck:
        async def use(self, ask: UseTool, key: str) -> str:
            await asyncio.sleep(60)
            return "never"

    async with opened(path, work=False, tools=Stuck()) as house, asyncio.timeout(20):
        waiting = [asyncio.create_task(house.send(f"den{i}", Use("bell"), seat="guest", key="k")) for i in range(8)]
        await asyncio.sleep(0.3)
    await asyncio.gather(*waiting, return_exceptions=True)
    async with opened(path) as house:
        for i in range(8):
            stream = await house.backend.streams.get(f"den{i}")
            assert (stream.open, stream.holder) == (1, None)
