"""A house moves from a file to a database and back, and is the same house."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters import copying
from greenroom.adapters.copying import copy_house
from greenroom.adapters.postgres import postgres_backend
from greenroom.bootstrap import assemble, open_house
from greenroom.kernel.errors import Conflict, CorruptHistory, Locked, Unknown
from greenroom.ports import AgentEvent, AgentFile, AgentMemory, Agents, FileKey, SeenSession, SessionKey, StateDelta
from greenroom.services.verify import check_house
from tests.postgres.databases import Databases, execute
from tests.upkeep.conftest import a_place
from tests.upkeep.world import tale
from tools.schema import metadata

TABLES = tale().tables


def quietly(done: int, total: int, what: str) -> None:
    assert 0 < done <= total, what


@pytest.fixture
async def house(tmp_path: Path) -> Path:
    """A file with everything in it: turns, asks, letters, a branch, a forgotten person, a text with a NUL."""
    async with a_place("sqlite", tmp_path) as place:
        await place.play("one", lines=30, tag="one")
        await place.play("two", owner="bob", lines=5, tag="nul\x00 and sign \uf8fe")
        await place.play("gone", owner="eve", lines=3, tag="eve")
        await place.house.branch("one", 12, name="one-again")
        await place.house.forget("eve")
        await an_agent(place.backend.agents)
    with closing(sqlite3.connect(tmp_path / "house.db")) as connection, connection:
        vectors = [(mid, "m", bytes([0, 0, 128, 63] * 3)) for (mid,) in connection.execute("SELECT mid FROM memories")]
        connection.executemany("INSERT INTO vectors (mid, model, vector) VALUES (?, ?, ?)", vectors)
    return tmp_path / "house.db"


async def an_agent(agents: Agents) -> None:
    """What an agent of another framework keeps: times that are no whole microseconds, bytes, a seat."""
    key = SessionKey("inn", "ada", "s\x00")
    session = await agents.sessions.create(key, StateDelta(app={"a": 1}, user={"u": 0.1}), at=1.1234567)
    seen = SeenSession(marker=session.marker, updated_at=0, last=None)
    event = AgentEvent(id="e", at=2.7654321, body='{"text":"hello"}')
    await agents.sessions.append(key, event, StateDelta(session={"s": None}), seen=seen)
    await agents.sessions.hold(key, "one", "guest", active=True)
    memory = AgentMemory(session="s", event="e", author="user", at=2.5, content="{}", words="hello")
    await agents.memories.put("inn", "ada", [memory])
    await agents.memories.remove("inn", "ada", "e")
    await agents.files.save(FileKey("inn", "ada", "s", "f"), AgentFile(at=3.3, part="{}", data=b"\x00\xff"))


def contents(path: Path) -> dict[str, list[Any]]:
    """Every row of every table that goes along."""
    names = [name for name in (*metadata.tables, *(t.name for t in TABLES)) if name != "schema_versions"]
    with closing(sqlite3.connect(path)) as connection:
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


async def test_there_and_back_again_nothing_is_different(house: Path, databases: Databases, tmp_path: Path) -> None:
    url, back = databases.empty(), tmp_path / "back" / "house.db"
    there = await copy_house(house, url, TABLES, quietly)
    again = await copy_house(url, back, TABLES, quietly)
    assert there == again
    assert min(there.rows[name] for name in ("streams", "attempts", "steps", "memories", "ledger", "tombstones")) > 0
    assert contents(back) == contents(house)
    databases.strike()


async def test_a_copied_house_is_sound_and_plays_on(house: Path, databases: Databases) -> None:
    url = databases.empty()
    await copy_house(house, url, TABLES, quietly)
    backend = postgres_backend(url, TABLES)
    assert backend.tables.stale == ()
    copied = assemble(backend, [tale()])
    try:
        assert (await check_house(backend, copied.codecs)).problems == ()
        first = await copied.start("tale", {"title": "new"}, owner="ada", name="three")
        assert first.version == 1
        again = await copied.start("tale", {"title": "one title"}, owner="ada", name="one")
        assert not again.new
    finally:
        await copied.close()
    databases.strike()


async def test_a_place_with_a_house_is_not_written_over(house: Path, databases: Databases, tmp_path: Path) -> None:
    url = databases.empty()
    await copy_house(house, url, TABLES, quietly)
    with pytest.raises(Conflict, match="there is a house here already"):
        await copy_house(house, url, TABLES, quietly)
    with pytest.raises(Unknown, match="there is no house here"):
        await copy_house(tmp_path / "nowhere.db", url, TABLES, quietly)
    databases.strike()


async def test_a_house_in_which_somebody_works_is_not_copied(house: Path, databases: Databases) -> None:
    with closing(sqlite3.connect(house)) as connection, connection:
        connection.execute("UPDATE streams SET holder = 'w', busy_until = 9000000000000000000 WHERE name = 'one'")
    with pytest.raises(Locked, match="stop its servers and workers"):
        await copy_house(house, databases.empty(), TABLES, quietly)
    databases.strike()


async def test_a_row_that_is_lost_or_changed_on_the_way_undoes_the_copy(
    house: Path, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, put = databases.empty(), copying.PostgresEnd.put

    async def careless(self: copying.PostgresEnd, sort: copying.Sort, rows: Sequence[copying.CopiedRow]) -> None:
        changed = [(*row[:-1], b"?") for row in rows[:1]] if sort.name == "steps" else rows[:1]
        await put(self, sort, [*changed, *rows[1:]])

    monkeypatch.setattr(copying.PostgresEnd, "put", careless)
    with pytest.raises(CorruptHistory, match="steps"):
        await copy_house(house, url, TABLES, quietly)
    assert [tuple(row) for row in await execute(url, "SELECT count(*) FROM streams")] == [(0,)]
    databases.strike()


async def test_the_program_copies_a_house_that_another_process_checks(databases: Databases, tmp_path: Path) -> None:
    url = databases.empty()
    async with open_house(tmp_path / "house.db", work=False) as made:
        await made.start("lighthouse", owner="ada", name="visit")
    copied = await asyncio.to_thread(_program, tmp_path, "db", "copy", str(tmp_path / "house.db"), url)
    assert copied["rows"]["streams"] == 1
    checked = await asyncio.to_thread(_program, tmp_path, "db", "check", GREENROOM_DATABASE_URL=url)
    assert (checked["streams"], checked["problems"]) == (1, [])
    databases.strike()


def _program(home: Path, *arguments: str, **variables: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "greenroom.entrypoints.cli", *arguments, "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "GREENROOM_HOME": str(home), **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told
