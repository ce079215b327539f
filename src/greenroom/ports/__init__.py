"""What the services need from the outside. The docstrings are the contract; each port has a conformance suite."""

from greenroom.ports.access import Ticket, TicketKind, Tickets
from greenroom.ports.agents import (
    AgentEvent,
    AgentFile,
    AgentFiles,
    AgentMemories,
    AgentMemory,
    Agents,
    AgentSession,
    AgentSessions,
    FileKey,
    SeenSession,
    SessionKey,
    StateDelta,
)
from greenroom.ports.backend import Backend, Notifier
from greenroom.ports.following import Behind, Cursor, Cursors, Followed, Follower, Hold, Texts
from greenroom.ports.journal import Attempts, History, Streams
from greenroom.ports.outbox import Outbox
from greenroom.ports.outside import (
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
from greenroom.ports.overview import DaySpent, Overview
from greenroom.ports.spending import Spending, Spent
from greenroom.ports.upkeep import Tables, Upkeep

__all__ = [
    "AgentEvent",
    "AgentFile",
    "AgentFiles",
    "AgentMemories",
    "AgentMemory",
    "AgentSession",
    "AgentSessions",
    "Agents",
    "Asked",
    "Attempts",
    "Backend",
    "Behind",
    "Cast",
    "Channel",
    "Clock",
    "Cursor",
    "Cursors",
    "DaySpent",
    "Embedder",
    "FileKey",
    "Followed",
    "Follower",
    "History",
    "Hold",
    "MemoryBank",
    "Models",
    "MovableClock",
    "Noticing",
    "Notifier",
    "Outbox",
    "Outgoing",
    "Overview",
    "Recast",
    "SeenSession",
    "SessionKey",
    "Speaking",
    "Spending",
    "Spent",
    "StateDelta",
    "Streams",
    "Tables",
    "Texts",
    "Ticket",
    "TicketKind",
    "Tickets",
    "Tools",
    "Upkeep",
]
