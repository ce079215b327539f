"""One round of writing: what was looked up for its jobs, and what each of them wants written."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from greenroom.adapters.sql import rows
from greenroom.adapters.sql.changes import Placed, changed
from greenroom.adapters.sql.projections import Projection
from greenroom.adapters.sql.rows import Row
from greenroom.adapters.sql.store import INHERITED, Transaction
from greenroom.adapters.sql.writes import FIXED, KINDS, kind, replaced
from greenroom.adapters.sqlite.dialect import SqliteExecutor
from greenroom.adapters.sqlite.statement import write
from greenroom.journal.records import Attempt, Recording, Stream
from greenroom.kernel.script import Answer

#: Rows of streams that a writer keeps at most; past that all are read anew.
_MOST_CACHED = 4096

_ATTEMPT = rows.of("a", rows.ATTEMPT)
_STREAM = kind(
    "streams", rows.STREAM, conflict=f"ON CONFLICT (sid) DO UPDATE SET {replaced(rows.STREAM, besides=FIXED)}"
)


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


class Round:
    """Jobs that are decided together, on rows that were read together, and written together."""

    def __init__(
        self, connection: sqlite3.Connection, cached: RowCache, projections: Mapping[str, Projection], secret: bytes
    ) -> None:
        self.connection = connection
        self.cached = cached
        self.secret = secret
        self.priors: dict[tuple[int, str], Attempt] = {}
        self._projections = projections
        self._streams: dict[str, tuple[int, Stream] | None] = {}
        self._next_sid: int | None = None

    def look_up(self, names: Iterable[str], keys: Sequence[tuple[str, str]] = ()) -> None:
        """Read what jobs will ask for, in two statements."""
        streams, cached = self._streams, self.cached
        streams.update({name: cached.get(name) for name in names})
        if unseen := [name for name in names if streams[name] is None]:
            marks = ", ".join("?" * len(unseen))
            found = self.connection.execute(f"SELECT {rows.STREAM} FROM streams WHERE name IN ({marks})", unseen)
            streams.update({row[1]: (row[0], rows.to_stream(row)) for row in found})
        if known := [(there[0], key) for name, key in keys if (there := streams[name]) is not None]:
            self._look_up_keys(known)

    def _look_up_keys(self, known: Sequence[tuple[int, str]]) -> None:
        names = {there[0]: there[1].name for there in self._streams.values() if there is not None}
        marks = ", ".join(["(?, ?)"] * len(known))
        found = self.connection.execute(
            f"SELECT {_ATTEMPT} FROM (VALUES {marks}) AS v CROSS JOIN attempts a "
            "ON a.sid = v.column1 AND a.key = v.column2",
            list(chain.from_iterable(known)),
        )
        for row in found:
            self.priors[row[0], row[2]] = rows.to_attempt(names[row[0]], row)

    def row(self, name: str) -> tuple[int, Stream] | None:
        if name not in self._streams:
            self.look_up([name])
        return self._streams[name]

    def new_sid(self) -> int:
        if self._next_sid is None:
            (last,) = self.connection.execute("SELECT max(sid) FROM streams").fetchone()
            self._next_sid = last or 0
        self._next_sid += 1
        return self._next_sid

    def write(self, units: Sequence[SqliteUnitOfWork]) -> None:
        """Write the rows, then what changes rows that are there, then those of world tables."""
        lines: defaultdict[str, list[Row]] = defaultdict(list)
        changes: list[Placed] = []
        after: dict[str, tuple[int, Stream]] = {}
        for unit in units:
            unit.finish()
            for name, own in unit.lines.items():
                lines[name] += own
            for name, stream in unit.after.items():
                after[name] = (unit.sid(name), stream)
            changes += unit.changes
        if after:
            write(self.connection, _STREAM, [rows.stream_row(*row) for row in after.values()])
        for name in sorted(lines, key=_ORDER.__getitem__):
            write(self.connection, KINDS[name], lines[name])
        for table, placed in changed(self._projections, changes):
            write(self.connection, table, placed)
        if not any(unit.saved for unit in units):  # one that ran statements may have changed any row
            self.cached.update(after)


#: Rows first, then what changes rows that are there.
_ORDER = {name: i for i, name in enumerate(KINDS)}


class SqliteUnitOfWork(SqliteExecutor, Transaction):
    """What one job reads and writes in its round."""

    def __init__(self, round_: Round) -> None:
        SqliteExecutor.__init__(self, round_.connection)
        Transaction.__init__(self)
        self._round = round_
        #: Whether a savepoint was set, because the job has run a statement of its own.
        self.saved = False

    # looking up

    def row(self, name: str) -> tuple[int, Stream] | None:
        return self._round.row(name)

    def new_sid(self) -> int:
        return self._round.new_sid()

    def removed(self, name: str) -> bool:
        digest = rows.tombstone(self._round.secret, name)
        return self.execute("SELECT 1 FROM tombstones WHERE digest = $1", (digest,)).fetchone() is not None

    def prior(self, recording: Recording) -> Attempt | None:
        stream = self.stream(recording.stream)
        sid = self.sid(stream.name)
        found = self._round.priors.get((sid, recording.key))
        if found is not None or stream.parent is None:
            return found
        row = self.execute(INHERITED, (sid, recording.key)).fetchone()
        return None if row is None else rows.to_attempt(row[0], row[1:])

    def head(self, name: str, besides: int | None = None) -> Attempt | None:
        row = self.connection.execute(
            f"SELECT {rows.ATTEMPT} FROM attempts WHERE sid = ? AND status IS NULL AND n <> ? ORDER BY rank, n LIMIT 1",
            (self.sid(name), -1 if besides is None else besides),
        ).fetchone()
        return None if row is None else rows.to_attempt(name, row)

    def answers(self, attempt: Attempt) -> tuple[Answer, ...]:
        found = self.connection.execute(
            f"SELECT {rows.ANSWER} FROM answers WHERE sid = ? AND n = ? ORDER BY i",
            (self.sid(attempt.stream), attempt.n),
        )
        return tuple(map(rows.to_answer, found))

    # writing

    async def run(self, statement: str, *values: Any) -> int:
        self._save()
        return await super().run(statement, *values)

    async def run_all(self, statement: str, lines: Iterable[Row]) -> None:
        self._save()
        await super().run_all(statement, lines)

    def _save(self) -> None:
        if not self.saved:
            self.connection.execute("SAVEPOINT act")
            self.saved = True
            self._round.cached.clear()

    def keep(self) -> None:
        """The job decided well: what it has run belongs to the round."""
        if self.saved:
            self.connection.execute("RELEASE act")

    def tear_off(self) -> None:
        """The job was refused: what it has run is undone."""
        if self.saved:
            self.connection.execute("ROLLBACK TO act")
            self.connection.execute("RELEASE act")
