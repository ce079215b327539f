"""Sessions, memories and files of agents, in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from greenroom.adapters.inmem.shelf import Shelf
from greenroom.kernel.errors import Conflict, Unknown
from greenroom.ports.agents import (
    AgentEvent,
    AgentFile,
    AgentMemory,
    AgentSession,
    FileKey,
    SeenSession,
    SessionKey,
    StateDelta,
    is_stale,
)

#: What rows of agents are called where removed things are counted.
COUNTED = {
    "adk_sessions": "sessions",
    "adk_events": "session_events",
    "adk_user_states": "session_states",
    "adk_memories": "session_memories",
    "adk_artifacts": "artifacts",
}


def _copied(state: Mapping[str, Any]) -> dict[str, Any]:
    """As if it had been written and read."""
    copied: dict[str, Any] = json.loads(json.dumps(dict(state)))
    return copied


def _placed(event: AgentEvent) -> float:
    return event.at


class InmemAgentSessions:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def create(self, key: SessionKey, delta: StateDelta, *, at: float) -> AgentSession:
        if key in self._shelf.sessions:
            raise Conflict(f"there is a session {key.id} already")
        self._share(key, delta)
        self._shelf.sessions[key] = AgentSession(
            key=key, app_state={}, user_state={}, state=_copied(delta.session), created_at=at, updated_at=at, revision=0
        )
        return self._seen(self._shelf.sessions[key])

    def _share(self, key: SessionKey, delta: StateDelta) -> None:
        for name, values in ((key[:1], delta.app), (key[:2], delta.user)):
            if values:
                self._shelf.shared_states.setdefault(name, {}).update(_copied(values))

    def _seen(self, session: AgentSession, events: Sequence[AgentEvent] = ()) -> AgentSession:
        shared = self._shelf.shared_states
        return replace(
            session,
            app_state=_copied(shared.get(session.key[:1], {})),
            user_state=_copied(shared.get(session.key[:2], {})),
            state=_copied(session.state),
            events=tuple(events),
        )

    async def find(
        self, key: SessionKey, *, since: float | None = None, most: int | None = None
    ) -> AgentSession | None:
        session = self._shelf.sessions.get(key)
        if session is None:
            return None
        events = [event for event in sorted(session.events, key=_placed) if since is None or event.at >= since]
        return self._seen(session, events if most is None else events[len(events) - min(most, len(events)) :])

    async def list(self, app: str, user: str | None = None) -> Sequence[AgentSession]:
        found = [s for key, s in self._shelf.sessions.items() if key.app == app and user in (None, key.user)]
        return [self._seen(s) for s in sorted(found, key=lambda s: (s.updated_at, s.key.user, s.key.id))]

    async def append(
        self, key: SessionKey, event: AgentEvent, delta: StateDelta, *, seen: SeenSession
    ) -> AgentSession | None:
        session = self._shelf.sessions.get(key)
        if session is None:
            raise Unknown(f"there is no session {key.id}")
        if any(one.id == event.id and one.body == event.body for one in session.events):
            return None
        known = sorted(session.events, key=_placed)
        if is_stale(session, seen, known[-1].id if known else None):
            raise Conflict(f"session {key.id} was appended to by somebody else meanwhile")
        self._share(key, delta)
        self._shelf.sessions[key] = session = replace(
            session,
            state={**session.state, **_copied(delta.session)},
            updated_at=event.at,
            revision=session.revision + 1,
            events=(*session.events, event),
        )
        return self._seen(session)

    async def remove(self, key: SessionKey) -> bool:
        return self._shelf.sessions.pop(key, None) is not None

    async def user_state(self, app: str, user: str) -> Mapping[str, Any]:
        return _copied(self._shelf.shared_states.get((app, user), {}))

    async def hold(self, key: SessionKey, stream: str | None, seat: str | None, *, active: bool) -> None:
        if key in self._shelf.sessions:
            self._shelf.sessions[key] = replace(self._shelf.sessions[key], stream=stream, seat=seat, active=active)


class InmemAgentMemories:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def put(self, app: str, user: str, memories: Sequence[AgentMemory]) -> None:
        kept = self._shelf.agent_memories
        struck = {event for a, u, _, event in kept if (a, u) == (app, user) and kept[a, u, _, event] is None}
        kept.update({(app, user, m.session, m.event): m for m in memories if m.event not in struck})

    async def all(self, app: str, user: str) -> Sequence[AgentMemory]:
        found = [m for (a, u, _, _), m in self._shelf.agent_memories.items() if (a, u) == (app, user) and m is not None]
        return sorted(found, key=lambda m: (m.at, m.session, m.event))

    async def remove(self, app: str, user: str, event: str) -> None:
        for place in [*self._shelf.agent_memories]:
            if (place[0], place[1], place[3]) == (app, user, event):
                self._shelf.agent_memories[place] = None


class InmemAgentFiles:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def save(self, key: FileKey, file: AgentFile) -> int:
        versions = self._shelf.agent_files.setdefault(key, [])
        versions.append(replace(file, version=len(versions), meta=_copied(file.meta)))
        return len(versions) - 1

    async def load(self, key: FileKey, version: int | None = None) -> AgentFile | None:
        versions = self._shelf.agent_files.get(key, [])
        wanted = len(versions) - 1 if version is None else version
        return versions[wanted] if 0 <= wanted < len(versions) else None

    async def names(self, app: str, user: str, session: str) -> Sequence[str]:
        return sorted(key.name for key in self._shelf.agent_files if key[:3] == (app, user, session))

    async def versions(self, key: FileKey) -> Sequence[AgentFile]:
        return [replace(file, data=None) for file in self._shelf.agent_files.get(key, [])]

    async def remove(self, key: FileKey) -> None:
        self._shelf.agent_files.pop(key, None)


# a person


def agent_rows(shelf: Shelf, owner: str) -> list[tuple[str, dict[str, Any]]]:
    """What agents keep of a person, as rows of the tables that other back-ends have."""
    sessions = [session for key, session in shelf.sessions.items() if key.user == owner]
    found = [("adk_sessions", _session_row(session)) for session in sessions]
    found += [("adk_events", row) for session in sessions for row in _event_rows(session)]
    for name, state in shelf.shared_states.items():
        if len(name) == 2 and name[1] == owner:
            row = {"app_name": name[0], "user_id": owner, "state": json.dumps(state)}
            found.append(("adk_user_states", row))
    for (app, user, session_id, event), m in shelf.agent_memories.items():
        if user == owner:
            row = {"app_name": app, "user_id": owner, "session_id": session_id, "event_id": event}
            found.append(("adk_memories", row | _memory_row(m)))
    for key, versions in shelf.agent_files.items():
        if key.user == owner:
            found += [("adk_artifacts", _file_row(key, file)) for file in versions]
    return found


def _session_row(s: AgentSession) -> dict[str, Any]:
    return {
        "app_name": s.key.app, "user_id": s.key.user, "id": s.key.id, "session_state": json.dumps(dict(s.state)),
        "created_at": s.created_at, "last_update_time": s.updated_at, "revision": s.revision, "game_id": s.stream,
        "player_id": s.seat, "is_active": s.active,
    }  # fmt: skip


def _event_rows(s: AgentSession) -> list[dict[str, Any]]:
    return [
        {
            "app_name": s.key.app, "user_id": s.key.user, "session_id": s.key.id, "sequence_number": n, "id": event.id,
            "created_at": event.at, "event_data": event.body,
        }
        for n, event in enumerate(s.events, 1)
    ]  # fmt: skip


def _memory_row(m: AgentMemory | None) -> dict[str, Any]:
    if m is None:
        return {"author": "", "created_at": 0.0, "content": None, "words": ""}
    return {"author": m.author, "created_at": m.at, "content": m.content, "words": m.words}


def _file_row(key: FileKey, file: AgentFile) -> dict[str, Any]:
    return {
        "app_name": key.app, "user_id": key.user, "session_id": key.session, "filename": key.name,
        "version": file.version, "created_at": file.at, "mime_type": file.mime,
        "custom_metadata": json.dumps(dict(file.meta)), "part": file.part, "data": file.data,
    }  # fmt: skip


def drop_user(shelf: Shelf, owner: str) -> None:
    """Remove what agents keep of a person."""
    shelf.sessions = {key: session for key, session in shelf.sessions.items() if key.user != owner}
    shelf.shared_states = {k: v for k, v in shelf.shared_states.items() if len(k) == 1 or k[1] != owner}
    shelf.agent_memories = {k: v for k, v in shelf.agent_memories.items() if k[1] != owner}
    shelf.agent_files = {k: v for k, v in shelf.agent_files.items() if k.user != owner}
