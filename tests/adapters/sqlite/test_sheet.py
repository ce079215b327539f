"""What one job puts on the sheet is written or torn off whole, and its neighbours in the same commit lose nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.bootstrap import open_house
from greenroom.kernel.errors import BackendError, Refused
from tests.crash.world import WORLDS, Dice


def _muted(name: str, *, refuse: bool) -> Writing:
    """A job that writes in every way a job can, and is refused only then."""

    def act(sheet: Sheet) -> None:
        stream = sheet.stream(name)
        stream.mute = True
        sheet.put_stream(stream)
        sheet.put("snapshots", (sheet.sid(name), 900, 1, b"{}"))
        sheet.put("parked", (sheet.sid(name), 1, True, "a trace"))
        sheet.run("UPDATE streams SET player = 'a trace' WHERE sid = ?", (sheet.sid(name),))
        if refuse:
            raise Refused("no")

    return Writing(act, (name,))


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
        store = Store(path, {}, house.backend.secret)
        jobs = [store.write(Writing(lambda sheet: sheet.put("snapshot", (1, 900, 1, b"{}")), ("lost",)))]
        jobs.append(store.write(_muted("kept", refuse=False)))
        lost, kept = await asyncio.gather(*jobs, return_exceptions=True)
        await store.close()
        assert isinstance(lost, BackendError)
        assert kept is None
        assert _traces(path, "kept") == (1, "a trace", 1, "a trace")


async def test_a_refused_job_leaves_no_trace_and_its_neighbours_all_of_theirs(tmp_path: Path) -> None:
    path, names = tmp_path / "house.db", ("before", "refused", "after")
    async with open_house(path, worlds=WORLDS, work=False) as house:
        for name in names:
            await house.start("inn", {}, name=name, seed=1)
        store = Store(path, {}, house.backend.secret)
        jobs = [store.write(_muted(name, refuse=name == "refused")) for name in names]
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
