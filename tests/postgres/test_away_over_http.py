"""The database goes away under a real server: callers hear it at once, and everything goes on when it is back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.client import LOADED, Answer, Line, Process, house_command, running
from greenroom.bootstrap import open_house
from greenroom.kernel.words import Words
from greenroom.services.verify import check_house
from greenroom.worlds.lighthouse.rules.commands import Say
from tests.postgres.local import HASTY, LocalServer

#: How long a request may take to say that the database is away.
FAST = 2.0


@pytest.fixture
def server() -> Iterator[LocalServer]:
    made = LocalServer(HASTY)
    yield made
    made.close()


@pytest.fixture
async def up(server: LocalServer, tmp_path: Path) -> AsyncIterator[Process]:
    """Server and worker in one process, on the database."""
    async with running(house_command(tmp_path), {**LOADED, "GREENROOM_DATABASE_URL": server.url()}) as started:
        yield started


class Visitor:
    """Somebody on a visit to the lighthouse."""

    def __init__(self, line: Line, visit: Any) -> None:
        self.line, self.stream, self._ticket = line, visit["stream"], visit["ticket"]

    async def say(self, key: str) -> Answer:
        body = {"text": f"I say {key}."}
        path = f"/lighthouse/visits/{self.stream}/say"
        return await self.line.ask("POST", path, body, ticket=self._ticket, key=key)

    async def look(self) -> Answer:
        return await self.line.ask("GET", f"/streams/{self.stream}", ticket=self._ticket)

    async def attempts(self) -> list[str]:
        told = await self.line.ask("GET", f"/streams/{self.stream}/attempts", ticket=self._ticket)
        return [attempt["status"] for attempt in told.data["attempts"]]


async def _told_at_once(asking: Any) -> None:
    began = time.monotonic()
    told: Answer = await asking
    assert time.monotonic() - began < FAST
    assert (told.status, told.data["type"]) == (503, "urn:greenroom:BackendError")
    told_whom = ("the database cannot be reached", "the log knows more under the id")  # the operator, a player
    assert any(words in told.data["detail"] for words in told_whom)
    assert "greenroom@" not in told.data["detail"]


async def _settled_with_nobody_calling(server: LocalServer, stream: str) -> None:
    """Record something beside the server, and wait until its worker has seen to it."""
    async with open_house(server.url(), work=False) as house:
        said = Say(text=Words("Is anybody there?"))
        receipt = await house.record(stream, said, seat="visitor", key="left")
        async with asyncio.timeout(20):
            rung = -1
            while (await house.backend.attempts.find(stream, receipt.attempt.n)).status is None:
                rung = await house.backend.notifier.wait(0.5, rung)
        assert (await check_house(house.backend, house.codecs)).problems == ()


async def test_callers_get_503_at_once_and_then_worker_and_callers_go_on_with_all_that_was_acknowledged(
    server: LocalServer, up: Process
) -> None:
    line = await Line.open(up.port)
    visitor = Visitor(line, (await line.ask("POST", "/lighthouse/visits")).data)
    before = await visitor.say("before")
    assert before.status == 200
    await asyncio.to_thread(server.stop)
    for _ in range(3):
        await _told_at_once(visitor.say("during"))
        await _told_at_once(visitor.look())
        await _told_at_once(line.ask("POST", "/lighthouse/visits"))
        await _told_at_once(line.ask("GET", "/ready"))
    assert (await line.ask("GET", "/health")).status == 200
    await asyncio.sleep(1.5)  # the worker looks for work, and finds nobody, more than once
    await line.close()
    await asyncio.to_thread(server.start)
    await _settled_with_nobody_calling(server, visitor.stream)
    visitor.line = line = await Line.open(up.port)  # the server hangs up on one that is idle for five seconds
    assert (await visitor.say("before")).data == {**before.data, "new": False}
    during = await visitor.say("during")
    assert (during.status, during.data["new"]) == (200, True)
    assert await visitor.attempts() == ["settled", "settled", "settled"]
    await line.close()
