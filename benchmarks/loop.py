"""A closed loop: so many clients, each with one thing in hand, for so long."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

#: One client's next thing to do; it is given how many it has done.
Client = Callable[[int], Awaitable[object]]

#: Measures something in a file at a concurrency: (path, streams, warm, seconds).
Measure: TypeAlias = "Callable[[Path, int, float, float], Coroutine[Any, Any, Sample]]"

#: Where several processes measure at once: each waits here until all are ready to begin.
gate: threading.Barrier | None = None
GATE_SECONDS = 60


@dataclass(slots=True)
class Sample:
    """What one measurement saw after its warm-up."""

    count: int = 0
    seconds: float = 0.0
    errors: int = 0
    #: The first thing that went wrong.
    error: str = ""
    #: Milliseconds, in order.
    took: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        return self.count / self.seconds if self.seconds else 0.0


def centile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of an ordered sequence lies; 0 of nothing."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


async def closed_loop(clients: Sequence[Client], *, warm: float, seconds: float) -> Sample:
    """Let all clients go on for ``warm`` seconds, then count for ``seconds``."""
    if gate is not None:
        await asyncio.to_thread(gate.wait, GATE_SECONDS)
    sample, took, over = Sample(), list[float](), asyncio.Event()
    tasks = [asyncio.create_task(_go(client, sample, took, over)) for client in clients]
    await asyncio.sleep(warm)
    before, first, begun = sample.count, len(took), time.perf_counter()
    await asyncio.sleep(seconds)
    sample.seconds = time.perf_counter() - begun
    count, last = sample.count - before, len(took)
    over.set()
    await asyncio.gather(*tasks)
    sample.count, sample.took = count, sorted(took[first:last])
    return sample


async def _go(client: Client, sample: Sample, took: list[float], over: asyncio.Event) -> None:
    done = 0
    while not over.is_set():
        begun = time.perf_counter()
        try:
            await client(done)
        except Exception as error:  # noqa: BLE001  whatever a runtime under test raises is a failed turn, and counted
            sample.errors += 1
            sample.error = sample.error or f"{type(error).__name__}: {error}"
            await asyncio.sleep(0)
        else:
            sample.count += 1
            took.append((time.perf_counter() - begun) * 1000)
        done += 1
