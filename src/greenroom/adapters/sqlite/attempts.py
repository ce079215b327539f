"""Attempts in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from msgspec.structs import replace

from greenroom.adapters.sql.taking import put_words, take
from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.filling import Job
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Act, Store
from greenroom.kernel import desk
from greenroom.kernel.errors import Forgotten, LeaseLost, Unknown
from greenroom.kernel.journal import Attempt, Claim, Entry, Lease, Receipt, Recording, Stream
from greenroom.kernel.script import Answer


@dataclass(frozen=True, slots=True)
class Record:
    recording: Recording
    lease: Lease | None
    heavy = False

    @property
    def streams(self) -> Sequence[str]:
        return (self.recording.stream,)

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        return ((self.recording.stream, self.recording.key),)

    def decide(self, sheet: Sheet) -> Receipt:
        recording = self.recording
        if recording.birth is not None and not sheet.knows(recording.stream):
            sheet.refuse_removed(recording.stream)
            stream = desk.born(recording)
        else:
            stream = sheet.stream(recording.stream)
            desk.same_birth(stream, recording)
            if (prior := sheet.prior(recording)) is not None:
                attempt = desk.same_request(prior, recording)
                return Receipt(attempt=attempt, new=False, claim=self._claim(sheet, stream, None))
        attempt = desk.book(stream, recording)
        sheet.put_stream(stream)
        sheet.put_attempt(attempt)
        put_words(sheet, stream, attempt, recording, {})
        return Receipt(attempt=attempt, new=True, claim=self._claim(sheet, stream, attempt))

    def _claim(self, sheet: Sheet, stream: Stream, booked: Attempt | None) -> Claim | None:
        if self.lease is None or not desk.free(stream, self.lease.wall):
            return None
        fresh = booked is not None and stream.open == 1
        head = booked if fresh else sheet.head(stream.name)
        return take(sheet, copy(stream), self.lease, self.recording.now, head, fresh=fresh)

    def instead(self, clash: str) -> Job | None:
        return None


@dataclass(frozen=True, slots=True)
class StoreAnswers:
    claim: Claim
    answers: Sequence[Answer]
    ledger: Sequence[Entry]
    heavy = False

    @property
    def streams(self) -> Sequence[str]:
        return (self.claim.stream.name,)

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        return ()

    def decide(self, sheet: Sheet) -> None:
        name, n = self.claim.stream.name, self.claim.attempt.n
        desk.fence(sheet.stream(name), self.claim)
        sid = sheet.sid(name)
        sheet.put_all("answers", ((sid, n, a.n, a.fingerprint, a.body) for a in self.answers))
        sheet.put_all("ledger", (rows.entry_row(sid, n, entry) for entry in self.ledger))
        if self.claim.attempt.tries > 1:
            sheet.run("UPDATE attempts SET tries = 1 WHERE sid = ? AND n = ?", (sid, n))

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
            claims = (take(sheet, sheet.stream(name), lease, now, sheet.head(name)) for name in names)
            return tuple(claim for claim in claims if claim is not None)

        claims: Sequence[Claim] = await self._store.write(Act(act))
        return claims

    async def begin(self, claim: Claim) -> None:
        name, n = claim.stream.name, claim.attempt.n

        def act(sheet: Sheet) -> None:
            desk.fence(sheet.stream(name), claim)
            place = (claim.attempt.tries, sheet.sid(name), n)
            sheet.run("UPDATE attempts SET tries = ? WHERE sid = ? AND n = ?", place)

        await self._store.write(Act(act, (name,)))

    async def renew(self, claims: Sequence[Claim], lease: Lease) -> Sequence[Claim]:
        names = tuple(claim.stream.name for claim in claims)

        def act(sheet: Sheet) -> Sequence[Claim]:
            return tuple(claim for claim in claims if _renew(sheet, claim, lease))

        kept: Sequence[Claim] = await self._store.write(Act(act, names))
        return kept

    async def answer(self, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry] = ()) -> None:
        await self._store.write(StoreAnswers(claim, answers, ledger))

    async def discard(self, claim: Claim, since: int) -> None:
        name = claim.stream.name

        def act(sheet: Sheet) -> None:
            desk.fence(sheet.stream(name), claim)
            place = (sheet.sid(name), claim.attempt.n, since)
            sheet.run("DELETE FROM answers WHERE sid = ? AND n = ? AND i >= ?", place)

        await self._store.write(Act(act, (name,)))

    async def release(
        self, claim: Claim, *, until: int = 0, children: Sequence[str] = (), error: str | None = None
    ) -> None:
        name = claim.stream.name

        def act(sheet: Sheet) -> None:
            stream = sheet.stream(name)
            desk.fence(stream, claim)
            ended = any(sheet.stream(child).outcome is not None for child in children)
            desk.park(stream, until=until, waiting=bool(children) and not ended)
            sheet.put_stream(stream)
            attempt = sheet.attempt(name, claim.attempt.n)
            sheet.put_attempt(replace(attempt, tries=attempt.tries if error else 0, error=error))

        await self._store.write(Act(act, (name, *children)))

    async def cancel(self, stream: str, n: int) -> Attempt:
        def act(sheet: Sheet) -> Attempt:
            attempt = sheet.attempt(stream, n)
            if attempt.status is not None:
                return attempt
            row = sheet.stream(stream)
            head = sheet.head(stream, besides=n)
            desk.withdraw(row, attempt, head)
            sheet.put_stream(row)
            cancelled = replace(attempt, status="cancelled", error="cancelled by the caller")
            sheet.put_attempt(cancelled)
            sheet.run("DELETE FROM answers WHERE sid = ? AND n = ?", (sheet.sid(stream), n))
            return cancelled

        cancelled: Attempt = await self._store.write(Act(act, (stream,)))
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

    async def next_at(self, after: int = -1) -> int | None:
        def look(connection: sqlite3.Connection) -> int | None:
            (found,) = connection.execute(
                "SELECT min(ready_at) FROM streams WHERE ready_at IS NOT NULL AND ready_at > ?", (after,)
            ).fetchone()
            return None if found is None else int(found)

        return await self._store.glance(look)


def _ready(connection: sqlite3.Connection, lease: Lease, now: int, limit: int) -> Sequence[tuple[str]]:
    return connection.execute(
        "SELECT name FROM streams WHERE ready_at IS NOT NULL AND ready_at <= ? AND busy_until <= ? "
        "ORDER BY ready_at LIMIT ?",
        (now, lease.wall, limit),
    ).fetchall()


def _renew(sheet: Sheet, claim: Claim, lease: Lease) -> bool:
    try:
        stream = sheet.stream(claim.stream.name)
        desk.fence(stream, claim)
    except (Forgotten, LeaseLost, Unknown):
        return False
    stream.busy_until = lease.until
    sheet.put_stream(stream)
    return True
