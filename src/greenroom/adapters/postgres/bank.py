"""The memory bank in PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from hashlib import sha256

from greenroom.adapters.postgres.lookup import of
from greenroom.adapters.postgres.recall import Library, of_scope
from greenroom.adapters.postgres.store import Store
from greenroom.adapters.postgres.text import findable
from greenroom.adapters.sql import rows
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

_COLUMNS = of("m", rows.MEMORY)
_FROM = "memories m JOIN streams s ON s.sid = m.sid"
_LACKING = (
    "m.version IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.mid = m.mid AND v.model = $4) "
    "AND m.kind <> 'raw' AND NOT (m.kind = 'fact' AND coalesce(m.meta::text, '') LIKE '%\"relation\"%')"
)
#: A vector is stored only while its memory is there: it may have been forgotten.
_KEEP = """
INSERT INTO vectors (mid, model, vector) SELECT m.mid, $1, $2::real[]::vector FROM memories m WHERE m.mid = $3
FOR KEY SHARE ON CONFLICT (mid) DO UPDATE SET model = excluded.model, vector = excluded.vector
"""
_PRUNABLE = """
SELECT m.mid, m.at, m.meta, EXISTS (
    SELECT 1 FROM memories n WHERE n.supersedes = m.id AND n.owner = m.owner AND n.world = m.world
    AND n.agent = m.agent AND n.version IS NOT NULL
) FROM memories m JOIN streams s ON s.sid = m.sid
WHERE {scope} AND m.version IS NOT NULL AND s.parent IS NULL AND m.kind = ANY($4::text[])
AND NOT EXISTS (SELECT 1 FROM streams b WHERE b.parent = s.name AND b.forked_at >= m.version)
AND NOT EXISTS (
    SELECT 1 FROM letters l WHERE l.sid = m.sid AND l.words = m.id AND l.status IN ('due', 'held')
)
"""

_LATEST = """
SELECT m.id, m.text, m.kind, m.at FROM memories m JOIN streams s ON s.sid = m.sid
WHERE {scope} AND m.version IS NOT NULL
AND m.speaker = $4 AND m.at >= $5 AND m.at <= $6 AND m.kind NOT IN ('raw', 'fact')
AND (s.name = $7 OR (s.parent IS NULL AND NOT s.mute)) ORDER BY m.at DESC, m.mid DESC LIMIT $8
"""


class PostgresBank:
    """Words and recall.

    With an embedder, recall counts vectors where there are any. Those that lack are made behind its back, newest
    first; a ``patient`` bank makes them before it searches, so that a result never depends on how far that got.
    """

    def __init__(self, store: Store, embedder: Embedder | None = None, *, patient: bool = False) -> None:
        self._store = store
        self._embedder = embedder
        self._patient = patient
        self._library = Library(store, embedder, self._index_later)
        self._embedding: dict[Scope, asyncio.Task[None]] = {}
        self._asked: dict[str, Sequence[float]] = {}
        self._indexing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Stop making vectors; what is not made yet will be when it is next wanted."""
        tasks = (*self._embedding.values(), *([] if self._indexing is None else [self._indexing]))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        if not ids:
            return {}
        wanted = list(map(findable, ids))
        return dict(await self._store.links.fetch("SELECT id, text FROM memories WHERE id = ANY($1::text[])", wanted))

    async def owners(self, ids: Sequence[str]) -> Mapping[str, str]:
        wanted = list(map(findable, ids))
        return dict(await self._store.links.fetch("SELECT id, owner FROM memories WHERE id = ANY($1::text[])", wanted))

    async def of_stream(self, stream: str) -> Sequence[Stored]:
        sid, _ = await self._store.stream(stream)
        found = await self._store.links.fetch(f"SELECT {rows.MEMORY} FROM memories WHERE sid = $1", sid)
        return [rows.to_stored(stream, row) for row in found]

    async def count(self, scope: Scope) -> int:
        where, values = of_scope(scope)
        count: int = await self._store.links.value(
            f"SELECT count(*) FROM memories m WHERE {where} AND m.version IS NOT NULL", *values
        )
        return count

    async def all(self, scope: Scope) -> Sequence[Stored]:
        where, values = of_scope(scope)
        found = await self._store.links.fetch(
            f"SELECT s.name, {_COLUMNS} FROM {_FROM} WHERE {where} AND m.version IS NOT NULL ORDER BY m.at, m.id",
            *values,
        )
        return [rows.to_stored(row[0], row[1:]) for row in found]

    # recall

    async def search(self, ask: Recall, *, stream: str, version: int, at: int) -> Sequence[Recalled]:
        vector = None if self._embedder is None else await self._vector(self._embedder, ask)
        return await self._library.search(ask, stream=stream, version=version, at=at, vector=vector)

    async def latest(self, ask: Latest, *, stream: str, at: int) -> Sequence[Recalled]:
        await self._store.stream(stream)
        where, values = of_scope(ask.scope)
        speaker, since = findable(ask.speaker), micros(ask.since)
        found = await self._store.links.fetch(
            _LATEST.format(scope=where), *values, speaker, since, at, stream, ask.limit
        )
        return [
            Recalled(id=row[0], text=row[1], speaker=ask.speaker, kind=row[2], score=0.0, at=moment(row[3]))
            for row in found
        ]

    async def facts(self, ask: Facts, *, stream: str, version: int, at: int) -> Sequence[Fact]:
        return await self._library.facts(ask, stream=stream, version=version, at=at)

    async def lacking(self, scope: Scope) -> int | None:
        if self._embedder is None:
            return None
        where, values = of_scope(scope)
        count: int = await self._store.links.value(
            f"SELECT count(*) FROM memories m WHERE {where} AND {_LACKING}", *values, self._embedder.name
        )
        return count

    async def prune(self, scope: Scope, cap: int, *, kinds: Sequence[str]) -> int:
        where, values = of_scope(scope)
        async with self._store.act() as act:
            found = await act.link.fetch(_PRUNABLE.format(scope=where), *values, list(kinds))
            going = surplus(((mid, at, parse(meta) if meta else None, old) for mid, at, meta, old in found), cap)
            await act.link.run("DELETE FROM memories WHERE mid = ANY($1::bigint[])", going)
        return len(going)

    # vectors

    async def _vector(self, embedder: Embedder, ask: Recall) -> Sequence[float] | None:
        """The question's vector, if there is anything to compare it with. Without one recall goes by words."""
        try:
            if self._patient and await self.lacking(ask.scope):
                await self._embed(embedder, ask.scope)
            held = await self._library.current(ask.scope)
            if held is None or held.bare:
                self._embed_later(embedder, ask.scope)
            bare = ask.query if held is None else held.question(ask.query)
            return None if bare is None else await self._question(embedder, bare)
        except BackendError as error:
            log.warning("recall goes by words only: %s", error)
            return None

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
        where, values = of_scope(scope)
        statement = (
            f"SELECT m.mid, m.text FROM memories m WHERE {where} AND {_LACKING} ORDER BY m.mid DESC LIMIT {EMBEDDED}"
        )
        while found := await self._store.links.fetch(statement, *values, embedder.name):
            texts = list(dict.fromkeys(row[1] for row in found))
            vectors = dict(zip(texts, await embedder.embed(texts), strict=True))
            lines = [(embedder.name, list(map(float, vectors[text])), mid) for mid, text in found]
            async with self._store.links.one() as link:
                await link.raw.executemany(_KEEP, lines)

    # indexes for what is too large to be held

    def _index_later(self) -> None:
        """A scope has outgrown memory: let the server index words and vectors, once, while the house goes on."""
        if self._indexing is None:
            self._indexing = asyncio.create_task(self._index())

    async def _index(self) -> None:
        statements = [_TERMS] if self._embedder is None else [_TERMS, _hnsw(self._embedder)]
        for statement in statements:
            try:
                async with self._store.links.one() as link:
                    await link.run(statement)
            except BackendError as error:  # somebody else is at it, or will be at the next start
                log.info("an index was not made: %s", error)


_TERMS = (
    "CREATE INDEX CONCURRENTLY IF NOT EXISTS ix_memories_terms ON memories USING gin (to_tsvector('english', text))"
)


def _hnsw(embedder: Embedder) -> str:
    name = f"ix_vectors_{sha256(embedder.name.encode()).hexdigest()[:12]}"
    model = embedder.name.replace("'", "''")
    return (
        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON vectors USING hnsw "
        f"((vector::vector({embedder.dimensions})) vector_ip_ops) WHERE model = '{model}'"
    )
