"""The contract of ``History``: what happened, whole or not at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from greenroom.kernel.desk import command_memory
from greenroom.kernel.errors import Conflict, Forgotten, GreenroomError, OutOfRange, Unknown
from greenroom.kernel.journal import Settled, Settlement
from greenroom.kernel.letters import Cancel
from greenroom.kernel.ports import Backend
from greenroom.kernel.tables import Patch, Put
from greenroom.kernel.words import Scope
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import (
    GUESTS,
    HOUR,
    LOG,
    MINUTE,
    NOW,
    SECOND,
    WORLD,
    YEAR,
    Scribe,
    answer,
    changed,
    entry,
    guest,
    keys,
    lease,
    memory,
    opening,
    post,
    snapshot,
    state_bytes,
    steps_after,
)


class SettleContract(Contract):
    """Write everything an attempt led to, in one transaction, and give the stream back."""

    async def test_everything_an_attempt_led_to_is_written_together(
        self, backend: Backend, scribe: Scribe, reopen: Reopen
    ) -> None:
        await scribe.born()
        claim = await scribe.taken(texts=("hello",))
        settled = await scribe.settle(
            claim,
            steps=2,
            snapshots=(snapshot(3),),
            changes=((2, guest(1, email="a@b.c")), (3, Put(LOG.name, {"id": "x"}))),
            letters=(post("l1", words="s/2.0"),),
            memories=((2, memory("s/2.0", "good day")), (2, memory(command_memory("s", 2, 0), None))),
            kept=b'{"0":[3]}',
            ledger=(entry(0, cost=3),),
            wake_at=NOW + HOUR,
            outcome=b'"over"',
        )
        assert (settled.attempt.status, settled.attempt.base, settled.attempt.version) == ("settled", 1, 3)
        assert settled.attempt.kept == b'{"0":[3]}'
        before = await scribe.whole()
        again = Scribe(await reopen())
        whole = await again.whole()
        assert whole == before
        assert whole["stream"] == settled.stream
        assert (whole["stream"].version, whole["stream"].outcome) == (3, b'"over"')
        assert whole["attempts"][1] == settled.attempt
        assert [step.version for step in whole["steps"]] == [1, 2, 3]
        assert whole["loaded"][3].snapshot == snapshot(3)
        assert [row["email"] for row in whole["rows"][GUESTS.name]] == ["a@b.c"]
        assert [letter.key for letter in whole["letters"]] == ["l1"]
        assert [(m.memory.text, m.version) for m in whole["memories"]] == [("good day", 2), ("hello", 2)]
        assert whole["ledger"] == [(2, entry(0, cost=3))]
        assert await again.backend.attempts.next_at() == NOW + HOUR

    async def test_the_stream_is_given_back(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.turn(key="k1")
        stream = await backend.streams.get("s")
        assert (stream.holder, stream.busy_until, stream.open) == (None, 0, 0)
        await scribe.taken(key="k2")

    async def test_an_attempt_without_steps_makes_no_version(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        settled = await scribe.turn(steps=0, status="refused", error="not today")
        assert (settled.attempt.status, settled.attempt.error) == ("refused", "not today")
        assert (settled.attempt.base, settled.attempt.version, settled.stream.version) == (1, 1, 1)

    async def test_with_a_lease_the_next_work_comes_back_as_a_claim(self, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken(key="k1")
        await scribe.record(key="k2")
        settled = await scribe.settle(claim, lease=lease())
        assert settled.next is not None
        assert settled.next.attempt.key == "k2"
        assert await scribe.claim(worker="bob") == []
        last = await scribe.settle(settled.next, lease=lease())
        assert last.next is None

    async def test_with_a_lease_a_due_wake_comes_back_and_a_later_one_does_not(self, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken(key="k1")
        settled = await scribe.settle(claim, lease=lease(), wake_at=NOW + MINUTE, now=NOW + MINUTE)
        assert settled.next is not None
        assert (settled.next.attempt.rank, settled.next.attempt.at) == (0, NOW + MINUTE)
        assert (await scribe.settle(settled.next, lease=lease(), wake_at=NOW + HOUR, now=NOW + MINUTE)).next is None

    async def test_answers_stored_for_the_next_attempt_come_with_its_claim(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(wake_at=NOW + MINUTE)
        await scribe.record(now=NOW)
        (claim,) = await scribe.claim()
        await backend.attempts.answer(claim, [answer(0)])
        await backend.attempts.release(claim)
        (claim,) = await scribe.claim()
        assert claim.answers == (answer(0),)

    async def test_without_a_lease_nothing_comes_back(self, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken(key="k1")
        await scribe.record(key="k2")
        assert (await scribe.settle(claim)).next is None
        assert keys(await scribe.claim()) == ["k2"]

    @pytest.mark.parametrize("gap", [-1, 1])
    async def test_steps_that_do_not_continue_the_stream_are_a_conflict_and_nothing_is_written(
        self, scribe: Scribe, gap: int
    ) -> None:
        await scribe.born(steps=2)
        claim = await scribe.taken()
        elsewhere = changed(claim, stream=changed(claim.stream, version=claim.stream.version + gap))
        settlement = changed(await scribe.settlement(claim), steps=steps_after(elsewhere, 1))
        before = await scribe.whole()
        with pytest.raises(Conflict):
            await scribe.backend.history.settle(settlement)
        assert await scribe.whole() == before
        await scribe.settle(claim)

    async def test_a_version_left_out_between_two_steps_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born()
        settlement = await scribe.settlement(await scribe.taken(), steps=3)
        before = await scribe.whole()
        with pytest.raises(Conflict):
            await scribe.backend.history.settle(changed(settlement, steps=(settlement.steps[0], settlement.steps[2])))
        assert await scribe.whole() == before

    # outcomes

    async def test_the_first_outcome_wakes_the_stream_that_plays_this_one(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s")
        claim = await scribe.taken("s")
        await scribe.born("a", player="s")
        await backend.attempts.release(claim, children=("a",))
        assert (await backend.streams.get("s")).waiting
        await scribe.turn("a", outcome=b'"won"')
        assert not (await backend.streams.get("s")).waiting
        assert (await backend.streams.get("a")).outcome == b'"won"'

    async def test_an_outcome_reaches_nobody_where_the_player_is_gone(self, scribe: Scribe) -> None:
        await scribe.born("a", player="nobody")
        assert (await scribe.turn("a", outcome=b'"won"')).stream.outcome == b'"won"'

    # memories

    async def test_words_that_were_heard_keep_their_text_and_get_their_place(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(owner="ada")
        heard = memory(command_memory("s", 2, 0), None, agent="keeper", kind="claim", speaker="guest", meta={"a": 1})
        await scribe.turn(texts=("hello",), person="bob", memories=((2, heard),))
        (stored,) = await backend.bank.of_stream("s")
        assert stored.version == 2
        assert stored.memory == changed(heard, text="hello", owner="bob")

    async def test_words_that_no_agent_heard_belong_to_no_version_and_nobody_recalls_them(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(owner="ada")
        await scribe.turn(texts=("hello",))
        assert [stored.version for stored in await backend.bank.of_stream("s")] == [None]
        assert await backend.bank.count(Scope(world=WORLD, owner="ada")) == 0

    async def test_words_of_a_refused_attempt_belong_to_no_version(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.turn(texts=("hello",), steps=0, status="refused", error="no")
        assert [stored.version for stored in await backend.bank.of_stream("s")] == [None]


class UniqueContract(Contract):
    """A unique column that holds the value already turns the settlement into a refusal."""

    async def refused(self, scribe: Scribe, settled: Settled, sentence: str) -> None:
        attempt, stream = settled.attempt, settled.stream
        assert (attempt.status, attempt.error) == ("refused", sentence)
        assert (attempt.base, attempt.version) == (stream.version, stream.version)
        whole = await scribe.whole(stream.name)
        assert len(whole["steps"]) == stream.version
        assert whole["letters"] == []
        assert [stored for stored in whole["memories"] if stored.version == stream.version + 1] == []

    async def test_the_refusal_is_that_columns_sentence_and_nothing_else_is_written(self, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")),))
        await scribe.born("t")
        settled = await scribe.turn(
            "t",
            changes=((2, guest(1, email="a@b.c")),),
            letters=(post(words="t/2.0"),),
            memories=((2, memory("t/2.0")),),
            ledger=(entry(0, cost=4),),
        )
        await self.refused(scribe, settled, "this e-mail is already registered")
        assert (await scribe.whole("t"))["ledger"] == [(2, entry(0, cost=4))]

    async def test_a_refused_stream_keeps_its_wake_and_goes_on(self, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")),))
        await scribe.born("t", wake_at=NOW + HOUR)
        await scribe.turn("t", "k1", changes=((2, guest(1, email="a@b.c")),), wake_at=NOW + YEAR)
        assert (await scribe.turn("t", "k2", changes=((2, guest(1, email="d@e.f")),))).attempt.status == "settled"
        (wake,) = await scribe.claim(now=NOW + HOUR)
        assert wake.attempt.at == NOW + HOUR

    async def test_a_row_does_not_stand_in_its_own_way(self, scribe: Scribe) -> None:
        await scribe.born(changes=((1, guest(1, email="a@b.c")),))
        changes = ((2, guest(1, email="a@b.c")), (2, Patch(GUESTS.name, {"seat": 1}, {"email": "a@b.c"})))
        assert (await scribe.turn(changes=changes)).attempt.status == "settled"

    async def test_another_row_of_the_same_stream_does(self, scribe: Scribe) -> None:
        await scribe.born(changes=((1, guest(1, email="a@b.c")),))
        settled = await scribe.turn(changes=((2, guest(2, email="a@b.c")),))
        await self.refused(scribe, settled, "this e-mail is already registered")

    async def test_two_rows_of_one_settlement_do(self, scribe: Scribe) -> None:
        await scribe.born()
        settled = await scribe.turn(changes=((2, guest(1, email="a@b.c")), (2, guest(2, email="a@b.c"))))
        await self.refused(scribe, settled, "this e-mail is already registered")

    async def test_a_patch_can_clash_too(self, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")),))
        await scribe.born("t", changes=((1, guest(1)),))
        settled = await scribe.turn("t", changes=((2, Patch(GUESTS.name, {"seat": 1}, {"email": "a@b.c"})),))
        await self.refused(scribe, settled, "this e-mail is already registered")

    async def test_a_patch_of_one_column_of_a_pair_can_clash_too(self, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, floor=1, room=1)),))
        await scribe.born("t", changes=((1, guest(1, floor=1, room=2)),))
        settled = await scribe.turn("t", changes=((2, Patch(GUESTS.name, {"seat": 1}, {"room": 1})),))
        await self.refused(scribe, settled, "this room is taken")

    async def test_empty_values_never_clash(self, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, floor=1)),))
        assert (await scribe.born("t", changes=((1, guest(1, floor=1)),))).version == 1

    async def test_a_value_that_was_given_up_is_free(self, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")),))
        await scribe.turn("s", changes=((2, guest(1, email="d@e.f")),))
        assert (await scribe.born("t", changes=((1, guest(1, email="a@b.c")),))).version == 1

    async def test_branches_are_exempt(self, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")),))
        await scribe.branch("b")
        taken = await scribe.turn("b", changes=((2, guest(1, email="a@b.c")), (2, guest(2, email="x@y.z"))))
        assert taken.attempt.status == "settled"
        assert (await scribe.born("t", changes=((1, guest(1, email="x@y.z")),))).version == 1

    async def test_of_twenty_settlements_at_once_one_clash_harms_nobody(self, scribe: Scribe) -> None:
        settlements = await self.crowd(scribe, 20, {13: {"email": "a7@b.c"}})
        settled = await asyncio.gather(*map(scribe.backend.history.settle, settlements))
        refused = [one for one in settled if one.attempt.status == "refused"]
        assert len(refused) == 1
        assert refused[0].stream.name in ("s7", "s13")
        await self.refused(scribe, refused[0], "this e-mail is already registered")
        for one in settled:
            if one not in refused:
                assert (one.attempt.status, one.stream.version) == ("settled", 2)
                assert len((await scribe.whole(one.stream.name))["steps"]) == 2

    async def test_a_row_that_breaks_its_table_fails_its_own_attempt_for_good(self, scribe: Scribe) -> None:
        settlements = await self.crowd(scribe, 20, {5: {"mood": "furious"}})
        settled = await asyncio.gather(*map(scribe.backend.history.settle, settlements))
        assert [one.stream.name for one in settled if one.attempt.status != "settled"] == ["s5"]
        failed = settled[5]
        assert (failed.attempt.status, failed.stream.version, failed.stream.open) == ("failed", 1, 0)
        assert failed.attempt.error
        assert "furious" not in failed.attempt.error
        assert await scribe.claim() == []
        assert (await scribe.whole("s5"))["rows"][GUESTS.name] == []

    @pytest.mark.parametrize(
        "broken",
        [
            Put("proof_nowhere", {"seat": 1}),
            Put(GUESTS.name, {"email": "no key"}),
            Put(GUESTS.name, {"seat": 1, "nothing": "of that name"}),
            Put(GUESTS.name, {"seat": 1 << 70}),
            Put(GUESTS.name, {"seat": 1, "email": "\ud800"}),
            Put(GUESTS.name, {"seat": 1, "email": object()}),
            Put(LOG.name, {"id": "x", "facts": {"a": object()}}),
        ],
        ids=["table", "key", "column", "number", "surrogate", "object", "json"],
    )
    async def test_a_row_that_cannot_be_written_harms_no_neighbour(self, scribe: Scribe, broken: Put) -> None:
        settlements = await self.crowd(scribe, 8, {})
        settlements[3] = changed(settlements[3], changes=((2, broken),))
        settled = await asyncio.gather(*map(scribe.backend.history.settle, settlements), return_exceptions=True)
        for i, one in enumerate(settled):
            if i != 3:
                assert isinstance(one, Settled)
                assert one.stream.version == 2
        bad = settled[3]
        assert isinstance(bad, GreenroomError) or (isinstance(bad, Settled) and bad.attempt.status == "failed")
        assert (await scribe.backend.streams.get("s3")).version == 1
        await scribe.born("after")

    async def crowd(self, scribe: Scribe, count: int, odd: dict[int, dict[str, Any]]) -> list[Settlement]:
        made = []
        for i in range(count):
            await scribe.born(f"s{i}")
            row = guest(1, **({"email": f"a{i}@b.c"} | odd.get(i, {})))
            made.append(await scribe.settlement(await scribe.taken(f"s{i}"), changes=((2, row),)))
        return made


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


class LoadContract(Contract):
    """The newest snapshot at or below a version and the steps after it, through the lineage."""

    async def test_every_version_loads_whole_from_the_newest_snapshot_below(self, scribe: Scribe) -> None:
        await scribe.born(steps=3, snapshots=(snapshot(2),))
        await scribe.turn(steps=4, snapshots=(snapshot(5),))
        for version in range(8):
            loaded = await scribe.backend.history.load("s", version)
            stands = max((at for at in (2, 5) if at <= version), default=0)
            assert loaded.version == version
            assert (loaded.snapshot and loaded.snapshot.version) == (stands or None)
            assert (loaded.stood and loaded.stood.version) == (stands or None)
            assert [step.version for step in loaded.steps] == list(range(stands + 1, version + 1))
            if loaded.snapshot is not None:
                assert loaded.snapshot.state == state_bytes(stands)

    async def test_without_a_version_the_newest_is_loaded(self, scribe: Scribe) -> None:
        await scribe.born(steps=3)
        loaded = await scribe.backend.history.load("s")
        assert (loaded.version, len(loaded.steps)) == (3, 3)
        assert loaded.stream == await scribe.backend.streams.get("s")

    async def test_without_snapshots_every_step_is_loaded(self, scribe: Scribe) -> None:
        await scribe.born(steps=3, snapshots=(snapshot(2),))
        loaded = await scribe.backend.history.load("s", 3, snapshots=False)
        assert (loaded.snapshot, loaded.stood) == (None, None)
        assert [step.version for step in loaded.steps] == [1, 2, 3]

    @pytest.mark.parametrize("snapshots", [True, False])
    async def test_every_version_loads_through_a_chain_of_branches(self, scribe: Scribe, *, snapshots: bool) -> None:
        await scribe.born("s", steps=4, snapshots=(snapshot(3),))
        await scribe.branch("b", "s", at=2)
        await scribe.turn("b", steps=3, snapshots=(snapshot(3),))
        await scribe.branch("c", "b", at=4)
        await scribe.turn("c", steps=2)
        owner = {1: "s", 2: "s", 3: "b", 4: "b", 5: "c", 6: "c"}
        for version in range(7):
            loaded = await scribe.backend.history.load("c", version, snapshots=snapshots)
            stands = 3 if snapshots and version >= 3 else 0
            assert (loaded.snapshot and loaded.snapshot.version) == (stands or None)
            told = [(step.version, owner[step.version].encode() in step.events) for step in loaded.steps]
            assert told == [(v, True) for v in range(stands + 1, version + 1)]
        walked = [step async for step in scribe.backend.history.steps("c", 1, 5)]
        assert [step.version for step in walked] == [2, 3, 4, 5]
        assert all(owner[step.version].encode() in step.events for step in walked)

    async def test_a_snapshot_of_the_parent_beyond_the_fork_is_not_the_branchs(self, scribe: Scribe) -> None:
        await scribe.born("s", steps=4, snapshots=(snapshot(1), snapshot(3)))
        await scribe.branch("b", at=2)
        await scribe.turn("b", steps=3)
        loaded = await scribe.backend.history.load("b", 5)
        assert loaded.snapshot == snapshot(1)

    async def test_a_long_history_is_walked_in_order_however_many_steps(self, scribe: Scribe) -> None:
        await scribe.born(steps=1203)
        walked = [step.version async for step in scribe.backend.history.steps("s", 1, 1203)]
        assert walked == list(range(2, 1204))

    @pytest.mark.parametrize("version", [-1, 3, 99])
    async def test_a_version_the_stream_does_not_hold_is_out_of_range(self, scribe: Scribe, version: int) -> None:
        await scribe.born(steps=2)
        with pytest.raises(OutOfRange):
            await scribe.backend.history.load("s", version)

    async def test_a_version_of_the_parent_beyond_the_fork_is_out_of_range(self, scribe: Scribe) -> None:
        await scribe.born(steps=3)
        await scribe.branch("b", at=2)
        with pytest.raises(OutOfRange):
            await scribe.backend.history.load("b", 3)

    async def test_a_stream_that_is_not_open_yet_loads_at_version_none(self, backend: Backend) -> None:
        await backend.attempts.record(opening())
        loaded = await backend.history.load("s")
        assert (loaded.version, loaded.snapshot, loaded.steps) == (0, None, ())

    async def test_an_unknown_stream_is_told_from_a_forgotten_one(self, backend: Backend, scribe: Scribe) -> None:
        with pytest.raises(Unknown):
            await backend.history.load("s")
        await scribe.born(owner="ada")
        await backend.upkeep.forget("ada", now=NOW)
        with pytest.raises(Forgotten):
            await backend.history.load("s")


class ForkContract(Contract):
    """Make a branch: a pointer, asleep and mute."""

    async def test_a_branch_is_asleep_and_mute_on_a_standing_clock(self, scribe: Scribe) -> None:
        await scribe.born(steps=2)
        branch = await scribe.branch("b", at=1, seed=99, now=NOW + HOUR, wake_at=NOW + MINUTE)
        assert branch == await scribe.backend.streams.get("b")
        assert (branch.parent, branch.forked_at, branch.version) == ("s", 1, 1)
        assert (branch.awake, branch.mute, branch.clock_at, branch.ready_at) == (False, True, NOW, None)
        assert (branch.seed, branch.born_at, branch.owner, branch.world) == (99, NOW + HOUR, "ada", "proof")
        assert (branch.open, branch.token, branch.holder) == (0, 0, None)

    async def test_a_branch_may_have_an_owner_of_its_own(self, scribe: Scribe) -> None:
        await scribe.born(owner="ada")
        assert (await scribe.branch("b", owner="bob")).owner == "bob"

    async def test_a_branch_shares_its_past_and_keeps_its_own_future(self, scribe: Scribe) -> None:
        await scribe.born(steps=3)
        await scribe.branch("b", at=2)
        await scribe.turn("b", steps=2)
        await scribe.turn("s", steps=1)
        s, b = await scribe.whole("s"), await scribe.whole("b")
        assert s["steps"][:2] == b["steps"][:2]
        assert [b'"b"' in step.events for step in b["steps"]] == [False, False, True, True]
        assert [b'"b"' in step.events for step in s["steps"]] == [False] * 4

    async def test_a_branch_never_changes_its_parent(self, scribe: Scribe) -> None:
        await scribe.born(
            steps=2,
            snapshots=(snapshot(1),),
            changes=((1, guest(1, email="a@b.c")),),
            letters=(post(),),
            memories=((1, memory("s/1.0")),),
            wake_at=NOW + HOUR,
        )
        await scribe.record(texts=("open",))
        before = await scribe.whole()
        await scribe.branch("b", at=2)
        await scribe.turn(
            "b",
            texts=("hello",),
            changes=((3, guest(1, email="d@e.f")), (3, Patch(GUESTS.name, {"seat": 1}, {"floor": 3}))),
            letters=(Cancel(key="l1"), post("l2")),
            memories=((3, memory("b/3.0")),),
            snapshots=(snapshot(3),),
            outcome=b"1",
        )
        await scribe.branch("c", "b", at=3)
        assert await scribe.whole() == before

    @pytest.mark.parametrize("at", [1, 2])
    async def test_a_fork_at_or_below_the_parents_own_fork_point_continues_the_grandparent(
        self, scribe: Scribe, at: int
    ) -> None:
        await scribe.born(steps=3)
        await scribe.branch("b", at=2)
        await scribe.turn("b")
        branch = await scribe.branch("c", "b", at=at)
        assert (branch.parent, branch.forked_at) == ("s", at)
        assert [stream.name for stream in await scribe.backend.streams.lineage("c")] == ["c", "s"]

    async def test_a_fork_above_it_continues_the_parent(self, scribe: Scribe) -> None:
        await scribe.born(steps=3)
        await scribe.branch("b", at=2)
        await scribe.turn("b")
        assert (await scribe.branch("c", "b", at=3)).parent == "b"

    async def test_the_branch_of_a_branch_that_was_never_played_continues_the_root(self, scribe: Scribe) -> None:
        await scribe.born(steps=2)
        await scribe.branch("b", at=2)
        assert (await scribe.branch("c", "b", at=2)).parent == "s"

    async def test_open_attempts_are_not_inherited(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record()
        await scribe.branch("b")
        assert list(await scribe.backend.streams.attempts("b")) == []
        assert [claim.stream.name for claim in await scribe.claim()] == ["s"]

    async def test_pending_letters_are_copied_as_held(self, scribe: Scribe) -> None:
        await scribe.born(letters=(post("due"), post("sent", due_at=NOW), post("gone")))
        (leased,) = await scribe.backend.post.lease(lease(), now=NOW, limit=1)
        await scribe.backend.post.settle(leased, "sent")
        await scribe.backend.post.mark("s", "gone", "cancelled")
        await scribe.branch("b")
        (copied,) = await scribe.backend.post.list(stream="b")
        (kept,) = await scribe.backend.post.list(stream="s", status="due")
        assert copied == changed(kept, stream="b", status="held", token=0, tries=0)
        assert [letter.stream for letter in await scribe.backend.post.lease(lease(), now=NOW + YEAR, limit=9)] == ["s"]

    async def test_letters_written_on_a_branch_are_held(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b")
        await scribe.turn("b", letters=(post("l1", due_at=NOW),))
        assert [letter.status for letter in await scribe.backend.post.list(stream="b")] == ["held"]
        assert list(await scribe.backend.post.lease(lease(), now=NOW + YEAR, limit=9)) == []

    async def test_making_the_same_branch_again_gives_the_one_that_is_there(self, scribe: Scribe) -> None:
        await scribe.born(steps=2)
        await scribe.branch("b", at=1, seed=1)
        await scribe.turn("b")
        again = await scribe.branch("b", at=1, seed=2)
        assert (again.version, again.seed) == (2, 1)

    async def test_a_name_that_another_stream_has_is_a_conflict(self, scribe: Scribe) -> None:
        await scribe.born("s", steps=2)
        await scribe.born("t", steps=2)
        await scribe.branch("b", at=1)
        for name, parent, at in (("t", "s", 1), ("b", "s", 2), ("b", "t", 1), ("s", "s", 1)):
            with pytest.raises(Conflict):
                await scribe.branch(name, parent, at)

    @pytest.mark.parametrize("at", [-1, 0, 3])
    async def test_a_version_the_parent_does_not_hold_is_out_of_range(self, scribe: Scribe, at: int) -> None:
        await scribe.born(steps=2)
        with pytest.raises(OutOfRange):
            await scribe.branch("b", at=at)
        with pytest.raises(Unknown):
            await scribe.backend.streams.get("b")

    async def test_an_unknown_parent_is_refused(self, scribe: Scribe) -> None:
        with pytest.raises(Unknown):
            await scribe.branch("b", "nowhere")


class HistoryContract(SettleContract, UniqueContract, DraftContract, LoadContract, ForkContract):
    """All of ``History``."""
