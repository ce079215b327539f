"""The server goes away and comes back: requests fail fast and clearly, workers find it again, nothing is lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import open_house
from greenroom.journal.records import Birth
from greenroom.kernel.errors import BackendError, Malformed
from greenroom.kernel.words import Words
from greenroom.services.house import House
from greenroom.services.requests import opening
from greenroom.services.verify import check_house
from tests.crash.world import WORLDS, Dice, Say
from tests.postgres.databases import execute
from tests.postgres.local import HASTY, LocalServer

#: How long a request may take to say that the database is away.
FAST = 2.0


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    made = LocalServer(HASTY)
    yield made
    made.close()


@pytest.fixture
async def house(server: LocalServer) -> AsyncIterator[House]:
    models = ScriptedModels(lambda ask, asked: f"<{ask.role}>")
    async with open_house(server.url(), worlds=WORLDS, models=models) as opened:
        yield opened


async def _refused(doing: Any) -> str:
    began = time.monotonic()
    with pytest.raises(BackendError) as refused:
        await doing
    assert time.monotonic() - began < FAST
    assert refused.value.status == 503
    return str(refused.value)


async def test_requests_fail_fast_and_work_goes_on_when_the_server_is_back(server: LocalServer, house: House) -> None:
    acknowledged = []
    await house.start("inn", {}, name="inn-1", seed=1)
    acknowledged.append((await house.send("inn-1", Dice(sides=6), seat="guest", key="before")).n)
    acknowledged.append((await house.record("inn-1", Say(text=Words("left")), seat="guest", key="left")).attempt.n)
    await asyncio.to_thread(server.stop)
    told = await _refused(house.send("inn-1", Dice(sides=6), seat="guest", key="during"))
    assert "the database cannot be reached" in told
    assert "greenroom@" not in told
    await _refused(house.view("inn-1", seat="guest"))
    await _refused(house.start("inn", {}, name="inn-2"))
    await asyncio.to_thread(server.start)
    again = await house.send("inn-1", Dice(sides=6), seat="guest", key="during")
    assert again.new
    async with asyncio.timeout(20):  # the worker comes back by itself
        rung = -1
        while (await house.backend.streams.get("inn-1")).open:
            rung = await house.backend.notifier.wait(0.2, rung)
    attempts = {a.n: a for a in await house.backend.streams.attempts("inn-1")}
    assert [attempts[n].status for n in acknowledged] == ["settled", "settled"]
    assert (await check_house(house.backend, house.codecs)).problems == ()


async def test_a_connection_that_is_cut_between_two_turns_is_not_noticed(server: LocalServer, house: House) -> None:
    await house.start("inn", {}, name="cut", seed=1)
    for i in range(5):
        await execute(
            server.url(),
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'greenroom%'",
        )
        reply = await house.send("cut", Dice(sides=6), seat="guest", key=f"k{i}")
        assert (reply.version, reply.new) == (2 + i, True)


def _program(*arguments: str, url: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "greenroom.entrypoints.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
        env={**os.environ, "GREENROOM_HOME": str(home), "GREENROOM_DATABASE_URL": url},
    )


def test_the_program_says_in_one_sentence_that_nobody_answers(tmp_path: Path) -> None:
    done = _program("streams", url="postgresql://ada:secret@127.0.0.1:9/house", home=tmp_path)
    assert done.returncode == BackendError.exit_code
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "postgresql://127.0.0.1:9/house: the database cannot be reached" in done.stderr
    assert "secret" not in done.stderr


def test_an_address_that_cannot_be_read_is_told_without_its_password(tmp_path: Path) -> None:
    for url in ("postgresql://ada:secret@127.0.0.1:port/house", "mysql://ada:secret@127.0.0.1/house"):
        done = _program("streams", url=url, home=tmp_path)
        assert done.returncode == Malformed.exit_code, done.stderr
        assert "secret" not in done.stderr
        assert "postgresql://" in done.stderr


async def test_a_worker_that_is_asked_to_stop_hands_its_leases_back(server: LocalServer, tmp_path: Path) -> None:
    worker = subprocess.Popen(  # noqa: ASYNC220  it returns at once
        [sys.executable, "-m", "greenroom.entrypoints.cli", "worker", "--concurrency", "3", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "GREENROOM_HOME": str(tmp_path), "GREENROOM_DATABASE_URL": server.url()},
    )
    try:
        assert worker.stdout is not None
        ready = json.loads(await asyncio.to_thread(worker.stdout.readline))
        assert ready["concurrency"] == 3
        async with open_house(server.url(), work=False) as house:
            await asyncio.wait_for(_settled_elsewhere(house), 20)
    finally:
        worker.send_signal(signal.SIGTERM)
        _, told = await asyncio.to_thread(worker.communicate, timeout=20)
    assert worker.returncode == 0, told
    assert [tuple(row) for row in await execute(server.url(), "SELECT count(*) FROM streams WHERE holder <> ''")] == [
        (0,)
    ]


async def _settled_elsewhere(house: House) -> None:
    """Record an opening and wait until the other process has settled it."""
    codec = house.codecs["lighthouse"]
    birth = Birth(world="lighthouse", owner="ada", seed=1)
    recording = opening(codec, codec.config_from(None), "visit", birth, now=house.now(), secret=house.backend.secret)
    receipt = await house.backend.attempts.record(recording)
    rung = -1
    while (await house.backend.attempts.find("visit", receipt.attempt.n)).status is None:
        rung = await house.backend.notifier.wait(0.5, rung)


async def test_a_turn_in_progress_is_handed_back_when_its_house_closes(server: LocalServer) -> None:
    async def never(ask: Any, asked: Any) -> str:
        await asyncio.sleep(3600)
        return ""

    async with open_house(server.url(), worlds=WORLDS, models=ScriptedModels(never), work=False) as house:
        await house.start("inn", {}, name="slow", seed=1)
        waiting = asyncio.create_task(house.send("slow", Say(text=Words("hello")), seat="guest", key="k"))
        async with asyncio.timeout(10):
            rung = -1
            while (await house.backend.streams.get("slow")).holder is None:
                rung = await house.backend.notifier.wait(0.2, rung)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    left = "SELECT holder, busy_until > $1, open FROM streams WHERE name = 'slow'"
    (row,) = await execute(server.url(), left, time.time_ns() // 1000 + 1_000_000)
    assert tuple(row) == (None, False, 1)
