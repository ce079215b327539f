"""Opening a database: filled if it is empty, brought up to date if it is old, refused if it is newer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import asyncpg

from greenroom.adapters.postgres.connection import PooledConnection, connect, our_errors
from greenroom.adapters.sql.addresses import shown
from greenroom.adapters.sql.migrations import HEAD
from greenroom.adapters.sql.opening import Opened, fitted, migrating, revision
from greenroom.adapters.sql.projections import Projection

#: One process at a time makes tables in a database; the number means nothing else.
_DOOR = 7_310_448_129
_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"


def prepare(url: str, projections: Sequence[Projection]) -> Opened:
    """Make the database ready for this Greenroom and these worlds. Blocks; a loop may be running here.

    Raises:
        NewerSchema: a newer Greenroom wrote it; nothing was changed.
        CorruptHistory: it is the database of something else; nothing was changed.
        BackendError: it cannot be reached, or not be brought up to date.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="greenroom opening") as elsewhere:
        return elsewhere.submit(lambda: asyncio.run(made_ready(url, projections))).result()


async def made_ready(url: str, projections: Sequence[Projection]) -> Opened:
    """The same, on a loop."""
    name = shown(url)
    async with _connected(url, name) as connection:
        await connection.run(f"SELECT pg_advisory_lock({_DOOR})")
        current = await revision(connection, _TABLES, name)
        if current != HEAD:
            await _migrate(url, name, current)
        return await fitted(connection, projections)


@asynccontextmanager
async def _connected(url: str, name: str) -> AsyncIterator[PooledConnection]:
    connection = await connect(url)
    try:
        with our_errors(name):
            yield PooledConnection(connection)
    finally:
        await connection.close()


async def found_version(url: str) -> str | None:
    """The revision a database is at, without opening it; None for an empty one.

    Raises:
        NewerSchema: this Greenroom does not know that revision.
        CorruptHistory: it is a database of something else.
        BackendError: it cannot be reached.
    """
    async with _connected(url, shown(url)) as connection:
        return await revision(connection, _TABLES, shown(url))


async def _migrate(url: str, name: str, current: str | None) -> None:
    import sqlalchemy as sa  # noqa: PLC0415  both are slow to import and seldom needed
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415

    from greenroom.adapters.sql.migrate import upgrade  # noqa: PLC0415

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=sa.pool.NullPool
    )
    try:
        with migrating(name, current):
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
    finally:
        await engine.dispose()
