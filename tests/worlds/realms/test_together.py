"""Two processes on one realm, and a realm of many files: nothing is doubled or lost, and a turn costs what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import greenroom
from greenroom.services.house import House
from greenroom.worlds.realms.faces import app
from greenroom.worlds.realms.rules import commands as c
from greenroom.worlds.realms.rules.state import PLAYER
from tests.conftest import NewFile, NewHome
from tests.counts import count, report
from tests.houses import shipped_tables
from tests.worlds.realms.repositories import harbour

ROOT = Path(__file__).parents[3]
ASKS = """
import asyncio, sys
import greenroom
from greenroom.kernel.words import Words
from greenroom.worlds.realms.rules import commands as c

async def main(file, stream, name, times):
    async with greenroom.open(file) as house:
        for n in range(int(times)):
            await house.send(stream, c.Direct(agent="oracle", text=Words(f"Where is {name}{n}?")), seat="player")
        await house.quiet()
        await house.following.catch_up()

asyncio.run(main(*sys.argv[1:]))
"""


def ended(commands: Sequence[Sequence[str]]) -> list[int]:
    """How programs end that run at the same time."""
    running = [subprocess.Popen(command, cwd=ROOT) for command in commands]
    return [one.wait(timeout=120) for one in running]


@pytest.mark.sqlite
async def test_two_processes_on_one_realm_leave_one_board_in_order(new_home: NewHome, tmp_path: Path) -> None:
    file, place = new_home(tmp_path) / "house.db", harbour(tmp_path / "harbour")
    async with greenroom.open(file) as house:
        stream = (await app.link(house, str(place))).stream
        await house.quiet()
        before = len(await app.board(house, stream))
    times = count(2, soak=12)
    told = [(sys.executable, "-c", ASKS, str(file), stream, name, str(times)) for name in ("moor", "level")]
    assert ended(told) == [0, 0]
    async with greenroom.open(file) as house:
        await house.quiet()
        await house.following.catch_up()
        assert not (await house.verify(stream)).problems
        board = await app.board(house, stream)
    ids = [one["id"] for one in board]
    assert len(set(ids)) == len(ids) == before + 2 * times
    for name in ("moor", "level"):
        asked = [one["finding"].partition("”")[0] for one in board if f"Where is {name}" in one["finding"]]
        assert asked == [f"Asked about “Where is {name}{n}?" for n in range(times)]
    written = json.loads((place / ".agent-rpg" / "findings" / "board.json").read_text())
    assert [one["id"] for one in written] == ids
    logs = (place / ".agent-rpg" / "logs" / "oracle").glob("*.jsonl")
    used = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    assert sum(line.get("name") == "Search" for line in used) == 2 * times
    assert not list((place / ".agent-rpg").rglob("*.damaged*"))


@pytest.mark.alone
async def test_a_turn_among_many_files_costs_what_one_among_few_does(new_file: NewFile, tmp_path: Path) -> None:
    many = count(1_000, soak=100_000)
    async with greenroom.open(new_file(shipped_tables())) as house:
        seconds = {}
        for files in (100, many):
            place = _made(tmp_path / f"of{files}", files)
            began = time.perf_counter()
            stream = (await app.link(house, str(place))).stream
            linked = time.perf_counter() - began
            await house.quiet()
            seconds[files] = await _turn(house, stream)
            report(f"realms: {files} files linked in {linked:.1f} s; a turn there takes {seconds[files] * 1000:.0f} ms")
            assert linked < 120
    assert seconds[many] < 3 * seconds[100] + 0.05


def _made(place: Path, files: int) -> Path:
    for folder in range(files // 100):
        inner = place / f"pkg{folder // 50}" / f"part{folder % 50}"
        inner.mkdir(parents=True)
        for n in range(100):
            other = f"from pkg{folder // 50}.part{folder % 50} import m{(n + 1) % 100}"
            (inner / f"m{n}.py").write_text(f'"""M."""\n{other}\n\n\ndef f(x):\n    return x\n')
    return place


async def _turn(house: House, stream: str) -> float:
    """The shortest of five visits of the chronicler: it looks at the survey, pins up, learns, and goes."""
    found = []
    for _ in range(5):
        began = time.perf_counter()
        await house.send(stream, c.Summon(role="chronicler"), seat=PLAYER)
        await house.quiet()
        found.append(time.perf_counter() - began)
        await house.send(stream, c.Dismiss(agent="chronicler"), seat=PLAYER)
    return min(found)
