"""A process that is suspended while it holds the write lock: others say so, can be stopped, and go on when it wakes."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import greenroom
from greenroom.kernel.errors import Locked
from tests.conftest import NewHome
from tests.counts import count

pytestmark = pytest.mark.sqlite

TIMES, SECONDS = count(1, soak=20), count(2, soak=15)
#: What whoever is held up may take at most.
PROMPT_SECONDS = 2.0

_HAMMER = """
import asyncio, sys
import greenroom
from greenroom.worlds.lighthouse.rules.commands import Climb

async def main():
    async with greenroom.open(sys.argv[1], work=False) as house:
        stream = (await house.start("lighthouse", owner="hammer", seat="visitor")).stream
        print(stream, flush=True)
        for n in range(1_000_000):
            await house.send(stream, Climb(), seat="visitor", key=f"k{n}")
            print(n, flush=True)

asyncio.run(main())
"""


@contextmanager
def hammering(file: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that writes without a pause and tells what was acknowledged."""
    out = file.with_name("hammer.txt")
    with out.open("w") as told:
        process = subprocess.Popen([sys.executable, "-c", _HAMMER, str(file)], stdout=told, text=True)
        try:
            while out.read_text().count("\n") < 5:
                assert process.poll() is None
                time.sleep(0.05)
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


def suspend_while_it_writes(process: subprocess.Popen[str], file: Path) -> None:
    """Stop the process at a moment when it holds the write lock."""
    for _ in range(2_000):
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        if all(is_held(file) for _ in range(20)):  # others hold it for a moment only
            return
        process.send_signal(signal.SIGCONT)
        time.sleep(0.001)
    raise AssertionError("it was never seen to write")


def is_held(file: Path) -> bool:
    handle = os.open(f"{file}.lock", os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(0.005)
        return True
    else:
        return False
    finally:
        os.close(handle)


@contextmanager
def served(home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "greenroom.entrypoints.cli", "up", "--json", "--no-console", "--port", "0"]
    environment = {**os.environ, "GREENROOM_HOME": str(home), "GREENROOM_RATE_STRANGERS": "100000"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())["address"]
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def stopped(process: subprocess.Popen[str]) -> float:
    """Seconds until a process that was asked to stop has ended."""
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=30)
    return time.monotonic() - began


def test_others_say_that_they_are_held_up_and_go_on_when_it_wakes(tmp_path: Path, new_home: NewHome) -> None:
    file = new_home(tmp_path) / "house.db"
    with served(tmp_path) as (server, address), httpx.Client(base_url=address, timeout=30) as client:
        visit = client.post("/lighthouse/visits").json()
        ticket = {"Authorization": f"Bearer {visit['ticket']}"}
        climb = f"/lighthouse/visits/{visit['stream']}/climb"
        assert client.post(climb, headers=ticket).status_code == 200
        with hammering(file) as hammer:
            for _ in range(TIMES):
                suspend_while_it_writes(hammer, file)
                woken_at = time.monotonic() + SECONDS
                held_up(client, climb, ticket, woken_at)
                hammer.send_signal(signal.SIGCONT)
                again = client.post(climb, headers={**ticket, "Idempotency-Key": f"after-{woken_at}"})
                assert again.status_code == 200, again.text
                assert client.get("/ready").status_code == 200
            suspend_while_it_writes(hammer, file)
            assert stopped(server) < 10
            with served(tmp_path) as (_, other):  # and one that starts meanwhile opens, and reads
                assert httpx.get(f"{other}/streams/{visit['stream']}", headers=ticket).status_code == 200
                assert httpx.get(f"{other}/ready").status_code == 503
    asyncio.run(nothing_lost(file))


def held_up(client: httpx.Client, climb: str, ticket: dict[str, str], until: float) -> None:
    """Ask until somebody is to wake; every answer comes at once, in words."""
    asked = 0
    while not asked or time.monotonic() < until - PROMPT_SECONDS:
        for request in (client.build_request("POST", climb, headers=ticket), client.build_request("GET", "/ready")):
            began = time.monotonic()
            answer = client.send(request)
            assert time.monotonic() - began < PROMPT_SECONDS
            assert answer.status_code == 503
            assert answer.json()["detail"].startswith("another program holds the database")
        assert client.get("/health").status_code == 200
        asked += 1


async def nothing_lost(file: Path) -> None:
    """Everything that the hammer was told is there, once."""
    stream, *keys = file.with_name("hammer.txt").read_text().split()
    async with greenroom.open(file, work=False) as house:
        attempts = await house.attempts(stream, limit=2_000_000)
        settled = [attempt.key for attempt in attempts if attempt.status == "settled"]
        assert len(settled) == len(set(settled))
        assert {f"k{n}" for n in keys} <= set(settled)
        assert (await house.check()).problems == ()


async def test_a_command_that_cannot_be_written_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    async with greenroom.open(file, work=False) as house:
        stream = (await house.start("lighthouse", seat="visitor")).stream
        before = await house.stream(stream)
        handle = os.open(f"{file}.lock", os.O_RDWR)
        fcntl.flock(handle, fcntl.LOCK_EX)
        climb = house.codec("lighthouse").command_from("climb", {})
        with pytest.raises(Locked, match="may be suspended"):
            await house.send(stream, climb, seat="visitor", key="once")
        os.close(handle)
        assert await house.stream(stream) == before
        assert (await house.send(stream, climb, seat="visitor", key="once")).new
