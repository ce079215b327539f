"""The contract of ``Overview``: what waits, what failed, what was spent, over all streams at once."""

from __future__ import annotations

from greenroom.ports import Backend, DaySpent
from greenroom.testing.contract import Contract
from greenroom.testing.records import HOUR, MINUTE, NOW, Scribe, entry, memory, post

DAY = 24 * HOUR


class OverviewContract(Contract):
    """All of ``Overview``."""

    async def test_the_queue_has_streams_with_open_attempts_the_longest_waiting_first(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        for name in ("a", "b", "c", "d"):
            await scribe.born(name)
        await scribe.record("b", now=NOW + 2 * MINUTE)
        await scribe.record("c", now=NOW + MINUTE)
        await scribe.record("a", now=NOW + 2 * MINUTE)
        queue = await backend.overview.queue(limit=10)
        assert [stream.name for stream in queue] == ["c", "a", "b"]
        assert queue[0] == await backend.streams.get("c")
        assert [stream.name for stream in await backend.overview.queue(limit=1)] == ["c"]
        (claim,) = await scribe.claim(limit=1)
        await scribe.settle(claim)
        assert [stream.name for stream in await backend.overview.queue(limit=10)] == ["a", "b"]

    async def test_a_stream_in_the_queue_says_who_holds_it(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("a")
        await scribe.taken("a")
        (held,) = await backend.overview.queue(limit=10)
        assert held.holder == "ada"

    async def test_what_is_due_comes_by_its_moment(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("late", wake_at=NOW + HOUR)
        await scribe.born("never")
        await scribe.born("soon", wake_at=NOW + MINUTE)
        assert [stream.name for stream in await backend.overview.due(limit=10)] == ["soon", "late"]
        assert [stream.name for stream in await backend.overview.due(limit=1)] == ["soon"]

    async def test_failed_attempts_come_newest_first(self, backend: Backend, scribe: Scribe) -> None:
        for name in ("b", "a"):
            await scribe.born(name)
            await scribe.turn(name, "k1", steps=0, status="failed", error="a bug", now=NOW + MINUTE)
            await scribe.turn(name, "k2", now=NOW + HOUR)
        await scribe.turn("b", "k3", steps=0, status="failed", error="another", now=NOW + 2 * HOUR)
        await scribe.turn("b", "k4", steps=0, status="refused", error="no", now=NOW + 3 * HOUR)
        found = await backend.overview.failed(limit=10)
        assert [(a.stream, a.key, a.error) for a in found] == [
            ("b", "k3", "another"),
            ("a", "k1", "a bug"),
            ("b", "k1", "a bug"),
        ]
        assert [a.key for a in await backend.overview.failed(limit=1)] == ["k3"]

    async def test_everything_is_counted(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("a", memories=((1, memory("a/1.0")),), letters=(post(words="a/1.0"), post("l2")))
        await scribe.born("b")
        await scribe.turn("b", "k1", steps=0, status="failed", error="a bug")
        await scribe.record("b", "k2")
        await scribe.record("b", "k3")
        await backend.outbox.mark("a", "l2", "held")
        assert await backend.overview.counts() == {"streams": 2, "open": 2, "failed": 1, "due": 1, "held": 1}

    async def test_what_was_spent_is_added_up_by_day_world_and_model(self, backend: Backend, scribe: Scribe) -> None:
        today = NOW // DAY * DAY
        await scribe.born("a", world="proof", ledger=(entry(0, cost=3, input_tokens=10), entry(1, cost=4)))
        await scribe.born("b", world="other", ledger=(entry(0, cost=5, output_tokens=2),))
        found = await backend.overview.spent(today, today + DAY)
        assert list(found) == [
            _spent(today, "other", asks=1, output_tokens=2, cost=5),
            _spent(today, "proof", asks=2, input_tokens=10, cost=7),
        ]
        assert list(await backend.overview.spent(today - DAY, NOW)) == []
        assert list(await backend.overview.spent(NOW + 1, today + DAY)) == []

    async def test_what_removed_streams_spent_is_still_told(self, backend: Backend, scribe: Scribe) -> None:
        today = NOW // DAY * DAY
        await scribe.born("a", owner="ada", ledger=(entry(0, cost=3), entry(1, cost=4)))
        await backend.upkeep.forget("ada", now=NOW)
        assert list(await backend.overview.spent(today, today + DAY)) == [_spent(today, "", asks=2, cost=7)]

    async def test_facts_about_the_house_are_kept_and_found_by_the_beginning_of_their_keys(
        self, backend: Backend
    ) -> None:
        await backend.upkeep.note("world/harbour", "harbour 0.1.0")
        await backend.upkeep.note("world/harbour", "harbour 0.2.0")
        await backend.upkeep.note("else/harbour", "not this one")
        assert await backend.upkeep.notes("world/") == {"harbour": "harbour 0.2.0"}


def _spent(day: int, world: str, *, asks: int, input_tokens: int = 0, output_tokens: int = 0, cost: int) -> DaySpent:
    return DaySpent(
        day=day,
        world=world,
        model="scripted",
        asks=asks,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=cost,
    )
