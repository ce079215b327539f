"""Opening a database: filled if it is empty, brought up to date if it is old, refused if it is newer."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import asyncpg

from greenroom.adapters.postgres.connection import Connection, connect, our_errors
from greenroom.adapters.sql.addresses import shown
from greenroom.adapters.sql.backend import Opened
from greenroom.adapters.sql.cursors import FOLLOWERS, watched
from greenroom.adapters.sql.migrations import HEAD
from greenroom.adapters.sql.projections import Projection
from greenroom.kernel.errors import BackendError, CorruptHistory, GreenroomError, NewerSchema

#: One process at a time makes tables in a database; the number means nothing else.
_DOOR = 7_310_448_129


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
    connection = await connect(url)
    try:
        with our_errors(name):
            await connection.execute(f"SELECT pg_advisory_lock({_DOOR})")
            current = await schema_version(connection, name)
            if current != HEAD:
                await _migrate(url, name, current)
            found = await connection.fetch(FOLLOWERS)
            return Opened(await _secret(connection), await _fit(connection, projections), watched(map(tuple, found)))
    finally:
        await connection.close()


async def found_version(url: str) -> str | None:
    """The revision a database is at, without opening it; None for an empty one.

    Raises:
        NewerSchema: this Greenroom does not know that revision.
        CorruptHistory: it is a database of something else.
        BackendError: it cannot be reached.
    """
    connection = await connect(url)
    try:
        with our_errors(shown(url)):
            return await schema_version(connection, shown(url))
    finally:
        await connection.close()


async def schema_version(connection: Connection, name: str) -> str | None:
    """The revision the database is at; None for an empty one.

    Raises:
        NewerSchema: this Greenroom does not know that revision.
        CorruptHistory: it is a database of something else.
    """
    found = await connection.fetch("SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace")
    names = {row[0] for row in found}
    if not names:
        return None
    if "schema_versions" not in names:
        raise CorruptHistory(f"{name}: this is a database, but not a Greenroom house; choose another")
    version = await connection.fetchval("SELECT max(version) FROM schema_versions")
    if version is not None and version > HEAD:
        raise NewerSchema(
            f"{name}: written by a newer Greenroom (schema {version}; this one knows up to {HEAD}): upgrade Greenroom"
        )
    return None if version is None else str(version)


async def _migrate(url: str, name: str, current: str | None) -> None:
    import sqlalchemy as sa  # noqa: PLC0415  both are slow to import and seldom needed
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415

    from greenroom.adapters.sql.migrate import upgrade  # noqa: PLC0415

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=sa.pool.NullPool
    )
    try:
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
    except GreenroomError:
        raise
    except Exception as error:
        raise BackendError(
            f"{name}: it could not be brought from schema {current or 'nothing'} to {HEAD} ({_reason(error)}) "
            "and is as it was"
        ) from error
    finally:
        await engine.dispose()


def _reason(error: Exception) -> str:
    text = str(getattr(error, "orig", error))
    if "vector" in text:
        return "the server lacks the extension pgvector; install it, or let its owner create it"
    return type(error).__name__


async def _secret(connection: Connection) -> bytes:
    await connection.execute(
        "INSERT INTO house (key, value) VALUES ('secret', $1) ON CONFLICT DO NOTHING", secrets.token_bytes(32)
    )
    return bytes(await connection.fetchval("SELECT value FROM house WHERE key = 'secret'"))


async def _fit(connection: Connection, projections: Sequence[Projection]) -> tuple[str, ...]:
    """Make world tables that are missing or declared otherwise now; returns those to be rebuilt."""
    made = {name: bytes(digest) for name, digest in await connection.fetch("SELECT name, digest FROM projections")}
    stale = [p for p in projections if made.get(p.name) != p.digest]
    if stale:
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
        async with connection.transaction():
            for statement in (statement for projection in stale for statement in projection.ddl(dialect)):
                await connection.execute(statement)
    return tuple(p.name for p in stale)
