"""One round of writing: what was looked up for its jobs, and what is to be written, gathered by table.

Rows of many turns go down in one statement each. That is what group commit is worth: the work per
turn shrinks with the crowd, and the interpreter's lock changes hands a few times a round.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from msgspec.structs import replace

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.changes import Placed, gathered
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.store import INHERITED
from greenroom.adapters.sql.writes import FIXED, INSERTS, UPDATES, Insert, replaced
from greenroom.adapters.sqlite.dialect import SqliteReader, given, translated
from greenroom.journal.records import Attempt, Recording, Stream
from greenroom.kernel.errors import Forgotten, Unknown
from greenroom.kernel.script import Answer
from greenroom.kernel.tables import Change, Drop, Patch, Put

#: Rows of one statement: the first number, a smaller multiple of the second, or fewer than the second.
_MOST_ROWS, _FEW_ROWS = 64, 8
#: Rows of streams that a writer keeps at most; past that all are read anew.
_MOST_CACHED = 4096


_ATTEMPT = rows.of("a", rows.ATTEMPT)

#: Statement for each kind of row.
_INTO: Mapping[str, Insert] = {
    **INSERTS,
    "streams": Insert(
        "streams", rows.STREAM, f"ON CONFLICT (sid) DO UPDATE SET {replaced(rows.STREAM, besides=FIXED)}"
    ),
    "booked": Insert("attempts", rows.ATTEMPT),
}

#: Changes of world tables.
_CHANGE = "change"


@lru_cache(maxsize=4096)
def _insert(table: str, columns: str, conflict: str, count: int) -> str:
    # An upsert after VALUES needs the WHERE only when it selects; several rows parse well without.
    # OR FAIL: whoever hears of a broken constraint rolls back the batch or the job, so SQLite need not be able to undo
    # the statement alone, for which it would copy every page before it is changed.
    return f"INSERT OR FAIL INTO {table} ({columns}) VALUES {_marks(columns, count)} {conflict}"


@lru_cache(maxsize=64)
def _update(kind: str, count: int) -> str:
    _, columns, sql = UPDATES[kind]
    return f"WITH v ({columns}) AS (VALUES {_marks(columns, count)}) {sql.replace('UPDATE', 'UPDATE OR FAIL', 1)}"


def _marks(columns: str, count: int) -> str:
    marks = "(" + ", ".join("?" * (columns.count(",") + 1)) + ")"
    return ", ".join([marks] * count)


@lru_cache(maxsize=1024)
def _projection_sql(table: str, columns: tuple[str, ...], key: tuple[str, ...]) -> tuple[str, str]:
    named = ", ".join(f'"{name}"' for name in columns)
    changed = ", ".join(f'"{name}" = excluded."{name}"' for name in ("version", *columns) if name not in key)
    keys = ", ".join(f'"{name}"' for name in ("sid", *key))
    return f"sid, version, root, {named}", f"ON CONFLICT ({keys}) DO UPDATE SET {changed}"


def execute_many(connection: sqlite3.Connection, table: str, columns: str, conflict: str, lines: Sequence[Row]) -> None:
    """Insert rows, many to a statement."""
    _in_parts(connection, lines, lambda count: _insert(table, columns, conflict, count))


def _in_parts(connection: sqlite3.Connection, lines: Sequence[Row], statement: Callable[[int], str]) -> None:
    if len(lines) == 1:
        connection.execute(statement(1), lines[0])
        return
    start = 0
    for count in _parts(len(lines)):
        values: list[Any] = []
        for line in lines[start : start + count]:
            values += line
        connection.execute(statement(count), values)
        start += count


@lru_cache(maxsize=1024)
def _parts(count: int) -> tuple[int, ...]:
    """How many rows each statement takes: one of a few numbers, or most statements would have to be prepared anew."""
    whole, rest = divmod(count, _MOST_ROWS)
    few = rest % _FEW_ROWS
    return tuple(part for part in (*[_MOST_ROWS] * whole, rest - few, few) if part)


class RowCache(dict[str, tuple[int, Stream]]):
    """Rows of streams as this writer last saw them: a turn does not read again what the one before wrote."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection
        self._version: int | None = None

    def refresh(self) -> None:
        """Forget everything if another connection has committed. For the beginning of a transaction."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version or len(self) > _MOST_CACHED:
            self.clear()
        self._version = version


class SqliteUnitOfWork(SqliteReader):
    """What one round of jobs reads and writes."""

    def __init__(
        self, connection: sqlite3.Connection, cached: RowCache, projections: Mapping[str, Projection], secret: bytes
    ) -> None:
        super().__init__(connection)
        self._cached = cached
        self._projections = projections
        self._secret = secret
        self._streams: dict[str, tuple[int, Stream]] = {}
        self._priors: dict[tuple[int, str], Attempt] = {}
        #: What is to be written: rows and changes by kind.
        self._lines: defaultdict[str, list[Any]] = defaultdict(list)
        #: Whether a savepoint was set, because the job has run a statement of its own.
        self._saved = False
        #: What the job that is deciding has added to, and what it has replaced, to be undone if it is refused.
        self._added: list[list[Any]] = []
        self._replaced: list[tuple[str, tuple[int, Stream] | None]] = []
        self._next_sid: int | None = None

    # looking up

    def look_up(self, names: Iterable[str], keys: Sequence[tuple[str, str]]) -> None:
        """Read what a round of jobs will ask for, in two statements."""
        cached, unseen = self._cached, []
        for name in names:
            if name in cached:
                self._streams[name] = cached[name]
            else:
                unseen.append(name)
        if unseen:
            marks = ", ".join("?" * len(unseen))
            found = self.connection.execute(f"SELECT {rows.STREAM} FROM streams WHERE name IN ({marks})", unseen)
            self._streams.update({row[1]: (row[0], rows.to_stream(row)) for row in found})
        known = [(self._streams[name][0], key) for name, key in keys if name in self._streams]
        if known:
            self._look_up_keys(known)

    def _look_up_keys(self, known: Sequence[tuple[int, str]]) -> None:
        names = {sid: stream.name for sid, stream in self._streams.values()}
        marks = ", ".join(["(?, ?)"] * len(known))
        found = self.connection.execute(
            f"SELECT {_ATTEMPT} FROM (VALUES {marks}) AS v CROSS JOIN attempts a "
            "ON a.sid = v.column1 AND a.key = v.column2",
            list(chain.from_iterable(known)),
        )
        for row in found:
            self._priors[row[0], row[2]] = rows.to_attempt(names[row[0]], row)

    def stream(self, name: str) -> Stream:
        """A copy of the row: changed freely, stored by ``put_stream``."""
        if name not in self._streams:
            self.look_up([name], [])
        if name in self._streams:
            return replace(self._streams[name][1])
        self.refuse_removed(name)
        raise Unknown(f"there is no stream {name}")

    def found(self, name: str) -> Stream | None:
        try:
            return self.stream(name)
        except Forgotten:
            return None

    def knows(self, name: str) -> bool:
        if name not in self._streams:
            self.look_up([name], [])
        return name in self._streams

    def refuse_removed(self, name: str) -> None:
        digest = rows.tombstone(self._secret, name)
        if self.connection.execute("SELECT 1 FROM tombstones WHERE digest = ?", (digest,)).fetchone():
            raise Forgotten(f"stream {name} was removed")

    def sid(self, name: str) -> int:
        return self._streams[name][0]

    def prior(self, recording: Recording) -> Attempt | None:
        """The attempt that used this key, here or in the shared past."""
        stream = self.stream(recording.stream)
        found = self._priors.get((self.sid(stream.name), recording.key))
        if found is not None or stream.parent is None:
            return found
        row = self.execute(INHERITED, (self.sid(stream.name), recording.key)).fetchone()
        return None if row is None else rows.to_attempt(row[0], row[1:])

    def head(self, stream: str, besides: int | None = None) -> Attempt | None:
        """The open attempt whose turn it is."""
        row = self.connection.execute(
            f"SELECT {rows.ATTEMPT} FROM attempts WHERE sid = ? AND status IS NULL AND n <> ? ORDER BY rank, n LIMIT 1",
            (self.sid(stream), -1 if besides is None else besides),
        ).fetchone()
        return None if row is None else rows.to_attempt(stream, row)

    def answers(self, attempt: Attempt) -> tuple[Answer, ...]:
        """What is stored of an open attempt, in order."""
        found = self.connection.execute(
            f"SELECT {rows.ANSWER} FROM answers WHERE sid = ? AND n = ? ORDER BY i",
            (self.sid(attempt.stream), attempt.n),
        )
        return tuple(map(rows.to_answer, found))

    # writing

    def put(self, kind: str, row: Row) -> None:
        """A row to insert, or the values of a change to one."""
        lines = self._lines[kind]
        lines.append(row)
        self._added.append(lines)

    def put_all(self, kind: str, lines: Iterable[Row]) -> None:
        for row in lines:
            self.put(kind, row)

    def put_stream(self, stream: Stream) -> None:
        name = stream.name
        before = self._streams.get(name)
        sid = before[0] if before is not None else self._new_sid()
        self._replaced.append((name, before))
        self._streams[name] = (sid, stream)
        self.put("streams", rows.stream_row(sid, stream))

    def _new_sid(self) -> int:
        if self._next_sid is None:
            (last,) = self.connection.execute("SELECT max(sid) FROM streams").fetchone()
            self._next_sid = last or 0
        self._next_sid += 1
        return self._next_sid

    def book(self, attempt: Attempt) -> None:
        """An attempt that is not stored yet: no row of it has to be looked for."""
        self.put("booked", rows.attempt_row(self.sid(attempt.stream), attempt))

    def put_attempt(self, attempt: Attempt) -> None:
        self.put("attempts", rows.attempt_row(self.sid(attempt.stream), attempt))

    async def run(self, statement: str, *values: Any) -> int:
        """A statement of its own, at once; for a job that is alone in its round."""
        self._save()
        return self.execute(statement, values).rowcount

    async def run_all(self, statement: str, lines: Iterable[Row]) -> None:
        self._save()
        text, order = translated(statement)
        self.connection.executemany(text, (given(line, order) for line in lines))

    def _save(self) -> None:
        if not self._saved:
            self.connection.execute("SAVEPOINT act")
            self._saved = True
            self._cached.clear()

    def change_all(self, stream: Stream, changes: Iterable[tuple[int, Change]]) -> None:
        """Changes of world tables, each with the version that makes it."""
        # A number, not a boolean: sqlite3 looks for an adapter of every value that is no number, text or bytearray.
        sid, root = self.sid(stream.name), int(stream.parent is None)
        for version, change in changes:
            self.put(_CHANGE, (sid, root, version, change))

    def keep(self) -> None:
        """The job decided well: what it wants written belongs to the round."""
        self._added.clear()
        self._replaced.clear()
        if self._saved:
            self.connection.execute("RELEASE act")

    def tear_off(self) -> None:
        """The job was refused: it writes nothing."""
        if self._saved:
            self.connection.execute("ROLLBACK TO act")
            self.connection.execute("RELEASE act")
        for lines in self._added:
            lines.pop()
        self._added.clear()
        for name, before in reversed(self._replaced):
            if before is None:
                del self._streams[name]
            else:
                self._streams[name] = before
        self._replaced.clear()

    def flush(self) -> None:
        """Write the rows, then what changes rows that are there, then those of world tables."""
        lines = self._lines
        changes, unanswered = lines.pop(_CHANGE, ()), lines.pop("unanswered", ())
        updates = [(kind, lines.pop(kind)) for kind in UPDATES if kind in lines]
        for kind, values in lines.items():
            execute_many(self.connection, *_INTO[kind], _last(kind, values))
        for kind, values in updates:
            _in_parts(self.connection, values, partial(_update, kind))
        if unanswered:
            self.connection.executemany("DELETE FROM answers WHERE sid = ? AND n = ? AND i >= ?", unanswered)
        if changes:
            self._change_tables(changes)
        if not self._saved:
            self._cached.update(self._streams)

    # world tables

    def refusal(self, stream: Stream, changes: Sequence[tuple[int, Change]]) -> str | None:
        """What is said of a value that a unique column holds already: found here, it costs the others nothing."""
        if stream.parent is None:
            for _, change in changes:
                if self._projections[change.table].unique and isinstance(change, (Put, Patch)):
                    refusal = self._refusal_of_row(stream, change)
                    if refusal is not None:
                        return refusal
        return None

    def _refusal_of_row(self, stream: Stream, change: Put | Patch) -> str | None:
        projection = self._projections[change.table]
        table = projection.table
        own = change.values if isinstance(change, Put) else change.key
        other_row = " OR ".join(f'"{name}" IS NOT ?' for name in ("sid", *table.key))
        key = [self.sid(stream.name), *(projection.to_sql(name, own[name]) for name in table.key)]
        for unique in table.unique:
            wanted = [projection.to_sql(name, change.values.get(name)) for name in unique.columns]
            if None in wanted:
                continue
            same = " AND ".join(f'"{name}" = ?' for name in unique.columns)
            clash = self.connection.execute(
                f"SELECT 1 FROM {table.name} WHERE root = 1 AND {same} AND ({other_row})", [*wanted, *key]
            ).fetchone()
            if clash:
                return unique.refusal
        return None

    def _change_tables(self, changes: Sequence[Placed]) -> None:
        """Rows of world tables; no row is named twice, so that only drops must come before the rest."""
        rows, others = gathered(self._projections, changes)
        for sid, _, version, change in others:
            self._patch_or_drop(self._projections[change.table], sid, version, change)
        for table, lines in rows.items():
            self._put_rows(table, lines)

    def _put_rows(self, table: str, lines: Sequence[Row]) -> None:
        projection = self._projections[table]
        columns, conflict = _projection_sql(table, projection.columns, projection.table.key)
        execute_many(self.connection, table, columns, conflict, lines)

    def _patch_or_drop(self, projection: Projection, sid: int, version: int, change: Change) -> None:
        assert not isinstance(change, Put)
        where = " AND ".join(f'"{name}" = ?' for name in ("sid", *projection.table.key))
        key = [sid, *(projection.to_sql(name, change.key[name]) for name in projection.table.key)]
        if isinstance(change, Drop):
            self.connection.execute(f"DELETE FROM {projection.name} WHERE {where}", key)
            return
        changed = ", ".join(f'"{name}" = ?' for name in ("version", *change.values))
        values = [version, *(projection.to_sql(name, value) for name, value in change.values.items())]
        self.connection.execute(f"UPDATE {projection.name} SET {changed} WHERE {where}", [*values, *key])


def _last(table: str, lines: list[Row]) -> list[Row]:
    """A stream or attempt written twice in a round goes down once, as it was last."""
    if len(lines) == 1:
        return lines
    if table == "streams":
        return list({row[0]: row for row in lines}.values())
    if table == "attempts":
        return list({(row[0], row[1]): row for row in lines}.values())
    return lines
