"""The contract of ``History.settle``: everything an attempt led to, whole or not at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from greenroom.journal.records import Settled, Settlement
from greenroom.journal.transitions import command_memory
from greenroom.kernel.errors import Conflict, GreenroomError
from greenroom.kernel.tables import Patch, Put
from greenroom.kernel.words import Scope
from greenroom.ports import Backend
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import (
    GUESTS,
    HOUR,
    LOG,
    MINUTE,
    NOW,
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
    post,
    snapshot,
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
