"""What the services need from the outside. The docstrings are the contract; each port has a conformance suite."""

from greenroom.kernel.ports.access import Ticket, TicketKind, Tickets
from greenroom.kernel.ports.backend import Backend, Bell
from greenroom.kernel.ports.following import Behind, Cursor, Cursors, Followed, Follower, Hold, Texts
from greenroom.kernel.ports.journal import Attempts, History, Streams
from greenroom.kernel.ports.outside import (
    Asked,
    Cast,
    Channel,
    Clock,
    Embedder,
    MemoryBank,
    Models,
    MovableClock,
    Noticing,
    Outgoing,
    Recast,
    Speaking,
    Tools,
)
from greenroom.kernel.ports.overview import DaySpent, Overview
from greenroom.kernel.ports.post import Post
from greenroom.kernel.ports.spending import Spending, Spent
from greenroom.kernel.ports.upkeep import Tables, Upkeep

__all__ = [
    "Asked",
    "Attempts",
    "Backend",
    "Behind",
    "Bell",
    "Cast",
    "Channel",
    "Clock",
    "Cursor",
    "Cursors",
    "DaySpent",
    "Embedder",
    "Followed",
    "Follower",
    "History",
    "Hold",
    "MemoryBank",
    "Models",
    "MovableClock",
    "Noticing",
    "Outgoing",
    "Overview",
    "Post",
    "Recast",
    "Speaking",
    "Spending",
    "Spent",
    "Streams",
    "Tables",
    "Texts",
    "Ticket",
    "TicketKind",
    "Tickets",
    "Tools",
    "Upkeep",
]
