"""Recall in PostgreSQL.

A scope of an ordinary size is held in memory, brought up to date by every search and ranked whole, as in SQLite. One
that is too large for that is asked for candidates: by words through the server's index of stems, by likeness through
its index of vectors; the kernel then ranks those, with their neighbours and what replaces them, as if they were all.
"""

from __future__ import annotations

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from greenroom.adapters.postgres.store import Store
from greenroom.adapters.postgres.text import findable
from greenroom.adapters.sql.held import DOC, PROBE, ScopeCache
from greenroom.journal import lineage
from greenroom.kernel.asks import Fact, Facts, Recall, Recalled
from greenroom.kernel.times import moment
from greenroom.kernel.words import Scope
from greenroom.ports import Embedder
from greenroom.recall import MemoryPlace
from greenroom.text.stems import STOP, words

#: Memories of a scope that are ranked whole; a larger one is asked for candidates.
MOST_EXACT = 20_000
#: Memories in all held scopes together: at 3 KB each, half of it the vector.
MOST_HELD = 60_000
#: Candidates by words and by likeness, and how many places around each come along.
BY_WORDS, BY_LIKENESS, AROUND = 400, 200, 3

_VECTORS = "SELECT mid, vector::real[] FROM vectors WHERE model = $1 AND mid = ANY($2::bigint[])"
_CANDIDATES = """
WITH found AS (
    SELECT m.mid FROM memories m WHERE {scope} AND m.version IS NOT NULL
    AND to_tsvector('english', m.text) @@ to_tsquery('english', $4)
    ORDER BY ts_rank(to_tsvector('english', m.text), to_tsquery('english', $4)) DESC, m.mid DESC LIMIT {words}
), chosen AS (SELECT mid FROM found UNION SELECT unnest($5::bigint[])),
places AS (SELECT m.id, m.sid, m.version FROM memories m JOIN chosen USING (mid))
SELECT DISTINCT {doc} FROM memories m JOIN places p ON (
    (m.sid = p.sid AND m.version BETWEEN p.version - {around} AND p.version + {around}) OR m.supersedes = p.id
) WHERE {scope} AND m.version IS NOT NULL ORDER BY m.mid
"""


def of_scope(scope: Scope) -> tuple[str, tuple[str | None, ...]]:
    """The condition that names one scope, for the index that begins with the owner."""
    return "m.owner = $1 AND m.world = $2 AND ($3::text IS NULL OR m.agent = $3)", (
        findable(scope.owner),
        findable(scope.world),
        None if scope.agent is None else findable(scope.agent),
    )


class Library:
    """The scopes that are held, the least used let go first."""

    def __init__(self, store: Store, embedder: Embedder | None, outgrown: Callable[[], None]) -> None:
        self._store = store
        self._embedder = embedder
        self._outgrown = outgrown
        self._held: OrderedDict[Scope, ScopeCache] = OrderedDict()
        self._locks: dict[Scope, asyncio.Lock] = {}

    def _of(self, scope: Scope) -> ScopeCache:
        found = self._held.setdefault(scope, ScopeCache(self._embedder))
        self._held.move_to_end(scope)
        count = sum(held.rows for held in self._held.values())
        while count > MOST_HELD and len(self._held) > 1:
            let_go, dropped = self._held.popitem(last=False)
            self._locks.pop(let_go, None)
            count -= dropped.rows
        return found

    async def current(self, scope: Scope) -> ScopeCache | None:
        """The scope as it stands in the database; None if it is too large to be held."""
        async with self._locks.setdefault(scope, asyncio.Lock()):
            held = self._of(scope)
            where, values = of_scope(scope)
            row = await self._store.links.row(
                f"SELECT h.value, (SELECT count(*) FROM memories m WHERE {where}) FROM house h "
                "WHERE h.key = 'memories gone'",
                *values,
            )
            assert row is not None
            era, count = bytes(row[0]), row[1]
            if era != held.era:
                held.clear(era)
            if count > MOST_EXACT:
                held.clear(b"")
                self._outgrown()
                return None
            await self._catch_up(scope, held, count)
            return held

    async def _catch_up(self, scope: Scope, held: ScopeCache, count: int) -> None:
        where, values = of_scope(scope)
        if count > held.rows:
            await self._take(held, f"{where} AND m.mid > $4", *values, held.newest)
        if count > held.rows:  # committed late, or recorded early and placed late
            there = await self._store.links.fetch(f"SELECT m.mid FROM memories m WHERE {where}", *values)
            missing = held.missing(row[0] for row in there)
            await self._take(held, "m.mid = ANY($1::bigint[])", missing)
        if held.open:
            await self._take(held, "m.version IS NOT NULL AND m.mid = ANY($1::bigint[])", sorted(held.open))
        await self._take_vectors(held)

    async def _take(self, held: ScopeCache, where: str, *values: Any) -> None:
        for row in await self._store.links.fetch(f"SELECT {DOC} FROM memories m WHERE {where} ORDER BY m.mid", *values):
            held.take(row)

    async def _take_vectors(self, held: ScopeCache) -> None:
        """Look for vectors of the newest memories that have none here; go on as long as there are any."""
        while self._embedder is not None and (part := held.bare[-PROBE:]):
            found = await self._store.links.fetch(_VECTORS, self._embedder.name, part)
            held.take_vectors(part, [(mid, array("f", vector).tobytes()) for mid, vector in found])
            if len(found) < len(part):
                return

    # asking

    async def search(
        self, ask: Recall, *, stream: str, version: int, at: int, vector: Sequence[float] | None
    ) -> list[Recalled]:
        held = await self.current(ask.scope) or await self._candidates(ask, vector)
        view = held.view(await self._place(held, stream, version, at), ask)
        return await self._joined(view.search(ask.query, ask.limit, held.likeness(vector, view)))

    async def facts(self, ask: Facts, *, stream: str, version: int, at: int) -> list[Fact]:
        held = await self.current(ask.scope) or await self._facts_alone(ask.scope)
        return held.facts(await self._place(held, stream, version, at), ask)

    async def _facts_alone(self, scope: Scope) -> ScopeCache:
        """The facts of a scope that is too large to be held."""
        held = ScopeCache(self._embedder)
        where, values = of_scope(scope)
        await self._take(held, f"{where} AND m.version IS NOT NULL AND m.kind = 'fact'", *values)
        return held

    async def _place(self, held: ScopeCache, stream: str, version: int, at: int) -> MemoryPlace:
        chain = await self._store.chain(stream)
        past = lineage.segments([row for _, row in chain.values()], version)
        root = next(sid for sid, row in chain.values() if row.parent is None)
        line = tuple((chain[part.stream][0], part.upto) for part in reversed(past)) or ((root, 0),)
        elsewhere = held.streams.difference(sid for sid, _ in line)
        return MemoryPlace(line, await self._free(elsewhere) if elsewhere else frozenset(), at)

    async def _free(self, sids: Iterable[int]) -> frozenset[int]:
        """Those of some streams that stand for themselves: what a branch or a mute stream remembers is its own."""
        found = await self._store.links.fetch(
            "SELECT sid FROM streams WHERE parent IS NULL AND NOT mute AND sid = ANY($1::bigint[])", list(sids)
        )
        return frozenset(row[0] for row in found)

    async def _joined(self, found: Sequence[tuple[int, float]]) -> list[Recalled]:
        """Hits with the words of the record: what is no longer there is not found."""
        rows = await self._store.links.fetch(
            "SELECT mid, id, text, speaker, kind, at FROM memories WHERE mid = ANY($1::bigint[])",
            [key for key, _ in found],
        )
        there = {row[0]: row for row in rows}
        return [
            Recalled(id=row[1], text=row[2], speaker=row[3], kind=row[4], score=score, at=moment(row[5]))
            for key, score in found
            if (row := there.get(key)) is not None
        ]

    # a scope too large to be held

    async def _candidates(self, ask: Recall, vector: Sequence[float] | None) -> ScopeCache:
        scope, values = of_scope(ask.scope)
        close = [] if vector is None else await self._closest(ask.scope, vector)
        statement = _CANDIDATES.format(scope=scope, doc=DOC, words=BY_WORDS, around=AROUND)
        found = await self._store.links.fetch(statement, *values, _either(ask.query), close)
        held = ScopeCache(self._embedder)
        for row in found:
            held.take(row)
        await self._take_vectors(held)
        return held

    async def _closest(self, scope: Scope, vector: Sequence[float]) -> list[int]:
        assert self._embedder is not None
        where, values = of_scope(scope)
        model, size = self._embedder.name.replace("'", "''"), self._embedder.dimensions
        statement = (
            f"SELECT v.mid FROM vectors v JOIN memories m ON m.mid = v.mid WHERE {where} AND m.version IS NOT NULL "
            f"AND v.model = '{model}' ORDER BY (v.vector::vector({size})) <#> $4::real[]::vector({size}) LIMIT $5"
        )
        async with self._store.links.moment() as link:
            await link.run("SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = 200")
            found = await link.fetch(statement, *values, list(vector), BY_LIKENESS)
        return [row[0] for row in found]


def _either(question: str) -> str:
    """A question as the server understands it: any of its telling words, which are letters and digits only."""
    return " | ".join(word for word in words(question) if word not in STOP)
