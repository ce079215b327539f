"""Real server processes: killed in the middle of everything, and under load."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks import http as bench
from benchmarks.client import LOADED, Line, Process, begin, house_command, running
from tests.conftest import NewHome
from tests.counts import SOAK, count, report
from tests.houses import HOUSES

MESSAGES = count(30, soak=100)


async def arrive(port: int) -> tuple[Line, str, str]:
    line = await Line.open(port)
    visit = (await line.ask("POST", "/lighthouse/visits")).data
    return line, visit["stream"], visit["ticket"]


async def say(line: Line, stream: str, ticket: str) -> Any:
    """One message with its key; None when the server died before it answered."""
    try:
        answer = await line.ask(
            "POST", f"/lighthouse/visits/{stream}/say", {"text": f"I am {stream}."}, ticket=ticket, key="message"
        )
    except ConnectionError:
        return None
    assert answer.status == 200, answer
    return answer.data


async def killed_in_the_middle(server: Process, visits: list[tuple[Line, str, str]]) -> dict[str, Any]:
    """All say something at once; when a third has been answered the server is killed. The replies, by stream."""
    replies: dict[str, Any] = {}
    third = asyncio.Event()

    async def one(line: Line, stream: str, ticket: str) -> None:
        reply = await say(line, stream, ticket)
        if reply is not None:
            replies[stream] = reply
            if len(replies) >= MESSAGES // 3:
                third.set()

    saying = [asyncio.create_task(one(*visit)) for visit in visits]
    async with asyncio.timeout(30):
        await third.wait()
    await server.kill()
    await asyncio.gather(*saying)
    for line, _, _ in visits:
        await line.close()
    return replies


async def attempts(line: Line, stream: str, ticket: str) -> list[Any]:
    found: list[Any] = (await line.ask("GET", f"/streams/{stream}/attempts", ticket=ticket)).data["attempts"]
    return found


async def all_settled(line: Line, visits: list[tuple[Line, str, str]]) -> dict[str, Any]:
    """What became of every recorded message; nobody repeats anything, the house goes on by itself."""
    async with asyncio.timeout(60):
        while True:
            found = {stream: await attempts(line, stream, ticket) for _, stream, ticket in visits}
            if all(attempt["status"] != "open" for own in found.values() for attempt in own):
                return {stream: own[0] for stream, own in found.items() if own}
            await asyncio.sleep(0.1)


async def test_a_house_that_is_killed_answers_every_recorded_message_and_repeats_that_answer(
    tmp_path: Path, new_home: NewHome
) -> None:
    lost = 0
    for i in range(count(1, soak=20)):
        home = new_home(tmp_path / str(i))
        environment = {**LOADED, **HOUSES.environment(home)}
        server = await begin(house_command(home), environment)
        visits = await asyncio.gather(*(arrive(server.port) for _ in range(MESSAGES)))
        replies = await killed_in_the_middle(server, visits)
        async with running(house_command(home), environment) as again:
            line = await Line.open(again.port)
            settled = await all_settled(line, visits)
            assert set(replies) <= set(settled), "whatever was acknowledged is recorded"
            assert all(attempt["status"] == "settled" for attempt in settled.values())
            for _, stream, ticket in visits:
                told = await say(line, stream, ticket)
                assert told["new"] is (stream not in settled)
                if stream in replies:
                    assert told == {**replies[stream], "new": False}
                number = told["attempt"]
                one = (await line.ask("GET", f"/streams/{stream}/attempts/{number}", ticket=ticket)).data
                assert one["reply"] == told["reply"]
                assert [a["attempt"] for a in await attempts(line, stream, ticket)] == [number], "said once"
            lost += len(settled) - len(replies)
            await line.close()
            assert await again.stop() == 0
    report(
        f"http: killed {count(1, soak=20)} times during {MESSAGES} messages; {lost} recorded and not yet answered; "
        "all were answered after the restart"
    )


@pytest.mark.alone
async def test_a_house_under_load_loses_nothing(tmp_path: Path) -> None:
    """With small counts this shows that it holds; how fast it is is measured with the large ones."""
    connections, seconds = count(8, soak=64), float(count(1, soak=300))
    with HOUSES.at(tmp_path):
        measured = await bench.measure(connections=connections, seconds=seconds, folder=tmp_path, bare=SOAK)
    assert (measured.errors, measured.lost, measured.first_error) == (0, 0, "")
    assert measured.messages > 10
    report("http: " + measured.as_text().replace("\n", "\nhttp: "))
    if SOAK:
        assert measured.per_second >= bench.LEAST_PER_SECOND
        assert measured.p99_ms <= bench.MOST_P99_SECONDS * 1000
        assert abs(measured.growth) <= bench.MOST_GROWTH


async def test_the_log_of_a_server_is_json_and_tells_nothing_secret(tmp_path: Path, new_home: NewHome) -> None:
    home = new_home(tmp_path / "home")
    server = await asyncio.create_subprocess_exec(
        *house_command(home),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **LOADED, **HOUSES.environment(home)},
    )
    assert server.stdout is not None
    ready = json.loads(await server.stdout.readline())
    line = await Line.open(int(ready["address"].rpartition(":")[2]))
    visit = (await line.ask("POST", "/lighthouse/visits")).data
    assert (await say(line, visit["stream"], visit["ticket"]))["reply"]["line"]
    assert (await line.ask("GET", "/tickets", ticket=ready["ticket"])).status == 200
    await line.close()
    server.terminate()
    _, log = await server.communicate()
    assert server.returncode == 0
    told = [json.loads(text) for text in log.splitlines()]
    assert {"/lighthouse/visits/{name}/say", "/tickets"} <= {entry.get("route") for entry in told}
    for secret in (visit["ticket"], ready["ticket"], visit["stream"], visit["owner"], "I am"):
        assert secret.encode() not in log
