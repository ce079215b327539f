"""PostgreSQL behind the same ports: any number of servers and workers on one database."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.postgres.access import PostgresTickets
from greenroom.adapters.postgres.attempts import PostgresAttempts
from greenroom.adapters.postgres.bank import PostgresBank
from greenroom.adapters.postgres.cursors import PostgresCursors
from greenroom.adapters.postgres.history import PostgresHistory
from greenroom.adapters.postgres.opening import prepare
from greenroom.adapters.postgres.outbox import PostgresOutbox
from greenroom.adapters.postgres.overview import PostgresOverview
from greenroom.adapters.postgres.spending import PostgresSpending
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.postgres.streams import PostgresStreams
from greenroom.adapters.postgres.tables import PostgresTables
from greenroom.adapters.postgres.upkeep import PostgresUpkeep
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
    store = Store(url, projections, opened.secret)
    store.watched = opened.watched
    bank = PostgresBank(store, embedder, patient=patient)

    async def close() -> None:
        await bank.close()
        await store.close()

    return Backend(
        name=store.name,
        secret=opened.secret,
        attempts=PostgresAttempts(store),
        history=PostgresHistory(store),
        streams=PostgresStreams(store),
        outbox=PostgresOutbox(store),
        bank=bank,
        spending=PostgresSpending(store),
        tables=PostgresTables(store, opened.stale),
        upkeep=PostgresUpkeep(store),
        tickets=PostgresTickets(store),
        overview=PostgresOverview(store),
        cursors=PostgresCursors(store),
        notifier=store.notifier,
        close=close,
    )


__all__ = ["postgres_backend"]
