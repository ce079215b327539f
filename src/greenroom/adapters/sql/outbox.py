"""Letters."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from greenroom.adapters.sql import deciding, rows
from greenroom.adapters.sql.store import SqlPort, Transaction
from greenroom.journal.records import Lease, Recording
from greenroom.kernel.errors import LeaseLost, Refused, Unknown
from greenroom.kernel.letters import Letter, LetterStatus

_FROM = "letters l JOIN streams s ON s.sid = l.sid"
_CHOSEN = f"SELECT s.name, {rows.of('l', rows.LETTER)} FROM {_FROM}"
_DUE = (
    "l.status = 'due' AND l.due_at <= $1 AND l.busy_until <= $2 AND ($3::text[] IS NULL OR s.world = ANY($3::text[]))"
)
_ANY_DUE = f"SELECT 1 FROM {_FROM} WHERE {_DUE} LIMIT 1"
_LEASE = f"{_CHOSEN} WHERE {_DUE} ORDER BY l.due_at, s.name, l.key LIMIT $4 FOR UPDATE OF l SKIP LOCKED"
_TAKE = "UPDATE letters SET token = token + 1, tries = tries + 1, busy_until = $3 WHERE sid = $1 AND key = $2"
_SETTLE = """
UPDATE letters SET status = $4, error = $5, busy_until = $6, closed = $7
WHERE sid = $1 AND key = $2 AND token = $3 AND status = 'due'
"""
_MARK = "UPDATE letters SET status = $3, closed = $4, token = token + 1, busy_until = 0 WHERE sid = $1 AND key = $2"
_NEXT = f"""
SELECT l.due_at FROM {_FROM} WHERE l.status = 'due' AND l.due_at > $1
AND ($2::text[] IS NULL OR s.world = ANY($2::text[])) ORDER BY l.due_at LIMIT 1
"""


class SqlOutbox(SqlPort):
    async def lease(self, lease: Lease, *, now: int, limit: int) -> Sequence[Letter]:
        due = (now, lease.wall, None if lease.worlds is None else list(lease.worlds))
        if not await self._store.glance(lambda reader: reader.one(_ANY_DUE, *due)):
            return ()

        async def act(unit: Transaction) -> Sequence[Letter]:
            found = await unit.all(_LEASE, *due, limit)
            await unit.run_all(_TAKE, [(sid, key, lease.until) for _, sid, key, *_ in found])
            letters = [rows.to_letter(name, row) for name, *row in found]
            return [replace(letter, token=letter.token + 1, tries=letter.tries + 1) for letter in letters]

        return await self._store.act(act, quiet=True)

    async def settle(
        self,
        letter: Letter,
        status: LetterStatus,
        *,
        until: int = 0,
        error: str | None = None,
        news: Recording | None = None,
    ) -> None:
        async def act(unit: Transaction) -> None:
            stream = unit.stream(letter.stream)
            settled = await unit.run(
                _SETTLE,
                *(unit.sid(letter.stream), letter.key, letter.token),
                *(status, error, until, None if status == "due" else stream.version),
            )
            if not settled:
                raise LeaseLost(f"letter {letter.id} is no longer held by this worker; nothing was written")
            if news is not None and unit.prior(news) is None:
                deciding.record(unit, news, None)

        keys = {} if news is None else {news.stream: news.key}
        await self._store.act(act, (letter.stream, *keys), keys)

    async def list(self, *, stream: str | None = None, status: LetterStatus | None = None) -> Sequence[Letter]:
        found = await self._store.all(
            f"{_CHOSEN} WHERE ($1::text IS NULL OR s.name = $1) AND ($2::text IS NULL OR l.status = $2) "
            "ORDER BY l.due_at, s.name, l.key",
            *(stream, status),
        )
        return [rows.to_letter(name, row) for name, *row in found]

    async def mark(self, stream: str, key: str, status: LetterStatus) -> Letter:
        async def act(unit: Transaction) -> Letter:
            version, sid = unit.stream(stream).version, unit.sid(stream)
            row = await unit.one(f"SELECT {rows.LETTER} FROM letters WHERE sid = $1 AND key = $2 FOR UPDATE", sid, key)
            if row is None:
                raise Unknown(f"stream {stream} has no letter {key}")
            letter = rows.to_letter(stream, row)
            if letter.status not in ("due", "held"):
                raise Refused(f"letter {letter.id} is {letter.status}; only an unsent letter can be changed")
            closed = version if status == "cancelled" else None
            await unit.run(_MARK, sid, key, status, closed)
            return replace(letter, status=status, token=letter.token + 1, closed=closed)

        return await self._store.act(act, (stream,))

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        among = None if worlds is None else list(worlds)
        found: int | None = await self._store.glance(lambda reader: reader.value(_NEXT, after, among))
        return found
