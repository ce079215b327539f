"""The contract of ``Streams``: finding streams and what waits in them."""

from __future__ import annotations

import pytest

from greenroom.kernel.errors import Forgotten, Refused, Unknown
from greenroom.ports import Backend
from greenroom.testing.contract import Contract
from greenroom.testing.records import HOUR, MINUTE, NOW, YEAR, Scribe, entry


class StreamsContract(Contract):
    """All of ``Streams``."""

    async def test_a_stream_is_given_as_it_stands(self, backend: Backend, scribe: Scribe) -> None:
        born = await scribe.born()
        assert await backend.streams.get("s") == born
        settled = await scribe.turn()
        assert await backend.streams.get("s") == settled.stream

    async def test_what_is_given_is_a_copy(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        (await backend.streams.get("s")).version = 99
        assert (await backend.streams.get("s")).version == 1

    async def test_an_unknown_stream_is_told_from_a_forgotten_one(self, backend: Backend, scribe: Scribe) -> None:
        with pytest.raises(Unknown):
            await backend.streams.get("s")
        await scribe.born(owner="ada")
        await backend.upkeep.forget("ada", now=NOW)
        with pytest.raises(Forgotten):
            await backend.streams.get("s")

    async def test_streams_are_listed_by_name(self, backend: Backend, scribe: Scribe) -> None:
        for name in ("b", "a", "c", "B", "a%", "é"):
            await scribe.born(name)
        assert [stream.name for stream in await backend.streams.list()] == ["B", "a", "a%", "b", "c", "é"]

    async def test_a_list_is_had_a_page_at_a_time(self, backend: Backend, scribe: Scribe) -> None:
        for i in range(7):
            await scribe.born(f"s{i}")
        seen, after = [], ""
        while page := await backend.streams.list(limit=3, after=after):
            assert len(page) <= 3
            seen += [stream.name for stream in page]
            after = page[-1].name
        assert seen == [f"s{i}" for i in range(7)]

    async def test_a_list_can_be_narrowed_by_world_owner_and_parent(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", owner="ada", world="one")
        await scribe.born("t", owner="bob", world="one")
        await scribe.born("u", owner="ada", world="two")
        await scribe.branch("b", "s")

        async def names(**by: str) -> list[str]:
            return [stream.name for stream in await backend.streams.list(**by)]  # type: ignore[arg-type]

        assert await names(world="one") == ["b", "s", "t"]
        assert await names(owner="ada") == ["b", "s", "u"]
        assert await names(parent="s") == ["b"]
        assert await names(owner="ada", world="two") == ["u"]
        assert await names(owner="a%") == await names(owner="") == []

    async def test_a_list_may_leave_out_what_other_streams_play(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("run")
        await scribe.born("run.1.0", player="run")
        assert [stream.name for stream in await backend.streams.list()] == ["run", "run.1.0"]
        assert [stream.name for stream in await backend.streams.list(children=False)] == ["run"]

    async def test_attempts_are_given_in_order_a_page_at_a_time(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        for i in range(5):
            await scribe.record(key=f"k{i}")
        assert [attempt.n for attempt in await backend.streams.attempts("s")] == [1, 2, 3, 4, 5, 6]
        assert [attempt.n for attempt in await backend.streams.attempts("s", after=2, limit=3)] == [3, 4, 5]

    async def test_the_attempts_of_a_branch_are_its_own_only(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b")
        await scribe.record("b", "mine")
        assert [attempt.key for attempt in await backend.streams.attempts("b")] == ["mine"]

    async def test_attempts_lineage_and_ledger_need_a_stream(self, backend: Backend) -> None:
        for look in (backend.streams.attempts, backend.streams.lineage, backend.streams.ledger):
            with pytest.raises(Unknown):
                await look("nowhere")

    async def test_a_lineage_goes_from_child_to_root(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s")
        for parent, name, at in (("s", "b", 1), ("b", "c", 2)):
            await scribe.branch(name, parent, at)
            await scribe.turn(name, f"on {name}")
        assert [stream.name for stream in await backend.streams.lineage("c")] == ["c", "b", "s"]
        assert [stream.name for stream in await backend.streams.lineage("s")] == ["s"]

    async def test_a_sandboxs_clock_moves_forward_and_wakes_it(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b", wake_at=NOW + HOUR)
        moved = await backend.streams.advance("b", NOW + MINUTE)
        assert (moved.clock_at, moved.awake) == (NOW + MINUTE, True)
        assert await scribe.claim(now=NOW + YEAR) == []
        await backend.streams.advance("b", NOW + HOUR)
        (wake,) = await scribe.claim(now=NOW)
        assert (wake.stream.name, wake.attempt.rank, wake.attempt.at) == ("b", 0, NOW + HOUR)

    async def test_a_sandboxs_clock_never_goes_back(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.branch("b")
        await backend.streams.advance("b", NOW + HOUR)
        assert (await backend.streams.advance("b", NOW)).clock_at == NOW + HOUR

    async def test_a_stream_on_the_house_clock_is_not_moved(self, backend: Backend, scribe: Scribe) -> None:
        before = await scribe.born()
        with pytest.raises(Refused):
            await backend.streams.advance("s", NOW + HOUR)
        assert await backend.streams.get("s") == before

    async def test_the_ledger_tells_what_every_ask_used_with_its_attempt(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(ledger=(entry(0, cost=1),))
        await scribe.turn(ledger=(entry(0, cost=2), entry(1, cost=3, cached_tokens=4, milliseconds=5)))
        await scribe.turn(key="k2", steps=0, status="refused", error="no", ledger=(entry(0, cost=4, status="failed"),))
        assert list(await backend.streams.ledger("s")) == [
            (1, entry(0, cost=1)),
            (2, entry(0, cost=2)),
            (2, entry(1, cost=3, cached_tokens=4, milliseconds=5)),
            (3, entry(0, cost=4, status="failed")),
        ]
