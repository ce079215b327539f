"""Letters in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from msgspec.structs import replace

from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.among import of_worlds
from greenroom.adapters.sqlite.attempts import Record
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.journal.records import Lease, Recording
from greenroom.kernel.errors import LeaseLost, Refused, Unknown
from greenroom.kernel.letters import Letter, LetterStatus

_COLUMNS = ", ".join(f"l.{name.strip()}" for name in rows.LETTER.split(","))
_FROM = "letters l JOIN streams s ON s.sid = l.sid"
_DUE = "l.status = 'due' AND l.due_at <= ? AND l.busy_until <= ?"


class SqliteOutbox:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def lease(self, lease: Lease, *, now: int, limit: int) -> Sequence[Letter]:
        among, named = of_worlds("s.world", lease.worlds)
        due = (now, lease.wall, *named)
        if not await self._store.glance(
            lambda c: c.execute(f"SELECT 1 FROM {_FROM} WHERE {_DUE}{among} LIMIT 1", due).fetchone()
        ):
            return ()

        def act(sheet: Sheet) -> Sequence[Letter]:
            found = sheet.connection.execute(
                f"SELECT s.name, {_COLUMNS} FROM {_FROM} WHERE {_DUE}{among} ORDER BY l.due_at, s.name, l.key LIMIT ?",
                (*due, limit),
            ).fetchall()
            for _, sid, key, *_ in found:
                sheet.run(
                    "UPDATE letters SET token = token + 1, tries = tries + 1, busy_until = ? WHERE sid = ? AND key = ?",
                    (lease.until, sid, key),
                )
            letters = [rows.to_letter(name, row) for name, *row in found]
            return [replace(letter, token=letter.token + 1, tries=letter.tries + 1) for letter in letters]

        leased: Sequence[Letter] = await self._store.write(Writing(act))
        return leased

    async def settle(
        self,
        letter: Letter,
        status: LetterStatus,
        *,
        until: int = 0,
        error: str | None = None,
        news: Recording | None = None,
    ) -> None:
        def act(sheet: Sheet) -> None:
            stream = sheet.stream(letter.stream)
            place = (sheet.sid(letter.stream), letter.key)
            held = sheet.connection.execute(
                "SELECT 1 FROM letters WHERE sid = ? AND key = ? AND token = ? AND status = 'due'",
                (*place, letter.token),
            ).fetchone()
            if held is None:
                raise LeaseLost(f"letter {letter.id} is no longer held by this worker; nothing was written")
            sheet.run(
                "UPDATE letters SET status = ?, error = ?, busy_until = ?, closed = ? WHERE sid = ? AND key = ?",
                (status, error, until, None if status == "due" else stream.version, *place),
            )
            if news is not None and sheet.prior(news) is None:
                Record(news, None).decide(sheet)

        keys = ((news.stream, news.key),) if news is not None else ()
        await self._store.write(Writing(act, (letter.stream,), keys))

    async def list(self, *, stream: str | None = None, status: LetterStatus | None = None) -> Sequence[Letter]:
        def look(connection: sqlite3.Connection) -> Sequence[Letter]:
            found = connection.execute(
                f"SELECT s.name, {_COLUMNS} FROM {_FROM} WHERE (? IS NULL OR s.name = ?) "
                "AND (? IS NULL OR l.status = ?) ORDER BY l.due_at, s.name, l.key",
                (stream, stream, status, status),
            )
            return [rows.to_letter(name, row) for name, *row in found]

        return await self._store.read(look)

    async def mark(self, stream: str, key: str, status: LetterStatus) -> Letter:
        def act(sheet: Sheet) -> Letter:
            version = sheet.stream(stream).version
            row = sheet.connection.execute(
                f"SELECT {rows.LETTER} FROM letters WHERE sid = ? AND key = ?", (sheet.sid(stream), key)
            ).fetchone()
            if row is None:
                raise Unknown(f"stream {stream} has no letter {key}")
            letter = rows.to_letter(stream, row)
            if letter.status not in ("due", "held"):
                raise Refused(f"letter {letter.id} is {letter.status}; only an unsent letter can be changed")
            closed = version if status == "cancelled" else None
            sheet.run(
                "UPDATE letters SET status = ?, closed = ?, token = token + 1, busy_until = 0 "
                "WHERE sid = ? AND key = ?",
                (status, closed, sheet.sid(stream), key),
            )
            return replace(letter, status=status, token=letter.token + 1, closed=closed)

        marked: Letter = await self._store.write(Writing(act, (stream,)))
        return marked

    async def next_at(self, after: int = -1, worlds: Sequence[str] | None = None) -> int | None:
        among, named = of_worlds("s.world", worlds)

        def look(connection: sqlite3.Connection) -> int | None:
            found = connection.execute(
                f"SELECT l.due_at FROM {_FROM} WHERE l.status = 'due' AND l.due_at > ?{among} "
                "ORDER BY l.due_at LIMIT 1",
                (after, *named),
            ).fetchone()
            return None if found is None else int(found[0])

        return await self._store.glance(look)
