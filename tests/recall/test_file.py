"""What recall leaves in the file, and how processes that share one hear of each other."""

from __future__ import annotations

import asyncio
from array import array

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from greenroom.adapters.sqlite import sqlite_backend
from greenroom.adapters.sqlite.store import SqliteStore
from greenroom.kernel.words import Scope
from greenroom.testing.recall import KEEPER, ask, ids, told
from greenroom.testing.records import NOW, TABLES, WORLD, Scribe
from tests.conftest import NewFile
from tests.recall.embedders import BagOfWords
from tools.schema import metadata


async def test_nothing_of_a_forgotten_persons_words_is_left_in_the_bytes_of_the_file(new_file: NewFile) -> None:
    path = new_file(TABLES)
    embedder = BagOfWords()
    backend = sqlite_backend(path, TABLES, embedder=embedder, patient=True)
    scribe = Scribe(backend)
    await scribe.born("s", owner="eve", memories=told(*(f"xylophonists {i} quagmired" for i in range(300))))
    await scribe.turn("s", memories=told("eve's zanzibar", version=2, owner="eve"))
    assert await ask(backend, "xylophonist quagmires")
    await ask(backend, "quagmire", limit=50)
    (vector,) = await embedder.embed(["xylophonists 7 quagmired"])
    await backend.upkeep.forget("ada", now=NOW)
    assert await ids(backend, "xylophonist") == []
    await backend.close()
    left = b"".join(file.read_bytes() for file in sorted(path.parent.glob("house.db*")))
    assert b"zanzibar" in left
    for trace in (b"xyloph", b"quagmir", b"Xyloph"):
        assert trace not in left
    assert array("f", vector).tobytes() not in left


async def test_another_process_finds_what_this_one_wrote_and_not_what_it_removed(new_file: NewFile) -> None:
    path = new_file(TABLES)
    here, there = sqlite_backend(path, TABLES), sqlite_backend(path, TABLES)
    await Scribe(here).born("s", owner="eve", memories=told("the lamp", "soup"))
    assert (await ids(there, "lamp"))[0] == "s/1.0"
    await Scribe(here).turn("s", memories=told("the anchor", version=2))
    assert (await ids(there, "anchor"))[0] == "s/2.0"
    # The last row goes and another one gets its number: the other process must not take one for the other.
    await here.bank.prune(KEEPER, 2, kinds=("message",))
    assert "s/2.0" in await ids(here, "anchor")
    await here.upkeep.forget("ada", now=NOW)
    await Scribe(here).turn("s", key="k3", memories=told("a zebra", version=3))
    assert await ids(there, "lamp") == await ids(there, "anchor") == []
    assert await ids(there, "zebra") == ["s/3.0"]
    await here.close()
    await there.close()


async def test_a_scope_that_was_let_go_is_read_again(new_file: NewFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SqliteStore, "most_loaded", 3)
    backend = sqlite_backend(new_file(TABLES), TABLES)
    scribe = Scribe(backend)
    owners = ("ada", "bob", "eve")
    for owner in owners:
        await scribe.born(owner, memories=told(f"the lamp of {owner}", "soup", stream=owner, owner=owner))
    for _ in range(3):
        for owner in owners:
            scope = Scope(world=WORLD, owner=owner, agent="keeper")
            assert (await ids(backend, "lamp", scope=scope, stream="ada"))[0] == f"{owner}/1.0"
    await backend.close()


async def test_many_may_ask_while_others_write(new_file: NewFile) -> None:
    backend = sqlite_backend(new_file(TABLES), TABLES)
    scribe = Scribe(backend)
    await scribe.born("s", memories=told("the lamp", "soup"))

    async def write() -> None:
        for n in range(2, 40):
            await scribe.turn("s", key=f"k{n}", memories=told(f"lamp number{n}", version=n))
            if n % 10 == 0:
                await backend.bank.prune(KEEPER, 8, kinds=("message",))

    async def read() -> None:
        for _ in range(60):
            found = await ask(backend, "lamp", limit=50)
            assert found
            assert len({hit.id for hit in found}) == len(found)
            assert all("lamp" in hit.text or hit.text == "soup" for hit in found)

    await asyncio.gather(write(), *(read() for _ in range(4)))
    assert (await ids(backend, "number39"))[0] == "s/39.0"
    await backend.close()


def test_the_migrations_make_what_the_schema_says(new_file: NewFile) -> None:
    engine = create_engine(f"sqlite:///{new_file(())}")
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    assert [difference for difference in differences if "alembic_version" not in repr(difference)] == []
