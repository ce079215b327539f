"""What one job sees of the streams it touches, as this process last saw them or as they were just looked up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from greenroom.adapters.postgres.statement import BIRTHS, STREAMS
from greenroom.adapters.sql.rows import storable, stream_row
from greenroom.adapters.sql.unit import UnitOfWork
from greenroom.adapters.sql.writes import KINDS, Kind
from greenroom.journal.records import Attempt, Recording, Stream
from greenroom.kernel.errors import Unknown
from greenroom.kernel.script import Answer

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
    answers: dict[int, tuple[Answer, ...]] = field(default_factory=dict)
    #: The attempt that used the key the job asks about, here or in the shared past.
    prior: Attempt | None = None


class PostgresUnitOfWork(UnitOfWork):
    """What one job reads and writes in one round."""

    def __init__(self, cached: Mapping[str, CachedRow], new_sid: Callable[[], int]) -> None:
        super().__init__()
        self._cached = cached
        self._new_sid = new_sid
        #: Keys that must not be there when it is written, by stream.
        self._absent: dict[str, str] = {}

    # reading

    def _row(self, name: str, *, fresh: bool = False) -> CachedRow:
        row = self._cached.get(name)
        if row is None and not storable(name):
            raise Unknown(f"there is no stream {name!a}")
        if row is None or (fresh and not row.fresh):
            raise Unseen
        return row

    def row(self, name: str) -> tuple[int, Stream] | None:
        row = self._row(name)
        return None if row.stream is None else (row.sid, row.stream)

    def removed(self, name: str) -> bool:
        return self._row(name).removed

    def new_sid(self) -> int:
        return self._new_sid()

    def prior(self, recording: Recording) -> Attempt | None:
        name, key = recording.stream, recording.key
        row = self._row(name)
        if not row.fresh and row.stream is not None and row.stream.parent is not None:
            raise Unseen
        if row.prior is None:
            self._absent[name] = key
        return row.prior

    def head(self, name: str, besides: int | None = None) -> Attempt | None:
        return next((attempt for attempt in self._row(name, fresh=True).heads if attempt.n != besides), None)

    def answers(self, attempt: Attempt) -> tuple[Answer, ...]:
        return self._row(attempt.stream, fresh=True).answers.get(attempt.n, ())

    # what is to be written

    def written(self) -> dict[Kind, list[Sequence[object]]]:
        """The lines of the house's tables, by kind."""
        self.finish()
        lines: dict[Kind, list[Sequence[object]]] = {KINDS[name]: own for name, own in self.lines.items()}
        for name, stream in self.after.items():
            row = stream_row(self.sid(name), stream)
            if name in self.born:
                lines.setdefault(BIRTHS, []).append(row)
            else:
                lines.setdefault(STREAMS, []).append([value for i, value in enumerate(row) if i not in _FIXED])
        return lines

    @property
    def writes(self) -> bool:
        return bool(self.after or self.lines or self._attempts or self.changes)

    def seen(self) -> list[tuple[int, int, str | None]]:
        """Number, stamp and absent key of every row this unit was decided on."""
        return [
            (self._cached[name].sid, self._cached[name].stamp, self._absent.get(name))
            for name in sorted(self.used - self.born.keys())
        ]

    def cached_after(self, stamp: int) -> dict[str, CachedRow]:
        """The streams it wrote, as they stand now that it is written."""
        return {name: CachedRow(self.sid(name), stamp, stream) for name, stream in self.after.items()}
