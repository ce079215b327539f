"""The memory bank."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.recall import LargeScopes, Library, of_scope
from greenroom.adapters.sql.store import Reader, SqlStore, Transaction
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

_FROM = "memories m JOIN streams s ON s.sid = m.sid"
_ALL = f"SELECT s.name, {rows.of('m', rows.MEMORY)} FROM {_FROM}"
_LACKING = """
m.version IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.mid = m.mid AND v.model = ${model})
AND m.kind <> 'raw' AND NOT (m.kind = 'fact' AND coalesce(m.meta, '') LIKE '%"relation"%')
"""
#: A vector is stored only while its memory is there: it may have been forgotten, and its number given to another.
_KEEP = """
INSERT INTO vectors (mid, model, vector) SELECT m.mid, $1, $2::real[]::vector FROM memories m
WHERE m.mid = $3 AND m.id = $4 FOR KEY SHARE
ON CONFLICT (mid) DO UPDATE SET model = excluded.model, vector = excluded.vector
"""
_PRUNABLE = f"""
SELECT m.mid, m.at, m.meta, EXISTS (
    SELECT 1 FROM memories n WHERE n.supersedes = m.id AND n.owner = m.owner AND n.world = m.world
    AND n.agent = m.agent AND n.version IS NOT NULL
) FROM {_FROM}
WHERE {{scope}} AND m.version IS NOT NULL AND s.parent IS NULL AND m.kind = ANY(${{kinds}}::text[])
AND NOT EXISTS (SELECT 1 FROM streams b WHERE b.parent = s.name AND b.forked_at >= m.version)
AND NOT EXISTS (
    SELECT 1 FROM letters l WHERE l.sid = m.sid AND l.words = m.id AND l.status IN ('due', 'held')
)
"""
_LATEST = f"""
SELECT m.id, m.text, m.kind, m.at FROM {_FROM} WHERE m.owner = $1 AND m.world = $2
AND ($3::text IS NULL OR m.agent = $3) AND m.version IS NOT NULL
AND m.speaker = $4 AND m.at >= $5 AND m.at <= $6 AND m.kind NOT IN ('raw', 'fact')
AND (s.name = $7 OR (s.parent IS NULL AND NOT s.mute)) ORDER BY m.at DESC, m.mid DESC LIMIT $8
"""


class SqlBank:
    """Words and recall.

    With an embedder, recall counts vectors where there are any. Those that lack are made behind its back, newest
    first; a ``patient`` bank makes them before it searches, so that a result never depends on how far that got.
    """

    def __init__(
        self, store: SqlStore, embedder: Embedder | None, *, patient: bool, large: LargeScopes | None = None
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._patient = patient
        self._large = large
        self._library = Library(store, embedder, large)
        self._embedding: dict[Scope, asyncio.Task[None]] = {}
        self._asked: dict[str, Sequence[float]] = {}

    async def close(self) -> None:
        """Stop making vectors; what is not made yet will be when it is next wanted."""
        tasks = tuple(self._embedding.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._large is not None:
            await self._large.close()

    async def get(self, ids: Sequence[str]) -> Mapping[str, str]:
        return await self._by_id("text", ids) if ids else {}

    async def owners(self, ids: Sequence[str]) -> Mapping[str, str]:
        return await self._by_id("owner", ids)

    async def _by_id(self, column: str, ids: Sequence[str]) -> Mapping[str, str]:
        statement = f"SELECT id, {column} FROM memories WHERE id = ANY($1::text[])"
        return dict(await self._store.glance(lambda reader: reader.all(statement, list(ids))))

    async def of_stream(self, stream: str) -> Sequence[Stored]:
        found = await self._store.of_stream(stream, f"SELECT {rows.MEMORY} FROM memories WHERE sid = $1")
        return [rows.to_stored(stream, row) for row in found]

    async def count(self, scope: Scope) -> int:
        where, values = of_scope(scope)
        count = f"SELECT count(*) FROM memories m WHERE {where} AND m.version IS NOT NULL"
        return int(await self._store.value(count, *values))

    async def all(self, scope: Scope) -> Sequence[Stored]:
        where, values = of_scope(scope)
        found = await self._store.all(f"{_ALL} WHERE {where} AND m.version IS NOT NULL ORDER BY m.at, m.id", *values)
        return [rows.to_stored(name, row) for name, *row in found]

    # recall

    async def search(self, ask: Recall, *, stream: str, version: int, at: int) -> Sequence[Recalled]:
        vector = None if self._embedder is None else await self._vector(self._embedder, ask)
        read = self._store.glance if self._library.is_small(ask.scope) else self._store.read
        return await read(
            lambda reader: self._library.search(reader, ask, stream=stream, version=version, at=at, vector=vector)
        )

    async def latest(self, ask: Latest, *, stream: str, at: int) -> Sequence[Recalled]:
        scope = ask.scope
        values = (scope.owner, scope.world, scope.agent, ask.speaker, micros(ask.since), at, stream, ask.limit)

        async def look(reader: Reader) -> Sequence[Recalled]:
            await self._store.stream(reader, stream)
            return [
                Recalled(id=id, text=text, speaker=ask.speaker, kind=kind, score=0.0, at=moment(said_at))
                for id, text, kind, said_at in await reader.all(_LATEST, *values)
            ]

        return await self._store.read(look)

    async def facts(self, ask: Facts, *, stream: str, version: int, at: int) -> Sequence[Fact]:
        read = self._store.glance if self._library.is_small(ask.scope) else self._store.read
        return await read(lambda reader: self._library.facts(reader, ask, stream=stream, version=version, at=at))

    async def lacking(self, scope: Scope) -> int | None:
        if self._embedder is None:
            return None
        where, values = _lacking(scope, self._embedder)
        return int(await self._store.value(f"SELECT count(*) FROM memories m WHERE {where}", *values))

    async def prune(self, scope: Scope, cap: int, *, kinds: Sequence[str]) -> int:
        where, values = of_scope(scope)
        prunable = _PRUNABLE.format(scope=where, kinds=len(values) + 1)

        async def act(unit: Transaction) -> int:
            found = await unit.all(prunable, *values, list(kinds))
            going = surplus(((mid, at, parse(meta) if meta else None, old) for mid, at, meta, old in found), cap)
            return await unit.run("DELETE FROM memories WHERE mid = ANY($1::bigint[])", list(going))

        return await self._store.act(act, heavy=True)

    # vectors

    async def _vector(self, embedder: Embedder, ask: Recall) -> Sequence[float] | None:
        """The question's vector, if there is anything to compare it with. Without one recall goes by words."""
        try:
            bare, lacks = await self._store.read(lambda reader: self._library.bare(reader, ask))
            if lacks and self._patient:
                await self._embed(embedder, ask.scope)
                bare, _ = await self._store.read(lambda reader: self._library.bare(reader, ask))
            elif lacks:
                self._embed_later(embedder, ask.scope)
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
        where, values = _lacking(scope, embedder)
        statement = f"SELECT m.mid, m.id, m.text FROM memories m WHERE {where} ORDER BY m.mid DESC LIMIT {EMBEDDED}"
        to_vector = self._store.to_vector
        while found := await self._store.all(statement, *values):
            texts = list(dict.fromkeys(text for _, _, text in found))
            vectors = dict(zip(texts, await embedder.embed(texts), strict=True))
            lines = [(embedder.name, to_vector(vectors[text]), mid, id) for mid, id, text in found]
            await self._store.act(lambda unit, lines=lines: unit.run_all(_KEEP, lines), quiet=True)  # type: ignore[misc]


def _lacking(scope: Scope, embedder: Embedder) -> tuple[str, tuple[str, ...]]:
    """The condition on memories of a scope that have no vector, and what it is given."""
    where, values = of_scope(scope)
    return f"{where} AND {_LACKING.format(model=len(values) + 1)}", (*values, embedder.name)
