"""The stored ports of a house, over one open database."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from greenroom.adapters.sql.access import SqlTickets
from greenroom.adapters.sql.agents import SqlAgentFiles, SqlAgentMemories, SqlAgentSessions
from greenroom.adapters.sql.attempts import SqlAttempts
from greenroom.adapters.sql.bank import SqlBank
from greenroom.adapters.sql.cursors import SqlCursors
from greenroom.adapters.sql.history import SqlHistory
from greenroom.adapters.sql.outbox import SqlOutbox
from greenroom.adapters.sql.overview import SqlOverview
from greenroom.adapters.sql.spending import SqlSpending
from greenroom.adapters.sql.store import SqlStore
from greenroom.adapters.sql.streams import SqlStreams
from greenroom.adapters.sql.tables import SqlTables
from greenroom.adapters.sql.upkeep import SqlUpkeep
from greenroom.ports import Agents, Backend, Notifier


def ports_of(
    store: SqlStore, bank: SqlBank, notifier: Notifier, stale: Sequence[str], hush: Callable[[], None] | None = None
) -> Backend:
    """Every port on one store; ``hush`` is called first when it is closed."""

    async def close() -> None:
        if hush is not None:
            hush()
        await bank.close()
        await store.close()

    return Backend(
        name=store.name,
        secret=store.secret,
        attempts=SqlAttempts(store),
        history=SqlHistory(store),
        streams=SqlStreams(store),
        outbox=SqlOutbox(store),
        bank=bank,
        spending=SqlSpending(store),
        tables=SqlTables(store, stale),
        upkeep=SqlUpkeep(store),
        tickets=SqlTickets(store),
        overview=SqlOverview(store),
        cursors=SqlCursors(store),
        agents=Agents(sessions=SqlAgentSessions(store), memories=SqlAgentMemories(store), files=SqlAgentFiles(store)),
        notifier=notifier,
        close=close,
    )
