"""One file, WAL, full sync: the embedded default."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from greenroom.adapters.sql.backend import ports_of
from greenroom.adapters.sql.bank import SqlBank
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sqlite.holders import free_the_dead
from greenroom.adapters.sqlite.opening import prepare
from greenroom.adapters.sqlite.store import SqliteStore
from greenroom.kernel.tables import Table
from greenroom.ports import Backend, Embedder


def sqlite_backend(
    path: Path, tables: Sequence[Table], *, embedder: Embedder | None = None, patient: bool = False
) -> Backend:
    """Open a house in a file, making or upgrading it as needed.

    Recall goes by words alone unless there is an embedder; a patient one makes every vector before it searches.

    Raises:
        NewerSchema: a newer Greenroom wrote the file.
        BackendError: it cannot be opened or written.
    """
    projections = {table.name: Projection(table) for table in tables}
    opened = prepare(path, tuple(projections.values()))
    free_the_dead(path)
    store = SqliteStore(path, projections, opened.secret, opened.watched)
    return ports_of(store, SqlBank(store, embedder, patient=patient), opened.stale)


__all__ = ["sqlite_backend"]
