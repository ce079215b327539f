"""Tickets in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.kernel.errors import Conflict
from greenroom.ports import Ticket, TicketKind

_COLUMNS = "t.digest, t.kind, t.owner, t.seat, t.world, s.name, t.label, t.made_at, t.ends_at"
_FROM = f"SELECT {_COLUMNS} FROM tickets t LEFT JOIN streams s ON s.sid = t.sid"
_INSERT = "INSERT INTO tickets (digest, kind, owner, seat, world, sid, label, made_at, ends_at)"


class SqliteTickets:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def issue(self, ticket: Ticket) -> None:
        def act(sheet: Sheet) -> None:
            sid = None
            if ticket.stream is not None:
                sheet.stream(ticket.stream)
                sid = sheet.sid(ticket.stream)
            if sheet.connection.execute("SELECT 1 FROM tickets WHERE digest = ?", (ticket.digest,)).fetchone():
                raise Conflict("there is such a ticket already")
            t = ticket
            sheet.run("DELETE FROM tickets WHERE ends_at <= ?", (t.made_at,))
            values = (t.digest, t.kind, t.owner, t.seat, t.world, sid, t.label, t.made_at, t.ends_at)
            sheet.run(f"{_INSERT} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

        await self._store.write(Writing(act))

    async def find(self, digest: bytes) -> Ticket | None:
        row = await self._store.glance(
            lambda connection: connection.execute(f"{_FROM} WHERE t.digest = ?", (digest,)).fetchone()
        )
        return None if row is None else _ticket(row)

    async def list(self, *, kind: TicketKind | None = None, owner: str | None = None) -> Sequence[Ticket]:
        wanted = {"kind": kind, "owner": owner}
        chosen = {column: value for column, value in wanted.items() if value is not None}
        where = " AND ".join(f"t.{column} = ?" for column in chosen) or "TRUE"

        def look(connection: sqlite3.Connection) -> Sequence[Ticket]:
            found = connection.execute(f"{_FROM} WHERE {where} ORDER BY t.made_at, t.digest", tuple(chosen.values()))
            return [_ticket(row) for row in found]

        return await self._store.read(look)

    async def revoke(self, digest: bytes) -> bool:
        def act(sheet: Sheet) -> bool:
            there = sheet.connection.execute("SELECT 1 FROM tickets WHERE digest = ?", (digest,)).fetchone()
            sheet.run("DELETE FROM tickets WHERE digest = ?", (digest,))
            return there is not None

        revoked: bool = await self._store.write(Writing(act))
        return revoked


def _ticket(row: Sequence[Any]) -> Ticket:
    digest, kind, owner, seat, world, stream, label, made_at, ends_at = row
    return Ticket(
        digest=digest,
        kind=kind,
        owner=owner,
        seat=seat,
        world=world,
        stream=stream,
        label=label,
        made_at=made_at,
        ends_at=ends_at,
    )
