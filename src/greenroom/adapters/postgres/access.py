"""Tickets in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.postgres.store import Store
from greenroom.kernel.errors import Conflict
from greenroom.ports import Ticket, TicketKind

_COLUMNS = "t.digest, t.kind, t.owner, t.seat, t.world, s.name, t.label, t.made_at, t.ends_at"
_FROM = f"SELECT {_COLUMNS} FROM tickets t LEFT JOIN streams s ON s.sid = t.sid"
_INSERT = "INSERT INTO tickets (digest, kind, owner, seat, world, sid, label, made_at, ends_at)"


class PostgresTickets:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def issue(self, ticket: Ticket) -> None:
        t, names = ticket, () if ticket.stream is None else (ticket.stream,)
        async with self._store.act(names) as act:
            sid = None
            if ticket.stream is not None:
                act.page.stream(ticket.stream)
                sid = act.page.sid(ticket.stream)
            ended = "DELETE FROM tickets WHERE ends_at <= $1 AND digest <> $2"
            await act.link.run(ended, t.made_at, t.digest)
            made = await act.link.value(
                f"{_INSERT} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING 1",
                *(t.digest, t.kind, t.owner, t.seat, t.world, sid, t.label, t.made_at, t.ends_at),
            )
            if made is None:
                raise Conflict("there is such a ticket already")

    async def find(self, digest: bytes) -> Ticket | None:
        row = await self._store.links.row(f"{_FROM} WHERE t.digest = $1", digest)
        return None if row is None else _ticket(row)

    async def list(self, *, kind: TicketKind | None = None, owner: str | None = None) -> Sequence[Ticket]:
        found = await self._store.links.fetch(
            f"{_FROM} WHERE ($1::text IS NULL OR t.kind = $1) AND ($2::text IS NULL OR t.owner = $2) "
            "ORDER BY t.made_at, t.digest",
            *(kind, owner),
        )
        return [_ticket(row) for row in found]

    async def revoke(self, digest: bytes) -> bool:
        return bool(await self._store.links.fetch("DELETE FROM tickets WHERE digest = $1 RETURNING 1", digest))


def _ticket(row: Sequence[object]) -> Ticket:
    names = ("digest", "kind", "owner", "seat", "world", "stream", "label", "made_at", "ends_at")
    return Ticket(**dict(zip(names, row, strict=True)))  # type: ignore[arg-type]
