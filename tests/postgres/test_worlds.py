"""Every shipped world goes through the one suite on PostgreSQL, and tells the same story as in memory."""

from __future__ import annotations

import pytest

from greenroom.adapters.postgres import postgres_backend
from greenroom.testing.worlds import play
from tests.conftest import NewDatabase
from tests.counts import count
from tests.worlds.trials import TRIALS, in_memory

SEEDS = range(count(1, soak=15))
COMMANDS = count(8, soak=40)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("world", sorted(TRIALS))
async def test_a_world_keeps_every_promise_and_tells_the_same_story(
    world: str, seed: int, new_database: NewDatabase
) -> None:
    trial = TRIALS[world]()
    async with in_memory(trial) as (backend, _):
        expected = (await play(trial, backend, seed=seed, commands=COMMANDS)).story()
    tables = [table for each in trial.worlds for table in each.tables]
    backend = postgres_backend(new_database(tables), tables)
    try:
        story = (await play(trial, backend, seed=seed, commands=COMMANDS)).story()
    finally:
        await backend.close()
    assert story == expected
    assert story["stream"][0] > 1
