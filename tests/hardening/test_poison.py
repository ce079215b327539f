"""Worlds that fail: tried five times, then settled as failed, and the stream goes on with the next command."""

from __future__ import annotations

import asyncio
import traceback
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.kernel.asks import Failed, UseTool
from greenroom.kernel.errors import BackendError, Refused, TryLater
from greenroom.kernel.words import Words
from tests.hardening.conftest import Heard, assert_sound, dump, execute, furnish, opened
from tests.hardening.world import Add, Added, Ask, Trip, Use, den
from tests.houses import writer_of


class Stumble:
    """Raises at one place, the first so many times."""

    def __init__(self, place: str = "handle", times: int = 1000) -> None:
        self.place = place
        self.left = times
        self.count = 0
        self.line = 0

    def __call__(self, place: str) -> None:
        if place != self.place or self.left <= 0:
            return
        self.left -= 1
        self.count += 1
        try:
            raise ValueError("a secret word")
        except ValueError as error:
            self.line = traceback.extract_tb(error.__traceback__)[-1].lineno or 0
            raise


async def test_a_poisoned_attempt_fails_after_five_tries_and_the_next_command_goes_on(path: Path, heard: Heard) -> None:
    stumble = Stumble()
    async with opened(path, world=den(stumble), work=True) as house, asyncio.timeout(20):
        await furnish(house)
        before = dump(path)
        poisoned = asyncio.create_task(house.send("den", Trip(Words("a secret word")), seat="guest", key="p"))
        await asyncio.sleep(0.05)
        after = asyncio.create_task(house.send("den", Add(4), seat="guest", key="next"))
        reason = f"given up after 5 tries: ValueError in world den at __call__, line {stumble.line}"
        with pytest.raises(Refused) as told:
            await poisoned
        assert str(told.value) == f"attempt 6 of stream den was not carried out: {reason}"
        assert (await after).body["total"] == 10
        # One try before it is recorded, because most turns need no more than one commit; then five.
        assert stumble.count == 6
        stored = await house.backend.streams.attempts("den", after=5)
        assert [(a.key, a.status, a.tries, a.error) for a in stored] == [
            ("p", "failed", 5, reason),
            ("next", "settled", 1, None),
        ]
        assert all("secret" not in sentence for sentence in heard.sentences)
        assert [s.split(":")[0] for s in heard.sentences] == [f"stream den, attempt 6, try {i}" for i in range(1, 6)]
        with pytest.raises(Refused, match="given up after 5 tries"):
            await house.send("den", Trip(Words("a secret word")), seat="guest", key="p")
        assert all(row in dump(path)["steps"] for row in before["steps"])
        await assert_sound(house)


@pytest.mark.parametrize("place", ["evolve", "rows", "wake_at", "events"])
async def test_whichever_rule_fails_nothing_of_the_turn_is_kept(
    path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("greenroom.journal.transitions.MOST_TRIES", 2)
    stumble = Stumble(place)
    changed: dict[str, Any] = {}
    if place in ("rows", "wake_at"):
        changed[place] = lambda *_: stumble(place)
    if place == "events":
        changed["handle"] = lambda state, given: _returns_rubbish()
    if place == "evolve":
        changed["evolve"] = _stumbling(stumble)
    async with opened(path) as house:
        await furnish(house)
    before = dump(path)
    async with opened(path, world=den(**changed)) as house, asyncio.timeout(10):
        with pytest.raises(Refused, match="given up after 2 tries"):
            await house.send("den", Add(5), seat="guest", key="p")
    after = dump(path)
    for table in ("steps", "snapshots", "den_sums", "den_lines", "memories", "letters"):
        assert after[table] == before[table]
    async with opened(path) as house:
        assert (await house.send("den", Add(4), seat="guest")).body["total"] == 10
        await assert_sound(house)


def _stumbling(stumble: Stumble) -> Any:
    """Folds everything but the new event."""
    evolve = den().evolve

    def stumbling(state: Any, told: Any) -> Any:
        if told.event == Added(5):
            stumble("evolve")
        return evolve(state, told)

    return stumbling


def _returns_rubbish() -> Any:
    yield from ()
    return ["no Done at all"]


async def test_a_world_that_fails_only_for_a_while_recovers(path: Path) -> None:
    stumble = Stumble(times=3)
    async with opened(path, world=den(stumble), work=True) as house, asyncio.timeout(10):
        await furnish(house)
        assert (await house.send("den", Trip(Words("well")), seat="guest", key="p")).body["said"] == ["well"]
        (stored,) = await house.backend.streams.attempts("den", after=5)
        assert (stored.status, stored.error, stumble.count) == ("settled", None, 3)
        await assert_sound(house)


class Service:
    """A tool that is down for a while."""

    def __init__(self, error: BackendError, times: int) -> None:
        self.error = error
        self.left = times
        self.count = 0

    async def use(self, ask: UseTool, key: str) -> Any:
        self.count += 1
        if self.left:
            self.left -= 1
            raise self.error
        return "fine"


async def test_a_turn_waits_for_a_service_that_says_try_later_however_often(path: Path) -> None:
    service = Service(TryLater("not yet", seconds=0.02), times=8)
    async with opened(path, work=True, tools=service) as house, asyncio.timeout(10):
        await furnish(house)
        assert (await house.send("den", Use("bell"), seat="guest", key="p")).body["total"] == 7
        (stored,) = await house.backend.streams.attempts("den", after=5)
        assert (stored.status, service.count) == ("settled", 9)
        await assert_sound(house)


async def test_a_service_that_is_down_is_told_and_asked_now_and_then_and_the_turn_is_not_lost(
    path: Path,
) -> None:
    service = Service(BackendError("the bell-ringer is away"), times=1_000_000)
    async with opened(path, work=True, tools=service) as house, asyncio.timeout(10):
        await furnish(house)
        await furnish(house, "other")
        with pytest.raises(BackendError, match=r"^the bell-ringer is away$"):
            await house.send("den", Use("bell"), seat="guest", key="p")
        assert (await house.send("other", Add(1), seat="guest")).body["total"] == 7
        await asyncio.sleep(1)
        assert service.count < 12, "a service that is down is not asked without a pause"
        service.left = 0
        assert (await house.send("den", Use("bell"), seat="guest", key="p")).body["total"] == 7
        await assert_sound(house)


async def test_a_wake_that_changes_nothing_is_recorded_once_as_failed_and_not_repeated(
    path: Path, heard: Heard
) -> None:
    async with opened(path, work=True) as house, asyncio.timeout(10):
        await house.start("den", {"restless": True}, name="den", owner="ada")
        await asyncio.sleep(0.5)
        stored = await house.backend.streams.attempts("den", after=1)
        assert [(a.key, a.status, a.base, a.version) for a in stored] == [("wake/1", "failed", 1, 1)]
        assert stored[0].error == "the stream was woken and nothing changed; wake_at still names the same moment"
        commits = writer_of(house).commits
        await asyncio.sleep(0.5)
        assert writer_of(house).commits == commits, "nothing spins"
        assert (await house.send("den", Add(1), seat="guest")).body["total"] == 1
        await asyncio.sleep(0.3)
        stored = await house.backend.streams.attempts("den", after=1)
        assert [a.status for a in stored] == ["failed", "settled", "failed"]
        assert stored[2].key == "wake/2"
        await assert_sound(house)


async def test_a_worker_that_died_each_time_leaves_an_attempt_that_is_given_up(path: Path) -> None:
    """Nothing can be recorded by a process that is killed: the claims are counted before."""
    async with opened(path) as house:
        await furnish(house)
        await house.record("den", Add(9), seat="guest", key="p")
    execute(path, "UPDATE attempts SET tries = 5 WHERE key = 'p'")
    async with opened(path, work=True) as house, asyncio.timeout(10):
        with pytest.raises(Refused, match="given up after 5 tries: the worker died each time"):
            await house.send("den", Add(9), seat="guest", key="p")
        assert (await house.send("den", Add(4), seat="guest")).body["total"] == 10
        await assert_sound(house)


@pytest.mark.parametrize("answer", ["a\ud800b", object(), {1, "a"}], ids=["half a character", "an object", "a set"])
async def test_an_answer_that_cannot_be_stored_is_a_failed_one_and_is_not_asked_for_again(
    path: Path, answer: Any
) -> None:
    asked = 0

    def speak(*_: Any) -> Any:
        nonlocal asked
        asked += 1
        return answer

    async with opened(path, models=ScriptedModels(speak), work=True) as house, asyncio.timeout(10):
        await furnish(house)
        reply = await house.send("den", Ask(Words("well?")), seat="guest", key="p")
        assert (reply.body["said"][1], asked) == (str(Failed("the answer cannot be stored")), 1)
        await assert_sound(house)
