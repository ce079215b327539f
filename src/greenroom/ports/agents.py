"""Ports for agents of other frameworks: the sessions, memories and files that they keep in a house.

They stand beside the journal, not in it: an app's state spans sessions, a session may be deleted and made again, and
its times are the caller's. Values of a state are plain JSON data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import msgspec


class SessionKey(NamedTuple):
    """What names a session; the same id may stand for others in another app or with another user."""

    app: str
    user: str
    id: str


class AgentEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a session."""

    id: str
    #: Seconds since 1970, as whoever appended it says.
    at: float
    #: The event itself, as JSON.
    body: str


class AgentSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it is stored."""

    key: SessionKey
    #: What it shares with all sessions of its app, with those of its user in the app, and with none.
    app_state: Mapping[str, Any]
    user_state: Mapping[str, Any]
    state: Mapping[str, Any]
    created_at: float
    #: When the event was made that was appended last.
    updated_at: float
    #: How many events were ever appended.
    revision: int
    #: The seat that its agent holds, or held.
    stream: str | None = None
    seat: str | None = None
    active: bool = True
    #: Oldest first, appended first among those of one moment; empty in a list of sessions.
    events: tuple[AgentEvent, ...] = ()

    @property
    def marker(self) -> str:
        """Changes whenever an event is appended, and is no earlier session's of the same key."""
        return f"{self.created_at.hex()}/{self.revision}"


class StateDelta(msgspec.Struct, frozen=True, kw_only=True):
    """Values to be set; each replaces what stands under its name, whole."""

    app: Mapping[str, Any] = {}
    user: Mapping[str, Any] = {}
    session: Mapping[str, Any] = {}


class SeenSession(msgspec.Struct, frozen=True, kw_only=True):
    """What an appender knows of the session it appends to."""

    #: That of the stored session; None if it was never told.
    marker: str | None
    updated_at: float
    #: The id of the last event it knows.
    last: str | None


def is_stale(stored: AgentSession, seen: SeenSession, last: str | None) -> bool:
    """Whether somebody else appended meanwhile, ``last`` being the id of the last stored event.

    Without a marker the times decide, and where these differ the last event: a time may have been rounded on its way.
    """
    if seen.marker is not None:
        return seen.marker != stored.marker
    return stored.updated_at > seen.updated_at and last != seen.last


class AgentSessions(Protocol):
    """Sessions with state in three scopes, and events in order."""

    async def create(self, key: SessionKey, delta: StateDelta, *, at: float) -> AgentSession:
        """Make a session; what the delta says of app and user counts for their other sessions too.

        Raises:
            Conflict: there is one with this key; nothing was written.
        """

    async def find(
        self, key: SessionKey, *, since: float | None = None, most: int | None = None
    ) -> AgentSession | None:
        """A session with its events: those made at ``since`` or later, of these at most the last so many."""

    async def list(self, app: str, user: str | None = None) -> Sequence[AgentSession]:
        """The sessions of an app, or of one user of it, without events: the longest untouched first."""

    async def append(
        self, key: SessionKey, event: AgentEvent, delta: StateDelta, *, seen: SeenSession
    ) -> AgentSession | None:
        """Append an event and set what it says of the three states, in one transaction.

        Returns the session after it, without events; None if the very same event stands there already, in which case
        nothing is written.

        Raises:
            Unknown: there is no such session.
            Conflict: the session is another than the appender knows; nothing was written.
        """

    async def remove(self, key: SessionKey) -> bool:
        """Remove a session with its events; whether there was one. The state of app and user stays."""

    async def user_state(self, app: str, user: str) -> Mapping[str, Any]:
        """What the sessions of a user in an app share."""

    async def hold(self, key: SessionKey, stream: str | None, seat: str | None, *, active: bool) -> None:
        """Note which seat of which stream the session's agent holds."""


class AgentMemory(msgspec.Struct, frozen=True, kw_only=True):
    """One event that agents may search."""

    session: str
    event: str
    author: str
    at: float
    #: What it says, as JSON, and in plain words.
    content: str
    words: str


class AgentMemories(Protocol):
    """What the agents of an app may find again, user by user."""

    async def put(self, app: str, user: str, memories: Sequence[AgentMemory]) -> None:
        """Keep memories, in place of older ones of the same session and event; a removed one does not come back."""

    async def all(self, app: str, user: str) -> Sequence[AgentMemory]:
        """Every memory of a user in an app, oldest first."""

    async def remove(self, app: str, user: str, event: str) -> None:
        """Remove the memories of an event, for good."""


class FileKey(NamedTuple):
    """What names a file; one that a user has in every session has no session."""

    app: str
    user: str
    session: str
    name: str


class AgentFile(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a file."""

    #: The first has 0.
    version: int = 0
    at: float
    mime: str | None = None
    meta: Mapping[str, Any] = {}
    #: The part of a message that it is, as JSON, and its bytes, if it has any, apart.
    part: str
    data: bytes | None = None


class AgentFiles(Protocol):
    """Files in versions."""

    async def save(self, key: FileKey, file: AgentFile) -> int:
        """Keep a new version, whatever number it came with; returns the number it has."""

    async def load(self, key: FileKey, version: int | None = None) -> AgentFile | None:
        """A version, or the newest one."""

    async def names(self, app: str, user: str, session: str) -> Sequence[str]:
        """The files of a session, by name."""

    async def versions(self, key: FileKey) -> Sequence[AgentFile]:
        """Every version in order, without the bytes."""

    async def remove(self, key: FileKey) -> None:
        """Remove a file with all its versions; the next one is a first version again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agents:
    """What agents of other frameworks keep in one house. A user is a person: who is forgotten is forgotten here too."""

    sessions: AgentSessions
    memories: AgentMemories
    files: AgentFiles
