"""What turns and claims cost on the wire."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.stage import WORLDS, open_bench
from benchmarks.world import GUEST, TALK, Say, words
from greenroom.adapters.postgres import postgres_backend
from greenroom.bootstrap import installed_worlds, tables_of
from greenroom.testing.records import NOW, TABLES, lease, opening
from tests.conftest import NewDatabase
from tests.postgres.proxy import counted

TURNS = 20


@pytest.mark.parametrize(("ask", "trips"), [(False, 1), (True, 2)])
async def test_a_turn_costs_one_round_trip_and_one_more_for_each_ask(
    ask: bool, trips: int, new_database: NewDatabase
) -> None:
    tables = tables_of((*installed_worlds(), *WORLDS))
    async with counted(new_database(tables)) as (url, door), open_bench(url, work=False) as house:
        stream = (await house.start(TALK.name)).stream
        # So long that every kind of turn, with a snapshot and without, has been sent once.
        for i in range(TURNS):
            await house.send(stream, Say(words(i), ask), seat=GUEST)
        before = door.trips["greenroom"]
        for i in range(TURNS):
            await house.send(stream, Say(words(TURNS + i), ask), seat=GUEST)
        assert door.trips["greenroom"] - before == trips * TURNS


async def test_many_turns_at_once_share_round_trips(new_database: NewDatabase) -> None:
    tables = tables_of((*installed_worlds(), *WORLDS))
    async with counted(new_database(tables)) as (url, door), open_bench(url, work=False) as house:
        streams = [(await house.start(TALK.name)).stream for _ in range(16)]
        before = door.trips["greenroom"]
        for i in range(4):
            await asyncio.gather(*(house.send(stream, Say(words(i)), seat=GUEST) for stream in streams))
        assert door.trips["greenroom"] - before <= 16


async def test_a_claim_of_many_streams_costs_three_round_trips_and_one_that_finds_nothing_one(
    new_database: NewDatabase,
) -> None:
    async with counted(new_database(TABLES)) as (url, door):
        backend = await asyncio.to_thread(postgres_backend, url, TABLES)
        try:
            names = [f"s{i}" for i in range(40)]
            await asyncio.gather(*(backend.attempts.record(opening(name)) for name in names))
            before = door.trips["greenroom"]
            claims = await backend.attempts.claim(lease(), now=NOW, limit=64)
            assert sorted(claim.stream.name for claim in claims) == sorted(names)
            # What is ready, as it stands, and all leases in one statement.
            assert door.trips["greenroom"] - before == 3
            assert not await backend.attempts.claim(lease(), now=NOW, limit=64)
            assert door.trips["greenroom"] - before == 4
        finally:
            await backend.close()
