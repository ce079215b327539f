"""Live updates over a real connection: the same for everybody within a second, and nothing lost or doubled."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from greenroom.entrypoints.http import serving
from greenroom.kernel.errors import Malformed
from greenroom.kernel.words import Words
from greenroom.kit.http.live import Position
from greenroom.worlds.lighthouse.rules.commands import Say
from tests.counts import count, report
from tests.entrypoints.http.stage import VISITOR, Stage


class Follower:
    """A browser that follows a stream and comes back by itself, as an EventSource does."""

    def __init__(self, port: int, path: str, ticket: str | None = None) -> None:
        self._port = port
        self._path = path
        self._ticket = ticket
        self.last: str | None = None
        #: Id of each event with the moment it came.
        self.seen: list[tuple[str, float]] = []
        self.events: list[Any] = []
        self.status = 0
        self.ended = asyncio.Event()
        self._writer: asyncio.StreamWriter | None = None

    async def follow(self) -> None:
        """One connection, until it is lost."""
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        lines = [f"GET {self._path} HTTP/1.1", f"Host: localhost:{self._port}", "Accept: text/event-stream"]
        lines += [] if self._ticket is None else [f"Authorization: Bearer {self._ticket}"]
        lines += [] if self.last is None else [f"Last-Event-ID: {self.last}"]
        self._writer.write("\r\n".join([*lines, "", ""]).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        self.status = int(head[9:12])
        field: dict[str, str] = {}
        with suppress(ConnectionError):
            while not self.ended.is_set() and (line := await reader.readline()):
                self._hear(line.decode().rstrip("\r\n"), field)
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()

    def _hear(self, line: str, field: dict[str, str]) -> None:
        name, _, value = line.partition(": ")
        if name in ("id", "event", "data"):
            field[name] = value
        elif not line and field.get("event") == "told":
            self.last = field["id"]
            self.seen.append((field["id"], time.monotonic()))
            self.events.append(json.loads(field["data"]))
            field.clear()
        elif not line and field.get("event") == "end":
            self.ended.set()

    def cut(self) -> None:
        """The connection is lost in the middle of whatever comes."""
        if self._writer is not None:
            self._writer.transport.abort()

    async def until(self, id: str) -> None:
        async with asyncio.timeout(10):
            while id not in dict(self.seen):  # noqa: ASYNC110  what is waited for comes over a socket
                await asyncio.sleep(0.005)


@asynccontextmanager
async def served(stage: Stage) -> AsyncIterator[int]:
    opened = socket.create_server(("127.0.0.1", 0))
    stop, listens = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(serving.serve(stage.app, stage.settings, opened, stop, ready=listens.set))
    await listens.wait()
    try:
        yield opened.getsockname()[1]
    finally:
        stop.set()
        await task


async def say(stage: Stage, stream: str, text: str) -> tuple[str, float]:
    """Say it; what the answer is called by whoever follows, and when it was there."""
    reply = await stage.house.send(stream, Say(text=Words(text)), seat=VISITOR)
    return f"{reply.version}.1", time.monotonic()


async def test_two_browsers_see_the_same_within_a_second(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    async with served(house) as port:
        ada = Follower(port, f"/streams/{stream}/live?after=0", ticket)
        operator = Follower(port, f"/streams/{stream}/live?after=0&seat={VISITOR}")
        following = [asyncio.create_task(one.follow()) for one in (ada, operator)]
        await ada.until("2.1")
        latest = 0.0
        for i in range(count(8, soak=100)):
            answer, said_at = await say(house, stream, f"Line {i}.")  # after twenty lines notes are a turn of their own
            for one in (ada, operator):
                await one.until(answer)
                latest = max(latest, dict(one.seen)[answer] - said_at)
        both = min(len(ada.events), len(operator.events))
        assert ada.events[:both] == operator.events[:both]
        assert [event["kind"] for event in ada.events[:3]] == ["arrived", "said", "answered"]
        assert latest < 1.0
        report(
            f"live: the slowest of {len(ada.seen)} updates came {latest * 1000:.0f} ms after its command was answered"
        )
    await asyncio.gather(*following)


async def test_a_lost_connection_comes_back_without_loss_or_doubles(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    lines = count(30, soak=300)
    async with served(house) as port:
        ada = Follower(port, f"/streams/{stream}/live?after=0", ticket)

        final: list[str] = []

        async def keeps_coming_back() -> None:
            while not final or final[0] not in dict(ada.seen):
                await ada.follow()

        async def is_cut_off() -> None:
            while True:
                had = len(ada.seen)
                # Only in the middle of something: a house slower than the cuts would never get a word through.
                while len(ada.seen) == had:  # noqa: ASYNC110  what is waited for comes over a socket
                    await asyncio.sleep(0.002)
                ada.cut()
                cuts.append(len(ada.seen))

        cuts: list[int] = []
        following, cutting = asyncio.create_task(keeps_coming_back()), asyncio.create_task(is_cut_off())
        for i in range(lines):
            await say(house, stream, f"Line {i}.")
        told = [event async for event in house.house.events(stream, seat=VISITOR)]
        final.append(f"{told[-1].version}.{told[-1].ordinal}")
        await ada.until(final[0])
        cutting.cancel()
        ada.cut()
        assert len(cuts) > 2
        async with asyncio.timeout(5):
            await following
    assert [id for id, _ in ada.seen] == [f"{event.version}.{event.ordinal}" for event in told]
    assert len(told) >= 2 * (lines + 1) + 1


async def test_a_connection_that_was_lost_within_a_version_gets_its_other_events(house: Stage) -> None:
    stream, _ = await house.visit("ada")
    await say(house, stream, "Another.")
    async with served(house) as port:
        for last, first in (("1.0", "2.0"), ("2.0", "2.1"), ("2.1", "3.0"), ("3.0", "3.1")):
            one = Follower(port, f"/streams/{stream}/live")
            one.last = last
            following = asyncio.create_task(one.follow())
            await one.until("3.1")
            assert one.seen[0][0] == first
            one.cut()
            await following


async def test_a_seat_follows_only_what_it_may_see(house: Stage) -> None:
    stream, _ = await house.visit("ada", said="I keep bees.")
    async with served(house) as port:
        nobody = Follower(port, f"/streams/{stream}/live?after=0&seat=gull")
        operator = Follower(port, f"/streams/{stream}/live?after=0")
        following = [asyncio.create_task(one.follow()) for one in (nobody, operator)]
        await say(house, stream, "And goats.")
        await operator.until("3.1")
        assert nobody.events == []
        assert "bees" in json.dumps(operator.events)
    await asyncio.gather(*following)


async def test_what_cannot_be_followed_is_refused_before_it_begins(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    for path, given, status in (
        ("/streams/nowhere/live", None, 404),
        (f"/streams/{stream}/live?after=99", None, 404),
        (f"/streams/{stream}/live?after=x", None, 422),
        (f"/streams/{stream}/live", "greenroom-wrong", 401),
        (f"/streams/{stream}/live?seat=keeper", ticket, 403),
    ):
        answer = await house.caller(given).get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), path


async def test_a_connection_ends_when_its_person_is_forgotten(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    async with served(house) as port:
        ada = Follower(port, f"/streams/{stream}/live?after=0", ticket)
        following = asyncio.create_task(ada.follow())
        await ada.until("2.1")
        await house.house.forget("ada")
        async with asyncio.timeout(5):
            await ada.ended.wait()
            await following


async def test_a_connection_ends_within_a_second_after_its_ticket_was_taken_back(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    async with served(house) as port:
        ada = Follower(port, f"/streams/{stream}/live?after=0", ticket)
        following = asyncio.create_task(ada.follow())
        await ada.until("2.1")
        (found,) = await house.house.backend.tickets.list(owner="ada")
        await house.house.backend.tickets.revoke(found.digest)
        async with asyncio.timeout(1):
            await ada.ended.wait()
            await following


async def test_a_server_that_stops_lets_its_followers_go_at_once(house: Stage) -> None:
    stream, ticket = await house.visit("ada")
    ada = Follower(0, f"/streams/{stream}/live?after=0", ticket)
    async with served(house) as port:
        ada._port = port
        following = asyncio.create_task(ada.follow())
        await ada.until("2.1")
        begun = time.monotonic()
    assert time.monotonic() - begun < 2.0
    assert not ada.ended.is_set(), "it is to come back, the stream goes on"
    await following


@pytest.mark.parametrize("given", ["", "1.", ".1", "1.2.3", "-1", "1.-1", "x", "1e3", "²", "1" * 16])
def test_a_place_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(Malformed):
        Position.read(given)
