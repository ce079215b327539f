"""Claims among many streams and many workers."""

from __future__ import annotations

import asyncio
import time

import pytest

from greenroom.adapters.postgres import postgres_backend
from greenroom.ports import Backend
from greenroom.testing.records import NOW, TABLES, lease, opening, recording
from tests.conftest import NewDatabase
from tests.counts import SOAK, count, report
from tests.postgres.databases import execute


async def test_of_many_waiting_attempts_the_first_of_each_stream_is_claimed(new_database: NewDatabase) -> None:
    backend = postgres_backend(new_database(TABLES), TABLES)
    try:
        names = [f"s{i}" for i in range(60)]
        await asyncio.gather(*(backend.attempts.record(opening(name)) for name in names))
        for key in ("a", "b", "c"):
            await asyncio.gather(*(backend.attempts.record(recording(name, key)) for name in names))
        claims = await backend.attempts.claim(lease(), now=NOW, limit=100)
        assert sorted(claim.stream.name for claim in claims) == sorted(names)
        assert {claim.attempt.n for claim in claims} == {1}
    finally:
        await backend.close()


async def test_many_workers_at_once_never_get_the_same_stream(new_database: NewDatabase) -> None:
    url = new_database(TABLES)
    backends = [postgres_backend(url, TABLES) for _ in range(4)]
    try:
        names = [f"s{i}" for i in range(80)]
        await asyncio.gather(*(backends[0].attempts.record(opening(name)) for name in names))
        found = await asyncio.gather(*(_drain(backend, f"w{i}") for i, backend in enumerate(backends)))
        taken = [name for part in found for name in part]
        assert sorted(taken) == sorted(names)
    finally:
        await asyncio.gather(*(backend.close() for backend in backends))


async def _drain(backend: Backend, worker: str) -> list[str]:
    taken: list[str] = []
    while claims := await backend.attempts.claim(lease(worker), now=NOW, limit=7):
        taken += [claim.stream.name for claim in claims]
    return taken


#: A stream that sleeps for years, or one that is due: columns as in the schema.
_MANY = """
INSERT INTO streams (name, world, owner, seed, born_at, forked_at, mark, awake, mute, version, recorded, open, head_at,
    recorded_at, last_at, wake_at, ready_at, busy_until, token, waiting, woken)
SELECT $3 || i, 'proof', 'ada', 7, 0, 0, 0, true, false, 0, 0, 0, NULL, 0, 0, $2, $2, 0, 0, false, false
FROM generate_series(1, $1::int) i
"""


async def _filled(url: str, streams: int, due: int) -> None:
    await execute(url, _MANY, streams - due, NOW + 10**15, "asleep-")
    await execute(url, _MANY, due, NOW - 1, "due-")
    await execute(url, "ANALYZE streams")


#: Rows of streams and entries of their indexes that statements have looked at so far, in this database.
_LOOKED_AT = """
SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'streams')
FROM pg_stat_user_tables WHERE relname = 'streams'
"""
_CLIENTS = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


async def _clients(url: str) -> set[int]:
    return {pid for (pid,) in await execute(url, _CLIENTS)}


async def _looked_at(url: str, besides: set[int]) -> int:
    """What a server process has counted is told to the others when it ends."""
    async with asyncio.timeout(10):
        while await _clients(url) - besides:  # noqa: ASYNC110  a server process tells nobody that it ends
            await asyncio.sleep(0.01)
    ((rows,),) = await execute(url, _LOOKED_AT)
    return int(rows)


async def _claiming(url: str, due: int) -> tuple[int, float]:
    """What is looked at to find and claim all that is due, 50 at a time, and the seconds for all but the first."""
    others = await _clients(url)
    before = await _looked_at(url, others)
    backend = postgres_backend(url, TABLES)
    try:
        assert len(await backend.attempts.claim(lease(), now=NOW, limit=50)) == 50
        began, taken = time.perf_counter(), 50
        while claims := await backend.attempts.claim(lease(), now=NOW, limit=50):
            taken += len(claims)
            assert await backend.attempts.next_at(NOW) == NOW + 10**15
        assert taken == due
        took = time.perf_counter() - began
    finally:
        await backend.close()
    return await _looked_at(url, others) - before, took


@pytest.mark.alone
async def test_finding_what_is_due_takes_as_long_among_a_million_streams_as_among_a_few(
    new_database: NewDatabase,
) -> None:
    few, many, due = count(1_000, soak=10_000), count(20_000, soak=1_000_000), count(250, soak=1_000)
    looked: dict[int, list[int]] = {few: [], many: []}
    took: dict[int, list[float]] = {few: [], many: []}
    for _ in range(count(1, soak=3)):
        for streams in (few, many):
            url = new_database(TABLES)
            await _filled(url, streams, due)
            rows, seconds = await _claiming(url, due)
            looked[streams].append(rows)
            took[streams].append(seconds)
    report(f"claiming {due} due streams of {many:,}: {min(took[many]):.3f} s, of {few:,}: {min(took[few]):.3f} s")
    assert max(looked[many]) <= 2 * min(looked[few]), looked
    if SOAK:  # a tenth of a second beside other tests tells nothing
        assert min(took[many]) <= 2 * min(took[few]), took
