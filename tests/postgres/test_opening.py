"""Opening a database: the definitions are the schema, every way there leads to the same place, others are refused."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

from greenroom.adapters.postgres import postgres_backend
from greenroom.adapters.postgres.connection import connect
from greenroom.adapters.sql import migrate
from greenroom.adapters.sql.migrations import HEAD
from greenroom.bootstrap import open_house
from greenroom.kernel.errors import BackendError, CorruptHistory, NewerSchema
from greenroom.kernel.tables import Column, Table
from greenroom.testing.records import TABLES
from tests.postgres.databases import Databases, execute
from tools.schema import metadata

#: What PostgreSQL has beyond the shared definitions: its own type of vector.
_OWN = {"vector"}


async def _with_alembic(url: str, act: Callable[[sa.Connection], Any]) -> Any:
    engine = create_async_engine("postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url))
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(act)
    finally:
        await engine.dispose()


def _differences(connection: sa.Connection) -> list[Any]:
    known = set(metadata.tables)

    def ours(name: str | None, kind: str, parents: Any) -> bool:
        return kind != "table" or name in known

    context = MigrationContext.configure(connection, opts={"include_name": ours})
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Did not recognize type 'vector'", sa.exc.SAWarning)
        return [found for found in compare_metadata(context, metadata) if not _own(found)]


def _own(found: Any) -> bool:
    parts = found[0] if isinstance(found, list) else found
    return any(getattr(part, "name", part) in _OWN for part in parts)


async def test_the_definitions_are_the_schema(databases: Databases) -> None:
    url = databases.empty()
    await postgres_backend(url, ()).close()
    assert await _with_alembic(url, _differences) == []
    versions = [row[0] for row in await execute(url, "SELECT version FROM schema_versions ORDER BY version")]
    assert versions[-1] == HEAD
    databases.strike()


@pytest.mark.parametrize("revision", ["0001", "0002", "0003"])
async def test_an_older_database_is_brought_up_to_date_and_keeps_what_it_holds(
    revision: str, databases: Databases
) -> None:
    url = databases.empty()
    await _with_alembic(url, lambda connection: migrate.upgrade(connection, revision))
    await execute(url, "INSERT INTO tombstones (digest, at) VALUES ($1, 7)", b"gone")
    await postgres_backend(url, ()).close()
    assert await _with_alembic(url, _differences) == []
    assert [tuple(row) for row in await execute(url, "SELECT digest, at FROM tombstones")] == [(b"gone", 7)]
    databases.strike()


async def test_a_database_of_a_newer_greenroom_is_refused(databases: Databases) -> None:
    url = databases.new(TABLES)
    await execute(url, "INSERT INTO schema_versions (version, at, greenroom) VALUES ('9999', 1, '9')")
    with pytest.raises(NewerSchema, match="upgrade Greenroom"):
        postgres_backend(url, TABLES)
    await execute(url, "DELETE FROM schema_versions WHERE version = '9999'")
    databases.strike()


async def test_a_database_of_something_else_is_left_alone(databases: Databases) -> None:
    url = databases.empty()
    await execute(url, "CREATE TABLE invoices (id integer)")
    with pytest.raises(CorruptHistory, match="not a Greenroom house"):
        postgres_backend(url, ())
    names = await execute(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert [row[0] for row in names] == ["invoices"]
    databases.strike()


async def test_processes_that_open_an_empty_database_at_once_do_not_stand_in_each_others_way(
    databases: Databases,
) -> None:
    url = databases.empty()
    opened = await asyncio.gather(*(asyncio.to_thread(postgres_backend, url, TABLES) for _ in range(4)))
    assert len({backend.secret for backend in opened}) == 1
    await asyncio.gather(*(backend.close() for backend in opened))
    databases.strike()


async def test_a_table_declared_anew_is_made_anew(databases: Databases) -> None:
    url = databases.empty()
    before = Table(name="proof_things", columns=(Column(name="a"),), key=("a",))
    after = Table(name="proof_things", columns=(Column(name="a"), Column(name="b", kind="real")), key=("a",))
    for table in (before, after):
        backend = postgres_backend(url, (table,))
        assert tuple(backend.tables.stale) == ("proof_things",)
        await backend.tables.rebuilt("proof_things")
        await backend.close()
    backend = postgres_backend(url, (after,))
    assert tuple(backend.tables.stale) == ()
    await backend.close()
    databases.strike()


async def test_a_database_that_is_not_there_is_told(databases: Databases) -> None:
    with pytest.raises(BackendError, match="there is no such database; create it first"):
        postgres_backend(databases.at("nowhere"), ())


async def test_what_is_committed_is_on_the_disk(databases: Databases) -> None:
    """Nothing this house sets weakens what the server promises."""
    connection = await connect(databases.new(TABLES))
    (source,) = await connection.fetchrow("SELECT source FROM pg_settings WHERE name = 'synchronous_commit'") or ("",)
    await connection.close()
    assert source != "client"
    databases.strike()


async def test_an_address_opens_a_house_like_a_path_does(databases: Databases) -> None:
    async with open_house(databases.empty()) as house:
        reply = await house.start("lighthouse", owner="ada", name="visit")
        assert reply.version >= 1
        assert house.backend.name.startswith("postgresql://127.0.0.1:")
    databases.strike()
