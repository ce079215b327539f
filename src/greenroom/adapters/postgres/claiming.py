"""Claims: one statement takes the leases and brings the attempts; what each is good for is a job of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from copy import copy

from msgspec.structs import replace

from greenroom.adapters.postgres.connection import Pool
from greenroom.adapters.postgres.lookup import HEAD_COLUMNS, HEADS, STREAMS, take_head
from greenroom.adapters.postgres.unit import CachedRow, PostgresUnitOfWork
from greenroom.adapters.postgres.writer import PostgresWriter
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.deciding import UnitOfWork
from greenroom.adapters.sql.rows import of
from greenroom.adapters.sql.store import Job
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Claim, Lease
from greenroom.kernel.script import Answer

_READY = """
SELECT sid, ready_at FROM streams WHERE ready_at IS NOT NULL AND ready_at <= $1 AND busy_until <= $2{world}
ORDER BY ready_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
"""
_ANY = _READY.format(world="")
#: The first of each world, and of these the first.
_OF = f"""
SELECT c.sid FROM unnest($6::text[]) w (world) CROSS JOIN LATERAL ({_READY.format(world=" AND world = w.world")}) c
ORDER BY c.ready_at LIMIT $3
"""
#: Take the lease of what is ready, the longest ready first; whoever else claims passes over these rows at once.
_CLAIM = f"""
WITH ready AS ({{ready}}), s AS (
    UPDATE streams t SET token = t.token + 1, holder = $4, busy_until = $5 FROM ready WHERE t.sid = ready.sid
    RETURNING {of("t", rows.STREAM)}
)
SELECT {of("s", rows.STREAM)}, pg_current_xact_id()::xid, {HEAD_COLUMNS} FROM s {HEADS} ORDER BY s.ready_at, s.name
"""


async def claim(pool: Pool, writer: PostgresWriter, lease: Lease, now: int, limit: int) -> Sequence[Claim]:
    """Take the lease of what is ready, with what it is good for."""
    given = (now, lease.wall, limit, lease.worker, lease.until)
    if lease.worlds is None:
        found = await pool.all(_CLAIM.format(ready=_ANY), *given)
    else:
        found = await pool.all(_CLAIM.format(ready=_OF), *given, list(lease.worlds))
    taken: dict[str, CachedRow] = {}
    for row in found:
        name = row[1]
        if name not in taken:
            stream = rows.to_stream(row[:STREAMS])
            taken[name] = CachedRow(row[0], row[STREAMS], stream, fresh=True, heads=[], answers={})
        take_head(taken[name], name, row[STREAMS + 1 :])
    writer.remember(taken)
    claims = await asyncio.gather(*(writer.write(_job(name, row, now)) for name, row in taken.items()))
    return tuple(claim for claim in claims if claim is not None)


def _job(name: str, taken: CachedRow, now: int) -> Job:
    return Job(lambda unit: _decide(unit, name, taken, now), (name,))


def _decide(unit: UnitOfWork, name: str, taken: CachedRow, now: int) -> Claim | None:
    """What a lease that was just taken is good for: the wake or the attempt whose turn it is."""
    stream, before = unit.stream(name), taken.stream
    assert before is not None
    if stream.token != before.token or stream.holder != before.holder:
        return None  # it was cancelled, or taken back, in between
    kind = transitions.work(stream, now)
    if kind is None:
        transitions.let_go(stream)
        unit.put_stream(stream)
        return None
    attempt, stored = (transitions.book_wake(stream), ()) if kind == "wake" else _head(unit, name, taken)
    attempt = replace(attempt, tries=attempt.tries + 1)
    unit.put_stream(stream)
    if not transitions.suspect(attempt):
        unit.put_attempt(attempt)
    return Claim(stream=copy(stream), attempt=attempt, token=stream.token, answers=stored)


def _head(unit: UnitOfWork, name: str, taken: CachedRow) -> tuple[Attempt, tuple[Answer, ...]]:
    """As it was when the lease was taken, or, if the row has changed since, as it was looked up."""
    assert isinstance(unit, PostgresUnitOfWork)
    if unit.stamp_of(name) == taken.stamp:
        attempt = taken.heads[0]
        return attempt, taken.answers.get(attempt.n, ())
    head = unit.head(name)
    assert head is not None
    return head, unit.answers(head)
