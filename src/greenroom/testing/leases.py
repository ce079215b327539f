"""The contract of ``Attempts``, from the claim on: leases, answers, parking, cancelling."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from greenroom.journal.records import Claim
from greenroom.journal.transitions import suspect
from greenroom.kernel.errors import LeaseLost, Unknown
from greenroom.ports import Backend
from greenroom.testing.attempts import ClaimContract, RecordingContract
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import HOUR, NOW, SECOND, YEAR, Scribe, answer, entry, keys, lease

Verb = Callable[[Backend, Scribe, Claim], Awaitable[object]]

#: Every verb that a lease protects.
VERBS: dict[str, Verb] = {
    "begin": lambda backend, _, claim: backend.attempts.begin(claim),
    "answer": lambda backend, _, claim: backend.attempts.answer(claim, [answer(5)], [entry(5)]),
    "discard": lambda backend, _, claim: backend.attempts.discard(claim, 0),
    "release": lambda backend, _, claim: backend.attempts.release(claim, until=HOUR, error="late"),
    "settle": lambda _, scribe, claim: scribe.settle(claim),
}


class LeaseContract(Contract):
    """Every later verb checks the fencing token."""

    @pytest.mark.parametrize("verb", sorted(VERBS))
    async def test_a_worker_whose_stream_another_took_is_refused_and_writes_nothing(
        self, backend: Backend, scribe: Scribe, verb: str
    ) -> None:
        await scribe.born()
        stale = await scribe.taken()
        await backend.attempts.answer(stale, [answer(0)], [entry(0)])
        (fresh,) = await scribe.claim(wall=HOUR, worker="bob")
        before = await scribe.whole()
        with pytest.raises(LeaseLost):
            await VERBS[verb](backend, scribe, stale)
        assert await scribe.whole() == before
        await backend.attempts.release(fresh)
        assert (await scribe.claim())[0].answers == (answer(0),)

    @pytest.mark.parametrize("verb", sorted(VERBS))
    async def test_a_worker_that_gave_the_stream_back_is_refused(
        self, backend: Backend, scribe: Scribe, verb: str
    ) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.release(claim)
        before = await scribe.whole()
        with pytest.raises(LeaseLost):
            await VERBS[verb](backend, scribe, claim)
        assert await scribe.whole() == before

    @pytest.mark.parametrize("verb", sorted(VERBS))
    async def test_a_worker_that_settled_is_refused_the_second_time(
        self, backend: Backend, scribe: Scribe, verb: str
    ) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await scribe.settle(claim)
        before = await scribe.whole()
        with pytest.raises(LeaseLost):
            await VERBS[verb](backend, scribe, claim)
        assert await scribe.whole() == before

    async def test_a_late_worker_nobody_replaced_may_still_settle(self, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken(wall=0)
        assert (await scribe.settle(claim, lease=lease(wall=HOUR))).stream.version == 2

    async def test_renewing_lengthens_the_lease(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken(wall=0)
        assert list(await backend.attempts.renew([claim], lease(wall=9 * SECOND))) == [claim]
        assert await scribe.claim(wall=15 * SECOND, worker="bob") == []
        assert len(await scribe.claim(wall=19 * SECOND, worker="bob")) == 1

    async def test_renewing_gives_back_the_claims_that_are_still_held(self, backend: Backend, scribe: Scribe) -> None:
        for name in "stu":
            await scribe.born(name)
        held, lost, done = [await scribe.taken(name) for name in "stu"]
        await scribe.settle(done)
        await backend.attempts.release(lost)
        (other,) = await scribe.claim(worker="bob")
        assert list(await backend.attempts.renew([held, lost, done], lease(wall=SECOND))) == [held]
        assert (await backend.streams.get("t")).busy_until == 10 * SECOND
        assert list(await backend.attempts.renew([other], lease(wall=SECOND))) == [other]

    async def test_renewing_nothing_is_nothing(self, backend: Backend) -> None:
        assert list(await backend.attempts.renew([], lease())) == []

    async def test_a_stream_forgotten_meanwhile_takes_no_other_lease_with_it(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", owner="ada")
        await scribe.born("t", owner="bob")
        gone, held = await scribe.taken("s"), await scribe.taken("t")
        await backend.upkeep.forget("ada", now=NOW)
        assert list(await backend.attempts.renew([gone, held], lease(wall=SECOND))) == [held]


class ProgressContract(Contract):
    """Store answers, discard them, give the stream back."""

    async def test_answers_come_back_with_the_next_claim_in_order(
        self, backend: Backend, scribe: Scribe, reopen: Reopen
    ) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.answer(claim, [answer(2), answer(0)])
        await backend.attempts.answer(claim, [answer(1)])
        (again,) = await Scribe(await reopen()).claim(wall=HOUR)
        assert again.answers == (answer(0), answer(1), answer(2))

    async def test_an_answer_given_again_replaces_the_one_before(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.answer(claim, [answer(0, "one")])
        await backend.attempts.answer(claim, [answer(0, "two")])
        (again,) = await scribe.claim(wall=HOUR)
        assert again.answers == (answer(0, "two"),)

    async def test_answers_are_stored_with_what_they_cost(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.answer(claim, [answer(0)], [entry(0, cost=12, output_tokens=3, account=b'{"a":1}')])
        assert list(await backend.streams.ledger("s")) == [(2, entry(0, cost=12, output_tokens=3, account=b'{"a":1}'))]

    async def test_an_answer_is_progress_and_the_count_of_tries_starts_again(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        await scribe.record()
        for wall in (0, HOUR):
            await scribe.claim(wall=wall)
        (claim,) = await scribe.claim(wall=2 * HOUR)
        assert claim.attempt.tries == 3
        await backend.attempts.answer(claim, [answer(0)])
        (again,) = await scribe.claim(wall=3 * HOUR)
        assert again.attempt.tries == 2

    async def test_discarding_removes_the_answers_from_one_ask_on_and_the_ledger_keeps_them(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.answer(claim, [answer(i) for i in range(4)], [entry(i) for i in range(4)])
        await backend.attempts.discard(claim, 2)
        (again,) = await scribe.claim(wall=HOUR)
        assert again.answers == (answer(0), answer(1))
        assert [spent.n for _, spent in await backend.streams.ledger("s")] == [0, 1, 2, 3]

    async def test_answers_are_gone_when_the_attempt_is_settled(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken(key="k1")
        await backend.attempts.answer(claim, [answer(0)])
        await scribe.settle(claim)
        assert (await scribe.taken(key="k2")).answers == ()

    # giving back

    async def test_a_released_attempt_stays_open_and_can_be_claimed_at_once(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.release(claim)
        (again,) = await scribe.claim(worker="bob")
        assert (again.attempt.n, again.attempt.status) == (2, None)

    async def test_a_stream_backs_off_on_the_machines_clock_alone(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await backend.attempts.release(await scribe.taken(), until=5 * SECOND)
        assert await scribe.claim(now=NOW + 100 * YEAR, wall=5 * SECOND - 1) == []
        assert len(await scribe.claim(now=NOW, wall=5 * SECOND)) == 1

    async def test_a_stream_that_backs_off_is_not_given_to_whoever_records(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        await backend.attempts.release(await scribe.taken(key="k1"), until=5 * SECOND)
        with pytest.raises(AssertionError, match="not free"):
            await scribe.taken(key="k2", wall=SECOND)

    async def test_an_error_counts_as_a_failed_try_and_is_told(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record()
        for tries in (1, 2, 3, 4):
            (claim,) = await scribe.claim()
            assert claim.attempt.tries == tries
            if suspect(claim.attempt):
                await backend.attempts.begin(claim)
            await backend.attempts.release(claim, error="it broke")
        assert (await backend.attempts.find("s", 2)).error == "it broke"

    async def test_giving_back_without_error_starts_the_count_again(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.release(claim, error="it broke")
        (claim,) = await scribe.claim()
        await backend.attempts.release(claim)
        (claim,) = await scribe.claim()
        assert (claim.attempt.tries, claim.attempt.error) == (1, None)

    async def test_a_worker_that_dies_each_time_it_begins_is_counted(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record()
        tries = []
        for life in range(6):
            (claim,) = await scribe.claim(wall=life * HOUR)
            tries.append(claim.attempt.tries)
            if suspect(claim.attempt):
                await backend.attempts.begin(claim)
        assert tries == [1, 2, 3, 4, 5, 6]
        assert (await backend.attempts.find("s", 2)).tries == 6

    async def test_a_suspect_that_was_claimed_and_not_begun_is_not_counted(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        await scribe.record()
        tries = [(await scribe.claim(wall=life * HOUR))[0].attempt.tries for life in range(6)]
        assert tries == [1, 2, 3, 3, 3, 3]
        assert (await backend.attempts.find("s", 2)).tries == 2

    async def test_whoever_records_a_suspect_again_does_not_count_it_either(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        tries = [(await scribe.taken(key="k", wall=life * HOUR)).attempt.tries for life in range(5)]
        assert tries == [1, 2, 3, 3, 3]
        assert (await backend.attempts.find("s", 2)).tries == 2

    async def test_a_wake_is_suspect_like_any_attempt(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(wake_at=NOW)
        *_, (claim,) = [await scribe.claim(wall=life * HOUR) for life in range(3)]
        assert (claim.attempt.rank, claim.attempt.tries) == (0, 3)
        await backend.attempts.begin(claim)
        (again,) = await scribe.claim(wall=9 * HOUR)
        assert again.attempt.tries == 4

    async def test_what_a_suspect_does_is_progress_too(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record()
        *_, (claim,) = [await scribe.claim(wall=life * HOUR) for life in range(3)]
        await backend.attempts.begin(claim)
        await backend.attempts.answer(claim, [answer(0)])
        (again,) = await scribe.claim(wall=3 * HOUR)
        assert (again.attempt.tries, again.answers) == (2, (answer(0),))

    async def test_a_suspect_that_settles_keeps_the_number_of_its_try(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record()
        *_, (claim,) = [await scribe.claim(wall=life * HOUR) for life in range(3)]
        await backend.attempts.begin(claim)
        await scribe.settle(claim)
        assert (await backend.attempts.find("s", 2)).tries == 3

    # children

    async def test_a_parent_sleeps_until_a_child_ends(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s")
        claim = await scribe.taken("s")
        for child in ("a", "b"):
            await scribe.born(child, player="s")
        await backend.attempts.release(claim, children=("a", "b"))
        assert await scribe.claim(wall=YEAR) == []
        assert await backend.attempts.next_at() is None
        await scribe.turn("b", outcome=b'"won"')
        (again,) = await scribe.claim()
        assert (again.stream.name, again.attempt.n) == ("s", claim.attempt.n)

    async def test_a_child_that_ended_before_the_parent_slept_rings_all_the_same(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s")
        claim = await scribe.taken("s")
        await scribe.born("a", player="s")
        await scribe.born("b", player="s", outcome=b'"won"')
        await backend.attempts.release(claim, children=("a", "b"))
        assert [claim.stream.name for claim in await scribe.claim()] == ["s"]

    async def test_a_child_that_goes_on_does_not_ring(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s")
        claim = await scribe.taken("s")
        await scribe.born("a", player="s")
        await backend.attempts.release(claim, children=("a",))
        await scribe.turn("a")
        assert await scribe.claim() == []

    async def test_the_second_outcome_of_a_child_does_not_ring(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s")
        claim = await scribe.taken("s")
        await scribe.born("a", player="s", outcome=b'"won"')
        await scribe.born("b", player="s")
        await backend.attempts.release(claim, children=("b",))
        await scribe.turn("a", outcome=b'"won twice"')
        assert await scribe.claim() == []

    async def test_while_a_parent_sleeps_its_own_timer_and_commands_wait(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", wake_at=NOW + HOUR)
        claim = await scribe.taken("s", "k1")
        await scribe.born("a", player="s")
        await backend.attempts.release(claim, children=("a",))
        await scribe.record("s", "k2", now=NOW + YEAR)
        assert await scribe.claim(now=NOW + YEAR) == []
        await scribe.turn("a", outcome=b"1")
        assert keys(await scribe.claim(now=NOW + YEAR)) == ["k1"]


class CancelContract(Contract):
    """Settle an open attempt as cancelled."""

    async def test_an_open_attempt_is_cancelled_for_good(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.record()
        cancelled = await backend.attempts.cancel("s", 2)
        assert cancelled.status == "cancelled"
        assert await backend.attempts.find("s", 2) == cancelled
        assert await scribe.claim() == []
        assert (await backend.streams.get("s")).open == 0

    @pytest.mark.parametrize("verb", sorted(VERBS))
    async def test_whoever_drives_a_cancelled_attempt_is_fenced(
        self, backend: Backend, scribe: Scribe, verb: str
    ) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.cancel("s", 2)
        before = await scribe.whole()
        with pytest.raises(LeaseLost):
            await VERBS[verb](backend, scribe, claim)
        assert await scribe.whole() == before

    async def test_cancelling_a_waiting_attempt_leaves_the_driver_of_another_alone(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        claim = await scribe.taken(key="k1")
        await scribe.record(key="k2")
        await backend.attempts.cancel("s", 3)
        assert await scribe.claim(worker="bob") == []
        assert (await scribe.settle(claim)).attempt.status == "settled"
        assert await scribe.claim() == []

    async def test_the_next_attempt_goes_on_after_a_cancelled_one(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.taken(key="k1")
        await scribe.record(key="k2")
        await backend.attempts.cancel("s", 2)
        assert keys(await scribe.claim()) == ["k2"]

    async def test_a_parked_attempt_can_be_cancelled_and_frees_its_stream(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        claim = await scribe.taken(key="k1")
        await scribe.born("a", player="s")
        await backend.attempts.release(claim, children=("a",))
        await backend.attempts.cancel("s", 2)
        await scribe.record(key="k2")
        assert keys(await scribe.claim()) == ["k2"]

    async def test_a_settled_attempt_stays_as_it_is(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        settled = await scribe.turn()
        before = await scribe.whole()
        assert await backend.attempts.cancel("s", 2) == settled.attempt
        assert await scribe.whole() == before

    async def test_answers_of_a_cancelled_attempt_are_gone_and_paid_for(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken()
        await backend.attempts.answer(claim, [answer(0)], [entry(0, cost=5)])
        await backend.attempts.cancel("s", 2)
        assert [spent.cost for _, spent in await backend.streams.ledger("s")] == [5]
        assert (await scribe.taken(key="k2")).answers == ()

    async def test_what_is_not_there_cannot_be_cancelled_or_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        for look in (backend.attempts.cancel, backend.attempts.find):
            for stream, n in (("nowhere", 1), ("s", 99)):
                with pytest.raises(Unknown):
                    await look(stream, n)

    async def test_a_worker_that_leaves_gives_back_whatever_it_holds_and_is_fenced(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        for name in ("s", "t"):
            await scribe.born(name)
            await scribe.record(name)
        mine = await scribe.claim(worker="ada", limit=1)
        (other,) = await scribe.claim(worker="bob")
        assert await backend.attempts.leave("ada") == 1
        (again,) = await scribe.claim(worker="eve")
        assert again.stream.name == mine[0].stream.name
        with pytest.raises(LeaseLost):
            await backend.attempts.answer(mine[0], [answer(0)])
        await backend.attempts.answer(other, [answer(0)])
        assert await backend.attempts.leave("ada") == 0

    async def test_a_stream_of_a_world_that_the_lease_does_not_name_waits_uncounted(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        await scribe.record()
        own, strange = (await backend.streams.get("s")).world, replace(lease(), worlds=("another",))
        assert not await backend.attempts.claim(strange, now=NOW + YEAR, limit=9)
        (claim,) = await backend.attempts.claim(replace(strange, worlds=("another", own)), now=NOW + YEAR, limit=9)
        assert claim.attempt.tries == 1

    async def test_next_at_is_the_earliest_moment_anything_is_to_be_done(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        assert await backend.attempts.next_at() is None
        await scribe.born("s", wake_at=NOW + 2 * HOUR)
        await scribe.born("t", wake_at=NOW + HOUR)
        assert await backend.attempts.next_at() == NOW + HOUR
        await scribe.record("s", now=NOW + SECOND)
        assert await backend.attempts.next_at() == NOW + SECOND
        assert await backend.attempts.next_at(worlds=("another",)) is None


class AttemptsContract(RecordingContract, ClaimContract, LeaseContract, ProgressContract, CancelContract):
    """All of ``Attempts``."""
