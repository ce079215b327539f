"""Attempts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from greenroom.adapters.sql import deciding, rows
from greenroom.adapters.sql.store import Job, Reader, SqlPort, Transaction
from greenroom.adapters.sql.unit import UnitOfWork
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Claim, Entry, Lease, Receipt, Recording
from greenroom.kernel.errors import Forgotten, LeaseLost, Unknown
from greenroom.kernel.script import Answer

_FIND = f"""
SELECT {rows.of("a", rows.ATTEMPT)} FROM attempts a JOIN streams s ON s.sid = a.sid WHERE s.name = $1 AND a.n = $2
"""
_LEAVE = """
UPDATE streams SET holder = NULL, busy_until = 0, token = token + 1 WHERE ready_at IS NOT NULL AND holder = $1
"""
_FREE = "ready_at IS NOT NULL AND ready_at <= $1 AND busy_until <= $2"
#: Held for this statement only, so that it passes over what somebody is claiming at this moment.
_READY = f"""
SELECT name, ready_at FROM streams WHERE {_FREE}{{world}} ORDER BY ready_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
"""
_NEXT = "SELECT ready_at FROM streams WHERE ready_at IS NOT NULL AND ready_at > $1"
_FIRST = "ORDER BY ready_at LIMIT 1"
#: Each world by itself: streams of a world that nobody here has may be ready for ever, and are not looked through.
_NEXT_OF = f"SELECT min(({_NEXT} AND world = w.value {_FIRST})) FROM unnest($2::text[]) AS w (value)"


class SqlAttempts(SqlPort):
    async def record(self, recording: Recording, lease: Lease | None = None) -> Receipt:
        name, key = recording.stream, recording.key
        job = Job(lambda unit: deciding.record(unit, recording, lease), (name,), {name: key}, recording.fresh)
        receipt: Receipt = await self._store.write(job)
        return receipt

    async def claim(self, lease: Lease, *, now: int, limit: int) -> Sequence[Claim]:
        claims: list[Claim] = []
        tried: set[str] = set()
        while (room := limit - len(claims)) > 0:
            names = [name for name in await self._ready(lease, now, room) if name not in tried]
            taken = await self._take(names, lease, now) if names else ()
            claims += taken
            if len(taken) == len(names):
                break
            tried.update(names)  # somebody was faster: there may be more that they left
        return claims

    async def _ready(self, lease: Lease, now: int, limit: int) -> Sequence[str]:
        """Streams that have something to do, the longest ready first."""
        if lease.worlds == ():
            return ()
        ready, among = _ready(lease.worlds)
        found = await self._store.glance(lambda reader: reader.all(ready, now, lease.wall, limit, *among))
        return [name for name, _ in found]

    async def _take(self, names: Sequence[str], lease: Lease, now: int) -> Sequence[Claim]:
        """Claim those of the streams that are ready still."""

        def decide(unit: UnitOfWork) -> Sequence[Claim]:
            claims = (_take(unit, name, lease, now) for name in names)
            return [claim for claim in claims if claim is not None]

        claims: Sequence[Claim] = await self._store.write(Job(decide, names))
        return claims

    async def begin(self, claim: Claim) -> None:
        await self._write(claim, lambda unit: deciding.begin(unit, claim))

    async def renew(self, claims: Sequence[Claim], lease: Lease) -> Sequence[Claim]:
        kept = await asyncio.gather(*(self._store.write(_renewal(claim, lease)) for claim in claims))
        return tuple(claim for claim, held in zip(claims, kept, strict=True) if held)

    async def answer(self, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry] = ()) -> None:
        await self._write(claim, lambda unit: deciding.answer(unit, claim, answers, ledger), patient=True)

    async def discard(self, claim: Claim, since: int) -> None:
        await self._write(claim, lambda unit: deciding.discard(unit, claim, since))

    async def release(
        self, claim: Claim, *, until: int = 0, children: Sequence[str] = (), error: str | None = None
    ) -> None:
        await self._write(claim, lambda unit: deciding.release(unit, claim, until, children, error), children)

    async def _write(
        self, claim: Claim, decide: Callable[[UnitOfWork], None], more: Sequence[str] = (), *, patient: bool = False
    ) -> None:
        await self._store.write(Job(decide, (claim.stream.name, *more), patient=patient))

    async def leave(self, worker: str) -> int:
        return await self._store.act(lambda unit: unit.run(_LEAVE, worker), heavy=True, quiet=True)

    async def cancel(self, stream: str, n: int) -> Attempt:
        async def act(unit: Transaction) -> Attempt:
            row = unit.stream(stream)
            attempt = await self._find(unit, stream, n)
            if attempt.status is not None:
                return attempt
            transitions.withdraw(row, attempt, unit.head(stream, besides=n))
            unit.put_stream(row)
            cancelled = replace(attempt, status="cancelled", error="cancelled by the caller")
            unit.put_attempt(cancelled)
            unit.put("unanswered", (unit.sid(stream), n, 0))
            return cancelled

        return await self._store.act(act, (stream,))

    async def find(self, stream: str, n: int) -> Attempt:
        return await self._store.glance(lambda reader: self._find(reader, stream, n))

    async def _find(self, reader: Reader, stream: str, n: int) -> Attempt:
        row = await reader.one(_FIND, stream, n)
        if row is None:
            await self._store.stream(reader, stream)
            raise Unknown(f"stream {stream} has no attempt {n}")
        return rows.to_attempt(stream, row)

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        if worlds is None:
            look: tuple[Any, ...] = (f"{_NEXT} {_FIRST}", after)
        else:
            look = (_NEXT_OF, after, list(worlds))
        found: int | None = await self._store.glance(lambda reader: reader.value(*look))
        return found


def _ready(worlds: Sequence[str] | None) -> tuple[str, Sequence[str]]:
    """What finds the streams that are longest ready, and what it is given; of each world the first, of these the first.

    Streams of a world that nobody here has may be ready for ever, and are not looked through.
    """
    if worlds is None:
        return _READY.format(world=""), ()
    each = [f"SELECT * FROM ({_READY.format(world=f' AND world = ${n}')}) w{n}" for n in range(4, 4 + len(worlds))]
    return f"{' UNION ALL '.join(each)} ORDER BY ready_at LIMIT $3", worlds


def _take(unit: UnitOfWork, name: str, lease: Lease, now: int) -> Claim | None:
    """Claim a stream that was found, unless somebody was faster."""
    try:
        stream = unit.stream(name)
    except (Forgotten, Unknown):
        return None
    if stream.ready_at is None or stream.ready_at > now or not transitions.free(stream, lease.wall):
        return None
    return deciding.take(unit, stream, lease, now, unit.head(name))


def _renewal(claim: Claim, lease: Lease) -> Job:
    def decide(unit: UnitOfWork) -> bool:
        try:
            stream = unit.stream(claim.stream.name)
            transitions.fence(stream, claim)
        except (Forgotten, LeaseLost, Unknown):
            return False
        stream.busy_until = lease.until
        unit.put_stream(stream)
        return True

    return Job(decide, (claim.stream.name,))
