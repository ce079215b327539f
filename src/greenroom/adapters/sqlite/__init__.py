"""One file, WAL, full sync: the embedded default."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sqlite.access import SqliteTickets
from greenroom.adapters.sqlite.attempts import SqliteAttempts
from greenroom.adapters.sqlite.bank import SqliteBank
from greenroom.adapters.sqlite.cursors import SqliteCursors
from greenroom.adapters.sqlite.history import SqliteHistory
from greenroom.adapters.sqlite.holders import free_the_dead
from greenroom.adapters.sqlite.notifier import SqliteNotifier
from greenroom.adapters.sqlite.opening import prepare
from greenroom.adapters.sqlite.outbox import SqliteOutbox
from greenroom.adapters.sqlite.overview import SqliteOverview
from greenroom.adapters.sqlite.spending import SqliteSpending
from greenroom.adapters.sqlite.store import Store
from greenroom.adapters.sqlite.streams import SqliteStreams
from greenroom.adapters.sqlite.tables import SqliteTables
from greenroom.adapters.sqlite.upkeep import SqliteUpkeep
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
    store = Store(path, projections, opened.secret)
    store.watched = opened.watched
    bank = SqliteBank(store, embedder, patient=patient)
    notifier = SqliteNotifier(path)

    async def close() -> None:
        notifier.close()
        await bank.close()
        await store.close()

    return Backend(
        name=str(path),
        secret=opened.secret,
        attempts=SqliteAttempts(store),
        history=SqliteHistory(store),
        streams=SqliteStreams(store),
        outbox=SqliteOutbox(store),
        bank=bank,
        spending=SqliteSpending(store),
        tables=SqliteTables(store, opened.stale),
        upkeep=SqliteUpkeep(store),
        tickets=SqliteTickets(store),
        overview=SqliteOverview(store),
        cursors=SqliteCursors(store),
        notifier=notifier,
        close=close,
    )


__all__ = ["sqlite_backend"]
