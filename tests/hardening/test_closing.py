"""Houses that come and go on one file: leases are handed back, nobody waits for a house that is gone."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.kernel.errors import BackendError
from greenroom.kernel.words import Words
from greenroom.services import worker
from greenroom.worlds.secret_agi.faces.app.games import create_game
from greenroom.worlds.secret_agi.rules.commands import GameConfig, SeatConfig
from tests.hardening.conftest import assert_sound, dump, furnish, opened
from tests.hardening.world import Add, Ask

DENS = 6


class Slow:
    """A model that answers when it is told to."""

    def __init__(self) -> None:
        self.asked = asyncio.Semaphore(0)
        self.go_on = asyncio.Event()

    async def speak(self, *_: Any) -> str:
        self.asked.release()
        await self.go_on.wait()
        return "at last"


async def _until_asked(slow: Slow, count: int) -> None:
    for _ in range(count):
        await slow.asked.acquire()


@pytest.mark.parametrize("how", ["sent", "recorded"])
async def test_closing_hands_back_what_is_in_flight_and_another_house_goes_on_at_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(worker, "GRACE_SECONDS", 0.1)
    slow = Slow()
    sending: list[asyncio.Task[Any]] = []
    async with asyncio.timeout(30):
        async with opened(path, models=ScriptedModels(slow.speak), work=True) as house:
            for i in range(DENS):
                await furnish(house, f"den-{i}")
            for i in range(DENS):
                ask = Ask(Words(f"well, {i}?"))
                if how == "sent":
                    sending.append(asyncio.create_task(house.send(f"den-{i}", ask, seat="guest", key="k")))
                else:
                    await house.record(f"den-{i}", ask, seat="guest", key="k")
            await _until_asked(slow, DENS)
        closed = time.perf_counter()
        async with opened(path, work=True) as house:
            for i in range(DENS):
                reply = await house.send(f"den-{i}", Ask(Words(f"well, {i}?")), seat="guest", key="k")
                assert reply.body["said"] == [f"well, {i}?", "mm"]
            assert time.perf_counter() - closed < 8, "a lease lasts ten seconds: nobody waited for one to run out"
            slow.go_on.set()
            told = await asyncio.gather(*sending, return_exceptions=True)
            assert {type(error) for error in told} <= {BackendError}
            assert {str(error) for error in told} <= {f"{path}: the house is closed"}
            stored = [(await house.backend.streams.attempts(f"den-{i}"))[-1] for i in range(DENS)]
            assert {(a.key, a.status) for a in stored} == {("k", "settled")}
            await assert_sound(house)
        gc.collect()


async def test_a_closed_house_says_so(path: Path) -> None:
    async with opened(path, work=True) as house:
        await furnish(house)
    before = dump(path)
    attempts: list[Any] = [
        lambda: house.send("den", Add(1), seat="guest"),
        lambda: house.record("den", Add(1), seat="guest", key="k"),
        lambda: house.view("den", seat="guest"),
        lambda: house.branch("den"),
        lambda: house.start("den", {}),
        lambda: house.forget("ada"),
    ]
    async with asyncio.timeout(5):
        for attempt in attempts:
            with pytest.raises(BackendError, match=f"^{path}: the house is closed$"):
                await attempt()
        await house.close()
    assert dump(path) == before


async def test_two_houses_on_one_file_in_one_process_share_the_work(path: Path) -> None:
    async with opened(path, work=True) as first, opened(path, work=True) as second, asyncio.timeout(20):
        for i in range(4):
            await furnish(first, f"den-{i}", adds=0)
        sends = [
            (first, second)[(i + j) % 2].send(f"den-{i}", Add(1), seat="guest", key=f"k{j}")
            for j in range(20)
            for i in range(4)
        ]
        await asyncio.gather(*sends)
        for house in (first, second):
            assert {(await house.view(f"den-{i}", seat="guest")).body["total"] for i in range(4)} == {20}
        assert (await first.view("den-1", seat="guest")).version == 22
        await assert_sound(second)


async def test_another_house_is_opened_while_the_first_is_busy(path: Path) -> None:
    """Opening waits for the write lock on the loop itself: whoever holds it must not need the loop to release it."""
    async with opened(path) as first, asyncio.timeout(20):
        for i in range(8):
            await furnish(first, f"den-{i}", adds=0)

        async def keep_adding(i: int) -> None:
            for j in range(25):
                await first.send(f"den-{i}", Add(1), seat="guest", key=f"k{j}")

        adding = [asyncio.create_task(keep_adding(i)) for i in range(8)]
        for _ in range(6):
            async with opened(path) as second:
                assert (await second.view("den-1", seat="guest")).version >= 2
                await asyncio.sleep(0.01)
        await asyncio.gather(*adding)
        assert (await first.view("den-7", seat="guest")).body["total"] == 25
        await assert_sound(first)


async def test_whoever_gives_up_waiting_harms_nobody(path: Path) -> None:
    slow = Slow()
    async with opened(path, models=ScriptedModels(slow.speak), work=True) as house, asyncio.timeout(10):
        await furnish(house)
        impatient = asyncio.create_task(house.send("den", Ask(Words("well?")), seat="guest", key="k"))
        await _until_asked(slow, 1)
        impatient.cancel()
        await asyncio.gather(impatient, return_exceptions=True)
        slow.go_on.set()
        reply = await house.send("den", Ask(Words("well?")), seat="guest", key="k")
        assert reply.body["said"] == ["well?", "at last"]
        assert (await house.send("den", Add(4), seat="guest")).body["total"] == 10
        await assert_sound(house)


async def test_a_house_that_closes_in_the_middle_of_a_game_leaves_it_to_whoever_comes(path: Path) -> None:
    seats = tuple(SeatConfig(player_id=f"player_{i}", agent_type="RandomPlayer") for i in range(1, 7))
    config = GameConfig(player_count=6, seats=seats, seed=987_654_321_012_345, decision_seconds=0)
    async with opened(path) as house:
        name = await create_game(house, config, name="cut short", seed=11)
    async with opened(path) as house:
        stream = await house.backend.streams.get(name)
        assert stream.outcome is None, "it was to be in the middle"
        assert stream.holder is None
