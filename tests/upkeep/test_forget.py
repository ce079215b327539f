"""Forgetting a person leaves nothing of them, and everything of everybody else."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.sqlite import sqlite_backend
from greenroom.adapters.sqlite.backup import BACKUPS, back_up
from greenroom.kernel.errors import Forgotten, Locked, Malformed, Refused
from greenroom.kernel.words import REMOVED, Words
from greenroom.ports import AgentEvent, FileKey, SeenSession, SessionKey, StateDelta
from greenroom.services.retention import forget
from greenroom.services.verify import check_house
from greenroom.testing.agents import file, memory
from tests.upkeep.conftest import DAY, Place, a_place
from tests.upkeep.world import Invite, PlayChild, Register, Say

#: Stands in everything that is the person's: id, stream name, words, address, title.
SECRET = "zQ7kMarvin"
LONG = f"{SECRET}long " * 2_000


async def lives_of_two(place: Place) -> None:
    """Two people with their streams, their writing mixed line by line, and some in each other's."""
    await place.play(f"{SECRET}-tale", owner=SECRET, lines=0, tag=f"{SECRET}one")
    await place.play("bobs-tale", owner="bob", lines=0, tag="bobs")
    for i in range(60):
        await place.say(f"{SECRET}-tale", 1, tag=f"{SECRET}word{i} " * (1 + i % 7 * 20), ask=True, first=i)
        await place.say("bobs-tale", 1, tag=f"bob says{i} " * (1 + i % 5 * 20), ask=True, first=i)
    await place.house.send(f"{SECRET}-tale", Say(Words(LONG)), seat="guest")
    await place.house.send("bobs-tale", Say(Words(f"{SECRET} visits, {LONG}")), seat="guest", person=SECRET)
    branch = await place.house.branch(f"{SECRET}-tale", 30, name=f"{SECRET}-branch")
    await place.say(branch.name, 9, tag=f"{SECRET}elsewhere")
    with pytest.raises(Refused):
        await place.house.send(f"{SECRET}-tale", Register(""), seat="guest", key=f"{SECRET}-key")
    await place.house.send(f"{SECRET}-tale", Invite("x", f"{SECRET}@example.org", Words(f"{SECRET} hi")), seat="guest")


def raw_bytes(path: Path) -> dict[str, bytes]:
    files = [file for file in path.parent.glob(f"{path.name}*") if file.is_file()]
    assert {file.name for file in files} >= {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    return {file.name: file.read_bytes() for file in files}


async def test_nothing_of_a_forgotten_person_is_left_in_the_files(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await lives_of_two(place)
        assert place.path is not None
        assert any(SECRET.encode() in data for data in raw_bytes(place.path).values())
        await forget(place.backend, SECRET, now=place.clock.now())
        for name, data in raw_bytes(place.path).items():
            assert SECRET.encode() not in data, name
        assert (await check_house(place.backend, place.codecs)).problems == ()


async def a_session(place: Place, person: str) -> SessionKey:
    """What an agent of another framework keeps of a person."""
    key, agents = SessionKey("inn", person, f"{person}-session"), place.backend.agents
    made = await agents.sessions.create(key, StateDelta(user={"name": person}, session={"a": person}), at=1.0)
    seen = SeenSession(marker=made.marker, updated_at=made.updated_at, last=None)
    await agents.sessions.append(key, AgentEvent(id="e", at=2.0, body=f"{person} says"), StateDelta(), seen=seen)
    await agents.memories.put("inn", person, [memory("s", "e", words=f"{person} says")])
    await agents.files.save(FileKey("inn", person, "s", f"{person}.txt"), file(person.encode()))
    return key


async def test_agents_of_other_frameworks_forget_a_person_to_the_last_byte(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await place.play(f"{SECRET}-tale", owner=SECRET, lines=1, tag="one")
        kept = await a_session(place, "bob")
        await a_session(place, SECRET)
        await place.backend.agents.sessions.hold(kept, f"{SECRET}-tale", "guest", active=True)
        assert place.path is not None
        assert any(SECRET.encode() in data for data in raw_bytes(place.path).values())
        copy = back_up(place.path, place.path.parent / BACKUPS, label="by-hand")
        forgot = await forget(place.backend, SECRET, now=place.clock.now())
        assert forgot.backups == (str(copy),)
        for name, data in raw_bytes(place.path).items():
            assert SECRET.encode() not in data, name
        assert await place.backend.agents.sessions.find(kept) is not None
        assert (await check_house(place.backend, place.codecs)).problems == ()
        place.sql("DELETE FROM adk_sessions")
        assert (await check_house(place.backend, place.codecs)).problems == (
            "1 rows of adk_events belong to no session",
        )


async def test_what_another_tool_deleted_carelessly_is_gone_afterwards_too(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await lives_of_two(place)
        assert place.path is not None
        with closing(sqlite3.connect(place.path)) as connection, connection:
            connection.execute("PRAGMA secure_delete = OFF")
            connection.execute("DELETE FROM memories WHERE owner = ?", (SECRET,))
        await forget(place.backend, SECRET, now=place.clock.now())
        assert all(SECRET.encode() not in data for data in raw_bytes(place.path).values())


async def test_a_search_index_keeps_no_forgotten_term(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        assert place.path is not None
        with closing(sqlite3.connect(place.path)) as connection, connection:
            connection.execute("CREATE VIRTUAL TABLE found USING fts5(text, content='')")
            connection.execute("INSERT INTO found (rowid, text) VALUES (1, ?), (2, 'bob')", (SECRET,))
            connection.execute("INSERT INTO found (found, rowid, text) VALUES ('delete', 1, ?)", (SECRET,))
        await forget(place.backend, SECRET, now=1)
        assert all(SECRET.lower().encode() not in data.lower() for data in raw_bytes(place.path).values())


async def test_what_others_have_is_as_it_was(place: Place) -> None:
    await lives_of_two(place)
    before = [event async for event in place.house.events("bobs-tale", seat="guest")]
    counted = await place.backend.upkeep.belongings(SECRET)
    gone = await forget(place.backend, SECRET, now=place.clock.now())
    assert gone.counts == counted.counts
    assert gone.streams == (f"{SECRET}-branch", f"{SECRET}-tale")
    after = [event async for event in place.house.events("bobs-tale", seat="guest")]
    assert after[:-1] == before[:-1]
    assert after[-1].body["words"] == REMOVED
    assert (await check_house(place.backend, place.codecs)).problems == ()
    await place.say("bobs-tale", 5, tag="and on", ask=True)
    assert (await check_house(place.backend, place.codecs)).problems == ()


async def test_a_forgotten_stream_says_so_and_its_name_is_not_given_again(place: Place) -> None:
    await place.play("tale-1", lines=2)
    await forget(place.backend, "ada", now=1)
    with pytest.raises(Forgotten):
        await place.backend.streams.get("tale-1")
    with pytest.raises(Forgotten):
        await place.house.send("tale-1", Say(Words("hello?")), seat="guest")
    with pytest.raises(Forgotten):
        await place.house.start("tale", owner="bob", name="tale-1")


async def test_forgetting_twice_is_forgetting_once(place: Place) -> None:
    await lives_of_two(place)
    await forget(place.backend, SECRET, now=1)
    again = await forget(place.backend, SECRET, now=2)
    assert again.streams == ()
    assert set(again.counts.values()) == {0}


async def test_nobody_cannot_be_forgotten(place: Place) -> None:
    with pytest.raises(Malformed, match="give the id of a person"):
        await forget(place.backend, "  ", now=1)


async def test_what_was_spent_is_still_counted_but_tied_to_nobody(place: Place) -> None:
    await place.play("tale-1", owner="ada", lines=9, tag="adas")
    await place.play("tale-2", owner="ada", lines=3, tag="more")
    await place.play("bobs-tale", owner="bob", lines=6, tag="bobs")
    place.pass_time(1)
    await place.say("tale-2", 3, tag="tomorrow", ask=True)
    asks = {name: len(await place.backend.streams.ledger(name)) for name in ("tale-1", "tale-2", "bobs-tale")}
    await place.backend.upkeep.remove(["tale-1"], now=1, dry=False)
    await forget(place.backend, "ada", now=1)
    assert asks == {"tale-1": 3, "tale-2": 2, "bobs-tale": 2}
    assert len(await place.backend.streams.ledger("bobs-tale")) == 2
    today = place.clock.now() // DAY * DAY
    assert spent_by_nobody(place) == [(today - DAY, "host", "scripted", 4), (today, "host", "scripted", 1)]


def spent_by_nobody(place: Place) -> list[tuple[int, str, str, int]]:
    if place.shelf is not None:
        return sorted((e.at, e.role, e.model, e.n) for name, _, e in place.shelf.ledger if name == "")
    found: Any = place.sql("SELECT at, role, model, i FROM ledger WHERE sid = 0 ORDER BY at")
    return found  # type: ignore[no-any-return]


async def test_a_stream_that_waits_for_a_forgotten_child_is_not_left_waiting(place: Place) -> None:
    await place.house.start("tale", owner="bob", name="bobs-tale")
    waiting = asyncio.create_task(place.house.send("bobs-tale", PlayChild("child"), seat="guest"))
    rung = -1
    async with asyncio.timeout(5):
        while not (await place.backend.streams.get("bobs-tale")).waiting:
            rung = await place.backend.notifier.wait(0.05, rung)
    (child,) = [s for s in await place.backend.streams.list() if s.player]
    waiting.cancel()
    removed = await place.backend.upkeep.remove([child.name], now=1, dry=False)
    assert removed.streams == ()
    _hand_to(place, child.name, "eve")
    await forget(place.backend, "eve", now=1)
    bobs = await place.backend.streams.get("bobs-tale")
    assert (bobs.waiting, bobs.ready_at is not None) == (False, True)
    assert (await check_house(place.backend, place.codecs)).problems == ()


def _hand_to(place: Place, stream: str, owner: str) -> None:
    if place.shelf is not None:
        place.shelf.streams[stream].owner = owner
        return
    place.sql("UPDATE streams SET owner = $1 WHERE name = $2", owner, stream)


async def test_rows_of_a_world_that_is_not_loaded_go_too(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        await place.play("tale-1", lines=3)
    backend = sqlite_backend(tmp_path / "house.db", ())
    try:
        gone = await forget(backend, "ada", now=1)
        assert gone.counts["rows"] == 5
        assert await backend.upkeep.check() == []
    finally:
        await backend.close()


async def test_an_old_reader_in_the_way_is_told_and_the_next_call_finishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("greenroom.adapters.sqlite.connection.BUSY_MILLISECONDS", 20)
    async with a_place("sqlite", tmp_path) as place:
        await place.play(f"{SECRET}-tale", owner=SECRET, lines=3, tag=SECRET)
        assert place.path is not None
        reader = sqlite3.connect(place.path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM streams").fetchone()
        with pytest.raises(Locked, match="the person is removed, but another program still reads"):
            await forget(place.backend, SECRET, now=1)
        reader.execute("COMMIT")
        reader.close()
        await forget(place.backend, SECRET, now=1)
        assert all(SECRET.encode() not in data for data in raw_bytes(place.path).values())


async def test_backups_that_still_hold_the_person_are_listed(tmp_path: Path) -> None:
    async with a_place("sqlite", tmp_path) as place:
        assert place.path is not None
        folder = tmp_path / BACKUPS
        await place.play("bobs-tale", owner="bob", lines=1, tag="bobs")
        back_up(place.path, folder, label="before-ada")
        await place.play("tale-1", owner="ada", lines=1)
        with_stream = back_up(place.path, folder, label="with-ada")
        await place.house.send("bobs-tale", Say(Words("hello bob")), seat="guest", person="eve")
        with_words = back_up(place.path, folder, label="with-eve")
        (folder / "torn.db").write_bytes(os.urandom(5_000))
        assert (await forget(place.backend, "ada", now=1)).backups == tuple(
            map(str, sorted((with_stream, with_words, folder / "torn.db")))
        )
        assert (await forget(place.backend, "eve", now=1)).backups == tuple(
            map(str, sorted((with_words, folder / "torn.db")))
        )
