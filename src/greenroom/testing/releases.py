"""The contract of ``History.settle`` for streams that a settlement releases."""

from __future__ import annotations

from typing import Any

import pytest

from greenroom.kernel.errors import Forgotten, LeaseLost, Malformed
from greenroom.ports import Backend
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import WORLD, Scribe, entry, guest, lease, memory, snapshot


async def family(scribe: Scribe) -> None:
    """A stream that played three others, two of which have ended."""
    await scribe.born()
    for name in ("s.2.0", "s.2.1"):
        kept: dict[str, Any] = {"snapshots": (snapshot(1),), "ledger": (entry(cost=5),), "changes": ((1, guest(1)),)}
        await scribe.born(name, player="s", outcome=b"1", memories=((1, memory(f"{name}/1.0")),), **kept)
    await scribe.born("s.2.2", player="s")


class ReleaseContract(Contract):
    """A settlement removes ended child streams with itself, or nothing is written at all."""

    async def test_released_streams_go_whole_with_the_settlement(
        self, backend: Backend, scribe: Scribe, reopen: Reopen
    ) -> None:
        await family(scribe)
        settled = await scribe.turn(releases=("s.2.0", "s.2.1"))
        assert settled.stream.version == 2
        backend = await reopen()
        for name in ("s.2.0", "s.2.1"):
            with pytest.raises(Forgotten):
                await backend.streams.get(name)
        assert (await backend.streams.get("s.2.2")).version == 1
        assert await backend.bank.get(["s.2.0/1.0", "s.2.1/1.0"]) == {}
        mark, _ = await backend.spending.since(None)
        assert await backend.spending.total(mark) == 10, "what was spent stays spent"
        assert list(await backend.upkeep.check()) == []

    async def test_the_dry_run_tells_what_goes(self, backend: Backend, scribe: Scribe) -> None:
        await family(scribe)
        dry = await backend.upkeep.releasable("s", ["s.2.0", "s.2.1"])
        assert dry.streams == ("s.2.0", "s.2.1")
        told = {name: dry.counts[name] for name in ("streams", "steps", "snapshots", "memories", "rows")}
        assert told == {"streams": 2, "steps": 2, "snapshots": 2, "memories": 2, "rows": 2}
        assert (await backend.streams.get("s.2.0")).version == 1

    @pytest.mark.parametrize(
        ("name", "why"), [("s.2.2", "not ended"), ("stranger", "did not play"), ("nobody", "not there")]
    )
    async def test_anything_else_is_a_fault_and_writes_nothing(
        self, backend: Backend, scribe: Scribe, name: str, why: str
    ) -> None:
        await family(scribe)
        await scribe.born("stranger", outcome=b"1")
        claim = await scribe.taken()
        before = await scribe.whole()
        with pytest.raises(Malformed, match=why):
            await scribe.settle(claim, releases=("s.2.0", name))
        with pytest.raises(Malformed, match=why):
            await backend.upkeep.releasable("s", ["s.2.0", name])
        assert await scribe.whole() == before
        assert (await backend.streams.get("s.2.0")).version == 1
        await scribe.settle(claim)

    async def test_a_stream_that_is_gone_already_is_passed_over(self, backend: Backend, scribe: Scribe) -> None:
        await family(scribe)
        await scribe.turn(key="k1", releases=("s.2.0",))
        assert (await scribe.turn(key="k2", releases=("s.2.0", "s.2.1"))).stream.version == 3
        assert (await backend.upkeep.releasable("s", ["s.2.0"])).streams == ()

    async def test_branches_and_children_of_a_released_stream_go_with_it(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await family(scribe)
        await scribe.branch("sandbox", "s.2.0")
        await scribe.born("grandchild", player="s.2.0", outcome=b"1")
        assert (await backend.upkeep.releasable("s", ["s.2.0"])).streams == ("grandchild", "s.2.0", "sandbox")
        await scribe.turn(releases=("s.2.0",))
        for name in ("sandbox", "grandchild"):
            with pytest.raises(Forgotten):
                await backend.streams.get(name)

    async def test_a_branch_never_releases_what_its_parent_played(self, backend: Backend, scribe: Scribe) -> None:
        await family(scribe)
        await scribe.branch("b")
        assert (await scribe.turn("b", releases=("s.2.0",))).stream.version == 2
        assert (await backend.streams.get("s.2.0")).version == 1

    async def test_a_draft_may_release(self, backend: Backend, scribe: Scribe) -> None:
        await family(scribe)
        settled = await scribe.settle_draft(await scribe.draft(), releases=("s.2.0",))
        assert settled.attempt.status == "settled"
        with pytest.raises(Forgotten):
            await backend.streams.get("s.2.0")

    async def test_a_settlement_that_a_table_refuses_releases_nothing(self, backend: Backend, scribe: Scribe) -> None:
        await family(scribe)
        await scribe.born("t", changes=((1, guest(1, email="a@b.c")),))
        settled = await scribe.turn(releases=("s.2.0",), changes=((2, guest(9, email="a@b.c")),))
        assert (settled.attempt.status, settled.attempt.error) == ("refused", "this e-mail is already registered")
        assert (await backend.streams.get("s.2.0")).version == 1

    async def test_a_worker_that_lost_the_stream_releases_nothing(self, backend: Backend, scribe: Scribe) -> None:
        await family(scribe)
        stale = await scribe.taken()
        await scribe.claim(wall=lease().until)
        with pytest.raises(LeaseLost):
            await scribe.settle(stale, releases=("s.2.0",))
        assert (await backend.streams.get("s.2.0")).version == 1

    async def test_whoever_follows_a_released_stream_is_told(self, backend: Backend, scribe: Scribe) -> None:
        await backend.cursors.enrol("copies", {WORLD})
        await family(scribe)
        await scribe.turn(releases=("s.2.0",))
        assert [one.stream for one in await backend.cursors.behind("copies") if one.gone] == ["s.2.0"]
