"""Agents of Google's ADK in a house: their sessions, memories and artifacts, and a seat for them at any table.

Needs the extra ``adk``.
"""

from greenroom.integrations.adk.artifacts import HouseArtifactService
from greenroom.integrations.adk.memories import HouseMemoryService
from greenroom.integrations.adk.seats import AgentSeat
from greenroom.integrations.adk.sessions import HouseSessionService

__all__ = ["AgentSeat", "HouseArtifactService", "HouseMemoryService", "HouseSessionService"]
