"""The contract of ``MemoryBank``: words by id and by scope."""

from __future__ import annotations

import pytest

from greenroom.journal.transitions import command_memory
from greenroom.kernel.errors import Malformed
from greenroom.kernel.words import Scope
from greenroom.ports import Backend
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import HOUR, MINUTE, NOW, WORLD, Scribe, changed, memory

#: Names that a careless query would read as a pattern, a quote, or everybody.
AWKWARD = ("%", "_", '"', "'", "a%", "ad_", "ada ", "ADA", "*", "ada' OR '1'='1", "a\\", "é", "é")


class MemoryBankContract(Contract):
    """All of ``MemoryBank``."""

    async def test_texts_are_had_by_id_and_unknown_ones_are_missing(
        self, backend: Backend, scribe: Scribe, reopen: Reopen
    ) -> None:
        await scribe.born(memories=((1, memory("s/1.0", "one")), (1, memory("s/1.1", "two"))))
        wanted = ["s/1.0", "s/1.1", "s/1.1", "s/9.9"]
        assert await backend.bank.get(wanted) == {"s/1.0": "one", "s/1.1": "two"}
        assert await (await reopen()).bank.get(wanted) == {"s/1.0": "one", "s/1.1": "two"}

    async def test_no_ids_give_no_texts(self, backend: Backend) -> None:
        assert await backend.bank.get([]) == {}

    async def test_any_number_of_texts_can_be_had(self, backend: Backend, scribe: Scribe) -> None:
        many = tuple((1, memory(f"s/1.{i}", f"text {i}")) for i in range(1200))
        await scribe.born(memories=many)
        assert len(await backend.bank.get([f"s/1.{i}" for i in range(1300)])) == 1200

    @pytest.mark.parametrize(
        "text", ["", " ", "naïve – 文字 🦜", "a\x00b", "'; DROP TABLE memories; --", "x" * 100_000]
    )
    async def test_a_text_comes_back_as_it_was(self, backend: Backend, scribe: Scribe, text: str) -> None:
        await scribe.born(memories=((1, memory("s/1.0", text)),), texts=(text,))
        assert await backend.bank.get(["s/1.0", command_memory("s", 1, 0)]) == {
            "s/1.0": text,
            command_memory("s", 1, 0): text,
        }

    async def test_a_memory_comes_back_whole(self, backend: Backend, scribe: Scribe) -> None:
        whole = memory(
            "s/1.0",
            "words",
            owner="bob",
            agent="bart",
            kind="insight",
            speaker="eve",
            at=NOW + MINUTE,
            meta={"a": 1, "b": [1.5, "x"], "c": True},
            supersedes="s/0.0",
        )
        await scribe.born(memories=((1, whole),))
        (stored,) = await backend.bank.of_stream("s")
        assert (stored.memory, stored.stream, stored.version) == (whole, "s", 1)

    async def test_every_memory_that_one_stream_wrote_is_given(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=((1, memory("s/1.0")),), texts=("open words",))
        await scribe.born("t", memories=((1, memory("t/1.0")),))
        found = {stored.memory.id for stored in await backend.bank.of_stream("s")}
        assert found == {"s/1.0", command_memory("s", 1, 0)}

    async def test_a_branch_does_not_write_its_parents_memories_again(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=((1, memory("s/1.0")),))
        await scribe.branch("b")
        assert list(await backend.bank.of_stream("b")) == []

    # scopes

    async def test_a_scope_holds_the_memories_of_one_owner_and_agent_oldest_first(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(
            memories=(
                (1, memory("s/1.0", at=NOW + HOUR)),
                (1, memory("s/1.1", at=NOW)),
                (1, memory("s/1.2", at=NOW + 1)),
                (1, memory("s/1.3", owner="bob")),
                (1, memory("s/1.4", agent="bart")),
            )
        )
        scope = Scope(world=WORLD, owner="ada", agent="keeper")
        assert [stored.memory.id for stored in await backend.bank.all(scope)] == ["s/1.1", "s/1.2", "s/1.0"]
        assert await backend.bank.count(scope) == 3

    async def test_a_scope_without_agent_holds_every_agent_of_this_owner(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(
            memories=((1, memory("s/1.0")), (1, memory("s/1.1", agent="bart")), (1, memory("s/1.2", owner="bob")))
        )
        assert await backend.bank.count(Scope(world=WORLD, owner="ada")) == 2

    async def test_a_scope_holds_one_world(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", world="one", memories=((1, memory("s/1.0")),))
        await scribe.born("t", world="two", memories=((1, memory("t/1.0")),))
        assert [m.memory.id for m in await backend.bank.all(Scope(world="two", owner="ada"))] == ["t/1.0"]

    async def test_a_scope_holds_all_streams_of_its_owner(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=((1, memory("s/1.0")),))
        await scribe.born("t", memories=((1, memory("t/1.0")),))
        assert await backend.bank.count(Scope(world=WORLD, owner="ada", agent="keeper")) == 2

    @pytest.mark.parametrize("name", AWKWARD)
    async def test_no_name_is_read_as_another(self, backend: Backend, scribe: Scribe, name: str) -> None:
        await scribe.born("s", memories=((1, memory("s/1.0")),))
        for scope in (
            Scope(world=WORLD, owner=name),
            Scope(world=WORLD, owner="ada", agent=name.strip() or "%"),
            Scope(world=name, owner="ada"),
        ):
            assert (await backend.bank.count(scope), list(await backend.bank.all(scope))) == (0, [])
        mine = changed(memory("t/1.0"), owner=name, agent=name)
        await scribe.born("t", owner=name, memories=((1, mine),))
        scope = Scope(world=WORLD, owner=name, agent=name)
        assert [stored.memory for stored in await backend.bank.all(scope)] == [mine]
        assert await backend.bank.count(Scope(world=WORLD, owner="ada", agent="keeper")) == 1

    @pytest.mark.parametrize("empty", ["", " ", "\n"])
    async def test_there_is_no_scope_for_everybody(self, empty: str) -> None:
        for wrong in ({"world": empty}, {"owner": empty}, {"agent": empty}):
            with pytest.raises(Malformed):
                Scope(**({"world": WORLD, "owner": "ada"} | wrong))
        with pytest.raises(Malformed):
            Scope(world=WORLD, owner=None)  # type: ignore[arg-type]

    async def test_forgotten_words_are_missing(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", owner="ada", memories=((1, memory("s/1.0")), (1, memory("s/1.1", owner="bob"))))
        await backend.upkeep.forget("bob", now=NOW)
        assert await backend.bank.get(["s/1.0", "s/1.1"]) == {"s/1.0": "some words"}
        assert await backend.bank.count(Scope(world=WORLD, owner="bob")) == 0

    async def test_words_forgotten_while_their_attempt_was_driven_stay_forgotten(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(owner="ada")
        claim = await scribe.taken(texts=("hello",), person="bob")
        await backend.upkeep.forget("bob", now=NOW)
        words = command_memory("s", 2, 0)
        await scribe.settle(claim, memories=((2, memory(words, None, owner="bob")),))
        assert await backend.bank.get([words]) == {}
        assert await backend.bank.count(Scope(world=WORLD, owner="bob")) == 0
        assert list(await backend.bank.of_stream("s")) == []
