"""Nothing of a forgotten person is left in the tables' files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from greenroom.adapters.postgres import postgres_backend
from greenroom.bootstrap import assemble
from greenroom.kernel.errors import Locked
from greenroom.kernel.words import Words
from greenroom.services.retention import forget
from tests.postgres.databases import execute
from tests.postgres.local import HASTY, LocalServer
from tests.upkeep.world import Register, Say, tale

WORD = "Quetzalpetlatl"


@pytest.fixture
def server() -> Iterator[LocalServer]:
    made = LocalServer(HASTY)
    yield made
    made.close()


def _left(server: LocalServer) -> list[str]:
    """Files of the database, its log apart, that hold the word."""
    server.stop()
    found = [str(path) for path in (server.folder / "data" / "base").rglob("*") if path.is_file() and _holds(path)]
    server.start()
    return found


def _holds(path: Path) -> bool:
    return WORD.encode() in path.read_bytes()


async def test_nothing_of_a_forgotten_person_is_left_in_the_files(server: LocalServer) -> None:
    backend = postgres_backend(server.url(), tale().tables)
    house = assemble(backend, [tale()])
    await house.start("tale", {"title": WORD}, owner="eve", name="eves")
    await house.send("eves", Register(f"{WORD}@example.org", WORD), seat="guest")
    for i in range(5):
        await house.send("eves", Say(Words(f"{WORD} says {i}")), seat="guest")
    assert await asyncio.to_thread(_left, server)
    await forget(backend, "eve", now=1)
    await house.close()
    assert await asyncio.to_thread(_left, server) == []
    assert tuple((await execute(server.url(), "SELECT count(*) FROM tombstones"))[0]) == (1,)


async def test_an_old_reader_in_the_way_is_told_and_the_next_call_finishes(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("greenroom.adapters.postgres.store._LOCK_SECONDS", 0.2)
    backend = postgres_backend(server.url(), tale().tables)
    house = assemble(backend, [tale()])
    await house.start("tale", {"title": WORD}, owner="eve", name="eves")
    reader = await asyncpg.connect(server.url())
    try:
        async with reader.transaction():
            await reader.fetch("SELECT * FROM memories")
            with pytest.raises(Locked, match="forget again"):
                await forget(backend, "eve", now=1)
        await forget(backend, "eve", now=1)
    finally:
        await reader.close()
        await house.close()
