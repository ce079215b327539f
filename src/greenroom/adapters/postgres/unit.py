"""What one job sees of the streams it touches, and what it wants written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from greenroom.adapters.postgres.statement import BIRTHS, KINDS, Kind
from greenroom.adapters.sql import rows
from greenroom.adapters.sql.changes import Placed
from greenroom.adapters.sql.rows import Row, storable
from greenroom.journal.records import Attempt, Recording, Stream
from greenroom.kernel.errors import Forgotten, Unknown
from greenroom.kernel.script import Answer
from greenroom.kernel.tables import Change

#: Where the columns that never change end in the row of a stream, and which of the others they stand between.
_FIXED = frozenset((1, 2, 3, 4, 5, 6, 8))


class Unseen(Exception):
    """The job needs to know something that was not looked up."""


@dataclass(slots=True)
class CachedRow:
    """A stream as it was seen, now or a while ago."""

    sid: int
    #: Number of the transaction that had last written its row.
    stamp: int
    #: None when there is no such stream.
    stream: Stream | None
    removed: bool = False
    #: Whether the rest was looked up just now.
    fresh: bool = False
    #: The first two open attempts, the one whose turn it is before the other.
    heads: Sequence[Attempt] = ()
    answers: Mapping[int, tuple[Answer, ...]] = field(default_factory=dict)
    #: The attempt that used the key the job asks about, here or in the shared past.
    prior: Attempt | None = None


class PostgresUnitOfWork:
    """What one job reads and writes in one round."""

    def __init__(self, cached: Mapping[str, CachedRow], new_sid: Callable[[], int]) -> None:
        self._cached = cached
        self._new_sid = new_sid
        self._born: dict[str, int] = {}
        #: Keys that must not be there when it is written, by stream.
        self._absent: dict[str, str] = {}
        self._used: set[str] = set()
        self._attempts: dict[tuple[int, int], Row] = {}
        #: Streams as they will stand.
        self.after: dict[str, Stream] = {}
        self.lines: dict[Kind, list[Row]] = {}
        self.changes: list[Placed] = []

    # reading

    def _row(self, name: str) -> CachedRow:
        row = self._cached.get(name)
        if row is None:
            if storable(name):
                raise Unseen
            raise Unknown(f"there is no stream {name!a}")
        return row

    def stream(self, name: str) -> Stream:
        """A copy of the row: changed freely, stored by ``put_stream``."""
        if name in self.after:
            return copy(self.after[name])
        row = self._row(name)
        if row.stream is not None:
            self._used.add(name)
            return copy(row.stream)
        self.refuse_removed(name)
        raise Unknown(f"there is no stream {name}")

    def found(self, name: str) -> Stream | None:
        """A stream that this unit will not write, as it was looked up; None if it was removed.

        Raises:
            Unknown: there never was one.
        """
        row = self._row(name)
        if row.stream is None and not row.removed:
            raise Unknown(f"there is no stream {name}")
        return copy(row.stream)

    def knows(self, name: str) -> bool:
        return name in self.after or self._row(name).stream is not None

    def refuse_removed(self, name: str) -> None:
        if self._row(name).removed:
            raise Forgotten(f"stream {name} was removed")

    def sid(self, name: str) -> int:
        return self._born[name] if name in self._born else self._row(name).sid

    def stamp_of(self, name: str) -> int:
        return self._row(name).stamp

    def prior(self, recording: Recording) -> Attempt | None:
        """The attempt that used this key, here or in the shared past."""
        name, key = recording.stream, recording.key
        row = self._row(name)
        if not row.fresh and row.stream is not None and row.stream.parent is not None:
            raise Unseen
        if row.prior is None:
            self._absent[name] = key
        return row.prior

    def head(self, name: str, besides: int | None = None) -> Attempt | None:
        """The open attempt whose turn it is."""
        row = self._row(name)
        if not row.fresh:
            raise Unseen
        return next((attempt for attempt in row.heads if attempt.n != besides), None)

    def answers(self, attempt: Attempt) -> tuple[Answer, ...]:
        row = self._row(attempt.stream)
        if not row.fresh:
            raise Unseen
        return row.answers.get(attempt.n, ())

    # writing

    def put(self, kind: str, row: Row) -> None:
        self.lines.setdefault(KINDS[kind], []).append(row)

    def put_all(self, kind: str, lines: Iterable[Row]) -> None:
        added = list(lines)
        if added:
            self.lines.setdefault(KINDS[kind], []).extend(added)

    def put_stream(self, stream: Stream) -> None:
        name = stream.name
        if name not in self._born and self._row(name).stream is None:
            self._born[name] = self._new_sid()
        self.after[name] = stream

    def book(self, attempt: Attempt) -> None:
        self.put_attempt(attempt)

    def put_attempt(self, attempt: Attempt) -> None:
        """An attempt written twice goes down once, as it was last."""
        row = rows.attempt_row(self.sid(attempt.stream), attempt)
        self._attempts[row[0], row[1]] = row

    def change_all(self, stream: Stream, changes: Iterable[tuple[int, Change]]) -> None:
        """Changes of world tables, each with the version that makes it."""
        sid, root = self.sid(stream.name), stream.parent is None
        self.changes.extend([(sid, root, version, change) for version, change in changes])

    def refusal(self, stream: Stream, changes: Sequence[tuple[int, Change]]) -> str | None:
        """The statement itself finds out, for all at once."""
        return None

    def finish(self) -> None:
        """Put down what was kept back because it could have changed again."""
        for name, stream in self.after.items():
            row = rows.stream_row(self.sid(name), stream)
            if name in self._born:
                self.put(BIRTHS, row)
            else:
                self.put("streams", [value for i, value in enumerate(row) if i not in _FIXED])
        if self._attempts:
            self.lines.setdefault(KINDS["attempts"], []).extend(self._attempts.values())

    @property
    def writes(self) -> bool:
        return bool(self.lines or self.changes)

    def seen(self) -> list[tuple[int, int, str | None]]:
        """Number, stamp and absent key of every row this unit was decided on."""
        return [
            (self._cached[name].sid, self._cached[name].stamp, self._absent.get(name))
            for name in sorted(self._used)
            if name not in self._born
        ]

    @property
    def births(self) -> int:
        return len(self._born)

    def cached_after(self, stamp: int) -> dict[str, CachedRow]:
        """The streams it wrote, as they stand now that it is written."""
        return {name: CachedRow(self.sid(name), stamp, stream) for name, stream in self.after.items()}
