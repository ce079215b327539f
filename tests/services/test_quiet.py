"""All is quiet only when nothing is on its way."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import assemble, backend, worker_of
from greenroom.journal.records import Lease, Receipt, Recording
from tests.crash.world import WORLDS

START = 1_800_000_000_000_000


@dataclass(slots=True)
class Late:
    """Attempts whose back-end answers late: a stream is held long before whoever asked hears of it."""

    true: Any
    stored: asyncio.Event = field(default_factory=asyncio.Event)
    answers: asyncio.Event = field(default_factory=asyncio.Event)

    def __getattr__(self, verb: str) -> Any:
        return getattr(self.true, verb)

    async def record(self, recording: Recording, lease: Lease | None = None) -> Receipt:
        receipt: Receipt = await self.true.record(recording, lease)
        self.stored.set()
        await self.answers.wait()
        return receipt


async def test_a_stream_that_was_taken_and_not_yet_heard_of_is_waited_for() -> None:
    back = backend(Shelf(), WORLDS)
    late = Late(back.attempts)
    models = ScriptedModels(lambda ask, _: "hm")
    house = assemble(replace(back, attempts=late), WORLDS, models=models, clock=VirtualClock(START))
    starting = asyncio.create_task(house.start("inn", {}, name="inn", seed=1))
    await late.stored.wait()
    quiet = asyncio.create_task(worker_of(house).quiet())
    await asyncio.wait({quiet}, timeout=0.05)
    assert not quiet.done()
    late.answers.set()
    await quiet
    assert (await house.backend.streams.get("inn")).version == 1
    assert (await starting).version == 1
    await house.close()
