"""The PostgreSQL back-end keeps every port's contract."""

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
from tests.conformance.backends import Postgres


class TestPostgresAttempts(Postgres, AttemptsContract):
    pass


class TestPostgresHistory(Postgres, HistoryContract):
    pass


class TestPostgresStreams(Postgres, StreamsContract):
    pass


class TestPostgresOutbox(Postgres, OutboxContract):
    pass


class TestPostgresBank(Postgres, MemoryBankContract):
    pass


class TestPostgresTables(Postgres, TablesContract):
    pass


class TestPostgresTickets(Postgres, TicketsContract):
    pass


class TestPostgresOverview(Postgres, OverviewContract):
    pass


class TestPostgresCursors(Postgres, CursorsContract):
    pass


class TestPostgresReleases(Postgres, ReleaseContract):
    pass


class TestPostgresAgentSessions(Postgres, AgentSessionsContract):
    pass


class TestPostgresAgentMemories(Postgres, AgentMemoriesContract):
    pass


class TestPostgresAgentFiles(Postgres, AgentFilesContract):
    pass
