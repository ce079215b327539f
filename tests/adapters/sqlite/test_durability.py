"""What is acknowledged is on the disk: full sync on every connection, and the syncs counted."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.adapters.sqlite import connection as connections
from greenroom.adapters.sqlite.file import file_lock
from greenroom.bootstrap import open_house
from greenroom.kernel.errors import BackendError
from tests.adapters.sqlite.syncs import SyncCounter
from tests.counts import count, report
from tests.crash.world import WORLDS, Dice
from tests.houses import writer_of


def _open(path: Path, **more: Any) -> Any:
    return open_house(path, worlds=WORLDS, models=ScriptedModels(lambda ask, _: "hm"), **more)


def _connections(path: Path) -> Iterator[sqlite3.Connection]:
    """Every connection to the file that is open in this process."""
    for thing in gc.get_objects():
        if isinstance(thing, sqlite3.Connection):
            try:
                files = [row[2] for row in thing.execute("PRAGMA database_list")]
            except sqlite3.ProgrammingError:
                continue
            if str(path) in files:
                yield thing


def _weight(path: Path) -> int:
    return path.stat().st_size


async def test_every_connection_of_a_working_house_syncs_in_full(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    async with _open(path) as house:
        await house.start("inn", {}, name="inn", seed=1)
        await house.send("inn", Dice(sides=6), seat="guest")
        await asyncio.gather(*(house.view("inn", seat="guest") for _ in range(8)))
        found = list(_connections(path))
        assert len(found) >= 3
        assert {c.execute("PRAGMA synchronous").fetchone()[0] for c in found} == {2}
        assert {c.execute("PRAGMA journal_mode").fetchone()[0] for c in found} == {"wal"}


def test_a_file_that_would_not_keep_what_is_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_FULL_SYNC", 3)  # as if the setting had not taken
    with pytest.raises(BackendError, match="would not keep what is written"):
        connections.connect(tmp_path / "x.db", writes=True)


async def test_every_commit_is_synced_before_it_is_acknowledged(tmp_path: Path) -> None:
    turns = count(50, soak=1000)
    async with _open(tmp_path / "house.db", work=False) as house:
        await house.start("inn", {}, name="inn", seed=1)
        writer = writer_of(house)
        counter = SyncCounter(writer._connection)
        for i in range(turns):
            before = counter.log
            await house.send("inn", Dice(sides=6), seat="guest", key=f"k{i}")
            assert counter.log > before, "a turn was acknowledged without a sync of the log"
        report(f"syncs: {turns} turns one by one, {counter.log} syncs of the log, {counter.database} of the file")
        commits, before = writer.commits, counter.log
        names = [(await house.start("inn", {}, name=f"inn-{i}", seed=i)).stream for i in range(32)]
        await asyncio.gather(*(house.send(name, Dice(sides=6), seat="guest") for name in names))
        assert counter.log - before >= writer.commits - commits > 0
        assert writer.commits - commits < 64 + 32, "turns that wait together share a commit"


async def test_who_comes_while_another_process_writes_shares_the_next_commit(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    async with _open(path, work=False) as house:
        names = [(await house.start("inn", {}, name=f"inn-{i}", seed=i)).stream for i in range(32)]
        commits = writer_of(house).commits
        with file_lock(path):
            first = asyncio.create_task(house.send(names[0], Dice(sides=6), seat="guest"))
            await asyncio.sleep(0.05)
            others = [asyncio.create_task(house.send(name, Dice(sides=6), seat="guest")) for name in names[1:]]
            await asyncio.sleep(0.05)
            assert not first.done()
        await asyncio.gather(first, *others)
        assert writer_of(house).commits - commits == 1


async def test_without_full_sync_the_counter_would_see_it(tmp_path: Path) -> None:
    """The counter can fail: a connection that does not sync is caught."""
    async with _open(tmp_path / "house.db", work=False) as house:
        await house.start("inn", {}, name="inn", seed=1)
        writer = writer_of(house)
        writer._connection.execute("PRAGMA synchronous = OFF")
        counter = SyncCounter(writer._connection)
        await house.send("inn", Dice(sides=6), seat="guest")
        assert counter.log == 0


async def test_the_log_stays_bounded_while_turns_are_written(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    async with _open(path, work=False) as house:
        names = [(await house.start("inn", {}, name=f"inn-{i}", seed=i)).stream for i in range(16)]
        for round_ in range(count(40, soak=1000)):
            await asyncio.gather(*(house.send(n, Dice(sides=6), seat="guest", key=f"{round_}") for n in names))
        weight = _weight(Path(f"{path}-wal"))
    report(f"write-ahead log after {16 * count(40, soak=1000)} turns: {weight} bytes")
    assert weight <= connections.WAL_BYTES
