"""All back-ends recall alike: the same suite, and the same scores."""

from __future__ import annotations

from greenroom.testing.facts import FactsContract
from greenroom.testing.recall import RecallContract
from tests.conformance.backends import Inmem, Postgres, Sqlite


class TestInmemRecall(Inmem, RecallContract):
    pass


class TestSqliteRecall(Sqlite, RecallContract):
    pass


class TestPostgresRecall(Postgres, RecallContract):
    pass


class TestInmemFacts(Inmem, FactsContract):
    """Facts in memory."""


class TestSqliteFacts(Sqlite, FactsContract):
    """Facts in a file."""


class TestPostgresFacts(Postgres, FactsContract):
    """Facts on a server."""
