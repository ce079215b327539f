"""The stored ports of a house, over one open database."""

from __future__ import annotations

from collections.abc import Sequence

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
from greenroom.ports import Agents, Backend


def ports_of(store: SqlStore, bank: SqlBank, stale: Sequence[str]) -> Backend:
    """Every port on one store."""

    async def close() -> None:
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
        notifier=store.notifier,
        close=close,
    )
