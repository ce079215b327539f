"""Scopes too large to be held: candidates by words through the server's index of stems, by likeness through its index
of vectors, with their neighbours and what replaces them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from greenroom.adapters.postgres.connection import Pool
from greenroom.adapters.sql.held import DOC
from greenroom.adapters.sql.recall import of_scope
from greenroom.kernel.asks import Recall
from greenroom.kernel.errors import BackendError
from greenroom.kernel.words import Scope
from greenroom.ports import Embedder
from greenroom.text.stems import STOP, words

log = logging.getLogger("greenroom")

#: Memories of a scope that are ranked whole; a larger one is asked for candidates.
MOST_EXACT = 20_000
#: Candidates by words and by likeness, and how many places around each come along.
BY_WORDS, BY_LIKENESS, AROUND = 400, 200, 3

_CANDIDATES = """
WITH found AS (
    SELECT m.mid FROM memories m WHERE {scope} AND m.version IS NOT NULL
    AND to_tsvector('english', m.text) @@ to_tsquery('english', ${n})
    ORDER BY ts_rank(to_tsvector('english', m.text), to_tsquery('english', ${n})) DESC, m.mid DESC LIMIT {words}
), chosen AS (SELECT mid FROM found UNION SELECT unnest(${close}::bigint[])),
places AS (SELECT m.id, m.sid, m.version FROM memories m JOIN chosen USING (mid))
SELECT DISTINCT {doc} FROM memories m JOIN places p ON (
    (m.sid = p.sid AND m.version BETWEEN p.version - {around} AND p.version + {around}) OR m.supersedes = p.id
) WHERE {scope} AND m.version IS NOT NULL ORDER BY m.mid
"""
_CLOSEST = """
SELECT v.mid FROM vectors v JOIN memories m ON m.mid = v.mid WHERE {scope} AND m.version IS NOT NULL
AND v.model = '{model}' ORDER BY (v.vector::vector({size})) <#> ${n}::real[]::vector({size}) LIMIT {most}
"""
_TERMS = (
    "CREATE INDEX CONCURRENTLY IF NOT EXISTS ix_memories_terms ON memories USING gin (to_tsvector('english', text))"
)


class Candidates:
    """Asks the server for what may be meant, and has it index what it searches."""

    def __init__(self, pool: Pool, embedder: Embedder | None) -> None:
        self._pool = pool
        self._embedder = embedder
        self._indexing: asyncio.Task[None] | None = None

    @property
    def most(self) -> int:
        return MOST_EXACT

    async def candidates(self, ask: Recall, vector: Sequence[float] | None) -> list[tuple[Any, ...]]:
        scope, values = of_scope(ask.scope)
        close = [] if vector is None else await self._closest(ask.scope, vector)
        n = len(values) + 1
        statement = _CANDIDATES.format(scope=scope, doc=DOC, words=BY_WORDS, around=AROUND, n=n, close=n + 1)
        # Any of the question's telling words, which are letters and digits only.
        either = " | ".join(word for word in words(ask.query) if word not in STOP)
        return await self._pool.all(statement, *values, either, close)

    async def _closest(self, scope: Scope, vector: Sequence[float]) -> list[int]:
        assert self._embedder is not None
        where, values = of_scope(scope)
        model, size = self._embedder.name.replace("'", "''"), self._embedder.dimensions
        statement = _CLOSEST.format(scope=where, model=model, size=size, n=len(values) + 1, most=BY_LIKENESS)
        async with self._pool.moment() as connection:
            await connection.run("SET LOCAL hnsw.iterative_scan = relaxed_order")
            await connection.run("SET LOCAL hnsw.ef_search = 200")
            return [mid for (mid,) in await connection.all(statement, *values, list(vector))]

    # indexes

    def outgrown(self) -> None:
        """A scope has outgrown memory: let the server index words and vectors, once, while the house goes on."""
        if self._indexing is None:
            self._indexing = asyncio.create_task(self._index())

    async def _index(self) -> None:
        statements = [_TERMS] if self._embedder is None else [_TERMS, _hnsw(self._embedder)]
        for statement in statements:
            try:
                async with self._pool.one_connection() as connection:
                    await connection.run(statement)
            except BackendError as error:  # somebody else is at it, or will be at the next start
                log.info("an index was not made: %s", error)

    async def close(self) -> None:
        if self._indexing is not None:
            self._indexing.cancel()
            await asyncio.gather(self._indexing, return_exceptions=True)


def _hnsw(embedder: Embedder) -> str:
    name = f"ix_vectors_{sha256(embedder.name.encode()).hexdigest()[:12]}"
    model = embedder.name.replace("'", "''")
    return (
        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON vectors USING hnsw "
        f"((vector::vector({embedder.dimensions})) vector_ip_ops) WHERE model = '{model}'"
    )
