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
from typing import TYPE_CHECKING, Any

from greenroom.adapters.sqlite.store import Store
from greenroom.kernel import lineage
from greenroom.kernel.asks import Recall, Recalled
from greenroom.kernel.codec import parse
from greenroom.kernel.ports import Embedder
from greenroom.kernel.recall import Doc, Index, Place, View
from greenroom.kernel.words import Scope

if TYPE_CHECKING:
    from greenroom.adapters.embeddings.matrix import Matrix

#: Memories in all loaded indexes together: at 3 KB each, half of it the vector.
MOST_LOADED = 30_000
#: Scopes that are loaded at most, however small.
MOST_SCOPES = 2_000
#: Memories that are searched sooner than a thread is asked to.
SMALL = 300
_PROBE = 512

_DOC = "m.mid, m.id, m.sid, m.version, m.at, m.text, m.kind, m.speaker, m.meta, m.supersedes"
_AMONG = "IN (SELECT value FROM json_each(?))"
_COUNT = "SELECT count(*) FROM memories m WHERE"
_ERA = "FROM house WHERE key = 'memories gone'"


class Loaded:
    """One scope in memory: its index, and the vectors known of it."""

    def __init__(self, scope: Scope, embedder: Embedder | None) -> None:
        self._scope = scope
        self._embedder = embedder
        self._lock = threading.Lock()
        self._clear(b"")

    def _clear(self, era: bytes) -> None:
        self._era = era
        self.index = Index()
        self._known: dict[int, int] = {}
        self._seen: dict[int, int] = {}
        #: Rows of this scope that were there at the last look, placed or not.
        self._rows = 0
        self._newest = 0
        #: Rows that no version has been given yet.
        self._open: set[int] = set()
        self._bare: list[int] = []
        self._matrix = None if self._embedder is None else _matrix(self._embedder)

    @property
    def is_small(self) -> bool:
        return 0 < len(self.index) <= SMALL and not self._lock.locked()

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
        if bytes(era) != self._era:
            self._clear(bytes(era))
        if rows > self._rows:
            self._rows += self._take(connection, f"{where} AND m.mid > ?", (*values, self._newest))
        if rows > self._rows:  # words that were recorded early and placed late
            there = {mid for (mid,) in connection.execute(f"SELECT mid FROM memories m WHERE {where}", values)}
            late = json.dumps(sorted(there - self._known.keys() - self._open))
            self._rows += self._take(connection, f"m.mid {_AMONG}", (late,))
        if self._open:
            self._take(connection, f"m.version IS NOT NULL AND m.mid {_AMONG}", (json.dumps(sorted(self._open)),))
        self._take_vectors(connection)

    def _take(self, connection: sqlite3.Connection, where: str, values: Sequence[Any]) -> int:
        """Index what is found; returns the number of rows that were new."""
        found = connection.execute(f"SELECT {_DOC} FROM memories m WHERE {where} ORDER BY m.mid", values)
        new = 0
        for row in found:
            new += row[0] not in self._open
            self._take_row(row)
        return new

    def _take_row(self, row: Sequence[Any]) -> None:
        mid, id, sid, version, at, text, kind, speaker, meta, supersedes = row
        self._newest = max(self._newest, mid)
        if version is None:
            self._open.add(mid)
            return
        self._open.discard(mid)
        self._known[mid] = self.index.add(
            Doc(
                key=mid, id=id, stream=sid, version=version, at=at, text=text, kind=kind, speaker=speaker,
                meta=parse(meta) if meta else None, supersedes=supersedes,
            )
        )  # fmt: skip
        self._bare.append(mid)

    def _take_vectors(self, connection: sqlite3.Connection) -> None:
        """Look for vectors of the newest memories that have none here; go on as long as there are any."""
        if self._embedder is None or self._matrix is None:
            return
        while self._bare:
            part = self._bare[-_PROBE:]
            found = connection.execute(
                f"SELECT mid, vector FROM vectors WHERE model = ? AND mid {_AMONG}",
                (self._embedder.name, json.dumps(part)),
            ).fetchall()
            for mid, vector in found:
                self._matrix.add(self._known[mid], vector)
            had = {mid for mid, _ in found}
            self._bare[-len(part) :] = [mid for mid in part if mid not in had]
            if len(had) < len(part):
                return

    # asking

    def bare(self, connection: sqlite3.Connection, question: str) -> tuple[str | None, bool]:
        """What to make the question's vector of, None if nothing here has one; and whether any vector lacks."""
        with self._lock:
            self._refresh(connection)
            return self.index.bare(question) if self._matrix else None, bool(self._bare)

    def lacking(self, connection: sqlite3.Connection, most: int) -> list[tuple[int, str, str]]:
        """Number, id and text of memories without a vector, newest first."""
        with self._lock:
            self._refresh(connection)
            part = json.dumps(self._bare[-most:])
        found = connection.execute(f"SELECT mid, id, text FROM memories WHERE mid {_AMONG} ORDER BY mid DESC", (part,))
        return found.fetchall()

    def search(
        self, connection: sqlite3.Connection, ask: Recall, place: _Where, vector: Sequence[float] | None
    ) -> list[Recalled]:
        with self._lock:
            self._refresh(connection)
            view = View(self.index, place.within(connection, self.index.streams), ask.where)
            likeness = None if vector is None or self._matrix is None else self._matrix.likeness(vector, view.known)
            found = view.search(ask.query, ask.limit, likeness)
        return _joined(connection, found)


class _Where:
    """The asking place, as far as it does not depend on the scope."""

    def __init__(self, store: Store, connection: sqlite3.Connection, stream: str, version: int, at: int) -> None:
        chain = store.chain(connection, stream)
        past = lineage.segments([row for _, row in chain.values()], version)
        root = next(sid for sid, row in chain.values() if row.parent is None)
        self._lineage = tuple((chain[part.stream][0], part.upto) for part in reversed(past)) or ((root, 0),)
        self._at = at

    def within(self, connection: sqlite3.Connection, sids: Iterable[int]) -> Place:
        elsewhere = set(sids).difference(sid for sid, _ in self._lineage)
        return Place(self._lineage, _free(connection, elsewhere) if elsewhere else frozenset(), self._at)


class Library:
    """The scopes that are loaded, the least used let go first."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._loaded: OrderedDict[Scope, Loaded] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, scope: Scope) -> Loaded:
        with self._lock:
            found = self._loaded.get(scope)
            if found is None:
                self._make_room()
                found = self._loaded[scope] = Loaded(scope, self._embedder)
            self._loaded.move_to_end(scope)
            return found

    def _make_room(self) -> None:
        held = sum(len(loaded.index) for loaded in self._loaded.values())
        while self._loaded and (held > MOST_LOADED or len(self._loaded) >= MOST_SCOPES):
            _, dropped = self._loaded.popitem(last=False)
            held -= len(dropped.index)

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


def _matrix(embedder: Embedder) -> Matrix:
    from greenroom.adapters.embeddings.matrix import Matrix  # noqa: PLC0415  needs numpy, which only vectors need

    return Matrix(embedder.dimensions)


def of_scope(scope: Scope) -> tuple[str, tuple[str, ...]]:
    """The condition that names one scope, for the index that begins with the owner."""
    if scope.agent is None:
        return "m.owner = ? AND m.world = ?", (scope.owner, scope.world)
    return "m.owner = ? AND m.world = ? AND m.agent = ?", (scope.owner, scope.world, scope.agent)


def _free(connection: sqlite3.Connection, sids: Iterable[int]) -> frozenset[int]:
    """Those of some streams whose memories are everybody's in the scope: no branches, no rehearsals."""
    among = json.dumps(list(sids))
    found = connection.execute(f"SELECT sid FROM streams WHERE parent IS NULL AND NOT mute AND sid {_AMONG}", (among,))
    return frozenset(sid for (sid,) in found)


def _joined(connection: sqlite3.Connection, found: Sequence[tuple[int, float]]) -> list[Recalled]:
    """Hits with the words of the record: what is no longer there is not found."""
    keys = json.dumps([key for key, _ in found])
    rows = connection.execute(f"SELECT mid, id, text, speaker, kind FROM memories WHERE mid {_AMONG}", (keys,))
    there = {mid: row for mid, *row in rows}
    return [
        Recalled(id=row[0], text=row[1], speaker=row[2], kind=row[3], score=score)
        for key, score in found
        if (row := there.get(key)) is not None
    ]
