"""The contract of ``History``: what happened, at every version, and branches of it."""

from __future__ import annotations

import pytest

from greenroom.kernel.errors import Conflict, Forgotten, OutOfRange, Unknown
from greenroom.kernel.letters import Cancel
from greenroom.kernel.tables import Patch
from greenroom.ports import Backend
from greenroom.testing.contract import Contract
from greenroom.testing.drafts import DraftContract
from greenroom.testing.records import (
    GUESTS,
    HOUR,
    MINUTE,
    NOW,
    YEAR,
    Scribe,
    changed,
    guest,
    lease,
    memory,
    opening,
    post,
    snapshot,
    state_bytes,
)
from greenroom.testing.settling import SettleContract, UniqueContract


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
        (leased,) = await scribe.backend.outbox.lease(lease(), now=NOW, limit=1)
        await scribe.backend.outbox.settle(leased, "sent")
        await scribe.backend.outbox.mark("s", "gone", "cancelled")
        await scribe.branch("b")
        (copied,) = await scribe.backend.outbox.list(stream="b")
        (kept,) = await scribe.backend.outbox.list(stream="s", status="due")
        assert copied == changed(kept, stream="b", status="held", token=0, tries=0)
        assert [letter.stream for letter in await scribe.backend.outbox.lease(lease(), now=NOW + YEAR, limit=9)] == [
            "s"
        ]

    async def test_a_branch_has_the_letters_that_were_pending_at_its_version(self, scribe: Scribe) -> None:
        await scribe.born(letters=(post("sent since", due_at=NOW), post("cancelled since")))
        await scribe.turn(letters=(Cancel(key="cancelled since"), post("posted since")))
        (leased,) = await scribe.backend.outbox.lease(lease(), now=NOW, limit=1)
        await scribe.backend.outbox.settle(leased, "sent")
        await scribe.branch("then", at=1)
        await scribe.branch("now", at=2)
        then = {letter.key: letter.status for letter in await scribe.backend.outbox.list(stream="then")}
        assert then == {"sent since": "held", "cancelled since": "held"}
        assert [letter.key for letter in await scribe.backend.outbox.list(stream="now")] == ["posted since"]

    async def test_letters_written_on_a_branch_are_held(self, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b")
        await scribe.turn("b", letters=(post("l1", due_at=NOW),))
        assert [letter.status for letter in await scribe.backend.outbox.list(stream="b")] == ["held"]
        assert list(await scribe.backend.outbox.lease(lease(), now=NOW + YEAR, limit=9)) == []

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
