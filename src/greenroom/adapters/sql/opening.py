"""What is done to either database when it is opened: which form it has, and what it must have for these worlds."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from greenroom.adapters.sql.cursors import FOLLOWERS, watched
from greenroom.adapters.sql.deciding import Watched
from greenroom.adapters.sql.migrations import HEAD
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.store import Executor, Reader
from greenroom.kernel.errors import BackendError, CorruptHistory, GreenroomError, NewerSchema


@dataclass(frozen=True, slots=True)
class Opened:
    """What is known of a database once it is ready for use."""

    secret: bytes
    #: World tables that were made anew and must be rebuilt from the journal.
    stale: tuple[str, ...]
    #: Who follows which world.
    watched: Watched


async def revision(reader: Reader, tables: str, name: str) -> str | None:
    """The revision a database is at, by a statement that lists its tables; None for an empty one.

    Raises:
        NewerSchema: this Greenroom does not know that revision.
        CorruptHistory: it is a database of something else.
    """
    names = {table for (table,) in await reader.all(tables)}
    if not names:
        return None
    if "schema_versions" not in names:
        raise CorruptHistory(f"{name}: this is a database, but not a Greenroom house; choose another")
    found = await reader.value("SELECT max(version) FROM schema_versions")
    if found is not None and found > HEAD:
        raise NewerSchema(
            f"{name}: written by a newer Greenroom (schema {found}; this one knows up to {HEAD}): upgrade Greenroom"
        )
    return None if found is None else str(found)


@contextmanager
def migrating(name: str, current: str | None, kept: str = "") -> Iterator[None]:
    """Say of a migration that fails what became of the database."""
    try:
        yield
    except GreenroomError:
        raise
    except Exception as error:
        raise BackendError(
            f"{name}: it could not be brought from schema {current or 'nothing'} to {HEAD} ({_reason(error)}) "
            f"and is as it was{kept}"
        ) from error


def _reason(error: Exception) -> str:
    if "vector" in str(getattr(error, "orig", error)):
        return "the server lacks the extension pgvector; install it, or let its owner create it"
    return type(error).__name__


async def found(reader: Reader, projections: Sequence[Projection]) -> Opened:
    """What is known of a database of this revision; without a secret it was never opened."""
    secret = await reader.value("SELECT value FROM house WHERE key = 'secret'")
    made = {name: bytes(digest) for name, digest in await reader.all("SELECT name, digest FROM projections")}
    stale = tuple(projection.name for projection in projections if made.get(projection.name) != projection.digest)
    return Opened(bytes(secret or b""), stale, watched(await reader.all(FOLLOWERS)))


async def fitted(connection: Executor, projections: Sequence[Projection]) -> Opened:
    """Give a database of this revision a secret, and the world tables that are missing or declared otherwise now."""
    own = "INSERT INTO house (key, value) VALUES ('secret', $1) ON CONFLICT DO NOTHING"
    await connection.run(own, secrets.token_bytes(32))
    opened = await found(connection, projections)
    if opened.stale:
        await connection.run("BEGIN")
        for projection in projections:
            for statement in projection.ddl if projection.name in opened.stale else ():
                await connection.run(statement)
        await connection.run("COMMIT")
    return opened
