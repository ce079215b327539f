"""The contract of ``History.settle`` for drafts, which the same transaction records."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from greenroom.journal.records import Settled, Settlement
from greenroom.journal.transitions import command_memory
from greenroom.kernel.errors import Conflict
from greenroom.ports import Backend
from greenroom.testing.contract import Contract
from greenroom.testing.records import (
    HOUR,
    MINUTE,
    NOW,
    SECOND,
    Scribe,
    changed,
    guest,
    lease,
    memory,
    post,
    steps_after,
)


class DraftContract(Contract):
    """A draft is recorded by the same transaction that settles it."""

    async def test_a_draft_is_recorded_and_settled_at_once(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        settled = await scribe.settle_draft(await scribe.draft(now=NOW + SECOND))
        assert (settled.attempt.n, settled.attempt.at, settled.attempt.status) == (2, NOW + SECOND, "settled")
        assert await backend.attempts.find("s", 2) == settled.attempt
        stream = await backend.streams.get("s")
        assert (stream.version, stream.recorded, stream.recorded_at, stream.open) == (2, 2, NOW + SECOND, 0)

    @pytest.mark.parametrize("steps", [1, 0])
    @pytest.mark.parametrize("heard", [True, False])
    async def test_a_draft_leaves_the_same_as_recording_claiming_and_settling(
        self, scribe: Scribe, steps: int, *, heard: bool
    ) -> None:
        leads: dict[str, Any] = {"steps": steps, "status": "settled" if steps else "refused", "wake_at": NOW + HOUR}
        if steps:
            leads |= {"changes": ((2, guest(1)),), "letters": (post(),)}
        for name in ("s", "t"):
            await scribe.born(name)
        ids = {name: command_memory(name, 2, 0) for name in ("s", "t")}
        for name in ("s", "t"):
            memories = ((2, memory(ids[name], None, at=NOW + SECOND)),) if heard and steps else ()
            fields: dict[str, Any] = {"texts": ("hello",), "person": "bob", "now": NOW + SECOND}
            if name == "s":
                await scribe.settle_draft(await scribe.draft(name, **fields), memories=memories, **leads)
            else:
                await scribe.turn(name, memories=memories, **fields, **leads)
        one, other = await scribe.whole("s"), await scribe.whole("t")
        assert [(a.key, a.status, a.base, a.version, a.at) for a in one["attempts"]] == [
            (a.key, a.status, a.base, a.version, a.at) for a in other["attempts"]
        ]
        assert one["rows"] == other["rows"]
        assert [(changed(m.memory, id=""), m.version) for m in one["memories"]] == [
            (changed(m.memory, id=""), m.version) for m in other["memories"]
        ]
        assert changed(one["stream"], name="", token=0) == changed(other["stream"], name="", token=0)

    async def test_a_draft_that_clashes_is_recorded_as_refused(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")),))
        await scribe.born("t")
        settled = await scribe.settle_draft(
            await scribe.draft("t", texts=("hello",)), changes=((2, guest(1, email="a@b.c")),)
        )
        assert (settled.attempt.status, settled.attempt.error) == ("refused", "this e-mail is already registered")
        assert await backend.bank.get([command_memory("t", 2, 0)]) == {command_memory("t", 2, 0): "hello"}

    async def test_a_draft_whose_row_breaks_its_table_is_recorded_as_failed(self, scribe: Scribe) -> None:
        await scribe.born()
        settled = await scribe.settle_draft(await scribe.draft(), changes=((2, guest(1, mood="furious")),))
        assert (settled.attempt.status, settled.stream.version, settled.stream.recorded) == ("failed", 1, 2)

    async def test_after_a_draft_the_next_work_comes_back(self, scribe: Scribe) -> None:
        await scribe.born()
        settled = await scribe.settle_draft(await scribe.draft(), wake_at=NOW)
        assert settled.next is not None
        assert settled.next.attempt.rank == 0

    async def test_of_many_drafts_at_once_one_is_written(self, scribe: Scribe) -> None:
        await scribe.born()
        drafts = [await scribe.draft(key=f"k{i}") for i in range(10)]
        settled = await asyncio.gather(*map(scribe.settle_draft, drafts), return_exceptions=True)
        assert len([one for one in settled if isinstance(one, Settled)]) == 1
        assert len([one for one in settled if isinstance(one, Conflict)]) == 9
        assert (await scribe.backend.streams.get("s")).recorded == 2

    # every way in which the stream may have moved on

    async def conflicts(self, scribe: Scribe, settlement: Settlement, stream: str = "s") -> None:
        before = await scribe.whole(stream)
        with pytest.raises(Conflict):
            await scribe.backend.history.settle(settlement)
        assert await scribe.whole(stream) == before

    async def drafted(self, scribe: Scribe, stream: str = "s", **more: Any) -> Settlement:
        return await scribe.settlement(await scribe.draft(stream, "late", **more), lease=lease())

    async def test_a_draft_on_an_older_version_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        late = await self.drafted(scribe)
        await scribe.turn()
        await self.conflicts(scribe, late)

    async def test_a_draft_behind_an_open_attempt_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        late = await self.drafted(scribe)
        await scribe.record()
        await self.conflicts(scribe, late)

    async def test_a_draft_behind_a_refused_attempt_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        late = await self.drafted(scribe)
        await scribe.turn(steps=0, status="refused", error="no")
        await self.conflicts(scribe, late)

    async def test_a_draft_on_a_held_stream_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.taken()
        await self.conflicts(scribe, await self.drafted(scribe))

    async def test_a_draft_on_a_stream_that_waits_for_a_child_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.born("a", player="s")
        await scribe.backend.attempts.release(await scribe.taken(), children=("a",))
        await self.conflicts(scribe, await self.drafted(scribe))

    async def test_a_draft_over_a_wake_that_is_due_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW + MINUTE)
        await self.conflicts(scribe, await self.drafted(scribe, now=NOW + MINUTE))
        assert (await scribe.settle_draft(await scribe.draft(now=NOW + MINUTE - 1))).attempt.status == "settled"

    async def test_a_draft_whose_key_is_used_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.turn(key="k1")
        await self.conflicts(scribe, await scribe.settlement(await scribe.draft(key="k1"), lease=lease()))

    async def test_a_draft_whose_key_was_used_in_the_shared_past_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.turn(key="k1")
        await scribe.branch("b", at=2)
        await self.conflicts(scribe, await scribe.settlement(await scribe.draft("b", "k1"), lease=lease()), "b")

    async def test_a_draft_before_the_last_recorded_moment_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        late = await self.drafted(scribe, now=NOW + MINUTE)
        moved = changed(late.claim, attempt=changed(late.claim.attempt, at=NOW - MINUTE))
        await self.conflicts(scribe, changed(late, claim=moved, steps=steps_after(moved, 1)))

    async def test_a_draft_on_a_sandbox_whose_clock_was_moved_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b")
        late = await self.drafted(scribe, "b")
        await scribe.backend.streams.advance("b", NOW + HOUR)
        await self.conflicts(scribe, late, "b")
