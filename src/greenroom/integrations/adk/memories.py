"""What ADK agents remember, in a house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from greenroom.integrations.adk.searching import search
from greenroom.ports import AgentMemory
from greenroom.services.house import House

#: What one search gives at most: all of it stands in a prompt.
MOST_FOUND = 10
_NO_SESSION = ""


class HouseMemoryService(BaseMemoryService):  # type: ignore[misc]
    """ADK's memory service on the database of a house, ranked as the house recalls; user by user and app by app."""

    def __init__(self, house: House) -> None:
        self._memories = house.agents.memories

    async def add_session_to_memory(self, session: Session) -> None:
        """Remember every event of a session that says something; safe to repeat."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remember some events beside those that are remembered already."""
        found = [_memory(session_id or _NO_SESSION, event) for event in events if event.content and event.content.parts]
        await self._memories.put(app_name, user_id, found)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """What answers a question best, best first, ten memories at most."""
        found = search(await self._memories.all(app_name, user_id), query, MOST_FOUND)
        return SearchMemoryResponse(memories=[_entry(memory) for memory in found])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget one event; it does not come back when its session is added again."""
        if memory_id:
            await self._memories.remove(app_name, user_id, memory_id)


def _memory(session: str, event: Event) -> AgentMemory:
    said = " ".join(part.text for part in event.content.parts if part.text and not part.thought)
    return AgentMemory(
        session=session,
        event=event.id,
        author=event.author or "",
        at=float(event.timestamp),
        content=event.content.model_dump_json(exclude_none=True),
        words=said,
    )


def _entry(memory: AgentMemory) -> MemoryEntry:
    return MemoryEntry(
        id=memory.event,
        content=types.Content.model_validate_json(memory.content),
        author=memory.author or None,
        timestamp=datetime.fromtimestamp(memory.at).isoformat(),  # noqa: DTZ006  as ADK's own services tell it
    )
