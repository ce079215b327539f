"""Tickets: issued as an unguessable text, kept as a digest, shown again to come in."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b

from greenroom.journal.records import Stream
from greenroom.kernel.errors import Malformed
from greenroom.kernel.worlds import HOUSE, OPERATOR, Seat
from greenroom.ports import Backend, Ticket, TicketKind
from greenroom.services.requests import check_name

#: Every ticket begins with this, so that a person, or a program that looks for lost secrets, knows what it is.
PREFIX = "greenroom-"
#: Nobody holds a longer text than this.
MOST_TEXT = 200
_MICRO = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A ticket with its text, which is told this once and never again."""

    text: str
    ticket: Ticket


def ticket_digest(secret: bytes, text: str) -> bytes:
    """What is stored of a ticket. One fast round is enough: the text has 256 random bits."""
    return blake2b(b"ticket\x00" + text.encode(errors="surrogatepass"), key=secret[:64], digest_size=32).digest()


@dataclass(frozen=True, slots=True)
class Access:
    """The tickets of a house."""

    backend: Backend

    async def issue_player(
        self,
        *,
        owner: str,
        seat: Seat,
        world: str | None = None,
        stream: str | None = None,
        label: str = "",
        lasts: timedelta | None = None,
    ) -> Issued:
        """A ticket for a player or guest: to one stream, or to every stream the owner has (in one world).

        Raises:
            Malformed: the owner or seat is not usable, or the seat is one that no person sits in.
            Unknown: no such stream.
        """
        check_name(owner, "owner")
        check_name(seat, "seat")
        if seat in (HOUSE, OPERATOR):
            raise Malformed(f"no player sits in the seat {seat!r}; name a seat of the world")
        return await self._issue("player", owner=owner, seat=seat, world=world, stream=stream, label=label, lasts=lasts)

    async def issue_operator(self, *, label: str = "") -> Issued:
        """A ticket to everything in the house."""
        return await self._issue("operator", label=label)

    async def first_operator(self) -> Issued | None:
        """The operator's ticket of a house that has none yet; None when it has one."""
        if await self.backend.tickets.list(kind="operator"):
            return None
        return await self.issue_operator(label="made at the first start")

    async def _issue(
        self,
        kind: TicketKind,
        *,
        owner: str | None = None,
        seat: Seat | None = None,
        world: str | None = None,
        stream: str | None = None,
        label: str = "",
        lasts: timedelta | None = None,
    ) -> Issued:
        text, now = PREFIX + secrets.token_urlsafe(32), wall()
        ticket = Ticket(
            digest=ticket_digest(self.backend.secret, text),
            kind=kind,
            owner=owner,
            seat=seat,
            world=world,
            stream=stream,
            label=label,
            made_at=now,
            ends_at=None if lasts is None else now + lasts // _MICRO,
        )
        await self.backend.tickets.issue(ticket)
        return Issued(text=text, ticket=ticket)

    async def shown(self, text: str) -> Ticket | None:
        """The ticket behind a text, if it is one of this house and has not ended."""
        if not text.startswith(PREFIX) or len(text) > MOST_TEXT:
            return None
        return await self.find(ticket_digest(self.backend.secret, text))

    async def find(self, digest: bytes) -> Ticket | None:
        """The ticket with this digest, if it is still one and has not ended."""
        ticket = await self.backend.tickets.find(digest)
        return ticket if ticket is not None and (ticket.ends_at is None or ticket.ends_at > wall()) else None

    async def tickets(self, *, owner: str | None = None) -> Sequence[Ticket]:
        """Who may come in."""
        return await self.backend.tickets.list(owner=owner)

    async def revoke(self, digest: bytes) -> bool:
        """Take a ticket back; whether there was one."""
        return await self.backend.tickets.revoke(digest)


def admits(ticket: Ticket, stream: Stream) -> bool:
    """Whether a ticket opens a stream."""
    if ticket.kind == "operator":
        return True
    if ticket.stream is not None:
        return ticket.stream == stream.name
    return ticket.owner == stream.owner and ticket.world in (None, stream.world)


def wall() -> int:
    """The machine's clock: tickets end in real time, whatever the house clock says."""
    return time.time_ns() // 1000
