"""The contract of facts: what ``MemoryBank.facts`` and ``latest`` tell, to whom, and what no search ever finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from greenroom.kernel.asks import Fact, Facts, Latest, Recall
from greenroom.kernel.errors import Unknown
from greenroom.kernel.facts import STRUCK
from greenroom.kernel.times import moment
from greenroom.kernel.words import RAW, Memory, Scope
from greenroom.ports import Backend
from greenroom.testing.contract import Contract
from greenroom.testing.records import HOUR, MINUTE, NOW, WORLD, YEAR, Scribe, memory

KEEPER = Scope(world=WORLD, owner="ada", agent="keeper")


def fact(id: str, text: str, relation: str = "told", **more: Any) -> Memory:
    meta = {"subject": "you", "relation": relation, "value": text, "salience": more.pop("salience", 2)}
    return memory(id, text, kind="fact", meta=meta, **more)


async def facts(
    backend: Backend, *, scope: Scope = KEEPER, stream: str = "s", version: int | None = None, **more: Any
) -> Sequence[Fact]:
    if version is None:
        version = (await backend.streams.get(stream)).version
    return await backend.bank.facts(Facts(scope=scope, **more), stream=stream, version=version, at=NOW + YEAR)


async def texts(backend: Backend, **more: Any) -> list[str]:
    return [one.text for one in await facts(backend, **more)]


class FactsContract(Contract):
    """What every bank must do with facts."""

    async def test_a_fact_comes_back_as_it_was_kept(self, backend: Backend, scribe: Scribe) -> None:
        meta = {
            "subject": "dog", "relation": "name", "value": "Biscuit", "salience": 3, "quotable": False,
            "source": "s/a1.0",
        }  # fmt: skip
        await scribe.born(memories=((1, memory("s/1.0", "my dog Biscuit", kind="fact", meta=meta)),))
        (found,) = await facts(backend)
        assert found == Fact(id="s/1.0", text="my dog Biscuit", at=moment(NOW), **meta)  # type: ignore[arg-type]

    async def test_facts_and_raw_words_are_found_by_no_search(self, backend: Backend, scribe: Scribe) -> None:
        raw = memory("s/1.1", "the lamp was rejected", kind=RAW, agent="keeper")
        await scribe.born(
            memories=((1, fact("s/1.0", "a lamp as a fact")), (1, raw), (1, memory("s/1.2", "a lamp as a line")))
        )
        found = await backend.bank.search(Recall(query="lamp", scope=KEEPER), stream="s", version=1, at=NOW + YEAR)
        assert [one.id for one in found] == ["s/1.2"]
        assert await texts(backend) == ["a lamp as a fact"]
        assert await backend.bank.get(["s/1.1"]) == {"s/1.1": "the lamp was rejected"}

    async def test_a_branch_taken_before_a_fact_was_replaced_sees_the_older(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(memories=((1, fact("s/1.0", "she lives in Oslo")),))
        await scribe.turn(memories=((2, fact("s/2.0", "she lives in Bergen", supersedes="s/1.0")),))
        await scribe.branch("b", at=1)
        assert await texts(backend) == ["she lives in Bergen"]
        assert await texts(backend, stream="b") == ["she lives in Oslo"]
        assert await texts(backend, version=1) == ["she lives in Oslo"]

    async def test_a_fact_that_was_struck_out_is_gone(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(memories=((1, fact("s/1.0", "she lives in Oslo")),))
        await scribe.turn(memories=((2, fact("s/2.0", "", STRUCK, supersedes="s/1.0")),))
        assert await texts(backend) == []

    async def test_facts_of_other_people_agents_and_worlds_are_not_told(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(
            memories=(
                (1, fact("s/1.0", "ada's, told to the keeper")),
                (1, fact("s/1.1", "bob's", owner="bob")),
                (1, fact("s/1.2", "ada's, told to bart", agent="bart")),
            )
        )
        assert await texts(backend) == ["ada's, told to the keeper"]
        assert await texts(backend, scope=Scope(world=WORLD, owner="bob", agent="keeper")) == ["bob's"]
        assert await texts(backend, scope=Scope(world="elsewhere", owner="ada", agent="keeper")) == []
        assert set(await texts(backend, scope=Scope(world=WORLD, owner="ada"))) == {
            "ada's, told to the keeper",
            "ada's, told to bart",
        }

    async def test_what_nobody_forgets_comes_first_then_what_is_asked_for_then_the_newest(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(
            memories=(
                (1, fact("s/1.0", "a name", salience=3, at=NOW)),
                (1, fact("s/1.1", "about plums", at=NOW + MINUTE)),
                (1, fact("s/1.2", "old", "likes", at=NOW + 2 * MINUTE)),
                (1, fact("s/1.3", "new", "likes", at=NOW + 3 * MINUTE)),
                (1, fact("s/1.4", "as it was said", "told", at=NOW + 4 * MINUTE)),
            )
        )
        assert await texts(backend, query="any plums?") == ["a name", "about plums", "new", "old", "as it was said"]
        assert await texts(backend, limit=2) == ["a name", "new"]

    async def test_facts_of_earlier_streams_are_known_and_of_sandboxes_not(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("u", memories=((1, fact("u/1.0", "from another day")),))
        await scribe.branch("v", parent="u")
        await scribe.turn("v", key="v1", memories=((2, fact("v/2.0", "from a branch")),))
        await scribe.born("s")
        assert await texts(backend) == ["from another day"]

    async def test_there_is_nothing_to_know_in_a_stream_that_is_not_there(self, backend: Backend) -> None:
        with pytest.raises(Unknown):
            await backend.bank.facts(Facts(scope=KEEPER), stream="nowhere", version=1, at=NOW)
        ask = Latest(scope=KEEPER, speaker="keeper", since=moment(NOW))
        with pytest.raises(Unknown):
            await backend.bank.latest(ask, stream="nowhere", at=NOW)

    async def test_forgetting_a_person_removes_their_facts_and_raw_words(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        raw = memory("s/1.1", "what was rejected", kind=RAW, agent=RAW)
        await scribe.born(memories=((1, fact("s/1.0", "a particular thing")), (1, raw)))
        await scribe.born("t", memories=((1, fact("t/1.0", "bob's thing", owner="bob")),))
        await backend.upkeep.forget("ada", now=NOW)
        assert await backend.bank.get(["s/1.0", "s/1.1"]) == {}

    async def test_the_latest_lines_of_a_speaker_come_newest_first(self, backend: Backend, scribe: Scribe) -> None:
        lines = [(1, memory(f"u/1.{i}", f"line {i}", speaker="keeper", at=NOW + i * HOUR)) for i in range(4)]
        others = ((1, memory("u/1.8", "theirs", speaker="ada", at=NOW)), (1, fact("u/1.9", "a fact", speaker="keeper")))
        await scribe.born("u", memories=(*lines, *others))
        await scribe.born("s")
        ask = Latest(scope=KEEPER, speaker="keeper", since=moment(NOW + HOUR), limit=2)
        found = await backend.bank.latest(ask, stream="s", at=NOW + 3 * HOUR)
        assert [(one.text, one.at) for one in found] == [
            ("line 3", moment(NOW + 3 * HOUR)),
            ("line 2", moment(NOW + 2 * HOUR)),
        ]
        found = await backend.bank.latest(ask, stream="s", at=NOW + 2 * HOUR)
        assert [one.text for one in found] == ["line 2", "line 1"]
