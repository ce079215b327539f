"""The databases that tests are given outlive a crash of their server."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

import pytest

from tests.postgres.databases import LOST, VARIABLE, Databases, asked

pytestmark = pytest.mark.skipif(VARIABLE in os.environ, reason="a server that others may use is not killed")


def writer(databases: Databases) -> int:
    """One of the server's own processes."""
    (pid,) = asked(databases.url, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'background writer'")[0]
    return int(pid)


def crash(databases: Databases) -> None:
    """Kill one of the server's processes: it then ends all others and starts anew, as after a power cut."""
    killed = writer(databases)
    os.kill(killed, signal.SIGKILL)
    for _ in range(300):
        with suppress(*LOST, IndexError):
            if writer(databases) != killed:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not come back")


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
