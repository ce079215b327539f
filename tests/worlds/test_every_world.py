"""Every shipped world goes through the one suite, on every back-end."""

from __future__ import annotations

import pytest

from greenroom.testing.worlds import Transcript, Trial, play, play_late, told
from tests.conftest import NewFile, scaled
from tests.worlds.trials import TRIALS, WORLDS, in_file, in_memory

SEEDS = range(scaled(1, 20))
COMMANDS = scaled(16, 60)
#: Plays in memory that were told already: both tests begin with the same one.
_TOLD: dict[tuple[str, int], Transcript] = {}


def test_every_shipped_world_has_a_trial() -> None:
    assert sorted(TRIALS) == sorted(WORLDS)


async def prompt(trial: Trial, world: str, seed: int) -> Transcript:
    """A play in memory, with a worker that is always at hand."""
    if (world, seed) not in _TOLD:
        async with in_memory(trial) as (backend, _):
            _TOLD[world, seed] = await play(trial, backend, seed=seed, commands=COMMANDS)
    return _TOLD[world, seed]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("world", sorted(TRIALS))
async def test_a_world_keeps_every_promise_and_plays_the_same_again_on_any_back_end(
    world: str, seed: int, new_file: NewFile
) -> None:
    trial = TRIALS[world]()
    stories = [(await prompt(trial, world, seed)).story()]
    for _ in range(2):
        async with in_file(trial, new_file) as backend:
            stories.append((await play(trial, backend, seed=seed, commands=COMMANDS)).story())
    assert stories[1] == stories[-1], "two plays with one seed differ"
    assert stories[0] == stories[1], "the back-ends differ"
    assert stories[0]["stream"][0] > 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("world", sorted(TRIALS))
async def test_a_late_worker_changes_nothing_of_the_story(world: str, seed: int) -> None:
    trial = TRIALS[world]()
    before = await prompt(trial, world, seed)
    async with in_memory(trial) as (backend, _):
        late = await play_late(trial, backend, before, seed=seed)
    assert told(trial, late) == told(trial, before)
