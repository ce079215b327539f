"""What a refused job has put on the sheet is torn off, and its neighbours in the same commit lose nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Act
from greenroom.bootstrap import open_house
from greenroom.kernel.errors import Refused
from tests.crash.world import WORLDS, Dice


def _muted(name: str, *, refuse: bool) -> Act:
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

    return Act(act, (name,))


def _traces(path: Path, name: str) -> tuple[Any, ...]:
    with sqlite3.connect(path) as connection:
        (sid, mute, player) = connection.execute(
            "SELECT sid, mute, player FROM streams WHERE name = ?", (name,)
        ).fetchone()
        (kept,) = connection.execute(
            "SELECT count(*) FROM snapshots WHERE sid = ? AND version = 900", (sid,)
        ).fetchone()
        (error,) = connection.execute("SELECT error FROM attempts WHERE sid = ? AND n = 1", (sid,)).fetchone()
    connection.close()
    return mute, player, kept, error


async def test_a_refused_job_leaves_no_trace_and_its_neighbours_all_of_theirs(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    async with open_house(path, worlds=WORLDS, work=False) as house:
        for name in ("before", "refused", "after"):
            await house.start("inn", {}, name=name, seed=1)
        store = house.backend.history._store  # type: ignore[attr-defined]
        commits = store.writer.commits
        found = await asyncio.gather(
            *(store.write(_muted(name, refuse=name == "refused")) for name in ("before", "refused", "after")),
            return_exceptions=True,
        )
        assert [type(one) for one in found] == [type(None), Refused, type(None)]
        assert store.writer.commits == commits + 1
        assert [_traces(path, name) for name in ("before", "refused", "after")] == [
            (1, "a trace", 1, "a trace"),
            (0, None, 0, None),
            (1, "a trace", 1, "a trace"),
        ]
        await house.send("refused", Dice(sides=6), seat="guest")
    assert _traces(path, "refused") == (0, None, 0, None)
