"""The SQLite back-end keeps every port's contract."""

from greenroom.testing.access import TicketsContract
from greenroom.testing.agents import AgentFilesContract, AgentMemoriesContract, AgentSessionsContract
from greenroom.testing.bank import MemoryBankContract
from greenroom.testing.cursors import CursorsContract
from greenroom.testing.history import HistoryContract
from greenroom.testing.leases import AttemptsContract
from greenroom.testing.outbox import OutboxContract
from greenroom.testing.overview import OverviewContract
from greenroom.testing.releases import ReleaseContract
from greenroom.testing.streams import StreamsContract
from greenroom.testing.tables import TablesContract
from tests.conformance.backends import Sqlite


class TestSqliteAttempts(Sqlite, AttemptsContract):
    pass


class TestSqliteHistory(Sqlite, HistoryContract):
    pass


class TestSqliteStreams(Sqlite, StreamsContract):
    pass


class TestSqliteOutbox(Sqlite, OutboxContract):
    pass


class TestSqliteBank(Sqlite, MemoryBankContract):
    pass


class TestSqliteTables(Sqlite, TablesContract):
    pass


class TestSqliteTickets(Sqlite, TicketsContract):
    pass


class TestSqliteOverview(Sqlite, OverviewContract):
    pass


class TestSqliteCursors(Sqlite, CursorsContract):
    pass


class TestSqliteReleases(Sqlite, ReleaseContract):
    pass


class TestSqliteAgentSessions(Sqlite, AgentSessionsContract):
    pass


class TestSqliteAgentMemories(Sqlite, AgentMemoriesContract):
    pass


class TestSqliteAgentFiles(Sqlite, AgentFilesContract):
    pass
