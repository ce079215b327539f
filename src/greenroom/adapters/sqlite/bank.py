"""The memory bank in SQLite."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from array import array
from collections.abc import Mapping, Sequence

from greenroom.adapters.sqlite import rows
from greenroom.adapters.sqlite.recall import Library, of_scope
from greenroom.adapters.sqlite.sheet import Sheet
from greenroom.adapters.sqlite.store import Store, Writing
from greenroom.journal.records import Stored
from greenroom.kernel.asks import Fact, Facts, Latest, Recall, Recalled
from greenroom.kernel.codec import parse
from greenroom.kernel.errors import BackendError
from greenroom.kernel.times import micros, moment
from greenroom.kernel.words import Scope
from greenroom.ports import Embedder
from greenroom.recall import surplus

log = logging.getLogger("greenroom")

#: Memories whose vectors are made and stored at once.
EMBEDDED = 64

_COLUMNS = ", ".join(f"m.{name.strip()}" for name in rows.MEMORY.split(","))
_FROM = "memories m JOIN streams s ON s.sid = m.sid"
_SCOPE = "m.version IS NOT NULL AND m.owner = ? AND m.world = ? AND (? IS NULL OR m.agent = ?)"


_LACKING = (
    "m.version IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.mid = m.mid AND v.model = ?) "
    "AND m.kind <> 'raw' AND NOT (m.kind = 'fact' AND coalesce(m.meta, '') LIKE '%\"relation\"%')"
)
#: A vector is stored only while its memory is there: it may have been forgotten, and its number given to another.
_KEEP = (
    "INSERT INTO vectors (mid, model, vector) SELECT mid, ?, ? FROM memories WHERE mid = ? AND id = ? "
    "ON CONFLICT (mid) DO UPDATE SET model = excluded.model, vector = excluded.vector"
)
_PRUNABLE = """
SELECT m.mid, m.at, m.meta, EXISTS (
    SELECT 1 FROM memories n WHERE n.supersedes = m.id AND n.owner = m.owner AND n.world = m.world
    AND n.agent = m.agent AND n.version IS NOT NULL
) FROM memories m JOIN streams s ON s.sid = m.sid
WHERE {scope} AND m.version IS NOT NULL AND s.parent IS NULL AND m.kind IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM streams b WHERE b.parent = s.name AND b.forked_at >= m.version)
AND NOT EXISTS (
    SELECT 1 FROM letters l WHERE l.sid = m.sid AND l.words = m.id AND l.status IN ('due', 'held')
)
"""

_LATEST = f"""
SELECT m.id, m.text, m.kind, m.at FROM {_FROM} WHERE m.version IS NOT NULL AND m.owner = ? AND m.world = ?
AND (?3 IS NULL OR m.agent = ?3) AND m.speaker = ? AND m.at >= ? AND m.at <= ? AND m.kind NOT IN ('raw', 'fact')
AND (s.name = ? OR (s.parent IS NULL AND NOT s.mute)) ORDER BY m.at DESC, m.mid DESC LIMIT ?
"""


class SqliteBank:
    """Words and recall.

    With an embedder, recall counts vectors where there are any. Those that lack are made behind its back, newest
    first; a ``patient`` bank makes them before it searches, so that a result never depends on how far that got.
    """

    def __init__(self, store: Store, embedder: Embedder | None = None, *, patient: bool = False) -> None:
        self._store = store
        self._embedder = embedder
        self._patient = patient
        self._library = Library(store, embedder)
        self._embedding: dict[Scope, asyncio.Task[None]] = {}
        self._asked: dict[str, Sequence[float]] = {}

    async def close(self) -> None:
        """Stop making vectors; what is not made yet will be when it is next wanted."""
        tasks = tuple(self._embedding.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        if not ids:
            return {}

        def look(connection: sqlite3.Connection) -> Mapping[str, str]:
            found: dict[str, str] = {}
            for start in range(0, len(ids), 500):
                part = ids[start : start + 500]
                marks = ", ".join("?" * len(part))
                found.update(connection.execute(f"SELECT id, text FROM memories WHERE id IN ({marks})", part))
            return found

        return await self._store.glance(look)

    async def owners(self, ids: Sequence[str]) -> Mapping[str, str]:
        among = json.dumps(list(ids))
        statement = "SELECT id, owner FROM memories WHERE id IN (SELECT value FROM json_each(?))"
        return await self._store.glance(lambda connection: dict(connection.execute(statement, (among,))))

    async def of_stream(self, stream: str) -> Sequence[Stored]:
        def look(connection: sqlite3.Connection) -> Sequence[Stored]:
            sid, _ = self._store.stream(connection, stream)
            found = connection.execute(f"SELECT {rows.MEMORY} FROM memories WHERE sid = ?", (sid,))
            return [rows.to_stored(stream, row) for row in found]

        return await self._store.read(look)

    async def count(self, scope: Scope) -> int:
        def look(connection: sqlite3.Connection) -> int:
            (count,) = connection.execute(f"SELECT count(*) FROM memories m WHERE {_SCOPE}", _within(scope)).fetchone()
            return int(count)

        return await self._store.read(look)

    async def all(self, scope: Scope) -> Sequence[Stored]:
        def look(connection: sqlite3.Connection) -> Sequence[Stored]:
            found = connection.execute(
                f"SELECT s.name, {_COLUMNS} FROM {_FROM} WHERE {_SCOPE} ORDER BY m.at, m.id",
                _within(scope),
            )
            return [rows.to_stored(name, row) for name, *row in found]

        return await self._store.read(look)

    # recall

    async def search(self, ask: Recall, *, stream: str, version: int, at: int) -> Sequence[Recalled]:
        vector = None if self._embedder is None else await self._vector(self._embedder, ask)
        read = self._store.glance if self._library.is_small(ask.scope) else self._store.read
        return await read(
            lambda connection: self._library.search(
                connection, ask, stream=stream, version=version, at=at, vector=vector
            )
        )

    async def latest(self, ask: Latest, *, stream: str, at: int) -> Sequence[Recalled]:
        scope = ask.scope
        values = (scope.owner, scope.world, scope.agent, ask.speaker, micros(ask.since), at, stream, ask.limit)

        def look(connection: sqlite3.Connection) -> Sequence[Recalled]:
            self._store.stream(connection, stream)
            return [
                Recalled(id=id, text=text, speaker=ask.speaker, kind=kind, score=0.0, at=moment(said_at))
                for id, text, kind, said_at in connection.execute(_LATEST, values)
            ]

        return await self._store.read(look)

    async def facts(self, ask: Facts, *, stream: str, version: int, at: int) -> Sequence[Fact]:
        read = self._store.glance if self._library.is_small(ask.scope) else self._store.read
        return await read(
            lambda connection: self._library.facts(connection, ask, stream=stream, version=version, at=at)
        )

    async def lacking(self, scope: Scope) -> int | None:
        if self._embedder is None:
            return None
        model = self._embedder.name
        where, values = of_scope(scope)
        statement = f"SELECT count(*) FROM memories m WHERE {where} AND {_LACKING}"
        (count,) = await self._store.read(lambda c: c.execute(statement, (*values, model)).fetchone())
        return int(count)

    async def prune(self, scope: Scope, cap: int, *, kinds: Sequence[str]) -> int:
        where, values = of_scope(scope)

        def act(sheet: Sheet) -> int:
            found = sheet.connection.execute(_PRUNABLE.format(scope=where), (*values, json.dumps(list(kinds))))
            going = surplus(((mid, at, parse(meta) if meta else None, old) for mid, at, meta, old in found), cap)
            for mid in going:
                sheet.run("DELETE FROM memories WHERE mid = ?", (mid,))
            return len(going)

        gone: int = await self._store.write(Writing(act, heavy=True))
        return gone

    # vectors

    async def _vector(self, embedder: Embedder, ask: Recall) -> Sequence[float] | None:
        """The question's vector, if there is anything to compare it with. Without one recall goes by words."""
        try:
            bare, lacks = await self._bare(ask)
            if lacks and self._patient:
                await self._embed(embedder, ask.scope)
                bare, _ = await self._bare(ask)
            elif lacks:
                self._embed_later(embedder, ask.scope)
            return None if bare is None else await self._question(embedder, bare)
        except BackendError as error:
            log.warning("recall goes by words only: %s", error)
            return None

    async def _bare(self, ask: Recall) -> tuple[str | None, bool]:
        return await self._store.read(lambda c: self._library.of(ask.scope).bare(c, ask.query))

    async def _question(self, embedder: Embedder, text: str) -> Sequence[float]:
        if text not in self._asked:
            if len(self._asked) >= 256:
                self._asked.clear()
            (self._asked[text],) = await embedder.embed([text])
        return self._asked[text]

    def _embed_later(self, embedder: Embedder, scope: Scope) -> None:
        if scope not in self._embedding:
            task = self._embedding[scope] = asyncio.create_task(self._embed_behind(embedder, scope))
            task.add_done_callback(lambda _: self._embedding.pop(scope, None))

    async def _embed_behind(self, embedder: Embedder, scope: Scope) -> None:
        try:
            await self._embed(embedder, scope)
        except BackendError as error:
            log.warning("vectors could not be made: %s", error)

    async def _embed(self, embedder: Embedder, scope: Scope) -> None:
        while found := await self._store.read(lambda c: self._library.of(scope).lacking(c, EMBEDDED)):
            texts = list(dict.fromkeys(text for _, _, text in found))
            vectors = dict(zip(texts, await embedder.embed(texts), strict=True))
            lines = [(embedder.name, array("f", vectors[text]).tobytes(), mid, id) for mid, id, text in found]
            await self._store.write(Writing(lambda sheet, lines=lines: [sheet.run(_KEEP, line) for line in lines]))  # type: ignore[misc]


def _within(scope: Scope) -> tuple[str | None, ...]:
    """What the condition on a scope is given."""
    return scope.owner, scope.world, scope.agent, scope.agent
