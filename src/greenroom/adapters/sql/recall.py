"""Recall: the memories of a scope are held in memory, brought up to date by every search and ranked whole.

Nothing of the index is stored: `memories` is the only copy of the words, so that settling a turn costs nothing more,
what was written is found at once, and forgetting somebody has no second place to scrub. One FTS5 table for all would be
slower (52–87 ms for common words in a million rows, because its statistics are everybody's) and would rank one person's
memories by another's. What is loaded is bounded; a scope that was let go is read again when it is next asked. Where a
database has indexes of its own, a scope too large to be held is asked for candidates instead, which are ranked as if
they were all.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from greenroom.adapters.sql.held import DOC, PROBE, ScopeCache
from greenroom.adapters.sql.store import Reader, SqlStore
from greenroom.journal import lineage
from greenroom.kernel.asks import Fact, Facts, Recall, Recalled
from greenroom.kernel.times import moment
from greenroom.kernel.words import Scope
from greenroom.ports import Embedder
from greenroom.recall import MemoryPlace

#: Scopes that are loaded at most, however small.
MOST_SCOPES = 2_000
#: Memories that are searched sooner than a thread is asked to.
SMALL = 300

_AMONG = "= ANY($1::bigint[])"
_VECTORS = "SELECT mid, vector::real[] FROM vectors WHERE model = $1 AND mid = ANY($2::bigint[])"
_FREE = f"SELECT sid FROM streams WHERE parent IS NULL AND NOT mute AND sid {_AMONG}"
_JOINED = f"SELECT mid, id, text, speaker, kind, at FROM memories WHERE mid {_AMONG}"

Line = Sequence[tuple[int, int]]


class LargeScopes(Protocol):
    """Searches scopes that are too large to be held."""

    @property
    def most(self) -> int:
        """Memories of a scope that are still ranked whole."""

    def outgrown(self) -> None:
        """There is such a scope: make ready for it."""

    async def candidates(self, ask: Recall, vector: Sequence[float] | None) -> list[tuple[Any, ...]]:
        """Rows of ``DOC`` among which the answers are."""

    async def close(self) -> None: ...


class ThreadLock:
    """A lock for looks that run on several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()

    def locked(self) -> bool:
        return self._lock.locked()


class LoadedScope(ScopeCache):
    """One that stays in memory for whoever looks next."""

    def __init__(self, embedder: Embedder | None, lock: asyncio.Lock | ThreadLock) -> None:
        super().__init__(embedder)
        self.lock = lock

    @property
    def is_small(self) -> bool:
        return 0 < self.rows <= SMALL and not self.lock.locked()


def of_scope(scope: Scope) -> tuple[str, tuple[str, ...]]:
    """The condition that names one scope, for the index that begins with the owner, and what it is given."""
    if scope.agent is None:
        return "m.owner = $1 AND m.world = $2", (scope.owner, scope.world)
    return "m.owner = $1 AND m.world = $2 AND m.agent = $3", (scope.owner, scope.world, scope.agent)


class Library:
    """The scopes that are loaded, the least used let go first."""

    def __init__(self, store: SqlStore, embedder: Embedder | None, large: LargeScopes | None) -> None:
        self._store = store
        self._embedder = embedder
        self._large = large
        self._loaded: OrderedDict[Scope, LoadedScope] = OrderedDict()
        self._lock = threading.Lock()

    def _of(self, scope: Scope) -> LoadedScope:
        with self._lock:
            found = self._loaded.get(scope)
            if found is None:
                self._make_room()
                lock = ThreadLock() if self._store.threaded else asyncio.Lock()
                found = self._loaded[scope] = LoadedScope(self._embedder, lock)
            self._loaded.move_to_end(scope)
            return found

    def _make_room(self) -> None:
        count = sum(loaded.rows for loaded in self._loaded.values())
        while self._loaded and (count > self._store.most_loaded or len(self._loaded) >= MOST_SCOPES):
            _, dropped = self._loaded.popitem(last=False)
            count -= dropped.rows

    def is_small(self, scope: Scope) -> bool:
        """Whether a scope is at hand and searched within a millisecond."""
        found = self._loaded.get(scope)
        return found is not None and found.is_small

    # keeping up; whoever looks holds the scope's lock

    async def _current(self, reader: Reader, scope: Scope, held: LoadedScope) -> ScopeCache | None:
        """The scope as it stands; None if it is too large to be held. Nothing is read if nobody wrote."""
        stamp = await reader.stamp()
        if stamp is not None and held.seen.get(stamp[0]) == stamp[1]:
            return held
        where, values = of_scope(scope)
        count = f"SELECT count(*) FROM memories m WHERE {where}"
        row = await reader.one(f"SELECT h.value, ({count}) FROM house h WHERE h.key = 'memories gone'", *values)
        assert row is not None
        if bytes(row[0]) != held.era:
            held.clear(bytes(row[0]))
        if self._large is not None and row[1] > self._large.most:
            held.clear(b"")
            self._large.outgrown()
            return None
        await self._catch_up(reader, held, where, values, row[1])
        if stamp is not None:
            held.seen[stamp[0]] = stamp[1]
        return held

    async def _catch_up(self, reader: Reader, held: ScopeCache, where: str, values: Sequence[str], count: int) -> None:
        if count > held.rows:
            await _take(reader, held, f"{where} AND m.mid > ${len(values) + 1}", *values, held.newest)
        if count > held.rows:  # committed late, or recorded early and placed late
            there = await reader.all(f"SELECT m.mid FROM memories m WHERE {where}", *values)
            await _take(reader, held, f"m.mid {_AMONG}", held.missing(mid for (mid,) in there))
        if held.open:
            await _take(reader, held, f"m.version IS NOT NULL AND m.mid {_AMONG}", sorted(held.open))
        await self._take_vectors(reader, held)

    async def _take_vectors(self, reader: Reader, held: ScopeCache) -> None:
        """Look for vectors of the newest memories that have none here; go on as long as there are any."""
        from_vector = self._store.from_vector
        while self._embedder is not None and (part := held.bare[-PROBE:]):
            found = await reader.all(_VECTORS, self._embedder.name, part)
            held.take_vectors(part, [(mid, from_vector(vector)) for mid, vector in found])
            if len(found) < len(part):
                return

    # asking

    async def bare(self, reader: Reader, ask: Recall) -> tuple[str | None, bool]:
        """What to make the question's vector of, None if nothing here has one; and whether any vector lacks."""
        loaded = self._of(ask.scope)
        async with loaded.lock:
            held = await self._current(reader, ask.scope, loaded)
            return (ask.query, True) if held is None else (held.question(ask.query), bool(held.bare))

    async def search(
        self, reader: Reader, ask: Recall, *, stream: str, version: int, at: int, vector: Sequence[float] | None
    ) -> list[Recalled]:
        line, loaded = await self._line(reader, stream, version), self._of(ask.scope)
        async with loaded.lock:
            held = await self._current(reader, ask.scope, loaded)
            if held is None:
                held = await self._candidates(reader, ask, vector)
            view = held.view(await _place(reader, line, held.index.streams, at), ask)
            found = view.search(ask.query, ask.limit, held.likeness(vector, view))
        return await _joined(reader, found)

    async def facts(self, reader: Reader, ask: Facts, *, stream: str, version: int, at: int) -> list[Fact]:
        line, loaded = await self._line(reader, stream, version), self._of(ask.scope)
        async with loaded.lock:
            held = await self._current(reader, ask.scope, loaded)
            if held is None:
                where, values = of_scope(ask.scope)
                held = ScopeCache(self._embedder)
                await _take(reader, held, f"{where} AND m.version IS NOT NULL AND m.kind = 'fact'", *values)
            return held.facts(await _place(reader, line, held.streams, at), ask)

    async def _candidates(self, reader: Reader, ask: Recall, vector: Sequence[float] | None) -> ScopeCache:
        assert self._large is not None
        held = ScopeCache(self._embedder)
        for row in await self._large.candidates(ask, vector):
            held.take(row)
        await self._take_vectors(reader, held)
        return held

    async def _line(self, reader: Reader, stream: str, version: int) -> Line:
        """The streams that a place has its past from, and how far."""
        chain = await self._store.chain(reader, stream)
        past = lineage.segments([row for _, row in chain.values()], version)
        root = next(sid for sid, row in chain.values() if row.parent is None)
        return tuple((chain[part.stream][0], part.upto) for part in reversed(past)) or ((root, 0),)


async def _take(reader: Reader, held: ScopeCache, where: str, *values: Any) -> None:
    for row in await reader.all(f"SELECT {DOC} FROM memories m WHERE {where} ORDER BY m.mid", *values):
        held.take(row)


async def _place(reader: Reader, line: Line, sids: Iterable[int], at: int) -> MemoryPlace:
    """Besides the past, the streams that stand for themselves: what a branch or a mute stream remembers is its own."""
    elsewhere = set(sids).difference(sid for sid, _ in line)
    found = await reader.all(_FREE, list(elsewhere)) if elsewhere else ()
    return MemoryPlace(tuple(line), frozenset(sid for (sid,) in found), at)


async def _joined(reader: Reader, found: Sequence[tuple[int, float]]) -> list[Recalled]:
    """Hits with the words of the record: what is no longer there is not found."""
    there = {mid: row for mid, *row in await reader.all(_JOINED, [key for key, _ in found])}
    return [
        Recalled(id=row[0], text=row[1], speaker=row[2], kind=row[3], score=score, at=moment(row[4]))
        for key, score in found
        if (row := there.get(key)) is not None
    ]
