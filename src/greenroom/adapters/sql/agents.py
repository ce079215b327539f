"""What agents keep: sessions, memories and files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.store import Reader, SqlPort, Transaction
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

_KEY = "app_name = $1 AND user_id = $2 AND id = $3"
_OF = "app_name = $1 AND user_id = $2 AND session_id = $3"
_SESSION = """
SELECT s.app_name, s.user_id, s.id, coalesce(a.state, '{}'), coalesce(u.state, '{}'), s.session_state, s.created_at,
    s.last_update_time, s.revision, s.game_id, s.player_id, s.is_active
FROM adk_sessions s LEFT JOIN adk_app_states a ON a.app_name = s.app_name
LEFT JOIN adk_user_states u ON u.app_name = s.app_name AND u.user_id = s.user_id
"""
_ONE = f"{_SESSION} WHERE s.app_name = $1 AND s.user_id = $2 AND s.id = $3"
_ORDER = 'ORDER BY s.last_update_time, s.user_id COLLATE "C", s.id COLLATE "C"'
_EVENTS = f"SELECT id, created_at, event_data FROM adk_events WHERE {_OF}"
_NEWEST = "ORDER BY created_at DESC, sequence_number DESC"
_CREATE = """
INSERT INTO adk_sessions (app_name, user_id, id, session_state, created_at, last_update_time, revision, is_active)
VALUES ($1, $2, $3, $4, $5, $5, 0, TRUE) ON CONFLICT DO NOTHING
"""
_APPEND = """
INSERT INTO adk_events (app_name, user_id, session_id, sequence_number, id, created_at, event_data)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
#: Where a state is that sessions share, and what names it.
_SHARED = {"adk_app_states": ("app_name",), "adk_user_states": ("app_name", "user_id")}


class SqlAgentSessions(SqlPort):
    async def create(self, key: SessionKey, delta: StateDelta, *, at: float) -> AgentSession:
        async def act(unit: Transaction) -> AgentSession:
            if not await unit.run(_CREATE, *key, json.dumps(dict(delta.session)), at):
                raise Conflict(f"there is a session {key.id} already")
            await _share(unit, key, delta)
            return await _found(unit, key)

        return await self._store.act(act, quiet=True)

    async def find(
        self, key: SessionKey, *, since: float | None = None, most: int | None = None
    ) -> AgentSession | None:
        async def look(reader: Reader) -> AgentSession | None:
            row = await reader.one(_ONE, *key)
            return None if row is None else _session(row, await _events(reader, key, since, most))

        return await self._store.moment(look)

    async def list(self, app: str, user: str | None = None) -> Sequence[AgentSession]:
        whose = "" if user is None else " AND s.user_id = $2"
        given = (app,) if user is None else (app, user)
        found = await self._store.all(f"{_SESSION} WHERE s.app_name = $1{whose} {_ORDER}", *given)
        return [_session(row) for row in found]

    async def append(
        self, key: SessionKey, event: AgentEvent, delta: StateDelta, *, seen: SeenSession
    ) -> AgentSession | None:
        async def act(unit: Transaction) -> AgentSession | None:
            # Held first: whoever appends next sees what is written here.
            await unit.one(f"SELECT 1 FROM adk_sessions WHERE {_KEY} FOR UPDATE", *key)
            before = await _found(unit, key)
            if (event.body,) in await unit.all(
                f"SELECT event_data FROM adk_events WHERE {_OF} AND id = $4", *key, event.id
            ):
                return None
            last = await unit.value(f"SELECT id FROM adk_events WHERE {_OF} {_NEWEST} LIMIT 1", *key)
            if is_stale(before, seen, last):
                raise Conflict(f"session {key.id} was appended to by somebody else meanwhile")
            await _share(unit, key, delta)
            await unit.run(_APPEND, *key, before.revision + 1, event.id, event.at, event.body)
            changed = f"UPDATE adk_sessions SET session_state = $4, last_update_time = $5, revision = $6 WHERE {_KEY}"
            state = json.dumps({**before.state, **delta.session})
            await unit.run(changed, *key, state, event.at, before.revision + 1)
            return await _found(unit, key)

        return await self._store.act(act, quiet=True)

    async def remove(self, key: SessionKey) -> bool:
        async def act(unit: Transaction) -> bool:
            await unit.one(f"SELECT 1 FROM adk_sessions WHERE {_KEY} FOR UPDATE", *key)
            await unit.run(f"DELETE FROM adk_events WHERE {_OF}", *key)
            return await unit.run(f"DELETE FROM adk_sessions WHERE {_KEY}", *key) > 0

        return await self._store.act(act, quiet=True)

    async def user_state(self, app: str, user: str) -> Mapping[str, Any]:
        shared = "SELECT state FROM adk_user_states WHERE app_name = $1 AND user_id = $2"
        return _parsed(await self._store.value(shared, app, user) or "{}")

    async def hold(self, key: SessionKey, stream: str | None, seat: str | None, *, active: bool) -> None:
        hold = f"UPDATE adk_sessions SET game_id = $4, player_id = $5, is_active = $6 WHERE {_KEY}"
        await self._store.act(lambda unit: unit.run(hold, *key, stream, seat, active), quiet=True)


async def _found(reader: Reader, key: SessionKey) -> AgentSession:
    row = await reader.one(_ONE, *key)
    if row is None:
        raise Unknown(f"there is no session {key.id}")
    return _session(row)


async def _events(reader: Reader, key: SessionKey, since: float | None, most: int | None) -> tuple[AgentEvent, ...]:
    values: list[Any] = list(key)
    statement = _EVENTS
    if since is not None:
        values.append(since)
        statement += f" AND created_at >= ${len(values)}"
    statement = f"{statement} {_NEWEST}"
    if most is not None:
        values.append(most)
        statement += f" LIMIT ${len(values)}"
    found = await reader.all(statement, *values)
    return tuple(AgentEvent(id=id, at=at, body=body) for id, at, body in reversed(found))


async def _share(unit: Transaction, key: SessionKey, delta: StateDelta) -> None:
    """Set what the delta says of app and user, always in this order: nobody waits for one who waits for them."""
    for (table, columns), values in zip(_SHARED.items(), (delta.app, delta.user), strict=True):
        if not values:
            continue
        names = key[: len(columns)]
        where = " AND ".join(f"{column} = ${n}" for n, column in enumerate(columns, 1))
        places = ", ".join(f"${n}" for n in range(1, len(columns) + 1))
        blank = f"INSERT INTO {table} ({', '.join(columns)}, state) VALUES ({places}, '{{}}') ON CONFLICT DO NOTHING"
        await unit.run(blank, *names)
        state = _parsed(await unit.value(f"SELECT state FROM {table} WHERE {where} FOR UPDATE", *names))
        changed = f"UPDATE {table} SET state = ${len(columns) + 1} WHERE {where}"
        await unit.run(changed, *names, json.dumps({**state, **values}))


def _parsed(text: str) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(text)
    return state


def _session(row: Row, events: tuple[AgentEvent, ...] = ()) -> AgentSession:
    app, user, id, app_state, user_state, state, created_at, updated_at, revision, stream, seat, active = row
    return AgentSession(
        key=SessionKey(app, user, id), app_state=_parsed(app_state), user_state=_parsed(user_state),
        state=_parsed(state), created_at=created_at, updated_at=updated_at, revision=revision, stream=stream, seat=seat,
        active=bool(active), events=events,
    )  # fmt: skip


_KEEP = """
INSERT INTO adk_memories (app_name, user_id, session_id, event_id, author, created_at, content, words)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (app_name, user_id, session_id, event_id) DO UPDATE
SET author = excluded.author, created_at = excluded.created_at, content = excluded.content, words = excluded.words
WHERE adk_memories.content IS NOT NULL
"""
_KEPT = """
SELECT session_id, event_id, author, created_at, content, words FROM adk_memories
WHERE app_name = $1 AND user_id = $2 AND content IS NOT NULL ORDER BY created_at, session_id, event_id
"""
_STRIKE = """
UPDATE adk_memories SET author = '', created_at = 0, content = NULL, words = ''
WHERE app_name = $1 AND user_id = $2 AND event_id = $3
"""
#: An event that was removed from one session is removed from all of them.
_STRUCK = "SELECT event_id FROM adk_memories WHERE app_name = $1 AND user_id = $2 AND content IS NULL"

_FILE = "app_name = $1 AND user_id = $2 AND session_id = $3 AND filename = $4"
_META = "version, created_at, mime_type, custom_metadata, part"
_SAVE = f"""
INSERT INTO adk_artifacts (app_name, user_id, session_id, filename, {_META}, data)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
"""


class SqlAgentMemories(SqlPort):
    async def put(self, app: str, user: str, memories: Sequence[AgentMemory]) -> None:
        async def act(unit: Transaction) -> None:
            struck = {event for (event,) in await unit.all(_STRUCK, app, user)}
            kept = [m for m in memories if m.event not in struck]
            lines = [(app, user, m.session, m.event, m.author, m.at, m.content, m.words) for m in kept]
            await unit.run_all(_KEEP, lines)

        await self._store.act(act, quiet=True)

    async def all(self, app: str, user: str) -> Sequence[AgentMemory]:
        return [
            AgentMemory(session=session, event=event, author=author, at=at, content=content, words=words)
            for session, event, author, at, content, words in await self._store.all(_KEPT, app, user)
        ]

    async def remove(self, app: str, user: str, event: str) -> None:
        await self._store.act(lambda unit: unit.run(_STRIKE, app, user, event), quiet=True)


class SqlAgentFiles(SqlPort):
    async def save(self, key: FileKey, file: AgentFile) -> int:
        async def act(unit: Transaction) -> int | None:
            last = await unit.value(f"SELECT max(version) FROM adk_artifacts WHERE {_FILE}", *key)
            version = 0 if last is None else int(last) + 1
            meta = json.dumps(dict(file.meta))
            written = await unit.run(_SAVE, *key, version, file.at, file.mime, meta, file.part, file.data)
            return version if written else None

        for _ in range(100):  # on a server somebody else may take the number
            version = await self._store.act(act, quiet=True)
            if version is not None:
                return version
        raise Conflict(f"too many save {key.name} at once; nothing was kept, try again")

    async def load(self, key: FileKey, version: int | None = None) -> AgentFile | None:
        which = "AND ($5::bigint IS NULL OR version = $5) ORDER BY version DESC LIMIT 1"
        found = await self._store.all(f"SELECT {_META}, data FROM adk_artifacts WHERE {_FILE} {which}", *key, version)
        return _file(found[0]) if found else None

    async def names(self, app: str, user: str, session: str) -> Sequence[str]:
        named = "SELECT DISTINCT filename FROM adk_artifacts WHERE app_name = $1 AND user_id = $2 AND session_id = $3"
        return sorted(name for (name,) in await self._store.all(named, app, user, session))

    async def versions(self, key: FileKey) -> Sequence[AgentFile]:
        found = await self._store.all(f"SELECT {_META} FROM adk_artifacts WHERE {_FILE} ORDER BY version", *key)
        return [_file(row) for row in found]

    async def remove(self, key: FileKey) -> None:
        await self._store.act(lambda unit: unit.run(f"DELETE FROM adk_artifacts WHERE {_FILE}", *key), quiet=True)


def _file(row: Row) -> AgentFile:
    version, at, mime, meta, part, *data = row
    return AgentFile(
        version=version, at=at, mime=mime, meta=json.loads(meta), part=part, data=data[0] if data else None
    )
