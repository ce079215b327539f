"""The in-memory back-end keeps every port's contract."""

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
from tests.conformance.backends import Inmem


class TestInmemAttempts(Inmem, AttemptsContract):
    pass


class TestInmemHistory(Inmem, HistoryContract):
    pass


class TestInmemStreams(Inmem, StreamsContract):
    pass


class TestInmemOutbox(Inmem, OutboxContract):
    pass


class TestInmemBank(Inmem, MemoryBankContract):
    pass


class TestInmemTables(Inmem, TablesContract):
    pass


class TestInmemTickets(Inmem, TicketsContract):
    pass


class TestInmemOverview(Inmem, OverviewContract):
    pass


class TestInmemCursors(Inmem, CursorsContract):
    pass


class TestInmemReleases(Inmem, ReleaseContract):
    pass


class TestInmemAgentSessions(Inmem, AgentSessionsContract):
    pass


class TestInmemAgentMemories(Inmem, AgentMemoriesContract):
    pass


class TestInmemAgentFiles(Inmem, AgentFilesContract):
    pass
