"""What one job wants written is written or torn off whole, and its neighbours in the same commit lose nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from greenroom.adapters.sql.store import Job, Transaction
from greenroom.adapters.sqlite.store import SqliteStore
from greenroom.bootstrap import open_house
from greenroom.kernel.errors import BackendError, Refused
from tests.crash.world import WORLDS, Dice


async def _mute(store: SqliteStore, name: str, *, refuse: bool) -> None:
    """Write in every way a unit of work can, and be refused only then."""

    async def act(unit: Transaction) -> None:
        stream = unit.stream(name)
        stream.mute = True
        unit.put_stream(stream)
        unit.put("snapshots", (unit.sid(name), 900, 1, b"{}"))
        unit.put("parked", (unit.sid(name), 1, "a trace"))
        await unit.run("UPDATE streams SET player = 'a trace' WHERE sid = $1", unit.sid(name))
        if refuse:
            raise Refused("no")

    await store.act(act, (name,))


def _traces(path: Path, name: str) -> tuple[Any, ...]:
    with closing(sqlite3.connect(path)) as connection:
        (sid, mute, player) = connection.execute(
            "SELECT sid, mute, player FROM streams WHERE name = ?", (name,)
        ).fetchone()
        (kept,) = connection.execute(
            "SELECT count(*) FROM snapshots WHERE sid = ? AND version = 900", (sid,)
        ).fetchone()
        (error,) = connection.execute("SELECT error FROM attempts WHERE sid = ? AND n = 1", (sid,)).fetchone()
    return mute, player, kept, error


async def test_a_row_of_no_known_kind_is_an_error_and_harms_no_neighbour(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    async with open_house(path, worlds=WORLDS, work=False) as house:
        for name in ("lost", "kept"):
            await house.start("inn", {}, name=name, seed=1)
        store = SqliteStore(path, {}, house.backend.secret, {})
        misfit = store.write(Job(lambda unit: unit.put("snapshot", (1, 900, 1, b"{}")), ("lost",)))
        both: tuple[Any, ...] = await asyncio.gather(misfit, _mute(store, "kept", refuse=False), return_exceptions=True)
        lost, kept = both
        await store.close()
        assert isinstance(lost, BackendError)
        assert kept is None
        assert _traces(path, "kept") == (1, "a trace", 1, "a trace")


async def test_a_refused_job_leaves_no_trace_and_its_neighbours_all_of_theirs(tmp_path: Path) -> None:
    path, names = tmp_path / "house.db", ("before", "refused", "after")
    async with open_house(path, worlds=WORLDS, work=False) as house:
        for name in names:
            await house.start("inn", {}, name=name, seed=1)
        store = SqliteStore(path, {}, house.backend.secret, {})
        jobs = [_mute(store, name, refuse=name == "refused") for name in names]
        found = await asyncio.gather(*jobs, return_exceptions=True)
        await store.close()
        assert [type(one) for one in found] == [type(None), Refused, type(None)]
        assert store.writer.commits == 1
        assert [_traces(path, name) for name in names] == [
            (1, "a trace", 1, "a trace"),
            (0, None, 0, None),
            (1, "a trace", 1, "a trace"),
        ]
        await house.send("refused", Dice(sides=6), seat="guest")
    assert _traces(path, "refused") == (0, None, 0, None)
