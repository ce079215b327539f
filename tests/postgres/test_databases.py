"""The databases that tests are given outlive a crash of their server."""

from __future__ import annotations

import os
import signal

import pytest

from tests.postgres.databases import VARIABLE, Databases, asked

pytestmark = pytest.mark.skipif(VARIABLE in os.environ, reason="a server that others may use is not killed")


def crash(databases: Databases) -> None:
    """Kill one of the server's processes: it then ends all others and starts anew, as after a power cut."""

    async def killed() -> None:
        os.kill(await databases._admin.fetchval("SELECT pg_backend_pid()"), signal.SIGKILL)

    databases._do(killed)


def test_after_a_crash_new_databases_are_given_out_and_old_ones_are_taken_back() -> None:
    databases = Databases()
    try:
        first, second = databases.new(), databases.new()
        databases.strike([first])  # cleaned, and its connection kept
        crash(databases)
        third = databases.new()
        assert asked(third, "SELECT count(*) FROM streams") == [(0,)]
        crash(databases)
        databases.strike([second, third])
        assert asked(databases.new(), "SELECT count(*) FROM streams") == [(0,)]
        crash(databases)
        assert asked(databases.empty(), "SELECT 1") == [(1,)]
    finally:
        databases.close()
