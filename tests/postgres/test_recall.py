"""Recall by words and vectors on PostgreSQL: as in memory where a scope is small, by the server's indexes where not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.postgres import candidates, postgres_backend
from greenroom.kernel.asks import Recall
from greenroom.kernel.words import Scope
from greenroom.ports import Backend
from greenroom.testing.records import NOW, TABLES, WORLD, Scribe, memory
from tests.conftest import NewDatabase
from tests.postgres.databases import execute
from tests.recall.embedders import BagOfWords

SCOPE = Scope(world=WORLD, owner="ada", agent="host")
LINES = [
    "the lamp in the tower went out at midnight",
    "my sister keeps bees behind the harbour",
    "we ate mackerel with too much salt",
    "nobody has painted the boathouse since the war",
    "the keeper hides the spare wick in the clock",
    "it rained for nine days and then it stopped",
    "the ferry comes on Tuesdays unless the fog is in",
    "a gull stole the letter from the windowsill",
]


async def told(backend: Backend, *, times: int = 1) -> None:
    """A stream in which somebody says all lines, so often."""
    said = [f"{line} {i}" if i else line for i in range(times) for line in LINES]
    memories = tuple(
        (1, memory(f"s/1.{n}", text, owner="ada", agent="host", speaker="host")) for n, text in enumerate(said)
    )
    await Scribe(backend).born("s", owner="ada", memories=memories)


async def found(backend: Backend, question: str, limit: int = 3) -> list[str]:
    ask = Recall(query=question, scope=SCOPE, limit=limit)
    return [hit.text for hit in await backend.bank.search(ask, stream="s", version=1, at=NOW)]


@pytest.fixture
async def postgres(new_database: NewDatabase) -> AsyncIterator[tuple[str, Backend]]:
    url = new_database(TABLES)
    backend = postgres_backend(url, TABLES, embedder=BagOfWords(), patient=True)
    yield url, backend
    await backend.close()


async def test_a_small_scope_is_ranked_as_in_memory(postgres: tuple[str, Backend]) -> None:
    _, backend = postgres
    reference = inmem_backend(Shelf(tables={table.name: table for table in TABLES}), embedder=BagOfWords())
    await told(backend)
    await told(reference)
    for question in ("where is the wick?", "who keeps bees", "when does the ferry come", "mackrel"):
        assert await found(backend, question) == await found(reference, question)
    assert await backend.bank.lacking(SCOPE) == 0


async def test_a_large_scope_is_searched_by_the_servers_own_indexes(
    postgres: tuple[str, Backend], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, backend = postgres
    monkeypatch.setattr(candidates, "MOST_EXACT", 30)
    await told(backend, times=10)
    assert "the keeper hides the spare wick in the clock" in await found(backend, "where is the wick?", 10)
    assert all("bees" in text for text in await found(backend, "who keeps bees behind the harbour", 5))
    odd = await found(backend, "'; drop table lamp; & | ! ( <-> tower:*", 20)
    assert any("the lamp in the tower" in text for text in odd)
    made = "SELECT indexdef FROM pg_indexes WHERE tablename IN ('vectors', 'memories') AND indexdef ~ 'hnsw|gin'"
    async with asyncio.timeout(20):
        while len(indexes := await execute(url, made)) < 2:
            await backend.notifier.wait(0.1, -1)
    assert any("hnsw" in row[0] for row in indexes)
    assert "my sister keeps bees behind the harbour" in await found(backend, "my sister keeps bees", 10)


async def test_a_forgotten_memory_takes_its_vector_along_and_is_found_no_more(postgres: tuple[str, Backend]) -> None:
    url, backend = postgres
    await told(backend)
    assert await found(backend, "who keeps bees", 1) == ["my sister keeps bees behind the harbour"]
    await backend.upkeep.forget("ada", now=NOW)
    left = await execute(url, "SELECT (SELECT count(*) FROM vectors), (SELECT count(*) FROM memories)")
    assert tuple(left[0]) == (0, 0)
