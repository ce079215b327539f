"""Tickets in memory."""

from __future__ import annotations

from collections.abc import Sequence

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.kernel.errors import Conflict
from greenroom.ports import Ticket, TicketKind


class InmemTickets:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def issue(self, ticket: Ticket) -> None:
        shelf = self._shelf
        if ticket.stream is not None:
            shelf.stream(ticket.stream)
        if ticket.digest in shelf.tickets:
            raise Conflict("there is such a ticket already")
        shelf.tickets = {d: t for d, t in shelf.tickets.items() if t.ends_at is None or t.ends_at > ticket.made_at}
        shelf.tickets[ticket.digest] = ticket

    async def find(self, digest: bytes) -> Ticket | None:
        return self._shelf.tickets.get(digest)

    async def list(self, *, kind: TicketKind | None = None, owner: str | None = None) -> Sequence[Ticket]:
        found = [t for t in self._shelf.tickets.values() if kind in (None, t.kind) and owner in (None, t.owner)]
        return sorted(found, key=lambda ticket: (ticket.made_at, ticket.digest))

    async def revoke(self, digest: bytes) -> bool:
        return self._shelf.tickets.pop(digest, None) is not None
