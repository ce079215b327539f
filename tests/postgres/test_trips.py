"""What a turn costs on the wire: one round trip, and one more for each ask."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.stage import WORLDS, open_bench
from benchmarks.world import GUEST, TALK, Say, words
from greenroom.bootstrap import installed_worlds, tables_of
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
