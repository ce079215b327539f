"""The contract of ``Attempts``, up to the claim: recording, keys, moments, births, claims and wakes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from greenroom.journal.transitions import command_memory
from greenroom.kernel.errors import Forgotten, KeyReused, Malformed, Unknown
from greenroom.kernel.times import moment
from greenroom.kernel.words import Scope
from greenroom.kernel.worlds import HOUSE
from greenroom.ports import Backend
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import HOUR, MINUTE, NOW, SECOND, WORLD, YEAR, Scribe, keys, lease, opening, recording


class RecordingContract(Contract):
    """Store a command, once per key."""

    async def test_a_recorded_command_stands_open_with_number_and_moment(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        receipt = await scribe.record(now=NOW + SECOND)
        assert receipt.new
        assert receipt.claim is None
        attempt = await backend.attempts.find("s", 2)
        assert attempt == receipt.attempt
        assert (attempt.key, attempt.at, attempt.seat, attempt.status) == ("k1", NOW + SECOND, "guest", None)
        assert (attempt.tries, attempt.rank, attempt.version) == (0, 1, None)

    async def test_what_was_recorded_is_there_after_a_restart(self, scribe: Scribe, reopen: Reopen) -> None:
        await scribe.born()
        receipt = await scribe.record(texts=("hello",))
        again = await reopen()
        assert await again.attempts.find("s", 2) == receipt.attempt
        assert await again.bank.get([command_memory("s", 2, 0)]) == {command_memory("s", 2, 0): "hello"}
        assert keys(await Scribe(again).claim()) == ["k1"]

    async def test_a_repeated_key_gives_the_earlier_attempt(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        first = await scribe.record()
        second = await scribe.record(now=NOW + HOUR)
        assert (second.new, second.attempt) == (False, first.attempt)
        assert len(await backend.streams.attempts("s")) == 2

    async def test_a_repeated_key_gives_the_lease_all_the_same(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        first = await scribe.record()
        receipt = await backend.attempts.record(recording(), lease())
        assert (receipt.new, receipt.attempt) == (False, first.attempt)
        assert receipt.claim is not None
        assert (receipt.claim.attempt.n, receipt.claim.attempt.tries) == (first.attempt.n, 1)
        again = await backend.attempts.record(recording(), lease("bob"))
        assert again.claim is None
        await scribe.settle(receipt.claim)
        assert (await backend.attempts.record(recording(), lease())).claim is None

    async def test_a_repeated_key_tells_how_the_earlier_attempt_ended(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.turn(status="refused", error="not today", steps=0)
        again = await scribe.record()
        assert (again.new, again.attempt.status, again.attempt.error) == (False, "refused", "not today")

    async def test_a_key_that_came_with_another_digest_is_refused_and_nothing_stored(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record(texts=("one",))
        before = await scribe.whole()
        with pytest.raises(KeyReused):
            await scribe.record(body="something else", texts=("two",))
        assert await scribe.whole() == before

    async def test_a_refused_key_is_not_quoted_with_the_words_of_the_command(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record(body="one", texts=("a confession",))
        with pytest.raises(KeyReused) as refusal:
            await scribe.record(body="two", texts=("another confession",))
        assert "confession" not in str(refusal.value)

    async def test_a_key_belongs_to_its_stream_alone(self, scribe: Scribe) -> None:
        await scribe.born("s")
        await scribe.born("t")
        await scribe.record("s")
        assert (await scribe.record("t", body="other")).new

    async def test_one_key_given_many_times_at_once_is_stored_once(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        receipts = await asyncio.gather(*(backend.attempts.record(recording(), lease()) for _ in range(20)))
        assert [receipt.new for receipt in receipts].count(True) == 1
        assert {receipt.attempt.n for receipt in receipts} == {2}

    async def test_many_commands_at_once_are_numbered_without_gap_or_double(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        await asyncio.gather(*(scribe.record(key=f"k{i}") for i in range(20)))
        assert [attempt.n for attempt in await backend.streams.attempts("s")] == list(range(1, 22))

    # keys and branches

    async def test_keys_of_a_branchs_shared_past_count(self, scribe: Scribe) -> None:
        await scribe.born()
        shared = await scribe.turn(key="k1")
        await scribe.branch("b", at=2)
        receipt = await scribe.record("b", "k1")
        assert (receipt.new, receipt.attempt) == (False, shared.attempt)
        with pytest.raises(KeyReused):
            await scribe.record("b", "k1", body="other")

    async def test_keys_used_in_the_parent_after_the_fork_point_are_free(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.turn(key="k1")
        await scribe.branch("b", at=1)
        assert (await scribe.record("b", "k1", body="other")).new

    async def test_keys_of_open_attempts_of_the_parent_are_free(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record(key="k1")
        await scribe.branch("b", at=1)
        assert (await scribe.record("b", "k1", body="other")).new

    async def test_keys_of_a_branch_are_free_in_its_parent(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b", at=1)
        await scribe.turn("b", "k1")
        assert (await scribe.record("s", "k1", body="other")).new

    async def test_keys_of_a_grandparents_past_count_as_far_as_it_is_shared(self, scribe: Scribe) -> None:
        await scribe.born()
        for i in (1, 2, 3):
            await scribe.turn(key=f"root{i}")
        await scribe.branch("b", at=2)
        await scribe.turn("b", "middle")
        await scribe.branch("c", "b", at=3)
        assert not (await scribe.record("c", "root1")).new
        assert not (await scribe.record("c", "middle")).new
        assert (await scribe.record("c", "root2")).new

    # moments

    async def test_a_moment_is_never_before_an_earlier_one_of_the_stream(self, scribe: Scribe) -> None:
        await scribe.born()
        first = await scribe.record(key="k1", now=NOW + HOUR)
        second = await scribe.record(key="k2", now=NOW)
        assert second.attempt.at == first.attempt.at == NOW + HOUR

    async def test_a_moment_is_never_before_the_last_step(self, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW + HOUR)
        (wake,) = await scribe.claim(now=NOW + HOUR)
        await scribe.settle(wake, wake_at=None)
        assert (await scribe.record(now=NOW)).attempt.at == NOW + HOUR

    async def test_on_a_branch_the_moment_is_that_of_its_standing_clock(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b", now=NOW + HOUR)
        assert (await scribe.record("b", now=NOW + YEAR)).attempt.at == NOW

    # words

    async def test_words_become_memories(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(owner="ada")
        receipt = await scribe.record(texts=("hello", "and goodbye"), now=NOW + SECOND)
        ids = [command_memory("s", receipt.attempt.n, i) for i in range(2)]
        assert await backend.bank.get(ids) == dict(zip(ids, ("hello", "and goodbye"), strict=True))
        stored = {item.memory.id: item for item in await backend.bank.of_stream("s")}
        assert [stored[id].memory.owner for id in ids] == ["ada", "ada"]
        assert [stored[id].memory.speaker for id in ids] == ["guest", "guest"]
        assert [stored[id].memory.at for id in ids] == [moment(NOW + SECOND)] * 2

    async def test_words_belong_to_the_person_who_said_them(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(owner="ada")
        await scribe.record(texts=("hello",), person="bob")
        (stored,) = await backend.bank.of_stream("s")
        assert stored.memory.owner == "bob"

    async def test_words_of_an_open_attempt_belong_to_no_version_and_nobody_recalls_them(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(owner="ada")
        await scribe.record(texts=("hello",))
        assert [stored.version for stored in await backend.bank.of_stream("s")] == [None]
        assert await backend.bank.count(Scope(world=WORLD, owner="ada")) == 0

    # births

    async def test_a_birth_makes_the_stream_too(self, backend: Backend) -> None:
        receipt = await backend.attempts.record(opening("s", owner="ada", seed=5, player="p", mute=True, clock_at=NOW))
        stream = await backend.streams.get("s")
        assert receipt.new
        assert (stream.world, stream.owner, stream.seed, stream.player) == (WORLD, "ada", 5, "p")
        assert (stream.mute, stream.clock_at, stream.born_at) == (True, NOW, NOW)
        assert (stream.version, stream.recorded, stream.open) == (0, 1, 1)

    async def test_a_stream_born_again_the_same_way_is_the_one_that_is_there(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(seed=1)
        receipt = await backend.attempts.record(opening(seed=2))
        assert (receipt.new, receipt.attempt.n, receipt.attempt.status) == (False, 1, "settled")
        assert (await backend.streams.get("s")).seed == 1

    @pytest.mark.parametrize("otherwise", [{"config": "other"}, {"owner": "bob"}, {"world": "elsewhere"}])
    async def test_a_stream_born_otherwise_is_refused(
        self, backend: Backend, scribe: Scribe, otherwise: dict[str, Any]
    ) -> None:
        await scribe.born(owner="ada")
        before = await scribe.whole()
        with pytest.raises(KeyReused):
            await backend.attempts.record(opening(**otherwise))
        assert await scribe.whole() == before

    async def test_a_branch_was_not_born_like_its_parent(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b")
        with pytest.raises(KeyReused):
            await backend.attempts.record(opening("b"))

    async def test_one_stream_born_many_times_at_once_is_born_once(self, backend: Backend) -> None:
        receipts = await asyncio.gather(*(backend.attempts.record(opening(), lease()) for _ in range(10)))
        assert [receipt.new for receipt in receipts].count(True) == 1
        assert len([receipt for receipt in receipts if receipt.claim]) == 1

    async def test_an_unknown_stream_is_refused(self, scribe: Scribe) -> None:
        with pytest.raises(Unknown):
            await scribe.record("nowhere")

    async def test_a_forgotten_stream_is_refused_and_its_name_not_given_again(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(owner="ada")
        await backend.upkeep.forget("ada", now=NOW)
        with pytest.raises(Forgotten):
            await scribe.record("s")
        with pytest.raises(Forgotten):
            await backend.attempts.record(opening("s", owner="bob"))

    # leasing at once

    async def test_whoever_records_gets_the_stream_if_it_is_free(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        receipt = await backend.attempts.record(recording(), lease("ada"))
        assert receipt.claim is not None
        assert receipt.claim.attempt.key == "k1"
        assert receipt.claim.attempt.tries == 1
        assert receipt.claim.token == receipt.claim.stream.token == (await backend.streams.get("s")).token
        assert await scribe.claim() == []

    async def test_whoever_records_does_not_get_a_stream_that_is_held(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.taken(key="k1")
        receipt = await backend.attempts.record(recording(key="k2"), lease("bob", wall=9 * SECOND))
        assert (receipt.new, receipt.claim) == (True, None)

    async def test_whoever_records_behind_others_gets_the_first_of_them(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record(key="k1")
        receipt = await backend.attempts.record(recording(key="k2"), lease())
        assert receipt.attempt.key == "k2"
        assert receipt.claim is not None
        assert receipt.claim.attempt.key == "k1"

    async def test_whoever_records_after_a_wake_came_due_gets_the_wake(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW + MINUTE)
        receipt = await backend.attempts.record(recording(now=NOW + HOUR), lease())
        assert receipt.claim is not None
        assert (receipt.claim.attempt.seat, receipt.claim.attempt.at) == (HOUSE, NOW + MINUTE)


class ClaimContract(Contract):
    """Lease streams that have something to do."""

    async def test_where_nothing_waits_nothing_is_claimed(self, scribe: Scribe) -> None:
        assert await scribe.claim() == []
        await scribe.born()
        assert await scribe.claim() == []

    async def test_the_longest_ready_comes_first(self, scribe: Scribe) -> None:
        for name, waited in (("s", 1), ("t", 3), ("u", 2)):
            await scribe.born(name, now=NOW - HOUR)
            await scribe.record(name, now=NOW - waited * SECOND)
        assert [claim.stream.name for claim in await scribe.claim(now=NOW)] == ["t", "u", "s"]

    async def test_no_more_are_claimed_than_asked_for(self, scribe: Scribe) -> None:
        for name in "stuv":
            await scribe.born(name)
            await scribe.record(name)
        assert await scribe.claim(limit=0) == []
        assert len(await scribe.claim(limit=3)) == 3
        assert len(await scribe.claim(limit=3)) == 1

    async def test_one_attempt_of_a_stream_at_a_time_in_the_order_they_came(self, scribe: Scribe) -> None:
        await scribe.born()
        for i in range(3):
            await scribe.record(key=f"k{i}")
        seen = []
        while claims := await scribe.claim():
            seen += keys(claims)
            await scribe.settle(claims[0])
        assert seen == ["k0", "k1", "k2"]

    async def test_a_held_stream_is_left_alone_until_the_machines_clock_says_otherwise(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record()
        (first,) = await scribe.claim(wall=0, worker="ada")
        assert await scribe.claim(now=NOW + YEAR, wall=10 * SECOND - 1, worker="bob") == []
        (second,) = await scribe.claim(now=NOW, wall=10 * SECOND, worker="bob")
        assert second.attempt.n == first.attempt.n
        assert second.attempt.tries == 2
        assert (second.token or 0) > (first.token or 0)

    async def test_two_workers_never_get_the_same_stream(self, scribe: Scribe) -> None:
        for i in range(12):
            await scribe.born(f"s{i}")
            await scribe.record(f"s{i}")
        crowds = await asyncio.gather(*(scribe.claim(worker=f"w{i}", limit=5) for i in range(4)))
        names = [claim.stream.name for claims in crowds for claim in claims]
        assert sorted(names) == sorted(f"s{i}" for i in range(12))

    # wakes

    async def test_a_wake_comes_as_an_attempt_of_its_own_at_its_own_moment(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(wake_at=NOW + MINUTE)
        (wake,) = await scribe.claim(now=NOW + HOUR)
        assert (wake.attempt.n, wake.attempt.seat, wake.attempt.rank) == (2, HOUSE, 0)
        assert wake.attempt.at == NOW + MINUTE
        assert await backend.attempts.find("s", 2) == wake.attempt

    async def test_a_wake_is_not_claimed_before_its_moment(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW + MINUTE)
        assert await scribe.claim(now=NOW + MINUTE - 1) == []
        assert await backend.attempts.next_at() == NOW + MINUTE
        assert len(await scribe.claim(now=NOW + MINUTE)) == 1

    async def test_a_wake_goes_before_a_command_recorded_at_or_after_its_moment(self, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW + MINUTE)
        await scribe.record(now=NOW + MINUTE)
        (first,) = await scribe.claim()
        assert first.attempt.rank == 0
        await scribe.settle(first, wake_at=None)
        assert keys(await scribe.claim()) == ["k1"]

    async def test_a_wake_goes_after_a_command_recorded_before_its_moment(self, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW + MINUTE)
        await scribe.record(now=NOW + MINUTE - 1)
        (first,) = await scribe.claim()
        assert first.attempt.key == "k1"
        await scribe.settle(first)
        (second,) = await scribe.claim()
        assert (second.attempt.rank, second.attempt.at) == (0, NOW + MINUTE)

    async def test_a_timer_set_between_two_waiting_commands_goes_between_them(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record(key="k1", now=NOW + MINUTE)
        await scribe.record(key="k2", now=NOW + HOUR)
        (first,) = await scribe.claim()
        following = (await scribe.settle(first, wake_at=NOW + 2 * MINUTE, lease=lease(), now=NOW + YEAR)).next
        assert following is not None
        assert (following.attempt.rank, following.attempt.at) == (0, NOW + 2 * MINUTE)
        last = (await scribe.settle(following, wake_at=None, lease=lease(), now=NOW + YEAR)).next
        assert last is not None
        assert last.attempt.key == "k2"

    async def test_an_agent_that_must_act_at_once_takes_turns_with_waiting_commands(self, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW)
        for i in (1, 2):
            await scribe.record(key=f"k{i}", now=NOW + i * SECOND)
        ranks = []
        for _ in range(5):
            (claim,) = await scribe.claim(now=NOW + HOUR)
            ranks.append(claim.attempt.rank)
            await scribe.settle(claim, wake_at=claim.attempt.at)
        assert ranks == [0, 1, 0, 1, 0]

    async def test_an_agent_acts_again_and_again_while_nobody_waits(self, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW)
        for version in (2, 3, 4):
            (claim,) = await scribe.claim(now=NOW)
            assert (claim.attempt.rank, claim.attempt.at) == (0, NOW)
            assert (await scribe.settle(claim, wake_at=NOW)).stream.version == version

    async def test_a_wake_never_lies_before_the_last_step(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.turn(now=NOW + HOUR, wake_at=NOW)
        (wake,) = await scribe.claim()
        assert wake.attempt.at == NOW + HOUR

    async def test_there_is_one_wake_per_version(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW)
        (wake,) = await scribe.claim()
        await scribe.settle(wake, steps=0, status="failed", error="nothing changed")
        assert await scribe.claim() == []
        assert await backend.attempts.next_at() is None

    async def test_no_command_may_have_the_key_of_a_wake(self, scribe: Scribe) -> None:
        await scribe.born("s", wake_at=NOW + MINUTE)
        (wake,) = await scribe.claim()
        await scribe.born("t", wake_at=NOW + MINUTE)
        before = await scribe.whole("t")
        with pytest.raises(Malformed):
            await scribe.record("t", wake.attempt.key, now=NOW)
        assert await scribe.whole("t") == before
        (other,) = await scribe.claim()
        assert (other.stream.name, other.attempt.key) == ("t", wake.attempt.key)

    async def test_what_is_asleep_is_not_woken(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(steps=2)
        await scribe.branch("b", at=1, wake_at=NOW)
        assert await scribe.claim() == []
        assert await backend.attempts.next_at() is None

    async def test_a_branch_that_plays_on_is_woken_by_its_own_clock_alone(self, scribe: Scribe) -> None:
        await scribe.born(steps=2)
        await scribe.branch("now", at=1, awake=True, wake_at=NOW)
        await scribe.branch("later", at=2, awake=True, wake_at=NOW + MINUTE)
        assert [claim.stream.name for claim in await scribe.claim(now=NOW + YEAR)] == ["now"]
