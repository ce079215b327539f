"""Tickets."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.store import SqlPort, Transaction
from greenroom.kernel.errors import Conflict
from greenroom.ports import Ticket, TicketKind

_COLUMNS = "t.digest, t.kind, t.owner, t.seat, t.world, s.name, t.label, t.made_at, t.ends_at"
_FROM = f"SELECT {_COLUMNS} FROM tickets t LEFT JOIN streams s ON s.sid = t.sid"
_INSERT = "INSERT INTO tickets (digest, kind, owner, seat, world, sid, label, made_at, ends_at)"


class SqlTickets(SqlPort):
    async def issue(self, ticket: Ticket) -> None:
        t = ticket

        async def act(unit: Transaction) -> None:
            sid = None
            if t.stream is not None:
                unit.stream(t.stream)
                sid = unit.sid(t.stream)
            await unit.run("DELETE FROM tickets WHERE ends_at <= $1 AND digest <> $2", t.made_at, t.digest)
            made = await unit.run(
                f"{_INSERT} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
                *(t.digest, t.kind, t.owner, t.seat, t.world, sid, t.label, t.made_at, t.ends_at),
            )
            if not made:
                raise Conflict("there is such a ticket already")

        await self._store.act(act, () if t.stream is None else (t.stream,))

    async def find(self, digest: bytes) -> Ticket | None:
        row = await self._store.glance(lambda reader: reader.one(f"{_FROM} WHERE t.digest = $1", digest))
        return None if row is None else _ticket(row)

    async def list(self, *, kind: TicketKind | None = None, owner: str | None = None) -> Sequence[Ticket]:
        wanted = {"kind": kind, "owner": owner}
        chosen = {column: value for column, value in wanted.items() if value is not None}
        where = " AND ".join(f"t.{column} = ${n}" for n, column in enumerate(chosen, start=1)) or "TRUE"
        found = await self._store.all(f"{_FROM} WHERE {where} ORDER BY t.made_at, t.digest", *chosen.values())
        return [_ticket(row) for row in found]

    async def revoke(self, digest: bytes) -> bool:
        revoke = "DELETE FROM tickets WHERE digest = $1"
        return bool(await self._store.act(lambda unit: unit.run(revoke, digest), quiet=True))


def _ticket(row: Row) -> Ticket:
    digest, kind, owner, seat, world, stream, label, made_at, ends_at = row
    return Ticket(
        digest=digest, kind=kind, owner=owner, seat=seat, world=world, stream=stream, label=label, made_at=made_at,
        ends_at=ends_at,
    )  # fmt: skip
