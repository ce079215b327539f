"""The reference implementation of every port: plain dictionaries, for tests and for reading."""

from greenroom.adapters.inmem.access import InmemTickets
from greenroom.adapters.inmem.agents import InmemAgentFiles, InmemAgentMemories, InmemAgentSessions
from greenroom.adapters.inmem.attempts import InmemAttempts
from greenroom.adapters.inmem.bank import InmemBank
from greenroom.adapters.inmem.cursors import InmemCursors
from greenroom.adapters.inmem.history import InmemHistory
from greenroom.adapters.inmem.outbox import InmemOutbox
from greenroom.adapters.inmem.overview import InmemOverview
from greenroom.adapters.inmem.shelf import Shelf
from greenroom.adapters.inmem.spending import InmemSpending
from greenroom.adapters.inmem.streams import InmemStreams
from greenroom.adapters.inmem.upkeep import InmemTables, InmemUpkeep
from greenroom.ports import Agents, Backend, Embedder


def inmem_backend(shelf: Shelf, *, secret: bytes = b"in memory", embedder: Embedder | None = None) -> Backend:
    """A house in memory."""

    async def close() -> None:
        """Nothing to close: the shelf stays as it is."""

    return Backend(
        name="memory",
        secret=secret,
        attempts=InmemAttempts(shelf),
        history=InmemHistory(shelf),
        streams=InmemStreams(shelf),
        outbox=InmemOutbox(shelf),
        bank=InmemBank(shelf, embedder),
        spending=InmemSpending(shelf),
        tables=InmemTables(shelf),
        upkeep=InmemUpkeep(shelf),
        tickets=InmemTickets(shelf),
        overview=InmemOverview(shelf),
        cursors=InmemCursors(shelf),
        agents=Agents(
            sessions=InmemAgentSessions(shelf), memories=InmemAgentMemories(shelf), files=InmemAgentFiles(shelf)
        ),
        notifier=shelf.notifier,
        close=close,
    )


__all__ = [
    "InmemAgentFiles",
    "InmemAgentMemories",
    "InmemAgentSessions",
    "InmemAttempts",
    "InmemBank",
    "InmemCursors",
    "InmemHistory",
    "InmemOutbox",
    "InmemOverview",
    "InmemSpending",
    "InmemStreams",
    "InmemTables",
    "InmemTickets",
    "InmemUpkeep",
    "Shelf",
    "inmem_backend",
]
