"""Two processes on one database, each sure of what it last saw: whoever is wrong writes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from greenroom.adapters.postgres import postgres_backend
from greenroom.journal.records import Claim
from greenroom.kernel.errors import Conflict, LeaseLost
from greenroom.ports import Backend
from greenroom.testing.records import NOW, SECOND, TABLES, Scribe, answer, lease, opening
from tests.conftest import NewDatabase


@pytest.fixture
async def two(new_database: NewDatabase) -> AsyncIterator[tuple[Scribe, Scribe]]:
    url = new_database(TABLES)
    ours, theirs = postgres_backend(url, TABLES), postgres_backend(url, TABLES)
    yield Scribe(ours), Scribe(theirs)
    await ours.close()
    await theirs.close()


async def test_commands_that_both_record_are_numbered_one_after_another(two: tuple[Scribe, Scribe]) -> None:
    ours, theirs = two
    await ours.born()
    each = 40
    await asyncio.gather(
        *(ours.record(key=f"ours {i}") for i in range(each)), *(theirs.record(key=f"theirs {i}") for i in range(each))
    )
    attempts = await ours.backend.streams.attempts("s")
    assert [attempt.n for attempt in attempts] == list(range(1, 2 * each + 2))
    assert len({attempt.key for attempt in attempts}) == 2 * each + 1
    assert (await theirs.backend.streams.get("s")).open == 2 * each
    assert await ours.backend.upkeep.check() == []


async def test_a_stream_that_both_make_is_made_once(two: tuple[Scribe, Scribe]) -> None:
    ours, theirs = two
    receipts = await asyncio.gather(
        *(scribe.backend.attempts.record(opening(f"s{i}"), lease()) for i in range(20) for scribe in (ours, theirs))
    )
    assert sum(receipt.new for receipt in receipts) == 20
    assert sum(receipt.claim is not None for receipt in receipts) == 20
    assert await ours.backend.upkeep.check() == []


async def test_a_draft_on_a_stream_that_the_other_moved_is_refused_and_writes_nothing(
    two: tuple[Scribe, Scribe],
) -> None:
    ours, theirs = two
    await ours.born()
    draft = await ours.draft(key="ours")
    await theirs.turn(key="theirs")
    before = await theirs.whole()
    with pytest.raises(Conflict):
        await ours.settle_draft(draft)
    assert await theirs.whole() == before


async def test_a_key_that_the_other_used_is_known(two: tuple[Scribe, Scribe]) -> None:
    ours, theirs = two
    await ours.born()
    await ours.record(key="mine")
    theirs_first = await theirs.record(key="both")
    again = await ours.record(key="both")
    assert (again.new, again.attempt.n) == (False, theirs_first.attempt.n)


Verb = Callable[[Backend, Scribe, Claim], Awaitable[object]]
VERBS: dict[str, Verb] = {
    "answer": lambda backend, _, claim: backend.attempts.answer(claim, [answer(0)]),
    "discard": lambda backend, _, claim: backend.attempts.discard(claim, 0),
    "release": lambda backend, _, claim: backend.attempts.release(claim),
    "settle": lambda _, scribe, claim: scribe.settle(claim),
}


@pytest.mark.parametrize("verb", VERBS)
async def test_whoever_slept_through_a_lease_is_fenced(verb: str, two: tuple[Scribe, Scribe]) -> None:
    ours, theirs = two
    await ours.born()
    slept = await ours.taken(key="k")
    (taken,) = await theirs.claim(wall=60 * SECOND, worker="bob")
    assert taken.attempt.n == slept.attempt.n
    before = await theirs.whole()
    with pytest.raises(LeaseLost):
        await VERBS[verb](ours.backend, ours, slept)
    assert await theirs.whole() == before
    await theirs.settle(taken)
    assert await ours.backend.upkeep.check() == []


async def test_an_attempt_that_the_other_took_back_cannot_be_settled(two: tuple[Scribe, Scribe]) -> None:
    ours, theirs = two
    await ours.born()
    claim = await ours.taken(key="k")
    await theirs.backend.attempts.cancel("s", claim.attempt.n)
    with pytest.raises(LeaseLost):
        await ours.settle(claim)


async def test_no_ring_is_lost_between_a_parent_that_parks_and_a_child_that_ends(two: tuple[Scribe, Scribe]) -> None:
    ours, theirs = two
    for i in range(15):
        parent, child = f"parent{i}", f"child{i}"
        await ours.born(parent)
        parked = await ours.taken(parent, key="play")
        playing = await theirs.backend.attempts.record(opening(child, player=parent), lease("bob"))
        assert playing.claim is not None
        await asyncio.gather(
            ours.backend.attempts.release(parked, children=(child,)),
            theirs.settle(playing.claim, outcome=b'{"score":1}'),
        )
        assert (await ours.backend.streams.get(parent)).ready_at is not None, f"{parent} waits for ever"
    assert {claim.stream.name for claim in await ours.claim(now=NOW)} == {f"parent{i}" for i in range(15)}
