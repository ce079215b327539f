"""Letters in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from greenroom.adapters.postgres.attempts import Record
from greenroom.adapters.postgres.lookup import of
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.sql import rows
from greenroom.journal.records import Lease, Recording
from greenroom.kernel.errors import LeaseLost, Refused, Unknown
from greenroom.kernel.letters import Letter, LetterStatus

_COLUMNS = of("l", rows.LETTER)
_FROM = "letters l JOIN streams s ON s.sid = l.sid"
_LEASE = f"""
WITH due AS (
    SELECT l.sid, l.key, s.name FROM {_FROM} WHERE l.status = 'due' AND l.due_at <= $1 AND l.busy_until <= $2
    AND ($5::text[] IS NULL OR s.world = ANY ($5))
    ORDER BY l.due_at, s.name, l.key LIMIT $3 FOR UPDATE OF l SKIP LOCKED
), taken AS (
    UPDATE letters l SET token = l.token + 1, tries = l.tries + 1, busy_until = $4 FROM due
    WHERE l.sid = due.sid AND l.key = due.key RETURNING due.name, {_COLUMNS}
)
SELECT * FROM taken ORDER BY due_at, name, key
"""


class PostgresOutbox:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def lease(self, lease: Lease, *, now: int, limit: int) -> Sequence[Letter]:
        found = await self._store.links.fetch(_LEASE, now, lease.wall, limit, lease.until, lease.worlds)
        return [rows.to_letter(row[0], row[1:]) for row in found]

    async def settle(
        self,
        letter: Letter,
        status: LetterStatus,
        *,
        until: int = 0,
        error: str | None = None,
        news: Recording | None = None,
    ) -> None:
        keys = {news.stream: news.key} if news is not None else {}
        async with self._store.act((letter.stream, *keys), keys) as act:
            page = act.page
            stream = page.stream(letter.stream)
            settled = await act.link.value(
                "UPDATE letters SET status = $4, error = $5, busy_until = $6, closed = $7 "
                "WHERE sid = $1 AND key = $2 AND token = $3 AND status = 'due' RETURNING 1",
                *(page.sid(letter.stream), letter.key, letter.token),
                *(status, error, until, None if status == "due" else stream.version),
            )
            if settled is None:
                raise LeaseLost(f"letter {letter.id} is no longer held by this worker; nothing was written")
            if news is not None and page.prior(news) is None:
                Record(news).decide(page)

    async def list(self, *, stream: str | None = None, status: LetterStatus | None = None) -> Sequence[Letter]:
        found = await self._store.links.fetch(
            f"SELECT s.name, {_COLUMNS} FROM {_FROM} WHERE ($1::text IS NULL OR s.name = $1) "
            "AND ($2::text IS NULL OR l.status = $2) ORDER BY l.due_at, s.name, l.key",
            stream,
            status,
        )
        return [rows.to_letter(row[0], row[1:]) for row in found]

    async def mark(self, stream: str, key: str, status: LetterStatus) -> Letter:
        async with self._store.act((stream,)) as act:
            version, sid = act.page.stream(stream).version, act.page.sid(stream)
            row = await act.link.row(
                f"SELECT {rows.LETTER} FROM letters WHERE sid = $1 AND key = $2 FOR UPDATE", sid, key
            )
            if row is None:
                raise Unknown(f"stream {stream} has no letter {key}")
            letter = rows.to_letter(stream, row)
            if letter.status not in ("due", "held"):
                raise Refused(f"letter {letter.id} is {letter.status}; only an unsent letter can be changed")
            closed = version if status == "cancelled" else None
            await act.link.run(
                "UPDATE letters SET status = $3, closed = $4, token = token + 1, busy_until = 0 "
                "WHERE sid = $1 AND key = $2",
                *(sid, key, status, closed),
            )
        return replace(letter, status=status, token=letter.token + 1, closed=closed)

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        found: int | None = await self._store.links.value(
            f"SELECT l.due_at FROM {_FROM} WHERE l.status = 'due' AND l.due_at > $1 "
            "AND ($2::text[] IS NULL OR s.world = ANY ($2)) ORDER BY l.due_at LIMIT 1",
            *(after, worlds),
        )
        return found
