"""A process survives kill -9 at any ask, in any stage: it goes on at the same turn and comes to the same end."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import greenroom
from greenroom.worlds.realms.outside import content
from tests.conftest import NewHome
from tests.counts import count, report
from tests.worlds.realms.lives import AT, STREAM
from tests.worlds.realms.repositories import harbour

ROOT = Path(__file__).parents[3]


def lived(folder: Path, template: str, dies: int) -> int:
    """One life; how it ended."""
    told = (folder / "house.db", folder / "harbour", template, folder / "asks.txt", dies)
    command = (sys.executable, "-m", "tests.worlds.realms.lives", *map(str, told))
    return subprocess.run(command, cwd=ROOT, timeout=120, check=False, capture_output=True).returncode


async def story(folder: Path) -> tuple[Any, list[tuple[int, str]]]:
    async with greenroom.open(folder / "house.db", work=False, clock=AT) as house:
        assert not (await house.verify(STREAM)).problems
        head = await house.head(STREAM)
        events = [(event.version, event.kind) async for event in house.events(STREAM, seat="operator")]
        return house.codec("realms").state(head.state), events


async def undisturbed(folder: Path, new_home: NewHome, template: str) -> tuple[Any, list[str]]:
    harbour(folder / "harbour")
    new_home(folder)
    assert lived(folder, template, 0) == 0
    return await story(folder), (folder / "asks.txt").read_text().splitlines()


def fresh(folder: Path, new_home: NewHome) -> None:
    """Another house for the same repository at the same path, as nobody had been there."""
    for path in (*folder.glob("house.db*"), folder / "asks.txt"):
        path.unlink()
    new_home(folder)
    shutil.rmtree(folder / "harbour" / ".agent-rpg", ignore_errors=True)


@pytest.mark.sqlite
async def test_the_known_gap_is_closed_a_crash_in_the_middle_of_a_brainstorm_loses_nothing(
    tmp_path: Path, new_home: NewHome
) -> None:
    expected, asks = await undisturbed(tmp_path, new_home, "brainstorm")
    stages = [next(n for n, ask in enumerate(asks, 1) if seat in ask) for seat in ("ideator", "critic", "synthesizer")]
    every = range(2, len(asks) + 1)
    beside = count(1, soak=len(every))
    for dies in sorted({*stages, *every[:: max(1, len(every) // beside)]}):
        await killed_once(tmp_path, new_home, "brainstorm", dies, expected)
    report(f"a brainstorm of {len(asks)} asks was killed at {beside} of them and in each stage")


@pytest.mark.sqlite
@pytest.mark.parametrize("template", sorted(set(content().templates) - {"brainstorm"})[: count(1, soak=99)])
async def test_every_other_process_comes_to_the_same_end_after_a_kill(
    tmp_path: Path, new_home: NewHome, template: str
) -> None:
    expected, asks = await undisturbed(tmp_path, new_home, template)
    seats = [ask.partition(" ")[2] for ask in asks]
    stages = [n for n in range(2, len(asks) + 1) if seats[n - 1] != seats[n - 2]]
    for dies in stages[: count(1, soak=len(stages))]:
        await killed_once(tmp_path, new_home, template, dies, expected)


async def killed_once(folder: Path, new_home: NewHome, template: str, dies: int, expected: Any) -> None:
    fresh(folder, new_home)
    assert lived(folder, template, dies) == -9
    assert lived(folder, template, 0) == 0
    assert await story(folder) == expected, f"killed at ask {dies}, it came to another end"
    asked = Counter((folder / "asks.txt").read_text().splitlines())
    again = {place: times for place, times in asked.items() if times > 1}
    assert len(again) == 1, f"killed at ask {dies}: answered asks were asked again: {again}"
