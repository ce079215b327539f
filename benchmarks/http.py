"""Messages of players over HTTP, end to end: visits that come, talk and go, beside the bare framework."""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.client import LOADED, Line, Process, house_command, running
from benchmarks.loop import centile

#: What a server on two cores has to do.
LEAST_PER_SECOND = 300.0
MOST_P99_SECONDS = 1.0
#: Growth of the process from the second fifth to the last, after caches have filled.
MOST_GROWTH = 0.10

#: How many messages a visitor sends before another one comes.
VISIT = 20
#: Things visitors say.
SAID = (
    "Good evening.",
    "Who was aboard the Marigold?",
    "How long have you kept this light?",
    "Is the lamp hard to carry up?",
    "Tell me about the winter of the long fog.",
    "Do you ever leave the rock?",
    "What do you write in the ledger?",
    "I brought oranges.",
)


@dataclass(slots=True)
class Talk:
    """What one run of a load saw."""

    seconds: float = 0.0
    #: Seconds each message took.
    waits: list[float] = field(default_factory=list)
    visits: int = 0
    #: Messages whose reply was not 200, and messages acknowledged but not in the journal.
    errors: int = 0
    lost: int = 0
    #: Bytes of memory, once a second.
    memory: list[int] = field(default_factory=list)
    first_error: str = ""

    @property
    def per_second(self) -> float:
        return len(self.waits) / self.seconds if self.seconds else 0.0

    @property
    def p99(self) -> float:
        return centile(sorted(self.waits), 0.99)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpReport:
    connections: int
    seconds: float
    messages: int
    visits: int
    per_second: float
    p50_ms: float
    p99_ms: float
    errors: int
    lost: int
    first_error: str
    bare_per_second: float
    #: Bytes after caches have filled, and at the end.
    memory_early: int
    memory_late: int

    @property
    def growth(self) -> float:
        return self.memory_late / self.memory_early - 1 if self.memory_early else 0.0

    @property
    def ok(self) -> bool:
        return (
            self.per_second >= LEAST_PER_SECOND
            and self.p99_ms <= MOST_P99_SECONDS * 1000
            and not self.errors
            and not self.lost
        )

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "growth": self.growth, "ok": self.ok}

    def as_text(self) -> str:
        share = self.per_second / self.bare_per_second if self.bare_per_second else 0.0
        lines = [
            f"{self.connections} connections, {self.seconds:.0f} s, {self.visits} visits, understudy, recall by words",
            f"player messages        {self.per_second:8.0f} a second   (at least {LEAST_PER_SECOND:.0f})",
            f"the framework alone    {self.bare_per_second:8.0f} a second   (messages are {share:.0%} of it)",
            f"half answered within   {self.p50_ms:8.0f} ms",
            f"99 of 100 within       {self.p99_ms:8.0f} ms         (at most {MOST_P99_SECONDS * 1000:.0f})",
            f"errors, lost           {self.errors:8d}, {self.lost}       {self.first_error}",
            f"memory                 {self.memory_early / 2**20:8.0f} MB, then {self.memory_late / 2**20:.0f} MB "
            f"({self.growth:+.1%})",
        ]
        return "\n".join(lines)


def run(*, connections: int = 64, seconds: float = 10.0, folder: Path) -> HttpReport:
    """Measure the framework alone, then a house; each server is one process, the load comes from this one."""
    return asyncio.run(measure(connections=connections, seconds=seconds, folder=folder))


async def measure(*, connections: int, seconds: float, folder: Path, bare: bool = True) -> HttpReport:
    """See :func:`run`."""
    plain = Talk()
    if bare:
        async with running([sys.executable, "-P", str(Path(__file__).with_name("bare.py"))]) as framework:
            plain = await load(framework, connections, min(seconds, 5.0), _nothing)
    with tempfile.TemporaryDirectory(dir=folder, prefix="bench-http-") as home:
        async with running(house_command(Path(home)), LOADED) as house:
            talk = await load(house, connections, seconds, _visit)
            await house.stop()
    return report_of(talk, plain, connections)


def report_of(talk: Talk, plain: Talk, connections: int) -> HttpReport:
    fifth = max(1, len(talk.memory) // 5)
    early, late = talk.memory[fifth : 2 * fifth] or talk.memory, talk.memory[-fifth:]
    return HttpReport(
        connections=connections,
        seconds=talk.seconds,
        messages=len(talk.waits),
        visits=talk.visits,
        per_second=talk.per_second,
        p50_ms=centile(sorted(talk.waits), 0.5) * 1000,
        p99_ms=talk.p99 * 1000,
        errors=talk.errors,
        lost=talk.lost,
        first_error=talk.first_error,
        bare_per_second=plain.per_second,
        memory_early=round(statistics.median(early)) if early else 0,
        memory_late=round(statistics.median(late)) if late else 0,
    )


Player = Callable[[Line, Talk, float], Awaitable[None]]


async def load(server: Process, connections: int, seconds: float, player: Player) -> Talk:
    """So many players at once, each as fast as he is answered, for so long."""
    talk = Talk()
    lines = [await Line.open(server.port) for _ in range(connections)]
    began = time.perf_counter()
    watching = asyncio.create_task(_watch(server, talk))
    try:
        await asyncio.gather(*(player(line, talk, began + seconds) for line in lines))
    finally:
        watching.cancel()
        talk.seconds = time.perf_counter() - began
        for line in lines:
            await line.close()
    return talk


async def _watch(server: Process, talk: Talk) -> None:
    while True:
        talk.memory.append(server.resident())
        await asyncio.sleep(1.0)


async def _nothing(line: Line, talk: Talk, until: float) -> None:
    while time.perf_counter() < until:
        begun = time.perf_counter()
        await line.ask("POST", "/say", {"text": "Good evening."})
        talk.waits.append(time.perf_counter() - begun)


async def _visit(line: Line, talk: Talk, until: float) -> None:
    """One visit after another: come, talk, look whether everything is there."""
    while time.perf_counter() < until:
        arrived = (await line.ask("POST", "/lighthouse/visits")).data
        stream, ticket = arrived["stream"], arrived["ticket"]
        talk.visits += 1
        said: dict[str, Any] = {}
        for i in range(VISIT):
            if time.perf_counter() >= until:
                break
            begun = time.perf_counter()
            told = await line.ask(
                "POST", f"/lighthouse/visits/{stream}/say", {"text": SAID[i % len(SAID)]}, ticket=ticket, key=f"m{i}"
            )
            talk.waits.append(time.perf_counter() - begun)
            if told.status == 200:
                said[f"m{i}"] = told.data
            else:
                talk.errors += 1
                talk.first_error = talk.first_error or told.body.decode(errors="replace")[:300]
        talk.lost += await _missing(line, stream, ticket, said)


async def _missing(line: Line, stream: str, ticket: str, said: dict[str, Any]) -> int:
    """How many replies that were given are not in the journal as they were given."""
    page = (await line.ask("GET", f"/streams/{stream}/attempts?limit=500", ticket=ticket)).data
    settled = {attempt["attempt"]: attempt["version"] for attempt in page["attempts"]}
    return sum(settled.get(reply["attempt"]) != reply["version"] for reply in said.values())
