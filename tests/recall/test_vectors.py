"""Vectors: made when wanted, counted where present, gone with their memory."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator

import pytest

from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.kernel.words import Scope
from greenroom.ports import Backend
from greenroom.testing.recall import KEEPER, ask, ids, told
from greenroom.testing.records import NOW, TABLES, WORLD, Scribe
from tests.conftest import NewFile
from tests.recall.embedders import BagOfWords

SAID = ("the ship left at dawn", "a cat slept on the rail", "soup for supper", "fog in the morning")


@pytest.fixture
def embedder() -> BagOfWords:
    return BagOfWords()


@pytest.fixture(params=["inmem", "sqlite"])
async def backend(request: pytest.FixtureRequest, new_file: NewFile, embedder: BagOfWords) -> AsyncIterator[Backend]:
    """A back-end that makes every vector before it searches."""
    if request.param == "inmem":
        made = inmem_backend(Shelf(tables={table.name: table for table in TABLES}), embedder=embedder)
    else:
        made = sqlite_backend(new_file(TABLES), TABLES, embedder=embedder, patient=True)
    yield made
    await made.close()


async def test_likeness_finds_what_no_word_does(backend: Backend) -> None:
    await Scribe(backend).born(memories=told(*SAID))
    assert (await ids(backend, "vessel"))[0] == "s/1.0"
    assert (await ids(backend, "feline"))[0] == "s/1.1"


async def test_words_and_likeness_count_together(backend: Backend) -> None:
    weather = ("fog over the bay", "rain on the roof", "wind from the north", "sun on the hills")
    await Scribe(backend).born(memories=told("we had soup by ship", *weather, "we had soup at home"))
    assert (await ids(backend, "soup, boat"))[0] == "s/1.0"


async def test_ingest_makes_no_vector_and_the_first_recall_makes_each_text_once(
    backend: Backend, embedder: BagOfWords
) -> None:
    await Scribe(backend).born(memories=told(*SAID, SAID[0]))
    assert embedder.seen == []
    assert await backend.bank.lacking(KEEPER) == 5
    await ask(backend, "vessel")
    assert await backend.bank.lacking(KEEPER) == 0
    assert sorted(embedder.seen) == sorted([*SAID, "vessel"])
    await ask(backend, "vessel", limit=1)
    assert embedder.seen.count(SAID[0]) == 1


async def test_vectors_of_others_count_for_nothing(backend: Backend) -> None:
    scribe = Scribe(backend)
    await scribe.born(memories=told(*SAID))
    before = await ask(backend, "vessel")
    await scribe.turn(memories=told("a ship", "a vessel", version=2, owner="bob"))
    assert await ask(backend, "vessel", scope=Scope(world=WORLD, owner="bob", agent="keeper"), limit=9)
    assert await ask(backend, "vessel") == before


async def test_a_branch_likens_only_what_it_knows(backend: Backend) -> None:
    scribe = Scribe(backend)
    await scribe.born(memories=told(*SAID))
    before = await ask(backend, "vessel", at=NOW)
    await scribe.turn(memories=told("another ship", version=2))
    await scribe.branch("b", at=1)
    assert await ask(backend, "vessel", stream="b", at=NOW) == before


class TestSqliteVectors:
    async def test_they_are_made_behind_the_back_of_recall_which_says_how_many_lack(
        self, new_file: NewFile, embedder: BagOfWords
    ) -> None:
        backend = sqlite_backend(new_file(TABLES), TABLES, embedder=embedder)
        await Scribe(backend).born(memories=told(*SAID))
        assert (await ids(backend, "ship"))[0] == "s/1.0"  # by its words, at once
        async with asyncio.timeout(10):
            while await backend.bank.lacking(KEEPER):  # noqa: ASYNC110  nobody rings when it is done
                await asyncio.sleep(0.01)
        assert (await ids(backend, "vessel"))[0] == "s/1.0"
        await backend.close()

    async def test_they_are_kept_over_a_restart_and_not_mixed_with_another_models(
        self, new_file: NewFile, embedder: BagOfWords
    ) -> None:
        path = new_file(TABLES)
        backend = sqlite_backend(path, TABLES, embedder=embedder, patient=True)
        await Scribe(backend).born(memories=told(*SAID))
        before = await ask(backend, "vessel")
        await backend.close()
        again = BagOfWords()
        backend = sqlite_backend(path, TABLES, embedder=again, patient=True)
        assert await ask(backend, "vessel") == before
        assert again.seen == ["vessel"]
        await backend.close()
        other = BagOfWords(name="other", dimensions=32)
        backend = sqlite_backend(path, TABLES, embedder=other, patient=True)
        assert (await ids(backend, "vessel"))[0] == "s/1.0"
        assert set(SAID) <= set(other.seen)
        await backend.close()

    async def test_where_the_embedder_fails_recall_goes_by_words(self, new_file: NewFile) -> None:
        backend = sqlite_backend(new_file(TABLES), TABLES, embedder=BagOfWords(broken=True), patient=True)
        await Scribe(backend).born(memories=told(*SAID))
        assert (await ids(backend, "ship"))[0] == "s/1.0"
        await backend.close()

    @pytest.mark.parametrize("way", ["forget", "prune", "remove"])
    async def test_they_go_with_their_memory(self, new_file: NewFile, embedder: BagOfWords, way: str) -> None:
        path = new_file(TABLES)
        backend = sqlite_backend(path, TABLES, embedder=embedder, patient=True)
        scribe = Scribe(backend)
        await scribe.born("s", owner="eve", memories=told(*SAID))
        await scribe.born("t", owner="eve", memories=told("stays", stream="t", owner="eve"))
        await ask(backend, "ship")
        await ask(backend, "ship", scope=Scope(world=WORLD, owner="eve", agent="keeper"))
        assert _vectors(path) == 5
        if way == "forget":
            await backend.upkeep.forget("ada", now=NOW)
        elif way == "remove":
            await backend.upkeep.remove(["s"], now=NOW, dry=False)
        else:
            await backend.bank.prune(KEEPER, 0, kinds=("message",))
        assert _vectors(path) == 1
        assert await ids(backend, "ship", stream="t") == []
        await backend.close()


def _vectors(path: object) -> int:
    connection = sqlite3.connect(str(path))
    (count,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    connection.close()
    return int(count)
