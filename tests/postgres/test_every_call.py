"""Fail at calls of every port on PostgreSQL, drop everything in memory, reopen, go on: the same end."""

from __future__ import annotations

import pytest

from greenroom.bootstrap import tables_of
from tests.counts import count, report
from tests.crash.stage import Provider, differences, dump, live
from tests.crash.test_every_call import SCRIPTS
from tests.crash.world import WORLDS
from tests.postgres.databases import Databases


@pytest.mark.parametrize("title", SCRIPTS)
async def test_a_crash_at_any_call_changes_nothing(title: str, databases: Databases) -> None:
    script, tables = SCRIPTS[title], tables_of(WORLDS)
    calm, undisturbed = Provider(), databases.new(tables)
    breaker, calm_channel = await live(undisturbed, script, calm, crash_at=None)
    expected = await dump(undisturbed)
    assert expected
    crashes = 0
    for n in range(1, breaker.calls + 1, count(59, soak=1)):
        for when in ("before", "after"):
            provider, where = Provider(), databases.new(tables)
            _, channel = await live(where, script, provider, crash_at=n, when=when)
            place = f"crash {when} call {n}, {breaker.names[n - 1]}"
            assert differences(await dump(where), expected) == [], place
            assert channel.sent == calm_channel.sent, place
            assert provider.asked_again == provider.left_behind == [], place
            assert provider.repeats <= provider.in_flight, place
            assert set(provider.asked) == set(calm.asked), place
            crashes += 1
            databases.strike()
    report(f"crash at every call, postgres, {title}: {crashes} crashes, all reach the same end")
