"""Recall in SQLite: the index of a scope is held in memory and brought up to date by every search.

Nothing of it is stored: `memories` is the only copy of the words, so that settling a turn costs nothing more, what was
written is found at once, and forgetting somebody has no second place to scrub. One FTS5 table for all would be slower
(52–87 ms for common words in a million rows, because its statistics are everybody's) and would rank one person's
memories by another's. What is loaded is bounded; a scope that was let go is read again when it is next asked.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

from greenroom.adapters.sql.held import DOC, PROBE, ScopeCache
from greenroom.adapters.sqlite.store import Store
from greenroom.journal import lineage
from greenroom.kernel.asks import Fact, Facts, Recall, Recalled
from greenroom.kernel.times import moment
from greenroom.kernel.words import Scope
from greenroom.ports import Embedder
from greenroom.recall import MemoryPlace

#: Memories in all loaded indexes together: at 3 KB each, half of it the vector.
MOST_LOADED = 30_000
#: Scopes that are loaded at most, however small.
MOST_SCOPES = 2_000
#: Memories that are searched sooner than a thread is asked to.
SMALL = 300

_AMONG = "IN (SELECT value FROM json_each(?))"
_COUNT = "SELECT count(*) FROM memories m WHERE"
_ERA = "FROM house WHERE key = 'memories gone'"
_VECTORS = f"SELECT mid, vector FROM vectors WHERE model = ? AND mid {_AMONG}"


class LoadedScope:
    """One scope in memory, brought up to date by whoever looks."""

    def __init__(self, scope: Scope, embedder: Embedder | None) -> None:
        self._scope = scope
        self._embedder = embedder
        self._held = ScopeCache(embedder)
        self._lock = threading.Lock()
        #: What was written last when a connection looked.
        self._seen: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._held.index)

    @property
    def is_small(self) -> bool:
        return 0 < len(self) <= SMALL and not self._lock.locked()

    # keeping up

    def _refresh(self, connection: sqlite3.Connection) -> None:
        """Take in what was written since this connection last looked; nothing if nobody wrote."""
        (written,) = connection.execute("PRAGMA data_version").fetchone()
        if self._seen.get(id(connection)) == written:
            return
        self._catch_up(connection)
        self._seen[id(connection)] = written

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        where, values = of_scope(self._scope)
        era, rows = connection.execute(f"SELECT value, ({_COUNT} {where}) {_ERA}", values).fetchone()
        if bytes(era) != self._held.era:
            self._held.clear(bytes(era))
            self._seen.clear()
        if rows > self._held.rows:
            self._take(connection, f"{where} AND m.mid > ?", (*values, self._held.newest))
        if rows > self._held.rows:  # words that were recorded early and placed late
            there = connection.execute(f"SELECT mid FROM memories m WHERE {where}", values)
            self._take(connection, f"m.mid {_AMONG}", (json.dumps(self._held.missing(mid for (mid,) in there)),))
        if self._held.open:
            among = json.dumps(sorted(self._held.open))
            self._take(connection, f"m.version IS NOT NULL AND m.mid {_AMONG}", (among,))
        self._take_vectors(connection)

    def _take(self, connection: sqlite3.Connection, where: str, values: Sequence[Any]) -> None:
        for row in connection.execute(f"SELECT {DOC} FROM memories m WHERE {where} ORDER BY m.mid", values):
            self._held.take(row)

    def _take_vectors(self, connection: sqlite3.Connection) -> None:
        """Look for vectors of the newest memories that have none here; go on as long as there are any."""
        while self._embedder is not None and (part := self._held.bare[-PROBE:]):
            found = connection.execute(_VECTORS, (self._embedder.name, json.dumps(part))).fetchall()
            self._held.take_vectors(part, found)
            if len(found) < len(part):
                return

    # asking

    def bare(self, connection: sqlite3.Connection, question: str) -> tuple[str | None, bool]:
        """What to make the question's vector of, None if nothing here has one; and whether any vector lacks."""
        with self._lock:
            self._refresh(connection)
            return self._held.question(question), bool(self._held.bare)

    def lacking(self, connection: sqlite3.Connection, most: int) -> list[tuple[int, str, str]]:
        """Number, id and text of memories without a vector, newest first."""
        with self._lock:
            self._refresh(connection)
            part = json.dumps(self._held.bare[-most:])
        found = connection.execute(f"SELECT mid, id, text FROM memories WHERE mid {_AMONG} ORDER BY mid DESC", (part,))
        return found.fetchall()

    def search(
        self, connection: sqlite3.Connection, ask: Recall, place: _Where, vector: Sequence[float] | None
    ) -> list[Recalled]:
        with self._lock:
            self._refresh(connection)
            view = self._held.view(place.within(connection, self._held.index.streams), ask)
            found = view.search(ask.query, ask.limit, self._held.likeness(vector, view))
        return _joined(connection, found)

    def facts(self, connection: sqlite3.Connection, ask: Facts, place: _Where) -> list[Fact]:
        with self._lock:
            self._refresh(connection)
            return self._held.facts(place.within(connection, self._held.streams), ask)


class _Where:
    """The asking place, as far as it does not depend on the scope."""

    def __init__(self, store: Store, connection: sqlite3.Connection, stream: str, version: int, at: int) -> None:
        chain = store.chain(connection, stream)
        past = lineage.segments([row for _, row in chain.values()], version)
        root = next(sid for sid, row in chain.values() if row.parent is None)
        self._lineage = tuple((chain[part.stream][0], part.upto) for part in reversed(past)) or ((root, 0),)
        self._at = at

    def within(self, connection: sqlite3.Connection, sids: Iterable[int]) -> MemoryPlace:
        elsewhere = set(sids).difference(sid for sid, _ in self._lineage)
        return MemoryPlace(self._lineage, _free(connection, elsewhere) if elsewhere else frozenset(), self._at)


class Library:
    """The scopes that are loaded, the least used let go first."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._loaded: OrderedDict[Scope, LoadedScope] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, scope: Scope) -> LoadedScope:
        with self._lock:
            found = self._loaded.get(scope)
            if found is None:
                self._make_room()
                found = self._loaded[scope] = LoadedScope(scope, self._embedder)
            self._loaded.move_to_end(scope)
            return found

    def _make_room(self) -> None:
        held = sum(len(loaded) for loaded in self._loaded.values())
        while self._loaded and (held > MOST_LOADED or len(self._loaded) >= MOST_SCOPES):
            _, dropped = self._loaded.popitem(last=False)
            held -= len(dropped)

    def is_small(self, scope: Scope) -> bool:
        """Whether a scope is at hand and searched within a millisecond."""
        found = self._loaded.get(scope)
        return found is not None and found.is_small

    def search(
        self,
        connection: sqlite3.Connection,
        ask: Recall,
        *,
        stream: str,
        version: int,
        at: int,
        vector: Sequence[float] | None,
    ) -> list[Recalled]:
        place = _Where(self._store, connection, stream, version, at)
        return self.of(ask.scope).search(connection, ask, place, vector)

    def facts(self, connection: sqlite3.Connection, ask: Facts, *, stream: str, version: int, at: int) -> list[Fact]:
        place = _Where(self._store, connection, stream, version, at)
        return self.of(ask.scope).facts(connection, ask, place)


def of_scope(scope: Scope) -> tuple[str, tuple[str, ...]]:
    """The condition that names one scope, for the index that begins with the owner."""
    if scope.agent is None:
        return "m.owner = ? AND m.world = ?", (scope.owner, scope.world)
    return "m.owner = ? AND m.world = ? AND m.agent = ?", (scope.owner, scope.world, scope.agent)


def _free(connection: sqlite3.Connection, sids: Iterable[int]) -> frozenset[int]:
    """Those of some streams that stand for themselves: what a branch or a mute stream remembers is its own."""
    among = json.dumps(list(sids))
    found = connection.execute(f"SELECT sid FROM streams WHERE parent IS NULL AND NOT mute AND sid {_AMONG}", (among,))
    return frozenset(sid for (sid,) in found)


def _joined(connection: sqlite3.Connection, found: Sequence[tuple[int, float]]) -> list[Recalled]:
    """Hits with the words of the record: what is no longer there is not found."""
    keys = json.dumps([key for key, _ in found])
    rows = connection.execute(f"SELECT mid, id, text, speaker, kind, at FROM memories WHERE mid {_AMONG}", (keys,))
    there = {mid: row for mid, *row in rows}
    return [
        Recalled(id=row[0], text=row[1], speaker=row[2], kind=row[3], score=score, at=moment(row[4]))
        for key, score in found
        if (row := there.get(key)) is not None
    ]
