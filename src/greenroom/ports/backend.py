"""A whole back-end: one implementation of every stored port, on one database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from greenroom.ports.access import Tickets
from greenroom.ports.agents import Agents
from greenroom.ports.following import Cursors
from greenroom.ports.journal import Attempts, History, Streams
from greenroom.ports.outbox import Outbox
from greenroom.ports.outside import MemoryBank
from greenroom.ports.overview import Overview
from greenroom.ports.spending import Spending
from greenroom.ports.upkeep import Tables, Upkeep


class Notifier(Protocol):
    """Tells that something was written, by this process or another."""

    async def wait(self, seconds: float, since: int) -> int:
        """Wait until anything was written after the ring counted ``since``, at most so many seconds.

        Returns the count to give next time; begin with -1, which returns at once.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """The stored ports of one house."""

    #: Path or address, for messages to people.
    name: str
    #: Keys the digests of requests; made with the house and never shown.
    secret: bytes
    attempts: Attempts
    history: History
    streams: Streams
    outbox: Outbox
    bank: MemoryBank
    spending: Spending
    tables: Tables
    upkeep: Upkeep
    tickets: Tickets
    overview: Overview
    cursors: Cursors
    agents: Agents
    notifier: Notifier
    close: Callable[[], Awaitable[None]]
