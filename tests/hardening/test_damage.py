"""Damaged bytes: said with stream and version, kept to the stream they are in, and nothing else is touched."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from greenroom.kernel.errors import CorruptHistory, Unknown
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.services.turns import engine
from greenroom.services.verify import check_house
from tests.hardening.conftest import Heard, assert_sound, dump, execute, flip, furnish, opened
from tests.hardening.world import Add, Say, den

DAMAGED = "stream den, version 4: the stored events do not match their history sum"


async def _furnished(path: Path) -> None:
    """Two streams of 42 versions; the head of ``den`` has a snapshot behind it."""
    async with opened(path) as house:
        await furnish(house, "den", adds=40)
        await furnish(house, "other", adds=3)


def _snapshots(path: Path) -> list[int]:
    mine = "SELECT version FROM snapshots WHERE sid = (SELECT sid FROM streams WHERE name = 'den')"
    return [version for (version,) in execute(path, mine)]


# snapshots


@pytest.mark.parametrize("how", ["another number", "no JSON", "nothing"])
async def test_a_damaged_snapshot_is_rebuilt_from_the_events_and_said_once(path: Path, heard: Heard, how: str) -> None:
    await _furnished(path)
    before = dump(path)
    version = max(_snapshots(path))
    where = "version = ? AND sid = (SELECT sid FROM streams WHERE name = 'den')"
    ((state,),) = execute(path, f"SELECT state FROM snapshots WHERE {where}", version)
    changed = state.replace(b'"total":', b'"total":1')
    damaged = {"another number": changed, "no JSON": b"\xff" + state[1:], "nothing": b""}
    assert damaged[how] != state
    execute(path, f"UPDATE snapshots SET state = ? WHERE {where}", damaged[how], version)
    async with opened(path) as house:
        assert (await house.view("den", seat="guest")).body["total"] == 820
        (sentence,) = heard.sentences
        assert sentence.startswith(f"stream den, snapshot at version {version}: ")
        assert sentence.endswith("; it was rebuilt from the events")
        assert dump(path) == before
        assert (await house.send("den", Add(1), seat="guest")).body["total"] == 821
        await assert_sound(house)
    async with opened(path) as house:
        assert (await house.view("den", seat="guest", version=version)).version == version
    assert len(heard.sentences) == 1


async def test_a_damaged_snapshot_beside_damaged_events_stops_the_stream_and_replaces_nothing(path: Path) -> None:
    await _furnished(path)
    flip(path, "steps.events", "den", 4, old=b'"by":2', new=b'"by":7')
    for version in _snapshots(path):
        flip(path, "snapshots.state", "den", version, old=b'"total":', new=b'"total":1')
    before = dump(path)
    async with opened(path) as house:
        with pytest.raises(CorruptHistory, match=DAMAGED):
            await house.view("den", seat="guest")
    assert dump(path) == before


# events


async def test_a_damaged_event_stops_its_stream_where_it_is_read_and_no_other(path: Path) -> None:
    await _furnished(path)
    flip(path, "steps.events", "den", 4, old=b'"by":2', new=b'"by":7')
    execute(path, "DELETE FROM snapshots WHERE sid = (SELECT sid FROM streams WHERE name = 'den')")
    before = dump(path)
    async with opened(path) as house:
        attempts: tuple[Callable[[], Awaitable[object]], ...] = (
            lambda: house.view("den", seat="guest"),
            lambda: house.view("den", seat="guest", version=4),
            lambda: house.send("den", Add(1), seat="guest", key="new"),
            lambda: house.branch("den"),
            lambda: _listed(house, after=0),
            lambda: _listed(house, after=3, upto=4),
            lambda: house.send("den", Add(2), seat="guest", key="add1"),
        )
        for attempt in attempts:
            with pytest.raises(CorruptHistory, match=DAMAGED) as told:
                await attempt()
            assert told.value.exit_code == 3
        assert dump(path) == before
        assert (await house.view("den", seat="guest", version=3)).body["total"] == 1
        assert (await house.send("other", Add(1), seat="guest")).body["total"] == 7
        found = (await check_house(house.backend, house.codecs)).problems
        assert DAMAGED in found
        assert all(sentence.startswith("stream den") for sentence in found)


async def test_a_damaged_event_before_a_snapshot_is_found_by_a_check_and_by_whoever_reads_it(path: Path) -> None:
    """A load begins at a snapshot, or it would cost as much as the story is long."""
    await _furnished(path)
    flip(path, "steps.events", "den", 4, old=b'"by":2', new=b'"by":7')
    async with opened(path) as house:
        assert (await house.send("den", Add(1), seat="guest")).body["total"] == 821
        with pytest.raises(CorruptHistory, match=DAMAGED):
            await _listed(house)
        with pytest.raises(CorruptHistory, match=DAMAGED):
            await house.send("den", Add(2), seat="guest", key="add1")
        assert DAMAGED in (await check_house(house.backend, house.codecs)).problems


@pytest.mark.parametrize(("old", "new"), [(b"[", b"\xfe"), (b'"added"', b'"adder"'), (b'"by":', b'"bx":')])
async def test_events_that_cannot_be_read_are_named_too(path: Path, old: bytes, new: bytes) -> None:
    await _furnished(path)
    flip(path, "steps.events", "den", 42, old=old, new=new)
    before = dump(path)
    async with opened(path) as house:
        with pytest.raises(CorruptHistory, match=r"^stream den, version 42: "):
            await house.view("den", seat="guest")
        found = (await check_house(house.backend, house.codecs)).problems
        assert any(sentence.startswith("stream den, version 42: ") for sentence in found)
    assert dump(path) == before


async def _listed(house: House, **range_: int) -> None:
    async for _ in house.events("den", seat="guest", **range_):
        pass


async def test_open_attempts_of_a_damaged_stream_wait_until_it_is_repaired(
    path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LEASE_SECONDS", 0.3)
    async with opened(path) as house:
        await furnish(house)
        await furnish(house, "other")
        await house.record("den", Add(10), seat="guest", key="late")
        await house.record("den", Say(Words("hm")), seat="guest", key="later")
    flip(path, "steps.events", "den", 4, old=b'"by":2', new=b'"by":7')
    before = dump(path)
    async with opened(path, work=True) as house:
        with pytest.raises(CorruptHistory, match=DAMAGED):
            await house.send("den", Add(10), seat="guest", key="late")
        assert (await house.send("other", Add(1), seat="guest")).body["total"] == 7
        await asyncio.sleep(0.8)
        stored = await house.backend.streams.attempts("den", after=5)
        assert [(a.key, a.status, a.error) for a in stored] == [("late", None, None), ("later", None, None)]
        assert all(a.tries <= 1 for a in stored)
    after = dump(path)
    assert all(row in after["steps"] for row in before["steps"])
    assert all(row in after["memories"] for row in before["memories"])
    assert set(heard.sentences) == {
        f"stream den, attempt 6: {DAMAGED}; restore a backup or branch from an earlier version"
    }
    assert len(heard.sentences) < 10, "a damaged stream is looked at now and then, not all the time"
    flip(path, "steps.events", "den", 4, old=b'"by":7', new=b'"by":2')
    async with opened(path, work=True) as house, asyncio.timeout(5):
        assert (await house.send("den", Add(10), seat="guest", key="late")).body["total"] == 16
        assert (await house.send("den", Say(Words("hm")), seat="guest", key="later")).body["said"] == ["hm"]
        await assert_sound(house)


async def test_a_damaged_command_is_named_with_its_stream_and_attempt(path: Path) -> None:
    async with opened(path) as house:
        await furnish(house)
        await house.record("den", Add(10), seat="guest", key="late")
    execute(path, "UPDATE attempts SET command = replace(command, 'by', 'bx') WHERE key = 'late'")
    async with opened(path) as house:
        with pytest.raises(CorruptHistory, match=r"^stream den, attempt 6: "):
            await house.send("den", Add(10), seat="guest", key="late")
        assert (await house.cancel("den", 6)).status == "cancelled"
        assert (await house.send("den", Add(1), seat="guest")).body["total"] == 7
        await assert_sound(house)


# rules that no longer fit


async def test_rules_that_fail_on_stored_events_stop_the_stream_with_a_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LEASE_SECONDS", 0.3)
    async with opened(path) as house:
        await furnish(house)
        await furnish(house, "other")
        await house.record("den", Add(10), seat="guest", key="late")
    before = dump(path)

    def broken(place: str) -> None:
        if place == "evolve":
            raise ZeroDivisionError("hello")

    async with opened(path, world=den(broken), work=True) as house, asyncio.timeout(5):
        attempts: tuple[Callable[[], Awaitable[object]], ...] = (
            lambda: house.view("den", seat="guest"),
            lambda: house.send("den", Add(10), seat="guest", key="late"),
        )
        for attempt in attempts:
            with pytest.raises(CorruptHistory) as told:
                await attempt()
            assert str(told.value).startswith("stream den, version 1: the rules of den cannot fold its events (Zero")
            assert "hello" not in str(told.value)
    assert {k: v for k, v in dump(path).items() if k != "attempts"} == {
        k: v for k, v in before.items() if k != "attempts"
    }
    async with opened(path) as house:
        assert (await house.send("den", Add(10), seat="guest", key="late")).body["total"] == 16
        await assert_sound(house)


async def test_rules_that_lead_elsewhere_now_are_told_from_damage(path: Path) -> None:
    async with opened(path) as house:
        await furnish(house)
    before = dump(path)
    changed = den(evolve=lambda state, told: state)
    async with opened(path, world=changed) as house:
        with pytest.raises(CorruptHistory, match="stream den, version 5: the rules of den now lead to another state"):
            await house.send("den", Add(1), seat="guest")
    assert dump(path) == before


async def test_a_stream_of_a_world_that_is_not_here_is_left_alone(path: Path) -> None:
    async with opened(path) as house:
        await furnish(house)
        await house.record("den", Add(10), seat="guest", key="late")
    before = dump(path)
    other = den(name="burrow", tables=(), rows=lambda state, told: ())
    async with opened(path, world=other, work=True) as house:
        await house.start("burrow", {}, name="mine")
        await asyncio.sleep(0.2)
        with pytest.raises(Unknown, match="there is no world 'den'"):
            await house.view("den", seat="guest")
        with pytest.raises(Unknown, match="there is no world 'den'"):
            await house.send("den", Add(1), seat="guest")
    after = dump(path)
    for table in ("steps", "attempts", "memories"):
        assert all(row in after[table] for row in before[table])
