"""The port of tickets: who may come in, and to which streams. Only digests are stored, never the text of a ticket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

from greenroom.kernel.worlds import Seat

TicketKind: TypeAlias = Literal["operator", "player"]


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """What a ticket opens."""

    #: Keyed digest of the text that its holder shows.
    digest: bytes
    kind: TicketKind
    #: The person who holds it, and with whom it is forgotten; None for an operator's.
    owner: str | None = None
    #: Where its holder sits in the streams it opens.
    seat: Seat | None = None
    #: Opens the owner's streams of this world only; None for any world.
    world: str | None = None
    #: Opens this stream, whoever owns it, and no other; None for every stream of the owner.
    stream: str | None = None
    #: What it was issued for, for whoever looks through the list.
    label: str = ""
    #: Both on the machine's clock; None never ends.
    made_at: int
    ends_at: int | None = None


class Tickets(Protocol):
    """Tickets by digest and by owner. Forgetting a person removes theirs, and removing a stream those that open it."""

    async def issue(self, ticket: Ticket) -> None:
        """Store a ticket; those that ended before it was made go.

        Raises:
            Unknown: no such stream.
            Forgotten: there was such a stream.
            Conflict: there is a ticket of that digest already.
        """

    async def find(self, digest: bytes) -> Ticket | None:
        """The ticket of a digest, whether it has ended or not."""

    async def list(self, *, kind: TicketKind | None = None, owner: str | None = None) -> Sequence[Ticket]:
        """Tickets, the oldest first."""

    async def revoke(self, digest: bytes) -> bool:
        """Remove a ticket; whether there was one."""
