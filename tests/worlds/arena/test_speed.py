"""Thousands of episodes: how fast they are kept beside raw rows, how much is stored, and that memory stays flat."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import time
from pathlib import Path

import pytest

from benchmarks.storage import size
from greenroom.bootstrap import open_house
from greenroom.kernel.codec import canonical
from greenroom.services.house import House
from greenroom.worlds.arena.faces.app.runs import OWNER
from greenroom.worlds.arena.rules import EPISODE
from greenroom.worlds.arena.rules.tables import ACTION_LOGS
from tests.counts import count, report
from tests.worlds.arena.stage import config, end_of

TURNS_A_TRANSACTION = 64
TABLES = ("streams", "attempts", "steps", "snapshots", "arena_action_logs")
AT_ONCE = 64


async def play(house: House, seeds: range) -> None:
    for start in range(seeds.start, seeds.stop, AT_ONCE):
        part = range(start, min(seeds.stop, start + AT_ONCE))
        await asyncio.gather(
            *(house.start(EPISODE, config(seed=seed), name=f"e{seed}", seed=seed, owner=OWNER) for seed in part)
        )


async def kept(database: Path, episodes: int) -> tuple[float, list[int]]:
    """Seconds, and the largest size of the process after each tenth, in kilobytes."""
    sizes = []
    async with open_house(database, work=False) as house:
        await play(house, range(episodes, episodes + AT_ONCE))  # whatever is made once is made by now
        began = time.perf_counter()
        for k in range(10):
            await play(house, range(episodes * k // 10, episodes * (k + 1) // 10))
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return time.perf_counter() - began, sizes


def raw(source: Path, target: Path) -> tuple[float, int]:
    """Seconds to insert what the house holds into an empty file of the same form, and the turns in it."""
    here, there = sqlite3.connect(source), sqlite3.connect(target, isolation_level=None)
    there.execute("PRAGMA journal_mode = wal")
    there.execute("PRAGMA synchronous = full")
    rows, inserts = {}, {}
    for table in TABLES:
        for (made,) in here.execute("SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL", (table,)):
            there.execute(made)
        rows[table] = here.execute(f"SELECT * FROM {table}").fetchall()
        inserts[table] = f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[table][0]))})"
    turns = len(rows["arena_action_logs"])
    batches = max(1, turns // TURNS_A_TRANSACTION)
    began = time.perf_counter()
    for k in range(batches):
        there.execute("BEGIN IMMEDIATE")
        for table, found in rows.items():
            there.executemany(inserts[table], found[len(found) * k // batches : len(found) * (k + 1) // batches])
        there.execute("COMMIT")
    taken = time.perf_counter() - began
    here.close()
    there.close()
    return taken, turns


async def payload(database: Path) -> int:
    """Canonical bytes of configs, events and rows, each counted once: what the world asked to keep."""
    asked = 0
    async with open_house(database, work=False) as house:
        async for stream in house.every_stream(EPISODE):
            asked += sum(len(attempt.command) for attempt in await house.attempts(stream.name))
            asked += sum([len(step.events) async for step in house.steps(stream.name, 0, stream.version)])
            for row in await house.rows(stream.name, ACTION_LOGS):
                asked += len(canonical({name: value for name, value in row.items() if name != "version"}))
    return asked


async def opened(database: Path) -> None:
    async with open_house(database, work=False):
        pass


@pytest.mark.sqlite
@pytest.mark.alone
def test_thousands_of_episodes_are_kept_in_at_most_three_times_their_bytes_and_in_flat_memory(tmp_path: Path) -> None:
    episodes = count(200, soak=10_000)
    asyncio.run(opened(tmp_path / "empty.db"))
    seconds, sizes = asyncio.run(kept(tmp_path / "house.db", episodes))
    plain, turns = raw(tmp_path / "house.db", tmp_path / "raw.db")
    began, alone = time.perf_counter(), 0
    while time.perf_counter() - began < 1.0:
        alone += end_of(config(seed=alone)).turn_number
    stored = size(tmp_path / "house.db") - size(tmp_path / "empty.db")
    asked = asyncio.run(payload(tmp_path / "house.db"))
    growth = sizes[-1] / sizes[5]  # a house keeps 4,096 streams at hand, and these have come by then
    report(
        f"arena: {episodes} episodes: {turns / seconds:.0f} turns/s kept, {turns / plain:.0f} raw rows, {alone:.0f} by "
        f"rules alone; {stored / asked:.2f} bytes stored for each to be kept; the process grew by {growth - 1:.1%} in "
        f"the last four tenths"
    )
    assert stored <= 3 * asked
    assert growth < count(150, soak=110) / 100  # with few episodes it is still filling
