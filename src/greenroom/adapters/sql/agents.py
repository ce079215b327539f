"""Memories and files of agents."""

from __future__ import annotations

import json
from collections.abc import Sequence

from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.store import SqlStore, Transaction
from greenroom.kernel.errors import Conflict
from greenroom.ports.agents import AgentFile, AgentMemory, FileKey

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


class SqlAgentMemories:
    def __init__(self, store: SqlStore) -> None:
        self._store = store

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


class SqlAgentFiles:
    def __init__(self, store: SqlStore) -> None:
        self._store = store

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
        wanted = f"SELECT {_META}, data FROM adk_artifacts WHERE {_FILE}"
        if version is None:
            found = await self._store.all(f"{wanted} ORDER BY version DESC LIMIT 1", *key)
        else:
            found = await self._store.all(f"{wanted} AND version = $5", *key, version)
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
