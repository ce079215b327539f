"""The contract of ``Cursors``: how far each follower was told."""

from __future__ import annotations

import asyncio

import pytest

from greenroom.kernel.errors import LeaseLost, Unknown
from greenroom.ports import Backend, Behind, Cursor, Hold
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import HOUR, NOW, SECOND, WORLD, YEAR, Scribe, guest, lease, snapshot

NAME = "copies"


async def behind(backend: Backend, name: str = NAME) -> dict[str, tuple[int, int]]:
    """What a follower has to be told, by stream."""
    return {one.stream: (one.told, one.version) for one in await backend.cursors.behind(name) if not one.gone}


async def gone(backend: Backend, name: str = NAME) -> list[str]:
    """The removed streams that a follower has to be told of."""
    return [one.stream for one in await backend.cursors.behind(name) if one.gone]


async def taken(backend: Backend, *, wall: int = 0, worker: str = "ada") -> Hold:
    hold = await backend.cursors.take(NAME, lease(worker, wall=wall))
    assert hold is not None, "the cursor is not free, or there is nothing to tell"
    return hold


async def tell_all(backend: Backend, *, wall: int = 0) -> None:
    """Tell the follower everything."""
    hold = await taken(backend, wall=wall)
    await backend.cursors.told(hold, await backend.cursors.behind(NAME))
    await backend.cursors.release(hold)


async def cursor(backend: Backend) -> Cursor:
    (found,) = [one for one in await backend.cursors.list() if one.name == NAME]
    return found


class CursorsContract(Contract):
    """Nothing that is settled is passed over, whoever settles it and whenever it is looked for."""

    @pytest.fixture
    async def enrolled(self, backend: Backend) -> None:
        await backend.cursors.enrol(NAME, {WORLD})

    # what is noted

    @pytest.mark.usefixtures("enrolled")
    async def test_a_settled_step_is_found_until_it_was_told(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(steps=2)
        assert await behind(backend) == {"s": (0, 2)}
        await tell_all(backend)
        assert await behind(backend) == {}
        await scribe.turn()
        assert await behind(backend) == {"s": (2, 3)}

    @pytest.mark.usefixtures("enrolled")
    async def test_a_draft_that_settles_is_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await tell_all(backend)
        await scribe.settle_draft(await scribe.draft())
        assert await behind(backend) == {"s": (1, 2)}

    @pytest.mark.usefixtures("enrolled")
    async def test_a_turn_without_a_step_is_not_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await tell_all(backend)
        await scribe.turn(steps=0, status="refused", error="no")
        assert await behind(backend) == {}

    @pytest.mark.usefixtures("enrolled")
    async def test_a_settlement_that_a_table_refuses_is_not_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", changes=((1, guest(1, email="a@b.c")),))
        await scribe.born("t")
        await tell_all(backend)
        await scribe.turn("t", changes=((2, guest(1, email="a@b.c")),))
        assert await behind(backend) == {}

    @pytest.mark.usefixtures("enrolled")
    async def test_a_branch_and_what_a_sandbox_plays_are_never_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await tell_all(backend)
        await scribe.branch("b")
        await scribe.turn("b")
        await scribe.born("child", player="b", mute=True, clock_at=NOW)
        assert await behind(backend) == {}
        assert await backend.cursors.sweep(NAME) == 0

    async def test_a_stream_of_another_world_is_not_found(self, backend: Backend, scribe: Scribe) -> None:
        await backend.cursors.enrol(NAME, {"elsewhere"})
        await scribe.born()
        assert await behind(backend) == {}
        assert await backend.cursors.sweep(NAME) == 0

    @pytest.mark.usefixtures("enrolled")
    async def test_each_follower_has_a_cursor_of_its_own(self, backend: Backend, scribe: Scribe) -> None:
        await backend.cursors.enrol("other", {WORLD, "elsewhere"})
        await scribe.born()
        await tell_all(backend)
        assert (await behind(backend), await behind(backend, "other")) == ({}, {"s": (0, 1)})

    @pytest.mark.usefixtures("enrolled")
    async def test_what_is_behind_comes_a_page_at_a_time(self, backend: Backend, scribe: Scribe) -> None:
        for i in range(5):
            await scribe.born(f"s{i}")
        found: list[Behind] = []
        while page := await backend.cursors.behind(NAME, limit=2, **({"after": found[-1].place} if found else {})):
            found += page
        assert sorted(one.stream for one in found) == [f"s{i}" for i in range(5)]

    # a follower that comes late

    async def test_streams_from_before_it_was_enrolled_are_found_by_a_sweep(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(steps=3)
        await backend.cursors.enrol(NAME, {WORLD})
        assert await behind(backend) == {}
        assert await backend.cursors.sweep(NAME) == 1
        assert await behind(backend) == {"s": (0, 3)}
        assert await backend.cursors.sweep(NAME) == 0

    async def test_a_stream_from_before_it_was_enrolled_is_found_whole_when_it_moves(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(steps=3)
        await backend.cursors.enrol(NAME, {WORLD})
        await scribe.turn()
        assert await behind(backend) == {"s": (0, 4)}

    async def test_a_world_that_it_follows_from_now_on_is_found(self, backend: Backend, scribe: Scribe) -> None:
        await backend.cursors.enrol(NAME, {"elsewhere"})
        await backend.cursors.enrol(NAME, {WORLD})
        await scribe.born()
        assert await behind(backend) == {"s": (0, 1)}
        assert (await cursor(backend)).worlds == (WORLD,)

    @pytest.mark.usefixtures("enrolled")
    async def test_everything_is_as_it_was_when_the_house_is_opened_again(
        self, backend: Backend, scribe: Scribe, reopen: Reopen
    ) -> None:
        await scribe.born()
        await tell_all(backend)
        await scribe.turn()
        backend = await reopen()
        assert await behind(backend) == {"s": (1, 2)}
        await Scribe(backend).turn(key="k2")
        assert await behind(backend) == {"s": (1, 3)}

    # leases

    @pytest.mark.usefixtures("enrolled")
    async def test_a_cursor_with_nothing_to_tell_is_not_taken(self, backend: Backend, scribe: Scribe) -> None:
        assert await backend.cursors.take(NAME, lease()) is None
        await scribe.born()
        await tell_all(backend)
        assert await backend.cursors.take(NAME, lease()) is None

    @pytest.mark.usefixtures("enrolled")
    async def test_of_many_workers_one_takes_it(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        holds = await asyncio.gather(*(backend.cursors.take(NAME, lease(f"w{i}")) for i in range(6)))
        assert len([hold for hold in holds if hold is not None]) == 1

    @pytest.mark.usefixtures("enrolled")
    async def test_a_lease_that_ran_out_is_taken_over_and_its_holder_is_fenced(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        stale = await taken(backend)
        page = await backend.cursors.behind(NAME)
        assert await backend.cursors.take(NAME, lease("bob", wall=10 * SECOND - 1)) is None
        fresh = await taken(backend, wall=10 * SECOND, worker="bob")
        for act in (
            backend.cursors.told(stale, page),
            backend.cursors.release(stale),
            backend.cursors.renew(stale, lease(wall=11 * SECOND)),
            backend.cursors.begun(stale),
        ):
            with pytest.raises(LeaseLost):
                await act
        assert await behind(backend) == {"s": (0, 1)}
        await backend.cursors.told(fresh, page)

    @pytest.mark.usefixtures("enrolled")
    async def test_a_renewed_lease_lasts_longer(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        hold = await taken(backend)
        await backend.cursors.renew(hold, lease(wall=9 * SECOND))
        assert await backend.cursors.take(NAME, lease("bob", wall=12 * SECOND)) is None

    @pytest.mark.usefixtures("enrolled")
    async def test_a_follower_that_failed_rests_and_its_failures_are_counted(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        await backend.cursors.release(await taken(backend), until=HOUR, error="the disk is full")
        assert await backend.cursors.take(NAME, lease("bob", wall=HOUR - 1)) is None
        found = await cursor(backend)
        assert (found.tries, found.error, found.holder, found.until) == (1, "the disk is full", None, HOUR)
        hold = await taken(backend, wall=HOUR)
        assert hold.tries == 1
        await backend.cursors.told(hold, await backend.cursors.behind(NAME))
        assert ((await cursor(backend)).tries, (await cursor(backend)).error) == (0, None)

    @pytest.mark.usefixtures("enrolled")
    async def test_what_settles_while_it_is_told_is_found_afterwards(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        hold, page = await taken(backend), await backend.cursors.behind(NAME)
        await scribe.turn()
        await backend.cursors.told(hold, page)
        assert await behind(backend) == {"s": (1, 2)}

    # streams that go

    @pytest.mark.usefixtures("enrolled")
    async def test_a_removed_stream_is_told_and_then_nothing_is_kept_of_it(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", outcome=b"1")
        await scribe.born("t")
        await tell_all(backend)
        await backend.upkeep.remove(["s"], now=NOW, dry=False)
        assert (await gone(backend), await behind(backend)) == (["s"], {})
        assert (await cursor(backend)).gone == 1
        await tell_all(backend)
        assert (await gone(backend), (await cursor(backend)).streams) == ([], 1)

    @pytest.mark.usefixtures("enrolled")
    async def test_streams_of_a_forgotten_person_are_told(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", owner="bob")
        await scribe.born("t", owner="eve")
        await backend.upkeep.forget("bob", now=NOW)
        assert (await gone(backend), await behind(backend)) == (["s"], {"t": (0, 1)})

    @pytest.mark.usefixtures("enrolled")
    async def test_what_was_being_told_of_a_removed_stream_is_not_taken_for_another(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", steps=5, outcome=b"1")
        hold, page = await taken(backend), await backend.cursors.behind(NAME)
        await backend.upkeep.remove(["s"], now=NOW, dry=False)
        await scribe.born("t", steps=7)
        await backend.cursors.told(hold, page)
        assert (await gone(backend), await behind(backend)) == (["s"], {"t": (0, 7)})

    @pytest.mark.usefixtures("enrolled")
    async def test_a_stream_is_pruned_no_further_than_it_was_told(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(steps=4, snapshots=(snapshot(2), snapshot(4)))
        cut = await backend.upkeep.prune("s", NOW + YEAR, shape=1, now=NOW, dry=False)
        assert cut.streams == ()
        await tell_all(backend)
        await backend.upkeep.prune("s", NOW + YEAR, shape=1, now=NOW, dry=False)
        assert (await backend.streams.get("s")).mark == 4

    # a rebuild

    @pytest.mark.usefixtures("enrolled")
    async def test_a_rebuild_tells_everything_again(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", steps=2)
        await scribe.born("gone", outcome=b"1")
        await tell_all(backend)
        await backend.upkeep.remove(["gone"], now=NOW, dry=False)
        await backend.cursors.rewind(NAME)
        hold = await taken(backend)
        assert hold.rebuilding
        await backend.cursors.begun(hold)
        assert (await behind(backend), await gone(backend)) == ({"s": (0, 2)}, [])
        assert not (await cursor(backend)).rebuilding

    @pytest.mark.usefixtures("enrolled")
    async def test_a_rebuild_begins_with_what_was_not_pruned(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(steps=4, snapshots=(snapshot(2), snapshot(4)))
        await tell_all(backend)
        await backend.upkeep.prune("s", NOW + YEAR, shape=1, now=NOW, dry=False)
        await backend.cursors.rewind(NAME)
        await backend.cursors.begun(await taken(backend))
        assert await behind(backend) == {"s": (3, 4)}

    @pytest.mark.usefixtures("enrolled")
    async def test_whoever_tells_when_a_rebuild_is_asked_for_is_fenced_and_keeps_others_away_for_its_lease(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born()
        hold, page = await taken(backend), await backend.cursors.behind(NAME)
        await backend.cursors.rewind(NAME)
        with pytest.raises(LeaseLost):
            await backend.cursors.told(hold, page)
        assert await backend.cursors.take(NAME, lease("bob")) is None
        assert (await taken(backend)).rebuilding

    async def test_a_rebuild_is_asked_for_even_when_there_is_nothing_to_tell(self, backend: Backend) -> None:
        await backend.cursors.enrol(NAME, {WORLD})
        await backend.cursors.rewind(NAME)
        assert (await taken(backend)).rebuilding

    # all of them

    async def test_followers_are_listed_with_how_far_they_are(self, backend: Backend, scribe: Scribe) -> None:
        await backend.cursors.enrol("b", {WORLD})
        await backend.cursors.enrol(NAME, {WORLD})
        await scribe.born("s", steps=2)
        await tell_all(backend)
        await scribe.born("t", steps=3)
        found = {one.name: (one.streams, one.behind, one.steps) for one in await backend.cursors.list()}
        assert found == {"b": (2, 2, 5), NAME: (2, 1, 3)}
        assert [one.name for one in await backend.cursors.list()] == ["b", NAME]

    @pytest.mark.usefixtures("enrolled")
    async def test_nothing_is_noted_for_a_follower_that_was_dropped(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        assert await backend.cursors.drop(NAME)
        assert not await backend.cursors.drop(NAME)
        await scribe.turn()
        assert (list(await backend.cursors.list()), await behind(backend)) == ([], {})

    async def test_a_follower_that_nobody_enrolled_is_unknown(self, backend: Backend) -> None:
        for act in (
            backend.cursors.take(NAME, lease()),
            backend.cursors.sweep(NAME),
            backend.cursors.rewind(NAME),
        ):
            with pytest.raises(Unknown):
                await act
