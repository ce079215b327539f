"""Where a house is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from greenroom.adapters.inmem import Shelf, inmem_backend
from greenroom.adapters.sql.addresses import is_url
from greenroom.adapters.sqlite import sqlite_backend
from greenroom.bootstrap.worlds import AnyWorld, installed_worlds, tables_of
from greenroom.kernel.errors import Unknown
from greenroom.kernel.tables import Table
from greenroom.ports import Backend, Embedder

if TYPE_CHECKING:
    from greenroom.adapters.copying import Copied

NO_POSTGRES = "PostgreSQL is not installed here: pip install 'greenroom[postgres]'"


def backend(
    where: Path | str | Shelf, worlds: Sequence[AnyWorld], *, embedder: Embedder | None = None, patient: bool = False
) -> Backend:
    """The back-end behind a path or an address, or a house in memory. Blocks until it is ready.

    ``patient`` recall embeds what its scope lacks before it searches, so that it never depends on how far a
    background job got.
    """
    if isinstance(where, Shelf):
        where.tables = {table.name: table for table in tables_of(worlds)}
        return inmem_backend(where, embedder=embedder)
    if is_url(where):
        return _postgres(str(where), tables_of(worlds), embedder=embedder, patient=patient)
    return sqlite_backend(Path(where), tables_of(worlds), embedder=embedder, patient=patient)


def _postgres(url: str, tables: Sequence[Table], *, embedder: Embedder | None, patient: bool) -> Backend:
    try:
        from greenroom.adapters.postgres import postgres_backend  # noqa: PLC0415 (an extra that may be absent)
    except ModuleNotFoundError:
        raise Unknown(NO_POSTGRES) from None
    return postgres_backend(url, tables, embedder=embedder, patient=patient)


async def copy_house(source: str, target: str, *, progress: Callable[[int, int, str], None]) -> Copied:
    """Copy a whole house from a file to a database on a server, or back, compared by sums.

    Raises:
        Unknown: there is no house to copy.
        Conflict: there is one where it should go.
        Locked: somebody works in the house.
        CorruptHistory: what arrived is not what left; nothing was kept.
    """
    try:
        from greenroom.adapters import copying  # noqa: PLC0415 (an extra that may be absent)
    except ModuleNotFoundError:
        raise Unknown(NO_POSTGRES) from None
    return await copying.copy_house(source, target, tables_of(installed_worlds()), progress)
