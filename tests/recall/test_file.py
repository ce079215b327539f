"""What recall leaves in the file, and how processes that share one hear of each other."""

from __future__ import annotations

from array import array

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from greenroom.adapters.sql.schema import metadata
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.testing.recall import KEEPER, ask, ids, told
from greenroom.testing.records import NOW, TABLES, Scribe
from tests.conftest import NewFile
from tests.recall.embedders import BagOfWords


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


def test_the_migrations_make_what_the_schema_says(new_file: NewFile) -> None:
    engine = create_engine(f"sqlite:///{new_file(())}")
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    assert [difference for difference in differences if "alembic_version" not in repr(difference)] == []
