"""PostgreSQL behind the same ports: any number of servers and workers on one database."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.postgres.candidates import Candidates
from greenroom.adapters.postgres.opening import prepare
from greenroom.adapters.postgres.store import PostgresStore
from greenroom.adapters.sql.backend import ports_of
from greenroom.adapters.sql.bank import SqlBank
from greenroom.adapters.sql.projections import Projection
from greenroom.kernel.tables import Table
from greenroom.ports import Backend, Embedder


def postgres_backend(
    url: str, tables: Sequence[Table], *, embedder: Embedder | None = None, patient: bool = False
) -> Backend:
    """Open a house in a database, filling or upgrading it as needed. Blocks until it is ready.

    Recall goes by words alone unless there is an embedder; a patient one makes every vector before it searches.

    Raises:
        NewerSchema: a newer Greenroom wrote the database.
        BackendError: it cannot be reached or written.
    """
    projections = {table.name: Projection(table) for table in tables}
    opened = prepare(url, tuple(projections.values()))
    store = PostgresStore(url, projections, opened.secret, opened.watched)
    bank = SqlBank(store, embedder, patient=patient, large=Candidates(store.pool, embedder))
    return ports_of(store, bank, opened.stale)


__all__ = ["postgres_backend"]
