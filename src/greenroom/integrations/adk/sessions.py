"""Sessions of ADK agents in a house."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

from google.adk.errors import StaleSessionError
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.platform import time as platform_time
from google.adk.platform import uuid as platform_uuid
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session
from google.adk.sessions.state import State
from pydantic_core import to_jsonable_python

from greenroom.kernel.errors import Conflict, Unknown
from greenroom.ports import AgentEvent, AgentSession, SeenSession, SessionKey, StateDelta
from greenroom.services.house import House

_STALE = "The session was modified in storage since it was loaded; reload it before you append to it."


class HouseSessionService(BaseSessionService):  # type: ignore[misc]
    """ADK's session service on the database of a house.

    It behaves as ADK's own services do. Where these differ from one another it keeps what each of them promises: ids
    are stripped of blanks, an event that is delivered twice is stored once, a session that somebody else appended to is
    refused, and events of one moment stay in the order in which they were appended.
    """

    def __init__(self, house: House) -> None:
        self._sessions = house.agents.sessions
        # Branches of one invocation share a session object: the second to append must know what the first did to it.
        self._locks: WeakValueDictionary[SessionKey, asyncio.Lock] = WeakValueDictionary()

    async def create_session(
        self, *, app_name: str, user_id: str, state: dict[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        """Make a session; raises AlreadyExistsError for an id that is taken."""
        id = (session_id or "").strip() or platform_uuid.new_uuid()
        delta = _delta(state or {})
        try:
            made = await self._sessions.create(
                SessionKey(app_name, user_id, id), delta, at=float(platform_time.get_time())
            )
        except Conflict:
            raise AlreadyExistsError(f"Session with id {id} already exists.") from None
        return _session(made)

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """A session with its events, or those that the config asks for; None if there is none."""
        since = config.after_timestamp if config else None
        most = config.num_recent_events if config else None
        found = await self._sessions.find(_key(app_name, user_id, session_id), since=since, most=most)
        return None if found is None else _session(found)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """The sessions of a user, or of all of them, without events; the last is the one used last."""
        found = await self._sessions.list(app_name, user_id)
        return ListSessionsResponse(sessions=[_session(one) for one in found])

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Remove a session with its events; what app and user share stays."""
        await self._sessions.remove(_key(app_name, user_id, session_id))

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        """What the sessions of a user share, under names without their prefix."""
        return dict(await self._sessions.user_state(app_name, user_id))

    async def append_event(self, session: Session, event: Event) -> Event:
        """Store an event and what it says of the state, in one transaction, and put it on the session object.

        Raises SessionNotFoundError for a session that is not stored, StaleSessionError for one that somebody else
        appended to; nothing is written then.
        """
        if event.partial:
            return event
        key = SessionKey(session.app_name, session.user_id, session.id)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            return await self._append(key, session, event)

    async def _append(self, key: SessionKey, session: Session, event: Event) -> Event:
        self._apply_temp_state(session, event)
        event = self._trim_temp_delta_state(event)
        body = event.model_dump_json(exclude_none=True)
        stored = AgentEvent(id=event.id, at=float(event.timestamp), body=body)
        delta = _delta(event.actions.state_delta if event.actions else {})
        try:
            after = await self._sessions.append(key, stored, delta, seen=_seen(session))
        except Unknown:
            raise SessionNotFoundError(f"Session {session.id} not found.") from None
        except Conflict:
            raise StaleSessionError(_STALE) from None
        if after is None:
            return event
        session.last_update_time = after.updated_at
        session._storage_update_marker = after.marker  # ADK's own place for it
        return self._commit_event_to_session(session, event)


def _key(app: str, user: str, id: str) -> SessionKey:
    return SessionKey(app, user, (id or "").strip())


def _seen(session: Session) -> SeenSession:
    marker: str | None = None
    with suppress(AttributeError):  # ADK before 2.0 had none
        marker = session._storage_update_marker
    last = session.events[-1].id if session.events else None
    return SeenSession(marker=marker, updated_at=session.last_update_time, last=last)


def _delta(state: Mapping[str, Any]) -> StateDelta:
    """A state by its scopes, as plain JSON data; what is none is kept by its representation."""
    plain: dict[str, Any] = to_jsonable_python(dict(state), serialize_unknown=True)
    app, user, session = {}, {}, {}
    for name, value in plain.items():
        if name.startswith(State.APP_PREFIX):
            app[name.removeprefix(State.APP_PREFIX)] = value
        elif name.startswith(State.USER_PREFIX):
            user[name.removeprefix(State.USER_PREFIX)] = value
        elif not name.startswith(State.TEMP_PREFIX):
            session[name] = value
    return StateDelta(app=app, user=user, session=session)


def _session(found: AgentSession) -> Session:
    """A stored session as ADK's own object, the states of all scopes put together."""
    shared = {State.APP_PREFIX + name: value for name, value in found.app_state.items()}
    shared |= {State.USER_PREFIX + name: value for name, value in found.user_state.items()}
    session = Session(
        app_name=found.key.app,
        user_id=found.key.user,
        id=found.key.id,
        state={**found.state, **shared},
        events=[Event.model_validate_json(event.body) for event in found.events],
        last_update_time=found.updated_at,
    )
    session._storage_update_marker = found.marker  # ADK's own place for it
    return session
