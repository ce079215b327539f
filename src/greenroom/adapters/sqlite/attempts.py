"""Attempts in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from greenroom.adapters.sql import deciding
from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.among import of_worlds
from greenroom.adapters.sqlite.filling import Job
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Claim, Entry, Lease, Receipt, Recording
from greenroom.kernel.errors import Forgotten, LeaseLost, Unknown
from greenroom.kernel.script import Answer


@dataclass(frozen=True, slots=True)
class Record:
    recording: Recording
    lease: Lease | None
    heavy = False
    patient = False

    @property
    def streams(self) -> Sequence[str]:
        return (self.recording.stream,)

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        return () if self.recording.fresh else ((self.recording.stream, self.recording.key),)

    def decide(self, sheet: Sheet) -> Receipt:
        return deciding.record(sheet, self.recording, self.lease)

    def instead(self, clash: str) -> Job | None:
        return None


@dataclass(frozen=True, slots=True)
class StoreAnswers:
    claim: Claim
    answers: Sequence[Answer]
    ledger: Sequence[Entry]
    heavy = False
    patient = True

    @property
    def streams(self) -> Sequence[str]:
        return (self.claim.stream.name,)

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        return ()

    def decide(self, sheet: Sheet) -> None:
        deciding.answer(sheet, self.claim, self.answers, self.ledger)

    def instead(self, clash: str) -> Job | None:
        return None


class SqliteAttempts:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def record(self, recording: Recording, lease: Lease | None = None) -> Receipt:
        receipt: Receipt = await self._store.write(Record(recording, lease))
        return receipt

    async def claim(self, lease: Lease, *, now: int, limit: int) -> Sequence[Claim]:
        if limit <= 0 or not await self._store.glance(lambda c: _ready(c, lease, now, 1)):
            return ()

        def act(sheet: Sheet) -> Sequence[Claim]:
            names = [row[0] for row in _ready(sheet.connection, lease, now, limit)]
            sheet.look_up(names, [])
            claims = (deciding.take(sheet, sheet.stream(name), lease, now, sheet.head(name)) for name in names)
            return tuple(claim for claim in claims if claim is not None)

        claims: Sequence[Claim] = await self._store.write(Writing(act))
        return claims

    async def begin(self, claim: Claim) -> None:
        await self._store.write(Writing(lambda sheet: deciding.begin(sheet, claim), (claim.stream.name,)))

    async def renew(self, claims: Sequence[Claim], lease: Lease) -> Sequence[Claim]:
        names = tuple(claim.stream.name for claim in claims)

        def act(sheet: Sheet) -> Sequence[Claim]:
            return tuple(claim for claim in claims if _renew(sheet, claim, lease))

        kept: Sequence[Claim] = await self._store.write(Writing(act, names))
        return kept

    async def answer(self, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry] = ()) -> None:
        await self._store.write(StoreAnswers(claim, answers, ledger))

    async def discard(self, claim: Claim, since: int) -> None:
        await self._store.write(Writing(lambda sheet: deciding.discard(sheet, claim, since), (claim.stream.name,)))

    async def release(
        self, claim: Claim, *, until: int = 0, children: Sequence[str] = (), error: str | None = None
    ) -> None:
        def act(sheet: Sheet) -> None:
            deciding.release(sheet, claim, until, children, error)

        await self._store.write(Writing(act, (claim.stream.name, *children)))

    async def leave(self, worker: str) -> int:
        def act(sheet: Sheet) -> int:
            left = sheet.connection.execute(
                "UPDATE streams SET holder = NULL, busy_until = 0, token = token + 1 "
                "WHERE ready_at IS NOT NULL AND holder = ?",
                (worker,),
            )
            return left.rowcount

        left: int = await self._store.write(Writing(act, heavy=True))
        return left

    async def cancel(self, stream: str, n: int) -> Attempt:
        def act(sheet: Sheet) -> Attempt:
            attempt = sheet.attempt(stream, n)
            if attempt.status is not None:
                return attempt
            row = sheet.stream(stream)
            head = sheet.head(stream, besides=n)
            transitions.withdraw(row, attempt, head)
            sheet.put_stream(row)
            cancelled = replace(attempt, status="cancelled", error="cancelled by the caller")
            sheet.put_attempt(cancelled)
            sheet.put("unanswered", (sheet.sid(stream), n, 0))
            return cancelled

        cancelled: Attempt = await self._store.write(Writing(act, (stream,)))
        return cancelled

    async def find(self, stream: str, n: int) -> Attempt:
        def look(connection: sqlite3.Connection) -> Attempt:
            sid, _ = self._store.stream(connection, stream)
            row = connection.execute(
                f"SELECT {rows.ATTEMPT} FROM attempts WHERE sid = ? AND n = ?", (sid, n)
            ).fetchone()
            if row is None:
                raise Unknown(f"stream {stream} has no attempt {n}")
            return rows.to_attempt(stream, row)

        return await self._store.glance(look)

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        among, named = of_worlds("world", worlds)

        def look(connection: sqlite3.Connection) -> int | None:
            found = connection.execute(
                f"SELECT ready_at FROM streams WHERE ready_at IS NOT NULL AND ready_at > ?{among} "
                "ORDER BY ready_at LIMIT 1",
                (after, *named),
            ).fetchone()
            return None if found is None else int(found[0])

        return await self._store.glance(look)


def _ready(connection: sqlite3.Connection, lease: Lease, now: int, limit: int) -> Sequence[tuple[str]]:
    among, named = of_worlds("world", lease.worlds)
    return connection.execute(
        f"SELECT name FROM streams WHERE ready_at IS NOT NULL AND ready_at <= ? AND busy_until <= ?{among} "
        "ORDER BY ready_at LIMIT ?",
        (now, lease.wall, *named, limit),
    ).fetchall()


def _renew(sheet: Sheet, claim: Claim, lease: Lease) -> bool:
    try:
        stream = sheet.stream(claim.stream.name)
        transitions.fence(stream, claim)
    except (Forgotten, LeaseLost, Unknown):
        return False
    stream.busy_until = lease.until
    sheet.put_stream(stream)
    return True
