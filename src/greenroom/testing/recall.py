"""The contract of recall: what ``MemoryBank.search`` finds, for whom, and what it never gives away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from greenroom.journal.transitions import command_memory
from greenroom.kernel.asks import Recall, Recalled
from greenroom.kernel.errors import Unknown
from greenroom.kernel.words import Memory, Scope
from greenroom.ports import Backend
from greenroom.testing.contract import Contract, Reopen
from greenroom.testing.records import HOUR, MINUTE, NOW, WORLD, YEAR, Scribe, memory, post

KEEPER = Scope(world=WORLD, owner="ada", agent="keeper")

#: Names that a careless query would read as a pattern, a quote, an operator, or everybody.
AWKWARD = (
    "%", "_", '"', "'", "a%", "ad_", "ada ", " ada", "ADA", "Ada", "*", "ada*", "ada' OR '1'='1", "a\\", "é", "e\u0301",
    "\u0430da", "ada\u200b", "ada OR bob", "owner:ada", "NEAR(ada)", "x" * 10_000, "名前", "ada\x00",
)  # fmt: skip
#: Questions that a careless query would take for something else than words.
QUESTIONS = (
    "", " ", "\x00", "%", "_", "*", '"', "'", '"lamp', "lamp*", "lamp%", "lamp OR anchor", "lamp AND NOT keeper",
    "NEAR(lamp anchor, 2)", "text:lamp", "owner:bob", "-lamp", "^lamp", "{text}: lamp", "(((", "lamp\x00anchor",
    "'; DROP TABLE memories; --", "\\", "\ud83e\udd9c", "🦜", "灯台", "lamp " * 20_000, "x" * 100_000, "\udcff lamp",
    "bob", "[1]", "{}", "null", "lamp' OR '1'='1", "ł", "LAMP", "\uff4c\uff41\uff4d\uff50",
)  # fmt: skip


async def ask(
    backend: Backend,
    query: str,
    *,
    scope: Scope = KEEPER,
    stream: str = "s",
    version: int | None = None,
    at: int = NOW + YEAR,
    limit: int = 5,
    where: Mapping[str, Any] | None = None,
) -> Sequence[Recalled]:
    """Ask as a stream stands now, or as it stood at a version."""
    if version is None:
        version = (await backend.streams.get(stream)).version
    wanted = Recall(query=query, scope=scope, limit=limit, where=where or {})
    return await backend.bank.search(wanted, stream=stream, version=version, at=at)


async def ids(backend: Backend, query: str, **more: Any) -> list[str]:
    return [found.id for found in await ask(backend, query, **more)]


def told(*texts: str, stream: str = "s", version: int = 1, **more: Any) -> tuple[tuple[int, Memory], ...]:
    """Memories of one version, in order."""
    return tuple(
        (version, memory(f"{stream}/{version}.{i}", text, at=NOW + i * MINUTE, **more)) for i, text in enumerate(texts)
    )


LAMP = ("the lamp went out at midnight", "a gull sat on the rail", "we mended the broken anchor", "soup for supper")


class RecallContract(Contract):
    """All of ``MemoryBank.search``, ``lacking`` and ``prune``."""

    # finding

    async def test_a_memory_is_found_by_its_words_and_comes_back_whole(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(memories=told(*LAMP, kind="fact", speaker="eve"))
        best = (await ask(backend, "which lamp?"))[0]
        assert (best.id, best.text, best.speaker, best.kind) == ("s/1.0", LAMP[0], "eve", "fact")
        assert best.score > 0

    @pytest.mark.parametrize("query", ["lamps", "LAMP", "Lamp's", "a lamp?", "midnights", "was it the lamp – or not"])
    async def test_endings_case_and_small_words_do_not_matter(
        self, backend: Backend, scribe: Scribe, query: str
    ) -> None:
        await scribe.born(memories=told(*LAMP))
        assert (await ids(backend, query))[0] == "s/1.0"

    @pytest.mark.parametrize(
        ("text", "query"), [("Das Café schließt früh", "cafe"), ("灯台の光が消えた", "灯台"), ("naïve 文字 🦜", "文字")]
    )
    async def test_other_scripts_are_found_too(self, backend: Backend, scribe: Scribe, text: str, query: str) -> None:
        await scribe.born(memories=told(*LAMP, text))
        assert (await ids(backend, query))[0] == "s/1.4"

    async def test_a_memory_is_found_by_speaker_and_by_date(self, backend: Backend, scribe: Scribe) -> None:
        year = (
            memory("s/1.0", "soup again", speaker="Eve"),
            memory("s/1.1", "soup again", speaker="Bart", at=NOW + YEAR),
        )
        await scribe.born(memories=tuple((1, one) for one in year))
        assert (await ids(backend, "what did Bart say about soup"))[0] == "s/1.1"
        assert (await ids(backend, "Eve's soup"))[0] == "s/1.0"
        assert await ids(backend, "what happened in March 2030?", limit=1) == ["s/1.0"]
        assert await ids(backend, "and 2031?", limit=1) == ["s/1.1"]

    async def test_the_answer_is_found_by_the_words_of_the_question_before_it(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born(memories=told("rain all day", "where did the anchor go?", "under the pier", "fog", "soup"))
        assert set((await ids(backend, "the anchor"))[:2]) == {"s/1.1", "s/1.2"}

    async def test_a_neighbour_stands_in_the_same_scope(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(memories=told("where did the anchor go?", "under the pier"))
        await scribe.turn(memories=told("sold it", version=2, agent="bart"))
        await scribe.turn(key="k2", memories=told("soup", version=3))
        assert await ids(backend, "anchor") == ["s/1.0", "s/1.1", "s/3.0"]
        assert await ids(backend, "anchor", scope=Scope(world=WORLD, owner="ada", agent="bart")) == []

    async def test_nothing_is_found_where_nothing_fits(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(memories=told(*LAMP))
        assert await ids(backend, "zebra") == []
        assert await ids(backend, "lamp", limit=0) == []
        assert await ids(backend, "lamp", scope=Scope(world=WORLD, owner="nobody")) == []

    async def test_no_more_is_given_than_asked_for_and_the_best_first(self, backend: Backend, scribe: Scribe) -> None:
        texts = ["the lamp", *("lamp and soup and bread and rain and more of it" for _ in range(20))]
        await scribe.born(memories=told(*texts))
        found = await ask(backend, "lamp", limit=7)
        assert len(found) == 7
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)

    async def test_what_was_written_a_moment_ago_is_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(memories=told(*LAMP))
        for n in range(2, 12):
            assert await ids(backend, f"word{n}") == []
            await scribe.turn(key=f"k{n}", memories=told(f"word{n} was said", version=n))
            assert (await ids(backend, f"word{n}"))[0] == f"s/{n}.0"

    async def test_words_that_were_placed_late_are_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        claim = await scribe.taken(texts=("the zebra came",))
        await scribe.born("t", memories=told("another story", stream="t"))
        everybody = Scope(world=WORLD, owner="ada")
        assert await ids(backend, "story") == ["t/1.0"]
        assert await ids(backend, "zebra") == await ids(backend, "zebra", scope=everybody) == []
        words = command_memory("s", 2, 0)
        await scribe.settle(claim, memories=((2, memory(words, None)),))
        assert (await ids(backend, "zebra"))[0] == (await ids(backend, "zebra", scope=everybody))[0] == words

    async def test_words_of_a_refused_command_are_not_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born()
        await scribe.settle(await scribe.taken(texts=("the zebra came",)), steps=0, status="refused", error="no")
        assert await ids(backend, "zebra", scope=Scope(world=WORLD, owner="ada")) == []

    async def test_the_same_is_found_after_a_restart(self, backend: Backend, scribe: Scribe, reopen: Reopen) -> None:
        await scribe.born(memories=told(*LAMP))
        before = await ask(backend, "lamp and anchor")
        assert await ask(await reopen(), "lamp and anchor") == before

    async def test_an_unknown_stream_cannot_ask(self, backend: Backend) -> None:
        with pytest.raises(Unknown):
            await ask(backend, "lamp", stream="nowhere", version=1)

    # filters

    async def test_filters_choose_by_kind_value_and_membership(self, backend: Backend, scribe: Scribe) -> None:
        metas: tuple[dict[str, Any], ...] = ({"n": 1, "tags": ["a", "b"]}, {"n": True}, {"n": "1", "tags": ["b"]}, {})
        kinds = ("fact", "claim", "fact", "message")
        await scribe.born(
            memories=tuple(
                (1, memory(f"s/1.{i}", "a lamp", kind=kind, meta=meta))
                for i, (kind, meta) in enumerate(zip(kinds, metas, strict=True))
            )
        )
        for where, expected in (
            ({"kind": "fact"}, {"s/1.0", "s/1.2"}),
            ({"kind": ["fact", "claim"]}, {"s/1.0", "s/1.1", "s/1.2"}),
            ({"tags": "b"}, {"s/1.0", "s/1.2"}),
            ({"tags": "b", "kind": "fact", "n": 1}, {"s/1.0"}),
            ({"n": 1}, {"s/1.0"}),
            ({"n": True}, {"s/1.1"}),
            ({"n": "1"}, {"s/1.2"}),
            ({"tags": ["a", "z"]}, {"s/1.0"}),
            ({"tags": "%"}, set()),
            ({"absent": None}, set()),
        ):
            assert set(await ids(backend, "lamp", where=where)) == expected, where

    # isolation

    async def test_a_scope_is_one_owner_one_agent_one_world(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=told("the lamp"))
        await scribe.turn(memories=told("the lamp", version=2, owner="bob"))
        await scribe.turn(key="k2", memories=told("the lamp", version=3, agent="bart"))
        await scribe.born("t", world="other", memories=told("the lamp", stream="t"))
        assert await ids(backend, "lamp") == ["s/1.0"]
        assert await ids(backend, "lamp", scope=Scope(world=WORLD, owner="bob", agent="keeper")) == ["s/2.0"]
        assert set(await ids(backend, "lamp", scope=Scope(world=WORLD, owner="ada"))) == {"s/1.0", "s/3.0"}
        assert await ids(backend, "lamp", scope=Scope(world="other", owner="ada", agent="keeper")) == ["t/1.0"]

    @pytest.mark.parametrize("name", AWKWARD)
    async def test_no_name_is_read_as_another(self, backend: Backend, scribe: Scribe, name: str) -> None:
        await scribe.born("s", memories=told("the lamp"))
        for scope in (
            Scope(world=WORLD, owner=name, agent="keeper"),
            Scope(world=WORLD, owner="ada", agent=name),
            Scope(world=name, owner="ada", agent="keeper"),
        ):
            assert await ids(backend, "lamp", scope=scope) == []
        await scribe.born("t", owner=name, memories=told("the lamp", stream="t", owner=name, agent=name))
        assert await ids(backend, "lamp", scope=Scope(world=WORLD, owner=name, agent=name)) == ["t/1.0"]
        assert await ids(backend, "lamp") == ["s/1.0"]

    @pytest.mark.parametrize("query", QUESTIONS, ids=range(len(QUESTIONS)))
    async def test_a_question_is_words_and_nothing_else(self, backend: Backend, scribe: Scribe, query: str) -> None:
        await scribe.born(memories=told("the lamp", "soup"))
        await scribe.turn(memories=told("the lamp and the anchor 🦜", version=2, owner="bob"))
        found = await ids(backend, query)
        assert set(found) <= {"s/1.0", "s/1.1"}
        if "lamp" in query.lower() and query not in ("x" * 100_000,):
            assert found[0] == "s/1.0"

    async def test_scores_do_not_depend_on_anybody_else(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born(memories=told(*LAMP))
        before = await ask(backend, "the lamp and the anchor")
        for i, more in enumerate(({"owner": "bob"}, {"agent": "bart"}, {"owner": "ADA"})):
            texts = ["the lamp and the anchor"] * 20
            await scribe.turn(key=f"m{i}", memories=told(*texts, version=i + 2, **more))
        assert await ask(backend, "the lamp and the anchor") == before

    # branches and other streams

    async def test_a_branch_knows_the_past_it_shares_and_its_own(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=told("the first lamp"))
        await scribe.turn("s", memories=told("the second lamp", version=2))
        await scribe.branch("b", at=1)
        await scribe.turn("b", key="b1", memories=told("a lamp on the branch", stream="b", version=2))
        assert set(await ids(backend, "lamp", stream="b")) == {"s/1.0", "b/2.0"}
        assert set(await ids(backend, "lamp", stream="s")) == {"s/1.0", "s/2.0"}
        await scribe.branch("c", parent="b", at=2)
        await scribe.branch("d", parent="s", at=2)
        assert set(await ids(backend, "lamp", stream="c")) == {"s/1.0", "b/2.0"}
        assert set(await ids(backend, "lamp", stream="d")) == {"s/1.0", "s/2.0"}

    async def test_a_branch_recalls_score_by_score_what_its_parent_did(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=told(*LAMP))
        before = await ask(backend, "lamp anchor", stream="s", at=NOW)
        # What comes later says the same words, replaces one of them, and would be a neighbour.
        await scribe.turn("s", memories=told("lamp anchor lamp", version=2))
        await scribe.turn("s", key="k2", memories=((3, memory("s/3.0", "no lamp", supersedes="s/1.0")),))
        assert await ask(backend, "lamp anchor", stream="s", at=NOW) != before
        assert await ask(backend, "lamp anchor", stream="s", version=1, at=NOW) == before
        await scribe.branch("b", at=1)
        assert await ask(backend, "lamp anchor", stream="b", at=NOW) == before

    async def test_neighbours_reach_into_the_shared_past(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=told("where did the anchor go?"))
        await scribe.turn("s", memories=told("nobody knows", version=2))
        await scribe.branch("b", at=1)
        await scribe.turn("b", key="b1", memories=told("under the pier", stream="b", version=2))
        assert await ids(backend, "anchor", stream="b") == ["s/1.0", "b/2.0"]
        assert await ids(backend, "anchor", stream="s") == ["s/1.0", "s/2.0"]
        assert await ids(backend, "pier", stream="b") == ["b/2.0", "s/1.0"]

    async def test_before_its_first_version_a_stream_knows_nothing_of_its_own(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", memories=told("the lamp"))
        await scribe.born("t", memories=told("a lamp", stream="t"))
        await scribe.branch("b", at=1)
        assert await ids(backend, "lamp", stream="s", version=0) == ["t/1.0"]
        assert await ids(backend, "lamp", stream="b", version=0) == ["t/1.0"]

    async def test_other_root_streams_are_known_up_to_the_moment(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s")
        await scribe.born(
            "t", memories=((1, memory("t/1.0", "a lamp", at=NOW)), (1, memory("t/1.1", "a lamp", at=NOW + HOUR)))
        )
        assert await ids(backend, "lamp", at=NOW - 1) == []
        assert await ids(backend, "lamp", at=NOW) == ["t/1.0"]
        assert set(await ids(backend, "lamp", at=NOW + HOUR)) == {"t/1.0", "t/1.1"}

    async def test_what_others_say_later_moves_no_score(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s")
        await scribe.born("t", memories=told(*LAMP, "another lamp", stream="t"))
        await scribe.born("u", memories=told("a third lamp", stream="u"))
        for stream in ("t", "u"):
            before = await ask(backend, "lamp", at=NOW + HOUR)
            later = tuple((2, memory(f"{stream}/2.{i}", "lamp", at=NOW + HOUR + 1)) for i in range(8))
            await scribe.turn(stream, memories=later)
            assert await ask(backend, "lamp", at=NOW + HOUR) == before

    async def test_sandboxes_and_branches_of_others_are_not_known(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s")
        await scribe.born("t", mute=True, memories=told("a lamp", stream="t"))
        await scribe.born("u", memories=told("a lamp", stream="u"))
        await scribe.branch("v", parent="u")
        await scribe.turn("v", key="v1", memories=told("a lamp", stream="v", version=2))
        assert await ids(backend, "lamp") == ["u/1.0"]
        assert set(await ids(backend, "lamp", stream="t")) == {"t/1.0", "u/1.0"}

    # replacing

    async def test_a_replaced_memory_is_not_found_where_the_new_one_is_known(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", memories=told("the lamp is red"))
        await scribe.turn(memories=((2, memory("s/2.0", "the lamp is green", supersedes="s/1.0")),))
        await scribe.turn(key="k2", memories=((3, memory("s/3.0", "the lamp is blue", supersedes="s/2.0")),))
        assert await ids(backend, "lamp") == ["s/3.0"]
        assert await ids(backend, "lamp", version=2) == ["s/2.0"]
        assert await ids(backend, "lamp", version=1) == ["s/1.0"]
        await scribe.branch("b", at=2)
        assert await ids(backend, "lamp", stream="b") == ["s/2.0"]

    async def test_nobody_elses_memory_replaces_one(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=told("the lamp is red"))
        others: tuple[dict[str, Any], ...] = ({"owner": "bob"}, {"agent": "bart"})
        for i, more in enumerate(others):
            late = memory(f"s/{i + 2}.0", "no lamp", supersedes="s/1.0", **more)
            await scribe.turn(key=f"m{i}", memories=((i + 2, late),))
        assert await ids(backend, "lamp") == ["s/1.0"]

    # removing

    async def test_what_was_forgotten_is_not_found(self, backend: Backend, scribe: Scribe) -> None:
        await scribe.born("s", memories=told("the lamp"))
        await scribe.turn(memories=told("bob's lamp", version=2, owner="bob"))
        bob = Scope(world=WORLD, owner="bob", agent="keeper")
        assert await ids(backend, "lamp", scope=bob) == ["s/2.0"]
        await backend.upkeep.forget("bob", now=NOW)
        assert await ids(backend, "lamp", scope=bob) == []
        assert await ids(backend, "lamp") == ["s/1.0"]
        await scribe.turn(key="k2", memories=told("a new anchor", version=3, owner="bob"))
        assert await ids(backend, "lamp", scope=bob) == []
        assert await ids(backend, "anchor", scope=bob) == ["s/3.0"]

    async def test_beyond_the_cap_replaced_then_unimportant_then_oldest_go(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        facts = [
            memory(f"s/1.{i}", f"lamp {i}", at=NOW + i * MINUTE, kind="fact", meta={"importance": importance})
            for i, importance in enumerate((5, 1, 3, 3, 9))
        ]
        new = memory("s/1.5", "lamp 5", at=NOW + HOUR, kind="fact", supersedes="s/1.4")
        await scribe.born(memories=tuple((1, one) for one in (*facts, new, memory("s/1.6", "lamp talk"))))
        left = []
        for cap in (9, 5, 4, 3, 2, 1, 0):
            await backend.bank.prune(KEEPER, cap, kinds=("fact",))
            kept = {stored.memory.id for stored in await backend.bank.all(KEEPER)}
            left.append(sorted(kept - {"s/1.6"}))
            assert "s/1.6" in kept
        assert left == [
            ["s/1.0", "s/1.1", "s/1.2", "s/1.3", "s/1.4", "s/1.5"],
            ["s/1.0", "s/1.1", "s/1.2", "s/1.3", "s/1.5"],  # the replaced one, however important
            ["s/1.0", "s/1.1", "s/1.2", "s/1.3"],  # says nothing of importance: 0
            ["s/1.0", "s/1.2", "s/1.3"],
            ["s/1.0", "s/1.3"],  # the older of two equals
            ["s/1.0"],
            [],
        ]
        assert await ids(backend, "lamp") == ["s/1.6"]

    async def test_a_cap_spares_what_a_branch_shares_a_letter_says_and_others_hold(
        self, backend: Backend, scribe: Scribe
    ) -> None:
        await scribe.born("s", memories=told("shared"))
        await scribe.branch("b", at=1)
        await scribe.turn("b", key="b1", memories=told("the branch's", stream="b", version=2))
        await scribe.turn("s", memories=told("to be sent", "to go", version=2), letters=(post(words="s/2.0"),))
        await scribe.turn("s", key="k2", memories=told("bart's", version=3, agent="bart"))
        assert await backend.bank.prune(KEEPER, 0, kinds=("message",)) == 1
        left = {stored.memory.id for stored in await backend.bank.all(Scope(world=WORLD, owner="ada"))}
        assert left == {"s/1.0", "b/2.0", "s/2.0", "s/3.0"}

    async def test_without_an_embedder_recall_says_that_it_goes_by_words(self, backend: Backend) -> None:
        assert await backend.bank.lacking(KEEPER) is None
