"""Time is an input: a late worker, a jump and small steps all lead to the same story."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from greenroom.adapters.channels import RecordingChannel
from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import assemble, backend, worker_of
from greenroom.kernel.asks import AskModel
from greenroom.kernel.words import Words
from greenroom.kernel.worlds import World
from greenroom.ports import Asked, Outgoing
from tests.crash.stage import differences, dump
from tests.crash.world import INN, WORLDS, Dice, Inn, Say

START = 1_800_000_000_000_000
MINUTE = 60_000_000
DAY = 24 * 60 * MINUTE


def _alarm_clock() -> World[Inn, Any, Any]:
    """The inn, woken every six hours for ever."""
    return replace(INN, wake_at=lambda state: state.last_at and state.last_at + timedelta(hours=6))


async def _fortnight(step: int) -> tuple[dict[str, Any], list[int]]:
    """Two weeks in steps of so many minutes; what is left, and the moments of all wakes."""
    shelf, clock = Shelf(), VirtualClock(START)
    worlds = (_alarm_clock(), *WORLDS[1:])
    house = assemble(backend(shelf, worlds), worlds, models=ScriptedModels(lambda ask, _: "hm"), clock=clock)
    worker = worker_of(house, channels={"inbox": RecordingChannel()})
    await house.start("inn", {}, name="inn", seed=1)
    await house.send("inn", Say(text=Words("good night")), seat="guest", key="a")
    while clock.now() < START + 14 * DAY:
        await worker.advance(clock, min(clock.now() + step * MINUTE, START + 14 * DAY))
    await house.send("inn", Dice(sides=6), seat="guest", key="b")
    attempts = await house.backend.streams.attempts("inn")
    found = await dump(shelf)
    await house.close()
    return found, [attempt.at for attempt in attempts if attempt.rank == 0]


async def test_a_jump_of_two_weeks_ends_like_small_steps_with_every_wake_at_its_own_time() -> None:
    at_once, wakes = await _fortnight(14 * 24 * 60)
    in_steps, same_wakes = await _fortnight(97)
    assert differences(at_once, in_steps) == []
    assert wakes == same_wakes
    assert len(wakes) == 14 * 4
    assert [later - earlier for earlier, later in pairwise(wakes)] == [6 * 60 * MINUTE] * 55


async def test_a_worker_that_comes_late_handles_timers_before_the_command_that_came_after_them() -> None:
    shelf, clock = Shelf(), VirtualClock(START)
    house = assemble(backend(shelf, WORLDS), WORLDS, models=ScriptedModels(lambda ask, _: "hm"), clock=clock)
    await house.start("inn", {}, name="inn", seed=1)
    clock.move(START + 21 * MINUTE)
    await house.record("inn", Dice(sides=6), seat="guest", key="late")
    await worker_of(house).quiet()
    handled = [(a.rank, a.at - START) for a in await house.backend.streams.attempts("inn")]
    steps = [(step.n, step.at - START) async for step in house.backend.history.steps("inn", 1, 3)]
    assert (0, 15 * MINUTE) in handled
    assert [at for _, at in steps] == [15 * MINUTE, 21 * MINUTE]
    await house.close()


async def test_a_clock_that_jumps_in_the_middle_of_a_call_costs_no_lease_and_no_second_call() -> None:
    shelf, clock, asked = Shelf(), VirtualClock(START), []

    async def slow(ask: AskModel, where: Asked) -> str:
        asked.append((where.n, where.i))
        clock.move(clock.now() + 14 * DAY)
        await asyncio.sleep(0.05)
        return "hm"

    house = assemble(backend(shelf, WORLDS), WORLDS, models=ScriptedModels(slow), clock=clock)
    worker = worker_of(house)
    await house.start("inn", {}, name="inn", seed=1)
    other = worker_of(house)
    reply, _, _ = await asyncio.gather(
        house.send("inn", Say(text=Words("hello")), seat="guest", key="a"), worker.quiet(), other.quiet()
    )
    assert reply.version == 2
    assert sorted(place for place in asked if place[0] == 2) == [(2, 0), (2, 1), (2, 2)]
    await house.close()


@pytest.mark.parametrize("minutes", [3, 14, 16])
async def test_recorded_times_never_go_back(minutes: int) -> None:
    shelf, clock = Shelf(), VirtualClock(START)
    house = assemble(backend(shelf, WORLDS), WORLDS, models=ScriptedModels(lambda ask, _: "hm"), clock=clock)
    worker = worker_of(house)
    await house.start("inn", {}, name="inn", seed=1)
    for i in range(8):
        await worker.advance(clock, clock.now() + minutes * MINUTE)
        await house.send("inn", Dice(sides=6), seat="guest", key=f"{i}")
    row = await house.backend.streams.get("inn")
    times = [step.at async for step in house.backend.history.steps("inn", 0, row.version)]
    assert times == sorted(times)
    await house.close()


async def test_time_waits_for_a_letter_that_another_task_is_carrying() -> None:
    """A running worker may hold a letter while somebody else lets time pass: it is sent before time has passed."""
    sending, let_go = asyncio.Event(), asyncio.Event()

    class SlowChannel(RecordingChannel):
        async def send(self, letter: Outgoing) -> None:
            sending.set()
            await let_go.wait()
            await super().send(letter)

    shelf, clock = Shelf(), VirtualClock(START)
    house = assemble(backend(shelf, WORLDS), WORLDS, models=ScriptedModels(lambda ask, _: "hm"), clock=clock)
    worker = worker_of(house, channels={"inbox": SlowChannel()})
    await house.start("inn", {}, name="inn", seed=1)
    await house.send("inn", Say(text=Words("good night")), seat="guest", key="a")
    clock.move(START + 6 * MINUTE)
    carrying = asyncio.create_task(worker.round())
    await sending.wait()
    passing = asyncio.create_task(worker.advance(clock, START + 7 * MINUTE))
    await asyncio.sleep(0.05)
    assert not passing.done()
    let_go.set()
    await asyncio.gather(carrying, passing)
    assert [letter.status for letter in await house.backend.outbox.list(stream="inn")] == ["sent"]
    await house.close()
