"""The contract of ``Post``: lease, send, settle."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from greenroom.kernel.errors import LeaseLost, Refused, Unknown
from greenroom.kernel.letters import Cancel, Letter, LetterStatus
from greenroom.kernel.times import moment
from greenroom.ports import Backend
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import HOUR, MINUTE, NOW, SECOND, YEAR, Scribe, changed, keys, lease, post, recording


async def leased(backend: Backend, *, now: int = NOW + YEAR, wall: int = 0, limit: int = 100) -> list[Letter]:
    return list(await backend.outbox.lease(lease(wall=wall), now=now, limit=limit))


class OutboxContract(Contract):
    """All of ``Post``."""

    async def test_a_letter_of_a_world_that_the_lease_does_not_name_waits(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(letters=(post("l1", due_at=NOW),))
        own, strange = (await backend.streams.get("s")).world, replace(lease(), worlds=("another",))
        assert not await backend.outbox.lease(strange, now=NOW + YEAR, limit=9)
        assert await backend.outbox.next_at(worlds=strange.worlds) is None
        (letter,) = await backend.outbox.lease(replace(strange, worlds=(own,)), now=NOW + YEAR, limit=9)
        assert letter.tries == 1

    async def test_a_posted_letter_waits_until_it_is_due(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post("l1", due_at=NOW + HOUR),))
        assert await backend.outbox.next_at() == NOW + HOUR
        assert await leased(backend, now=NOW + HOUR - 1) == []
        (letter,) = await leased(backend, now=NOW + HOUR)
        assert letter == Letter(
            stream="s",
            key="l1",
            due_at=moment(NOW + HOUR),
            channel="inbox",
            to="bob",
            words="s/1.0",
            subject="a letter",
            status="due",
            tries=1,
            token=letter.token,
            version=1,
        )
        assert letter.id == "s/l1"

    async def test_the_longest_due_comes_first_and_no_more_than_asked_for(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        posted = tuple(post(f"l{i}", due_at=NOW + i * MINUTE) for i in (3, 1, 2))
        await scribe.born(letters=posted)
        assert [letter.key for letter in await leased(backend, limit=2)] == ["l1", "l2"]
        assert [letter.key for letter in await leased(backend, limit=2)] == ["l3"]

    async def test_a_leased_letter_is_held_until_the_lease_runs_out(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        (first,) = await leased(backend)
        assert await leased(backend, wall=10 * SECOND - 1) == []
        (second,) = await leased(backend, wall=10 * SECOND)
        assert (second.tries, second.token > first.token) == (2, True)

    async def test_two_workers_never_get_the_same_letter(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=tuple(post(f"l{i}") for i in range(9)))
        crowds = await asyncio.gather(*(leased(backend, limit=4) for _ in range(4)))
        assert sorted(letter.key for crowd in crowds for letter in crowd) == [f"l{i}" for i in range(9)]

    # what became of it

    @pytest.mark.parametrize(("status", "error"), [("sent", None), ("failed", "no such address")])
    async def test_a_letter_is_settled_once_and_for_all(
        self, backend: Backend, scribe: Scribe, reopen: Reopen, status: LetterStatus, error: str | None
    ) -> None:
        await scribe.born(letters=(post(),))
        (letter,) = await leased(backend)
        await backend.outbox.settle(letter, status, error=error)
        with pytest.raises(LeaseLost):
            await backend.outbox.settle(letter, "sent")
        backend = await reopen()
        assert [(one.status, one.error) for one in await backend.outbox.list()] == [(status, error)]
        assert await leased(backend, wall=YEAR) == []
        assert await backend.outbox.next_at() is None

    async def test_a_letter_given_back_is_tried_again_after_a_while_on_the_machines_clock(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(letters=(post(),))
        (letter,) = await leased(backend)
        await backend.outbox.settle(letter, "due", until=5 * SECOND, error="the line is busy")
        assert await leased(backend, now=NOW + 9 * YEAR, wall=5 * SECOND - 1) == []
        (again,) = await leased(backend, wall=5 * SECOND)
        assert (again.tries, again.error) == (2, "the line is busy")

    async def test_a_worker_whose_letter_another_took_is_refused_and_writes_nothing(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(letters=(post(),))
        (stale,) = await leased(backend)
        (fresh,) = await leased(backend, wall=HOUR)
        before = await scribe.whole()
        with pytest.raises(LeaseLost):
            await backend.outbox.settle(stale, "sent", news=recording(key="news"))
        assert await scribe.whole() == before
        await backend.outbox.settle(fresh, "sent")

    async def test_the_news_is_recorded_with_it(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        (letter,) = await leased(backend)
        await backend.outbox.settle(letter, "sent", news=recording(key="news", now=NOW + HOUR))
        (claim,) = await scribe.claim()
        assert (claim.attempt.key, claim.attempt.at) == ("news", NOW + HOUR)

    async def test_the_news_is_recorded_once(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post("l1"), post("l2")))
        for letter in await leased(backend):
            await backend.outbox.settle(letter, "sent", news=recording(key="news"))
        assert keys(list(await backend.streams.attempts("s"))) == ["open", "news"]
        assert {letter.status for letter in await backend.outbox.list()} == {"sent"}

    async def test_a_key_taken_by_somebody_else_does_not_keep_a_letter_from_being_settled(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(letters=(post(),))
        await scribe.turn(key="news", body="something else")
        (letter,) = await leased(backend)
        await backend.outbox.settle(letter, "sent", news=recording(key="news"))
        assert [one.status for one in await backend.outbox.list()] == ["sent"]

    # what the world says later

    async def test_a_cancelled_letter_is_not_sent(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        (letter,) = await leased(backend)
        await scribe.turn(letters=(Cancel(key="l1"), Cancel(key="nothing of that name")))
        with pytest.raises(LeaseLost):
            await backend.outbox.settle(letter, "sent")
        assert [one.status for one in await backend.outbox.list()] == ["cancelled"]

    async def test_an_unsent_letter_can_be_posted_anew(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(due_at=NOW),))
        await scribe.turn(letters=(post(due_at=NOW + HOUR, to="eve"),))
        (letter,) = await backend.outbox.list()
        assert (letter.due_at, letter.to, letter.status) == (moment(NOW + HOUR), "eve", "due")

    async def test_a_cancelled_letter_can_be_posted_anew(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        await scribe.turn(key="k1", letters=(Cancel(key="l1"),))
        await scribe.turn(key="k2", letters=(post(),))
        assert [letter.status for letter in await backend.outbox.list()] == ["due"]

    async def test_whoever_held_the_letter_before_it_was_posted_anew_stays_fenced(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(letters=(post(to="old"),))
        (stale,) = await leased(backend)
        await scribe.turn(letters=(post(to="new"),))
        (fresh,) = await leased(backend)
        assert fresh.to == "new"
        with pytest.raises(LeaseLost):
            await backend.outbox.settle(stale, "sent")
        await backend.outbox.settle(fresh, "sent")

    async def test_a_sent_letter_cannot_be_taken_back_or_sent_again(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        (letter,) = await leased(backend)
        await backend.outbox.settle(letter, "sent")
        await scribe.turn(key="k1", letters=(Cancel(key="l1"),))
        await scribe.turn(key="k2", letters=(post(to="eve"),))
        assert [(one.status, one.to) for one in await backend.outbox.list()] == [("sent", "bob")]

    # the operator

    async def test_a_held_letter_waits_until_it_is_let_go(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        held = await backend.outbox.mark("s", "l1", "held")
        assert held.status == "held"
        assert await leased(backend) == []
        assert await backend.outbox.next_at() is None
        assert (await backend.outbox.mark("s", "l1", "due")).status == "due"
        assert len(await leased(backend)) == 1

    async def test_a_letter_held_while_it_was_leased_is_taken_from_its_worker(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(letters=(post(),))
        (stale,) = await leased(backend)
        await backend.outbox.mark("s", "l1", "held")
        with pytest.raises(LeaseLost):
            await backend.outbox.settle(stale, "sent")
        await backend.outbox.mark("s", "l1", "due")
        (fresh,) = await leased(backend)
        with pytest.raises(LeaseLost):
            await backend.outbox.settle(stale, "sent")
        await backend.outbox.settle(fresh, "sent")

    async def test_an_operator_can_cancel_a_letter(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        await backend.outbox.mark("s", "l1", "cancelled")
        assert await leased(backend) == []

    async def test_an_operator_can_let_a_branchs_letter_go(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b")
        await scribe.turn("b", letters=(post(),))
        await backend.outbox.mark("b", "l1", "due")
        assert [letter.id for letter in await leased(backend)] == ["b/l1"]

    async def test_a_letter_that_is_not_there_cannot_be_marked(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        for stream in ("s", "nowhere"):
            with pytest.raises(Unknown):
                await backend.outbox.mark(stream, "l1", "held")

    async def test_a_sent_letter_cannot_be_marked(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        (letter,) = await leased(backend)
        await backend.outbox.settle(letter, "sent")
        before = await scribe.whole()
        for status in ("held", "due", "cancelled"):
            with pytest.raises(Refused):
                await backend.outbox.mark("s", "l1", status)
        assert await scribe.whole() == before

    async def test_letters_are_listed_by_stream_and_status_the_earliest_due_first(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", letters=(post("b", due_at=NOW + HOUR), post("a", due_at=NOW + 2 * HOUR)))
        await scribe.born("t", letters=(post("c", due_at=NOW + MINUTE),))
        await backend.outbox.mark("s", "a", "held")
        assert [letter.key for letter in await backend.outbox.list()] == ["c", "b", "a"]
        assert [letter.key for letter in await backend.outbox.list(stream="s")] == ["b", "a"]
        assert [letter.key for letter in await backend.outbox.list(status="held")] == ["a"]
        assert list(await backend.outbox.list(stream="nowhere")) == []

    async def test_what_a_channel_is_told_is_the_same_at_every_try(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(letters=(post(),))
        (first,) = await leased(backend)
        (second,) = await leased(backend, wall=HOUR)
        assert changed(second, tries=1, token=first.token) == first
        assert second.id == first.id
