"""What runs learned in a real Chroma: the seed's query, scopes that never mix, the cap, and an index made anew."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import greenroom
from greenroom.adapters.embeddings import embedded_default
from greenroom.kernel.chance import Chance
from greenroom.kernel.words import Scope
from greenroom.ports import Followed
from greenroom.testing.recall import AWKWARD
from greenroom.worlds.arena.faces.app import runs, searching
from greenroom.worlds.arena.outside.chroma import ChromaIndex, IndexEntry, entry
from greenroom.worlds.arena.rules import NAME, lessons
from greenroom.worlds.arena.rules import run as r
from tests.counts import count, report
from tests.recall.embedders import BagOfWords

pytest.importorskip("chromadb", reason="the arena's lessons in a Chroma index: run 'make chroma'")

NOON = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
ARENA = Scope(world=NAME, owner="arena", agent="mutator of s")


async def no_texts(ids: Sequence[str]) -> Mapping[str, str]:
    return {}


def lesson(place: str, score: int, told: str = "heavy bluff ended in timeout", **more: object) -> lessons.Lesson:
    fields: dict[str, object] = {"generation": 1, "tactic": "heavy_bluff", "reason": "timeout", **more}
    return lessons.Lesson(place=place, score=score, told=told, **fields)  # type: ignore[arg-type]


def put(scope: Scope, stream: str, told: str, score: int = -1, place: str = "1.0") -> IndexEntry:
    return entry(scope, stream, NOON, lesson(place, score, told))


@pytest.fixture
def index(tmp_path: Path) -> ChromaIndex:
    return ChromaIndex(tmp_path / "index", BagOfWords())


async def ids(index: ChromaIndex, query: str, scope: Scope = ARENA) -> list[str]:
    return [one.id for one in await index.similar(scope, query)]


def step(version: int, found: Sequence[lessons.Lesson], stream: str = "s", owner: str = "arena") -> Followed:
    at = NOON + timedelta(minutes=version)
    events = (r.Learned(lessons=tuple(found)),)
    return Followed(stream=stream, world=NAME, owner=owner, version=version, at=at, events=events, state=r.Run())


# the seed's query


async def test_only_scores_below_zero_are_similar_failures_and_they_come_with_the_seeds_metadata(
    index: ChromaIndex,
) -> None:
    taught = lesson("1.0", -5, "aggressive opening ended in abort", episode="e1", present=("intermediary_broker",))
    await index.follow([step(1, [taught, lesson("1.1", 4), lesson("1.2", 0)])], no_texts)
    (found,) = await index.similar(ARENA, "aggressive opening")
    assert found.id == "s/1.0"
    assert found.meta["judge_score"] == -5
    assert found.meta["created_agents_present"] == ["intermediary_broker"]
    wanted = {"episode_id", "generation_id", "agent_archetype", "tactical_classification", "termination_reason"}
    assert wanted <= set(found.meta)
    assert len(await index.similar(ARENA, "bluff", below=None)) == 3
    assert await index.similar(ARENA, "bluff", where={"created_agents_present": {"$contains": "validator"}}) == []
    assert (
        len(await index.similar(ARENA, "bluff", where={"created_agents_present": {"$contains": "intermediary_broker"}}))
        == 1
    )


async def test_telling_it_twice_is_telling_it_once_and_what_was_displaced_is_gone(index: ChromaIndex) -> None:
    first = step(1, [lesson("1.0", 0), lesson("1.1", -1)])
    second = step(2, [lesson("2.0", -2, displaces="1.0")])
    for batch in ([first], [first, second], [first, second]):
        await index.follow(batch, no_texts)
    assert sorted(one.id for one in await index.similar(ARENA, "bluff", below=None)) == ["s/1.1", "s/2.0"]


async def test_a_run_that_was_forgotten_is_forgotten_here(index: ChromaIndex) -> None:
    await index.follow([step(1, [lesson("1.0", -1)]), step(1, [lesson("1.0", -1)], stream="t")], no_texts)
    await index.forgotten("s")
    everybody = Scope(world=NAME, owner="arena")
    assert await ids(index, "bluff", everybody) == ["t/1.0"]
    await index.forgotten("never there")


# isolation: what the house's own recall is held to


async def test_a_scope_is_one_owner_one_agent_one_world(index: ChromaIndex) -> None:
    ada = Scope(world="w", owner="ada", agent="keeper")
    others = [
        Scope(world="w", owner="bob", agent="keeper"),
        Scope(world="w", owner="ada", agent="bart"),
        Scope(world="other", owner="ada", agent="keeper"),
    ]
    await index.put([put(scope, f"s{i}", "the lamp") for i, scope in enumerate((ada, *others))])
    assert await ids(index, "lamp", ada) == ["s0/1.0"]
    assert await ids(index, "lamp", others[0]) == ["s1/1.0"]
    assert set(await ids(index, "lamp", Scope(world="w", owner="ada"))) == {"s0/1.0", "s2/1.0"}
    assert await ids(index, "lamp", others[2]) == ["s3/1.0"]


@pytest.mark.parametrize("name", AWKWARD)
async def test_no_name_is_read_as_another(index: ChromaIndex, name: str) -> None:
    ada = Scope(world="w", owner="ada", agent="keeper")
    await index.put([put(ada, "s", "the lamp")])
    for scope in (
        Scope(world="w", owner=name, agent="keeper"),
        Scope(world="w", owner="ada", agent=name),
        Scope(world=name, owner="ada", agent="keeper"),
    ):
        assert await ids(index, "lamp", scope) == []
    mine = Scope(world="w", owner=name, agent=name)
    await index.put([put(mine, "t", "the lamp")])
    assert await ids(index, "lamp", mine) == ["t/1.0"]
    assert await ids(index, "lamp", ada) == ["s/1.0"]


# the cap


async def test_beyond_the_cap_zeros_go_first_then_the_nearest_to_zero_the_oldest_first(tmp_path: Path) -> None:
    scores = (-5, 0, 3, -1, 0, 1, -2)
    for order in (range(7), reversed(range(7))):  # whatever comes first, the same are left
        index = ChromaIndex(tmp_path / str(order), BagOfWords(), most=3)
        for i in order:
            await index.follow([step(i, [lesson(f"{i}.0", scores[i])])], no_texts)
        left = {one.id for one in await index.similar(ARENA, "bluff", below=None, limit=9)}
        assert left == {"s/0.0", "s/2.0", "s/6.0"}


# killed, and made anew

FOLLOWS = """
    import asyncio, sys
    import greenroom

    async def main():
        async with greenroom.open(sys.argv[1], work=False) as house:
            print("ready", flush=True)
            while True:
                await house.following.rebuild("arena-chroma")
                await house.following.catch_up("arena-chroma")

    asyncio.run(main())
"""
PLACES = ("harbour", "border", "contract")
WORDS = ("aggressive opening", "heavy bluff", "long silence", "late concession", "stubborn floor", "no trade")


async def lives(place: Path, runs_of_it: int) -> int:
    """A house with runs in it; how many lessons they hold."""
    held = 0
    async with greenroom.open(place, work=False) as house:
        for seed in range(runs_of_it):
            config = r.RunConfig(scenario="harbour", generations=count(2, soak=20), seed=seed, held_out=4, proof=8)
            await house.start(NAME, config, name=f"run{seed}", seed=1, owner=runs.OWNER)
            await runs.drive(house, f"run{seed}", lambda *_: None)
            held += sum(map(len, (await runs.state_of(house, f"run{seed}")).shelf))
    return held


def killed(place: Path, times: int) -> None:
    """Make the index anew again and again, and end every try by kill -9."""
    for k in range(times):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(FOLLOWS), str(place)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2 + Chance("kill", k).below(1500) / 1000)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()


async def rebuilt(place: Path) -> dict[str, Any]:
    """Make the index anew once more, and ask it something."""
    async with greenroom.open(place, work=False) as house:
        await house.following.rebuild("arena-chroma")
        deadline = time.monotonic() + 90  # whoever was killed still has its lease
        while True:
            await house.following.catch_up("arena-chroma")
            (cursor,) = [one for one in await house.following.list() if one.name == "arena-chroma"]
            if not cursor.behind and not cursor.rebuilding:
                return await searching.similar(house, "heavy bluff in harbour")
            assert time.monotonic() < deadline, cursor
            await asyncio.sleep(0.5)


def test_an_index_that_was_killed_again_and_again_is_made_anew_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREENROOM_ARENA_CHROMA", str(tmp_path / "index"))
    place, kills = tmp_path / "house.db", count(2, soak=20)
    held = asyncio.run(lives(place, count(1, soak=3)))
    killed(place, kills)
    told = asyncio.run(rebuilt(place))
    assert told["from"] == "chroma"
    assert told["found"]
    assert asyncio.run(ChromaIndex(tmp_path / "index").count()) == held
    report(f"arena: a Chroma index of {held} lessons was killed {kills} times and made anew, none lacking")


async def test_the_first_five_are_those_of_an_exact_search_in_a_full_index(tmp_path: Path) -> None:
    embedder = embedded_default()
    assert embedder is not None
    index, size = ChromaIndex(tmp_path / "index", embedder), count(600, soak=10_000)
    entries = []
    for i in range(size):
        chance = Chance("lesson", i)
        told = (
            f"{chance.choose(WORDS)} against number {chance.below(500)} ended in {chance.choose(('timeout', 'abort'))} "
            f"with {-chance.below(6)} after {chance.below(20)} turns in {chance.choose(PLACES)}"
        )
        entries.append(put(ARENA, "s", told, score=-1 - chance.below(5), place=f"{i}.0"))
    await index.put(entries)
    vectors = await embedder.embed([one.text for one in entries])
    queries = [f"{Chance('q', k).choose(WORDS)} in {Chance('p', k).choose(PLACES)}, number {k}" for k in range(40)]
    right = wanted = 0
    for query, asked in zip(queries, await embedder.embed(queries), strict=True):
        exact = sorted(1 - sum(x * y for x, y in zip(asked, vector, strict=True)) for vector in vectors)[:5]
        found = [one.distance for one in await index.similar(ARENA, query)]
        right += sum(distance <= exact[-1] + 1e-5 for distance in found)
        wanted += 5
    report(f"arena: of {size} lessons Chroma finds {right / wanted:.1%} of the exact first five")
    assert right / wanted >= 0.99
