"""A turn that is drafted before it is recorded, while somebody else is faster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from greenroom.adapters.clocks import VirtualClock
from greenroom.adapters.inmem import Shelf
from greenroom.adapters.models.scripted import ScriptedModels
from greenroom.bootstrap import assemble, backend
from greenroom.journal.records import Lease, Receipt, Recording
from greenroom.kernel.words import Words
from greenroom.services.house import House
from tests.crash.world import WORLDS, Say

START = 1_800_000_000_000_000


@dataclass(slots=True)
class Overtaken:
    """Attempts in which another process records first, once, in the same microsecond."""

    true: Any
    other: House
    keys: list[str]

    def __getattr__(self, verb: str) -> Any:
        return getattr(self.true, verb)

    async def record(self, recording: Recording, lease: Lease | None = None) -> Receipt:
        if self.keys:
            await self.other.record("inn", Say(text=Words("theirs")), seat="guest", key=self.keys.pop())
        receipt: Receipt = await self.true.record(recording, lease)
        return receipt


def _house(place: Shelf | Path) -> House:
    models = ScriptedModels(lambda ask, _: ask.sections[0].texts[0])
    return assemble(backend(place, WORLDS), WORLDS, models=models, clock=VirtualClock(START))


@pytest.mark.parametrize("key", ["ours", None])
@pytest.mark.parametrize("place", ["memory", "file"])
async def test_a_command_that_another_overtook_is_not_carried_out_in_its_place(
    tmp_path: Path, place: str, key: str | None
) -> None:
    where = Shelf() if place == "memory" else tmp_path / "house.db"
    ours, theirs = _house(where), _house(where)
    await ours.start("inn", {}, name="inn", seed=1)
    overtaken = Overtaken(ours.backend.attempts, theirs, ["theirs"])
    mine = assemble(
        replace(ours.backend, attempts=overtaken),
        WORLDS,
        models=ours.outside.models,
        clock=ours.outside.clock,
    )
    reply = await mine.send("inn", Say(text=Words("ours")), seat="guest", key=key)
    _, *attempts = await mine.backend.streams.attempts("inn")
    assert [(attempt.n, attempt.status) for attempt in attempts] == [(2, "settled"), (3, "settled")]
    assert attempts[0].key == "theirs"
    assert reply.n == 3
    again = await theirs.send("inn", Say(text=Words("theirs")), seat="guest", key="theirs")
    assert (again.n, again.new) == (2, False)
    assert "theirs" in str(again.body)
    assert "ours" in str(reply.body)
    for house in (ours, theirs):
        await house.close()
