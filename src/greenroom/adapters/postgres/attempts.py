"""Attempts in PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from msgspec.structs import replace

from greenroom.adapters.postgres.lookup import HEAD_COLUMNS, HEADS, of, take_head
from greenroom.adapters.postgres.page import Page, Sight
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.postgres.text import findable
from greenroom.adapters.postgres.writer import Job
from greenroom.adapters.sql import deciding, rows
from greenroom.journal import transitions
from greenroom.journal.records import Attempt, Claim, Entry, Lease, Receipt, Recording
from greenroom.kernel.errors import Unknown
from greenroom.kernel.script import Answer

_STREAMS = rows.STREAM.count(",") + 1

#: Take the lease of what is ready, the longest ready first; whoever else claims passes over these rows at once.
_CLAIM = f"""
WITH ready AS (
    SELECT sid FROM streams WHERE ready_at IS NOT NULL AND ready_at <= $1 AND busy_until <= $2
    AND ($6::text[] IS NULL OR world = ANY ($6))
    ORDER BY ready_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
), s AS (
    UPDATE streams t SET token = t.token + 1, holder = $4, busy_until = $5 FROM ready WHERE t.sid = ready.sid
    RETURNING {of("t", rows.STREAM)}
)
SELECT {of("s", rows.STREAM)}, pg_current_xact_id()::xid, {HEAD_COLUMNS} FROM s {HEADS} ORDER BY s.ready_at, s.name
"""
_RENEW = f"""
WITH mine AS (
    SELECT s.sid FROM streams s JOIN unnest($1::text[], $2::bigint[]) v (name, token) ON v.name = s.name
    WHERE s.token = v.token AND s.holder IS NOT NULL ORDER BY s.sid FOR NO KEY UPDATE OF s
)
UPDATE streams s SET busy_until = $3 FROM mine WHERE s.sid = mine.sid
RETURNING {of("s", rows.STREAM)}, pg_current_xact_id()::xid
"""


class Single:
    """A job on one stream that nothing can be written in the place of."""

    __slots__ = ()
    keys: Mapping[str, str] = {}

    def instead(self, clash: str, constraint: str | None) -> Job | None:
        return None


@dataclass(frozen=True, slots=True)
class Record:
    recording: Recording
    lease: Lease | None = None

    @property
    def streams(self) -> Sequence[str]:
        return (self.recording.stream,)

    @property
    def keys(self) -> Mapping[str, str]:
        return {self.recording.stream: self.recording.key}

    def instead(self, clash: str, constraint: str | None) -> Job | None:
        return None

    def decide(self, page: Page) -> Receipt:
        return deciding.record(page, self.recording, self.lease)


@dataclass(frozen=True, slots=True)
class StoreAnswers(Single):
    claim: Claim
    answers: Sequence[Answer]
    ledger: Sequence[Entry]

    @property
    def streams(self) -> Sequence[str]:
        return (self.claim.stream.name,)

    def decide(self, page: Page) -> None:
        deciding.answer(page, self.claim, self.answers, self.ledger)


@dataclass(frozen=True, slots=True)
class Begin(Single):
    claim: Claim

    @property
    def streams(self) -> Sequence[str]:
        return (self.claim.stream.name,)

    def decide(self, page: Page) -> None:
        deciding.begin(page, self.claim)


@dataclass(frozen=True, slots=True)
class Discard(Single):
    claim: Claim
    since: int

    @property
    def streams(self) -> Sequence[str]:
        return (self.claim.stream.name,)

    def decide(self, page: Page) -> None:
        deciding.discard(page, self.claim, self.since)


@dataclass(frozen=True, slots=True)
class Release(Single):
    claim: Claim
    until: int
    children: Sequence[str]
    error: str | None

    @property
    def streams(self) -> Sequence[str]:
        return (self.claim.stream.name, *self.children)

    def decide(self, page: Page) -> None:
        deciding.release(page, self.claim, self.until, self.children, self.error)


@dataclass(frozen=True, slots=True)
class Claimed(Single):
    """What a lease that was just taken is good for: the wake or the attempt whose turn it is."""

    name: str
    sight: Sight
    now: int

    @property
    def streams(self) -> Sequence[str]:
        return (self.name,)

    def decide(self, page: Page) -> Claim | None:
        stream, taken = page.stream(self.name), self.sight.stream
        assert taken is not None
        if stream.token != taken.token or stream.holder != taken.holder:
            return None  # it was cancelled, or taken back, in between
        kind = transitions.work(stream, self.now)
        if kind is None:
            transitions.let_go(stream)
            page.put_stream(stream)
            return None
        attempt, stored = (transitions.book_wake(stream), ()) if kind == "wake" else self._head(page)
        attempt = replace(attempt, tries=attempt.tries + 1)
        page.put_stream(stream)
        if not transitions.suspect(attempt):
            page.put_attempt(attempt)
        return Claim(stream=copy(stream), attempt=attempt, token=stream.token, answers=stored)

    def _head(self, page: Page) -> tuple[Attempt, tuple[Answer, ...]]:
        """As it was when the lease was taken, or, if the row has changed since, as it was looked up."""
        if page.stamp(self.name) == self.sight.stamp:
            attempt: Attempt | None = self.sight.heads[0]
            answers = self.sight.answers
        else:
            attempt = page.head(self.name)
            answers = {} if attempt is None else {attempt.n: page.answers(attempt)}
        assert attempt is not None
        return attempt, answers.get(attempt.n, ())


class PostgresAttempts:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def record(self, recording: Recording, lease: Lease | None = None) -> Receipt:
        receipt: Receipt = await self._store.write(Record(recording, lease))
        return receipt

    async def claim(self, lease: Lease, *, now: int, limit: int) -> Sequence[Claim]:
        if limit <= 0:
            return ()
        found = await self._store.links.fetch(_CLAIM, now, lease.wall, limit, lease.worker, lease.until, lease.worlds)
        sights: dict[str, Sight] = {}
        for row in found:
            name = row[1]
            if name not in sights:
                stream = rows.to_stream(row[:_STREAMS])
                sights[name] = Sight(row[0], row[_STREAMS], stream, fresh=True, heads=[], answers={})
            take_head(sights[name], name, row[_STREAMS + 1 :])
        self._store.writer.know(sights)
        jobs = [Claimed(name, sight, now) for name, sight in sights.items()]
        claims = await asyncio.gather(*(self._store.write(job) for job in jobs))
        return tuple(claim for claim in claims if claim is not None)

    async def begin(self, claim: Claim) -> None:
        await self._store.write(Begin(claim))

    async def renew(self, claims: Sequence[Claim], lease: Lease) -> Sequence[Claim]:
        if not claims:
            return ()
        names, tokens = [c.stream.name for c in claims], [c.token for c in claims]
        found = await self._store.links.fetch(_RENEW, names, tokens, lease.until)
        kept = {row[1]: Sight(row[0], row[_STREAMS], rows.to_stream(row[:_STREAMS])) for row in found}
        self._store.writer.know(kept)
        return tuple(claim for claim in claims if claim.stream.name in kept)

    async def answer(self, claim: Claim, answers: Sequence[Answer], ledger: Sequence[Entry] = ()) -> None:
        await self._store.write(StoreAnswers(claim, answers, ledger))

    async def discard(self, claim: Claim, since: int) -> None:
        await self._store.write(Discard(claim, since))

    async def release(
        self, claim: Claim, *, until: int = 0, children: Sequence[str] = (), error: str | None = None
    ) -> None:
        await self._store.write(Release(claim, until, children, error))

    async def leave(self, worker: str) -> int:
        found = await self._store.links.fetch(
            "UPDATE streams SET holder = NULL, busy_until = 0, token = token + 1 "
            "WHERE ready_at IS NOT NULL AND holder = $1 RETURNING sid",
            worker,
        )
        return len(found)

    async def cancel(self, stream: str, n: int) -> Attempt:
        async with self._store.act((stream,)) as act:
            page = act.page
            row = page.stream(stream)
            found = await act.link.row(
                f"SELECT {rows.ATTEMPT} FROM attempts WHERE sid = $1 AND n = $2", page.sid(stream), n
            )
            attempt = _found(stream, n, found)
            if attempt.status is not None:
                return attempt
            transitions.withdraw(row, attempt, page.head(stream, besides=n))
            page.put_stream(row)
            cancelled = replace(attempt, status="cancelled", error="cancelled by the caller")
            page.put_attempt(cancelled)
            page.put("unanswered", (page.sid(stream), n, 0))
        return cancelled

    async def find(self, stream: str, n: int) -> Attempt:
        row = await self._store.links.row(
            f"SELECT {of('a', rows.ATTEMPT)} FROM attempts a JOIN streams s ON s.sid = a.sid "
            "WHERE s.name = $1 AND a.n = $2",
            *(findable(stream), n),
        )
        if row is None:
            await self._store.stream(stream)
        return _found(stream, n, row)

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        found: int | None = await self._store.links.value(
            "SELECT ready_at FROM streams WHERE ready_at IS NOT NULL AND ready_at > $1 "
            "AND ($2::text[] IS NULL OR world = ANY ($2)) ORDER BY ready_at LIMIT 1",
            *(after, worlds),
        )
        return found


def _found(stream: str, n: int, row: rows.Row | None) -> Attempt:
    if row is None:
        raise Unknown(f"stream {stream} has no attempt {n}")
    return rows.to_attempt(stream, row)
